//! What an engine may answer. No verdict without evidence.

use crate::trace::Trace;

/// The answer for one property.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds, and this is why.
    Holds(Evidence),
    /// It does not hold: the trace shows it.
    Violated(Trace),
    /// Not decided, and this is why.
    Unknown(String),
}

/// Why a property holds.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// Every reachable state was seen.
    Explored {
        /// How many.
        states: u64,
        /// Steps between them.
        transitions: u64,
    },
    /// Every execution up to a number of steps was considered.
    Bounded {
        /// The number of steps.
        steps: u32,
    },
}

/// The answer for one property of a task.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Which property of the program.
    pub property: usize,
    /// The answer.
    pub verdict: Verdict,
    /// It holds because nothing could happen, or a quantifier ranges over nobody; in words.
    pub vacuous: Option<String>,
}
