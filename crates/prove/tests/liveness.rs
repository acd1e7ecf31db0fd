//! "Every execution reaches a good state" on random systems, against enumeration.

#![allow(clippy::disallowed_macros, reason = "says how much was compared")]

mod oracle;

use oracle::{Whole, random};
use swarmcheck_aig::{Simulation, System, Witness};
use swarmcheck_prove::liveness::{self, LivenessQuestion, Method};
use swarmcheck_prove::sat::Batsat;
use swarmcheck_prove::{Limits, ProofVerdict};

/// How many systems a test looks at.
const SYSTEMS: u64 = 1000;

/// Checks a counterexample against the definition.
fn is_counterexample(system: &System, question: &LivenessQuestion, witness: &Witness) -> bool {
    let again = Witness::replay(system, witness.start.clone(), witness.steps.clone());
    let mut simulation = Simulation::new(system);
    let last = witness.states.len() - 1;
    again.is_some_and(|again| again.states == witness.states)
        && !witness.states.iter().any(|state| simulation.holds(state, question.good))
        && match witness.back_to {
            None => question.stuck.is_some_and(|stuck| simulation.holds(witness.last(), stuck)),
            Some(back) => {
                back < last
                    && witness.states[back] == witness.states[last]
                    && question.fair.iter().all(|&fair| {
                        (back..last)
                            .any(|i| simulation.holds_in_step(&witness.states[i], &witness.steps[i], fair))
                    })
            }
        }
}

#[test]
fn liveness_is_decided() {
    let (mut proved, mut loops, mut ends, mut counted, mut uncounted) = (0, 0, 0, 0, 0);
    for seed in 0..SYSTEMS {
        let case = random(seed, 5);
        let (system, whole) = (&case.system, Whole::of(&case.system));
        let good = whole.states(system, case.good);
        let stops = whole.ends_avoiding(&good);
        for variant in 0..4 {
            let fair = if variant & 1 != 0 { vec![case.fair] } else { vec![] };
            let stuck = (variant & 2 != 0).then_some(case.stuck);
            // The condition is over latches only here, so being true in a step is being true in its first state.
            let again = if fair.is_empty() { whole.all() } else { whole.states(system, case.fair) };
            let runs = whole.runs_avoiding(&good, &again);
            let ended = stops && stuck.is_some();
            let question = LivenessQuestion { good: case.good, stuck, fair, pairs: vec![] };
            let what = format!("seed {seed}, variant {variant}");
            match liveness::prove(system, &question, Limits::default()).unwrap() {
                ProofVerdict::Proved(proof) => {
                    assert!(!runs && !ended, "{what}");
                    let check = liveness::check::<Batsat>(system, &question, &proof, Limits::default());
                    assert_eq!(check, Ok(()), "{what}");
                    proved += 1;
                }
                ProofVerdict::Refuted(witness) => {
                    assert!(runs || ended, "{what}");
                    assert!(is_counterexample(system, &question, &witness), "{what}: {witness:?}");
                    if witness.back_to.is_some() {
                        loops += 1;
                    } else {
                        ends += 1;
                    }
                }
                ProofVerdict::Unknown => panic!("{what}: no answer"),
            }
            match liveness::prove_by_counting(system, &question, 8, Limits::default()).unwrap() {
                ProofVerdict::Proved(proof) => {
                    assert!(!runs && !ended && matches!(proof.method, Method::Counting(_)), "{what}");
                    let check = liveness::check::<Batsat>(system, &question, &proof, Limits::default());
                    assert_eq!(check, Ok(()), "{what}");
                    counted += 1;
                }
                ProofVerdict::Refuted(witness) => {
                    assert!(is_counterexample(system, &question, &witness), "{what}: {witness:?}");
                }
                ProofVerdict::Unknown => uncounted += usize::from(!runs && !ended),
            }
        }
    }
    assert!(
        proved > 500 && loops > 500 && ends > 100 && counted > 500,
        "{proved} proved, {loops} loops, {ends} ends, {counted} counted, {uncounted} not"
    );
    println!("{proved} proved, {loops} loops, {ends} ends, {counted} counted, {uncounted} not");
}
