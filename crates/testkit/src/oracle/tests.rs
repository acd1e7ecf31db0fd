//! The oracle on graphs and programs small enough to see the answers. `runs` has a slow second opinion.

mod runs;

use super::*;
use crate::read;
use swarmcheck_ir::flat::Instance;
use swarmcheck_ir::{Expr, FaultKind, Inside};
use swarmcheck_labs::lower;

/// A space with these steps, written `0>1 1>0`, whose first states are initial.
pub(super) fn space(states: usize, initial: usize, steps: &str) -> Space {
    let mut list = vec![vec![]; states];
    for step in steps.split_whitespace() {
        let (source, target) = step.split_once('>').expect("two states");
        let instance = Instance { function: 0, agent: 0 };
        list[source.parse::<usize>().unwrap()].push((instance, target.parse().unwrap()));
    }
    Space {
        states: vec![vec![]; states],
        initial,
        deadlocks: (0..states).filter(|at| list[*at].is_empty()).collect(),
        steps: list,
        expanded: vec![true; states],
        fault: None,
        complete: true,
    }
}

/// A scope of a kind; its conditions are given by their truth.
pub(super) fn scoped(open: bool, inside: Inside) -> Modality {
    Modality::Scoped { open, start: Expr::TRUE, end: Expr::TRUE, inside }
}

pub(super) const STRICT: OracleQuestion = OracleQuestion { bound: None, ignore_deadlock: false };
const LENIENT: OracleQuestion = OracleQuestion { bound: None, ignore_deadlock: true };

fn within(bound: u32) -> OracleQuestion {
    OracleQuestion { bound: Some(bound), ..STRICT }
}

fn letter(answer: Option<bool>) -> char {
    match answer {
        Some(true) => 'h',
        Some(false) => 'v',
        None => 'u',
    }
}

/// A letter for each question, where the predicate holds in the states with a `p`.
#[track_caller]
fn check(modality: Modality, steps: &str, states: &str, questions: &[OracleQuestion], expected: &str) {
    let graph = Graph::of(&space(states.len(), 1, steps));
    let truths: Vec<Truth> =
        states.chars().map(|c| Truth { predicate: c == 'p', ..Truth::default() }).collect();
    let answers: String = questions.iter().map(|q| letter(decide(&graph, &modality, &truths, q))).collect();
    assert_eq!(answers, expected);
}

/// The same for scopes: `q` starts one, `r` ends it, `s` comes first, `Q` is `q` with the predicate.
#[track_caller]
fn check_scope(
    open: bool,
    inside: Inside,
    steps: &str,
    states: &str,
    questions: &[OracleQuestion],
    expected: &str,
) {
    let graph = Graph::of(&space(states.len(), 1, steps));
    let truth = |c: char| Truth {
        predicate: "pQ".contains(c),
        start: "qQ".contains(c),
        end: c == 'r',
        first: c == 's',
    };
    let truths: Vec<Truth> = states.chars().map(truth).collect();
    let modality = scoped(open, inside);
    let answers: String = questions.iter().map(|q| letter(decide(&graph, &modality, &truths, q))).collect();
    assert_eq!(answers, expected);
}

#[test]
fn always() {
    let all = [STRICT, LENIENT, within(0), within(1), within(2), within(u32::MAX)];
    check(Modality::Always, "0>1 1>0", "pp", &all, "hhhhhh");
    check(Modality::Always, "0>1 1>2", "pp-", &all, "vvhhvv");
    // A state that is not reached does not matter.
    check(Modality::Always, "0>0 1>0", "p-", &all, "hhhhhh");
}

#[test]
fn eventually() {
    let all = [STRICT, LENIENT, within(0), within(1), within(2), within(3)];
    // Straight on.
    check(Modality::Eventually, "0>1 1>2", "--p", &all, "hhvvhh");
    check(Modality::Finally, "0>1 1>2", "--p", &all, "hhvvhh");
    // With a bound, `finally` wants the predicate at the end and not before.
    check(Modality::Eventually, "0>1 1>2 2>0", "-p-", &all, "hhvhhh");
    check(Modality::Finally, "0>1 1>2 2>0", "-p-", &all, "hhvhvv");
    // One may loop before it.
    check(Modality::Eventually, "0>0 0>1", "-p", &all, "vvvvvv");
    check(Modality::Finally, "0>0 0>1", "-p", &all, "vvvvvv");
    // One may get stuck before it, and what is stuck cannot make two steps.
    check(Modality::Eventually, "0>1 0>2 2>2", "--p", &all, "vhvvhh");
    check(Modality::Finally, "0>1 0>2 2>2", "--p", &all, "vhvvhh");
    // Stuck at once, or there at once.
    check(Modality::Eventually, "", "-", &all, "vhvhhh");
    check(Modality::Eventually, "0>1 1>1", "p-", &all, "hhhhhh");
    // A loop behind the predicate is harmless.
    check(Modality::Eventually, "0>1 1>2 2>2 2>1", "-p-", &all, "hhvhhh");
}

