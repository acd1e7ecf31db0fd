//! Executions that count only if several conditions, or pairs of them, are met: on random systems, against the definition.

mod oracle;

use oracle::{Dice, Whole, bits, fairness, random};
use std::collections::BTreeSet;
use swarmcheck_aig::{Lit, System, Witness};
use swarmcheck_prove::liveness::{self, LivenessQuestion, Method};
use swarmcheck_prove::sat::Batsat;
use swarmcheck_prove::{Bmc, Lasso, Limits, ProofVerdict};

/// How many systems are looked at; large ones are left out, because all sets of states are looked at.
const SYSTEMS: u64 = 400;

/// A set of states as a function of latches.
fn function(system: &mut System, set: &BTreeSet<usize>) -> Lit {
    let n = system.latches.len();
    let mut parts = vec![];
    for &state in set {
        let latches = system.latches.iter().zip(bits(state, n));
        let cube: Vec<Lit> = latches.map(|(latch, bit)| latch.variable.negate_if(!bit)).collect();
        parts.push(system.graph.all(&cube));
    }
    system.graph.any(&parts)
}

#[test]
fn several_conditions_and_pairs_are_decided() {
    let (mut proved, mut loops, mut ends, mut counted, mut uncounted) = (0, 0, 0, 0, 0);
    for seed in 0..SYSTEMS {
        let mut case = random(seed, 4);
        if case.system.latches.len() > 3 {
            continue;
        }
        let mut dice = Dice::new(seed);
        let sets = fairness(&mut dice, case.system.latches.len());
        let system = &mut case.system;
        let fair: Vec<Lit> = sets.again.iter().map(|set| function(system, set)).collect();
        let pairs: Vec<(Lit, Lit)> =
            sets.pairs.iter().map(|(a, b)| (function(system, a), function(system, b))).collect();
        let (system, whole) = (&case.system, Whole::of(&case.system));
        let good = if seed % 2 == 0 { case.good } else { Lit::FALSE };
        let avoided = whole.states(system, good);
        let stuck = dice.one_in(2).then_some(case.stuck);
        let cycles = whole.fair_sets(&whole.region_avoiding(&avoided), &sets);
        let ended = stuck.is_some() && whole.ends_avoiding(&avoided);
        let expected = ended || !cycles.is_empty();
        let question = LivenessQuestion { good, stuck, fair, pairs };
        let shows = |witness: &Witness| {
            let number =
                |state: &Vec<bool>| state.iter().enumerate().map(|(i, &b)| usize::from(b) << i).sum();
            let again = Witness::replay(system, witness.start.clone(), witness.steps.clone());
            let visited: Vec<usize> = witness.states.iter().map(number).collect();
            let ending = match witness.back_to {
                Some(back) => {
                    visited[back..].last() == Some(&visited[back])
                        && cycles.contains(&visited[back..].iter().copied().collect())
                }
                None => ended && whole.successors[visited[visited.len() - 1]].is_empty(),
            };
            again.is_some_and(|again| again.states == witness.states)
                && ending
                && visited.iter().all(|state| !avoided.contains(state))
        };
        match liveness::prove(system, &question, Limits::default()).unwrap() {
            ProofVerdict::Proved(proof) => {
                assert!(!expected, "seed {seed}");
                let check = liveness::check::<Batsat>(system, &question, &proof, Limits::default());
                assert_eq!(check, Ok(()), "seed {seed}");
                proved += 1;
            }
            ProofVerdict::Refuted(witness) => {
                assert!(expected && shows(&witness), "seed {seed}: {witness:?}");
                *(if witness.back_to.is_some() { &mut loops } else { &mut ends }) += 1;
            }
            ProofVerdict::Unknown => panic!("seed {seed}: no answer"),
        }
        match liveness::prove_by_counting(system, &question, 8, Limits::default()).unwrap() {
            ProofVerdict::Proved(proof) => {
                assert!(!expected && matches!(proof.method, Method::Counting(_)), "seed {seed}");
                counted += 1;
            }
            ProofVerdict::Refuted(witness) => assert!(expected && shows(&witness), "seed {seed}"),
            ProofVerdict::Unknown => uncounted += usize::from(!expected),
        }
        // The way to a cycle, and the ways to what has to be met and back, pass through each state once at most.
        let ways = 2 + question.fair.len() + question.pairs.len();
        let depth = ways << system.latches.len();
        for now_and_then in [false, true] {
            let mut bmc = Bmc::new(system);
            let found = match now_and_then {
                false => bmc.lasso(&question, depth),
                true => bmc.lasso_now_and_then(&question, 2 * depth),
            };
            match found.unwrap() {
                Lasso::Found(witness) => assert!(expected && shows(&witness), "seed {seed}: {witness:?}"),
                Lasso::NotWithin | Lasso::Never(_) => assert!(!expected, "seed {seed}"),
            }
        }
    }
    assert!(
        proved > 30 && loops > 30 && ends > 15 && counted > 15 && uncounted > 0,
        "{proved} proved, {loops} loops, {ends} ends, {counted} counted, {uncounted} not"
    );
}
