//! The causal cone: backwards from the cells that count, over what each step changes and reads.

use super::reads::{self, Cells, RunEnd};
use crate::attempt::Again;
use crate::walk::{Plan, Planned};
use std::collections::BTreeMap;
use swarmcheck_engine::trace::{Trace, TraceStep};
use swarmcheck_ir::Value;
use swarmcheck_ir::flat::{Enumerate, Flat, Instance};

/// More ways to make a step than this are not tried; then the step is taken to read everything.
const MOST_WAYS: usize = 100_000;

/// The cells that count, by the number of steps after which they do.
pub(crate) type Targets = BTreeMap<usize, Cells>;

/// A step with what it reads and changes.
pub(crate) struct FollowedStep {
    /// An upper bound.
    pub(crate) reads: Cells,
    /// Cells that have another value afterwards. One that is written with the value that it had is not among them: it has
    /// this value without the step, too.
    pub(crate) changes: Cells,
}

/// An execution with what its steps read and change.
pub(crate) struct Followed {
    pub(crate) states: Vec<Vec<Value>>,
    pub(crate) steps: Vec<FollowedStep>,
}

impl Plan {
    /// The states, the initial one first.
    pub(crate) fn states(&self) -> Vec<&[Value]> {
        std::iter::once(&self.initial)
            .chain(self.steps.iter().map(|step| &step.state))
            .map(Vec::as_slice)
            .collect()
    }
}

impl Followed {
    pub(crate) fn new(flat: &Flat, plan: &Plan) -> Followed {
        let states: Vec<Vec<Value>> = plan.states().into_iter().map(<[Value]>::to_vec).collect();
        let step = |(at, made): (usize, &Planned)| FollowedStep {
            reads: step_reads(flat, made.instance, &states[at], &states[at + 1]),
            changes: changes(&states[at], &states[at + 1]),
        };
        let steps = plan.steps.iter().enumerate().map(step).collect();
        Followed { states, steps }
    }

    /// An execution that an engine has found.
    pub(crate) fn of_trace(flat: &Flat, trace: &Trace) -> Followed {
        let states: Vec<Vec<Value>> =
            std::iter::once(&trace.initial).chain(trace.steps.iter().map(|s| &s.state)).cloned().collect();
        let step = |(at, made): (usize, &TraceStep)| {
            // The engine says what was chosen. Other choices may lead to the same state; these are those of the trace.
            let chosen = reads::run(flat, made.instance, &states[at], &mut Again::new(&made.choices));
            let reads = match chosen.end {
                RunEnd::Done(state) if state == states[at + 1] => chosen.reads,
                _ => step_reads(flat, made.instance, &states[at], &states[at + 1]),
            };
            FollowedStep { reads, changes: changes(&states[at], &states[at + 1]) }
        };
        let steps = trace.steps.iter().enumerate().map(step).collect();
        Followed { states, steps }
    }

    /// The last of the first steps that has changed a cell, counted from 1.
    pub(crate) fn writer(&self, slot: u32, before: usize) -> Option<usize> {
        (0..before).rev().find(|at| self.steps[*at].changes.contains(&slot)).map(|at| at + 1)
    }
}

fn changes(before: &[Value], after: &[Value]) -> Cells {
    (0u32..)
        .zip(before.iter().zip(after))
        .filter(|(_, (old, new))| old != new)
        .map(|(slot, _)| slot)
        .collect()
}

/// What an instance reads on the way from one state to another.
fn step_reads(flat: &Flat, instance: Instance, from: &[Value], to: &[Value]) -> Cells {
    let mut ways = Enumerate::default();
    for _ in 0..MOST_WAYS {
        let run = reads::run(flat, instance, from, &mut ways);
        if matches!(&run.end, RunEnd::Done(state) if state == to) {
            return run.reads;
        }
        if !ways.advance() {
            break;
        }
    }
    (0..from.len() as u32).collect()
}

/// What has led to something.
pub(crate) struct Cone {
    /// Whether each step has.
    pub(crate) matters: Vec<bool>,
    /// The cells whose initial values have.
    pub(crate) initial: Cells,
}

/// Whether each step is in the cone of the cells that count. In an execution that repeats, what counts at the start of the
/// loop counts at its end.
pub(crate) fn cone(followed: &Followed, targets: &Targets, loop_start: Option<usize>) -> Cone {
    let last = followed.steps.len();
    let mut matters = vec![false; last];
    let mut at_end = Cells::new();
    loop {
        let mut needed = at_end.clone();
        let mut at_start = Cells::new();
        for at in (0..=last).rev() {
            needed.extend(targets.get(&at).into_iter().flatten());
            if loop_start == Some(at) {
                at_start = needed.clone();
            }
            let Some(before) = at.checked_sub(1) else { break };
            let step = &followed.steps[before];
            if step.changes.iter().any(|slot| needed.contains(slot)) {
                matters[before] = true;
                needed.retain(|slot| !step.changes.contains(slot));
                needed.extend(&step.reads);
            }
        }
        let known = at_end.len();
        at_end.extend(at_start);
        if at_end.len() == known {
            return Cone { matters, initial: needed };
        }
    }
}

/// What the guards of all steps read, if no step is possible, or what keeps each from being possible.
pub(crate) fn guards(flat: &Flat, state: &[Value]) -> Cells {
    each_run(flat, state).into_iter().flat_map(|run| run.reads).collect()
}

/// What those steps read that meet an error of the model.
pub(crate) fn faults(flat: &Flat, state: &[Value]) -> Cells {
    let wrong = each_run(flat, state).into_iter().filter(|run| run.end == RunEnd::Fault);
    let of_conditions =
        flat.program.properties.iter().flat_map(|property| property.exprs()).filter_map(|e| {
            let (value, cells) = reads::condition(flat, e, state);
            value.is_none().then_some(cells)
        });
    wrong.map(|run| run.reads).chain(of_conditions).flatten().collect()
}

/// All ways to try each instance, as far as they are few.
fn each_run(flat: &Flat, state: &[Value]) -> Vec<reads::Run> {
    let mut out = vec![];
    for number in 0..flat.instances() {
        let mut ways = Enumerate::default();
        for _ in 0..MOST_WAYS {
            out.push(reads::run(flat, flat.instance(number), state, &mut ways));
            if !ways.advance() {
                break;
            }
        }
    }
    out
}
