//! Proofs on random systems, against enumeration; certificates, whole and damaged.
#![allow(clippy::disallowed_macros, reason = "tests that say what they found")]

mod oracle;

use oracle::{Whole, random};
use swarmcheck_aig::{Lit, System};
use swarmcheck_prove::sat::{Batsat, Cadical};
use swarmcheck_prove::{
    Induction, Invariant, Limits, ProofVerdict, Refusal, check, ic3, k_induction, lemmas,
};

/// How many systems a test looks at.
const SYSTEMS: u64 = 2000;

/// Lemmas for a random system, some true and some not: the functions of latches that the generator made anyway.
fn with_lemmas(system: &mut System, good: Lit, fair: Lit) {
    let first = system.latches[0].variable;
    system.lemmas = vec![good, !fair, first, !first, Lit::TRUE];
}

fn agrees<Proof: std::fmt::Debug>(verdict: &ProofVerdict<Proof>, expected: Option<usize>, what: &str) {
    match verdict {
        ProofVerdict::Proved(proof) => assert_eq!(expected, None, "{what}: {proof:?}"),
        ProofVerdict::Refuted(witness) => {
            // Executions are replayed before they are returned; they are not always shortest ones.
            assert!(expected.is_some_and(|steps| steps <= witness.steps.len()), "{what}: {witness:?}");
        }
        ProofVerdict::Unknown => panic!("{what}: no answer"),
    }
}

#[test]
fn induction_is_right() {
    let mut distinct = 0;
    for seed in 0..SYSTEMS {
        let mut case = random(seed, 5);
        with_lemmas(&mut case.system, case.good, case.fair);
        let (system, whole) = (&case.system, Whole::of(&case.system));
        let expected = whole.shortest(&whole.states(system, system.bad[0]));
        // A path of distinct states has fewer steps than there are states, so this bound is enough.
        let bound = 1 << system.latches.len();
        let verdict = k_induction::prove(system, system.bad[0], bound, Limits::default()).unwrap();
        agrees(&verdict, expected, &format!("seed {seed}"));
        if let ProofVerdict::Refuted(witness) = &verdict {
            assert_eq!(Some(witness.steps.len()), expected, "seed {seed}: not a shortest execution");
        }
        if let ProofVerdict::Proved(mut proof) = verdict {
            let check = |proof: &Induction| {
                check::induction::<Batsat>(system, system.bad[0], proof, Limits::default())
            };
            assert_eq!(check(&proof), Ok(()), "seed {seed}");
            distinct += usize::from(proof.distinct);
            // The search goes through k in order, so a smaller one does not do.
            if proof.k > 0 {
                proof.k -= 1;
                assert_eq!(check(&proof), Err(Refusal::Step), "seed {seed}");
            }
        }
    }
    assert!(distinct > 25, "{distinct} proofs needed distinct states: the sample is too easy");
}

fn inside(system: &System, invariant: &Invariant, state: usize) -> bool {
    let value = |lit: &Lit| {
        let latch = system.latches.iter().position(|l| l.variable.node() == lit.node());
        latch.is_some_and(|i| (state >> i & 1 != 0) != lit.negated())
    };
    invariant.clauses.iter().all(|clause| clause.iter().any(value))
}

/// What the checker should say, by enumeration. The lemmas of the invariant are given as sets of states.
fn enumerated(case: &oracle::Case, whole: &Whole, invariant: &Invariant) -> Result<(), Refusal> {
    let system = &case.system;
    let lemmas: Vec<_> = invariant.lemmas.iter().map(|&i| whole.states(system, system.lemmas[i])).collect();
    let inside =
        |state: usize| inside(system, invariant, state) && lemmas.iter().all(|lemma| lemma.contains(&state));
    if !whole.starts.iter().all(|&state| inside(state)) {
        return Err(Refusal::Start);
    }
    let all: Vec<usize> = whole.all().into_iter().filter(|&state| inside(state)).collect();
    if all.iter().any(|&state| whole.successors[state].iter().any(|&next| !inside(next))) {
        return Err(Refusal::Step);
    }
    let bad = whole.states(system, system.bad[0]);
    if all.iter().any(|state| bad.contains(state)) { Err(Refusal::Bad) } else { Ok(()) }
}

