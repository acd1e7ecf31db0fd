//! Blocks that can be taken apart, and blocks that cannot.

use super::{Found, Order, Problem};
use crate::arith::UNDEF;
use crate::expr::BinaryOp::{self, Add, Eq, Lt, Ne};
use crate::flat::{Enumerate, Outcome};
use crate::ground::{Ground, Runner};
use crate::program::Role;
use crate::{Expr, Place, Program, Set, Stmt, Var, VarId};
use swarmcheck_source::Span;

/// Global variables with these initial blocks.
fn program(vars: u32, init: Vec<Stmt>) -> Program {
    let var = |number: u32| Var {
        name: format!("v{number}"),
        owners: None,
        dimensions: vec![],
        domain: None,
        may_be_undef: true,
        role: Role::Data { arrow: "<--", order: None },
    };
    let vars = (0..vars).map(var).collect();
    Program { kinds: vec![], vars, init_locals: vec![], init, functions: vec![], properties: vec![] }
}

fn read(v: u32) -> Expr {
    Expr::Read(Place::global(VarId(v)))
}

fn op(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b), Span::default())
}

fn below(v: u32, n: i64) -> Stmt {
    Stmt::Fill(Place::global(VarId(v)), Set::Range(Expr::Const(0), Expr::Const(n)))
}

/// How many runs it takes to see all initial states, and how many there are; and whether an error is met.
fn runs(program: &Program) -> (u64, u64, bool) {
    let ground = Ground::new(program);
    let (mut runner, mut choices) = (Runner::default(), Enumerate::default());
    let mut state = vec![0; ground.width()];
    let (mut runs, mut found) = (0, 0);
    loop {
        runs += 1;
        match runner.initialise(&ground, &mut state, &mut choices) {
            Outcome::Done => found += 1,
            Outcome::Disabled => {}
            Outcome::Fault(_) => return (runs, found, true),
        }
        if !choices.advance() {
            return (runs, found, false);
        }
    }
}

/// The second and third conditions are tested when two cells are drawn, whatever comes after; cells that nobody asks about
/// come last.
#[test]
fn conditions_are_tested_early() {
    let mut init: Vec<Stmt> = (0..6).map(|v| below(v, 10)).collect();
    init.push(Stmt::Assume(Expr::And(vec![op(Eq, read(0), read(5)), op(Lt, read(5), Expr::Const(1))])));
    let program = program(6, init);
    let (runs, found, _) = runs(&program);
    assert_eq!(found, 10_000);
    // The refused: nine values of one of the two cells, and nine of the other for the one value left.
    assert_eq!(runs, 10_000 + 18);
}

/// What may fault is not moved before what could hide it, and nothing is moved before it.
#[test]
fn errors_are_met_as_before() {
    let large =
        || Stmt::Fill(Place::global(VarId(0)), Set::Values(vec![Expr::Const(1), Expr::Const(i64::MAX)]));
    let wrong = || op(Eq, op(Add, read(0), Expr::Const(1)), Expr::Const(2));
    let guarded = |guard: Expr| {
        let init = vec![large(), below(1, 5), Stmt::Assume(guard), Stmt::Assume(wrong())];
        runs(&program(2, init))
    };
    assert!(!guarded(op(Eq, read(0), Expr::Const(1))).2, "the guard excludes the number that is too large");
    assert!(guarded(op(Ne, read(1), Expr::Const(3))).2);
    let after =
        vec![large(), Stmt::Assume(wrong()), below(1, 5), Stmt::Assume(op(Eq, read(0), Expr::Const(1)))];
    assert!(runs(&program(2, after)).2, "a later assumption does not hide it");
}

fn problem(init: Vec<Stmt>) -> Option<Problem> {
    Ground::new(&program(3, init)).problem().cloned()
}

#[test]
fn blocks_of_another_shape_are_left_alone() {
    let assume = || Stmt::Assume(op(Lt, read(0), read(1)));
    assert!(problem(vec![below(0, 5), below(1, 5), assume()]).is_some());
    // What is drawn depends on what was drawn.
    let dependent = Stmt::Fill(Place::global(VarId(1)), Set::Range(Expr::Const(0), read(0)));
    assert!(problem(vec![below(0, 5), dependent, assume()]).is_none());
    // Something else reads what is drawn later.
    let copy = Stmt::Assign(Place::global(VarId(2)), read(1));
    assert!(problem(vec![below(0, 5), copy, below(1, 5), assume()]).is_none());
    // A condition reads a cell before it is drawn.
    assert!(problem(vec![below(0, 5), assume(), below(1, 5), assume()]).is_none());
    // A cell is drawn twice.
    assert!(problem(vec![below(0, 5), below(1, 5), below(0, 3), assume()]).is_none());
    // Nothing is assumed.
    assert!(problem(vec![below(0, 5)]).is_none());
}

#[test]
fn a_draw_from_nothing_is_no_initial_state() {
    let nothing = || Stmt::Fill(Place::global(VarId(2)), Set::Range(Expr::Const(0), Expr::Const(UNDEF)));
    let init = vec![below(0, 1000), below(1, 1000), nothing()];
    assert_eq!(runs(&program(3, init.clone())), (1, 0, false));
    let found = problem(init).map(|p| p.solve(Order::Ascending, 1, &mut 0, &|| false));
    assert_eq!(found, Some(Found::None));
    // An error that comes first is met.
    let wrong = Stmt::Assume(op(Eq, op(Add, read(0), Expr::Const(i64::MAX)), Expr::Const(0)));
    assert!(runs(&program(3, vec![below(0, 5), wrong, nothing()])).2);
}

/// A range too large to be listed is halved until a condition can be decided.
#[test]
fn large_ranges_are_halved() {
    let large = |v: u32| below(v, 1 << 40);
    let sum = op(Add, read(0), read(1));
    let init = vec![
        large(0),
        large(1),
        Stmt::Assume(op(Eq, sum, Expr::Const(123_456_789_012))),
        Stmt::Assume(op(Lt, read(0), Expr::Const(7))),
        Stmt::Assume(op(Lt, Expr::Const(5), read(0))),
    ];
    let mut effort = 0;
    let found = problem(init).map(|p| p.solve(Order::Ascending, 1 << 20, &mut effort, &|| false));
    assert!(matches!(found, Some(Found::Values(_))), "{found:?}");
    assert!(effort < 2000, "{effort}");
}

#[test]
fn effort_and_flags_end_a_search() {
    // No three numbers have an odd sum of doubles, and bounds do not see it.
    let twice = |v: u32| op(Add, read(v), read(v));
    let odd = op(Eq, op(Add, op(Add, twice(0), twice(1)), twice(2)), Expr::Const(2001));
    let init = vec![below(0, 2000), below(1, 2000), below(2, 2000), Stmt::Assume(odd)];
    let problem = problem(init).expect("a problem");
    let mut effort = 0;
    assert_eq!(problem.solve(Order::Ascending, 50_000, &mut effort, &|| false), Found::GaveUp);
    assert!((50_000..80_000).contains(&effort), "{effort}");
    assert_eq!(problem.solve(Order::Ascending, u64::MAX, &mut effort, &|| true), Found::Stopped);
}
