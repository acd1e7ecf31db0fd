//! A run in which a person chooses every step. No terminal here: the shell around it asks and prints.

use swarmcheck_engine::{Step, successors};
use swarmcheck_ir::Value;
use swarmcheck_ir::flat::{Flat, Machine};

/// A step on offer.
#[derive(Clone, Debug)]
pub struct Offer {
    pub step: Step,
    /// What it writes, as [`Machine::writes`] reports it.
    pub writes: Vec<(u32, Value)>,
}

/// Where the person is, and how they got there.
pub struct Menu<'f> {
    flat: &'f Flat,
    machine: Machine,
    past: Vec<Vec<Value>>,
    state: Vec<Value>,
}

impl<'f> Menu<'f> {
    /// Starts in a state.
    pub fn new(flat: &'f Flat, state: Vec<Value>) -> Menu<'f> {
        Menu { flat, machine: Machine::new(flat), past: vec![], state }
    }

    /// The current state.
    pub fn state(&self) -> &[Value] {
        &self.state
    }

    /// How many steps have been taken.
    pub fn depth(&self) -> usize {
        self.past.len()
    }

    /// The steps that can be taken now, each with what `look` makes of it, given the state before. Choices of an instance
    /// that lead to the same state and look the same are offered once.
    pub fn offers<L: PartialEq>(&mut self, look: impl Fn(&[Value], &Step) -> L) -> Vec<(Offer, L)> {
        let mut out: Vec<(Offer, L)> = vec![];
        for step in successors(self.flat, &mut self.machine, &self.state) {
            let seen = look(&self.state, &step);
            let same = |o: &Offer| o.step.instance == step.instance && o.step.result == step.result;
            if !out.iter().any(|(offer, other)| same(offer) && *other == seen) {
                let mut run = crate::run::Run::from_state(self.flat, crate::Rng::new(0), self.state.clone());
                run.replay(step.instance, &step.choices);
                out.push((Offer { writes: run.writes().to_vec(), step }, seen));
            }
        }
        out
    }

    /// Takes a step; `false` if it meets a fault.
    pub fn take(&mut self, offer: &Offer) -> bool {
        match &offer.step.result {
            Ok(next) => {
                self.past.push(std::mem::replace(&mut self.state, next.clone()));
                true
            }
            Err(_) => false,
        }
    }

    /// Goes back one step; `false` at the start.
    pub fn back(&mut self) -> bool {
        match self.past.pop() {
            Some(state) => {
                self.state = state;
                true
            }
            None => false,
        }
    }

    /// Whether a property's predicate holds now.
    pub fn holds(&mut self, property: usize) -> Result<bool, swarmcheck_ir::Fault> {
        self.flat.holds(&mut self.machine, property, &self.state)
    }
}
