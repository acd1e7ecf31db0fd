//! Probabilities of until, eventually and always, with and without a bound on steps.

use crate::answer::{Answer, Settings, SolveError};
use crate::bits::Bits;
use crate::process::Process;

/// Which runs are meant.
#[derive(Clone, PartialEq, Debug)]
pub enum Path {
    /// A goal state is visited, and before it only states of `hold`.
    Until {
        /// Where one may be before the goal.
        hold: Bits,
        /// The goal.
        goal: Bits,
        /// In one of the states after 0 to this many steps.
        within: Option<u64>,
    },
    /// Only these states are visited: all of those after 0 to `within` steps.
    Always {
        /// Where one has to be.
        hold: Bits,
        /// For how many steps.
        within: Option<u64>,
    },
}

impl Path {
    /// A goal state is visited.
    pub fn eventually(goal: Bits, within: Option<u64>) -> Path {
        Path::Until { hold: Bits::full(goal.len()), goal, within }
    }
}

/// Which value is meant where there are decisions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Optimum {
    /// There are no decisions.
    Chain,
    /// The least over all schedulers.
    Min,
    /// The greatest over all schedulers.
    Max,
}

/// The probability of a path, from the initial distribution.
pub fn probability(
    _process: &Process,
    _path: &Path,
    _optimum: Optimum,
    _settings: &Settings,
    _stopped: &dyn Fn() -> bool,
) -> Result<Answer, SolveError> {
    Err(SolveError::Failed)
}