#[test]
fn invariants_are_right_and_damage_is_noticed() {
    let (mut proved, mut refuted, mut damaged, mut harmless, mut deep) = (0, 0, 0, 0, 0);
    for seed in 0..SYSTEMS {
        let mut case = random(seed, 8);
        if seed % 2 == 0 {
            with_lemmas(&mut case.system, case.good, case.fair);
        }
        let (system, whole) = (&case.system, Whole::of(&case.system));
        let bad = system.bad[0];
        let expected = whole.shortest(&whole.states(system, bad));
        let verdict = ic3::prove(system, bad, Limits::default()).unwrap();
        agrees(&verdict, expected, &format!("seed {seed}"));
        let ProofVerdict::Proved(invariant) = verdict else {
            refuted += 1;
            deep += usize::from(expected.is_some_and(|steps| steps > 3));
            continue;
        };
        proved += 1;
        let check = |invariant: &Invariant| {
            let answers = [
                check::invariant::<Batsat>(system, bad, invariant, Limits::default()),
                check::invariant::<Cadical>(system, bad, invariant, Limits::default()),
            ];
            assert_eq!(answers[0], answers[1], "seed {seed}");
            answers[0]
        };
        assert_eq!(enumerated(&case, &whole, &invariant), Ok(()), "seed {seed}");
        assert_eq!(check(&invariant), Ok(()), "seed {seed}");
        for i in 0..invariant.clauses.len() {
            let mut without = invariant.clone();
            without.clauses.remove(i);
            let mut mutants = vec![without];
            for j in 0..invariant.clauses[i].len() {
                let mut negated = invariant.clone();
                negated.clauses[i][j] = !negated.clauses[i][j];
                mutants.push(negated);
                let mut shorter = invariant.clone();
                shorter.clauses[i].remove(j);
                mutants.push(shorter);
            }
            for mutant in mutants {
                let expected = enumerated(&case, &whole, &mutant);
                assert_eq!(check(&mutant), expected, "seed {seed}");
                if expected.is_ok() {
                    harmless += 1;
                } else {
                    damaged += 1;
                }
            }
        }
    }
    println!("{proved} invariants; changed: {damaged} refused, {harmless} are invariants, too");
    assert!(
        proved > 500 && refuted > 500 && damaged > 1000 && deep > 20,
        "{proved} proved, {refuted} refuted ({deep} deep), {damaged} damaged, {harmless} harmless"
    );
}

#[test]
fn both_solvers_prove() {
    let mut bad = 0;
    for seed in 0..300 {
        let case = random(seed, 7);
        let (system, whole) = (&case.system, Whole::of(&case.system));
        let expected = whole.shortest(&whole.states(system, system.bad[0]));
        let verdict = ic3::prove_with::<Cadical, Batsat>(system, system.bad[0], Limits::default()).unwrap();
        agrees(&verdict, expected, &format!("seed {seed}"));
        bad += u32::from(expected.is_some());
    }
    assert!((50..250).contains(&bad), "{bad} of 300 systems are bad");
}

/// The lemmas that are kept are the largest inductive set: all that hold at the starts, minus what steps break, again and
/// again.
#[test]
fn lemmas_are_sorted_out() {
    let mut dropped_later = 0;
    for seed in 0..SYSTEMS {
        let mut case = random(seed, 6);
        with_lemmas(&mut case.system, case.good, case.fair);
        let (system, whole) = (&case.system, Whole::of(&case.system));
        let sets: Vec<_> = system.lemmas.iter().map(|&lemma| whole.states(system, lemma)).collect();
        let mut expected: Vec<usize> =
            (0..sets.len()).filter(|&i| whole.starts.iter().all(|s| sets[i].contains(s))).collect();
        let at_first = expected.len();
        loop {
            let inside = |state: &usize| expected.iter().all(|&i| sets[i].contains(state));
            let broken = |i: usize| {
                let mut states = whole.all().into_iter().filter(inside);
                states.any(|state| whole.successors[state].iter().any(|next| !sets[i].contains(next)))
            };
            let fewer: Vec<usize> = expected.iter().copied().filter(|&i| !broken(i)).collect();
            if fewer == expected {
                break;
            }
            expected = fewer;
        }
        dropped_later += usize::from(expected.len() < at_first);
        assert_eq!(lemmas::inductive::<Batsat>(system, Limits::default()).unwrap(), expected, "seed {seed}");
    }
    assert!(dropped_later > 100, "steps broke a lemma in {dropped_later} systems only");
}

#[test]
fn malformed_certificates_are_refused() {
    let case = random(3, 4);
    let outside = Lit::new(100_000, false);
    for invariant in [
        Invariant { clauses: vec![vec![outside]], lemmas: vec![] },
        Invariant { clauses: vec![vec![Lit::TRUE]], lemmas: vec![] },
        Invariant { clauses: vec![], lemmas: vec![7] },
    ] {
        let answer = check::invariant::<Batsat>(&case.system, Lit::FALSE, &invariant, Limits::default());
        assert_eq!(answer, Err(Refusal::Malformed));
    }
}
