//! Why a step is no term.

use std::fmt;

/// A reason, with the function it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// It may be an error of the model, which depends on values that are not known.
    MayFail {
        /// The function that may fail.
        function: String,
    },
    /// It draws from a set that is not known, or too large.
    Choices {
        /// The function that draws.
        function: String,
    },
    /// It writes at a place that is not known.
    Place {
        /// The function that writes.
        function: String,
    },
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::MayFail { function } => {
                write!(f, "{function} may be an error of the model, as far as the ranges of variables tell")
            }
            Refused::Choices { function } => {
                write!(f, "{function} draws from a set that is not known, or too large to be written down")
            }
            Refused::Place { function } => write!(f, "{function} writes to a place that is not known"),
        }
    }
}
