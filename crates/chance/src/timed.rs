//! Probabilities within a time, for chains with rates: uniformisation.

use crate::answer::{Answer, Settings, SolveError};
use crate::bits::Bits;
use crate::process::Process;

/// The probability that a goal state is visited at a time up to `time`, and before it only states of `hold`.
pub fn within_time(
    _process: &Process,
    _hold: &Bits,
    _goal: &Bits,
    _time: f64,
    _settings: &Settings,
    _stopped: &dyn Fn() -> bool,
) -> Result<Answer, SolveError> {
    Err(SolveError::Failed)
}
