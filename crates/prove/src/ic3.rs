//! Proofs by clauses that are found one at a time (IC3, also called property-directed reachability).
//!
//! After A. R. Bradley, "SAT-based model checking without unrolling" (VMCAI 2011), and N. Eén, A. Mishchenko and
//! R. Brayton, "Efficient implementation of property directed reachability" (FMCAD 2011). Frame `i` is a set of states
//! that contains all those reachable within `i` steps; frame 0 is the starts. Frames only lose states, by clauses; when
//! two neighbours become equal, that set is an invariant. Bad states of the last frame are traced back through the
//! frames: each is excluded from where it turns out to be unreachable, or found to be reached from a start.

mod cube;
mod frame;
mod generalise;
mod starts;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use swarmcheck_aig::{Lit, Simulation, System, Witness};

use crate::check::{self, Invariant};
use crate::k_induction::ProofVerdict;
use crate::lemmas;
use crate::sat::{Batsat, Cadical, Failure, Limits, Sat};
use cube::{Cube, Literal};
use frame::{Frame, Lifter, Target};
use starts::Starts;

/// States that lead to a bad one.
struct Obligation {
    cube: Cube,
    /// The inputs of the step that leads on.
    inputs: Vec<bool>,
    /// Where it leads to; nothing for bad states.
    to: Option<usize>,
}

/// The sequence of frames, and what is needed to strengthen them.
struct Ic3<'a, 's, S> {
    system: &'a System,
    bad: Lit,
    limits: Limits<'s>,
    lemmas: Vec<Lit>,
    starts: Starts<'a, S>,
    lifter: Lifter<'a, 's, S>,
    /// A solver per frame.
    frames: Vec<Frame<'a, 's, S>>,
    /// `clauses[i]`: cubes that are excluded from frames 1 to i, and are not known to be excludable from the next.
    clauses: Vec<Vec<Cube>>,
    obligations: Vec<Obligation>,
    /// How much each literal was used lately.
    activity: Vec<f64>,
    increment: f64,
}

/// Decides whether a state of `bad` is reachable. The answer has been checked: an invariant by the other solver, an
/// execution by replaying it.
pub fn prove<'s>(system: &System, bad: Lit, limits: Limits<'s>) -> Result<ProofVerdict<Invariant>, Failure> {
    prove_with::<Batsat<'s>, Cadical<'s>>(system, bad, limits)
}

/// The same with a choice of solvers: one that searches and one that checks.
pub fn prove_with<'s, S: Sat<'s>, C: Sat<'s>>(
    system: &System,
    bad: Lit,
    limits: Limits<'s>,
) -> Result<ProofVerdict<Invariant>, Failure> {
    let lemmas = lemmas::inductive::<S>(system, limits)?;
    let verdict = match Starts::<S>::new(system, limits)? {
        // Nothing is reachable: the clause without literals holds wherever the system can be.
        None => ProofVerdict::Proved(Invariant { clauses: vec![vec![]], lemmas: vec![] }),
        Some(starts) => {
            let mut search = Ic3 {
                system,
                bad,
                limits,
                lemmas: lemmas.iter().map(|&i| system.lemmas[i]).collect(),
                starts,
                lifter: Lifter::<S>::new(system, limits),
                frames: vec![Frame::of_starts(system, limits)],
                clauses: vec![vec![]],
                obligations: vec![],
                activity: vec![0.0; 2 * system.latches.len()],
                increment: 1.0,
            };
            match search.run()? {
                ProofVerdict::Proved(clauses) => ProofVerdict::Proved(Invariant { clauses, lemmas }),
                ProofVerdict::Refuted(witness) => ProofVerdict::Refuted(witness),
                ProofVerdict::Unknown => ProofVerdict::Unknown,
            }
        }
    };
    if let ProofVerdict::Proved(invariant) = &verdict {
        check::invariant::<C>(system, bad, invariant, limits).map_err(|refusal| match refusal {
            check::Refusal::Unanswered(failure) => failure,
            _ => Failure::Internal("IC3 found an invariant that is none"),
        })?;
    }
    Ok(verdict)
}

impl<'s, S: Sat<'s>> Ic3<'_, 's, S> {
    fn run(&mut self) -> Result<ProofVerdict<Vec<Vec<Lit>>>, Failure> {
        if self.frames[0].meets(self.bad)? {
            let cube = self.lifted_bad(0)?;
            let id = self.oblige(cube, vec![], None);
            return self.refuted(id);
        }
        loop {
            self.limits.check()?;
            self.frames.push(Frame::new(self.system, &self.lemmas, self.limits));
            self.clauses.push(vec![]);
            if let Some(level) = self.propagate()? {
                let clauses = self.clauses[level..].iter().flatten();
                return Ok(ProofVerdict::Proved(clauses.map(|cube| cube.clause(self.system)).collect()));
            }
            let top = self.frames.len() - 1;
            while self.frames[top].meets(self.bad)? {
                let cube = self.lifted_bad(top)?;
                let id = self.oblige(cube, vec![], None);
                if let Some(first) = self.block(id)? {
                    return self.refuted(first);
                }
                self.obligations.clear();
            }
        }
    }

    fn oblige(&mut self, cube: Cube, inputs: Vec<bool>, to: Option<usize>) -> usize {
        self.obligations.push(Obligation { cube, inputs, to });
        self.obligations.len() - 1
    }

