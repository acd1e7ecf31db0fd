//! A stored trace as a plan for an interactive run: which step comes next, in states of the program.
//!
//! A trace tells what can be seen of each step. Several states may look alike, so all of them are followed, and the plan
//! goes through those from which the rest of the trace is possible.

use crate::open::Prepared;
use crate::specification::MadeStep;
use crate::start::each_initial;
use serde::{Deserialize, Serialize};
use swarmcheck_engine::Step;
use swarmcheck_engine::trace::data::{self, StepData, TraceData, WriteData};
use swarmcheck_engine::trace::message::MessageData;
use swarmcheck_engine::trace::view::Clock;
use swarmcheck_ir::flat::Instance;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{UNDEF, Value};
use swarmcheck_simulate::Menu;

/// More states that look alike than this are not followed.
const MOST: usize = 1000;
/// More ways to begin than this are not tried.
const MOST_STARTS: u64 = 5_000_000;

/// A way through the states of a program.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where it begins.
    pub initial: Vec<Value>,
    /// Its steps.
    pub steps: Vec<Planned>,
    /// The state, by its number of steps, from which everything repeats.
    pub back_to: Option<usize>,
}

/// Who acts, and what comes of it.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The function and the agent that runs it.
    pub instance: Instance,
    /// The message of the step, if it is one.
    pub message: Option<MessageData>,
    /// The state after it.
    pub state: Vec<Value>,
}

/// Why a trace is none of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "misfit", rename_all = "snake_case")]
pub enum Misfit {
    /// The model has no such initial state.
    Start,
    /// None of the initial states that were tried is that of the trace; there are more.
    ManyStarts {
        /// How many were tried.
        tried: u64,
    },
    /// The model has an error in its initial state.
    WrongStart,
    /// A step is not possible.
    Step {
        /// Its number, from 1.
        number: usize,
        /// The step.
        step: Box<StepData>,
    },
    /// The last state is not the one from which it is said to repeat.
    Loop,
}

/// One state that looks like what the trace tells, and how it was reached.
struct Found<'p> {
    state: Vec<Value>,
    clock: Clock<'p>,
    /// The place of its predecessor among those found before, and who acted.
    before: Option<(usize, Instance, Option<MessageData>)>,
}

/// Finds the states of a trace.
pub fn plan(prepared: &Prepared, trace: &TraceData) -> Result<Plan, Misfit> {
    let mut layers = vec![starts(prepared, &trace.initial)?];
    for (number, step) in trace.steps.iter().enumerate() {
        let next = after(prepared, &layers[number], step);
        if next.is_empty() {
            return Err(Misfit::Step { number: number + 1, step: Box::new(step.clone()) });
        }
        layers.push(next);
    }
    // A trace that repeats ends where it repeats from: of the ways, one that does so is taken.
    let back = |at: usize| {
        let Some(to) = trace.loop_start else { return true };
        let last = layers.len() - 1;
        to <= last && layers[last][at].state == layers[to][ancestor(&layers, at, to)].state
    };
    let ends = layers.last().map_or(0, Vec::len);
    let Some(mut at) = (0..ends).find(|&at| back(at)) else {
        return Err(Misfit::Loop);
    };
    let mut steps = vec![];
    for layer in layers[1..].iter().rev() {
        let found = &layer[at];
        if let Some((before, instance, message)) = &found.before {
            let (message, state) = (message.clone(), found.state.clone());
            steps.push(Planned { instance: *instance, message, state });
            at = *before;
        }
    }
    steps.reverse();
    Ok(Plan { initial: layers[0][at].state.clone(), steps, back_to: trace.loop_start })
}

/// Where the way to a state of the last layer was in an earlier one.
fn ancestor(layers: &[Vec<Found<'_>>], mut at: usize, to: usize) -> usize {
    for layer in layers[to + 1..].iter().rev() {
        at = layer[at].before.as_ref().map_or(0, |(before, ..)| *before);
    }
    at
}

/// The initial states that look like this.
fn starts<'p>(prepared: &'p Prepared, wanted: &[WriteData]) -> Result<Vec<Found<'p>>, Misfit> {
    let flat = &prepared.flat;
    let mut found: Vec<Found<'p>> = vec![];
    let data = (0..flat.width() as u32)
        .filter(|slot| matches!(flat.program.var(flat.layout.cell(*slot).var).role, Role::Data { .. }));
    let mut like = vec![None; flat.width()];
    for (slot, write) in data.zip(wanted) {
        like[slot as usize] = Some(write.value.unwrap_or(UNDEF));
    }
    let result = each_initial(prepared, Some(&like), MOST_STARTS, &mut |state| {
        let clock = Clock::new(flat, state);
        let same = {
            let seen = clock.snapshot(state);
            seen.len() == wanted.len() && seen.iter().zip(wanted).all(|(a, w)| data::write(flat, a) == *w)
        };
        if same && found.iter().all(|f| f.state != state) {
            found.push(Found { state: state.to_vec(), clock, before: None });
        }
        found.len() < MOST
    });
    match result {
        _ if !found.is_empty() => Ok(found),
        Err(_) => Err(Misfit::WrongStart),
        Ok(false) => Err(Misfit::ManyStarts { tried: MOST_STARTS }),
        Ok(true) => Err(Misfit::Start),
    }
}

/// What comes after one of these states by a step that looks like this.
fn after<'p>(prepared: &'p Prepared, now: &[Found<'p>], wanted: &StepData) -> Vec<Found<'p>> {
    let mut next: Vec<Found<'p>> = vec![];
    for (at, found) in now.iter().enumerate() {
        let mut menu = Menu::new(&prepared.flat, found.state.clone());
        // Choices that lead to the same state may write different cells, which a trace tells: each is looked at.
        let look =
            |before: &[Value], step: &Step| (self::message(prepared, before, step), step.choices.clone());
        for (offer, (message, _)) in menu.offers(look) {
            let Ok(state) = &offer.step.result else { continue };
            let instance = offer.step.instance;
            if instance.agent != wanted.agent || next.len() >= MOST {
                continue;
            }
            let mut clock = found.clock.clone();
            let assigned = clock.step(&offer.writes, state);
            let place = |span| prepared.file.position(span);
            if alike(&data::step(&clock, instance, &assigned, state, place), wanted)
                && (wanted.message.is_none() || wanted.message.as_deref() == message.as_ref())
                && next.iter().all(|n| n.state != *state)
            {
                next.push(Found { state: state.clone(), clock, before: Some((at, instance, message)) });
            }
        }
    }
    next
}

/// The message of a step that can be made, where the steps of the language are messages.
pub(crate) fn message(prepared: &Prepared, before: &[Value], step: &Step) -> Option<MessageData> {
    step.result.as_ref().ok()?;
    prepared.message(&MadeStep { before, instance: step.instance, choices: &step.choices })
}

/// Whether a step is the one that was told. What properties say is not part of it; what older traces do not say neither.
fn alike(step: &StepData, told: &StepData) -> bool {
    (step.agent, &step.rule, &step.what) == (told.agent, &told.rule, &told.what)
        && step.writes == told.writes
        && step.pending == told.pending
}
