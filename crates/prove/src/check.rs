//! Checks certificates, without trusting what made them.
//!
//! The checker shares with the searches only the graph, the unrolling and the writing of clauses; each question goes to a
//! fresh solver.

use swarmcheck_aig::{Lit, System};

use crate::cnf::Cnf;
use crate::sat::{Failure, Limits, Sat};
use crate::unroll::{First, Unrolling};

/// A set of states that contains every start, is not left by any step, and has no bad state: the states in which every
/// clause and every one of the named lemmas holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Invariant {
    /// Clauses; their literals are the variables of latches, perhaps negated.
    pub clauses: Vec<Vec<Lit>>,
    /// Numbers of the system's lemmas that belong to it.
    pub lemmas: Vec<usize>,
}

/// A proof by induction over paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Induction {
    /// The first `k` states of an execution (those after 0 to k-1 steps) are not bad, and after any `k` states in a row
    /// that are not bad there is none that is.
    pub k: usize,
    /// Whether the states in a row may be taken to differ from one another.
    pub distinct: bool,
    /// Numbers of the system's lemmas that are assumed of them; these are themselves an invariant.
    pub lemmas: Vec<usize>,
}

/// Why a certificate is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It speaks of latches or lemmas that the system does not have.
    Malformed,
    /// It does not hold at some start (or within the first steps).
    Start,
    /// A step leads out of it.
    Step,
    /// It allows a bad state.
    Bad,
    /// There was no answer.
    Unanswered(Failure),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        Refusal::Unanswered(failure)
    }
}

/// Checks that an invariant is one and excludes the states of `bad`.
pub fn invariant<'s, S: Sat<'s>>(
    system: &System,
    bad: Lit,
    invariant: &Invariant,
    limits: Limits<'s>,
) -> Result<(), Refusal> {
    let mut system = system.clone();
    let inside = function(&mut system, invariant).ok_or(Refusal::Malformed)?;
    let possible = |first, wanted: &[(usize, Lit)]| -> Result<bool, Failure> {
        let mut sat = S::with_limits(limits);
        let mut cnf = Cnf::new(&mut sat);
        let mut copies = Unrolling::new(&system, first);
        for &(moment, function) in wanted {
            let copy = copies.at(moment, function);
            let literal = cnf.require(&mut sat, &copies.graph, copy);
            sat.add(&[literal]);
        }
        sat.solve(&[])
    };
    if possible(First::Start, &[(0, system.start_valid), (0, !inside)])? {
        return Err(Refusal::Start);
    }
    if possible(First::Any, &[(0, inside), (0, system.valid), (1, !inside)])? {
        return Err(Refusal::Step);
    }
    if possible(First::Any, &[(0, inside), (0, bad)])? {
        return Err(Refusal::Bad);
    }
    Ok(())
}

/// The states of an invariant as a function.
fn function(system: &mut System, invariant: &Invariant) -> Option<Lit> {
    let mut is_latch = vec![false; system.graph.nodes().len()];
    for latch in &system.latches {
        is_latch[latch.variable.node() as usize] = true;
    }
    let known = |lit: &Lit| is_latch.get(lit.node() as usize).is_some_and(|&yes| yes);
    let mut parts = vec![];
    for clause in &invariant.clauses {
        if !clause.iter().all(known) {
            return None;
        }
        parts.push(system.graph.any(clause));
    }
    for &lemma in &invariant.lemmas {
        parts.push(*system.lemmas.get(lemma)?);
    }
    Some(system.graph.all(&parts))
}

/// Checks a proof by induction over paths.
pub fn induction<'s, S: Sat<'s>>(
    system: &System,
    bad: Lit,
    proof: &Induction,
    limits: Limits<'s>,
) -> Result<(), Refusal> {
    let lemmas = Invariant { clauses: vec![], lemmas: proof.lemmas.clone() };
    invariant::<S>(system, Lit::FALSE, &lemmas, limits)?;

    let mut sat = S::with_limits(limits);
    let mut cnf = Cnf::new(&mut sat);
    let mut copies = Unrolling::new(system, First::Start);
    for moment in 0..proof.k {
        let (function, before) =
            if moment == 0 { (system.start_valid, 0) } else { (system.valid, moment - 1) };
        let step = copies.at(before, function);
        let step = cnf.require(&mut sat, &copies.graph, step);
        sat.add(&[step]);
        let goal = copies.at(moment, bad);
        let goal = cnf.require(&mut sat, &copies.graph, goal);
        if sat.solve(&[goal])? {
            return Err(Refusal::Start);
        }
    }

    let mut sat = S::with_limits(limits);
    let mut cnf = Cnf::new(&mut sat);
    let mut copies = Unrolling::new(system, First::Any);
    let mut wanted: Vec<Lit> = vec![];
    for moment in 0..=proof.k {
        for &lemma in &proof.lemmas {
            wanted.push(copies.at(moment, system.lemmas[lemma]));
        }
        wanted.push(copies.at(moment, bad.negate_if(moment < proof.k)));
        if moment < proof.k {
            wanted.push(copies.at(moment, system.valid));
        }
        if proof.distinct {
            for earlier in 0..moment {
                wanted.push(!copies.same(earlier, moment));
            }
        }
    }
    for function in wanted {
        let literal = cnf.require(&mut sat, &copies.graph, function);
        sat.add(&[literal]);
    }
    if sat.solve(&[])? { Err(Refusal::Step) } else { Ok(()) }
}