#[test]
fn fairly() {
    let all = [STRICT, LENIENT, within(3)];
    let (once, again) = (|| Modality::Fairly, || Modality::FairlyInf);
    // Always ahead.
    check(once(), "0>0 0>1 1>0", "-p", &all, "hhu");
    check(again(), "0>0 0>1 1>0", "-p", &all, "hhu");
    // Reached for certain, then lost in a loop.
    check(once(), "0>1 1>2 2>2", "-p-", &all, "hhu");
    check(again(), "0>1 1>2 2>2", "-p-", &all, "vvu");
    // Reached for certain, then stuck.
    check(once(), "0>1 1>2", "-p-", &all, "hhu");
    check(again(), "0>1 1>2", "-p-", &all, "vhu");
    // Lost before it is reached.
    check(once(), "0>1 0>2 2>2", "-p-", &all, "vvu");
    check(once(), "0>1 0>2", "-p-", &all, "vhu");
    // A loop without hope, but with a way to get stuck.
    check(once(), "0>1 0>2 2>2 2>3", "-p--", &all, "vhu");
    check(again(), "0>1 0>2 2>2 2>3", "-p--", &all, "vhu");
    // What comes after the predicate is no business of `fairly`.
    check(once(), "0>1 1>2 2>2", "p--", &all, "hhu");
}

#[test]
fn after() {
    let all = [STRICT, LENIENT, within(1), within(2)];
    check(Modality::After(0), "0>1", "p-", &all, "hhhh");
    check(Modality::After(1), "0>1", "p-", &all, "vvvv");
    check(Modality::After(2), "0>1", "p-", &all, "hhuh");
    check(Modality::After(2), "0>1 1>0 1>1", "p-", &all, "vvuv");
    check(Modality::After(u32::MAX), "0>1 1>1", "-p", &all, "hhuu");
}

#[test]
fn scopes_that_close() {
    let all = [STRICT, LENIENT, within(1), within(2), within(3)];
    let there = || Inside::ThereIs;
    check_scope(false, there(), "0>1 1>2", "q-r", &all, "vvhvv");
    check_scope(false, there(), "0>1 1>2", "qpr", &all, "hhhhh");
    // The predicate in the closing state comes too late, and before the opening one too early.
    check_scope(false, there(), "0>1 1>2 2>3", "pq-r", &all, "vvhhv");
    check_scope(false, Inside::Always, "0>1 1>2", "Qpr", &all, "hhhhh");
    check_scope(false, Inside::Always, "0>1 1>2", "Q-r", &all, "vvhvv");
    // Never closed: no claim.
    check_scope(false, Inside::Always, "0>1 1>1", "Q-", &all, "hhhhh");
    check_scope(false, there(), "0>1 1>1", "q-", &all, "hhhhh");
    let precedes = || Inside::Precedes(Expr::TRUE);
    check_scope(false, precedes(), "0>1 1>2 2>3", "qspr", &all, "hhhhh");
    check_scope(false, precedes(), "0>1 1>2 2>3", "qpsr", &all, "vvhhv");
    check_scope(false, precedes(), "0>1 1>2", "Q-r", &all, "vvhvv");
    // What came first in one scope has not in the next.
    check_scope(false, precedes(), "0>1 1>2 2>3 3>4", "qsrQr", &[STRICT, within(3), within(4)], "vhv");
}

