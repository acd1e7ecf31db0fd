//! Why a question cannot be decided by composition.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A reason, as data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Refused {
    /// Reductions change how many steps an execution has, and the question counts them.
    CountsSteps,
    /// The question is about fair executions, and it is not the same for all.
    Fairness,
    /// A step may be an error of the model, which can only be told in states of the whole system.
    MayFail {
        /// The function that may fail.
        function: String,
    },
    /// A step draws from a set that is not known, or too large.
    Choices {
        /// The function that draws.
        function: String,
    },
    /// Something that is written at a place that is not known.
    Place {
        /// The function that writes.
        function: String,
    },
    /// A process has too many states of its own.
    ProcessTooLarge {
        /// The process.
        process: String,
        /// How many states are too many.
        states: u32,
    },
    /// There are too many combinations of what a process may receive in a step.
    ProcessTooCoupled {
        /// The process.
        process: String,
    },
    /// What a step does depends on too much.
    StepTooLarge {
        /// The function.
        function: String,
    },
    /// Most processes take part in most steps, so that no part of the system can be reduced alone.
    TightlyCoupled,
    /// The composition is larger than what can be numbered.
    TooLarge,
}

impl From<swarmcheck_steps::Refused> for Refused {
    fn from(refused: swarmcheck_steps::Refused) -> Refused {
        match refused {
            swarmcheck_steps::Refused::MayFail { function } => Refused::MayFail { function },
            swarmcheck_steps::Refused::Choices { function } => Refused::Choices { function },
            swarmcheck_steps::Refused::Place { function } => Refused::Place { function },
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::CountsSteps => f.write_str(
                "bisimulations with invisible steps do not preserve how many steps an execution has: --steps and 'after' are for other engines",
            ),
            Refused::Fairness => {
                f.write_str("reductions of processes do not preserve which executions are fair: other engines decide it")
            }
            Refused::MayFail { function } => write!(
                f,
                "a step of {function} may be an error of the model, which only shows in states of the whole system"
            ),
            Refused::Choices { function } => {
                write!(f, "{function} draws from a set that is not known before, or that is too large")
            }
            Refused::Place { function } => {
                write!(f, "{function} writes to a place that is not known before")
            }
            Refused::ProcessTooLarge { process, states } => {
                write!(f, "the process {process} alone has more than {states} states")
            }
            Refused::ProcessTooCoupled { process } => {
                write!(f, "the process {process} depends on too many values of others in one step")
            }
            Refused::StepTooLarge { function } => {
                write!(f, "what {function} does depends on too many values to tell what each process does")
            }
            Refused::TightlyCoupled => {
                f.write_str("there are few processes, or most of them take part in most steps")
            }
            Refused::TooLarge => f.write_str("a composition has more states or transitions than can be numbered"),
        }
    }
}
