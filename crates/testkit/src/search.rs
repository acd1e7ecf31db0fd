//! A naive search of the emulation program: breadth first, every state in a hash map, no reduction, no cleverness.
//!
//! Its verdicts are those of `docs/labs.md` 17, worked out on the whole graph by the textbook definitions, so that they
//! can serve as the expected verdicts of engines that do better.

use std::collections::{BTreeSet, HashMap};
use swarmcheck_engine::system;
use swarmcheck_ir::flat::{Flat, Instance, Machine};
use swarmcheck_ir::{Fault, Modality, Rule, Value};

/// The states that were found.
pub struct Space {
    /// The states in the order they were found.
    pub states: Vec<Vec<Value>>,
    /// How many of them are initial; they come first.
    pub initial: usize,
    /// The steps of each state, sorted, each once; empty where the state was not expanded.
    pub steps: Vec<Vec<(Instance, usize)>>,
    /// Whether each state was expanded.
    pub expanded: Vec<bool>,
    /// States without any step, not even one that is a fault.
    pub deadlocks: Vec<usize>,
    /// The first model error.
    pub fault: Option<Fault>,
    /// Whether everything was expanded that should have been.
    pub complete: bool,
}

/// Whether a property holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Holds,
    Violated,
    /// The model is invalid.
    Invalid(Fault),
    /// The limit was reached, or the modality is beyond this search.
    Unknown,
}

impl Space {
    /// Finds all states, at most `limit` of them.
    pub fn explore(flat: &Flat, limit: usize) -> Space {
        Space::explore_where(flat, limit, |_, _| true)
    }

    /// Finds the states that can be reached through states to be expanded.
    pub fn explore_where(
        flat: &Flat,
        limit: usize,
        mut expand: impl FnMut(&mut Machine, &[Value]) -> bool,
    ) -> Space {
        let mut machine = Machine::new(flat);
        let mut index: HashMap<Vec<Value>, usize> = HashMap::new();
        let mut space = Space {
            states: vec![],
            initial: 0,
            steps: vec![],
            expanded: vec![],
            deadlocks: vec![],
            fault: None,
            complete: true,
        };
        let result = system::initial_states(flat, &mut machine, &mut |state| {
            space.number(&mut index, state.to_vec());
            space.states.len() < limit
        });
        space.fault = result.err();
        space.initial = space.states.len();
        let mut at = 0;
        while at < space.states.len() {
            if space.states.len() >= limit {
                space.complete = false;
                break;
            }
            let state = space.states[at].clone();
            if expand(&mut machine, &state) {
                space.expand(flat, &mut machine, &mut index, at, &state);
            }
            at += 1;
        }
        space
    }

