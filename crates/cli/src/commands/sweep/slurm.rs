//! `--slurm`.

use super::plan::Plan;
use crate::arguments::SweepArguments;
use crate::exit::Exit;
use crate::output::Target;
use crate::shell::Shell;

pub fn run(
    _arguments: &SweepArguments,
    _plan: &Plan,
    _target: Option<&Target>,
    _shell: &Shell,
) -> Result<Exit, Exit> {
    Ok(Exit::Fine)
}
