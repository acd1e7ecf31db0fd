//! Early choice in structures of small terms, worked out by hand.

use crate::build::{TooLarge, build};
use crate::{Choice, Term, print};

type T = Term<&'static str, &'static str>;

fn act(name: &'static str) -> T {
    Term::Act(name)
}

fn either(a: T, b: T) -> T {
    Term::Choice(vec![a, b])
}

fn guard(g: &'static str, body: T) -> T {
    Term::Guard(g, Box::new(body))
}

fn maybe(yes: &'static str, no: &'static str, body: T) -> T {
    Term::Conditional { yes, no, pass: "pass", body: Box::new(body) }
}

fn built(definitions: &[T], choice: Choice) -> String {
    print(&build(definitions, 0, choice, 1000).unwrap(), |a| a.to_string(), |g| g.to_string())
}

#[track_caller]
fn check(definitions: Vec<T>, expected: &str) {
    let text = built(&definitions, Choice::Early);
    let lines: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    let actual: Vec<&str> = text.lines().map(str::trim).collect();
    assert_eq!(actual, lines, "\n{text}");
}

#[test]
fn figure_4_2a() {
    check(
        vec![Term::Seq(vec![act("a"), either(act("b"), act("c"))])],
        "start: pc0 := 1
         1: pc0 = 1: a: pc0 := 2 or pc0 := 3
         2: pc0 = 2: b: pc0 := 0
         3: pc0 = 3: c: pc0 := 0",
    );
}

#[test]
fn choices_are_found_through_calls_sequences_and_choices() {
    let again = Term::Seq(vec![Term::Call(1), Term::Call(0)]);
    let alternatives = either(act("a"), either(Term::Seq(vec![act("b"), act("c")]), Term::Call(2)));
    check(
        vec![again, alternatives, either(act("d"), act("d"))],
        "start: pc0 := 1 or pc0 := 2 or pc0 := 3 or pc0 := 4
         1: pc0 = 1: a: pc0 := 1 or pc0 := 2 or pc0 := 3 or pc0 := 4
         2: pc0 = 2: b: pc0 := 5
         3: pc0 = 3: d: pc0 := 1 or pc0 := 2 or pc0 := 3 or pc0 := 4
         4: pc0 = 4: d: pc0 := 1 or pc0 := 2 or pc0 := 3 or pc0 := 4
         5: pc0 = 5: c: pc0 := 1 or pc0 := 2 or pc0 := 3 or pc0 := 4",
    );
}

#[test]
fn the_same_alternative_twice_is_one() {
    let text = built(&[either(Term::Call(1), Term::Call(1)), act("a")], Choice::Early);
    assert_eq!(text, "start: pc0 := 1\n1: pc0 = 1: a: pc0 := 0\n");
}

#[test]
fn guards_are_kept_for_the_action() {
    check(
        vec![guard("g", either(act("a"), guard("h", either(act("b"), act("c")))))],
        "start: pc0 := 1 or pc0 := 2 or pc0 := 3
         1: pc0 = 1: [g] a: pc0 := 0
         2: pc0 = 2: [g] [h] b: pc0 := 0
         3: pc0 = 3: [g] [h] c: pc0 := 0",
    );
}

#[test]
fn branches_are_resolved_one_by_one() {
    check(
        vec![Term::Par(vec![either(act("a"), act("b")), either(act("c"), act("d"))])],
        "start: pc0 := 1, (pc1 := 1 or pc1 := 2), (pc2 := 1 or pc2 := 2)
         1: pc1 = 1: a: pc1 := 0, join 1
         2: pc1 = 2: b: pc1 := 0, join 1
         3: pc2 = 1: c: pc2 := 0, join 1
         4: pc2 = 2: d: pc2 := 0, join 1
         join 1: pc0 = 1, pc1 = 0, pc2 = 0: pc0 := 0",
    );
}

#[test]
fn an_alternative_may_be_a_composition() {
    check(
        vec![either(act("a"), Term::Par(vec![either(act("b"), act("c")), act("d")]))],
        "start: pc0 := 1 or (pc0 := 2, pc2 := 1, (pc1 := 1 or pc1 := 2))
         1: pc0 = 1: a: pc0 := 0
         2: pc1 = 1: b: pc1 := 0, join 1
         3: pc1 = 2: c: pc1 := 0, join 1
         4: pc2 = 1: d: pc2 := 0, join 1
         join 1: pc0 = 2, pc1 = 0, pc2 = 0: pc0 := 0",
    );
}

