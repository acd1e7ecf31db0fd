//! Computations that take too long or need too much are given up when they are told to, and what is known by then is told.

mod common;

use common::lts;
use std::cell::Cell;
use swarmcheck_lts::{Equivalence, Lts, Relation, Stopped, compare, minimise, minimise_unless};

const ALL: [Relation; 4] = [Relation::Strong, Relation::Branching, Relation::Weak, Relation::Trace];

/// So many steps `a` in a row.
fn chain(length: u32) -> Lts {
    lts(&(0..length).map(|n| format!("{n} a {}", n + 1)).collect::<Vec<_>>().join(", "))
}

/// Words in which the letter before the last so many is an a: there are as many sets of states as words of that length.
fn guess(length: u32, extra: &str) -> Lts {
    let steps = (1..=length).map(|n| format!("{n} a {0}, {n} b {0}", n + 1));
    lts(&format!("0 a 0, 0 b 0, 0 a 1, {}, {extra}", steps.collect::<Vec<_>>().join(", ")))
}

#[test]
fn whoever_is_told_to_stop_stops() {
    let system = chain(50_000);
    for equivalence in [Equivalence::Strong, Equivalence::Branching, Equivalence::DivergenceBranching] {
        assert_eq!(minimise_unless(&system, equivalence, &|_| true), Err(Stopped));
        // The question is asked again and again, not only in the end.
        let asked = Cell::new(0);
        let later = |_| asked.replace(asked.get() + 1) >= 3;
        assert_eq!(minimise_unless(&system, equivalence, &later), Err(Stopped));
        assert_eq!(asked.get(), 4);
        assert_eq!(minimise_unless(&system, equivalence, &|_| false), Ok(minimise(&system, equivalence)));
    }
    for relation in ALL {
        assert_eq!(compare(&system, &system, relation, &|_| true), Err(Stopped), "{relation:?}");
    }
}

/// Two to the power of 18 pairs of sets take more than a megabyte, however they are stored; five do not.
#[test]
fn traces_watch_their_memory() {
    let most = |bytes: u64| bytes > 1_000_000;
    assert_eq!(
        compare(&guess(18, "18 c 0"), &guess(18, "18 c 0, 18 c 19"), Relation::Trace, &most),
        Err(Stopped)
    );
    assert_eq!(compare(&guess(5, "5 c 0"), &guess(5, "5 c 0, 5 c 6"), Relation::Trace, &most), Ok(None));
}

/// A chain of invisible steps, each with a label of its own, has half as many weak steps as pairs of states.
#[test]
fn weak_steps_watch_their_memory() {
    let steps = |n: u32| format!("{n} i {}, {n} x{n} 3000", n + 1);
    let system = lts(&(0..2_000).map(steps).collect::<Vec<_>>().join(", "));
    assert_eq!(compare(&system, &system, Relation::Weak, &|bytes| bytes > 4_000_000), Err(Stopped));
}

/// That systems differ is known before there is evidence.
#[test]
fn a_difference_is_told_without_evidence() {
    let (one, other) = (chain(300), chain(301));
    for relation in [Relation::Strong, Relation::Branching] {
        let told = compare(&one, &other, relation, &|bytes| bytes > 0).unwrap().expect("a difference");
        assert_eq!((told.formula, told.trace, told.given_up), (None, None, true));
        let told = compare(&one, &other, relation, &|_| false).unwrap().expect("a difference");
        let (trace, first) = told.trace.expect("a trace");
        assert_eq!((trace.len(), first, told.given_up), (301, false, false));
        assert!(told.formula.is_some());
    }
}

/// A formula needs as many modalities inside one another as the shorter chain has steps, and one more. Nobody reads
/// thousands, and evaluating them must not need a deep stack.
#[test]
fn very_deep_formulas_are_left_out() {
    let (one, other) = (chain(1_500), chain(1_501));
    for relation in [Relation::Strong, Relation::Branching, Relation::Weak] {
        let told = compare(&one, &other, relation, &|_| false).unwrap().expect("a difference");
        assert_eq!((told.formula, told.given_up), (None, false));
        assert_eq!(told.trace.expect("a trace").0.len(), 1_501);
    }
}
