//! Checking a proof with a solver that has not found it.
//!
//! A proof is an inductive invariant together with an induction over paths (Sheeran, Singh, Stålmarck, *Checking safety
//! properties using induction and a SAT-solver*, FMCAD 2000) within it. What is checked: initial states satisfy the invariant; no
//! step leaves it; the first k states of an execution are not bad; after k states in the invariant that are not bad comes no bad
//! one. With k = 0 the invariant itself excludes bad states. If the states may be assumed to be pairwise different, that is
//! enough, because a shortest execution into a bad state does not come twice to the same state. Counted rounds are a part of the
//! state here: an execution that goes round a cycle comes twice to the same state of the program, but with more rounds.

use crate::formula::Formula;
use crate::problem::Problem;
use crate::solver::{Satisfiable, Talk};
use crate::unroll::{START, Unrolling};
use swarmcheck_engine::{Reason, SolverName};

/// Why no bad state can be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IntegerProof {
    /// Holds in every reachable state.
    pub invariant: Formula,
    /// The number k of states.
    pub states: u32,
    /// The states of a path may be assumed to be pairwise different.
    pub distinct: bool,
    /// No execution makes more rounds, where cycles matter ([`crate::problem`]).
    pub rounds: Option<u32>,
    /// Who has found it.
    pub solver: SolverName,
}

/// What a check says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checked {
    /// The proof is right.
    Accepted,
    /// It is not, or the solver cannot tell; in words.
    Refused(&'static str),
}

/// The solver for a check: another one than that which has found the proof, if there is one.
pub fn checker(finder: SolverName, talk: Talk<'_>) -> Option<SolverName> {
    let there = talk.there();
    there.iter().copied().find(|name| *name != finder).or(there.first().copied())
}

/// Checks a proof.
pub fn check(
    problem: &Problem,
    proof: &IntegerProof,
    name: SolverName,
    talk: Talk<'_>,
) -> Result<Checked, Reason> {
    let k = proof.states as usize;
    let mut unrolling = Unrolling::new(problem, name, talk)?;
    unrolling.name("outside@0", &format!("(not {})", proof.invariant.text("@0")));
    let not = |yes: Satisfiable, why| match yes {
        Satisfiable::No => None,
        Satisfiable::Yes => Some(Checked::Refused(why)),
        Satisfiable::Unknown => Some(Checked::Refused("the solver cannot tell")),
    };
    if let Some(refused) = not(unrolling.check(&[START, "outside@0"])?, "an initial state is not in it") {
        return Ok(refused);
    }
    // From here on, a condition says that the first state is in the invariant.
    unrolling.solver.say("(declare-const inside Bool)\n");
    for state in 0..=k.max(1) {
        if state > 0 {
            unrolling.deepen()?;
        }
        if state == 1 && !proof.invariant.is_truth() {
            unrolling.assume("inside", &proof.invariant, 0);
            unrolling.name("outside@1", &format!("(not {})", proof.invariant.text("@1")));
            if let Some(refused) = not(unrolling.check(&["inside", "outside@1"])?, "a step leads out of it") {
                return Ok(refused);
            }
        }
        if state > k {
            break;
        }
        let bad = unrolling.bad(proof.rounds, state)?;
        let named = format!("bad@{state}");
        unrolling.name(&named, &bad);
        if state < k {
            if let Some(refused) = not(unrolling.check(&[START, &named])?, "a bad state can be reached") {
                return Ok(refused);
            }
            unrolling.solver.say("(declare-const before Bool)\n".repeat(usize::from(state == 0)).as_str());
            unrolling.assert(&format!("(=> before (not {named}))"));
        } else {
            unrolling.solver.say("(declare-const before Bool)\n".repeat(usize::from(k == 0)).as_str());
            unrolling.solver.say("(declare-const within Bool)\n");
            for state in 0..=k {
                unrolling.assume("within", &proof.invariant, state);
            }
            for one in 0..if proof.distinct { k } else { 0 } {
                for other in one + 1..=k {
                    let same = unrolling.same(one, other);
                    unrolling.assert(&format!("(=> within (not {same}))"));
                }
            }
            let why = "it does not exclude bad states";
            if let Some(refused) = not(unrolling.check(&["before", "within", &named])?, why) {
                return Ok(refused);
            }
        }
    }
    Ok(Checked::Accepted)
}
