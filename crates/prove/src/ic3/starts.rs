//! Whether a set of states contains a start.
//!
//! Starts are functions of inputs, so in general this is a question for a solver. Most questions have a cheaper answer: a
//! latch that starts with the other value, or a start that was seen before.

use swarmcheck_aig::{Simulation, System};

use super::cube::{Cube, Literal, latch, wanted};
use crate::cnf::Cnf;
use crate::sat::{Failure, Limits, Sat};

/// How many starts are remembered.
const REMEMBERED: usize = 32;

/// A start: the values of the start inputs, and the state.
pub(super) type Start = (Vec<bool>, Vec<bool>);

/// The starts of a system.
pub(super) struct Starts<'a, S> {
    system: &'a System,
    sat: S,
    cnf: Cnf,
    /// The solver's literal of each latch.
    literals: Vec<i32>,
    /// Whether all starts are the same state.
    single: bool,
    seen: Vec<Start>,
    oldest: usize,
}

impl<'a, S> Starts<'a, S> {
    /// The starts, or nothing if there are none.
    pub fn new<'s>(system: &'a System, limits: Limits<'s>) -> Result<Option<Self>, Failure>
    where
        S: Sat<'s>,
    {
        let mut sat = S::with_limits(limits);
        let mut cnf = Cnf::new(&mut sat);
        let possible = cnf.require(&mut sat, &system.graph, system.start_valid);
        sat.add(&[possible]);
        let literals = system.latches.iter().map(|l| cnf.define(&mut sat, &system.graph, l.start)).collect();
        let single = system.latches.iter().all(|latch| latch.start.known().is_some());
        let mut starts = Starts { system, sat, cnf, literals, single, seen: vec![], oldest: 0 };
        Ok(starts.ask(&[])?.then_some(starts))
    }

    /// A start in the cube, if there is one.
    pub fn within<'s>(&mut self, cube: &Cube) -> Result<Option<&Start>, Failure>
    where
        S: Sat<'s>,
    {
        if cube.literals.iter().any(|&l| self.always(l) == Some(false)) {
            return Ok(None);
        }
        if let Some(i) = self.seen.iter().position(|(_, state)| cube.has(state)) {
            return Ok(Some(&self.seen[i]));
        }
        if self.single || !self.ask(&cube.literals)? {
            return Ok(None);
        }
        Ok(self.seen.iter().find(|(_, state)| cube.has(state)))
    }

    /// Adds literals of `enough`, a cube without starts, to a part of it until that has no start either.
    pub fn leave_out<'s>(&mut self, part: &mut Vec<Literal>, enough: &Cube) -> Result<(), Failure>
    where
        S: Sat<'s>,
    {
        loop {
            let cube = Cube::new(part.clone());
            let Some((_, state)) = self.within(&cube)? else { return Ok(()) };
            let against = enough.literals.iter().find(|&&l| state[latch(l)] != wanted(l));
            let &literal = against.ok_or(Failure::Internal("a cube without starts has a start"))?;
            part.push(literal);
        }
    }

    /// Whether a latch has a value at every start, if that is evident.
    fn always(&self, literal: Literal) -> Option<bool> {
        self.system.latches[latch(literal)].start.known().map(|value| value == wanted(literal))
    }

    /// Asks the solver for a start with these values and remembers it.
    fn ask<'s>(&mut self, values: &[Literal]) -> Result<bool, Failure>
    where
        S: Sat<'s>,
    {
        let literal =
            |&l: &Literal| if wanted(l) { self.literals[latch(l)] } else { -self.literals[latch(l)] };
        let assumptions: Vec<i32> = values.iter().map(literal).collect();
        if !self.sat.solve(&assumptions)? {
            return Ok(false);
        }
        let value = |&lit| self.cnf.known(lit).is_some_and(|known| self.sat.value(known));
        let inputs: Vec<bool> = self.system.start_inputs.iter().map(value).collect();
        let state = Simulation::new(self.system).start(&inputs);
        let start = (inputs, state.ok_or(Failure::Internal("an impossible start"))?);
        if self.seen.len() < REMEMBERED {
            self.seen.push(start);
        } else {
            self.seen[self.oldest] = start;
            self.oldest = (self.oldest + 1) % REMEMBERED;
        }
        Ok(true)
    }
}
