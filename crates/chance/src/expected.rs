//! Expected steps, rewards and time until a goal.

use crate::answer::{Expected, Settings, SolveError};
use crate::bits::Bits;
use crate::path::Optimum;
use crate::process::Process;

/// The expected number of steps until a goal state is visited for the first time.
pub fn expected_steps(
    _process: &Process,
    _goal: &Bits,
    _optimum: Optimum,
    _settings: &Settings,
    _stopped: &dyn Fn() -> bool,
) -> Result<Expected, SolveError> {
    Err(SolveError::Failed)
}

/// The expected sum of what states of a chain pay, from the initial state up to the last one before a goal state. A reward is a numerator
/// and a denominator.
pub fn expected_reward(
    _process: &Process,
    _goal: &Bits,
    _rewards: &[(u64, u64)],
    _settings: &Settings,
    _stopped: &dyn Fn() -> bool,
) -> Result<Expected, SolveError> {
    Err(SolveError::Failed)
}

/// The expected time until a goal state is visited for the first time, in continuous time.
pub fn expected_time(
    _process: &Process,
    _goal: &Bits,
    _settings: &Settings,
    _stopped: &dyn Fn() -> bool,
) -> Result<Expected, SolveError> {
    Err(SolveError::Failed)
}
