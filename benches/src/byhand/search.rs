//! Breadth-first search through a model that is known to the compiler, and "from everywhere the goal can be reached".

use super::reach::Reach;
use super::table::{Full, Key, Table};

/// States that are expanded together. Their successors fit the nearest caches; see `Table::touch`.
const BLOCK: usize = 64;

/// One model, written by hand.
pub trait ByHand {
    /// A state as the program computes with it.
    type State: Copy;
    /// A state as it is stored.
    type Key: Key;
    /// What is stored for a state: different for different states.
    fn key(&self, state: Self::State) -> Self::Key;
    /// Chooses the slot where a key is looked for: the upper bits do. States that follow each other should be near each
    /// other if that can be had without crowding.
    #[inline(always)]
    fn hash(&self, key: Self::Key) -> u64 {
        key.hash()
    }
    /// Calls `found` for every initial state.
    fn initial(&self, found: &mut impl FnMut(Self::State));
    /// Calls `found` for the result of every transition of a state.
    fn successors(&self, state: Self::State, found: &mut impl FnMut(Self::State));
    /// Whether the goal is reached.
    fn goal(&self, state: Self::State) -> bool;
}

/// What a search has found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// Reachable states.
    pub states: u64,
    /// Their transitions.
    pub transitions: u64,
    /// States from which the goal cannot be reached, if that was asked.
    pub lost: Option<u64>,
}

/// Visits every state. The table is made for so many states; more are an error.
pub fn explore<M: ByHand>(model: &M, most: usize) -> Result<Found, Full> {
    Search::<M, false>::new(most)?.run(model)
}

/// Visits every state and counts those from which the goal cannot be reached.
pub fn settle<M: ByHand>(model: &M, most: usize) -> Result<Found, Full> {
    Search::<M, true>::new(most)?.run(model)
}

struct Search<M: ByHand, const GOAL: bool> {
    table: Table<M::Key>,
    reach: Reach,
    /// States that wait to be looked up.
    candidates: Vec<M::State>,
    /// What is looked up for them, and where.
    probes: Vec<(M::Key, u32)>,
    /// Where they were found, if that is needed.
    slots: Vec<u32>,
    /// New states of the next layer, and where they are, if that is needed.
    next: Vec<M::State>,
    next_slots: Vec<u32>,
}

impl<M: ByHand, const GOAL: bool> Search<M, GOAL> {
    fn new(most: usize) -> Result<Self, Full> {
        let table = Table::new(most)?;
        // Memory that is reserved but never used costs nothing, and nothing is allocated inside the loop.
        let numbers = if GOAL { most } else { 0 };
        Ok(Search {
            reach: Reach::new(if GOAL { table.size() } else { 0 }),
            table,
            candidates: Vec::with_capacity(32 * BLOCK),
            probes: Vec::with_capacity(32 * BLOCK),
            slots: Vec::with_capacity(32 * BLOCK),
            next: Vec::with_capacity(most),
            next_slots: Vec::with_capacity(numbers),
        })
    }

    fn run(mut self, model: &M) -> Result<Found, Full> {
        let mut outcome = Ok(());
        model.initial(&mut |state| {
            self.candidates.push(state);
            if self.candidates.len() == 16 * BLOCK && outcome.is_ok() {
                outcome = self.take_in(model);
            }
        });
        outcome?;
        self.take_in(model)?;
        let mut transitions = 0;
        let mut layer = Vec::with_capacity(self.next.capacity());
        let mut layer_slots = Vec::with_capacity(self.next_slots.capacity());
        let mut ends = Vec::with_capacity(BLOCK);
        while !self.next.is_empty() {
            std::mem::swap(&mut layer, &mut self.next);
            std::mem::swap(&mut layer_slots, &mut self.next_slots);
            self.next.clear();
            self.next_slots.clear();
            for (number, block) in layer.chunks(BLOCK).enumerate() {
                ends.clear();
                for state in block {
                    model.successors(*state, &mut |after| self.candidates.push(after));
                    ends.push(self.candidates.len());
                }
                transitions += self.candidates.len() as u64;
                self.take_in(model)?;
                if GOAL {
                    let mut begin = 0;
                    for (slot, end) in layer_slots[number * BLOCK..].iter().zip(&ends) {
                        self.reach.step(*slot, &self.slots[begin..*end])?;
                        begin = *end;
                    }
                }
            }
        }
        let states = self.table.states() as u64;
        // The goal is looked for backwards when nothing else needs memory any more.
        let Search { reach, .. } = self;
        Ok(Found { states, transitions, lost: GOAL.then(|| reach.lost()) })
    }

