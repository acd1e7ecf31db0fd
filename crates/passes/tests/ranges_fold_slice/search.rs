//! A naive search: every state in a map, no reduction.

use std::collections::{HashMap, HashSet};
use swarmcheck_ir::flat::{Enumerate, Flat, Machine, Outcome};
use swarmcheck_ir::{Expr, FaultKind, Program, Value};

/// All reachable states.
pub struct Space {
    pub flat: Flat,
    pub states: Vec<Vec<Value>>,
    pub initial: usize,
    /// The successors of each state: the function, the agent, the state.
    pub steps: Vec<Vec<(u32, u32, usize)>>,
    pub fault: Option<FaultKind>,
}

impl Space {
    /// Finds all states. `stop` says where not to go on.
    pub fn explore(program: &Program, limit: usize, stop: Option<&Expr>) -> Space {
        let flat = Flat::new(program.clone());
        let stop = stop.map(|e| flat.compile(e));
        let mut space = Space { flat, states: vec![], initial: 0, steps: vec![], fault: None };
        let mut index: HashMap<Vec<Value>, usize> = HashMap::new();
        let mut machine = Machine::new(&space.flat);
        let mut choices = Enumerate::default();
        loop {
            let mut state = vec![0; space.flat.width()];
            match machine.initialise(&space.flat, &mut state, &mut choices) {
                Outcome::Done => {
                    space.number(&mut index, state);
                }
                Outcome::Disabled => {}
                Outcome::Fault(fault) => space.fault = space.fault.or(Some(fault.kind)),
            }
            if !choices.advance() {
                break;
            }
        }
        space.initial = space.states.len();
        let mut at = 0;
        while at < space.states.len() {
            assert!(space.states.len() <= limit, "more than {limit} states");
            let stops = stop.as_ref().is_some_and(|stop| {
                machine.test(&space.flat, stop, &space.states[at]).expect("a condition without faults")
            });
            if !stops {
                for i in 0..space.flat.instances() {
                    space.run(&mut index, &mut machine, at, i);
                }
            }
            at += 1;
        }
        space
    }

    fn run(&mut self, index: &mut HashMap<Vec<Value>, usize>, machine: &mut Machine, at: usize, i: u32) {
        let instance = self.flat.instance(i);
        let mut choices = Enumerate::default();
        loop {
            let mut state = self.states[at].clone();
            match machine.step(&self.flat, instance, &mut state, &mut choices) {
                Outcome::Done => {
                    let next = self.number(index, state);
                    self.steps[at].push((instance.function, instance.agent, next));
                }
                Outcome::Disabled => {}
                Outcome::Fault(fault) => self.fault = self.fault.or(Some(fault.kind)),
            }
            if !choices.advance() {
                break;
            }
        }
    }

    fn number(&mut self, index: &mut HashMap<Vec<Value>, usize>, state: Vec<Value>) -> usize {
        if let Some(at) = index.get(&state) {
            return *at;
        }
        index.insert(state.clone(), self.states.len());
        self.states.push(state);
        self.steps.push(vec![]);
        self.states.len() - 1
    }

    pub fn holds(&self, condition: &Expr) -> Vec<bool> {
        let code = self.flat.compile(condition);
        let mut machine = Machine::new(&self.flat);
        let test = |s: &Vec<Value>| machine.test(&self.flat, &code, s).expect("a condition without faults");
        self.states.iter().map(test).collect()
    }

    /// Whether a condition holds everywhere.
    pub fn always(&self, condition: &Expr) -> bool {
        self.holds(condition).into_iter().all(|h| h)
    }

    /// Whether a condition can be reached from everywhere.
    pub fn fairly_always(&self, condition: &Expr) -> bool {
        let mut good = self.holds(condition);
        loop {
            let mut changed = false;
            for at in (0..self.states.len()).rev() {
                if !good[at] && self.steps[at].iter().any(|(_, _, next)| good[*next]) {
                    good[at] = true;
                    changed = true;
                }
            }
            if !changed {
                return good.into_iter().all(|g| g);
            }
        }
    }

    /// Whether every maximal execution meets the condition.
    pub fn eventually(&self, condition: &Expr) -> bool {
        let mut good = self.holds(condition);
        loop {
            let mut changed = false;
            for at in (0..self.states.len()).rev() {
                let steps = &self.steps[at];
                if !good[at] && !steps.is_empty() && steps.iter().all(|(_, _, next)| good[*next]) {
                    good[at] = true;
                    changed = true;
                }
            }
            if !changed {
                return good[..self.initial].iter().all(|g| *g);
            }
        }
    }

    /// Whether some execution ends.
    pub fn ends(&self) -> bool {
        self.steps.iter().any(Vec::is_empty)
    }

    /// The states with all cells but those of the given variables set to 0.
    pub fn projected(&self, keep: impl Fn(swarmcheck_ir::VarId) -> bool) -> HashSet<Vec<Value>> {
        let project = |s: &Vec<Value>| {
            let cells = s.iter().enumerate();
            cells.map(|(i, v)| if keep(self.flat.layout.cell(i as u32).var) { *v } else { 0 }).collect()
        };
        self.states.iter().map(project).collect()
    }
}
