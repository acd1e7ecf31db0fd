//! Triple structures of small terms, worked out by hand.

use super::*;
use crate::print;

type T = Term<&'static str, &'static str>;

fn act(name: &'static str) -> T {
    Term::Act(name)
}

fn guard(g: &'static str, body: T) -> T {
    Term::Guard(g, Box::new(body))
}

fn maybe(yes: &'static str, no: &'static str, body: T) -> T {
    Term::Conditional { yes, no, pass: "pass", body: Box::new(body) }
}

#[track_caller]
fn check(definitions: Vec<T>, expected: &str) {
    let built = build(&definitions, 0, Choice::Late, 1000).unwrap();
    let text = print(&built, |a| a.to_string(), |g| g.to_string());
    let lines: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    let actual: Vec<&str> = text.lines().map(str::trim).collect();
    assert_eq!(actual, lines, "\n{text}");
}

#[test]
fn figure_4_2a_with_late_choice() {
    check(
        vec![Term::Seq(vec![act("a"), Term::Choice(vec![act("b"), act("c")])])],
        "start: pc0 := 1
         1: pc0 = 1: a: pc0 := 2
         2: pc0 = 2: b: pc0 := 0
         3: pc0 = 2: c: pc0 := 0",
    );
}

#[test]
fn figure_4_2b_parallel_processes() {
    check(
        vec![Term::Par(vec![act("a"), act("b"), act("c")])],
        "start: pc0 := 1, pc1 := 1, pc2 := 1, pc3 := 1
         1: pc1 = 1: a: pc1 := 0, join 1
         2: pc2 = 1: b: pc2 := 0, join 1
         3: pc3 = 1: c: pc3 := 0, join 1
         join 1: pc0 = 1, pc1 = 0, pc2 = 0, pc3 = 0: pc0 := 0",
    );
}

#[test]
fn recursion_closes() {
    check(
        vec![Term::Seq(vec![act("a"), Term::Call(1), Term::Call(0)]), Term::Choice(vec![act("b"), act("c")])],
        "start: pc0 := 1
         1: pc0 = 1: a: pc0 := 2
         2: pc0 = 2: b: pc0 := 1
         3: pc0 = 2: c: pc0 := 1",
    );
    // What follows a process that never ends is dropped, so this closes too.
    check(
        vec![Term::Seq(vec![act("a"), Term::Call(0), act("b")])],
        "start: pc0 := 1
         1: pc0 = 1: a: pc0 := 1",
    );
}

/// `B = F; B; F = a`: opening what follows a call too early would never end.
#[test]
fn a_loop_that_begins_with_a_call_closes() {
    check(
        vec![Term::Seq(vec![Term::Call(1), Term::Call(0)]), act("a")],
        "start: pc0 := 1
         1: pc0 = 1: a: pc0 := 1",
    );
    check(
        vec![
            Term::Seq(vec![Term::Call(1), Term::Call(2), Term::Call(0)]),
            Term::Par(vec![act("a"), act("b")]),
            Term::Seq(vec![Term::Call(1), act("c")]),
        ],
        "start: pc0 := 1, pc1 := 1, pc2 := 1
         1: pc1 = 1: a: pc1 := 0, join 1
         2: pc2 = 1: b: pc2 := 0, join 1
         3: pc3 = 1: a: pc3 := 0, join 2
         4: pc4 = 1: b: pc4 := 0, join 2
         5: pc0 = 3: c: pc0 := 1, pc1 := 1, pc2 := 1
         join 1: pc0 = 1, pc1 = 0, pc2 = 0: pc0 := 2, pc3 := 1, pc4 := 1
         join 2: pc0 = 2, pc3 = 0, pc4 = 0: pc0 := 3",
    );
}

#[test]
fn a_parallel_composition_in_a_loop_uses_its_components_again() {
    check(
        vec![Term::Seq(vec![Term::Par(vec![act("a"), act("b")]), Term::Call(0)])],
        "start: pc0 := 1, pc1 := 1, pc2 := 1
         1: pc1 = 1: a: pc1 := 0, join 1
         2: pc2 = 1: b: pc2 := 0, join 1
         join 1: pc0 = 1, pc1 = 0, pc2 = 0: pc0 := 1, pc1 := 1, pc2 := 1",
    );
}

#[test]
fn a_guard_on_a_composition_is_checked_by_the_first_move_only() {
    check(
        vec![guard("g", Term::Par(vec![act("a"), act("b")]))],
        "start: pc0 := 1
         1: pc0 = 1: [g] a: pc0 := 2, pc2 := 1, pc1 := 0, join 1
         2: pc0 = 1: [g] b: pc0 := 2, pc1 := 1, pc2 := 0, join 1
         3: pc2 = 1: b: pc2 := 0, join 1
         4: pc1 = 1: a: pc1 := 0, join 1
         join 1: pc0 = 2, pc1 = 0, pc2 = 0: pc0 := 0",
    );
}

#[test]
fn nil_never_joins() {
    check(
        vec![Term::Seq(vec![Term::Par(vec![act("a"), Term::Nil]), act("b")])],
        "start: pc0 := 1, pc1 := 1, pc2 := 1
         1: pc1 = 1: a: pc1 := 0, join 1
         2: pc0 = 2: b: -
         join 1: pc0 = 1, pc1 = 0, pc2 = 0: pc0 := 2",
    );
}

