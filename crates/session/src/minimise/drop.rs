//! Dropping steps that are not needed: delta debugging (Zeller and Hildebrandt 2002, *ddmin*) over the steps of an
//! execution.
//!
//! A candidate is a subsequence of the steps, made again from the same initial state with the same choices; where a choice
//! has fewer alternatives now, the last one is taken. It is good if every step is possible and the execution still violates
//! what the whole one violates. First all steps outside the causal cone are dropped, then all steps of one agent, then
//! blocks of half the length, of a quarter, and so on down to single steps, until nothing can be dropped.

use super::Violated;
use crate::attempt::{Again, is_stuck};
use crate::explain::cone_of;
use crate::open::Prepared;
use crate::verify::VerifyOptions;
use std::collections::BTreeSet;
use swarmcheck_engine::trace::{End, Trace, TraceStep};
use swarmcheck_engine::{Control, Why};
use swarmcheck_ir::flat::{Flat, Machine, Outcome};
use swarmcheck_ir::{Modality, Value};

/// So many steps are made again in all.
const STEPS: usize = 200_000;

/// After so many steps, it may be time to stop. The verdict is known, and whoever waits for it does not wait long.
const LOOK: usize = 64;

/// What an execution must still do.
pub(super) struct Aim {
    /// The predicate of this property must be false at the end, or everywhere.
    property: Option<usize>,
    shape: Shape,
}

enum Shape {
    /// The predicate is false in the last state.
    False,
    /// No step is possible in the last state; if there is a property, its goal is not reached before.
    Stuck,
    /// The execution comes back to an earlier state, and the goal is never reached.
    Loop,
}

impl Aim {
    /// None where no state, no deadlock and no loop alone tells whether the property is violated.
    pub(super) fn of(prepared: &Prepared, options: &VerifyOptions, found: &Violated<'_>) -> Option<Aim> {
        let modality = found.property.map(|number| &prepared.flat.program.properties[number].modality);
        let goal =
            matches!(modality, Some(Modality::Eventually | Modality::Finally)) && options.steps.is_none();
        let shape = match (found.why, modality) {
            (Why::False, Some(Modality::Always)) => Shape::False,
            (Why::Deadlock, None) => Shape::Stuck,
            (Why::Stuck, _) if goal => Shape::Stuck,
            // Whoever drops a step of a fair loop may leave out the only one of its agent.
            (Why::Loop, _) if goal && options.fairness.is_none() => Shape::Loop,
            _ => return None,
        };
        Some(Aim { property: found.property, shape })
    }
}

struct Dropping<'a> {
    flat: &'a Flat,
    aim: &'a Aim,
    machine: Machine,
    /// Steps that may still be made.
    left: usize,
    control: &'a Control<'a>,
}

/// The execution with as few steps as dropping finds before it is time to stop.
pub(super) fn minimised(flat: &Flat, trace: &Trace, aim: &Aim, control: &Control<'_>) -> Trace {
    let mut dropping = Dropping { flat, aim, machine: Machine::new(flat), left: STEPS, control };
    let mut best = trace.clone();
    if control.stopped() {
        return best;
    }
    for keep in first_candidates(flat, trace, aim) {
        dropping.try_keeping(&mut best, |step| keep.contains(&step));
    }
    let agents: BTreeSet<u32> = best.steps.iter().map(|step| step.instance.agent).collect();
    for agent in agents {
        let of: Vec<bool> = best.steps.iter().map(|step| step.instance.agent != agent).collect();
        dropping.try_keeping(&mut best, |step| of[step]);
    }
    let mut block = (best.steps.len() / 2).max(1);
    loop {
        let before = best.steps.len();
        // From the end, because later steps depend on earlier ones.
        let mut end = best.steps.len();
        while end > 0 && dropping.left > 0 {
            let start = end.saturating_sub(block);
            dropping.try_keeping(&mut best, |step| !(start..end).contains(&step));
            end = start.min(best.steps.len());
        }
        if dropping.left == 0 || (block == 1 && best.steps.len() == before) {
            return best;
        }
        block = (block / 2).max(1);
    }
}

/// The steps of the causal cone of the violation, where it is about the last state.
fn first_candidates(flat: &Flat, trace: &Trace, aim: &Aim) -> Vec<BTreeSet<usize>> {
    let (Shape::False, Some(number)) = (&aim.shape, aim.property) else { return vec![] };
    let matters = cone_of(flat, Some(number), trace).matters;
    vec![(0..matters.len()).filter(|step| matters[*step]).collect()]
}

impl Dropping<'_> {
    /// Replaces an execution by one with the steps that are to be kept, if that is a good one.
    fn try_keeping(&mut self, best: &mut Trace, keep: impl Fn(usize) -> bool) {
        let kept: Vec<&TraceStep> =
            best.steps.iter().enumerate().filter(|(at, _)| keep(*at)).map(|(_, step)| step).collect();
        if self.control.stopped() {
            self.left = 0;
        }
        if kept.len() == best.steps.len() || self.left == 0 {
            return;
        }
        let loop_start = best.loop_start.map(|start| (0..start).filter(|at| keep(*at)).count());
        if let Some(shorter) = self.made(&best.initial, &kept, loop_start, &best.end) {
            *best = shorter;
        }
    }

    /// Makes steps again, if they are possible and do what they must.
    fn made(
        &mut self,
        initial: &[Value],
        steps: &[&TraceStep],
        loop_start: Option<usize>,
        end: &End,
    ) -> Option<Trace> {
        let mut trace = Trace { initial: initial.to_vec(), steps: vec![], loop_start, end: end.clone() };
        let mut state = initial.to_vec();
        let mut first = self.is_false(&state)?;
        for step in steps {
            // A predicate that is false already needs no further step.
            if matches!(self.aim.shape, Shape::False) && first {
                break;
            }
            if !matches!(self.aim.shape, Shape::False) && !first {
                return None;
            }
            self.left = self.left.checked_sub(1)?;
            if self.left.is_multiple_of(LOOK) && self.control.stopped() {
                self.left = 0;
                return None;
            }
            let mut chooser = Again::new(&step.choices);
            let outcome = self.machine.step(self.flat, step.instance, &mut state, &mut chooser);
            if outcome != Outcome::Done {
                return None;
            }
            let choices = chooser.made;
            trace.steps.push(TraceStep { instance: step.instance, choices, state: state.clone() });
            first = self.is_false(&state)?;
        }
        let good = match self.aim.shape {
            Shape::False => first,
            Shape::Stuck => first && is_stuck(self.flat, &mut self.machine, &state),
            Shape::Loop => {
                let start = loop_start?;
                let back = if start == 0 { &trace.initial } else { &trace.steps.get(start - 1)?.state };
                first && start < trace.steps.len() && *back == state
            }
        };
        good.then_some(trace)
    }

    /// Whether the predicate is false; if there is no property, nothing keeps an execution from going on.
    fn is_false(&mut self, state: &[Value]) -> Option<bool> {
        match self.aim.property {
            None => Some(true),
            Some(number) => self.flat.holds(&mut self.machine, number, state).ok().map(|holds| !holds),
        }
    }
}
