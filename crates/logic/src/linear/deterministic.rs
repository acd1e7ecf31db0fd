//! From an LTL formula to a deterministic Rabin automaton, whose states are made when they are needed.
//!
//! Probabilities need determinism: the product of a random process with a nondeterministic automaton guesses the future, and
//! a scheduler that guesses is not one that exists (C. Baier and J.-P. Katoen, "Principles of Model Checking", MIT Press 2008,
//! section 10.3 and example 10.51 show the wrong values).
//!
//! The way is: tableau ([`super::automaton`]), a few simplifications of the Büchi automaton (`deterministic/buchi.rs`), then Safra's
//! determinisation in the variant with history trees (`deterministic/history.rs`). Acceptance is on transitions: reading a letter in a
//! state says which pairs *hold* there and which are *met*. A run is accepted if some pair holds from some point on and is met
//! again and again. In Rabin's terms, transitions at which a pair does not hold are the ones to be seen finitely often.
//!
//! A letter is the truth of all atoms. There are 2ⁿ of them, and most do not occur in a process; so a transition is made when
//! somebody reads the letter in that state.

mod buchi;
mod history;
#[cfg(test)]
mod tests;

use self::buchi::Buchi;
use self::history::{Tree, Trees};
use super::automaton::automaton;
use super::positive;
use std::collections::HashMap;
use std::rc::Rc;
use swarmcheck_ir::Linear;

/// The truth of the atoms: bit `n` is atom `n`.
pub type Letter = u64;

/// How large automata may become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// States of the Büchi automaton.
    pub buchi: usize,
    /// States of the deterministic one.
    pub states: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { buchi: 2000, states: 100_000 }
    }
}

/// Why there is no automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooLarge {
    /// The formula has so many different conditions, more than [`MOST_ATOMS`].
    Atoms(usize),
    /// The Büchi automaton has more states than this limit.
    Buchi(usize),
    /// The deterministic automaton has more states than this limit.
    States(usize),
}

/// A letter has a bit for each atom.
pub const MOST_ATOMS: usize = 64;

/// What happens when a letter is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The state after it.
    pub to: u32,
    /// The pairs that hold, in order. All others do not.
    pub holds: Vec<u32>,
    /// Those of them that are met, in order.
    pub met: Vec<u32>,
}

/// A state of the deterministic automaton.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum State {
    /// Whatever follows is accepted.
    Accepts,
    /// Nothing that follows is accepted.
    Rejects,
    Tree(Tree),
}

/// A deterministic Rabin automaton that grows while it is used.
pub struct Rabin {
    buchi: Buchi,
    trees: Trees,
    states: Vec<State>,
    numbers: HashMap<State, u32>,
    edges: HashMap<(u32, Letter), Rc<Edge>>,
    limit: usize,
}

/// The pair of the state that accepts everything.
const ALL: u32 = 0;

impl Rabin {
    /// The automaton of a formula whose atoms have the numbers from 0 on. Its first state has the number 0.
    ///
    /// # Errors
    /// If the formula has too many atoms, or too large a Büchi automaton.
    pub fn new(formula: &Linear<usize>, limits: Limits) -> Result<Rabin, TooLarge> {
        let mut atoms = vec![];
        formula.atoms(&mut atoms);
        let most = atoms.into_iter().max().map_or(0, |atom| atom.saturating_add(1));
        if most > MOST_ATOMS {
            return Err(TooLarge::Atoms(most));
        }
        let found = automaton(&positive(formula, false), limits.buchi);
        let buchi = Buchi::new(&found.ok_or(TooLarge::Buchi(limits.buchi))?);
        let mut out = Rabin {
            buchi,
            trees: Trees::new(ALL + 1),
            states: vec![],
            numbers: HashMap::new(),
            edges: HashMap::new(),
            limit: limits.states.max(1),
        };
        let first = out.state(Tree::leaf(vec![out.buchi.first]));
        out.number(first)?;
        Ok(out)
    }

    /// The state with number 0.
    pub const FIRST: u32 = 0;

    /// Reads a letter.
    ///
    /// # Errors
    /// If there are too many states.
    pub fn read(&mut self, state: u32, letter: Letter) -> Result<Rc<Edge>, TooLarge> {
        // Letters that differ in atoms of no transition are one.
        let letter = letter & self.buchi.atoms;
        if let Some(edge) = self.edges.get(&(state, letter)) {
            return Ok(Rc::clone(edge));
        }
        let edge = match &self.states[state as usize] {
            State::Accepts => Edge { to: state, holds: vec![ALL], met: vec![ALL] },
            State::Rejects => Edge { to: state, holds: vec![], met: vec![] },
            State::Tree(tree) => {
                let tree = tree.clone();
                let (after, holds, met) = self.trees.step(&self.buchi, &tree, letter);
                let after = after.map_or(State::Rejects, |tree| self.state(tree));
                // At the last step before everything is accepted, nothing has to hold.
                let to = self.number(after)?;
                Edge { to, holds, met }
            }
        };
        let edge = Rc::new(edge);
        self.edges.insert((state, letter), Rc::clone(&edge));
        Ok(edge)
    }

    /// Whether everything that follows is accepted.
    pub fn accepts(&self, state: u32) -> bool {
        matches!(self.states[state as usize], State::Accepts)
    }

    /// Whether nothing that follows is accepted.
    pub fn rejects(&self, state: u32) -> bool {
        matches!(self.states[state as usize], State::Rejects)
    }

    /// How many states there are up to now.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// How many pairs there are up to now: their numbers are smaller.
    pub fn pairs(&self) -> u32 {
        self.trees.pairs()
    }

    fn state(&self, tree: Tree) -> State {
        match tree.label.iter().any(|&state| self.buchi.states[state as usize].sink) {
            true => State::Accepts,
            false if tree.label.is_empty() => State::Rejects,
            false => State::Tree(tree),
        }
    }

    fn number(&mut self, state: State) -> Result<u32, TooLarge> {
        if let Some(&number) = self.numbers.get(&state) {
            return Ok(number);
        }
        let number = self.states.len();
        if number >= self.limit {
            return Err(TooLarge::States(self.limit));
        }
        let number = u32::try_from(number).map_err(|_| TooLarge::States(self.limit))?;
        self.states.push(state.clone());
        self.numbers.insert(state, number);
        Ok(number)
    }
}
