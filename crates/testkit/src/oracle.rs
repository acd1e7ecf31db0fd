//! The verdicts that engines are expected to give, worked out on the whole graph of a naive search.
//!
//! Everything follows the definitions of `docs/labs.md` (section on properties, and items 17 and 18), with no thought
//! of speed: `graph` has the notions that the definitions use, `scope` those of properties with a scope.
//!
//! With `ignore_deadlock`, executions that end in a deadlock do not count: `eventually` is refuted by an endless
//! execution only, and for `fairly` and `fairly_inf` a state is excused if a deadlock can be reached from it. Violations
//! that a deadlock has no part in stay what they are.
//!
//! With a bound of B steps
//!
//! * `always` refers to the states within B steps;
//! * `eventually` and `finally` refer to the executions of B steps, and those that cannot make as many do not count;
//! * `after` N is not affected, but unknown if N is larger than B;
//! * `fairly` and `fairly_inf` are unknown, since what can be reached at all has no bound;
//! * properties with a scope are violated only by what B steps show, not by what never happens.

mod graph;
mod scope;
#[cfg(test)]
mod tests;

use crate::search::Space;
use graph::Graph;
use scope::Truth;
use swarmcheck_engine::Vacuity;
use swarmcheck_ir::flat::{Code, Flat, Machine};
use swarmcheck_ir::{Fault, Inside, Modality};

/// How a property is to be understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OracleQuestion {
    /// At most this many steps.
    pub bound: Option<u32>,
    /// Executions that end in a deadlock do not count.
    pub ignore_deadlock: bool,
}

/// Whether a property holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OracleAnswer {
    Holds,
    Violated,
    /// A step or the property itself meets an error of the model in some state that was found.
    Invalid(Fault),
    /// The space is not complete, or the question makes no sense with this bound.
    Unknown,
}

/// Decides a property of a program whose states are all in the space. An error of the model counts wherever it is, also
/// beyond the bound.
pub fn answer(flat: &Flat, space: &Space, property: usize, question: &OracleQuestion) -> OracleAnswer {
    if let Some(fault) = space.fault {
        return OracleAnswer::Invalid(fault);
    }
    let truths = match truths(flat, space, property) {
        Ok(truths) => truths,
        Err(fault) => return OracleAnswer::Invalid(fault),
    };
    if !space.complete || space.expanded.contains(&false) {
        return OracleAnswer::Unknown;
    }
    match decide(&Graph::of(space), &flat.program.properties[property].modality, &truths, question) {
        Some(true) => OracleAnswer::Holds,
        Some(false) => OracleAnswer::Violated,
        None => OracleAnswer::Unknown,
    }
}

/// Why a property with a scope says nothing whatever it claims: by the definitions, because `false` would hold throughout
/// every scope that opens, or throughout every one that closes.
pub fn scope_vacuity(
    flat: &Flat,
    space: &Space,
    property: usize,
    question: &OracleQuestion,
) -> Option<Vacuity> {
    let Modality::Scoped { open: counts_open, start, end, .. } =
        flat.program.properties[property].modality.clone()
    else {
        return None;
    };
    let truths: Vec<Truth> = truths(flat, space, property).ok()?;
    let nothing: Vec<Truth> = truths.into_iter().map(|truth| Truth { predicate: false, ..truth }).collect();
    let never = |open: bool| {
        let modality =
            Modality::Scoped { open, start: start.clone(), end: end.clone(), inside: Inside::Always };
        decide(&Graph::of(space), &modality, &nothing, question) == Some(true)
    };
    match never(true) {
        true => Some(Vacuity::NeverOpens),
        false => (!counts_open && never(false)).then_some(Vacuity::NeverCloses),
    }
}

/// Whether no state that was found is a deadlock. It is final for a complete space without a fault.
pub fn deadlock_free(space: &Space) -> bool {
    space.deadlocks.is_empty()
}

/// The conditions of a property in all states.
fn truths(flat: &Flat, space: &Space, property: usize) -> Result<Vec<Truth>, Fault> {
    let mut machine = Machine::new(flat);
    let conditions = flat.program.properties[property].exprs();
    let codes: Vec<Code> = conditions.into_iter().map(|condition| flat.compile(condition)).collect();
    let truth = |state: &Vec<_>| {
        let values: Result<Vec<bool>, Fault> =
            codes.iter().map(|code| machine.test(flat, code, state)).collect();
        Ok(Truth::from_conditions(&values?))
    };
    space.states.iter().map(truth).collect()
}

/// Decides a modality, given the truth of the property's conditions in each state.
fn decide(graph: &Graph, modality: &Modality, truths: &[Truth], question: &OracleQuestion) -> Option<bool> {
    let with: Vec<bool> = truths.iter().map(|truth| truth.predicate).collect();
    let without: Vec<bool> = with.iter().map(|with| !with).collect();
    let everywhere = vec![true; truths.len()];
    // The states from which the way to the predicate is open, or excused.
    let hopeful = || {
        let excused = |at: usize| question.ignore_deadlock && graph.stuck[at];
        let goal: Vec<bool> = (0..with.len()).map(|at| with[at] || excused(at)).collect();
        graph.can_reach(&goal)
    };
    match (modality, question.bound) {
        (Modality::Always, None) => Some(graph.reached(&everywhere).iter().all(|at| with[*at])),
        (Modality::Always, Some(bound)) => Some(graph.within(bound).iter().all(|at| with[*at])),

        (Modality::Eventually | Modality::Finally, None) => {
            let avoiding = graph.only(&graph.reached(&without));
            Some(!graph.can_stay(&avoiding, question.ignore_deadlock))
        }
        (Modality::Eventually, Some(bound)) => Some(graph.after(bound, &without).is_empty()),
        (Modality::Finally, Some(bound)) => Some(graph.after(bound, &everywhere).iter().all(|at| with[*at])),

        (Modality::Fairly, None) => {
            let hopeful = hopeful();
            Some(graph.reached(&without).iter().all(|at| hopeful[*at]))
        }
        (Modality::FairlyInf, None) => {
            let hopeful = hopeful();
            Some(graph.reached(&everywhere).iter().all(|at| hopeful[*at]))
        }
        (Modality::Fairly | Modality::FairlyInf, Some(_)) => None,

        // No front end that is compared here has formulas of linear time.
        (Modality::Linear(_), _) => None,
        (Modality::After(steps), Some(bound)) if *steps > bound => None,
        (Modality::After(steps), _) => Some(graph.after(*steps, &everywhere).iter().all(|at| with[*at])),

        (Modality::Scoped { open, inside, .. }, bound) => {
            let product = scope::product(graph, *open, inside, truths);
            Some(match bound {
                None => {
                    let states = product.graph.reached(&vec![true; product.violated.len()]);
                    !states.iter().any(|at| product.violated[*at])
                        && !product.graph.can_stay(&product.pending, question.ignore_deadlock)
                }
                Some(bound) => !product.graph.within(bound).iter().any(|at| product.violated[*at]),
            })
        }
    }
}
