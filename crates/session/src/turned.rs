//! Questions whether something is possible. Programs have the negation, which says that no execution does it, so everything
//! that decides properties decides them: what it calls a counterexample is the execution that was asked for, and a proof
//! shows that there is none.

use crate::open::Prepared;
use crate::outcome::{Evidence, Length, Outcome, Violation};

/// What is asked where the program has the negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turned {
    /// Whether a state that satisfies a predicate can be reached (`reach.rs`).
    Reach,
    /// Whether some execution satisfies a formula.
    Possibly,
}

impl Turned {
    /// What the answer says was asked.
    pub(crate) fn question(self) -> &'static str {
        match self {
            Turned::Reach => "in some execution a state satisfies the predicate",
            Turned::Possibly => "in some execution this happens",
        }
    }

    /// An answer about the negation as one to the question.
    pub(crate) fn outcome(self, outcome: Outcome) -> Outcome {
        match (outcome, self) {
            (Outcome::Holds { evidence, .. }, Turned::Reach) => {
                Outcome::Violated { evidence: Violation::Unreachable { evidence: Box::new(evidence) } }
            }
            (Outcome::Holds { .. }, Turned::Possibly) => {
                Outcome::Violated { evidence: Violation::NoExecution }
            }
            (Outcome::Violated { evidence: Violation::Trace { length, .. } }, turned) => {
                let evidence = match turned {
                    Turned::Reach => {
                        let Length { steps, .. } = length;
                        Evidence::Reached { steps }
                    }
                    Turned::Possibly => Evidence::Witness(length),
                };
                Outcome::Holds { evidence, vacuous: None }
            }
            (other, _) => other,
        }
    }
}

impl Prepared {
    /// If a property of the program is the negation of a question, which one.
    pub(crate) fn turned(&self, property: usize) -> Option<Turned> {
        if self.is_reach(property) {
            return Some(Turned::Reach);
        }
        self.model.is_possibility(property).then_some(Turned::Possibly)
    }
}
