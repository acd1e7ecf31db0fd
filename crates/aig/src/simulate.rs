//! Systems executed bit by bit, and executions written down.

use crate::graph::{Lit, value};
use crate::system::System;

/// Executes a system. It keeps one vector of values, so that steps do not allocate more than their results.
#[derive(Clone, Debug)]
pub struct Simulation<'a> {
    system: &'a System,
    values: Vec<bool>,
}

impl<'a> Simulation<'a> {
    pub fn new(system: &'a System) -> Simulation<'a> {
        Simulation { system, values: vec![false; system.graph.nodes().len()] }
    }

    /// The state that a choice of a start gives, if it is a possible one. Missing values count as false.
    pub fn start(&mut self, choice: &[bool]) -> Option<Vec<bool>> {
        self.set(&self.system.start_inputs, choice);
        self.system.graph.evaluate(&mut self.values);
        if !value(&self.values, self.system.start_valid) {
            return None;
        }
        Some(self.system.latches.iter().map(|latch| value(&self.values, latch.start)).collect())
    }

    /// The state after a step, if the choice is a possible one here. Missing values count as false.
    pub fn step(&mut self, state: &[bool], choice: &[bool]) -> Option<Vec<bool>> {
        self.place(state);
        self.set(&self.system.inputs, choice);
        self.system.graph.evaluate(&mut self.values);
        if !value(&self.values, self.system.valid) {
            return None;
        }
        Some(self.system.latches.iter().map(|latch| value(&self.values, latch.next)).collect())
    }

    /// The value of a function over latches.
    pub fn holds(&mut self, state: &[bool], function: Lit) -> bool {
        self.place(state);
        self.system.graph.evaluate(&mut self.values);
        value(&self.values, function)
    }

    /// The value of a function over latches and inputs.
    pub fn holds_in_step(&mut self, state: &[bool], choice: &[bool], function: Lit) -> bool {
        self.set(&self.system.inputs, choice);
        self.holds(state, function)
    }

    fn place(&mut self, state: &[bool]) {
        for (latch, &bit) in self.system.latches.iter().zip(state) {
            self.values[latch.variable.node() as usize] = bit;
        }
    }

    fn set(&mut self, variables: &'a [Lit], choice: &[bool]) {
        for (i, variable) in variables.iter().enumerate() {
            self.values[variable.node() as usize] = choice.get(i).copied().unwrap_or(false);
        }
    }
}

/// An execution: what was chosen, and the states passed through.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// Values of the start inputs.
    pub start: Vec<bool>,
    /// Values of the inputs, one vector per step.
    pub steps: Vec<Vec<bool>>,
    /// Values of the latches: one vector more than there are steps.
    pub states: Vec<Vec<bool>>,
    /// If the execution goes on forever: the last state is the same as this one, and the steps between repeat.
    pub back_to: Option<usize>,
}

impl Witness {
    /// Executes the choices. Nothing if one of them is not possible.
    pub fn replay(system: &System, start: Vec<bool>, steps: Vec<Vec<bool>>) -> Option<Witness> {
        let mut simulation = Simulation::new(system);
        let mut states = vec![simulation.start(&start)?];
        for (i, choice) in steps.iter().enumerate() {
            let next = simulation.step(&states[i], choice)?;
            states.push(next);
        }
        Some(Witness { start, steps, states, back_to: None })
    }

    /// The last state.
    pub fn last(&self) -> &[bool] {
        self.states.last().map_or(&[], |state| state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Latch;

    /// A counter of two bits that starts at 0 or 1 and cannot count beyond 3: 2 → 3 needs one step, and 3 has none.
    #[test]
    fn executions_follow_the_definitions() {
        let mut system = System::default();
        let g = &mut system.graph;
        let (low, high, first, go) = (g.variable(), g.variable(), g.variable(), g.variable());
        let sum = g.xor(low, go);
        let carry = g.and(low, go);
        let next_high = g.xor(high, carry);
        let full = g.and(low, high);
        system.valid = !full;
        system.latches = vec![
            Latch { variable: low, start: first, next: sum },
            Latch { variable: high, start: Lit::FALSE, next: next_high },
        ];
        system.start_inputs = vec![first];
        system.inputs = vec![go];
        let steps = vec![vec![true], vec![false], vec![true]];
        let witness = Witness::replay(&system, vec![true], steps.clone()).expect("an execution");
        let numbers: Vec<u8> = witness.states.iter().map(|s| u8::from(s[0]) + 2 * u8::from(s[1])).collect();
        assert_eq!(numbers, [1, 2, 2, 3]);
        let mut longer = steps;
        longer.push(vec![false]);
        assert_eq!(Witness::replay(&system, vec![true], longer), None);
    }
}
