//! From a path of the smaller program to an execution of the original.
//!
//! A state of the smaller program represents all states that normalising, first steps (`partial_order`), agent symmetry and
//! data symmetry turn into it. Each reduction is such that whatever the representative can do, each of the states that it
//! represents can do, perhaps after some invisible steps. So the execution is found step by step: from the current state,
//! through states with the same representative, to one with the next. Nothing here is trusted: the result is replayed on
//! the reference semantics before anybody sees it.
//!
//! A step that draws one of very many numbers is expected to draw one that the next state has; only if none of these is
//! right are all of them tried.
//!
//! First steps that are not needed yet are left for later, so that executions are short; but with many of them to choose
//! from there are too many states to look through, so after a while all of them are taken.

use crate::trace::{End, Trace, TraceStep};
use std::collections::{HashMap, HashSet};
use swarmcheck_ir::flat::{Enumerate, Expect, Instance, Outcome};
use swarmcheck_ir::ground::{Block, Ground, Runner};
use swarmcheck_ir::{Fault, Program, Stmt, Value, stmt};

/// The most states looked at between two states of the way.
const NEARBY: usize = 300_000;
/// The most states looked at before all first steps are taken.
const AT_HAND: usize = 200;
/// The most rounds of a loop before it must have closed.
const ROUNDS: usize = 10_000;

/// How the way ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// With its last state.
    Open,
    /// It goes back to the state with this number in the way, which is also its last.
    Loop(usize),
    /// In a state without steps.
    Stuck,
    /// In a step, or a condition of the caller, that makes the model invalid.
    Fault,
}

/// What a search stores for a state of the smaller program.
pub trait Representation {
    /// The same once more: whoever follows executions needs one of their own.
    fn copy(&self) -> Box<dyn Representation + '_>;

    /// Whether a state may be stored as another one.
    fn changes(&self) -> bool;

    /// Turns a state into the one that is stored for it.
    fn represent(&mut self, smaller: &Ground, runner: &mut Runner, state: &mut [Value]);

    /// Whether there may be a step that is taken before all others.
    fn has_first_steps(&self) -> bool {
        false
    }

    /// The instance that is taken before all others in a state, if there is one.
    fn first(&self, _smaller: &Ground, _runner: &mut Runner, _state: &mut [Value]) -> Option<usize> {
        None
    }
}

/// States are stored as they are.
pub struct AsTheyAre;

impl Representation for AsTheyAre {
    fn copy(&self) -> Box<dyn Representation + '_> {
        Box::new(AsTheyAre)
    }

    fn changes(&self) -> bool {
        false
    }

    fn represent(&mut self, _: &Ground, _: &mut Runner, _: &mut [Value]) {}
}

/// Reconstructs executions of the original program.
pub struct Concrete<'a> {
    ground: Ground,
    /// The smaller program.
    smaller: &'a Ground,
    normalise: Block,
    /// Slots that normalising leaves alone.
    fixed: Vec<bool>,
    stored: Box<dyn Representation + 'a>,
    runner: Runner,
    stop: &'a dyn Fn() -> bool,
    /// It has said that it is time to stop, so not all steps were looked at.
    stopped: bool,
    /// Some numbers were not drawn, because they were not expected.
    has_left_out: bool,
    /// An execution into an error of the model, met while looking for another.
    pub faulty: Option<Trace>,
}

/// A step that can be taken, with its choices.
struct Move<S> {
    instance: Instance,
    choices: Vec<u64>,
    /// The state after it, or what is needed of that.
    result: Result<S, Fault>,
}

