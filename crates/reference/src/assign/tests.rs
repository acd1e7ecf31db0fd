//! Assignments: rules EVAL of table 3.11.

use super::*;
use crate::testing::*;
use crate::{Label, Options, Show, Sought};
use std::collections::BTreeMap;
use swarmcheck_labs::model::{ActionId, Init, Process};
use swarmcheck_labs::syntax::ast::BinaryOp::*;
use swarmcheck_source::Span;

/// What the first action of agent 0 can do to the attribute x of agent 0, in the order found.
fn outcomes(b: &Build, x: VarId) -> Vec<Result<Vec<crate::Value>, (ErrorKind, u32)>> {
    let interpreter = interpreter(&b.0);
    let state = initial(&interpreter);
    acts(&interpreter, &state, 0)
        .into_iter()
        .map(|r| r.map(|s| s.agents[0].interface[&x].clone()).map_err(|e| (e.kind, e.span.start)))
        .collect()
}

/// One agent with an array x of two cells, initially 1, and a scalar y, initially 2, that performs this.
fn check(
    body: impl FnOnce(&mut Build, VarId, VarId) -> Process,
    expected: &[Result<[i64; 2], (ErrorKind, u32)>],
) {
    let mut b = Build::new();
    let (x, y) = (b.attribute(&[2]), b.attribute(&[]));
    let body = body(&mut b, x, y);
    b.kind(1, vec![(x, one(1)), (y, one(2))], &[], body);
    let expected: Vec<_> = expected.iter().map(|r| r.map(|cells| cells.map(Some).to_vec())).collect();
    assert_eq!(outcomes(&b, x), expected);
}

fn cell(var: VarId, index: Expr, place: u32) -> Target {
    Target::Variable(var, vec![index], span(place))
}

fn attributes(targets: Vec<Target>, values: Vec<Expr>) -> Assignment {
    let values = values.into_iter().map(Value::Expr).collect();
    Assignment { op: AssignOp::Attribute, targets, values, span: Span::default() }
}

fn x_at(x: VarId, index: Expr) -> Expr {
    read(x, swarmcheck_labs::model::Owner::Me, vec![index])
}

#[test]
fn compound_assignments_see_the_state_before() {
    let mut b = Build::new();
    let (x, y) = (b.attribute(&[]), b.attribute(&[]));
    let swap = b.act(assign(AssignOp::Attribute, &[x, y], vec![me(y), me(x)]));
    b.kind(1, vec![(x, one(1)), (y, one(2))], &[], swap);
    let i = interpreter(&b.0);
    let after = act(&i, &initial(&i), 0);
    assert_eq!(i.observe(&after).values, [Some(2), Some(1)]);
}

#[test]
fn indices_of_targets_see_the_state_before_too() {
    // y, x[y - 2] <- 3, 8: the index is 0, not 1.
    check(
        |b, x, y| {
            let targets =
                vec![Target::Variable(y, vec![], Span::default()), cell(x, op(Sub, me(y), num(2)), 1)];
            b.act(attributes(targets, vec![num(3), num(8)]))
        },
        &[Ok([8, 1])],
    );
}

#[test]
fn blocks_see_the_effects_so_far() {
    // { y <- 1; x[y] <- y + 4 }
    check(
        |b, x, y| {
            let first = assign(AssignOp::Attribute, &[y], vec![num(1)]);
            let then = attributes(vec![cell(x, me(y), 1)], vec![op(Add, me(y), num(4))]);
            b.block(&[], vec![first, then])
        },
        &[Ok([1, 5])],
    );
}

#[test]
fn the_last_of_two_writes_to_a_cell_stays() {
    check(
        |b, x, _| b.act(attributes(vec![cell(x, num(0), 1), cell(x, num(0), 1)], vec![num(5), num(6)])),
        &[Ok([6, 1])],
    );
}

#[test]
fn undefined_values_disable_the_action_and_stop_the_evaluation() {
    let two = |x| vec![cell(x, num(0), 1), cell(x, num(9), 2)];
    check(|b, x, _| b.act(attributes(two(x), vec![bottom(), bad(3)])), &[]);
    check(|b, x, _| b.act(attributes(two(x), vec![bad(3), bottom()])), &[Err((ErrorKind::Overflow, 3))]);
    check(|b, x, _| b.act(attributes(two(x), vec![num(1), bottom()])), &[]);
    check(|b, x, _| b.act(attributes(two(x), vec![num(1), num(1)])), &[Err((ErrorKind::Index, 2))]);
}

