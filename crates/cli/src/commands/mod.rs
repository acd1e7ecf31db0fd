//! One file per command.

pub mod check;
pub mod compare;
mod coverage;
pub mod export;
mod interpret;
pub mod lts;
pub mod realize;
mod report;
pub mod show;
pub mod simulate;
pub mod stored;
pub mod verify;

use crate::arguments::{CompletionArguments, command};
use crate::exit::Exit;
use crate::shell::Shell;

/// Prints a completion script.
pub fn completions(arguments: &CompletionArguments, shell: &Shell) -> Exit {
    let mut script = vec![];
    clap_complete::generate(arguments.shell, &mut command(), "swarmcheck", &mut script);
    shell.print(&String::from_utf8_lossy(&script))
}
