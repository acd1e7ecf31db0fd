//! "Every execution reaches a good state", as a question about reachable states.
//!
//! Two ways. *Saving* (Biere, Artho and Schuppan, "Liveness checking as safety checking", 2002): at some moment the state
//! is written down; if it comes back and no good state was seen, there is a lasso without a good state. That
//! decides the question, with twice the latches. *Counting* (Claessen and Sörensson, "A liveness checking algorithm that
//! counts", 2012): if no execution makes `k` rounds without a good state, none goes on for ever; that proves only, with
//! few more latches.
//!
//! Both restrict steps to those from states that are not good, so whatever the new system reaches was reached without a
//! good state on the way. A question may name *fair* conditions, over latches and inputs: executions that go on for ever
//! count only if each of them is true in infinitely many steps. It may also name pairs of conditions: executions count only
//! if they do not have infinitely many steps with the first of a pair and finitely many with the second.
//!
//! A state that comes back closes a round. If every condition was true in a step of the round, and for no pair the first
//! without the second, then the execution that makes this round for ever counts. Conversely the states and inputs that an
//! execution that counts has infinitely often are all met in some round, from some moment on. So saving decides the question
//! whatever conditions there are. Counting leaves the pairs out: then more executions count, so what it proves is true, and
//! what it finds is looked at once more.

use swarmcheck_aig::{Latch, Lit, Simulation, System, Witness};

use crate::check::{self, Invariant, Refusal};
use crate::ic3;
use crate::k_induction::ProofVerdict;
use crate::sat::{Failure, Limits, Sat};

/// What every execution should reach, and which executions count.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LivenessQuestion {
    /// The states that should be reached; over latches.
    pub good: Lit,
    /// The states without steps, if executions that end before they reach a good state count; over latches.
    pub stuck: Option<Lit>,
    /// What has to be true again and again in executions that go on for ever; over latches and inputs.
    pub fair: Vec<Lit>,
    /// Pairs: where the first is true again and again, so must be the second; over latches and inputs.
    pub pairs: Vec<(Lit, Lit)>,
}

impl LivenessQuestion {
    /// Whether an execution that makes the same steps again and again counts. The caller tells whether a condition is true
    /// in one of them.
    pub fn counts(&self, mut sometimes: impl FnMut(Lit) -> bool) -> bool {
        self.fair.iter().all(|&fair| sometimes(fair))
            && self.pairs.iter().all(|&(first, second)| !sometimes(first) || sometimes(second))
    }
}

/// How a question was made one about reachable states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// By saving a state.
    Saving,
    /// By counting so many rounds.
    Counting(usize),
}

/// A proof that every execution reaches a good state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Which system it is about.
    pub method: Method,
    /// An invariant of that system, without bad states.
    pub invariant: Invariant,
}

/// The new system. Latches, inputs and lemmas of the old one come first, in their order; `bad` has one function.
pub fn reduce(system: &System, question: &LivenessQuestion, method: Method) -> System {
    let mut new = system.clone();
    new.valid = new.graph.and(system.valid, !question.good);
    let going_on = match method {
        Method::Saving => saving(system, question, &mut new),
        Method::Counting(rounds) => counting(question, rounds, &mut new),
    };
    let ended = new.graph.and(question.stuck.unwrap_or(Lit::FALSE), !question.good);
    new.bad = vec![new.graph.or(going_on, ended)];
    new
}

/// Adds a latch that starts with false; its next value is to be filled in.
fn latch(system: &mut System) -> (usize, Lit) {
    let variable = system.graph.variable();
    system.latches.push(Latch { variable, start: Lit::FALSE, next: variable });
    (system.latches.len() - 1, variable)
}

/// Adds latches for a saved state. Returns "it has come back".
///
/// A round can be begun anywhere, so where there are fair conditions it begins with a step in which the first one is true:
/// no other states are saved, and that condition needs no watching.
fn saving(system: &System, question: &LivenessQuestion, new: &mut System) -> Lit {
    let save = new.graph.variable();
    new.inputs.push(save);
    let (saved_number, saved) = latch(new);
    let (begins, others) = match question.fair.split_first() {
        Some((&first, others)) => (new.graph.and(save, first), others),
        None => (save, &[][..]),
    };
    let now_saved = new.graph.or(saved, begins);
    new.latches[saved_number].next = now_saved;
    let mut parts = vec![saved, !question.good];
    for old in &system.latches {
        // A latch that no step changes is always as it was.
        if old.next == old.variable {
            continue;
        }
        let (number, copy) = latch(new);
        let kept = new.graph.choose(saved, copy, old.variable);
        new.latches[number].next = new.graph.and(now_saved, kept);
        parts.push(new.graph.iff(copy, old.variable));
    }
    let seen = |new: &mut System, condition: Lit| {
        let (number, seen) = latch(new);
        let now = new.graph.or(seen, condition);
        new.latches[number].next = new.graph.and(now_saved, now);
        seen
    };
    for &fair in others {
        parts.push(seen(new, fair));
    }
    for &(first, second) in &question.pairs {
        let (first, second) = (seen(new, first), seen(new, second));
        parts.push(new.graph.or(!first, second));
    }
    new.graph.all(&parts)
}

