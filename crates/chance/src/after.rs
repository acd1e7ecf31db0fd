//! What is expected after a number of steps.

use crate::answer::{Answer, Settings, SolveError};
use crate::bits::Bits;
use crate::path::Optimum;
use crate::process::Process;
use swarmcheck_ir::Value;

/// The expected value of an expression after exactly this many steps. A run that has stopped rests.
pub fn value_after(
    _process: &Process,
    _values: &[Value],
    _steps: u64,
    _optimum: Optimum,
    _settings: &Settings,
    _stopped: &dyn Fn() -> bool,
) -> Result<Answer, SolveError> {
    Err(SolveError::Failed)
}

/// The probability that a condition holds after exactly this many steps.
pub fn probability_after(
    _process: &Process,
    _label: &Bits,
    _steps: u64,
    _optimum: Optimum,
    _settings: &Settings,
    _stopped: &dyn Fn() -> bool,
) -> Result<Answer, SolveError> {
    Err(SolveError::Failed)
}
