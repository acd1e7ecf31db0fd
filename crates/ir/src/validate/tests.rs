//! Every check, shown by the smallest damage to a sound program that it finds.

mod sound;

use super::validate;
use crate::UNDEF;
use crate::expr::{BinaryOp, Expr, Place, UnaryOp};
use crate::program::{KindId, Local, LocalId, Program, Role, Var, VarId};
use crate::stmt::{Set, Stmt};
use sound::*;
use swarmcheck_source::Span;

#[test]
fn a_sound_program_passes() {
    assert_eq!(validate(&sound()), Ok(()));
}

/// Damages the sound program and expects exactly these complaints.
#[track_caller]
fn rejects(damage: impl FnOnce(&mut Program), expected: &[&str]) {
    let mut program = sound();
    damage(&mut program);
    let problems = validate(&program).expect_err("the damage is found");
    let found: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(found, expected);
}

/// Puts a statement at the end of the function's body.
#[track_caller]
fn rejects_stmt(stmt: Stmt, expected: &str) {
    rejects(|p| p.functions[0].body.push(stmt), &[&format!("function f: {expected}")]);
}

/// Assumes the condition at the end of the function's body.
#[track_caller]
fn rejects_condition(condition: Expr, expected: &str) {
    rejects_stmt(Stmt::Assume(condition), expected);
}

#[test]
fn kinds_partition_the_agents_in_order() {
    rejects(|p| p.kinds[0].first = 1, &["kind A: its first agent is 1, but the next free number is 0"]);
    rejects(|p| p.kinds[1].first = 3, &["kind B: its first agent is 3, but the next free number is 2"]);
    rejects(|p| p.kinds[1].count = u32::MAX, &["program: 4294967297 agents are too many"]);
}

#[test]
fn names_are_unique() {
    rejects(|p| p.kinds[1].name = "A".to_string(), &["kind A: two of this name"]);
    rejects(|p| p.vars[0].name = "x".to_string(), &["variable x: two of this name"]);
    rejects(|p| p.functions.push(p.functions[0].clone()), &["function f: two of this name"]);
    rejects(|p| p.properties.push(p.properties[0].clone()), &["property p: two of this name"]);
}

#[test]
fn ids_are_in_range() {
    rejects(
        |p| p.vars[0].owners = Some(vec![KindId(2)]),
        &["variable g: no kind has the id 2", "init: does not say whose copy of g"],
    );
    rejects(
        |p| p.functions[0].owners.push(KindId(9)),
        &[
            "function f: no kind has the id 9",
            "function f: its entry reads pc0, which not all its owners have",
            "function f: copies x between agents that may not have it",
            "function f: copies order.x between agents that may not have it",
        ],
    );
    rejects_condition(less(Expr::Read(Place::global(VarId(4))), number(1)), "no variable has the id 4");
    rejects_stmt(Stmt::Rank(VarId(4)), "no variable has the id 4");
    rejects_stmt(Stmt::Copy(VarId(4), Expr::Me, Expr::Me), "no variable has the id 4");
    rejects_stmt(Stmt::Let(LocalId(2), number(2)), "no local has the id 2");
    rejects_condition(Expr::defined(Expr::Local(LocalId(2))), "no local has the id 2");
    rejects_stmt(Stmt::ForEach(vec![KindId(2)], 0, vec![]), "no kind has the id 2");
    rejects_stmt(Stmt::ForEach(vec![A, B, A], 0, vec![]), "lists the kind A twice");
}

#[test]
fn places_fit_their_variables() {
    let read = |place| less(Expr::Read(place), number(3));
    rejects_condition(read(Place::global(ORDER)), "does not say whose copy of order.x");
    rejects_condition(read(Place::of(G, Expr::Me)), "names an agent for the global variable g");
    rejects_condition(read(Place::of(X, Expr::Me)), "gives x 0 of 1 indices");
    rejects_stmt(Stmt::Check(Place::of(X, Expr::Me)), "gives x 0 of 1 indices");
    rejects_stmt(Stmt::Fill(x(Expr::Me, number(0)), Set::one(number(0))), "gives x 1 of 0 indices");
}

