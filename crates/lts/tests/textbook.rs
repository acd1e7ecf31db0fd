//! Pairs of systems that the textbooks tell apart, or do not, and what minimising makes of some.
//!
//! The verdicts are argued for beside each pair; processes are written as in process algebra, with `i` for the
//! invisible action.

mod common;

use common::lts;
use swarmcheck_lts::Equivalence::{Branching, DivergenceBranching, Strong};
use swarmcheck_lts::{Lts, equivalent, minimise};

/// Strong, branching and divergence-preserving branching equivalence, `=` or `/` each.
#[track_caller]
fn check(a: &str, b: &str, expected: &str) {
    let (a, b) = (lts(a), lts(b));
    let verdicts = |a: &Lts, b: &Lts| -> String {
        let kinds = [Strong, DivergenceBranching, Branching];
        kinds.iter().map(|kind| if equivalent(a, b, *kind) { '=' } else { '/' }).collect()
    };
    assert_eq!(verdicts(&a, &b), expected);
    assert_eq!(verdicts(&b, &a), expected, "the other way round");
    assert_eq!(verdicts(&a, &a), "===");
    for (kind, verdict) in [Strong, DivergenceBranching, Branching].iter().zip(expected.chars()) {
        let same = equivalent(&minimise(&a, *kind), &minimise(&b, *kind), *kind);
        assert_eq!(same, verdict == '=', "minimised: {kind:?}");
    }
}

#[track_caller]
fn minimal(text: &str, kind: swarmcheck_lts::Equivalence, expected: &str) {
    let result = minimise(&lts(text), kind);
    let steps: Vec<String> =
        result.all_steps().map(|(s, l, t)| format!("{s} {} {t}", result.label(l))).collect();
    assert_eq!(steps.join(", "), expected);
}

#[test]
fn the_moment_of_choice() {
    // a.(b + c) and a.b + a.c: after the second's `a` one of the two is gone.
    check("0 a 1, 1 b 2, 1 c 2", "0 a 1, 1 b 2, 0 a 3, 3 c 2", "///");
    // a.b + a.b and a.b: a choice between equal things is none.
    check("0 a 1, 0 a 2, 1 b 3, 2 b 4", "0 a 1, 1 b 2", "===");
    // a.b + a and a.b: one side can stop after `a`.
    check("0 a 1, 1 b 2, 0 a 3", "0 a 1, 1 b 2", "///");
    // A loop and its unfolding.
    check("0 a 0", "0 a 1, 1 a 2, 2 a 0", "===");
    // A loop and a chain.
    check("0 a 0", "0 a 1, 1 a 2", "///");
}

#[test]
fn invisible_steps() {
    // i.a and a: the first step decides nothing.
    check("0 i 1, 1 a 2", "0 a 1", "/==");
    // a.i.b and a.b (the first law of branching bisimulation).
    check("0 a 1, 1 i 2, 2 b 3", "0 a 1, 1 b 2", "/==");
    // a + i.b and a + b: after `i` the `a` is gone.
    check("0 a 1, 0 i 2, 2 b 3", "0 a 1, 0 b 2", "///");
    // a + i.b and i.a + i.b: the second can lose the `b`.
    check("0 a 1, 0 i 2, 2 b 3", "0 i 1, 1 a 3, 0 i 2, 2 b 3", "///");
    // a.(i.(b + c) + b) and a.(b + c), the second law: `b` was there before and is there after.
    check("0 a 1, 1 i 2, 2 b 3, 2 c 3, 1 b 3", "0 a 1, 1 b 2, 1 c 2", "/==");
    // a.(i.b + c) and a.(i.b + c) + a.b, the third law of weak bisimulation: weakly but not branching bisimilar,
    // since the added `a.b` passes no state that still has `c`.
    check("0 a 1, 1 i 2, 2 b 3, 1 c 3", "0 a 1, 1 i 2, 2 b 3, 1 c 3, 0 a 2", "///");
    // i.b + b and i.b: weakly (the second law of weak bisimulation) and also branching bisimilar.
    check("0 i 1, 1 b 2, 0 b 2", "0 i 1, 1 b 2", "/==");
    // c.(i.a + b) and c.(i.a + b + a): weakly bisimilar, but the added `a` starts in a state that has `b`, while the
    // first system reaches its `a` only after `b` is gone.
    check("0 c 1, 1 i 2, 2 a 3, 1 b 3", "0 c 1, 1 i 2, 2 a 3, 1 b 3, 1 a 3", "///");
}

