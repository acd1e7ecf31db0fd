//! What the model of a correct file looks like.

use super::{action, model, property, with};
use crate::model::{BinderId, Class, LocalId};
use crate::model::{
    CondNode, Expr, ExprNode, KindId, Model, Owner, ProcessNode, Side, StigmergyId, Target, TupleId, Value,
    VarId,
};
use crate::syntax::ast::{AssignOp, BinaryOp};

/// The value of the first assignment of the first action.
fn value(text: &str) -> Expr {
    let mut model = model(&action(text));
    match model.actions.swap_remove(0).assignments.swap_remove(0).values.swap_remove(0) {
        Value::Expr(e) => e,
        Value::Pick { .. } => panic!("a pick"),
    }
}

fn predicate(text: &str) -> CondNode {
    model(&property(&format!("always {text}"))).properties.swap_remove(0).predicate.node
}

fn variable(model: &Model, name: &str) -> VarId {
    VarId(model.variables.iter().position(|v| v.name == name).expect("a variable") as u32)
}

#[test]
fn variables_and_stores() {
    let model = model(&action("Skip"));
    let class = |name| model.variable(variable(&model, name)).class;
    assert_eq!(class("env"), Class::Environment);
    assert_eq!(class("x"), Class::Attribute);
    assert_eq!(class("t"), Class::Stigmergic(TupleId(0)));
    assert_eq!(class("arr"), Class::Stigmergic(TupleId(1)));
    assert_eq!(model.variable(variable(&model, "grid")).dimensions, [3, 4]);
    assert_eq!(model.variable(variable(&model, "grid")).cells(), 12);
    assert_eq!(model.stigmergies[0].tuples, [TupleId(0), TupleId(1)]);
    assert_eq!(model.tuple(TupleId(0)).variables.len(), 2);
    assert_eq!(model.kinds[0].stigmergies, [StigmergyId(0)]);
    assert!(model.has_variable(KindId(0), variable(&model, "s")));
    assert!(!model.has_variable(KindId(1), variable(&model, "s")));
    assert_eq!(model.agents(), 3);
}

#[test]
fn owners() {
    let owner = |text: &str| match value(text).node {
        ExprNode::Var(_, owner, _) => *owner,
        other => panic!("{other:?}"),
    };
    assert!(matches!(owner("x <- y"), Owner::Me));
    assert!(matches!(owner("x <- s"), Owner::Me));
    assert!(matches!(owner("x <- env"), Owner::Environment));
    assert!(matches!(owner("x <- x of 2"), Owner::Agent(Expr { node: ExprNode::Number(2), .. })));
    assert!(matches!(owner("x <- s of y"), Owner::Agent(Expr { node: ExprNode::Var(..), .. })));
    assert!(matches!(value("x <- id").node, ExprNode::Id));
    assert!(matches!(value("x <- id of 2").node, ExprNode::Number(2)));
}

#[test]
fn binders_count_from_the_outside() {
    let CondNode::Forall(kind, outer, body) = predicate("forall A a, exists B b, x of b = a") else {
        panic!()
    };
    assert_eq!((kind, outer), (KindId(0), BinderId(0)));
    let CondNode::Exists(kind, inner, body) = body.node else { panic!() };
    assert_eq!((kind, inner), (KindId(1), BinderId(1)));
    let CondNode::Compare(BinaryOp::Eq, left, right) = body.node else { panic!() };
    assert!(matches!(right.node, ExprNode::Agent(BinderId(0))));
    let ExprNode::Var(_, owner, _) = left.node else { panic!() };
    assert!(matches!(*owner, Owner::Agent(Expr { node: ExprNode::Agent(BinderId(1)), .. })));
    let CondNode::And(parts) = predicate("(exists A a, x of a) and exists A b, x of b") else { panic!() };
    assert!(parts.iter().all(|p| matches!(p.node, CondNode::Exists(_, BinderId(0), _))));
}

#[test]
fn conjunctions_are_flat_and_in_order() {
    let numbers = |parts: &[crate::model::Cond]| -> Vec<i64> {
        let number = |c: &crate::model::Cond| match &c.node {
            CondNode::Compare(_, _, Expr { node: ExprNode::Number(n), .. }) => *n,
            _ => -1,
        };
        parts.iter().map(number).collect()
    };
    let CondNode::And(parts) = predicate("env = 1 and (env = 2 and env = 3) and env = 4") else { panic!() };
    assert_eq!(numbers(&parts), [1, 2, 3, 4]);
    let CondNode::Or(parts) = predicate("env = 1 or env = 2 and env = 3 or (env = 4 or env = 5)") else {
        panic!()
    };
    assert_eq!(numbers(&parts), [1, -1, 4, 5]);
}

