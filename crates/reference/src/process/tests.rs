//! Processes: table 3.3.

use super::*;
use crate::testing::*;
use swarmcheck_labs::model::{Cond, Process, ProcessNode};
use swarmcheck_labs::syntax::ast::BinaryOp::*;

/// Actions a, b, c, d are those with ids 0, 1, 2, 3; 4 passes all conditional processes.
fn build() -> (Build, [Process; 4]) {
    let mut b = Build::new();
    let actions = [b.skip(), b.skip(), b.skip(), b.skip()];
    b.skip();
    (b, actions)
}

fn maybe(g: Cond, body: Process) -> Process {
    conditional(g, p(ProcessNode::Action(ActionId(4))), body)
}

fn g(n: i64) -> Cond {
    cmp(Eq, num(n), num(n))
}

/// The transitions of the process defined last: guards (with `!` for negated), action, and the transitions left
/// after it, all as text.
fn moves(b: &Build) -> Vec<String> {
    let program = Program::new(&b.0);
    let last = program.body(ProcessId(b.0.processes.len() as u32 - 1));
    show(&program, &program.unfold(last), 3)
}

fn show(program: &Program, p: &Rc<Term>, depth: usize) -> Vec<String> {
    if depth == 0 {
        return vec!["…".into()];
    }
    if **p == Term::Done {
        return vec!["√".into()];
    }
    let names = ["a", "b", "c", "d", "pass"];
    let mut all = vec![];
    for t in program.transitions(p) {
        let tests: Vec<String> =
            t.guards.iter().map(|t| format!("{}{}", if t.negated { "!" } else { "" }, t.guard.0)).collect();
        let name = format!("[{}]{}", tests.join(" "), names[t.action.0 as usize]);
        let rest = show(program, &program.unfold(&t.target), depth - 1);
        all.extend(rest.iter().map(|rest| format!("{name} {rest}")));
    }
    if all.is_empty() {
        all.push("0".into());
    }
    all
}

fn check(build: impl FnOnce(&mut Build, [Process; 4]) -> Process, expected: &[&str]) {
    let (mut b, actions) = self::build();
    let body = build(&mut b, actions);
    b.process(body);
    assert_eq!(moves(&b), expected);
}

#[test]
fn act_and_tick() {
    check(|_, [a, ..]| a, &["[]a √"]);
    check(|_, _| nil(), &["0"]);
}

#[test]
fn seq_goes_on_after_the_end() {
    check(|_, [a, b, ..]| seq(vec![a, b]), &["[]a []b √"]);
    check(|_, [a, b, ..]| seq(vec![a, nil(), b]), &["[]a 0"]);
    check(|_, [a, b, c, _]| seq(vec![seq(vec![a, b]), c]), &["[]a []b []c …"]);
}

#[test]
fn choice_is_made_by_the_action() {
    check(
        |_, [a, b, c, d]| seq(vec![choice(vec![a, guard(g(0), b)]), choice(vec![c, d])]),
        &["[]a []c √", "[]a []d √", "[0]b []c √", "[0]b []d √"],
    );
}

#[test]
fn par_interleaves_and_joins() {
    check(|_, [a, b, c, _]| seq(vec![parallel(vec![a, b]), c]), &["[]a []b []c …", "[]b []a []c …"]);
    check(|_, [a, ..]| parallel(vec![a, nil()]), &["[]a 0"]);
}

#[test]
fn a_guard_on_a_parallel_process_holds_once() {
    check(|_, [a, b, ..]| guard(g(0), parallel(vec![a, guard(g(1), b)])), &["[0]a [1]b √", "[0 1]b []a √"]);
}

#[test]
fn guards_are_listed_from_outside() {
    check(
        |_, [a, b, ..]| guard(g(0), seq(vec![guard(g(1), guard(g(2), a)), guard(g(3), b)])),
        &["[0 1 2]a [3]b √"],
    );
}

#[test]
fn a_conditional_is_passed_in_a_step() {
    check(|_, [a, b, ..]| seq(vec![maybe(g(0), a), b]), &["[0]a []b √", "[!0]pass []b √"]);
    check(
        |_, [a, b, c, _]| seq(vec![maybe(g(0), a), maybe(g(1), b), guard(g(2), c)]),
        &["[0]a [1]b [2]c …", "[0]a [!1]pass [2]c …", "[!0]pass [1]b [2]c …", "[!0]pass [!1]pass [2]c …"],
    );
    check(|_, [a, ..]| maybe(g(0), a), &["[0]a √", "[!0]pass √"]);
}

#[test]
fn passing_needs_the_outer_guards_and_makes_a_choice() {
    check(
        |_, [a, b, ..]| guard(g(0), choice(vec![maybe(g(1), a), b])),
        &["[0 1]a √", "[0 !1]pass √", "[0]b √"],
    );
    check(
        |_, [a, b, ..]| seq(vec![maybe(g(0), maybe(g(1), a)), b]),
        &["[0 1]a []b √", "[0 !1]pass []b √", "[!0]pass []b √"],
    );
}

#[test]
fn passing_may_end_a_branch() {
    check(
        |_, [a, b, c, _]| seq(vec![parallel(vec![maybe(g(0), a), b]), c]),
        &["[0]a []b []c …", "[!0]pass []b []c …", "[]b [0]a []c …", "[]b [!0]pass []c …"],
    );
}

#[test]
fn constants_behave_like_their_bodies() {
    check(
        |b, [a, c, ..]| {
            let k = b.process(choice(vec![a, maybe(g(0), c)]));
            seq(vec![call(k), call(k)])
        },
        &[
            "[]a []a √",
            "[]a [0]b √",
            "[]a [!0]pass √",
            "[0]b []a √",
            "[0]b [0]b √",
            "[0]b [!0]pass √",
            "[!0]pass []a √",
            "[!0]pass [0]b √",
            "[!0]pass [!0]pass √",
        ],
    );
}

#[test]
fn recursion_comes_back_to_the_same_term() {
    let (mut b, [a, c, ..]) = build();
    let k = b.next_process();
    b.process(seq(vec![a, c, call(k)]));
    let start = b.process(call(k));
    let program = Program::new(&b.0);
    let first = program.unfold(program.body(start));
    let second = program.unfold(&program.transitions(&first)[0].target);
    let third = program.unfold(&program.transitions(&second)[0].target);
    assert_ne!(first, second);
    assert_eq!(first, third);
}

#[test]
fn what_follows_an_endless_process_does_not_pile_up() {
    let (mut b, [a, c, ..]) = build();
    let k = b.next_process();
    b.process(seq(vec![a, call(k), c]));
    let program = Program::new(&b.0);
    let first = program.unfold(program.body(k));
    assert_eq!(program.unfold(&program.transitions(&first)[0].target), first);
}