    fn number(&mut self, index: &mut HashMap<Vec<Value>, usize>, state: Vec<Value>) -> usize {
        let next = self.states.len();
        *index.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            self.steps.push(vec![]);
            self.expanded.push(false);
            next
        })
    }

    fn expand(
        &mut self,
        flat: &Flat,
        machine: &mut Machine,
        index: &mut HashMap<Vec<Value>, usize>,
        at: usize,
        state: &[Value],
    ) {
        let mut stuck = true;
        let mut steps = vec![];
        for step in system::successors(flat, machine, state) {
            stuck = false;
            match step.result {
                Ok(target) => steps.push((step.instance, self.number(index, target))),
                Err(fault) => self.fault = self.fault.or(Some(fault)),
            }
        }
        steps.sort();
        steps.dedup();
        self.steps[at] = steps;
        self.expanded[at] = true;
        if stuck {
            self.deadlocks.push(at);
        }
    }

    /// Distinct pairs of an instance and a target, summed over the states.
    pub fn transitions(&self) -> usize {
        self.steps.iter().map(Vec::len).sum()
    }

    /// The same with the functions of one action, or of one rule and tuple, taken for one: as the reference counts.
    pub fn labelled_transitions(&self, flat: &Flat) -> usize {
        let label = |at: &Instance| match &flat.program.functions[at.function as usize].rule {
            Rule::Action { site, .. } => ("action", *site, at.agent),
            Rule::System { verb, site, .. } => (*verb, *site, at.agent),
        };
        let distinct = |steps: &Vec<(Instance, usize)>| {
            steps.iter().map(|(at, target)| (label(at), *target)).collect::<BTreeSet<_>>().len()
        };
        self.steps.iter().map(distinct).sum()
    }

    /// Decides a modality of a predicate, given by its truth in each state.
    pub fn verdict(&self, modality: &Modality, holds: &[bool]) -> Verdict {
        if let Some(fault) = self.fault {
            return Verdict::Invalid(fault);
        }
        let everything: Vec<bool> = vec![true; self.states.len()];
        let without: Vec<bool> = holds.iter().map(|h| !h).collect();
        let answer = match modality {
            Modality::Always => self.decided(!holds.contains(&false)),
            Modality::Eventually | Modality::Finally => {
                let avoiding = self.reached(&without);
                let stuck = self.deadlocks.iter().any(|&at| avoiding[at]);
                self.decided(!stuck && !self.has_cycle(&avoiding))
            }
            Modality::Fairly => self.complete.then(|| self.can_reach(&self.reached(&without), holds)),
            Modality::FairlyInf => self.complete.then(|| self.can_reach(&self.reached(&everything), holds)),
            Modality::After(steps) => self.complete.then(|| self.after(*steps).iter().all(|&at| holds[at])),
            Modality::Scoped { .. } | Modality::Linear(_) => None,
        };
        match answer {
            Some(true) => Verdict::Holds,
            Some(false) => Verdict::Violated,
            None => Verdict::Unknown,
        }
    }

    /// A counterexample counts wherever it was found, its absence only if nothing was left out.
    fn decided(&self, holds: bool) -> Option<bool> {
        (self.complete || !holds).then_some(holds)
    }

    /// The states reached from initial states through such states only.
    fn reached(&self, through: &[bool]) -> Vec<bool> {
        let mut seen = vec![false; self.states.len()];
        let mut todo: Vec<usize> = (0..self.initial).filter(|&at| through[at]).collect();
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut seen[at], true) {
                let next = self.steps[at].iter().map(|(_, target)| *target);
                todo.extend(next.filter(|&target| through[target]));
            }
        }
        seen
    }

    /// Whether these states have a cycle among them: whether some remain when those without successors go, again and
    /// again.
    fn has_cycle(&self, inside: &[bool]) -> bool {
        let mut left: Vec<usize> = vec![0; self.states.len()];
        let mut before: Vec<Vec<usize>> = vec![vec![]; self.states.len()];
        for at in (0..self.states.len()).filter(|&at| inside[at]) {
            for &(_, target) in self.steps[at].iter().filter(|(_, target)| inside[*target]) {
                left[at] += 1;
                before[target].push(at);
            }
        }
        let mut remaining = inside.iter().filter(|inside| **inside).count();
        let mut todo: Vec<usize> = (0..left.len()).filter(|&at| inside[at] && left[at] == 0).collect();
        while let Some(at) = todo.pop() {
            remaining -= 1;
            for &source in &before[at] {
                left[source] -= 1;
                if left[source] == 0 {
                    todo.push(source);
                }
            }
        }
        remaining > 0
    }

    /// Whether a goal can be reached from each of these states.
    fn can_reach(&self, from: &[bool], goal: &[bool]) -> bool {
        let mut before: Vec<Vec<usize>> = vec![vec![]; self.states.len()];
        for (at, steps) in self.steps.iter().enumerate() {
            steps.iter().for_each(|(_, target)| before[*target].push(at));
        }
        let mut can = vec![false; self.states.len()];
        let mut todo: Vec<usize> = (0..goal.len()).filter(|&at| goal[at]).collect();
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut can[at], true) {
                todo.extend(&before[at]);
            }
        }
        from.iter().zip(can).all(|(from, can)| !from || can)
    }

    /// The states after exactly this many steps.
    fn after(&self, steps: u32) -> BTreeSet<usize> {
        let mut layer: BTreeSet<usize> = (0..self.initial).collect();
        for _ in 0..steps {
            layer = layer.iter().flat_map(|&at| &self.steps[at]).map(|(_, target)| *target).collect();
        }
        layer
    }
}

/// Decides a property of a program. A space that was explored before is used if it is complete; otherwise `eventually`
/// and `fairly` get a search of their own that does not go beyond the predicate, which may be finite when the whole is
/// not.
pub fn decide(flat: &Flat, property: usize, space: &Space, limit: usize) -> Verdict {
    let modality = &flat.program.properties[property].modality;
    let bounded = matches!(modality, Modality::Eventually | Modality::Finally | Modality::Fairly);
    if space.complete || !bounded {
        return decide_in(flat, property, space);
    }
    // An error in the predicate is met again, and reported, when the verdict is made.
    let own = Space::explore_where(flat, limit, |machine, state| {
        flat.holds(machine, property, state).is_ok_and(|holds| !holds)
    });
    decide_in(flat, property, &own)
}

fn decide_in(flat: &Flat, property: usize, space: &Space) -> Verdict {
    let mut machine = Machine::new(flat);
    let holds: Result<Vec<bool>, Fault> =
        space.states.iter().map(|state| flat.holds(&mut machine, property, state)).collect();
    match holds {
        Ok(holds) => space.verdict(&flat.program.properties[property].modality, &holds),
        Err(fault) => Verdict::Invalid(fault),
    }
}
