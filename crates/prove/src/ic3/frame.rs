//! One solver for the states that may be reached within so many steps, and its questions.

use swarmcheck_aig::{Lit, System};

use super::cube::{Cube, Literal, latch, literal, wanted};
use crate::cnf::Cnf;
use crate::sat::{Failure, Limits, Sat};

/// After so many clauses that served one question only, a solver is made anew.
const WORN_OUT: usize = 1000;

/// A solver that knows a set of states and the steps from them.
pub(super) struct Frame<'a, 's, S> {
    system: &'a System,
    limits: Limits<'s>,
    /// Whether the set is that of the starts, from which nothing is ever excluded.
    starts: bool,
    sat: S,
    cnf: Cnf,
    /// The literal of each latch; 0 if it has none yet.
    now: Vec<i32>,
    /// For each literal of a cube the solver's literal for "after the step"; 0 if it has none yet.
    next: Vec<i32>,
    used: usize,
    assumptions: Vec<i32>,
    clause: Vec<i32>,
    /// After the answer yes: the state.
    pub state: Vec<bool>,
    /// After the answer yes: the inputs of the step.
    pub inputs: Vec<bool>,
    /// After the answer no: the literals of the cube that were needed.
    pub core: Vec<Literal>,
}

impl<'a, 's, S: Sat<'s>> Frame<'a, 's, S> {
    /// All states in which the lemmas hold.
    pub fn new(system: &'a System, lemmas: &[Lit], limits: Limits<'s>) -> Self {
        let mut frame: Self = Frame::empty(system, limits);
        for &lemma in lemmas {
            let lemma = frame.cnf.require(&mut frame.sat, &system.graph, lemma);
            frame.sat.add(&[lemma]);
        }
        frame
    }

    /// Frame 0: the initial states.
    pub fn of_starts(system: &'a System, limits: Limits<'s>) -> Self {
        let mut frame: Self = Frame::empty(system, limits);
        frame.starts = true;
        let possible = frame.cnf.require(&mut frame.sat, &system.graph, system.start_valid);
        frame.sat.add(&[possible]);
        for (i, latch) in system.latches.iter().enumerate() {
            let start = frame.cnf.define(&mut frame.sat, &system.graph, latch.start);
            frame.cnf.set(latch.variable, start);
            frame.now[i] = start;
        }
        frame
    }

    fn empty(system: &'a System, limits: Limits<'s>) -> Self {
        let mut sat = S::with_limits(limits);
        let cnf = Cnf::new(&mut sat);
        let latches = system.latches.len();
        Frame {
            system,
            limits,
            starts: false,
            sat,
            cnf,
            now: vec![0; latches],
            next: vec![0; 2 * latches],
            used: 0,
            assumptions: vec![],
            clause: vec![],
            state: vec![],
            inputs: vec![],
            core: vec![],
        }
    }

    /// Makes the solver anew, with these cubes excluded, if it has seen many clauses that are of no use any more.
    pub fn refresh<'c>(&mut self, lemmas: &[Lit], excluded: impl Iterator<Item = &'c Cube>) {
        if self.used < WORN_OUT {
            return;
        }
        *self = if self.starts {
            Frame::of_starts(self.system, self.limits)
        } else {
            Frame::new(self.system, lemmas, self.limits)
        };
        for cube in excluded {
            self.exclude(cube);
        }
    }

    /// Takes the states of a cube out of the set.
    pub fn exclude(&mut self, cube: &Cube) {
        self.clause.clear();
        self.push_negation(cube);
        self.sat.add(&self.clause);
    }

    fn push_negation(&mut self, cube: &Cube) {
        for &l in &cube.literals {
            let now = self.now(l);
            self.clause.push(-now);
        }
    }

    /// The solver's literal for a latch having a value before the step.
    fn now(&mut self, literal: Literal) -> i32 {
        let place = &mut self.now[latch(literal)];
        if *place == 0 {
            let variable = self.system.latches[latch(literal)].variable;
            *place = self.cnf.require(&mut self.sat, &self.system.graph, variable);
        }
        if wanted(literal) { *place } else { -*place }
    }

    /// The solver's literal for a latch having a value after the step.
    fn next(&mut self, literal: Literal) -> i32 {
        let place = &mut self.next[literal as usize];
        if *place == 0 {
            let function = self.system.latches[latch(literal)].next.negate_if(!wanted(literal));
            *place = self.cnf.require(&mut self.sat, &self.system.graph, function);
        }
        *place
    }

    /// Whether there is a state of this set in which a function over latches holds.
    pub fn meets(&mut self, function: Lit) -> Result<bool, Failure> {
        let goal = self.cnf.require(&mut self.sat, &self.system.graph, function);
        let answer = self.sat.solve(&[goal])?;
        if answer {
            self.read();
        }
        Ok(answer)
    }

    /// Whether some of these states, outside the cube if that is demanded, has a step into the cube.
    pub fn enters(&mut self, cube: &Cube, from_outside: bool) -> Result<bool, Failure> {
        self.assumptions.clear();
        let valid = self.cnf.require(&mut self.sat, &self.system.graph, self.system.valid);
        self.assumptions.push(valid);
        let mut only = 0;
        if from_outside {
            only = self.sat.variable();
            self.used += 1;
            self.clause.clear();
            self.clause.push(-only);
            self.push_negation(cube);
            self.sat.add(&self.clause);
            self.assumptions.push(only);
        }
        for &l in &cube.literals {
            let next = self.next(l);
            self.assumptions.push(next);
        }
        let answer = self.sat.solve(&self.assumptions)?;
        // What the answer says has to be read before the solver is told anything else.
        if answer {
            self.read();
        } else {
            self.core.clear();
            for &l in &cube.literals {
                if self.sat.failed(self.next[l as usize]) {
                    self.core.push(l);
                }
            }
        }
        if only != 0 {
            self.sat.add(&[-only]);
        }
        Ok(answer)
    }

    /// Values of latches and inputs; those that the question does not depend on are false.
    fn read(&mut self) {
        let value = |lit: Lit| self.cnf.known(lit).is_some_and(|known| self.sat.value(known));
        self.state.clear();
        self.state.extend(self.system.latches.iter().map(|latch| value(latch.variable)));
        self.inputs.clear();
        self.inputs.extend(self.system.inputs.iter().map(|&input| value(input)));
    }
}