#[test]
fn scopes_that_need_not_close() {
    let all = [STRICT, LENIENT, within(1), within(2)];
    check_scope(true, Inside::Always, "0>1 1>1", "Q-", &all, "vvvv");
    check_scope(true, Inside::Always, "0>1 1>0", "Qr", &all, "hhhh");
    check_scope(true, Inside::Precedes(Expr::TRUE), "0>1 1>2", "qqp", &all, "vvhv");
    check_scope(true, Inside::Precedes(Expr::TRUE), "0>1 1>2", "qsp", &all, "hhhh");
    // Waiting forever, waiting until it is stuck, closing in vain.
    check_scope(true, Inside::ThereIs, "0>1 1>1", "q-", &all, "vvhh");
    check_scope(true, Inside::ThereIs, "0>1", "q-", &all, "vhhh");
    check_scope(true, Inside::ThereIs, "0>1 1>2", "q-r", &all, "vvhv");
    // No infinite waiting, although the same states repeat forever.
    check_scope(true, Inside::ThereIs, "0>1 1>2 2>0", "qpr", &all, "hhhh");
    check_scope(true, Inside::ThereIs, "0>1 1>1", "qp", &all, "hhhh");
    // The state 1 repeats forever, but not in a scope.
    check_scope(true, Inside::ThereIs, "0>1 1>1", "--", &all, "hhhh");
    check_scope(true, Inside::ThereIs, "0>1 1>2 2>3 3>3", "qpr-", &all, "hhhh");
}

/// The answers for a program with one agent, whose `x` is 0 or 1 at first.
fn program(
    behavior: &str,
    claims: &[&str],
    limit: usize,
    question: OracleQuestion,
) -> (Vec<OracleAnswer>, bool) {
    let claims: String = claims.iter().enumerate().map(|(at, claim)| format!("P{at} = {claim}\n")).collect();
    let text = format!(
        "system {{ spawn = A: 1; }} agent A {{ interface = x: {{0, 1}}; row[2]: 0\n Behavior = {behavior} }}
        check {{ {claims} }}"
    );
    let model = read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let flat = Flat::new(lower::lower(&model, &text, lower::Options::default()).expect("small").program);
    let space = Space::explore(&flat, limit);
    let count = flat.program.properties.len();
    ((0..count).map(|property| answer(&flat, &space, property, &question)).collect(), deadlock_free(&space))
}

#[test]
fn programs() {
    use OracleAnswer::{Holds, Unknown, Violated};
    let two = [
        "always forall A a, x of a < 3",
        "eventually forall A a, x of a = 2",
        "fairly_inf forall A a, x of a = 2",
        "after 1 forall A a, x of a >= 1",
        "between (exists A a, x of a = 0) and (exists A a, x of a = 2), always exists A a, x of a = 0",
        "from (exists A a, x of a = 1) until (exists A a, x of a = 3), thereIs exists A a, x of a = 2",
    ];
    let check = |behavior, question| program(behavior, &two, 100, question);
    // Straight to 2, and there it ends.
    assert_eq!(check("x <- 2", STRICT), (vec![Holds; 6], false));
    // It gets stuck in 1.
    let stuck = vec![Holds, Violated, Violated, Holds, Holds, Violated];
    assert_eq!(check("x <- 1", STRICT), (stuck, false));
    assert_eq!(check("x <- 1", LENIENT), (vec![Holds; 6], false));
    // 1 at first, then 0 and 1 in turn, forever.
    let round = vec![Holds, Violated, Violated, Holds, Holds, Violated];
    assert_eq!(check("x <- 1; x <- 0; Behavior", LENIENT), (round, true));
    // One step is not enough for it.
    let bounded = vec![Holds, Violated, Unknown, Holds, Holds, Holds];
    assert_eq!(check("x <- 1; x <- 2; x <- 3", within(1)), (bounded, false));
    let bounded = vec![Violated, Holds, Unknown, Holds, Violated, Holds];
    assert_eq!(check("x <- 1; x <- 2; x <- 3", within(3)), (bounded, false));
}

#[test]
fn errors_and_limits() {
    let claims = ["always exists A a, x of a >= 0", "always exists A a, row[x of a] of a = 0"];
    let kinds = |behavior, limit| {
        let (answers, _) = program(behavior, &claims, limit, within(1));
        let kind = |answer| match answer {
            OracleAnswer::Invalid(fault) => Ok(fault.kind),
            other => Err(other),
        };
        answers.into_iter().map(kind).collect::<Vec<_>>()
    };
    // A step with an error, beyond the bound.
    assert_eq!(kinds("x <- 0; x <- 1; row[x + 1] <- 0", 100), [Ok(FaultKind::Index); 2]);
    // A claim with an error, beyond the bound; no business of the other one.
    assert_eq!(kinds("x <- 0; x <- 2", 100), [Err(OracleAnswer::Holds), Ok(FaultKind::Index)]);
    // No end.
    assert_eq!(
        kinds("x <- x - x; x <- x + 1; row[0] <- 1 + row[0]; Behavior", 20),
        [Err(OracleAnswer::Unknown); 2]
    );
}
