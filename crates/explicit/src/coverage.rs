//! Counting how often every function of a program can run in a reachable state: a search of its own, without reductions.
//!
//! Reductions leave out states and steps that do not matter for a question, and coverage asks about each of them. So this
//! search keeps to what every reduction is compared with: all states, one after the other, in breadth-first order. Only the
//! ranges of variables are used, which make states smaller and leave none out.

use crate::codec::{Codec, Overflow};
use crate::store::{Id, Store};
use swarmcheck_engine::{Control, Phase, Reason, Snapshot};
use swarmcheck_ir::coverage::Probe;
use swarmcheck_ir::flat::{Enumerate, Outcome};
use swarmcheck_ir::ground::{Ground, Runner};
use swarmcheck_ir::{Fault, Program, Value};
use swarmcheck_question::initial::is_impossible;

/// What was counted.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// For each function, then for each probe, in how many ways it can run, over all states and agents that were visited.
    pub runs: Vec<u64>,
    /// How many states were found.
    pub states: u64,
    /// The number of ways to make a step.
    pub steps: u64,
    /// The first error of the model that was met. Its step leads nowhere.
    pub fault: Option<Fault>,
    /// Why not everything was visited.
    pub unfinished: Option<CountingEnd>,
}

/// Why a search stopped before its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CountingEnd {
    /// States that are farther than this many steps away were not asked for.
    Steps(u32),
    /// There was no time or memory, or the search is not possible.
    Reason(Reason),
}

/// Counts the runs of all functions, and of all probes.
pub fn count(program: &Program, probes: &[Probe], bound: Option<u32>, control: &Control<'_>) -> Counted {
    let own = program.functions.len();
    let mut program = program.clone();
    program.properties.clear();
    program.functions.extend(probes.iter().map(|probe| probe.function.clone()));
    let program = swarmcheck_passes::ranges::narrow(&program).program;
    let ground = Ground::new(&program);
    let mut codec = Codec::new(&program, &ground.layout);
    loop {
        let mut search = Counting::new(&ground, &codec, own, probes);
        match search.run(bound, control) {
            Ok(()) => return search.out,
            Err(Stop::Reason(reason)) => {
                search.out.unfinished = Some(CountingEnd::Reason(reason));
                return search.out;
            }
            Err(Stop::Overflow) => match codec.wider(&program, &ground.layout) {
                Some(wider) => codec = wider,
                None => {
                    let reason = Reason::Internal("a value left its range".to_string());
                    search.out.unfinished = Some(CountingEnd::Reason(reason));
                    return search.out;
                }
            },
        }
    }
}

enum Stop {
    Overflow,
    Reason(Reason),
}

impl From<Overflow> for Stop {
    fn from(_: Overflow) -> Stop {
        Stop::Overflow
    }
}

struct Counting<'a> {
    ground: &'a Ground,
    codec: &'a Codec,
    /// The number of functions that are no probes.
    own: usize,
    probes: &'a [Probe],
    store: Store,
    /// The states in the order they were found.
    order: Vec<Id>,
    words: Vec<u64>,
    out: Counted,
}

impl<'a> Counting<'a> {
    fn new(ground: &'a Ground, codec: &'a Codec, own: usize, probes: &'a [Probe]) -> Counting<'a> {
        let out = Counted { runs: vec![0; own + probes.len()], ..Counted::default() };
        let store = Store::new(codec.words(), 64);
        Counting { ground, codec, own, probes, store, order: vec![], words: vec![0; codec.words()], out }
    }

    fn add(&mut self, state: &[Value]) -> Result<(), Stop> {
        self.codec.pack(state, &mut self.words)?;
        let full = |_| Stop::Reason(Reason::Unsupported("too many states".to_string()));
        let (id, new) = self.store.insert(&self.words, Id::NONE).map_err(full)?;
        if new {
            self.order.push(id);
            self.out.states += 1;
        }
        Ok(())
    }

    fn run(&mut self, bound: Option<u32>, control: &Control<'_>) -> Result<(), Stop> {
        let mut runner = Runner::default();
        let mut choices = Enumerate::default();
        let mut state: Vec<Value> = vec![0; self.ground.width()];
        let mut rounds: u32 = 0;
        let mut over = is_impossible(self.ground, &|| control.stopped());
        while !over {
            match runner.initialise(self.ground, &mut state, &mut choices) {
                Outcome::Done => self.add(&state)?,
                Outcome::Disabled => {}
                Outcome::Fault(fault) => self.out.fault = self.out.fault.or(Some(fault)),
            }
            over = !choices.advance();
            self.look(&mut rounds, control)?;
        }
        let (mut at, mut depth) = (0, 0);
        let mut layer_ends = self.order.len();
        while at < self.order.len() {
            if at == layer_ends {
                depth += 1;
                layer_ends = self.order.len();
            }
            let last = bound.filter(|bound| depth >= *bound);
            self.expand(at, last, (&mut runner, &mut choices, &mut state), &mut rounds, control)?;
            at += 1;
        }
        Ok(())
    }

    /// Counts what can run in a state. At the bound, guards are still looked at, and no step is made.
    fn expand(
        &mut self,
        at: usize,
        last: Option<u32>,
        (runner, choices, state): (&mut Runner, &mut Enumerate, &mut Vec<Value>),
        rounds: &mut u32,
        control: &Control<'_>,
    ) -> Result<(), Stop> {
        let ground = self.ground;
        self.codec.unpack(self.store.state(self.order[at]), state);
        for routine in ground.instances() {
            let function = routine.instance.function as usize;
            let probe = self.probes.get(function.wrapping_sub(self.own));
            // What is decided in steps is not decided where no step is made.
            if last.is_some() && probe.is_some_and(|probe| probe.of.is_some()) {
                continue;
            }
            choices.reset();
            loop {
                match runner.step(routine, state, choices) {
                    Outcome::Disabled => {}
                    Outcome::Done => match (probe, last) {
                        (Some(_), _) => self.out.runs[function] += 1,
                        (None, Some(bound)) => {
                            runner.undo(state);
                            self.out.unfinished = Some(CountingEnd::Steps(bound));
                        }
                        (None, None) => {
                            self.out.runs[function] += 1;
                            self.out.steps += 1;
                            let added = self.add(state);
                            runner.undo(state);
                            added?;
                        }
                    },
                    // A probe reads what the step reads that it belongs to, which has the same fault.
                    Outcome::Fault(_) if probe.is_some() => {}
                    Outcome::Fault(fault) => self.out.fault = self.out.fault.or(Some(fault)),
                }
                self.look(rounds, control)?;
                if !choices.advance() {
                    break;
                }
            }
        }
        Ok(())
    }

    fn look(&mut self, rounds: &mut u32, control: &Control<'_>) -> Result<(), Stop> {
        *rounds = rounds.wrapping_add(1);
        if !rounds.is_multiple_of(4096) {
            return Ok(());
        }
        let memory = self.store.memory() + self.order.capacity() as u64 * 8;
        let done = self.out.states;
        control.progress.report(Snapshot { phase: Phase::Searching, done, memory, ..Snapshot::default() });
        if control.stopped() {
            return Err(Stop::Reason(Reason::Interrupted));
        }
        match control.budget.memory {
            Some(limit) if memory > limit => Err(Stop::Reason(Reason::Memory)),
            _ => Ok(()),
        }
    }
}
