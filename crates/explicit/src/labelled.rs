//! The labelled transition system: all states, and all steps with their labels.

use crate::codec::{Codec, Overflow};
use crate::store::{Id, Store};
use swarmcheck_engine::{Control, Phase, Reason, Snapshot};
use swarmcheck_ir::flat::{Enumerate, Instance, Outcome};
use swarmcheck_ir::ground::{Ground, Runner};
use swarmcheck_ir::{Fault, Program, Value};
use swarmcheck_question::initial::is_impossible;

/// A transition system. States are numbered from 0 in breadth-first order, the initial ones first.
#[derive(Clone, Debug, Default)]
pub struct Labelled {
    /// How many initial states there are.
    pub initial: u32,
    /// How many states there are.
    pub states: u32,
    /// Source, who did what, target; in the order of sources, each once.
    pub steps: Vec<(u32, Instance, u32)>,
}

/// Why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// The model is invalid.
    Fault(Fault),
    /// It was too much.
    Reason(Reason),
}

/// Explores everything, one state after the other.
pub fn explore(program: &Program, control: &Control<'_>) -> Result<Labelled, Unfinished> {
    let program = swarmcheck_passes::ranges::narrow(program).program;
    let ground = Ground::new(&program);
    let mut codec = Codec::new(&program, &ground.layout);
    loop {
        match attempt(&ground, &codec, control) {
            Ok(labelled) => return Ok(labelled),
            Err(Stop::Unfinished(why)) => return Err(why),
            Err(Stop::Overflow) => match codec.wider(&program, &ground.layout) {
                Some(wider) => codec = wider,
                None => {
                    return Err(Unfinished::Reason(Reason::Internal("a value left its range".to_string())));
                }
            },
        }
    }
}

enum Stop {
    Overflow,
    Unfinished(Unfinished),
}

impl From<Overflow> for Stop {
    fn from(_: Overflow) -> Stop {
        Stop::Overflow
    }
}

/// The states found so far, in order.
struct Found {
    store: Store,
    order: Vec<Id>,
    number: std::collections::HashMap<Id, u32>,
}

impl Found {
    fn add(&mut self, words: &[u64]) -> Result<u32, Stop> {
        let full =
            |_| Stop::Unfinished(Unfinished::Reason(Reason::Unsupported("too many states".to_string())));
        let (id, new) = self.store.insert(words, Id::NONE).map_err(full)?;
        if new {
            self.number.insert(id, self.order.len() as u32);
            self.order.push(id);
        }
        Ok(self.number[&id])
    }
}

fn attempt(ground: &Ground, codec: &Codec, control: &Control<'_>) -> Result<Labelled, Stop> {
    let mut found = Found { store: Store::new(codec.words(), 64), order: vec![], number: Default::default() };
    let mut runner = Runner::default();
    let mut choices = Enumerate::default();
    let mut state: Vec<Value> = vec![0; ground.width()];
    let mut words = vec![0; codec.words()];
    let mut out = Labelled::default();
    let mut tries: u32 = 0;
    let mut over = is_impossible(ground, &|| control.stopped());
    while !over {
        match runner.initialise(ground, &mut state, &mut choices) {
            Outcome::Done => {
                codec.pack(&state, &mut words)?;
                found.add(&words)?;
            }
            Outcome::Disabled => {}
            Outcome::Fault(fault) => return Err(Stop::Unfinished(Unfinished::Fault(fault))),
        }
        over = !choices.advance();
        tries = tries.wrapping_add(1);
        if tries.is_multiple_of(4096) {
            look(control, &found, &out)?;
        }
    }
    choices.reset();
    out.initial = found.order.len() as u32;
    let mut at = 0;
    let mut rounds: u32 = 0;
    while at < found.order.len() {
        codec.unpack(found.store.state(found.order[at]), &mut state);
        let first = out.steps.len();
        for routine in ground.instances() {
            choices.reset();
            loop {
                match runner.step(routine, &mut state, &mut choices) {
                    Outcome::Disabled => {}
                    Outcome::Done => {
                        codec.pack(&state, &mut words)?;
                        runner.undo(&mut state);
                        let target = found.add(&words)?;
                        out.steps.push((at as u32, routine.instance, target));
                    }
                    Outcome::Fault(fault) => return Err(Stop::Unfinished(Unfinished::Fault(fault))),
                }
                rounds = rounds.wrapping_add(1);
                if rounds.is_multiple_of(4096) {
                    look(control, &found, &out)?;
                }
                if !choices.advance() {
                    break;
                }
            }
        }
        out.steps[first..].sort_unstable();
        let mut kept = out.steps.split_off(first);
        kept.dedup();
        out.steps.append(&mut kept);
        at += 1;
        if at % 1024 == 0 {
            look(control, &found, &out)?;
        }
    }
    out.states = found.order.len() as u32;
    Ok(out)
}

fn look(control: &Control<'_>, found: &Found, out: &Labelled) -> Result<(), Stop> {
    let memory = found.store.memory() + found.order.capacity() as u64 * 24 + out.steps.capacity() as u64 * 16;
    let done = found.order.len() as u64;
    control.progress.report(Snapshot { phase: Phase::Searching, done, memory, ..Snapshot::default() });
    let reason = if control.stopped() {
        Reason::Interrupted
    } else if control.budget.memory.is_some_and(|limit| memory > limit) {
        Reason::Memory
    } else {
        return Ok(());
    };
    Err(Stop::Unfinished(Unfinished::Reason(reason)))
}