#[test]
fn undefined_indices_of_targets_disable_the_action() {
    check(|b, x, _| b.act(attributes(vec![cell(x, bottom(), 1)], vec![num(5)])), &[]);
    check(
        |b, x, _| b.act(attributes(vec![cell(x, bottom(), 1), cell(x, num(9), 2)], vec![num(5), num(5)])),
        &[],
    );
    check(
        |b, x, _| b.act(attributes(vec![cell(x, num(-1), 4), cell(x, bad(2), 5)], vec![num(5), num(5)])),
        &[Err((ErrorKind::Index, 4))],
    );
}

#[test]
fn ranges_branch_and_equal_outcomes_are_merged() {
    check(
        |b, x, _| b.act(attributes(vec![cell(x, num(0), 1)], vec![range(num(3), num(5))])),
        &[Ok([3, 1]), Ok([4, 1])],
    );
    check(|b, x, _| b.act(attributes(vec![cell(x, num(0), 1)], vec![range(num(3), num(3))])), &[]);
    check(|b, x, _| b.act(attributes(vec![cell(x, num(0), 1)], vec![range(num(3), bottom())])), &[]);
    check(
        |b, x, _| {
            let zero = op(Mul, num(0), range(num(3), num(5)));
            b.act(attributes(vec![cell(x, num(0), 1)], vec![zero]))
        },
        &[Ok([0, 1])],
    );
    // A branch may be an error, another fine: x[[1..3]] + 0 with two cells.
    check(
        |b, x, _| {
            let value = at(7, x_at(x, range(num(1), num(3))));
            b.act(attributes(vec![cell(x, num(0), 1)], vec![op(Add, value, num(8))]))
        },
        &[Ok([9, 1]), Err((ErrorKind::Index, 7))],
    );
}

#[test]
fn every_branch_of_a_block_goes_on_by_itself() {
    // { t := [0..2]; x[t] <- t + 5 }
    check(
        |b, x, _| {
            let choose = assign_local(0, range(num(0), num(2)));
            let write = attributes(vec![cell(x, local(0), 1)], vec![op(Add, local(0), num(5))]);
            b.block(&[None], vec![choose, write])
        },
        &[Ok([5, 1]), Ok([1, 6])],
    );
}

#[test]
fn locals_are_undefined_until_assigned() {
    check(
        |b, x, _| {
            let write = attributes(vec![cell(x, num(0), 1)], vec![local(0)]);
            b.block(&[None], vec![write])
        },
        &[],
    );
}

#[test]
fn picks_are_ordered_and_leave_out_the_picker() {
    let mut b = Build::new();
    let x = b.attribute(&[]);
    // x <- 10 * first + second
    let sum = op(Add, op(Mul, num(10), local_cell(0, num(0))), local_cell(0, num(1)));
    let write = assign(AssignOp::Attribute, &[x], vec![sum]);
    let body = b.block(&[Some(2)], vec![pick(0, 2, None, None), write]);
    b.kind(3, vec![(x, one(0))], &[], body);
    b.kind(1, vec![(x, one(0))], &[], nil());
    let values: Vec<i64> = outcomes(&b, x).into_iter().map(|r| r.unwrap()[0].unwrap()).collect();
    assert_eq!(values, [12, 13, 21, 23, 31, 32]);
}

#[test]
fn picks_obey_kind_and_condition() {
    let mut b = Build::new();
    let x = b.attribute(&[]);
    let write = || assign(AssignOp::Attribute, &[x], vec![local_cell(0, num(0))]);
    let kind = KindId(1);
    // 100 / 0 is ⊥, so the agent with x = 0 does not satisfy anything.
    let condition = cmp(Gt, op(Div, num(100), receiver(x)), sender(x));
    let chosen = b.block(&[Some(1)], vec![pick(0, 1, Some(kind), Some(condition)), write()]);
    b.kind(1, vec![(x, one(10))], &[], chosen);
    b.kind(4, vec![(x, Init::OneOf(vec![op(Mul, num(4), op(Sub, id(), num(1)))]))], &[], nil());
    // Agents 1..=4 hold 0, 4, 8, 12; 100 / 4 = 25, 100 / 8 = 12, 100 / 12 = 8.
    assert_eq!(outcomes(&b, x), [Ok(vec![Some(2)]), Ok(vec![Some(3)])]);
}

