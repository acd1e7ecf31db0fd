//! Naive exploration: every state, every step, no cleverness.

use std::collections::HashMap;
use swarmcheck_ir::flat::{Enumerate, Flat, Machine, Outcome};
use swarmcheck_ir::{Fault, Modality, Program, Value};

/// All reachable states of a program.
pub struct Graph {
    pub flat: Flat,
    pub states: Vec<Vec<Value>>,
    pub initial: Vec<usize>,
    pub next: Vec<Vec<usize>>,
    /// Faults met on the way, sorted, each once.
    pub faults: Vec<Fault>,
}

/// Explores a program.
pub fn explore(program: Program) -> Graph {
    explore_by(program, &mut |_| {})
}

/// Explores a program; every state is replaced by the one that stands for it.
pub fn explore_by(program: Program, represent: &mut dyn FnMut(&mut [Value])) -> Graph {
    bounded(program, represent, 500_000).expect("not too many states")
}

/// The same, unless there are more states than that.
pub fn bounded(program: Program, represent: &mut dyn FnMut(&mut [Value]), most: usize) -> Option<Graph> {
    let mut search = Search {
        machine: Machine::default(),
        graph: Graph {
            flat: Flat::new(program),
            states: vec![],
            initial: vec![],
            next: vec![],
            faults: vec![],
        },
        known: HashMap::new(),
    };
    search.machine = Machine::new(&search.graph.flat);
    search.initial(represent);
    let mut at = 0;
    while at < search.graph.states.len() {
        let next = search.successors(at, represent);
        search.graph.next.push(next);
        at += 1;
        if search.graph.states.len() > most {
            return None;
        }
    }
    search.graph.faults.sort();
    search.graph.faults.dedup();
    Some(search.graph)
}

struct Search {
    graph: Graph,
    machine: Machine,
    known: HashMap<Vec<Value>, usize>,
}

impl Search {
    fn add(&mut self, mut state: Vec<Value>, represent: &mut dyn FnMut(&mut [Value])) -> usize {
        represent(&mut state);
        if let Some(at) = self.known.get(&state) {
            return *at;
        }
        self.graph.states.push(state.clone());
        self.known.insert(state, self.graph.states.len() - 1);
        self.graph.states.len() - 1
    }

    fn initial(&mut self, represent: &mut dyn FnMut(&mut [Value])) {
        let mut state = vec![0; self.graph.flat.width()];
        let mut choices = Enumerate::default();
        loop {
            match self.machine.initialise(&self.graph.flat, &mut state, &mut choices) {
                Outcome::Done => {
                    let at = self.add(state.clone(), represent);
                    if !self.graph.initial.contains(&at) {
                        self.graph.initial.push(at);
                    }
                }
                Outcome::Disabled => {}
                Outcome::Fault(fault) => self.graph.faults.push(fault),
            }
            if !choices.advance() {
                return;
            }
        }
    }

    fn successors(&mut self, at: usize, represent: &mut dyn FnMut(&mut [Value])) -> Vec<usize> {
        let (next, faults) = step_all(&self.graph.flat, &mut self.machine, &self.graph.states[at]);
        self.graph.faults.extend(faults);
        let mut out: Vec<usize> = next.into_iter().map(|s| self.add(s, represent)).collect();
        out.sort();
        out.dedup();
        out
    }
}

/// All successors of a state, and the faults on the way.
pub fn step_all(flat: &Flat, machine: &mut Machine, state: &[Value]) -> (Vec<Vec<Value>>, Vec<Fault>) {
    let mut work = state.to_vec();
    let (mut out, mut faults) = (vec![], vec![]);
    let mut choices = Enumerate::default();
    for number in 0..flat.instances() {
        choices.reset();
        loop {
            match machine.step(flat, flat.instance(number), &mut work, &mut choices) {
                Outcome::Done => {
                    out.push(work.clone());
                    machine.undo(&mut work);
                }
                Outcome::Disabled => {}
                Outcome::Fault(fault) => faults.push(fault),
            }
            if !choices.advance() {
                break;
            }
        }
    }
    (out, faults)
}

impl Graph {
    /// Whether the predicate of a property holds, state by state.
    pub fn holds(&self, property: usize) -> Vec<bool> {
        let mut machine = Machine::new(&self.flat);
        self.states
            .iter()
            .map(|s| self.flat.holds(&mut machine, property, s).expect("predicates do not fault"))
            .collect()
    }

    /// Whether some state has no step.
    pub fn deadlock(&self) -> bool {
        self.next.iter().any(Vec::is_empty)
    }

    /// Whether a property without a scope holds. `after` is not decided.
    pub fn verdict(&self, property: usize) -> Option<bool> {
        let p = self.holds(property);
        match &self.flat.program.properties[property].modality {
            Modality::Always => Some(p.iter().all(|p| *p)),
            Modality::Eventually | Modality::Finally => Some(!self.can_avoid(&p)),
            Modality::FairlyInf => Some(self.can_reach(&p).iter().all(|r| *r)),
            Modality::Fairly => {
                // States reached without the predicate: from the initial ones, through states that lack it.
                let reach = self.can_reach(&p);
                Some(self.without(&p).iter().enumerate().all(|(s, w)| !*w || reach[s]))
            }
            Modality::After(_) | Modality::Scoped { .. } | Modality::Linear(_) => None,
        }
    }

    /// The states that are reached without `p`.
    fn without(&self, p: &[bool]) -> Vec<bool> {
        let mut seen = vec![false; p.len()];
        let mut work: Vec<usize> = self.initial.clone();
        while let Some(s) = work.pop() {
            if !p[s] && !seen[s] {
                seen[s] = true;
                work.extend(&self.next[s]);
            }
        }
        seen
    }

    fn can_reach(&self, p: &[bool]) -> Vec<bool> {
        let mut reach = p.to_vec();
        loop {
            let mut changed = false;
            for s in (0..reach.len()).rev() {
                if !reach[s] && self.next[s].iter().any(|n| reach[*n]) {
                    reach[s] = true;
                    changed = true;
                }
            }
            if !changed {
                return reach;
            }
        }
    }

    /// Whether some maximal run never meets `p`.
    pub fn can_avoid(&self, p: &[bool]) -> bool {
        let without = self.without(p);
        // Those that cannot stay outside forever are removed, from the ends.
        let mut stays: Vec<bool> = without.clone();
        loop {
            let mut changed = false;
            for s in 0..stays.len() {
                let may = self.next[s].is_empty() || self.next[s].iter().any(|n| stays[*n]);
                if stays[s] && !may {
                    stays[s] = false;
                    changed = true;
                }
            }
            if !changed {
                return stays.iter().any(|s| *s);
            }
        }
    }

    /// Everything that must survive a pass: verdicts, faults, deadlocks.
    pub fn answers(&self) -> (Vec<Option<bool>>, Vec<Fault>, bool) {
        let verdicts = (0..self.flat.program.properties.len()).map(|p| self.verdict(p)).collect();
        (verdicts, self.faults.clone(), self.deadlock())
    }
}
