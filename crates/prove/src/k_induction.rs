//! Proofs by induction over paths (k-induction).
//!
//! Two searches run side by side: one from the starts, for a bad state after `k` steps, and one from anywhere, for a path
//! of `k` steps whose last state alone is bad. If the second finds nothing, no bad state is reachable, since the first
//! bad state of a shortest execution would be the end of such a path. Shortest executions do not meet a state twice, so
//! the second search may ask for distinct states; that makes the method complete. The demand costs a comparison for
//! every pair of moments, so it is made only of pairs that were found to be equal.

use swarmcheck_aig::{Lit, Simulation, System, Witness};

use crate::bmc::Bmc;
use crate::check::Induction;
use crate::cnf::Cnf;
use crate::lemmas;
use crate::sat::{Cadical, Failure, Limits, Sat};
use crate::unroll::{First, Unrolling};

/// An answer with its evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofVerdict<Proof> {
    /// No bad state is reachable.
    Proved(Proof),
    /// A bad state is reached.
    Refuted(Witness),
    /// Neither, within the bounds that were given.
    Unknown,
}

/// The induction step: paths that start in any state.
struct Path<'a, 's> {
    unrolling: Unrolling<'a>,
    sat: Cadical<'s>,
    cnf: Cnf,
    bad: Lit,
    lemmas: Vec<Lit>,
    distinct: bool,
}

impl Path<'_, '_> {
    fn require(&mut self, moment: usize, function: Lit) -> i32 {
        let copy = self.unrolling.at(moment, function);
        self.cnf.require(&mut self.sat, &self.unrolling.graph, copy)
    }

    fn assert(&mut self, moment: usize, function: Lit) {
        let literal = self.require(moment, function);
        self.sat.add(&[literal]);
    }

    /// Whether there is a path of `k` steps whose last state is the only bad one. To be asked with 0, 1, 2 and so on.
    fn possible(&mut self, k: usize) -> Result<bool, Failure> {
        if k > 0 {
            self.assert(k - 1, !self.bad);
            let valid = self.unrolling.system().valid;
            self.assert(k - 1, valid);
        }
        for i in 0..self.lemmas.len() {
            self.assert(k, self.lemmas[i]);
        }
        let goal = self.require(k, self.bad);
        loop {
            if !self.sat.solve(&[goal])? {
                return Ok(false);
            }
            let states = self.states(k)?;
            let mut equal = vec![];
            for later in 1..states.len() {
                equal.extend(
                    (0..later).filter(|&earlier| states[earlier] == states[later]).map(|e| (e, later)),
                );
            }
            if equal.is_empty() {
                return Ok(true);
            }
            self.distinct = true;
            for (earlier, later) in equal {
                let differ = !self.unrolling.same(earlier, later);
                let differ = self.cnf.require(&mut self.sat, &self.unrolling.graph, differ);
                self.sat.add(&[differ]);
            }
        }
    }

    /// The states of the path that was found.
    fn states(&self, k: usize) -> Result<Vec<Vec<bool>>, Failure> {
        let system = self.unrolling.system();
        let read = |moment: usize, variable: Lit| {
            let literal = self.unrolling.copied(moment, variable).and_then(|copy| self.cnf.known(copy));
            literal.is_some_and(|literal| self.sat.value(literal))
        };
        let mut simulation = Simulation::new(system);
        let mut states = vec![system.latches.iter().map(|l| read(0, l.variable)).collect::<Vec<bool>>()];
        for moment in 0..k {
            let inputs: Vec<bool> = system.inputs.iter().map(|&input| read(moment, input)).collect();
            let next = simulation.step(&states[moment], &inputs);
            states.push(next.ok_or(Failure::Internal("induction: an impossible step"))?);
        }
        Ok(states)
    }
}

/// Looks for a proof with `k` up to `bound`, or for an execution of at most `bound` steps to a bad state.
pub fn prove<'s>(
    system: &System,
    bad: Lit,
    bound: usize,
    limits: Limits<'s>,
) -> Result<ProofVerdict<Induction>, Failure> {
    let lemmas = lemmas::inductive::<Cadical<'s>>(system, limits)?;
    let mut sat = Cadical::with_limits(limits);
    let cnf = Cnf::new(&mut sat);
    let mut path = Path {
        unrolling: Unrolling::new(system, First::Any),
        sat,
        cnf,
        bad,
        lemmas: lemmas.iter().map(|&i| system.lemmas[i]).collect(),
        distinct: false,
    };
    let mut bmc = Bmc::with_limits(system, limits);
    for k in 0..=bound {
        if !path.possible(k)? {
            return Ok(ProofVerdict::Proved(Induction { k, distinct: path.distinct, lemmas }));
        }
        if let Some(witness) = bmc.reach(bad, k)? {
            return Ok(ProofVerdict::Refuted(witness));
        }
    }
    Ok(ProofVerdict::Unknown)
}
