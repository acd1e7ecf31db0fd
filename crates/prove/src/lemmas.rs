//! Which of a system's lemmas can be relied on.
//!
//! Lemmas come from outside, as facts about reachable states. Proofs here stand on their own feet, so a lemma is used only
//! if it follows by induction from the lemmas that are used: the largest such set is found by dropping, again and again,
//! those that a start or a step breaks.

use swarmcheck_aig::{Lit, Simulation, System};

use crate::cnf::Cnf;
use crate::sat::{Failure, Limits, Sat};
use crate::unroll::{First, Unrolling};

/// The numbers of the lemmas that together hold at every start and are kept by every step.
pub fn inductive<'s, S: Sat<'s>>(system: &System, limits: Limits<'s>) -> Result<Vec<usize>, Failure> {
    let mut kept: Vec<usize> = vec![];
    {
        let mut sat = S::with_limits(limits);
        let mut cnf = Cnf::new(&mut sat);
        let mut start = Unrolling::new(system, First::Start);
        let possible = start.at(0, system.start_valid);
        let possible = cnf.require(&mut sat, &start.graph, possible);
        for (i, &lemma) in system.lemmas.iter().enumerate() {
            let broken = start.at(0, !lemma);
            let broken = cnf.require(&mut sat, &start.graph, broken);
            if !sat.solve(&[possible, broken])? {
                kept.push(i);
            }
        }
    }
    let mut sat = S::with_limits(limits);
    let mut cnf = Cnf::new(&mut sat);
    let mut step = Unrolling::new(system, First::Any);
    let literal = |sat: &mut S, cnf: &mut Cnf, step: &mut Unrolling, moment: usize, function: Lit| {
        let copy = step.at(moment, function);
        cnf.require(sat, &step.graph, copy)
    };
    let valid = literal(&mut sat, &mut cnf, &mut step, 0, system.valid);
    let mut pairs = vec![(0, 0); system.lemmas.len()];
    for &i in &kept {
        let now = literal(&mut sat, &mut cnf, &mut step, 0, system.lemmas[i]);
        let broken = literal(&mut sat, &mut cnf, &mut step, 1, !system.lemmas[i]);
        pairs[i] = (now, broken);
    }
    let mut simulation = Simulation::new(system);
    loop {
        let some = sat.variable();
        let mut clause = vec![-some];
        clause.extend(kept.iter().map(|&i| pairs[i].1));
        sat.add(&clause);
        let mut assumptions = vec![valid, some];
        assumptions.extend(kept.iter().map(|&i| pairs[i].0));
        if !sat.solve(&assumptions)? {
            return Ok(kept);
        }
        let read = |variable: Lit| {
            let literal = step.copied(0, variable).and_then(|copy| cnf.known(copy));
            literal.is_some_and(|literal| sat.value(literal))
        };
        let state: Vec<bool> = system.latches.iter().map(|latch| read(latch.variable)).collect();
        let inputs: Vec<bool> = system.inputs.iter().map(|&input| read(input)).collect();
        let next = simulation.step(&state, &inputs).ok_or(Failure::Internal("lemmas: an impossible step"))?;
        let before = kept.len();
        kept.retain(|&i| simulation.holds(&next, system.lemmas[i]));
        if kept.len() == before {
            return Err(Failure::Internal("lemmas: a step that breaks none of them"));
        }
    }
}