#[test]
fn numbers_and_conditions() {
    assert!(matches!(predicate("env"), CondNode::NonZero(_)));
    assert!(matches!(predicate("!env"), CondNode::Not(c) if matches!(c.node, CondNode::NonZero(_))));
    assert!(matches!(predicate("true"), CondNode::Bool(true)));
    assert!(matches!(value("x <- forall B b, x of b = 0").node, ExprNode::Truth(_)));
    assert!(matches!(value("x <- count B b, x of b = 0").node, ExprNode::Count(KindId(1), BinderId(0), _)));
    assert!(matches!(value("x <- [0..3]").node, ExprNode::Range(..)));
    assert!(matches!(value("x <- max(x, 1)").node, ExprNode::Binary(BinaryOp::Max, ..)));
    assert!(matches!(value("x <- x : 2").node, ExprNode::Binary(BinaryOp::Round, ..)));
    assert!(matches!(value("x <- abs(-x)").node, ExprNode::Abs(e) if matches!(e.node, ExprNode::Neg(_))));
}

#[test]
fn links_have_sides() {
    let text = action("Skip").replace("link = true", "link = x of 1 = id of c2");
    let CondNode::Compare(_, left, right) = model(&text).stigmergies.swap_remove(0).link.node else {
        panic!()
    };
    assert!(matches!(left.node, ExprNode::Var(_, owner, _) if matches!(*owner, Owner::Side(Side::Sender))));
    assert!(matches!(right.node, ExprNode::IdOf(Side::Receiver)));
}

#[test]
fn blocks_have_locals() {
    let text = "{ d := 1; v[] := pick 2 B where d < id of 2; d, w := d + v[1], d; grid[d, w] <-- w }";
    let model = model(&action(text));
    let block = &model.actions[0];
    let locals: Vec<_> = block.locals.iter().map(|l| (l.name.as_str(), l.length)).collect();
    assert_eq!(locals, [("d", None), ("v", Some(2)), ("w", None)]);
    assert!(matches!(block.assignments[0].targets[0], Target::Local(LocalId(0))));
    assert!(matches!(block.assignments[1].targets[0], Target::Array(LocalId(1))));
    let Value::Pick { count: 2, kind: Some(KindId(1)), condition: Some(condition) } =
        &block.assignments[1].values[0]
    else {
        panic!("a pick of two")
    };
    let CondNode::Compare(BinaryOp::Lt, left, right) = &condition.node else { panic!() };
    assert!(matches!(left.node, ExprNode::Local(LocalId(0))));
    assert!(matches!(right.node, ExprNode::IdOf(Side::Receiver)));
    let Value::Expr(sum) = &block.assignments[2].values[0] else { panic!() };
    let ExprNode::Binary(BinaryOp::Add, _, cell) = &sum.node else { panic!() };
    assert!(matches!(cell.node, ExprNode::LocalCell(LocalId(1), _)));
    assert_eq!(block.assignments[3].op, AssignOp::Environment);
    let Target::Variable(grid, index, _) = &block.assignments[3].targets[0] else { panic!() };
    assert_eq!((*grid, index.len()), (variable(&model, "grid"), 2));
}

#[test]
fn actions_are_numbered_in_the_order_of_the_text() {
    let text = with("Behavior = x <- 10; (Q ++ (x = 3 => x <- 11)); Behavior Q = x <- 12 || Skip");
    let model = model(&text);
    let spans: Vec<u32> = model.actions.iter().map(|a| a.span.start).collect();
    assert!(spans.is_sorted() && spans.len() == 6, "{spans:?}");
    let words: Vec<String> = model.actions.iter().map(|a| a.words(&text)).collect();
    assert_eq!(words[..5], ["x <- 10", "pass x = 3 =>", "x <- 11", "x <- 12", "Skip"]);
    assert!(model.actions[4].assignments.is_empty(), "Skip assigns nothing");
    let names: Vec<_> = model.processes.iter().map(|p| (p.name.as_str(), p.kind.map(|k| k.0))).collect();
    assert_eq!(names, [("Behavior", Some(0)), ("Q", Some(0)), ("Behavior", Some(1))]);
}

#[test]
fn processes_keep_their_shape() {
    let model = model(&with("Behavior = x -> (Skip ++ Nil); (y => P); (Skip || Skip) P = Skip"));
    let ProcessNode::Guard(_, rest) = &model.processes[0].body.node else { panic!() };
    let ProcessNode::Seq(parts) = &rest.node else { panic!("{rest:?}") };
    assert!(matches!(&parts[0].node, ProcessNode::Choice(c) if matches!(c[1].node, ProcessNode::Nil)));
    let ProcessNode::Conditional(_, pass, body) = &parts[1].node else { panic!("{:?}", parts[1]) };
    assert!(matches!(body.node, ProcessNode::Call(_)));
    let pass = model.action(*pass);
    assert!(pass.pass && pass.assignments.is_empty(), "{pass:?}");
    assert!(matches!(&parts[2].node, ProcessNode::Par(p) if p.len() == 2));
}

#[test]
fn own_processes_come_before_global_ones() {
    let model = model(
        "system { spawn = A: 1, B: 1 P = Skip }
         agent A { P = Skip; Skip Behavior = P } agent B { Behavior = P }",
    );
    let called = |kind: usize| match model.process(model.kinds[kind].behavior).body.node {
        ProcessNode::Call(id) => model.process(id).kind,
        _ => panic!("a call"),
    };
    assert_eq!((called(0), called(1)), (Some(KindId(0)), None));
}
