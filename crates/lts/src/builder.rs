//! Making a system, transition by transition in any order.

use crate::system::{Lts, Transition};
use std::collections::HashMap;

/// A system in the making. States need not be announced: using a number is enough.
#[derive(Clone, Default, Debug)]
pub struct Builder {
    states: u32,
    labels: Vec<String>,
    numbers: HashMap<String, u32>,
    transitions: Vec<Transition>,
}

impl Builder {
    /// A system without states.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// How many states there are so far.
    pub fn states(&self) -> u32 {
        self.states
    }

    /// Makes sure that there are at least this many states.
    pub fn at_least(&mut self, states: u32) {
        self.states = self.states.max(states);
    }

    /// A new state.
    ///
    /// # Panics
    /// If there are as many states as a `u32` can count.
    pub fn state(&mut self) -> u32 {
        let state = self.states;
        self.use_state(state);
        state
    }

    /// The number of a label.
    pub fn label(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.labels.len() as u32;
        self.labels.push(text.to_string());
        self.numbers.insert(text.to_string(), number);
        number
    }

    /// Adds a transition. To add one that is there already changes nothing.
    ///
    /// # Panics
    /// If the label did not come from [`Builder::label`], or a state's number is `u32::MAX`.
    pub fn transition(&mut self, source: u32, label: u32, target: u32) {
        assert!((label as usize) < self.labels.len(), "a label of this builder");
        self.use_state(source);
        self.use_state(target);
        self.transitions.push(Transition { source, label, target });
    }

    /// Adds a transition, given the label's text.
    ///
    /// # Panics
    /// If a state's number is `u32::MAX`.
    pub fn step(&mut self, source: u32, label: &str, target: u32) {
        let label = self.label(label);
        self.transition(source, label, target);
    }

    /// A new state that leads to several, each by a label: it can serve as the initial state of a system that may
    /// begin in any of them.
    pub fn entry(&mut self, steps: impl IntoIterator<Item = (u32, u32)>) -> u32 {
        // The targets may be new themselves, and must not become the entry.
        let steps: Vec<_> = steps.into_iter().collect();
        steps.iter().for_each(|&(_, target)| self.use_state(target));
        let entry = self.state();
        for (label, target) in steps {
            self.transition(entry, label, target);
        }
        entry
    }

    /// The system.
    ///
    /// # Panics
    /// If the initial state's number is `u32::MAX`.
    pub fn finish(mut self, initial: u32) -> Lts {
        self.use_state(initial);
        self.transitions.sort_unstable();
        self.transitions.dedup();
        Lts::from_sorted(initial, self.states, self.labels, &self.transitions)
    }

    fn use_state(&mut self, state: u32) {
        let count = state.checked_add(1).expect("states can be counted");
        self.at_least(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transitions_are_sorted_and_unique() {
        let mut builder = Builder::new();
        builder.step(2, "b", 0);
        builder.step(0, "b", 1);
        builder.step(0, "a", 3);
        builder.step(0, "b", 1);
        let lts = builder.finish(2);
        assert_eq!((lts.initial(), lts.states(), lts.transitions()), (2, 4, 3));
        assert_eq!(lts.labels(), ["b", "a"]);
        assert_eq!(lts.steps(0), [(0, 1), (1, 3)]);
        assert_eq!(lts.steps(1), []);
        assert_eq!(lts.all_steps().collect::<Vec<_>>(), [(0, 0, 1), (0, 1, 3), (2, 0, 0)]);
    }

    #[test]
    fn an_entry_leads_to_all_initial_states() {
        let mut builder = Builder::new();
        builder.step(0, "a", 1);
        let (first, second) = (builder.label("initial 0"), builder.label("initial 7"));
        let entry = builder.entry([(first, 0), (second, 7)]);
        assert_eq!(entry, 8);
        let lts = builder.finish(entry);
        assert_eq!(lts.states(), 9);
        assert_eq!(lts.steps(8), [(first, 0), (second, 7)]);
    }

    #[test]
    fn a_system_has_its_initial_state() {
        let lts = Builder::new().finish(0);
        assert_eq!((lts.initial(), lts.states(), lts.transitions(), lts.tau()), (0, 1, 0, None));
    }
}
