//! A ground program as a system of bits.
//!
//! A step is chosen by variables: which instance runs, and how its choices are made. It is valid if the instance can run
//! to its end so. A step that meets an error of the model is valid too: it sets a bit that says so, and nothing follows.
//! The same holds for a value that does not fit the width assumed for its cell.

use crate::code::{Code, codes};
use crate::lemmas::lemmas;
use crate::quantify::exists;
use crate::run::{Machine, State};
use crate::select::{note_needs, select};
use crate::word::{Word, any};
use std::rc::Rc;
use swarmcheck_aig::{Graph, Latch, Lit, System};
use swarmcheck_ir::ground::{Ground, Routine, Term};
use swarmcheck_ir::{Fault, Program, UNDEF, Value};

/// A program as a system.
pub struct Encoded {
    /// The system; questions are put to it by adding to `bad`.
    pub system: System,
    /// How the cells are held: in this order, the bits of each after those of the cell before, in the first latches.
    pub codes: Vec<Code>,
    /// The step before has met an error of the model; constant if that cannot happen. No step leads out of such a state.
    pub faulty: Lit,
    /// A value does not fit the assumed width of its cell; no step leads out of such a state.
    pub misfit: Lit,
    /// Errors that the initial block may meet, in order, with conditions over the start inputs.
    pub initial_faults: Vec<(Lit, Fault)>,
    cells: Vec<Rc<Word>>,
    /// The instances that may ever run.
    pub(crate) effects: Vec<Effect>,
    /// For each of them: that it can run to its end with these choices.
    pub(crate) enabled: Vec<Lit>,
    choices: Vec<Lit>,
}

/// The system would be too large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// What one instance does.
pub(crate) struct Effect {
    /// Slots that must have these values.
    pub(crate) needs: Vec<(u32, Value)>,
    /// The slots have these values.
    pub(crate) tests: Lit,
    /// It runs to its end.
    pub(crate) enabled: Lit,
    /// It meets an error of the model.
    pub(crate) fault: Lit,
    /// What it has written then.
    pub(crate) state: State,
}

/// Encodes a program. Cells without a known domain get what [`crate::code::codes`] makes of the guess.
pub fn encode(program: &Program, ground: &Ground, guess: usize) -> Result<Encoded, TooLarge> {
    encode_until(program, ground, guess, &|| false)?.ok_or(TooLarge)
}