#[test]
fn divergence() {
    // A state that loops invisibly and one that does nothing.
    check("0 i 0", "", "//=");
    // A loop of one and a loop of three.
    check("0 i 0", "0 i 1, 1 i 2, 2 i 0", "===");
    // A loop in front of an action, and none.
    check("0 i 0, 0 a 1", "0 a 1", "//=");
    check("0 i 0, 0 a 1", "0 i 1, 1 i 0, 1 a 2", "/==");
    // One invisible step gives up the `a`, and then one system goes on forever and the other stops.
    check("0 i 1, 1 i 1, 0 a 2", "0 i 1, 0 a 2", "//=");
    // The way into the loop is inert, so the loop might as well be at the beginning.
    check("0 i 1, 1 i 1, 1 a 2", "0 i 0, 0 a 1", "/==");
    // States on a cycle of invisible steps can do what any of them can.
    check("0 i 1, 1 i 0, 0 a 2, 1 b 2", "0 i 0, 0 a 1, 0 b 1", "/==");
    // Visible cycles are no divergence.
    check("0 a 0", "0 a 1, 1 i 0", "/==");
}

#[test]
fn minimising() {
    minimal("0 a 1, 0 a 2, 1 b 3, 2 b 4, 9 a 0", Strong, "0 a 1, 1 b 2");
    minimal("0 a 1, 1 i 2, 2 b 3, 3 i 3", Strong, "0 a 1, 1 i 2, 2 b 3, 3 i 3");
    minimal("0 a 1, 1 i 2, 2 b 3, 3 i 3", Branching, "0 a 1, 1 b 2");
    minimal("0 a 1, 1 i 2, 2 b 3, 3 i 3", DivergenceBranching, "0 a 1, 1 b 2, 2 i 2");
    minimal("0 i 0", Branching, "");
    minimal("0 i 0", DivergenceBranching, "0 i 0");
    minimal("0 i 1, 1 i 0", Strong, "0 i 0");
    minimal("", Strong, "");
    // The target of `z`, met first, gets the first number, and the labels keep their order.
    minimal("0 z 5, 0 a 3, 3 a 4, 5 z 5", Strong, "0 z 1, 0 a 2, 1 z 1, 2 a 3");
}

/// States 1 and 2 both offer `a` and `b` back to the block that they are cut off from first, and only then does it
/// show that state 1 reaches its `a` by an invisible step that is no longer inert.
#[test]
fn a_step_stops_being_inert_when_its_source_moves() {
    let text = "0 c 1, 0 d 2, 1 i 3, 1 b 3, 2 a 3, 2 b 3, 3 a 4, 4 a 5, 5 a 3";
    for kind in [Branching, DivergenceBranching] {
        minimal(text, kind, "0 c 1, 0 d 2, 1 i 3, 1 b 3, 2 b 3, 2 a 3, 3 a 3");
    }
}

#[test]
fn labels_that_are_gone_are_dropped() {
    let result = minimise(&lts("0 i 1, 1 a 2, 7 c 8"), Branching);
    assert_eq!((result.labels(), result.states(), result.initial()), (&["a".to_string()][..], 2, 0));
}

/// Long chains are the worst case for splitting one state at a time.
#[test]
fn long_chains() {
    let chain: Vec<String> = (0..20_000).map(|s| format!("{s} {} {}", ["a", "i"][s % 2], s + 1)).collect();
    let chain = lts(&chain.join(","));
    assert_eq!(minimise(&chain, Strong), chain);
    assert_eq!(minimise(&chain, Branching).states(), 10_001);
}
