//! Inductions that were changed, against enumeration: the check accepts what is an induction, and nothing else.
#![allow(clippy::disallowed_macros, reason = "tests that say what they found")]

mod oracle;

use oracle::{Whole, random};
use std::collections::BTreeSet;
use swarmcheck_aig::{Lit, System};
use swarmcheck_prove::sat::{Batsat, Cadical};
use swarmcheck_prove::{Induction, Limits, ProofVerdict, Refusal, check, k_induction};

/// At most 16 states, so that all simple paths can be followed.
const LATCHES: usize = 4;

/// What the checker should say. Sets of visited states are bits of a number.
fn enumerated(system: &System, whole: &Whole, proof: &Induction) -> Result<(), Refusal> {
    let Some(lemmas) = proof.lemmas.iter().map(|at| system.lemmas.get(*at)).collect::<Option<Vec<_>>>()
    else {
        return Err(Refusal::Malformed);
    };
    let lemmas: Vec<BTreeSet<usize>> = lemmas.into_iter().map(|lemma| whole.states(system, *lemma)).collect();
    let inside = |state: &usize| lemmas.iter().all(|lemma| lemma.contains(state));
    if !whole.starts.iter().all(inside) {
        return Err(Refusal::Start);
    }
    let all: Vec<usize> = whole.all().into_iter().filter(inside).collect();
    if all.iter().any(|state| !whole.successors[*state].iter().all(inside)) {
        return Err(Refusal::Step);
    }
    let bad = whole.states(system, system.bad[0]);
    if (0..proof.k).any(|steps| !whole.after(steps).is_disjoint(&bad)) {
        return Err(Refusal::Start);
    }
    let mut paths: BTreeSet<(u32, usize)> = all.iter().map(|state| (1 << state, *state)).collect();
    for _ in 0..proof.k {
        let good = paths.into_iter().filter(|(_, last)| !bad.contains(last));
        paths = good
            .flat_map(|(visited, last)| {
                let next = whole.successors[last].iter().copied().filter(inside);
                let next = next.filter(move |next| !proof.distinct || visited >> next & 1 == 0);
                // Where states may recur, only the last one matters.
                next.map(move |next| if proof.distinct { (visited | 1 << next, next) } else { (0, next) })
            })
            .collect();
    }
    if paths.iter().any(|(_, last)| bad.contains(last)) { Err(Refusal::Step) } else { Ok(()) }
}

/// A proof changed at one place in every way that keeps its form.
fn mutants(proof: &Induction, lemmas: usize) -> Vec<Induction> {
    let with = |change: &dyn Fn(&mut Induction)| {
        let mut mutant = proof.clone();
        change(&mut mutant);
        mutant
    };
    let mut out = vec![with(&|p| p.distinct = !p.distinct), with(&|p| p.lemmas.push(lemmas))];
    let lengths = [0, 1, proof.k.saturating_sub(1), proof.k + 1, proof.k + 2, proof.k + 5];
    out.extend(lengths.map(|k| with(&|p| p.k = k)));
    let fewer =
        |at: usize| (0..proof.lemmas.len()).filter(|other| *other != at).map(|at| proof.lemmas[at]).collect();
    out.extend((0..proof.lemmas.len()).map(|at| with(&|p| p.lemmas = fewer(at))));
    let absent = (0..lemmas).filter(|lemma| !proof.lemmas.contains(lemma));
    out.extend(absent.map(|lemma| with(&|p| p.lemmas.push(lemma))));
    out.retain(|mutant| mutant != proof);
    out
}

/// How many mutants are refused, and how many are proofs, too.
fn compare(seeds: std::ops::Range<u64>) -> [usize; 2] {
    let mut seen = [0, 0];
    for seed in seeds {
        let mut case = random(seed, LATCHES);
        let first = case.system.latches[0].variable;
        case.system.lemmas = vec![case.good, !case.fair, first, !first, Lit::TRUE];
        let (system, whole) = (&case.system, Whole::of(&case.system));
        let bad = system.bad[0];
        let verdict = k_induction::prove(system, bad, 1 << LATCHES, Limits::default()).unwrap();
        // Where nothing can be proved, everything that is written must be refused.
        let (proof, violated) = match verdict {
            ProofVerdict::Proved(proof) => (proof, false),
            _ => (Induction { k: (seed % 4) as usize, distinct: seed % 2 == 0, lemmas: vec![] }, true),
        };
        for mutant in mutants(&proof, system.lemmas.len()).iter().chain([&proof]) {
            let expected = enumerated(system, &whole, mutant);
            assert!(!(violated && expected.is_ok()), "seed {seed}: the enumeration is wrong: {mutant:?}");
            let limits = Limits::default();
            assert_eq!(check::induction::<Batsat>(system, bad, mutant, limits), expected, "seed {seed}");
            assert_eq!(check::induction::<Cadical>(system, bad, mutant, limits), expected, "seed {seed}");
            seen[usize::from(expected.is_ok())] += usize::from(*mutant != proof);
        }
    }
    seen
}

#[test]
fn changed_inductions_are_refused_or_are_proofs() {
    let [refused, accepted] = compare(0..400);
    println!("{refused} mutants refused, {accepted} are proofs, too");
    assert!(refused > 1000 && accepted > 300, "{refused} refused, {accepted} accepted");
}

/// `cargo test --release -p swarmcheck-prove --test mutants -- --ignored --nocapture`
#[test]
#[ignore = "long: a hundred thousand changed inductions"]
fn many_changed_inductions_are_refused_or_are_proofs() {
    let [refused, accepted] = compare(0..10_000);
    println!("{refused} mutants refused, {accepted} are proofs, too");
}
