//! What a block of a ground program does, for all states and choices at once.
//!
//! The meaning of every act is that of the interpreter (`swarmcheck_ir::ground::Runner`). Where a run may take different
//! ways, both are followed from copies of the state, and what comes out is put together.

use crate::word::{Word, any, cases};
use std::collections::BTreeMap;
use std::rc::Rc;
use swarmcheck_aig::{Graph, Lit};
use swarmcheck_ir::Fault;
use swarmcheck_ir::ground::{Act, Term};

/// Graphs larger than this are given up.
const LARGEST: usize = 30_000_000;

/// A run in progress.
#[derive(Clone, Debug)]
pub struct State {
    /// Cells that were written.
    pub cells: BTreeMap<u32, Rc<Word>>,
    locals: Vec<Rc<Word>>,
    /// The run has come to this place: nothing has stopped it, and the choices were possible ones.
    pub live: Lit,
    /// The run has met an error of the model.
    pub fault: Lit,
}

impl State {
    /// Before the first act.
    pub fn new(locals: u32) -> State {
        let zero = Rc::new(Word::constant(0));
        State {
            cells: BTreeMap::new(),
            locals: vec![zero; locals as usize],
            live: Lit::TRUE,
            fault: Lit::FALSE,
        }
    }

    pub(crate) fn local(&self, number: u32) -> Word {
        self.locals.get(number as usize).map_or_else(|| Word::constant(0), |word| (**word).clone())
    }

    pub(crate) fn set_local(&mut self, number: u32, word: Word) {
        if let Some(local) = self.locals.get_mut(number as usize) {
            *local = Rc::new(word);
        }
    }

    pub(crate) fn write(&mut self, slot: u32, word: Word) {
        self.cells.insert(slot, Rc::new(word));
    }
}

/// Runs blocks symbolically, on all states and choices at once.
pub struct Machine<'a> {
    pub(crate) g: &'a mut Graph,
    /// What the cells hold before the block.
    before: &'a [Rc<Word>],
    /// Variables that resolve choices, in the order in which they are needed.
    pub choices: Vec<Lit>,
    pub(crate) used: usize,
    /// The conditions around what is being evaluated.
    pub(crate) path: Vec<Lit>,
    /// The conditions of the branches being run.
    around: Vec<Lit>,
    /// The errors met by what is being evaluated.
    pub(crate) met: Vec<(Lit, Fault)>,
    /// All errors met, in the order of the program, with the conditions under which they are.
    pub faults: Vec<(Lit, Fault)>,
    /// Something is too large to be written down.
    pub too_large: bool,
}