/// Which branch moves first is not picked, but what each of them will do is, and it is not forgotten meanwhile.
#[test]
fn a_guarded_composition_remembers_its_branches() {
    check(
        vec![guard("g", Term::Par(vec![either(act("a"), act("b")), act("c")]))],
        "start: pc0 := 2 or pc0 := 3
         1: pc0 = 2: [g] a: pc0 := 1, pc2 := 1, pc1 := 0, join 1
         2: pc0 = 2: [g] c: pc0 := 1, pc1 := 1, pc2 := 0, join 1
         3: pc0 = 3: [g] b: pc0 := 1, pc2 := 1, pc1 := 0, join 1
         4: pc0 = 3: [g] c: pc0 := 1, pc1 := 2, pc2 := 0, join 1
         5: pc2 = 1: c: pc2 := 0, join 1
         6: pc1 = 1: a: pc1 := 0, join 1
         7: pc1 = 2: b: pc1 := 0, join 1
         join 1: pc0 = 1, pc1 = 0, pc2 = 0: pc0 := 0",
    );
}

/// Whether a conditional process is passed is not picked; the step that passes it picks what comes next.
#[test]
fn the_step_past_a_conditional_process_picks() {
    check(
        vec![Term::Seq(vec![maybe("g", "!g", either(act("a"), act("b"))), either(act("c"), act("d"))])],
        "start: pc0 := 1 or pc0 := 2
         1: pc0 = 1: [g] a: pc0 := 3 or pc0 := 4
         2: pc0 = 1: [!g] pass: pc0 := 3 or pc0 := 4
         3: pc0 = 2: [g] b: pc0 := 3 or pc0 := 4
         4: pc0 = 2: [!g] pass: pc0 := 3 or pc0 := 4
         5: pc0 = 3: c: pc0 := 0
         6: pc0 = 4: d: pc0 := 0",
    );
}

#[test]
fn joins_pick_after_a_passed_branch_too() {
    let branches = Term::Par(vec![either(maybe("g", "!g", act("a")), act("b")), act("c")]);
    check(
        vec![Term::Seq(vec![branches, either(act("d"), act("e"))])],
        "start: pc0 := 1, pc2 := 1, (pc1 := 1 or pc1 := 2)
         1: pc1 = 1: [g] a: pc1 := 0, join 1
         2: pc1 = 1: [!g] pass: pc1 := 0, join 1
         3: pc1 = 2: b: pc1 := 0, join 1
         4: pc2 = 1: c: pc2 := 0, join 1
         5: pc0 = 2: d: pc0 := 0
         6: pc0 = 3: e: pc0 := 0
         join 1: pc0 = 1, pc1 = 0, pc2 = 0: pc0 := 2 or pc0 := 3",
    );
}

#[test]
fn without_choices_nothing_changes_but_numbers() {
    let terms = [
        vec![Term::Seq(vec![guard("g", Term::Par(vec![act("a"), act("b")])), Term::Call(0)])],
        vec![Term::Seq(vec![Term::Par(vec![maybe("g", "!g", act("a")), act("b")]), act("c"), Term::Nil])],
    ];
    for definitions in terms {
        let words = |choice| built(&definitions, choice).replace(|c: char| c.is_ascii_digit(), "");
        assert_eq!(words(Choice::Early), words(Choice::Late));
    }
}

#[test]
fn too_many_ways_are_refused() {
    // 2⁴⁰ ways to remember under a guard; 900 exits to 900 places each.
    let branches: Vec<T> = (0..40).map(|_| either(act("a"), act("b"))).collect();
    assert_eq!(build(&[guard("g", Term::Par(branches))], 0, Choice::Early, 1000).unwrap_err(), TooLarge);
    let many: Vec<T> = (0..900).map(|_| act("a")).collect();
    let again = Term::Seq(vec![Term::Choice(many), Term::Call(0)]);
    assert_eq!(build(&[again], 0, Choice::Early, 1000).unwrap_err(), TooLarge);
}
