//! Shorter counterexamples. Engines that are not breadth-first, and searches with reductions, find executions with steps
//! that are not needed.
//!
//! First the explicit engine looks for a shorter one, without reductions and among few states only. If that search ends, the
//! result is a shortest one. Otherwise steps are dropped from the execution that is there (`drop.rs`). All limits are
//! numbers of states and of replays, so the result does not depend on a clock, unless it is time to stop: then the shortest
//! execution so far is the answer. Whoever calls replays the result on the
//! rules; an execution that is refused is forgotten, and the original stays.

mod drop;

use crate::open::Prepared;
use crate::verify::{Slice, VerifyOptions};
use swarmcheck_engine::trace::Trace;
use swarmcheck_engine::{Control, Reductions, Subject, Task, Verdict, Why};
use swarmcheck_ir::Modality;
use swarmcheck_portfolio::{ENGINES, memory};

/// So many states are visited to find a shorter execution.
const STATES: u64 = 20_000;

/// A violation that was found.
pub(crate) struct Violated<'a> {
    pub(crate) trace: &'a Trace,
    pub(crate) why: Why,
    /// The number of the property; none for a deadlock.
    pub(crate) property: Option<usize>,
    /// The engine that has found it.
    pub(crate) engine: &'a str,
}

/// An execution that violates the same, with fewer steps; none if there is none, or none was found.
pub(crate) fn shorter(
    prepared: &Prepared,
    options: &VerifyOptions,
    found: &Violated<'_>,
    control: &Control<'_>,
) -> Option<(Trace, Why)> {
    let length = found.trace.steps.len();
    let shortest = found.engine == ENGINES[0].name && options.reductions == unreduced(options);
    if length < 2 || shortest || control.stopped() || exact(prepared, options, found) {
        return None;
    }
    match searched(prepared, options, found, control) {
        Searched::Shorter(trace, why) => Some((trace, why)),
        Searched::None => None,
        Searched::Unfinished => {
            let aim = drop::Aim::of(prepared, options, found)?;
            let trace = drop::minimised(&prepared.flat, found.trace, &aim, control);
            (trace.steps.len() < length).then_some((trace, found.why))
        }
    }
}

/// No reductions but those that leave the state graph as it is.
fn unreduced(options: &VerifyOptions) -> Reductions {
    Reductions { ranges: options.reductions.ranges, packed: options.reductions.packed, ..Reductions::NONE }
}

/// Whether executions that violate the property all have the same length.
fn exact(prepared: &Prepared, options: &VerifyOptions, found: &Violated<'_>) -> bool {
    let Some(number) = found.property else { return false };
    match prepared.flat.program.properties[number].modality {
        Modality::After(_) => true,
        Modality::Always => false,
        _ => options.steps.is_some(),
    }
}

enum Searched {
    Shorter(Trace, Why),
    /// The search has ended: there is none.
    None,
    Unfinished,
}

/// Breadth-first search without reductions. For an invariant and for deadlocks, only executions that are shorter count.
fn searched(
    prepared: &Prepared,
    options: &VerifyOptions,
    found: &Violated<'_>,
    control: &Control<'_>,
) -> Searched {
    let length = found.trace.steps.len();
    let subject = found.property.map_or(Subject::DeadlockFreedom, Subject::Property);
    let layered = matches!(found.why, Why::False | Why::Deadlock);
    let mut task = Task::new(&prepared.flat).only(subject);
    task.reductions = unreduced(options);
    task.ignore_deadlock = options.ignore_deadlock;
    task.fairness = options.fairness;
    task.bound = match layered {
        true => u32::try_from(length - 1).ok(),
        false => options.steps,
    };
    let few = Slice::unheard(control, STATES);
    let engine = ENGINES[0].engine(None);
    let finding = memory::guarded(&*engine, &task, &few.control(), None).into_iter().next();
    match finding.map(|finding| finding.verdict) {
        Some(Verdict::Violated(trace, why)) if trace.steps.len() < length => Searched::Shorter(trace, why),
        Some(Verdict::Violated(..)) => Searched::None,
        Some(Verdict::Holds(_)) if layered => Searched::None,
        _ => Searched::Unfinished,
    }
}

#[cfg(test)]
pub(crate) mod tests;