impl<'a> Machine<'a> {
    /// For a state with these cells. The choices are variables made before, for other blocks that never run in the same
    /// step; more are made as needed.
    pub fn new(g: &'a mut Graph, before: &'a [Rc<Word>], choices: Vec<Lit>) -> Machine<'a> {
        Machine {
            g,
            before,
            choices,
            used: 0,
            path: vec![],
            around: vec![],
            met: vec![],
            faults: vec![],
            too_large: false,
        }
    }

    pub(crate) fn cell(&self, state: &State, slot: u32) -> Word {
        let word = state.cells.get(&slot).or_else(|| self.before.get(slot as usize));
        word.map_or_else(|| Word::constant(0), |word| (**word).clone())
    }

    /// Variables for a choice.
    pub(crate) fn fresh(&mut self, bits: usize) -> Vec<Lit> {
        while self.choices.len() < self.used + bits {
            let variable = self.g.variable();
            self.choices.push(variable);
        }
        self.used += bits;
        self.choices[self.used - bits..self.used].to_vec()
    }

    /// Goes on only where the condition holds.
    pub(crate) fn assume(&mut self, condition: Lit, state: &mut State) {
        state.live = self.g.and(state.live, condition);
    }

    /// Stops the run where what was just evaluated has met an error.
    pub(crate) fn settle(&mut self, state: &mut State) {
        let met = std::mem::take(&mut self.met);
        for (lit, fault) in met {
            let here = self.g.and(lit, state.live);
            let around = self.around.clone();
            let around = self.g.all(&around);
            self.faults.push((self.g.and(here, around), fault));
            state.fault = self.g.or(state.fault, here);
            state.live = self.g.and(state.live, !lit);
        }
    }

    /// Evaluates a term on its own.
    pub(crate) fn value(&mut self, term: &Term, state: &mut State) -> Word {
        let word = self.eval(term, state);
        self.settle(state);
        word
    }

    /// Whether a condition on its own holds.
    pub fn condition(&mut self, term: &Term, state: &mut State) -> Lit {
        let lit = self.test(term, state);
        self.settle(state);
        lit
    }

    pub fn block(&mut self, acts: &[Act], state: &mut State) {
        for act in acts {
            if state.live == Lit::FALSE || self.too_large {
                return;
            }
            self.too_large |= self.g.nodes().len() > LARGEST;
            self.act(act, state);
        }
    }

    /// Runs a block that is run only if the condition holds.
    fn inside(&mut self, condition: Lit, acts: &[Act], state: &mut State) {
        self.around.push(condition);
        self.block(acts, state);
        self.around.pop();
    }

    fn act(&mut self, act: &Act, state: &mut State) {
        swarmcheck_ir::cancel::check_now();
        match act {
            Act::Set(slot, term) => {
                let word = self.value(term, state);
                state.write(*slot, word);
            }
            Act::SetCell(place, term) => {
                let word = self.value(term, state);
                let located = self.locate(place, state);
                self.settle(state);
                self.assume(!located.undefined, state);
                for (lit, slot) in located.slots {
                    let old = self.cell(state, slot);
                    let new = Word::choose(self.g, lit, &word, &old);
                    state.write(slot, new);
                }
            }
            Act::Fill { place, cells, set } => {
                let copies = match &place.agent {
                    None => place.copies.first().map(|slot| (Lit::TRUE, *slot)).into_iter().collect(),
                    Some(agent) => {
                        let agent = self.value(agent, state);
                        self.copies(&agent, &place.copies).0
                    }
                };
                // Nobody to write to: the step is not possible.
                let somebody = any(self.g, copies.iter().map(|(lit, _)| *lit).collect());
                self.assume(somebody, state);
                for cell in 0..*cells {
                    let word = self.draw(set, state);
                    for (lit, first) in &copies {
                        let old = self.cell(state, first + cell);
                        let new = Word::choose(self.g, *lit, &word, &old);
                        state.write(first + cell, new);
                    }
                }
            }
            Act::Let(local, term) => {
                let word = self.value(term, state);
                state.set_local(*local, word);
            }
            Act::Havoc(local, set) => {
                let word = self.draw(set, state);
                state.set_local(*local, word);
            }
            Act::Pick { first, length, candidates } => self.pick(*first, *length, candidates, state),
            Act::Assume(term) => {
                let condition = self.condition(term, state);
                self.assume(condition, state);
            }
            Act::Check(place) => {
                self.locate(place, state);
                self.settle(state);
            }
            Act::If(term, yes, no) => {
                let condition = self.condition(term, state);
                match condition.known() {
                    Some(value) => self.block(if value { yes } else { no }, state),
                    None => {
                        let (used, mut other) = (self.used, state.clone());
                        self.inside(condition, yes, state);
                        let most = std::mem::replace(&mut self.used, used);
                        self.inside(!condition, no, &mut other);
                        self.used = self.used.max(most);
                        self.join(condition, state, &other);
                    }
                }
            }
            Act::Choose(branches) => self.branch(branches, state),
            Act::Copy { to, from, cells } => {
                let words: Vec<Word> = (0..*cells).map(|cell| self.cell(state, from + cell)).collect();
                (0..*cells).zip(words).for_each(|(cell, word)| state.write(to + cell, word));
            }
            Act::CopyBetween { copies, cells, to, from } => {
                let (to, from) = (self.value(to, state), self.value(from, state));
                let ((to, _, _), (from, _, _)) = (self.copies(&to, copies), self.copies(&from, copies));
                for cell in 0..*cells {
                    let all: Vec<(Lit, Word)> =
                        from.iter().map(|(lit, slot)| (*lit, self.cell(state, slot + cell))).collect();
                    let word = Word::select(self.g, &all);
                    for (lit, slot) in &to {
                        let old = self.cell(state, slot + cell);
                        let new = Word::choose(self.g, *lit, &word, &old);
                        state.write(slot + cell, new);
                    }
                }
            }
            Act::Rank(slots) => {
                let words: Vec<Word> = slots.iter().map(|slot| self.cell(state, *slot)).collect();
                match self.ranks(&words) {
                    Some(ranks) => slots.iter().zip(ranks).for_each(|(slot, word)| state.write(*slot, word)),
                    None => self.too_large = true,
                }
            }
        }
    }

    /// Any branch whose condition holds.
    fn branch(&mut self, branches: &[(Term, Box<[Act]>)], state: &mut State) {
        let mut open = vec![];
        for (term, _) in branches {
            open.push(self.condition(term, state));
        }
        let bits = self.fresh(crate::word::bits_for(branches.len() as u64));
        let chosen = if branches.is_empty() { vec![] } else { cases(self.g, &bits, branches.len() as u64) };
        let used = self.used;
        let mut most = used;
        let mut result: Option<State> = None;
        for (((_, body), open), chosen) in branches.iter().zip(open).zip(chosen) {
            let mut way = state.clone();
            self.assume(open, &mut way);
            self.used = used;
            self.inside(chosen, body, &mut way);
            most = most.max(self.used);
            match &mut result {
                None => result = Some(way),
                Some(result) => {
                    self.join(chosen, &mut way, result);
                    *result = way;
                }
            }
        }
        self.used = most;
        match result {
            Some(result) => *state = result,
            None => state.live = Lit::FALSE,
        }
    }

    /// The first state where the condition is true, the other elsewhere.
    fn join(&mut self, condition: Lit, state: &mut State, other: &State) {
        // What a run that cannot go on has left behind does not matter.
        if other.live == Lit::FALSE || state.live == Lit::FALSE {
            let (live, fault) = (state.live, state.fault);
            if state.live == Lit::FALSE {
                state.cells.clone_from(&other.cells);
                state.locals.clone_from(&other.locals);
            }
            state.live = self.g.choose(condition, live, other.live);
            state.fault = self.g.choose(condition, fault, other.fault);
            return;
        }
        state.live = self.g.choose(condition, state.live, other.live);
        state.fault = self.g.choose(condition, state.fault, other.fault);
        let mut slots: Vec<u32> = state.cells.keys().chain(other.cells.keys()).copied().collect();
        slots.sort_unstable();
        slots.dedup();
        for slot in slots {
            let (yes, no) = (self.cell(state, slot), self.cell(other, slot));
            let word = Word::choose(self.g, condition, &yes, &no);
            state.write(slot, word);
        }
        for (local, no) in state.locals.iter_mut().zip(&other.locals) {
            if local != no {
                *local = Rc::new(Word::choose(self.g, condition, local, no));
            }
        }
    }
}