    /// Looks up all candidates; new ones go to the next layer.
    fn take_in(&mut self, model: &M) -> Result<(), Full> {
        self.probes.clear();
        for state in &self.candidates {
            let key = model.key(*state);
            let home = self.table.home(model.hash(key));
            self.table.touch(home);
            self.probes.push((key, home));
        }
        self.slots.clear();
        for (state, (key, home)) in self.candidates.iter().zip(&self.probes) {
            let (slot, new) = self.table.insert(*key, *home)?;
            if new {
                self.next.push(*state);
            }
            if GOAL {
                self.slots.push(slot);
                if new {
                    self.next_slots.push(slot);
                    if model.goal(*state) {
                        self.reach.mark(slot);
                    }
                }
            }
        }
        self.candidates.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers below a bound; from `x` one gets to `3 x + 1` and `x / 2`, modulo the bound, and from 0 nowhere.
    struct Numbers {
        bound: u32,
        goal: u32,
    }

    impl ByHand for Numbers {
        type State = u32;
        type Key = u32;
        fn key(&self, state: u32) -> u32 {
            state
        }
        fn initial(&self, found: &mut impl FnMut(u32)) {
            found(7 % self.bound);
            found(self.bound - 1);
        }
        fn successors(&self, state: u32, found: &mut impl FnMut(u32)) {
            if state > 0 {
                found((3 * state + 1) % self.bound);
                found(state / 2);
            }
        }
        fn goal(&self, state: u32) -> bool {
            state == self.goal
        }
    }

    /// The same by repeating the definition until nothing changes.
    fn naively(model: &Numbers) -> Found {
        let (mut known, mut good) = (vec![false; model.bound as usize], vec![false; model.bound as usize]);
        model.initial(&mut |s| known[s as usize] = true);
        let mut transitions = 0;
        for _ in 0..2 * model.bound {
            transitions = 0;
            for s in 0..model.bound {
                if known[s as usize] {
                    let mut after = vec![];
                    model.successors(s, &mut |t| after.push(t));
                    transitions += after.len() as u64;
                    after.iter().for_each(|t| known[*t as usize] = true);
                    good[s as usize] |= model.goal(s) || after.iter().any(|t| good[*t as usize]);
                }
            }
        }
        let states = known.iter().filter(|k| **k).count() as u64;
        let lost = known.iter().zip(&good).filter(|(k, g)| **k && !**g).count() as u64;
        Found { states, transitions, lost: Some(lost) }
    }

    #[test]
    fn small_graphs_are_searched_as_the_definition_says() {
        let (mut some, mut none) = (0, 0);
        for bound in 1..90 {
            for goal in [0, 1, bound / 2, bound - 1] {
                let model = Numbers { bound, goal };
                let expected = naively(&model);
                assert_eq!(settle(&model, bound as usize), Ok(expected), "{bound} {goal}");
                assert_eq!(explore(&model, bound as usize), Ok(Found { lost: None, ..expected }));
                match expected.lost {
                    Some(0) => none += 1,
                    _ => some += 1,
                }
            }
        }
        assert!(some > 50 && none > 50, "{some} {none}: both answers are worth testing");
    }

    #[test]
    fn a_table_that_is_too_small_is_an_error() {
        let model = Numbers { bound: 50, goal: 0 };
        let states = naively(&model).states as usize;
        assert!(explore(&model, states).is_ok());
        assert_eq!(explore(&model, states - 1), Err(Full));
    }
}
