//! Properties reduced to safety, liveness and repeated reachability, for targets without scopes and bounds.
//!
//! A scope becomes a monitor variable. An LTL formula becomes, for targets without LTL, a product with the Büchi
//! automaton of its negation. So the program that is left may have one more variable, the last one, and one more
//! function, the last one.

use crate::{Export, Refusal, refuse};
use swarmcheck_ir::{Expr, LinearTime, Modality, Program};
use swarmcheck_passes::{linear, monitor};

/// A question about a program.
pub(crate) struct ExportQuestion {
    /// The program, perhaps with a monitor or an automaton.
    pub(crate) program: Program,
    /// The name of the property.
    pub(crate) name: Option<String>,
    pub(crate) ask: ExportClaim,
    /// Executions end after this many steps.
    pub(crate) last: Option<u32>,
}

pub(crate) enum ExportClaim {
    /// Whether there is always a step.
    Alive,
    /// Whether it holds in every state.
    Always(Expr),
    /// Whether it holds after the last step.
    AtLast(Expr),
    /// Whether it has held at some point when the last step is made.
    ByLast(Expr),
    /// Whether every maximal execution reaches it.
    Eventually(Expr),
    /// Whether `kept` holds in every state and no execution stops, or stays forever, where `waiting` holds.
    Promised {
        /// The scope is not violated.
        kept: Expr,
        /// The scope is open and its predicate has not held yet.
        waiting: Expr,
    },
    /// Whether no infinite execution satisfies it infinitely often.
    Never(Expr),
    /// Whether every execution satisfies the formula; one that stops repeats its last state.
    Formula(Box<LinearTime>),
    /// Whether it can be reached: from every state, or from every state reached without it.
    Reachable {
        goal: Expr,
        /// From every state.
        again: bool,
    },
}

impl ExportQuestion {
    /// The question of an export; `formulas` tells whether the target has formulas of linear time.
    pub(crate) fn new(export: &Export<'_>, formulas: bool) -> Result<ExportQuestion, Refusal> {
        let program = export.program.clone();
        let Some(number) = export.property else {
            return match export.bound {
                None => Ok(ExportQuestion { program, name: None, ask: ExportClaim::Alive, last: None }),
                Some(_) => refuse("a bound on steps needs a property: name one"),
            };
        };
        let Some(property) = export.program.properties.get(number) else {
            return refuse("the program has no such property");
        };
        let name = Some(property.name.clone());
        let p = property.predicate.clone();
        let bound = export.bound;
        let whole =
            |ask| Ok(ExportQuestion { program: program.clone(), name: name.clone(), ask, last: bound });
        match &property.modality {
            Modality::Always => whole(ExportClaim::Always(p)),
            Modality::Eventually if bound.is_some() => whole(ExportClaim::ByLast(p)),
            Modality::Finally if bound.is_some() => whole(ExportClaim::AtLast(p)),
            Modality::Eventually | Modality::Finally => whole(ExportClaim::Eventually(p)),
            Modality::After(steps) if bound.is_some_and(|b| b < *steps) => {
                refuse(&format!("the property needs {steps} steps, more than the bound"))
            }
            Modality::After(steps) => {
                Ok(ExportQuestion { program, name, ask: ExportClaim::AtLast(p), last: Some(*steps) })
            }
            Modality::Fairly | Modality::FairlyInf if bound.is_some() => {
                refuse("reachability has no bound on steps")
            }
            Modality::Fairly => whole(ExportClaim::Reachable { goal: p, again: false }),
            Modality::FairlyInf => whole(ExportClaim::Reachable { goal: p, again: true }),
            Modality::Linear(_) if bound.is_some() => {
                refuse("an LTL formula is about infinite executions, which have no bound on steps")
            }
            Modality::Linear(linear) if formulas => whole(ExportClaim::Formula(linear.clone())),
            Modality::Linear(_) => {
                let Some(product) = linear::product(&program, number, true) else {
                    return refuse("the automaton of the formula is too large");
                };
                let accepting = product.program.properties[number].predicate.clone();
                Ok(ExportQuestion {
                    program: product.program,
                    name,
                    ask: ExportClaim::Never(accepting),
                    last: None,
                })
            }
            Modality::Scoped { .. } => {
                let monitored = monitor::monitor(&program, number);
                let kept = monitored.program.properties[number].predicate.clone();
                let ask = match (monitored.waiting, bound) {
                    (Some(waiting), None) => ExportClaim::Promised { kept, waiting },
                    _ => ExportClaim::Always(kept),
                };
                Ok(ExportQuestion { program: monitored.program, name, ask, last: bound })
            }
        }
    }
}