    /// A cube of bad states around the one that was found in a frame.
    fn lifted_bad(&mut self, level: usize) -> Result<Cube, Failure> {
        let frame = &self.frames[level];
        self.lifter.lift(&frame.state, &[], &Target::Function(self.bad))
    }

    /// Excludes the states of an obligation from the last frame, or finds an obligation that has a start.
    fn block(&mut self, id: usize) -> Result<Option<usize>, Failure> {
        if self.starts.within(&self.obligations[id].cube)?.is_some() {
            return Ok(Some(id));
        }
        let top = self.frames.len() - 1;
        // Nearest to the starts first; among those, the latest, which leads there in the fewest steps known.
        let mut queue = BinaryHeap::from([(Reverse(top), id)]);
        while let Some((Reverse(level), id)) = queue.pop() {
            self.limits.check()?;
            let cube = self.obligations[id].cube.clone();
            if self.clauses[level..].iter().flatten().any(|excluded| excluded.contains(&cube)) {
                if level < top {
                    queue.push((Reverse(level + 1), id));
                }
                continue;
            }
            if self.enters(level - 1, &cube, true)? {
                let frame = &self.frames[level - 1];
                let inputs = frame.inputs.clone();
                let before = self.lifter.lift(&frame.state, &inputs, &Target::Cube(&cube))?;
                let before = self.oblige(before, inputs, Some(id));
                if self.starts.within(&self.obligations[before].cube)?.is_some() {
                    return Ok(Some(before));
                }
                if level == 1 {
                    return Err(Failure::Internal("IC3: a step from a start that is none"));
                }
                queue.push((Reverse(level - 1), before));
                queue.push((Reverse(level), id));
                continue;
            }
            let smaller = self.reduced(level - 1, &cube)?;
            let smaller = self.generalise(smaller, level, 0)?;
            let (smaller, level) = self.pushed(smaller, level)?;
            self.exclude(smaller, level);
            if level < top {
                queue.push((Reverse(level + 1), id));
            }
        }
        Ok(None)
    }

    /// Whether a step from a frame enters a cube.
    fn enters(&mut self, level: usize, cube: &Cube, from_outside: bool) -> Result<bool, Failure> {
        let above = if level == 0 { &[] } else { &self.clauses[level..] };
        self.frames[level].refresh(&self.lemmas, above.iter().flatten());
        self.frames[level].enters(cube, from_outside)
    }

    /// The part of a cube that the last refusal of a frame depended on, kept free of starts.
    fn reduced(&mut self, level: usize, cube: &Cube) -> Result<Cube, Failure> {
        let mut core = std::mem::take(&mut self.frames[level].core);
        self.starts.leave_out(&mut core, cube)?;
        let reduced = Cube::new(core.clone());
        self.frames[level].core = core;
        Ok(reduced)
    }

    /// How far up a cube that can be excluded from a frame can be excluded in the same way.
    fn pushed(&mut self, mut cube: Cube, mut level: usize) -> Result<(Cube, usize), Failure> {
        while level + 1 < self.frames.len() && !self.enters(level, &cube, true)? {
            cube = self.reduced(level, &cube)?;
            level += 1;
        }
        Ok((cube, level))
    }

    /// Takes a cube out of frames 1 to `level`.
    fn exclude(&mut self, cube: Cube, level: usize) {
        for below in &mut self.clauses[1..=level] {
            below.retain(|other| !cube.contains(other));
        }
        for frame in &mut self.frames[1..=level] {
            frame.exclude(&cube);
        }
        self.bump(&cube.literals);
        self.clauses[level].push(cube);
    }

    fn bump(&mut self, literals: &[Literal]) {
        for &l in literals {
            self.activity[l as usize] += self.increment;
        }
        self.increment /= 0.99;
        if self.increment > 1e100 {
            self.increment *= 1e-100;
            for activity in &mut self.activity {
                *activity *= 1e-100;
            }
        }
    }

    /// Excludes clauses from the next frame where that is possible. If all those of a frame go up, it is equal to the
    /// next, whose clauses are then an invariant: the number of the first level that belongs to it.
    fn propagate(&mut self) -> Result<Option<usize>, Failure> {
        let top = self.frames.len() - 1;
        for level in 1..top {
            // Small cubes first: they may contain others.
            let mut cubes = self.clauses[level].clone();
            cubes.sort_by_key(|cube| cube.literals.len());
            for cube in cubes {
                self.limits.check()?;
                if !self.clauses[level].contains(&cube) {
                    continue;
                }
                if !self.enters(level, &cube, false)? {
                    let smaller = self.reduced(level, &cube)?;
                    self.exclude(smaller, level + 1);
                }
            }
            if self.clauses[level].is_empty() {
                return Ok(Some(level + 1));
            }
        }
        Ok(None)
    }

    /// The execution that starts in an obligation.
    fn refuted(&mut self, first: usize) -> Result<ProofVerdict<Vec<Vec<Lit>>>, Failure> {
        let start = self.starts.within(&self.obligations[first].cube)?;
        let start = start.ok_or(Failure::Internal("IC3: an execution without a start"))?.0.clone();
        let mut steps = vec![];
        let mut at = &self.obligations[first];
        while let Some(to) = at.to {
            steps.push(at.inputs.clone());
            at = &self.obligations[to];
        }
        let witness = Witness::replay(self.system, start, steps)
            .filter(|witness| Simulation::new(self.system).holds(witness.last(), self.bad));
        Ok(ProofVerdict::Refuted(witness.ok_or(Failure::Internal("IC3: an execution that is none"))?))
    }
}
