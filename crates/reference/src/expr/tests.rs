//! Expressions: table 3.4.

use super::*;
use crate::choices::outcomes;
use crate::testing::*;
use swarmcheck_labs::model::{Class, Init};
use swarmcheck_labs::syntax::ast::BinaryOp::*;

type Outcomes = Vec<Result<Value, ModelError>>;

/// Two agents of one kind with `x[2][3]` (agent 1's is all 7) and `y = ⊥`, a third agent of another kind.
struct World {
    model: Model,
    state: State,
    x: VarId,
    y: VarId,
    w: VarId,
}

fn world() -> World {
    let mut b = Build::new();
    let w = b.env(&[4], Init::Undef);
    let x = b.attribute(&[2, 3]);
    let y = b.attribute(&[]);
    b.kind(2, vec![(x, one(5)), (y, Init::Undef)], &[], nil());
    b.kind(1, vec![], &[], nil());
    let mut state = initial(&interpreter(&b.0));
    state.env.insert(w, vec![Some(10), Some(11), None, Some(13)]);
    state.agents[0].interface.insert(x, (0..6).map(Some).collect());
    state.agents[1].interface.insert(x, vec![Some(7); 6]);
    World { model: b.0, state, x, y, w }
}

impl World {
    fn eval(&self, e: &Expr) -> Outcomes {
        let scope = Scope::of_agent(&self.model, &self.state, 0);
        outcomes(|choices| Scope { choices: Some(choices), ..scope.clone() }.eval(e))
    }

