//! Why a trace is not accepted.

use swarmcheck_reference::Interpreter;

/// Why a trace was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The step, counted from 1; `None` if the trace is wrong before its first step.
    pub step: Option<usize>,
    /// What does not fit.
    pub why: String,
    /// Not all that can happen was looked at, and something else may fit: the trace may be right.
    pub undecided: bool,
}

impl Refused {
    /// A trace that is wrong.
    pub fn new(step: Option<usize>, why: String) -> Refused {
        Refused { step, why, undecided: false }
    }

    /// A trace of which too little was looked at.
    pub fn undecided(step: Option<usize>, why: String) -> Refused {
        Refused { step, why, undecided: true }
    }

    /// What the rules say who may have left something out.
    pub(crate) fn by(self, oracle: &Interpreter<'_>) -> Refused {
        if oracle.has_tried_all() || self.undecided {
            return self;
        }
        let why = format!(
            "actions draw from too many numbers to try all of them; with those that were tried: {}",
            self.why
        );
        Refused::undecided(self.step, why)
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.step {
            Some(step) => write!(f, "step {step}: {}", self.why),
            None => f.write_str(&self.why),
        }
    }
}
