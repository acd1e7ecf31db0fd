//! Partitions by bunches, by signatures and by both, compared with each other on systems that are too large for definitions.

mod common;

use common::Random;
use common::systems::{System, chain, counters, descending, fan, random, ring, stairs, tree};
use swarmcheck_lts::Equivalence::{self, Branching, DivergenceBranching, Strong};
use swarmcheck_lts::{Raw, partition, partition_by_bunches, partition_by_signatures};

const KINDS: [Equivalence; 3] = [Strong, Branching, DivergenceBranching];

/// The number of classes, on which the engines agree.
#[track_caller]
fn classes(system: &System, kind: Equivalence) -> u32 {
    let expected = partition_by_signatures(&system.raw(), kind, &|_| false).unwrap();
    for engine in [partition, partition_by_bunches] {
        let found = engine(&system.raw(), kind, &|_| false).unwrap();
        assert!(found == expected, "{kind:?} {system:?}\n{found:?}\n{expected:?}");
    }
    expected.iter().max().map_or(0, |last| last + 1)
}

/// How many random systems have fewer classes than states, and how many as many.
fn compare_random(rounds: u32, seed: u64, states: u32, dense: u32) -> [[u32; 2]; 3] {
    let mut rng = Random::new(seed);
    let mut counts = [[0; 2]; 3];
    for round in 0..rounds {
        let states = 2 + rng.below(states);
        let (labels, invisible) = (1 + rng.below(3), [20, 50, 80, 95][rng.below(4) as usize]);
        let transitions = rng.below(dense * states) + states / 2;
        let make = if round % 2 == 0 { random } else { descending };
        let mut system = make(&mut rng, states, transitions, labels, invisible);
        if round % 3 == 0 {
            system = system.with_classes(&mut rng, 3);
        }
        for (kind, counts) in KINDS.into_iter().zip(&mut counts) {
            counts[usize::from(classes(&system, kind) == states)] += 1;
        }
    }
    counts
}

#[test]
fn small_random_systems() {
    let counts = compare_random(10_000, 31, 12, 4);
    assert!(counts.iter().flatten().all(|&count| count > 250), "{counts:?}");
}

#[test]
fn larger_random_systems() {
    let counts = compare_random(1_500, 37, 300, 3);
    assert!(counts.iter().all(|[fewer, _]| *fewer > 100), "{counts:?}");
    let counts = compare_random(300, 41, 100, 20);
    assert!(counts.iter().all(|[fewer, as_many]| *fewer > 10 && *as_many > 10), "{counts:?}");
}

#[track_caller]
fn check(system: System, expected: [u32; 3]) {
    assert_eq!(KINDS.map(|kind| classes(&system, kind)), expected);
    // Whatever the classes are, the engines agree.
    let mut random = Random::new(43);
    for count in [2, 5, 50] {
        let system = system.clone().with_classes(&mut random, count);
        KINDS.iter().for_each(|&kind| assert!(classes(&system, kind) > 0));
    }
}

/// The numbers are those of the arguments beside them.
#[test]
fn structured_systems() {
    // Strongly, states differ in how far the end is. Invisible steps in front of the last step are inert.
    check(chain(1_000, &[0]), [1_001, 2, 2]);
    check(chain(1_000, &[1]), [1_001, 1_001, 1_001]);
    // Every other step is visible, and the last is: 500 of them, and the end.
    check(chain(1_000, &[0, 1]), [1_001, 501, 501]);
    // One step of the ring has a label of its own. Invisibly, nothing happens but that.
    check(ring(500, &[0]), [500, 1, 1]);
    check(ring(500, &[1]), [500, 500, 500]);
    check(ring(1, &[0]), [1, 1, 1]);
    // Nodes of the same depth are equivalent if the side makes no difference.
    check(tree(8, &[1]), [9, 9, 9]);
    check(tree(8, &[0]), [9, 1, 1]);
    // Only what is left to do counts: visible counters with one label, their sum.
    check(counters(&[1, 1, 1], 6, None), [19, 19, 19]);
    check(counters(&[0, 0, 0], 6, None), [19, 1, 1]);
    check(counters(&[1, 2, 3], 6, None), [343, 343, 343]);
    check(counters(&[1, 0, 0], 6, None), [7 * 13, 7, 7]);
    // Invisible counters that start again go on forever, but so do they in all states.
    check(counters(&[0, 0, 1], 6, Some(0)), [7, 1, 1]);
    // All of the invisible chain can do the same; the visible chain has one class for each length, and its end.
    check(fan(50, 60), [111, 62, 62]);
    // Only the stairs reach label 1, so the last state is cut off. Then all differ in the labels that are still to come.
    check(stairs(200), [202, 202, 202]);
}

#[test]
fn labels_may_have_large_numbers() {
    let edges = [(7, 1), (u32::MAX, 1), (u32::MAX - 1, 0), (u32::MAX - 1, 2)];
    let raw = Raw { offsets: &[0, 2, 3, 4], edges: &edges, tau: Some(u32::MAX - 1), classes: &[] };
    for engine in [partition, partition_by_bunches, partition_by_signatures] {
        assert_eq!(engine(&raw, Branching, &|_| false), Ok(vec![0, 0, 1]));
        assert_eq!(engine(&raw, DivergenceBranching, &|_| false), Ok(vec![0, 0, 1]));
    }
}