    fn error(&self, e: &Expr) -> (ErrorKind, u32) {
        match self.eval(e).as_slice() {
            [Err(error)] => (error.kind, error.span.start),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn arrays_are_row_major() {
    let w = world();
    assert_eq!(w.eval(&read(w.x, Owner::Me, vec![num(1), num(2)])), [Ok(Some(5))]);
    assert_eq!(w.eval(&read(w.x, Owner::Me, vec![num(0), num(1)])), [Ok(Some(1))]);
    assert_eq!(w.eval(&read(w.w, Owner::Environment, vec![num(3)])), [Ok(Some(13))]);
}

#[test]
fn an_undefined_index_makes_the_read_undefined_but_errors_win() {
    let w = world();
    let x = |i, j| at(1, read(w.x, Owner::Me, vec![i, j]));
    assert_eq!(w.eval(&x(num(9), bottom())), [Ok(None)], "no bounds are checked");
    assert_eq!(w.error(&x(bottom(), bad(2))), (ErrorKind::Overflow, 2));
    assert_eq!(w.error(&x(num(2), num(0))), (ErrorKind::Index, 1));
    assert_eq!(w.error(&x(num(0), num(-1))), (ErrorKind::Index, 1));
}

#[test]
fn owners_are_evaluated_first_and_checked_before_bounds() {
    let w = world();
    let x = |agent, i| at(1, read(w.x, Owner::Agent(agent), vec![i, num(0)]));
    assert_eq!(w.eval(&x(num(1), num(0))), [Ok(Some(7))]);
    assert_eq!(w.error(&x(bad(2), bad(3))), (ErrorKind::Overflow, 2));
    assert_eq!(w.error(&x(bottom(), bad(3))), (ErrorKind::Overflow, 3));
    assert_eq!(w.eval(&x(bottom(), num(9))), [Ok(None)]);
    assert_eq!(w.eval(&x(num(9), bottom())), [Ok(None)]);
    assert_eq!(w.error(&x(num(3), num(9))), (ErrorKind::NoAgent, 1));
    assert_eq!(w.error(&x(num(-1), num(0))), (ErrorKind::NoAgent, 1));
    assert_eq!(w.error(&x(num(2), num(9))), (ErrorKind::NoVariable, 1));
    assert_eq!(w.error(&x(num(1), num(9))), (ErrorKind::Index, 1));
}

#[test]
fn a_side_without_the_variable_is_an_error() {
    let w = world();
    let scope = Scope::of_link(&w.model, &w.state, 0, 2);
    assert_eq!(scope.eval_one(&sender(w.y)), Ok(None));
    let error = ModelError::new(ErrorKind::NoVariable, span(4));
    assert_eq!(scope.eval_one(&at(4, receiver(w.y))), Err(error));
    assert_eq!(scope.eval_one(&e(ExprNode::IdOf(Side::Receiver))), Ok(Some(2)));
}

#[test]
fn arithmetic_raises_the_left_error_first_and_then_propagates_undefined() {
    let w = world();
    assert_eq!(w.error(&op(Add, bad(1), bad(2))), (ErrorKind::Overflow, 1));
    assert_eq!(w.error(&op(Add, bottom(), bad(2))), (ErrorKind::Overflow, 2));
    assert_eq!(w.eval(&op(Add, bottom(), num(1))), [Ok(None)]);
    assert_eq!(w.eval(&op(Add, num(2), id())), [Ok(Some(2))]);
}

#[test]
fn only_the_taken_branch_is_evaluated() {
    let w = world();
    let eq = |a, b| cmp(Eq, a, b);
    assert_eq!(w.eval(&if_(eq(num(1), num(1)), num(3), bad(1))), [Ok(Some(3))]);
    assert_eq!(w.eval(&if_(eq(num(1), num(2)), bad(1), num(4))), [Ok(Some(4))]);
    assert_eq!(w.eval(&if_(eq(bottom(), num(2)), bad(1), bad(1))), [Ok(None)]);
    assert_eq!(w.error(&if_(eq(bad(1), num(2)), num(3), num(3))), (ErrorKind::Overflow, 1));
}

#[test]
fn truth_has_three_values() {
    let w = world();
    let truth = |g| w.eval(&e(ExprNode::Truth(Box::new(g))));
    assert_eq!(truth(cmp(Lt, num(1), num(2))), [Ok(Some(1))]);
    assert_eq!(truth(cmp(Gt, num(1), num(2))), [Ok(Some(0))]);
    assert_eq!(truth(cmp(Gt, num(1), bottom())), [Ok(None)]);
}

#[test]
fn ranges_have_one_outcome_per_number() {
    let w = world();
    let numbers = |outcomes: Outcomes| outcomes.into_iter().map(|o| o.unwrap()).collect::<Vec<_>>();
    assert_eq!(numbers(w.eval(&range(num(1), num(4)))), [Some(1), Some(2), Some(3)]);
    assert_eq!(numbers(w.eval(&range(num(4), num(4)))), []);
    assert_eq!(numbers(w.eval(&range(bottom(), num(4)))), []);
    let sum = op(Add, range(num(0), num(2)), op(Mul, num(10), range(num(1), num(3))));
    assert_eq!(numbers(w.eval(&sum)), [Some(10), Some(20), Some(11), Some(21)]);
    let cell = read(w.w, Owner::Environment, vec![range(num(1), num(4))]);
    assert_eq!(numbers(w.eval(&cell)), [Some(11), None, Some(13)]);
}

#[test]
fn local_arrays_follow_the_index_rule() {
    let w = world();
    let locals = [LocalValue::Scalar(Some(3)), LocalValue::Array(vec![Some(8), None])];
    let scope = Scope { locals: &locals, ..Scope::of_agent(&w.model, &w.state, 0) };
    assert_eq!(scope.eval_one(&local(0)), Ok(Some(3)));
    assert_eq!(scope.eval_one(&local_cell(1, num(0))), Ok(Some(8)));
    assert_eq!(scope.eval_one(&local_cell(1, bottom())), Ok(None));
    let error = ModelError::new(ErrorKind::Index, span(6));
    assert_eq!(scope.eval_one(&at(6, local_cell(1, num(2)))), Err(error));
}

#[test]
fn stigmergic_variables_are_read_from_the_own_copy() {
    let mut b = Build::new();
    let s = b.stigmergy(bool_(true));
    let t = b.tuple(s, vec![Init::OneOf(vec![id()])])[0];
    b.kind(2, vec![], &[s], nil());
    assert_eq!(b.0.variable(t).class, Class::Stigmergic(swarmcheck_labs::model::TupleId(0)));
    let state = initial(&interpreter(&b.0));
    assert_eq!(Scope::of_agent(&b.0, &state, 1).eval_one(&me(t)), Ok(Some(1)));
    assert_eq!(Scope::of_agent(&b.0, &state, 1).eval_one(&of(t, num(0))), Ok(Some(0)));
}
