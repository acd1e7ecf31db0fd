//! What is asked about a program, for targets that know safety, liveness and repetition but no scopes and no bounds.
//!
//! A scope becomes a variable that follows it. A formula of linear time becomes, for targets that have no such formulas, a
//! product with the automaton of its negation. So the program that is left may have one more variable, the last one, and
//! one more function, the last one.

use crate::{Export, Refusal, refuse};
use swarmcheck_ir::{Expr, LinearTime, Modality, Program};
use swarmcheck_passes::{linear, monitor};

/// A question about a program.
pub(crate) struct Question {
    /// The program, perhaps with something that follows its executions.
    pub(crate) program: Program,
    /// The name of the property.
    pub(crate) name: Option<String>,
    /// What is asked.
    pub(crate) ask: Ask,
    /// Executions end after so many steps.
    pub(crate) last: Option<u32>,
}

/// What is asked.
pub(crate) enum Ask {
    /// Whether there is always a step.
    Alive,
    /// Whether it holds in every state.
    Always(Expr),
    /// Whether it holds after the last step.
    AtLast(Expr),
    /// Whether it has held at some point when the last step is made.
    ByLast(Expr),
    /// Whether every execution that stops or goes on for ever reaches it.
    Eventually(Expr),
    /// Whether `kept` holds in every state and no execution stops, or stays for ever, where `waiting` holds.
    Promised {
        /// The scope is not broken.
        kept: Expr,
        /// Something is owed.
        waiting: Expr,
    },
    /// Whether no infinite execution meets it again and again.
    Never(Expr),
    /// Whether every execution, which rests for ever where it stops, satisfies the formula.
    Formula(Box<LinearTime>),
    /// Whether it can be reached: from every state, or from every state reached without it.
    Reachable {
        /// What.
        goal: Expr,
        /// From every state.
        again: bool,
    },
}

impl Question {
    /// The question of an export; `formulas` tells whether the target has formulas of linear time.
    pub(crate) fn new(export: &Export<'_>, formulas: bool) -> Result<Question, Refusal> {
        let program = export.program.clone();
        let Some(number) = export.property else {
            return match export.bound {
                None => Ok(Question { program, name: None, ask: Ask::Alive, last: None }),
                Some(_) => refuse("--steps needs a property: name one with --property"),
            };
        };
        let Some(property) = export.program.properties.get(number) else {
            return refuse("the program has no such property");
        };
        let name = Some(property.name.clone());
        let p = property.predicate.clone();
        let bound = export.bound;
        let whole = |ask| Ok(Question { program: program.clone(), name: name.clone(), ask, last: bound });
        match &property.modality {
            Modality::Always => whole(Ask::Always(p)),
            Modality::Eventually if bound.is_some() => whole(Ask::ByLast(p)),
            Modality::Finally if bound.is_some() => whole(Ask::AtLast(p)),
            Modality::Eventually | Modality::Finally => whole(Ask::Eventually(p)),
            Modality::After(steps) if bound.is_some_and(|b| b < *steps) => {
                refuse(&format!("{steps} steps are more than the bound"))
            }
            Modality::After(steps) => Ok(Question { program, name, ask: Ask::AtLast(p), last: Some(*steps) }),
            Modality::Fairly | Modality::FairlyInf if bound.is_some() => {
                refuse("what can be reached is not a question about a number of steps: leave out --steps")
            }
            Modality::Fairly => whole(Ask::Reachable { goal: p, again: false }),
            Modality::FairlyInf => whole(Ask::Reachable { goal: p, again: true }),
            Modality::Linear(_) if bound.is_some() => {
                refuse("a formula of linear time speaks of infinite executions: leave out --steps")
            }
            Modality::Linear(linear) if formulas => whole(Ask::Formula(linear.clone())),
            Modality::Linear(_) => {
                let Some(product) = linear::product(&program, number, true) else {
                    return refuse("the automaton of the formula is too large");
                };
                let accepting = product.program.properties[number].predicate.clone();
                Ok(Question { program: product.program, name, ask: Ask::Never(accepting), last: None })
            }
            Modality::Scoped { .. } => {
                let monitored = monitor::monitor(&program, number);
                let kept = monitored.program.properties[number].predicate.clone();
                let ask = match (monitored.waiting, bound) {
                    (Some(waiting), None) => Ask::Promised { kept, waiting },
                    _ => Ask::Always(kept),
                };
                Ok(Question { program: monitored.program, name, ask, last: bound })
            }
        }
    }
}