/// Adds a counter of rounds: steps in which every fair condition has been true since the last round. Returns "full".
fn counting(question: &LivenessQuestion, rounds: usize, new: &mut System) -> Lit {
    let mut seen = vec![];
    let mut complete = vec![];
    for &fair in &question.fair {
        let (number, was) = latch(new);
        let now = new.graph.or(was, fair);
        seen.push((number, now));
        complete.push(now);
    }
    let round = new.graph.all(&complete);
    for (number, now) in seen {
        new.latches[number].next = new.graph.and(now, !round);
    }
    let mut before = Lit::TRUE;
    for _ in 0..rounds {
        let (number, reached) = latch(new);
        let more = new.graph.and(round, before);
        new.latches[number].next = new.graph.or(reached, more);
        before = reached;
    }
    before
}

/// Reads an execution of the new system to its bad state as one of the old: the counterexample that it shows, with
/// `back_to` if it goes on for ever. Nothing if it shows none, as executions that merely fill a counter.
pub fn counterexample(system: &System, question: &LivenessQuestion, found: &Witness) -> Option<Witness> {
    let inputs = system.inputs.len();
    let steps: Vec<Vec<bool>> = found.steps.iter().map(|s| s.get(..inputs).unwrap_or(s).to_vec()).collect();
    let mut witness = Witness::replay(system, found.start.clone(), steps)?;
    let mut simulation = Simulation::new(system);
    if witness.states.iter().any(|state| simulation.holds(state, question.good)) {
        return None;
    }
    let last = witness.states.len() - 1;
    // Where the state was saved is not looked up: any earlier equal state does, and the shortest fair round is best.
    let back = (0..last).rev().find(|&back| {
        witness.states[back] == witness.states[last]
            && question.counts(|condition| {
                (back..last)
                    .any(|i| simulation.holds_in_step(&witness.states[i], &witness.steps[i], condition))
            })
    });
    let ends = question.stuck.is_some_and(|stuck| simulation.holds(witness.last(), stuck));
    witness.back_to = back;
    (back.is_some() || ends).then_some(witness)
}

/// Decides the question by saving.
pub fn prove(
    system: &System,
    question: &LivenessQuestion,
    limits: Limits<'_>,
) -> Result<ProofVerdict<Proof>, Failure> {
    let method = Method::Saving;
    let new = reduce(system, question, method);
    Ok(match ic3::prove(&new, new.bad[0], limits)? {
        ProofVerdict::Proved(invariant) => ProofVerdict::Proved(Proof { method, invariant }),
        ProofVerdict::Refuted(found) => ProofVerdict::Refuted(
            counterexample(system, question, &found)
                .ok_or(Failure::Internal("a saved state came back without a counterexample"))?,
        ),
        ProofVerdict::Unknown => ProofVerdict::Unknown,
    })
}

/// Tries to prove by counting up to `rounds` rounds, twice as many each time. Refutes only where an
/// execution ends without a good state, or one that fills the counter happens to come back to an earlier state.
pub fn prove_by_counting(
    system: &System,
    question: &LivenessQuestion,
    rounds: usize,
    limits: Limits<'_>,
) -> Result<ProofVerdict<Proof>, Failure> {
    let mut count = 1;
    while count <= rounds {
        let method = Method::Counting(count);
        let new = reduce(system, question, method);
        match ic3::prove(&new, new.bad[0], limits)? {
            ProofVerdict::Proved(invariant) => return Ok(ProofVerdict::Proved(Proof { method, invariant })),
            ProofVerdict::Refuted(found) => {
                if let Some(witness) = counterexample(system, question, &found) {
                    return Ok(ProofVerdict::Refuted(witness));
                }
            }
            ProofVerdict::Unknown => return Ok(ProofVerdict::Unknown),
        }
        count *= 2;
    }
    Ok(ProofVerdict::Unknown)
}

/// Checks a proof: that the system of its method has that invariant, and the invariant no bad state.
pub fn check<'s, S: Sat<'s>>(
    system: &System,
    question: &LivenessQuestion,
    proof: &Proof,
    limits: Limits<'s>,
) -> Result<(), Refusal> {
    let new = reduce(system, question, proof.method);
    check::invariant::<S>(&new, new.bad[0], &proof.invariant, limits)
}