#[test]
fn passing_a_conditional_process_is_an_action() {
    check(
        vec![Term::Seq(vec![maybe("g", "!g", act("a")), act("b")])],
        "start: pc0 := 1
         1: pc0 = 1: [g] a: pc0 := 2
         2: pc0 = 1: [!g] pass: pc0 := 2
         3: pc0 = 2: b: pc0 := 0",
    );
    // It needs every outer guard, and it makes a choice.
    check(
        vec![guard("h", Term::Choice(vec![maybe("g", "!g", act("a")), act("b")]))],
        "start: pc0 := 1
         1: pc0 = 1: [h] [g] a: pc0 := 0
         2: pc0 = 1: [h] [!g] pass: pc0 := 0
         3: pc0 = 1: [h] b: pc0 := 0",
    );
    // At the end of a branch it ends the branch.
    check(
        vec![Term::Seq(vec![Term::Par(vec![maybe("g", "!g", act("a")), act("b")]), act("c")])],
        "start: pc0 := 1, pc1 := 1, pc2 := 1
         1: pc1 = 1: [g] a: pc1 := 0, join 1
         2: pc1 = 1: [!g] pass: pc1 := 0, join 1
         3: pc2 = 1: b: pc2 := 0, join 1
         4: pc0 = 2: c: pc0 := 0
         join 1: pc0 = 1, pc1 = 0, pc2 = 0: pc0 := 2",
    );
}

#[test]
fn a_loop_of_conditional_processes_closes() {
    check(
        vec![Term::Seq(vec![maybe("g", "!g", act("a")), maybe("h", "!h", Term::Nil), Term::Call(0)])],
        "start: pc0 := 1
         1: pc0 = 1: [g] a: pc0 := 2
         2: pc0 = 1: [!g] pass: pc0 := 2
         3: pc0 = 2: [!h] pass: pc0 := 1",
    );
    // The outer one is passed under its own guard, the inner one under both.
    check(
        vec![Term::Seq(vec![maybe("g", "!g", maybe("h", "!h", act("a"))), Term::Call(0)])],
        "start: pc0 := 1
         1: pc0 = 1: [g] [h] a: pc0 := 1
         2: pc0 = 1: [g] [!h] pass: pc0 := 1
         3: pc0 = 1: [!g] pass: pc0 := 1",
    );
}

/// Each branch has its action and the step that passes it; if the composition stands under a guard, both also as a
/// first move.
#[test]
fn branches_that_end_conditionally_need_linearly_many_triples() {
    for n in 2..=12 {
        let branches: Vec<T> = (0..n).map(|_| maybe("g", "!g", act("a"))).collect();
        let size = |term: T| {
            let built = build(&[Term::Seq(vec![term, act("c")])], 0, Choice::Late, 10_000).unwrap();
            (built.triples.len(), built.joins.len())
        };
        assert_eq!(size(Term::Par(branches.clone())), (2 * n + 1, 1), "{n} branches");
        assert_eq!(size(guard("h", Term::Par(branches))), (4 * n + 1, 1), "{n} branches under a guard");
    }
}

/// Thesis 4.2, "size of the emulation program": linear in the specification.
#[test]
fn twice_the_process_twice_the_triples() {
    let stage = || {
        Term::Seq(vec![
            act("a"),
            Term::Choice(vec![guard("g", act("b")), Term::Seq(vec![act("c"), act("d")])]),
            Term::Par(vec![act("e"), Term::Seq(vec![act("f"), act("h")])]),
        ])
    };
    let size = |n: usize| {
        let term: T = Term::Seq((0..n).map(|_| stage()).collect());
        let built = build(&[term], 0, Choice::Late, 100_000).unwrap();
        (built.triples.len(), built.joins.len())
    };
    let (triples, joins) = size(10);
    assert_eq!((triples, joins), (70, 10));
    assert_eq!(size(20), (2 * triples, 2 * joins));
    assert_eq!(size(40), (4 * triples, 4 * joins));
}

#[test]
fn a_long_chain_of_compositions_is_not_deep() {
    let chain: Vec<T> = (0..40_000).map(|_| Term::Par(vec![act("a"), act("b")])).collect();
    assert_eq!(build(&[Term::Seq(chain)], 0, Choice::Late, 100_000).unwrap().joins.len(), 40_000);
}

#[test]
fn exponential_expansion_is_refused() {
    let mut definitions = vec![Term::Call(1)];
    for next in 2..42 {
        definitions.push(Term::Seq(vec![Term::Call(next), Term::Call(next)]));
    }
    definitions.push(act("a"));
    assert_eq!(build(&definitions, 0, Choice::Late, 10_000).unwrap_err(), TooLarge);
}

#[test]
fn compositions_that_double_are_refused() {
    let mut definitions: Vec<T> =
        (0..40).map(|n| Term::Par(vec![act("a"), Term::Call(n + 1), Term::Call(n + 1)])).collect();
    definitions.push(act("a"));
    assert_eq!(build(&definitions, 0, Choice::Late, 1000).unwrap_err(), TooLarge);
    // The same where the compositions are begun by their first moves.
    let choices: Vec<T> = definitions.into_iter().map(|d| Term::Choice(vec![act("b"), d])).collect();
    assert_eq!(build(&choices, 0, Choice::Late, 1000).unwrap_err(), TooLarge);
}