/// The same, unless it is time to stop before it is done: large programs take a while.
pub fn encode_until(
    program: &Program,
    ground: &Ground,
    guess: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Encoded>, TooLarge> {
    let mut g = Graph::new();
    let codes = codes(program, ground, guess);
    let bits: Vec<Vec<Lit>> =
        codes.iter().map(|code| (0..code.width()).map(|_| g.variable()).collect()).collect();
    let cells: Vec<Rc<Word>> =
        codes.iter().zip(&bits).map(|(code, bits)| Rc::new(code.read(&mut g, bits))).collect();

    let mut choices = vec![];
    let mut effects = vec![];
    for routine in ground.instances() {
        if stop() {
            return Ok(None);
        }
        let effect = effect(&mut g, &cells, routine, &mut choices)?;
        if effect.enabled != Lit::FALSE || effect.fault != Lit::FALSE {
            effects.push(effect);
        }
    }
    let (selection, selected) = select(&mut g, &effects);

    let mut misfits = vec![];
    let mut after: Vec<Vec<Lit>> = vec![];
    for (slot, code) in codes.iter().enumerate() {
        if stop() {
            return Ok(None);
        }
        after.push(next(&mut g, slot as u32, code, &bits[slot], &effects, &selected, &mut misfits));
    }
    let done: Vec<Lit> = effects.iter().zip(&selected).map(|(e, s)| g.and(e.enabled, *s)).collect();
    let failed: Vec<Lit> = effects.iter().zip(&selected).map(|(e, s)| g.and(e.fault, *s)).collect();
    let (done, failed) = (any(&mut g, done), any(&mut g, failed));
    let misfit = any(&mut g, misfits);
    let misfit = g.and(misfit, done);

    let start = start(&mut g, ground, &codes)?;
    let flag = |g: &mut Graph, start: Lit, next: Lit| match (start, next) {
        (Lit::FALSE, Lit::FALSE) => None,
        (start, next) => Some(Latch { variable: g.variable(), start, next }),
    };
    let flags = [flag(&mut g, start.fault, failed), flag(&mut g, start.misfit, misfit)];
    let [faulty, misfit] = flags.map(|latch| latch.map_or(Lit::FALSE, |latch| latch.variable));
    let broken = g.or(faulty, misfit);
    let possible = g.or(done, failed);
    let valid = g.and(possible, !broken);

    let cell_latches = bits.iter().zip(&after).zip(&start.bits).flat_map(|((bits, next), start)| {
        let parts = bits.iter().zip(next).zip(start);
        parts.map(|((variable, next), start)| Latch { variable: *variable, start: *start, next: *next })
    });
    let latches = cell_latches.chain(flags.into_iter().flatten()).collect();
    let inputs = selection.into_iter().chain(choices.iter().copied()).collect();
    let enabled = effects.iter().map(|e| g.or(e.enabled, e.fault)).collect();
    let mut system = System {
        latches,
        start_inputs: start.inputs,
        start_valid: start.valid,
        inputs,
        valid,
        bad: vec![],
        lemmas: vec![],
        graph: g,
    };
    system.lemmas = lemmas(&mut system.graph, program, ground, &codes, &bits, &cells, broken);
    let initial_faults = start.faults;
    Ok(Some(Encoded { system, codes, faulty, misfit, initial_faults, cells, effects, enabled, choices }))
}

/// The effect of one instance, for all states and choices at once.
fn effect(
    g: &mut Graph,
    cells: &[Rc<Word>],
    routine: &Routine,
    choices: &mut Vec<Lit>,
) -> Result<Effect, TooLarge> {
    let mut needs = routine.tests().to_vec();
    note_needs(routine.guard(), &mut needs);
    let mut tests = vec![];
    for &(slot, value) in &needs {
        let word = &cells[slot as usize];
        // The tests compare machine numbers: ⊥ is equal to itself.
        tests.push(if value == UNDEF { word.undef } else { word.is(g, value) });
    }
    let tests = g.all(&tests);
    let mut state = State::new(routine.locals());
    if tests == Lit::FALSE {
        return Ok(Effect { needs, tests, enabled: Lit::FALSE, fault: Lit::FALSE, state });
    }
    let mut machine = Machine::new(g, cells, std::mem::take(choices));
    let guard = machine.condition(routine.guard(), &mut state);
    machine.assume(guard, &mut state);
    machine.block(routine.body(), &mut state);
    let too_large = machine.too_large;
    *choices = std::mem::take(&mut machine.choices);
    if too_large {
        return Err(TooLarge);
    }
    let (enabled, fault) = (g.and(tests, state.live), g.and(tests, state.fault));
    Ok(Effect { needs, tests, enabled, fault, state })
}

/// The bits of a cell after a step; where a value does not fit is noted.
fn next(
    g: &mut Graph,
    slot: u32,
    code: &Code,
    bits: &[Lit],
    effects: &[Effect],
    selected: &[Lit],
    misfits: &mut Vec<Lit>,
) -> Vec<Lit> {
    let mut written = vec![];
    let mut results: Vec<(Lit, Vec<Lit>)> = vec![];
    for (effect, &selected) in effects.iter().zip(selected) {
        let Some(word) = effect.state.cells.get(&slot) else { continue };
        let (result, misfit) = code.write(g, word);
        if code.is_guess() {
            misfits.push(g.and(selected, misfit));
        }
        if result == bits {
            continue;
        }
        written.push(selected);
        // Instances with the same result are told apart no further.
        match results.iter_mut().find(|(_, other)| *other == result) {
            Some((lit, _)) => *lit = g.or(*lit, selected),
            None => results.push((selected, result)),
        }
    }
    let kept = !any(g, written);
    let each = |k: usize| {
        let mut parts: Vec<Lit> = results.iter().map(|(lit, result)| g.and(*lit, result[k])).collect();
        parts.push(g.and(kept, bits[k]));
        any(g, parts)
    };
    (0..bits.len()).map(each).collect()
}

/// What the initial block gives, as functions of the start inputs.
struct Start {
    inputs: Vec<Lit>,
    valid: Lit,
    bits: Vec<Vec<Lit>>,
    fault: Lit,
    misfit: Lit,
    faults: Vec<(Lit, Fault)>,
}

fn start(g: &mut Graph, ground: &Ground, codes: &[Code]) -> Result<Start, TooLarge> {
    let zero: Vec<Rc<Word>> = codes.iter().map(|_| Rc::new(Word::constant(0))).collect();
    let block = ground.initial();
    let mut state = State::new(block.locals());
    let mut machine = Machine::new(g, &zero, vec![]);
    machine.block(block.acts(), &mut state);
    if machine.too_large {
        return Err(TooLarge);
    }
    let (inputs, faults) = (machine.choices, machine.faults);
    let mut misfits = vec![];
    let mut bits = vec![];
    for (slot, code) in codes.iter().enumerate() {
        let word = state.cells.get(&(slot as u32)).unwrap_or(&zero[slot]);
        let (result, misfit) = code.write(g, word);
        if code.is_guess() {
            misfits.push(misfit);
        }
        bits.push(result);
    }
    let misfit = any(g, misfits);
    let misfit = g.and(misfit, state.live);
    let valid = g.or(state.live, state.fault);
    Ok(Start { inputs, valid, bits, fault: state.fault, misfit, faults })
}

impl Encoded {
    /// Where a condition on states holds, and where evaluating it is an error of the model; over the latches.
    pub fn condition(&mut self, condition: &Term) -> (Lit, Lit) {
        let mut state = State::new(0);
        let mut machine = Machine::new(&mut self.system.graph, &self.cells, vec![]);
        let holds = machine.condition(condition, &mut state);
        let sound = self.sound();
        let g = &mut self.system.graph;
        let fault = g.and(state.fault, sound);
        (g.and(holds, sound), fault)
    }

    /// The cells mean something: nothing has gone wrong.
    pub fn sound(&mut self) -> Lit {
        self.system.graph.and(!self.faulty, !self.misfit)
    }

    /// The states, among those that mean something, in which no step is possible; over the latches. `None` if telling
    /// them would take too large a graph.
    pub fn stuck(&mut self) -> Option<Lit> {
        let mut possible = vec![];
        for lit in self.enabled.clone() {
            possible.push(exists(&mut self.system.graph, lit, &self.choices)?);
        }
        let possible = any(&mut self.system.graph, possible);
        let sound = self.sound();
        Some(self.system.graph.and(sound, !possible))
    }

    /// The state that these values of the latches stand for.
    pub fn decode(&self, latches: &[bool]) -> Vec<Value> {
        let mut rest = latches;
        let mut out = vec![];
        for code in &self.codes {
            let (own, others) = rest.split_at(code.width().min(rest.len()));
            out.push(code.decode(own));
            rest = others;
        }
        out
    }
}
