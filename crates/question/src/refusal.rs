//! Why something is not asked.

use std::fmt;

/// Why a question cannot be asked of anybody. Exporters and engines say the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// `after` needs more steps than the bound allows.
    TooFewSteps {
        /// The steps that the property needs.
        needed: u32,
    },
    /// What can be reached has no bound.
    BoundedReachability,
    /// Formulas of linear time have no bound.
    BoundedFormula,
    /// The automaton of the formula has too many states.
    AutomatonTooLarge,
    /// The predicate is too large when its quantifiers are written out.
    PredicateTooLarge,
    /// Whether a unit of fairness can move cannot be said by a condition.
    Unit {
        /// The function, as its program names it.
        function: String,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::TooFewSteps { needed } => {
                write!(f, "the property needs {needed} steps, more than the bound")
            }
            Refusal::BoundedReachability => f.write_str("reachability has no bound on steps"),
            Refusal::BoundedFormula => {
                f.write_str("an LTL formula is about infinite executions, which have no bound on steps")
            }
            Refusal::AutomatonTooLarge => f.write_str("the automaton of the formula is too large"),
            Refusal::PredicateTooLarge => {
                f.write_str("quantifiers over so many agents make the predicate too large to be written out")
            }
            Refusal::Unit { function } => write!(
                f,
                "fairness asks where a step is possible, and for '{function}' that depends on choices in the middle of \
                 the step"
            ),
        }
    }
}