#[test]
fn nobody_runs_init_and_properties() {
    rejects(
        |p| p.init.push(Stmt::Assume(less(Expr::Me, number(2)))),
        &["init: uses `me`, but nobody runs it"],
    );
    rejects(
        |p| p.properties[0].predicate = less(Expr::Me, number(2)),
        &["property p: uses `me`, but nobody runs it"],
    );
    let pick = Stmt::Pick { local: LocalId(1), kinds: vec![A], bound: 0, condition: Expr::TRUE };
    rejects(
        |p| {
            p.init_locals.push(Local { name: "k".to_string(), length: Some(1) });
            p.init.push(pick);
        },
        &["init: picks agents other than `me`, but nobody runs it"],
    );
}

#[test]
fn bound_agents_stay_in_their_binders() {
    rejects_condition(less(Expr::Bound(0), number(2)), "uses the bound agent 0 outside its binder");
    rejects_condition(
        forall(0, less(Expr::Bound(1), number(2))),
        "uses the bound agent 1 outside its binder",
    );
    rejects_condition(forall(1, forall(1, Expr::TRUE)), "binds the agent 1 again inside its binder");
    rejects_stmt(
        Stmt::ForEach(vec![A], 1, vec![Stmt::Assume(forall(1, Expr::TRUE))]),
        "binds the agent 1 again inside its binder",
    );
}

#[test]
fn locals_are_used_as_declared() {
    rejects_condition(Expr::defined(Expr::Local(PICKED)), "uses the local array picked as a scalar");
    rejects_stmt(Stmt::Let(PICKED, number(2)), "uses the local array picked as a scalar");
    rejects_stmt(Stmt::Havoc(PICKED, Set::one(number(2))), "uses the local array picked as a scalar");
    rejects_stmt(pick(VALUE), "uses the scalar local value as an array");
    let cell = Expr::LocalCell(VALUE, Box::new(number(0)), Span::default());
    rejects_condition(Expr::defined(cell), "uses the scalar local value as an array");
}

#[test]
fn locals_have_a_value_before_they_are_read() {
    let problem = "function f: reads the local value before it has a value on every path";
    let give = || Stmt::Let(VALUE, number(2));
    let need = || Stmt::Assume(Expr::defined(Expr::Local(VALUE)));
    let check = |body: Vec<Stmt>, expected: &[&str]| rejects(|p| p.functions[0].body = body, expected);
    check(vec![need(), give()], &[problem]);
    check(vec![Stmt::If(Expr::TRUE, vec![give()], vec![]), need()], &[problem]);
    check(vec![Stmt::Choose(vec![(Expr::TRUE, vec![give()]), (Expr::TRUE, vec![])]), need()], &[problem]);
    check(vec![Stmt::ForEach(vec![A], 0, vec![give()]), need()], &[problem]);
    check(vec![Stmt::Let(VALUE, Expr::Local(VALUE))], &[problem]);
    rejects(|p| p.functions[0].guard = Expr::defined(Expr::Local(VALUE)), &[problem]);
    for body in [
        vec![give(), Stmt::ForEach(vec![A], 0, vec![need()]), need()],
        vec![Stmt::If(Expr::TRUE, vec![give()], vec![give()]), need()],
        vec![Stmt::Choose(vec![(Expr::TRUE, vec![give(), need()])]), need()],
    ] {
        let mut program = sound();
        program.functions[0].body = body;
        assert_eq!(validate(&program), Ok(()));
    }
}