#[test]
fn too_few_candidates_give_no_outcome_and_errors_are_outcomes() {
    let mut b = Build::new();
    let x = b.attribute(&[]);
    let many = b.block(&[Some(3)], vec![pick(0, 3, None, None)]);
    b.kind(3, vec![(x, one(0))], &[], many);
    assert_eq!(outcomes(&b, x), []);

    let mut b = Build::new();
    let x = b.attribute(&[]);
    let picking = pick(0, 1, None, Some(cmp(Ge, at(3, receiver(x)), num(0))));
    let write = assign(AssignOp::Attribute, &[x], vec![local_cell(0, num(0))]);
    let body = b.block(&[Some(1)], vec![picking, write]);
    b.kind(1, vec![(x, one(9))], &[], body);
    b.kind(1, vec![], &[], nil());
    b.kind(1, vec![(x, one(9))], &[], nil());
    assert_eq!(outcomes(&b, x), [Err((ErrorKind::NoVariable, 3)), Ok(vec![Some(2)])]);
}

#[test]
fn a_stigmergic_write_makes_the_writer_newest_and_its_tuple_pending() {
    let mut b = Build::new();
    let s = b.stigmergy(bool_(true));
    let xy = b.tuple(s, vec![one(1), one(2)]);
    let z = b.tuple(s, vec![one(3)])[0];
    let body = b.act(assign(AssignOp::Stigmergy, &[xy[0], z], vec![num(7), num(8)]));
    b.kind(3, vec![], &[s], body);
    let i = interpreter(&b.0);
    let before = initial(&i);
    let after = act(&i, &before, 1);
    let me = &after.agents[1];
    assert_eq!((me.time(TupleId(0)), me.time(TupleId(1))), (Some(3), Some(3)), "the same new timestamp");
    assert_eq!(me.zp, BTreeSet::from([TupleId(0), TupleId(1)]));
    assert!(me.zc.is_empty());
    assert_eq!(i.observe(&after).ranks, [0, 0, 2, 2, 1, 1]);
    assert_eq!(i.observe(&after).values[3..6], [Some(7), Some(2), Some(8)]);
}

/// What the first action of agent 0 can leave behind in x, if this is wanted of each variable; and whether all was tried.
fn aimed(
    b: &Build,
    x: VarId,
    wanted: &[(VarId, i64)],
    options: Options,
    most: u64,
) -> (Vec<Option<i64>>, bool) {
    let interpreter = Interpreter::new(&b.0, options).trying_at_most(most);
    let state = initial(&interpreter);
    let wanted: BTreeMap<VarId, i64> = wanted.iter().copied().collect();
    let mut found = vec![];
    let sought = Sought { label: &|_| true, values: &|var| vec![Some(wanted[&var])] };
    let all = interpreter.for_each_step(&state, 0, Some(sought), &mut |step| {
        if let (Label::Action { .. }, Ok(after)) = step {
            found.push(after.cells(&b.0, Some(0), x).unwrap()[0]);
        }
        Show::More
    });
    assert_eq!(all.is_ok(), interpreter.has_tried_all());
    (found, all.is_ok())
}

const HUGE: i64 = 1 << 40;

fn draw() -> Expr {
    range(num(-HUGE), num(HUGE))
}

/// One agent with x that performs this block, of locals 0 and 1.
fn block(assignments: impl FnOnce(VarId) -> Vec<Assignment>) -> (Build, VarId) {
    let mut b = Build::new();
    let x = b.attribute(&[]);
    let body = b.block(&[None, None], assignments(x));
    b.kind(1, vec![(x, one(1))], &[], body);
    (b, x)
}

#[test]
fn of_a_huge_range_the_number_is_drawn_that_is_wanted() {
    let (b, x) = block(|x| vec![assign(AssignOp::Attribute, &[x], vec![draw()])]);
    let aim = |wanted| aimed(&b, x, &[(x, wanted)], Options::default(), 0);
    assert_eq!(aim(77), (vec![Some(77)], true));
    assert_eq!(aim(-HUGE), (vec![Some(-HUGE)], true));
    assert_eq!(aim(HUGE), (vec![], true), "it is no number of the range");

    let through = |x| vec![assign_local(0, draw()), assign(AssignOp::Attribute, &[x], vec![local(0)])];
    let (b, x) = block(through);
    assert_eq!(aimed(&b, x, &[(x, 5)], Options::default(), 0), (vec![Some(5)], true));
}

