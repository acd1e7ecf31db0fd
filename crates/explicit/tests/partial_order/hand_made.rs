//! Models made to be difficult in one respect each.

use crate::models::read;
use crate::{Sizes, compare};
use swarmcheck_ir::{BinaryOp, Expr, Place, Program, Stmt, VarId};
use swarmcheck_labs::lower::Options;

fn program(behavior: &str, condition: &str) -> Program {
    let text = format!(
        "system {{ environment = g: 0; a[2]: 0 spawn = A: 2 }}
         agent A {{ interface = x: 0; y: 0 Behavior = {behavior} }}
         check {{ P = always {condition} }}"
    );
    read(&text, "", Options::default())
}

/// The sizes for a behavior of two agents with `x` and `y`, next to a global `g` and an array `a`, and one condition.
fn sizes(behavior: &str, condition: &str) -> Option<Sizes> {
    let program = program(behavior, condition);
    compare(behavior, &program, &program.properties[0].predicate, 10_000)
}

fn reduces(behavior: &str, condition: &str) -> bool {
    sizes(behavior, condition).is_some_and(|s| s.small < s.full)
}

#[test]
fn private_steps_go_first() {
    assert_eq!(sizes("x <- 1; x <- 2; x <- 3", "g = 0"), Some(Sizes { full: 16, small: 7, resting: 1 }));
}

#[test]
fn visible_steps_do_not() {
    let all_three = "forall A p, forall A q, x of p = 3 or x of q = 3 or x of p = x of q";
    assert!(!reduces("x <- 1; x <- 2; x <- 3", all_three));
    assert!(reduces("x <- 1; x <- 2; x <- 3", "forall A p, x of p < 3"));
    assert!(reduces("x <- 1; x <- 2; x <- 3", "(count A p, x of p > 1) < 2"));
}

#[test]
fn a_round_is_not_made_of_first_steps_only() {
    // Otherwise the second agent would never move.
    assert_eq!(sizes("x <- 1; Behavior", "g = 0"), None, "one location: no step goes down");
    assert!(reduces("x <- 1; x <- 2; x <- 0; Behavior", "g = 0"));
    assert!(reduces("x <- 1; g <-- 1; x <- 0; Behavior", "g = 0"));
}

#[test]
fn whether_a_step_goes_down_may_depend_on_the_state() {
    let mut program = program("x <- 1; y <- 1", "(count A p, x of p = 1) < 2");
    let x =
        program.vars.iter().position(|v| v.name == "x").map(|i| VarId(i as u32)).expect("x is a variable");
    let is_0 = Expr::binary(
        BinaryOp::Eq,
        Expr::Read(Place::of(x, Expr::Me)),
        Expr::Const(0),
        program.properties[0].span,
    );
    // The first step goes on only if x is 0, which it no longer is: it can be taken again and again.
    let body = &mut program.functions[0].body;
    let go_on = body.pop().expect("a step goes somewhere");
    body.push(Stmt::If(is_0, vec![go_on], vec![]));
    let sizes = compare("waiting", &program, &program.properties[0].predicate, 100);
    assert_eq!(sizes, Some(Sizes { full: 4, small: 4, resting: 4 }));
}

#[test]
fn steps_that_share_something_do_not_go_first() {
    assert!(!reduces("g <-- g + 1", "g < 3"));
    // Neither step of one agent may come before those of the other, unless that one is done.
    let in_turn = sizes("x <- g; g <-- x + 1", "g < 3");
    assert!(in_turn.is_none_or(|s| s.resting > s.full / 2), "{in_turn:?}");
}

#[test]
fn choices_are_not_made_by_going_first() {
    assert_eq!(sizes("x <- 1 ++ x <- 2", "forall A p, x of p < 2"), None);
    assert_eq!(sizes("x <- [0..2]; Skip", "forall A p, x of p < 1").map(|s| s.full), Some(25));
    // Whether there is a choice depends on the agent's own state.
    assert!(reduces("y <- [0..x + 1]; x <- 1; y <- [0..x + 1]", "g = 0"));
    // One alternative is closed for as long as the agent does not move.
    assert!(reduces("(x = 0 -> y <- 1 ++ x > 0 -> g <-- 1)", "g = 0"));
    // This one may be opened by somebody else.
    assert!(!reduces("(x = 0 -> y <- 1 ++ g = 0 -> g <-- 1)", "g = 0"));
}

#[test]
fn parallel_branches_join() {
    assert!(reduces("(x <- 1 || y <- 1); g <-- 1; (x <- 2 || y <- 2)", "g = 0"));
    let three = sizes("(x <- 1 || x <- 2 || y <- x); g <-- 1", "g = 0");
    assert!(three.is_some_and(|s| s.resting * 2 < s.full), "{three:?}");
}

#[test]
fn faults_are_found() {
    assert!(reduces("y <- 1; x <- 2; a[x] <-- 1", "g = 0"));
    assert!(reduces("y <- 1; x <- a[y + 1]", "g = 0"));
    // The second alternative is never open, but evaluating its guard goes wrong once g is 1.
    let risky = "(y <- 1 ++ a[g + g] = 0 and x = 1 -> Skip); g <-- 1";
    assert!(!reduces(risky, "g = 0"));
    // A condition that cannot be evaluated when both have moved.
    assert!(reduces("y <- 1; x <- 1; y <- 0", "forall A p, a[x of p + x of p] = 0"));
}