impl<'a> Concrete<'a> {
    /// For a program, and what turns its states into those of the smaller one.
    pub fn new(
        program: &Program,
        smaller: &'a Ground,
        normalise: &[Stmt],
        stored: Box<dyn Representation + 'a>,
        stop: &'a dyn Fn() -> bool,
    ) -> Concrete<'a> {
        let ground = Ground::new(program);
        let mut written = HashSet::new();
        stmt::walk(normalise, &mut |s| match s {
            Stmt::Assign(place, _) | Stmt::Fill(place, _) => {
                written.insert(place.var);
            }
            Stmt::Copy(var, ..) | Stmt::Rank(var) => {
                written.insert(*var);
            }
            _ => {}
        });
        let is_fixed = |slot| !written.contains(&ground.layout.cell(slot).var);
        let fixed = (0..ground.width() as u32).map(is_fixed).collect();
        let normalise = ground.block(program, normalise);
        Concrete {
            ground,
            smaller,
            normalise,
            fixed,
            stored,
            runner: Runner::default(),
            stop,
            stopped: false,
            has_left_out: false,
            faulty: None,
        }
    }

    /// An execution along a way of representatives. `None` if there is none nearby: that would be a bug, unless
    /// [`Concrete::faulty`] says that the original program meets an error that the smaller one does not know of, a number
    /// too large in something that is not needed.
    pub fn follow(&mut self, way: &[Vec<Value>], ending: Ending) -> Option<Trace> {
        let initial = self.initial(&way[0])?;
        let mut trace = Trace { initial, ..Trace::default() };
        for pair in way.windows(2) {
            self.advance(&mut trace, &pair[0], &pair[1], |me, state| me.represented_by(state, &pair[1]))?;
        }
        let last = way.last()?;
        match ending {
            Ending::Open => {}
            Ending::Loop(start) => self.close(&mut trace, &way[start..], start)?,
            Ending::Stuck => {
                if !self.is_stuck(trace.last()) {
                    self.advance(&mut trace, last, last, Self::is_stuck)?;
                }
                trace.end = End::Deadlock;
            }
            Ending::Fault => {
                if self.fault(trace.last()).is_none() {
                    self.advance(&mut trace, last, last, |me, state| me.fault(state).is_some())?;
                }
                let (instance, fault) = self.fault(trace.last())?;
                trace.end = End::Fault(Some(instance), fault);
            }
        }
        (!self.stopped).then_some(trace)
    }

    /// Goes round until a state comes back.
    fn close(&mut self, trace: &mut Trace, cycle: &[Vec<Value>], start: usize) -> Option<()> {
        // The way has gone round once: the loop may begin where its first state was reached, or after any round.
        let mut seen: HashMap<Vec<Value>, usize> = HashMap::new();
        let mut at = start;
        while at < trace.steps.len() {
            // Invisible steps make the execution longer than the way: look for the first state of the loop.
            let state = if at == 0 { &trace.initial } else { &trace.steps[at - 1].state };
            if self.represented_by(&state.clone(), &cycle[0]) {
                break;
            }
            at += 1;
        }
        let first = if at == 0 { trace.initial.clone() } else { trace.steps[at - 1].state.clone() };
        seen.insert(first, at);
        for _ in 0..ROUNDS {
            let here = trace.steps.len();
            if let Some(&before) = seen.get(trace.last()) {
                trace.loop_start = Some(before);
                return Some(());
            }
            seen.insert(trace.last().to_vec(), here);
            for pair in cycle.windows(2) {
                self.advance(trace, &pair[0], &pair[1], |me, state| me.represented_by(state, &pair[1]))?;
            }
        }
        None
    }

    /// An initial state that the representative stands for: first one of the smaller program, before agents were
    /// renamed and values mirrored; then, with its values in mind, one of the original.
    fn initial(&mut self, representative: &[Value]) -> Option<Vec<Value>> {
        let mut state = representative.to_vec();
        let mut choices = Enumerate::default();
        // Without renaming, mirroring and first steps the representative is the initial state itself, up to normalising.
        while self.stored.changes() {
            if self.runner.initialise(self.smaller, &mut state, &mut choices) == Outcome::Done {
                let mut copy = state.clone();
                self.represent(&mut copy);
                if copy == representative {
                    break;
                }
            }
            if !choices.advance() || (self.stop)() {
                return None;
            }
        }
        let wanted: Vec<Option<Value>> =
            state.iter().zip(&self.fixed).map(|(v, fixed)| fixed.then_some(*v)).collect();
        let block = self.ground.initial_like(&wanted);
        choices.reset();
        loop {
            if self.runner.begin(&block, &mut state, &mut choices) == Outcome::Done
                && self.represented_by(&state, representative)
            {
                return Some(state);
            }
            if !choices.advance() || (self.stop)() {
                return None;
            }
        }
    }

    /// What the search stores for a state of the smaller program.
    fn represent(&mut self, state: &mut [Value]) {
        self.stored.represent(self.smaller, &mut self.runner, state);
    }

    fn represented_by(&mut self, state: &[Value], representative: &[Value]) -> bool {
        let mut copy = self.normal(state);
        self.represent(&mut copy);
        copy == representative
    }

    /// The state of the smaller program that corresponds to a state.
    fn normal(&mut self, state: &[Value]) -> Vec<Value> {
        let mut copy = state.to_vec();
        self.runner.run(&self.normalise, &mut copy, &mut Enumerate::default());
        copy
    }

    /// Takes all steps that the smaller program takes first, as far as the original can do the same.
    fn settle(&mut self, trace: &mut Trace) {
        let smaller = self.smaller;
        loop {
            let mut wanted = self.normal(trace.last());
            let Some(first) = self.stored.first(smaller, &mut self.runner, &mut wanted) else { return };
            let routine = &smaller.instances()[first];
            self.runner.step(routine, &mut wanted, &mut Enumerate::default());
            let likely = sorted(&wanted);
            let accept = |me: &mut Self, m: Move<Vec<Value>>| {
                let state = (m.instance == routine.instance).then_some(m.result)?.ok()?;
                let wanted = me.normal(&state) == wanted;
                wanted.then_some(TraceStep { instance: m.instance, choices: m.choices, state })
            };
            let expected = self.find_move(trace.last(), Some(&likely), <[Value]>::to_vec, accept);
            match expected.or_else(|| self.find_move(trace.last(), None, <[Value]>::to_vec, accept)) {
                Some(step) => trace.steps.push(step),
                None => return,
            }
        }
    }

    /// Whether no step is possible.
    fn is_stuck(&mut self, state: &[Value]) -> bool {
        self.find_move(state, None, |_| (), |_, _| Some(())).is_none()
    }

    /// The first step that is an error of the model.
    fn fault(&mut self, state: &[Value]) -> Option<(Instance, Fault)> {
        self.find_move(state, None, |_| (), |_, m| Some((m.instance, m.result.err()?)))
    }

    /// Looks at the steps that can be taken, one after the other, until one is accepted. There are as many states after them as
    /// there are agents, and each of them has as many cells, so they are not kept; `after` takes what is needed of one.
    fn find_move<S, T>(
        &mut self,
        state: &[Value],
        likely: Option<&[Value]>,
        after: impl Fn(&[Value]) -> S,
        mut accept: impl FnMut(&mut Self, Move<S>) -> Option<T>,
    ) -> Option<T> {
        let mut work = state.to_vec();
        let mut choices = Expect::new(likely);
        let mut rounds: u32 = 0;
        for number in 0..self.ground.instances().len() {
            choices.reset();
            loop {
                // One step may have millions of results.
                rounds = rounds.wrapping_add(1);
                if rounds.is_multiple_of(4096) && (self.stop)() {
                    self.stopped = true;
                    return None;
                }
                let routine = &self.ground.instances()[number];
                let instance = routine.instance;
                let result = match self.runner.step(routine, &mut work, &mut choices) {
                    Outcome::Disabled => None,
                    Outcome::Done => {
                        let result = after(&work);
                        self.runner.undo(&mut work);
                        Some(Ok(result))
                    }
                    Outcome::Fault(fault) => Some(Err(fault)),
                };
                if let Some(result) = result {
                    let found = accept(self, Move { instance, choices: choices.choices(), result });
                    if found.is_some() {
                        return found;
                    }
                }
                if !choices.advance() {
                    break;
                }
            }
            self.has_left_out |= choices.has_left_out();
        }
        None
    }

    /// Adds a short sequence of at least one step, through states with this representative, to a state that is accepted.
    fn advance(
        &mut self,
        trace: &mut Trace,
        through: &[Value],
        likely: &[Value],
        accept: impl Fn(&mut Self, &[Value]) -> bool,
    ) -> Option<()> {
        let likely = sorted(likely);
        let before = trace.steps.len();
        self.has_left_out = false;
        let found = self.advance_drawing(trace, through, Some(&likely), &accept);
        if found.is_some() || !self.has_left_out {
            return found;
        }
        trace.steps.truncate(before);
        self.advance_drawing(trace, through, None, &accept)
    }

    /// The same, with only these numbers where very many can be drawn.
    fn advance_drawing(
        &mut self,
        trace: &mut Trace,
        through: &[Value],
        likely: Option<&[Value]>,
        accept: &impl Fn(&mut Self, &[Value]) -> bool,
    ) -> Option<()> {
        if self.stored.has_first_steps() {
            if self.look(trace, through, likely, accept, AT_HAND).is_some() {
                return Some(());
            }
            let before = trace.steps.len();
            self.settle(trace);
            if trace.steps.len() > before && accept(self, trace.last()) {
                return Some(());
            }
        }
        self.look(trace, through, likely, accept, NEARBY)
    }

    /// Adds the shortest such sequence, if it is found among so many states.
    fn look(
        &mut self,
        trace: &mut Trace,
        through: &[Value],
        likely: Option<&[Value]>,
        accept: &impl Fn(&mut Self, &[Value]) -> bool,
        most: usize,
    ) -> Option<()> {
        let start = trace.last().to_vec();
        let mut seen: HashSet<Vec<Value>> = HashSet::from([start.clone()]);
        // Each state found, with the step to it and the number of the state before.
        let mut found: Vec<(TraceStep, Option<usize>)> = vec![];
        let mut next = 0;
        let mut at = (start, None);
        loop {
            let arrived = self.find_move(&at.0, likely, <[Value]>::to_vec, |me, step| {
                let state = match step.result {
                    Ok(state) => state,
                    Err(fault) => {
                        me.faulty.get_or_insert_with(|| {
                            let mut faulty = trace.clone();
                            faulty.steps.extend(at.1.map_or(vec![], |last| way_to(&found, last)));
                            faulty.end = End::Fault(Some(step.instance), fault);
                            faulty
                        });
                        return None;
                    }
                };
                let accepted = accept(me, &state);
                if !accepted && (seen.contains(&state) || !me.represented_by(&state, through)) {
                    return None;
                }
                seen.insert(state.clone());
                found.push((TraceStep { instance: step.instance, choices: step.choices, state }, at.1));
                accepted.then_some(())
            });
            if arrived.is_some() {
                trace.steps.extend(way_to(&found, found.len() - 1));
                return Some(());
            }
            if next == found.len() || next > most || (self.stop)() {
                return None;
            }
            at = (found[next].0.state.clone(), Some(next));
            next += 1;
        }
    }
}

/// The values of a state, each once.
fn sorted(state: &[Value]) -> Vec<Value> {
    let mut values = state.to_vec();
    values.sort_unstable();
    values.dedup();
    values
}

fn way_to(found: &[(TraceStep, Option<usize>)], last: usize) -> Vec<TraceStep> {
    let mut way = vec![];
    let mut at = Some(last);
    while let Some(i) = at {
        way.push(found[i].0.clone());
        at = found[i].1;
    }
    way.reverse();
    way
}