#[test]
fn what_is_drawn_and_then_changed_is_not_aimed_at() {
    let small = || range(num(0), num(4));
    let three = vec![Some(1), Some(2), Some(3), Some(4)];
    let next = |e| op(Add, e, num(1));
    let written_twice = |x| {
        let first = assign(AssignOp::Attribute, &[x], vec![small()]);
        vec![first, assign(AssignOp::Attribute, &[x], vec![next(me(x))])]
    };
    let computed =
        |x| vec![assign_local(0, small()), assign(AssignOp::Attribute, &[x], vec![next(local(0))])];
    let drawn_again = |x| {
        let second = assign_local(0, next(local(0)));
        vec![assign_local(0, small()), second, assign(AssignOp::Attribute, &[x], vec![local(0)])]
    };
    let given_to_both = |x| {
        let first = assign(AssignOp::Attribute, &[x], vec![local(0)]);
        vec![assign_local(0, small()), first, assign(AssignOp::Attribute, &[x], vec![next(local(0))])]
    };
    let all: [&dyn Fn(VarId) -> Vec<Assignment>; 4] =
        [&written_twice, &computed, &drawn_again, &given_to_both];
    for (number, block_of) in all.into_iter().enumerate() {
        let (b, x) = block(block_of);
        assert_eq!(aimed(&b, x, &[(x, 3)], Options::default(), 3), (three.clone(), true), "{number}");
    }
}

#[test]
fn a_number_that_is_sent_in_the_same_step_is_not_aimed_at() {
    let mut b = Build::new();
    let s = b.stigmergy(bool_(true));
    let t = b.tuple(s, vec![one(1)])[0];
    let body = b.act(assign(AssignOp::Stigmergy, &[t], vec![range(num(0), num(4))]));
    b.kind(2, vec![], &[s], body);
    let aim = |sync| aimed(&b, t, &[(t, 2)], Options { sync, ..Options::default() }, 10);
    assert_eq!(aim(false), (vec![Some(2)], true));
    assert_eq!(aim(true).0.len(), 4);
}

#[test]
fn whoever_tries_too_few_is_told() {
    let (b, x) = block(|x| vec![assign(AssignOp::Attribute, &[x], vec![op(Add, draw(), num(0))])]);
    let first = (0..3).map(|n| Some(n - HUGE)).collect();
    assert_eq!(aimed(&b, x, &[(x, 5)], Options::default(), 2), (first, false));
    // The numbers that lead to no outcome count as well.
    let never = |x| vec![assign(AssignOp::Attribute, &[x], vec![op(Div, draw(), num(0))])];
    let (b, x) = block(never);
    assert_eq!(aimed(&b, x, &[(x, 5)], Options::default(), 1000), (vec![], false));
}

#[test]
fn of_an_array_the_cell_counts_that_is_written() {
    let mut b = Build::new();
    let (x, y) = (b.attribute(&[2]), b.attribute(&[]));
    let body = b.act(attributes(vec![cell(x, me(y), 1)], vec![draw()]));
    b.kind(1, vec![(x, one(1)), (y, one(1))], &[], body);
    let interpreter = Interpreter::new(&b.0, Options::default()).trying_at_most(0);
    let mut found = vec![];
    let sought = Sought { label: &|_| true, values: &|_| vec![Some(7), Some(9)] };
    let all = interpreter.for_each_step(&initial(&interpreter), 0, Some(sought), &mut |(_, after)| {
        found.push(after.unwrap().agents[0].interface[&x].clone());
        Show::More
    });
    assert_eq!((found, all), (vec![vec![Some(1), Some(9)]], Ok(())));
}

/// x <- [0..huge] * 2 ++ x <- 7: the second is looked for, or one way of each is enough.
#[test]
fn what_is_not_sought_costs_nothing() {
    let mut b = Build::new();
    let x = b.attribute(&[]);
    let many = b.act(assign(AssignOp::Attribute, &[x], vec![op(Mul, range(num(0), num(HUGE)), num(2))]));
    let seven = b.act(assign(AssignOp::Attribute, &[x], vec![num(7)]));
    b.kind(1, vec![(x, one(1))], &[], choice(vec![many, seven]));
    let found = |label: &dyn Fn(&Label) -> bool, show: Show| {
        let interpreter = Interpreter::new(&b.0, Options::default()).trying_at_most(5);
        let state = initial(&interpreter);
        let mut found = vec![];
        let sought = Sought { label, values: &|_| vec![Some(7)] };
        let all = interpreter.for_each_step(&state, 0, Some(sought), &mut |(_, after)| {
            found.push(after.unwrap().agents[0].interface[&x][0]);
            show
        });
        (found, all.is_ok())
    };
    let second = |label: &Label| matches!(label, Label::Action { action: ActionId(1), .. });
    assert_eq!(found(&second, Show::More), (vec![Some(7)], true));
    assert_eq!(found(&|_| true, Show::Others), (vec![Some(0), Some(7)], true));
    assert_eq!(found(&|_| true, Show::Nothing), (vec![Some(0)], true));
    assert!(!found(&|_| true, Show::More).1);
}