/// What a state leads to.
pub(super) enum Target<'c> {
    /// With the step, into a cube.
    Cube(&'c Cube),
    /// The function holds in the state itself.
    Function(Lit),
}

/// Finds out which latches matter for where a state leads.
pub(super) struct Lifter<'a, 's, S> {
    frame: Frame<'a, 's, S>,
}

impl<'a, 's, S: Sat<'s>> Lifter<'a, 's, S> {
    pub fn new(system: &'a System, limits: Limits<'s>) -> Self {
        Lifter { frame: Frame::empty(system, limits) }
    }

    /// A cube around the state: with the same inputs, every state in it has a step to the target.
    ///
    /// The solver is asked for a state with these values that does *not* lead there; the values that the refusal depends
    /// on are enough.
    pub fn lift(&mut self, state: &[bool], inputs: &[bool], target: &Target) -> Result<Cube, Failure> {
        self.frame.refresh(&[], std::iter::empty());
        let frame = &mut self.frame;
        let system = frame.system;
        let only = frame.sat.variable();
        frame.used += 1;
        frame.clause.clear();
        frame.clause.push(-only);
        match target {
            Target::Function(function) => {
                let not = frame.cnf.require(&mut frame.sat, &system.graph, !*function);
                frame.clause.push(not);
            }
            Target::Cube(cube) => {
                let invalid = frame.cnf.require(&mut frame.sat, &system.graph, !system.valid);
                frame.clause.push(invalid);
                for &l in &cube.literals {
                    let not = frame.next(l ^ 1);
                    frame.clause.push(not);
                }
            }
        }
        frame.sat.add(&frame.clause);
        // Inputs come first: solvers blame what was assumed early, and inputs cost nothing.
        frame.assumptions.clear();
        frame.assumptions.push(only);
        for (&input, &bit) in system.inputs.iter().zip(inputs) {
            if let Some(known) = frame.cnf.known(input) {
                frame.assumptions.push(if bit { known } else { -known });
            }
        }
        let first = frame.assumptions.len();
        for (latch, &bit) in system.latches.iter().zip(state) {
            if let Some(known) = frame.cnf.known(latch.variable) {
                frame.assumptions.push(if bit { known } else { -known });
            }
        }
        // A second question, about the values that mattered in the first, in the opposite order, often needs fewer.
        for _ in 0..2 {
            if frame.sat.solve(&frame.assumptions)? {
                return Err(Failure::Internal("lifting: a state does not lead where it led"));
            }
            let mut kept = first;
            for i in first..frame.assumptions.len() {
                if frame.sat.failed(frame.assumptions[i]) {
                    frame.assumptions[kept] = frame.assumptions[i];
                    kept += 1;
                }
            }
            frame.assumptions.truncate(kept);
            frame.assumptions[first..].reverse();
        }
        let mut needed: Vec<i32> = frame.assumptions[first..].iter().map(|l| l.abs()).collect();
        needed.sort_unstable();
        frame.sat.add(&[-only]);
        let known = |lit: Lit| frame.cnf.known(lit).is_some_and(|l| needed.binary_search(&l.abs()).is_ok());
        let literals = system.latches.iter().enumerate().filter(|(_, latch)| known(latch.variable));
        Ok(Cube::new(literals.map(|(i, _)| literal(i, state[i])).collect()))
    }
}