#[test]
fn conditions_are_no_numbers() {
    let (condition, sum) = (less(Expr::Me, number(2)), binary(BinaryOp::Add, Expr::Me, number(2)));
    let (need_condition, need_number) =
        ("a number stands where a condition is needed", "a condition stands where a number is needed");
    for e in [
        sum.clone(),
        Expr::And(vec![sum.clone()]),
        Expr::Unary(UnaryOp::Not, Box::new(sum.clone())),
        Expr::If(Box::new(sum.clone()), Box::new(Expr::TRUE), Box::new(Expr::FALSE)),
        forall(0, sum.clone()),
        number(2),
        number(UNDEF),
    ] {
        rejects_condition(e.clone(), need_condition);
        rejects_stmt(Stmt::If(e.clone(), vec![], vec![]), need_condition);
        rejects_stmt(Stmt::Choose(vec![(e.clone(), vec![])]), need_condition);
        rejects(
            |p| p.properties[0].predicate = Expr::Or(vec![number(2)]),
            &[&format!("property p: {need_condition}")],
        );
    }
    for e in [
        less(condition.clone(), number(1)),
        less(Expr::Unary(UnaryOp::Neg, Box::new(condition.clone())), number(1)),
        Expr::Defined(Box::new(condition.clone())),
        less(Expr::Read(x(Expr::Me, condition.clone())), number(1)),
    ] {
        rejects_condition(e, need_number);
    }
    rejects_stmt(Stmt::Let(VALUE, condition.clone()), need_number);
    rejects_stmt(Stmt::Assign(Place::global(G), Expr::Defined(Box::new(sum.clone()))), need_number);
    rejects_stmt(Stmt::Havoc(VALUE, Set::Values(vec![number(1), condition.clone()])), need_number);
    let mixed = Expr::If(Box::new(Expr::TRUE), Box::new(condition), Box::new(sum));
    rejects_condition(mixed, "a conditional is a number in one case, a condition in the other");
    let old = binary(BinaryOp::And, Expr::TRUE, Expr::TRUE);
    rejects_condition(old, "uses a binary `and` or `or`: these are lists, evaluated from the left");
}

#[test]
fn entries_are_locations_of_all_owners() {
    rejects(|p| p.vars[3].role = Role::Turn, &["function f: its entry reads pc0, which is no location"]);
    rejects(|p| p.vars[3].dimensions = vec![1], &["function f: its entry reads pc0, which is an array"]);
    rejects(
        |p| p.functions[0].owners.push(B),
        &["function f: its entry reads pc0, which not all its owners have"],
    );
    rejects(|p| p.functions[0].entry[0].1 = 6, &["function f: its entry needs pc0 = 6, outside the domain"]);
    rejects(|p| p.functions[0].entry[0].0 = VarId(7), &["function f: no variable has the id 7"]);
}

#[test]
fn copies_and_ranks_can_be_trusted() {
    rejects_stmt(Stmt::Copy(G, Expr::Me, Expr::Me), "copies the global variable g");
    let somebody = Stmt::Copy(X, Expr::Me, number(1));
    rejects_stmt(somebody, "copies x between agents that may not have it");
    let not_all = Stmt::ForEach(vec![A, B], 0, vec![Stmt::Copy(PC, Expr::Bound(0), Expr::Me)]);
    rejects_stmt(not_all, "copies pc0 between agents that may not have it");
    rejects_stmt(Stmt::Rank(PC), "ranks pc0, which is no order variable");
    let damaged = |damage: fn(&mut Var), expected| {
        let damage = |p: &mut Program| {
            p.functions[0].body = vec![Stmt::Rank(ORDER)];
            damage(&mut p.vars[2]);
        };
        rejects(damage, &[expected]);
    };
    damaged(|v| v.dimensions = vec![1], "function f: ranks the array order.x");
    damaged(|v| v.owners = None, "function f: ranks the global variable order.x");
    for damage in [(Some((-1, 5)), false), (None, false), (Some((0, 5)), true)] {
        rejects(
            |p| (p.vars[2].domain, p.vars[2].may_be_undef) = damage,
            &["function f: ranks order.x, which is not known to be 0 or more"],
        );
    }
}

#[test]
fn variables_are_sound() {
    rejects(
        |p| p.vars[3].domain = Some((6, 5)),
        &[
            "variable pc0: its domain 6..5 is empty",
            "function f: its entry needs pc0 = 5, outside the domain",
        ],
    );
    rejects(
        |p| p.vars[1].role = Role::Data { arrow: "<~", order: Some(PC) },
        &["variable x: its order pc0 is no order variable"],
    );
    rejects(
        |p| p.vars[1].role = Role::Data { arrow: "<~", order: Some(VarId(8)) },
        &["variable x: no variable has the id 8"],
    );
    rejects_stmt(Stmt::Havoc(VALUE, Set::Values(vec![])), "draws from an empty set");
}
