//! Shares in the long run, for chains.

use crate::answer::{Answer, Settings, SolveError};
use crate::bits::Bits;
use crate::process::Process;

/// A share of what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Share {
    /// Of all steps: of the states after 0 to n steps, n going to infinity. A run that has stopped rests.
    Steps,
    /// Of time, in a chain with rates.
    Time,
}

/// The expected share of states in which a condition holds, in the long run.
pub fn long_run(
    _process: &Process,
    _label: &Bits,
    _share: Share,
    _settings: &Settings,
    _stopped: &dyn Fn() -> bool,
) -> Result<Answer, SolveError> {
    Err(SolveError::Failed)
}
