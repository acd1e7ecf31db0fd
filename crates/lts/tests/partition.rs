//! Partitions of systems whose states have classes, compared with relations found straight from the definitions.

mod common;
#[allow(dead_code)]
mod naive;

use common::{Random, lts};
use naive::{Relation, by_partitions_within, by_removal_within};
use std::cell::Cell;
use swarmcheck_lts::Equivalence::{self, Branching, DivergenceBranching, Strong};
use swarmcheck_lts::{Lts, Raw, Stopped, partition, partition_by_bunches, partition_by_signatures};

const KINDS: [Equivalence; 3] = [Strong, Branching, DivergenceBranching];

/// By all engines.
#[track_caller]
fn classes_of(lts: &Lts, classes: &[u32], kind: Equivalence) -> Vec<u32> {
    let raw = Raw { classes, ..lts.raw() };
    let found = partition(&raw, kind, &|_| false).unwrap();
    for engine in [partition_by_bunches, partition_by_signatures] {
        assert_eq!(engine(&raw, kind, &|_| false).as_ref(), Ok(&found), "{kind:?} {classes:?} {lts:?}");
    }
    found
}

/// The classes of a relation, numbered in the order of their first states.
fn numbered(lts: &Lts, related: &Relation) -> Vec<u32> {
    let mut classes: Vec<u32> = vec![];
    let mut next = 0;
    for state in 0..lts.states() {
        let first = (0..state).find(|&other| related.holds(state, other));
        classes.push(first.map_or(next, |first| classes[first as usize]));
        next += u32::from(first.is_none());
    }
    classes
}

#[track_caller]
fn check(text: &str, classes: &[u32], kind: Equivalence, expected: &[u32]) {
    assert_eq!(classes_of(&lts(text), classes, kind), expected, "{kind:?}");
}

#[test]
fn observations_of_states() {
    // An invisible step that changes the observation is seen, also when it is undone.
    check("0 i 1, 1 i 2, 2 a 3", &[0, 0, 0, 0], Branching, &[0, 0, 0, 1]);
    check("0 i 1, 1 i 2, 2 a 3", &[5, 4, 5, 5], Branching, &[0, 1, 2, 3]);
    check("0 i 1, 1 i 2, 2 a 3", &[4, 5, 5, 5], Branching, &[0, 1, 1, 2]);
    // A cycle through both observations is no divergence, one inside an observation is.
    check("0 i 1, 1 i 0, 2 i 3, 3 i 2, 3 i 3", &[1, 2, 1, 2], Branching, &[0, 1, 0, 1]);
    check("0 i 1, 1 i 0, 2 i 3, 3 i 2, 3 i 3", &[1, 2, 1, 2], DivergenceBranching, &[0, 1, 2, 3]);
    // The states on an invisible cycle inside an observation are equivalent.
    check("0 i 1, 1 i 0, 1 i 2, 0 a 2", &[1, 1, 2], DivergenceBranching, &[0, 0, 1]);
    check("0 i 1, 1 i 0, 1 i 2, 0 a 2", &[1, 1, 2], Strong, &[0, 1, 2]);
}

#[test]
fn systems_without_states() {
    for offsets in [&[][..], &[0][..]] {
        let raw = Raw { offsets, edges: &[], tau: Some(0), classes: &[] };
        for kind in KINDS {
            assert_eq!(partition(&raw, kind, &|_| false), Ok(vec![]));
        }
    }
}

#[test]
fn states_that_cannot_be_reached_count() {
    for kind in KINDS {
        check("3 a 2, 1 a 2", &[], kind, &[0, 1, 0, 1]);
        check("3 a 2, 1 a 2", &[0, 1, 0, 0], kind, &[0, 1, 0, 2]);
    }
}

#[test]
fn whoever_is_told_to_stop_stops() {
    let chain: Vec<String> = (0..50_000).map(|n| format!("{n} a {}", n + 1)).collect();
    let chain = lts(&chain.join(","));
    for kind in KINDS {
        for engine in [partition, partition_by_bunches, partition_by_signatures] {
            assert_eq!(engine(&chain.raw(), kind, &|_| true), Err(Stopped));
            // The question is asked again and again, not only in the end.
            let asked = Cell::new(0);
            let later = |_| asked.replace(asked.get() + 1) >= 3;
            assert_eq!(engine(&chain.raw(), kind, &later), Err(Stopped));
            assert_eq!(asked.get(), 4);
        }
    }
}

/// Few labels and classes, many invisible steps.
fn random_case(random: &mut Random, states: u32) -> (Lts, Vec<u32>) {
    let labels: &[&str] = [&["a", "i"][..], &["a", "b", "i", "i", "i"], &["i"]][random.below(3) as usize];
    let lts = random.lts(states, labels);
    let kinds = 1 + random.below(3);
    let classes = (0..lts.states()).map(|_| random.below(kinds)).collect();
    (lts, if kinds == 1 && random.below(2) == 0 { vec![] } else { classes })
}

#[test]
fn random_systems_by_removal() {
    let mut random = Random::new(23);
    let mut fewer = [0; 2];
    for _ in 0..8_000 {
        let (lts, classes) = random_case(&mut random, 9);
        for kind in [Strong, Branching] {
            let expected = numbered(&lts, &by_removal_within(&lts, &classes, kind));
            let found = classes_of(&lts, &classes, kind);
            assert_eq!(found, expected, "{kind:?} {classes:?} {lts:?}");
            fewer[usize::from(found.iter().max() < Some(&(lts.states() - 1)))] += 1;
        }
    }
    assert!(fewer.iter().all(|&count| count > 2_000), "{fewer:?}");
}

#[test]
fn random_systems_by_partitions() {
    let mut random = Random::new(29);
    let mut fewer = [[0; 2]; 3];
    for _ in 0..4_000 {
        let (lts, classes) = random_case(&mut random, 6);
        for (kind, fewer) in KINDS.into_iter().zip(&mut fewer) {
            let expected = numbered(&lts, &by_partitions_within(&lts, &classes, kind));
            let found = classes_of(&lts, &classes, kind);
            assert_eq!(found, expected, "{kind:?} {classes:?} {lts:?}");
            fewer[usize::from(found.iter().max() < Some(&(lts.states() - 1)))] += 1;
        }
    }
    assert!(fewer.iter().flatten().all(|&count| count > 300), "{fewer:?}");
}
