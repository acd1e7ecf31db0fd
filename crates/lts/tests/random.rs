//! Random systems, compared with relations found straight from the definitions.

mod common;
#[allow(dead_code)]
mod naive;

use common::Random;
use naive::{Relation, by_partitions, by_removal};
use std::collections::BTreeSet;
use swarmcheck_lts::Equivalence::{self, Branching, DivergenceBranching, Strong};
use swarmcheck_lts::{Builder, Lts, equivalent, minimise};

const KINDS: [Equivalence; 3] = [Strong, Branching, DivergenceBranching];
const LABELS: [&str; 4] = ["a", "b", "i", "i"];

/// The number of reachable states and transitions when related states are taken for one.
fn size(lts: &Lts, related: &Relation, kind: Equivalence) -> (usize, usize) {
    let class = |state: u32| (0..lts.states()).find(|&other| related.holds(state, other)).unwrap();
    let mut reached = BTreeSet::from([lts.initial()]);
    let mut todo = vec![lts.initial()];
    while let Some(state) = todo.pop() {
        todo.extend(
            lts.steps(state).iter().map(|(_, target)| *target).filter(|&target| reached.insert(target)),
        );
    }
    let inner = |s: u32, l: u32, t: u32| kind != Strong && Some(l) == lts.tau() && related.holds(s, t);
    let outer = lts.all_steps().filter(|&(s, l, t)| reached.contains(&s) && !inner(s, l, t));
    let steps: BTreeSet<_> = outer.map(|(s, l, t)| (class(s), l, class(t))).collect();
    let classes: BTreeSet<u32> = reached.iter().map(|&s| class(s)).collect();
    let looping = match kind {
        DivergenceBranching => {
            let diverges = |class: &u32| naive::diverges(lts, related, *class);
            classes.iter().filter(|class| diverges(class)).count()
        }
        _ => 0,
    };
    (classes.len(), steps.len() + looping)
}

/// Whether minimising made the system smaller.
#[track_caller]
fn check(lts: &Lts, related: &Relation, kind: Equivalence) -> bool {
    let result = minimise(lts, kind);
    let sizes = (result.states() as usize, result.transitions());
    assert_eq!(sizes, size(lts, related, kind), "{kind:?} {lts:?} {result:?}");
    assert!(equivalent(lts, &result, kind), "{kind:?} {lts:?} {result:?}");
    assert_eq!(minimise(&result, kind), result, "{kind:?} {lts:?}");
    let tau_loop = result.all_steps().any(|(s, l, t)| s == t && Some(l) == result.tau());
    assert!(kind != Branching || !tau_loop, "{lts:?} {result:?}");
    result.states() < lts.states()
}

/// Strong and branching bisimilarity by removal of pairs.
#[test]
fn minimal_by_removal() {
    let mut random = Random::new(7);
    let mut smaller = 0;
    for _ in 0..10_000 {
        let lts = random.lts(7, &LABELS);
        for kind in [Strong, Branching] {
            smaller += u32::from(check(&lts, &by_removal(&lts, kind), kind));
        }
    }
    assert!((5_000..18_000).contains(&smaller), "{smaller} of 20,000 were made smaller");
}

/// All three by trying all partitions.
#[test]
fn minimal_by_partitions() {
    let mut random = Random::new(11);
    let mut smaller = 0;
    for round in 0..6_000 {
        let lts = random.lts(if round % 12 == 0 { 7 } else { 5 }, &LABELS);
        for kind in KINDS {
            let related = by_partitions(&lts, kind);
            smaller += u32::from(check(&lts, &related, kind));
            if kind != DivergenceBranching {
                assert_eq!(by_removal(&lts, kind), related, "the two naive ways agree");
            }
        }
    }
    assert!((4_000..16_000).contains(&smaller), "{smaller} of 18,000 were made smaller");
}

/// Pairs of systems, and systems with what minimising made of them, side by side.
#[test]
fn equivalent_systems() {
    let mut random = Random::new(13);
    let mut counts = [0; 3];
    for _ in 0..2_000 {
        let (a, b) = (random.lts(3, &LABELS), random.lts(3, &LABELS));
        for (kind, count) in KINDS.into_iter().zip(&mut counts) {
            let naive = |a: &Lts, b: &Lts| {
                let (both, second) = a.beside(b);
                by_partitions(&both, kind).holds(a.initial(), second.start + b.initial())
            };
            let same = naive(&a, &b);
            assert_eq!(equivalent(&a, &b, kind), same, "{kind:?} {a:?} {b:?}");
            assert!(naive(&a, &minimise(&a, kind)), "{kind:?} {a:?}");
            *count += usize::from(same);
        }
    }
    assert!(counts.iter().all(|&count| count > 100 && count < 1_900), "both answers occur: {counts:?}");
    assert!(counts[0] < counts[2] && counts[2] < counts[1], "{counts:?}");
}

/// Without the states that have stopped, it takes other signatures to begin with.
fn without_deadlock(lts: &Lts) -> Lts {
    let mut builder = Builder::new();
    lts.all_steps().for_each(|(s, l, t)| builder.step(s, lts.label(l), t));
    (0..lts.states()).filter(|&s| lts.steps(s).is_empty()).for_each(|s| builder.step(s, "a", s));
    builder.finish(lts.initial())
}

/// Larger systems, where blocks are cut often: minimal means that no two states of the result are equivalent.
#[test]
fn larger_systems() {
    let mut random = Random::new(17);
    let mut states = [0, 0];
    for round in 0..300 {
        let labels: &[&str] = if round % 2 == 0 { &LABELS } else { &["a", "i"] };
        let mut lts = random.lts(60, labels);
        if round % 3 == 0 {
            lts = without_deadlock(&lts);
        }
        for kind in KINDS {
            let result = minimise(&lts, kind);
            states = [states[0] + lts.states(), states[1] + result.states()];
            assert!(equivalent(&lts, &result, kind));
            assert_eq!(minimise(&result, kind), result);
            if kind != DivergenceBranching {
                let related = by_removal(&result, kind);
                let pairs = (0..result.states()).flat_map(|s| (0..s).map(move |t| (s, t)));
                assert!(pairs.into_iter().all(|(s, t)| !related.holds(s, t)), "{kind:?} {lts:?}");
                let (both, second) = lts.beside(&result);
                assert!(by_removal(&both, kind).holds(lts.initial(), second.start), "{kind:?} {lts:?}");
            }
        }
    }
    assert!(states[0] > 20_000 && states[1] > 1_000 && states[1] < states[0], "{states:?}");
}
