//! Stigmergic messages: rules PROPAGATE, CONFIRM, PUT, QRY1 and QRY2 of table 3.8.
//!
//! One step delivers one message of one agent to all its neighbours. Each receiver's link predicate reads the
//! sender, which the delivery does not change, and the receiver itself, which is changed only after its predicate
//! has been read: so going through the receivers one by one reads the state before the delivery, as it must.

use super::expr::Names;
use super::{Lowerer, Semantics};
use crate::model::TupleId;
use swarmcheck_ir as ir;

const RECEIVER: ir::Expr = ir::Expr::Bound(0);

impl Lowerer<'_> {
    pub(super) fn propagate(&self, tuple: TupleId) -> ir::Function {
        let vars = self.tuples[tuple.0 as usize];
        let put = ir::Stmt::If(self.reaches(tuple, ir::BinaryOp::Lt), self.accept(tuple), vec![]);
        self.message(tuple, "propagate", vars.propagate, put)
    }

    pub(super) fn confirm(&self, tuple: TupleId) -> ir::Function {
        let vars = self.tuples[tuple.0 as usize];
        let newer = match self.options.semantics {
            Semantics::Sliver => ir::BinaryOp::Gt,
            Semantics::Paper => ir::BinaryOp::Ge,
        };
        let qry2 = ir::Stmt::If(self.reaches(tuple, newer), vec![set(vars.propagate, RECEIVER, 1)], vec![]);
        let qry1 = ir::Stmt::If(self.reaches(tuple, ir::BinaryOp::Lt), self.accept(tuple), vec![qry2]);
        self.message(tuple, "confirm", vars.confirm, qry1)
    }

    fn message(
        &self,
        tuple: TupleId,
        verb: &'static str,
        pending: ir::VarId,
        receive: ir::Stmt,
    ) -> ir::Function {
        let name = self.model.tuple_name(tuple);
        let members = self.members(tuple);
        let body = vec![
            set(pending, ir::Expr::Me, 0),
            ir::Stmt::ForEach(members.clone(), 0, vec![receive]),
            ir::Stmt::Rank(self.tuples[tuple.0 as usize].order),
        ];
        ir::Function {
            name: format!("{verb}_{name}"),
            rule: ir::Rule::System { verb, object: name.to_string(), site: tuple.0 },
            owners: members,
            entry: vec![],
            guard: is(pending, ir::Expr::Me, 1),
            locals: vec![],
            body,
            span: self.model.variable(self.model.tuple(tuple).variables[0].0).span,
        }
    }

    /// The receiver is another agent, its timestamp compares so to the sender's, and the two are linked. The order
    /// matters: a link predicate is only evaluated where it makes a difference.
    fn reaches(&self, tuple: TupleId, timestamps: ir::BinaryOp) -> ir::Expr {
        let order = self.tuples[tuple.0 as usize].order;
        let time = |agent| ir::Expr::Read(ir::Place::of(order, agent));
        let link = &self.model.stigmergy(self.model.tuple(tuple).stigmergy).link;
        let names = Names::acting();
        ir::Expr::and([
            ir::Expr::binary(ir::BinaryOp::Ne, RECEIVER, ir::Expr::Me, link.span),
            ir::Expr::binary(timestamps, time(RECEIVER), time(ir::Expr::Me), link.span),
            self.exprs(&names).satisfied(link),
        ])
    }

    /// The receiver takes the tuple and its timestamp, has nothing to confirm any more, and will propagate it.
    fn accept(&self, tuple: TupleId) -> Vec<ir::Stmt> {
        let vars = self.tuples[tuple.0 as usize];
        let variables = &self.model.tuple(tuple).variables;
        let mut out: Vec<ir::Stmt> = variables
            .iter()
            .map(|(var, _)| ir::Stmt::Copy(ir::VarId(var.0), RECEIVER, ir::Expr::Me))
            .collect();
        out.push(ir::Stmt::Copy(vars.order, RECEIVER, ir::Expr::Me));
        out.push(set(vars.confirm, RECEIVER, 0));
        out.push(set(vars.propagate, RECEIVER, 1));
        out
    }
}

/// `var[agent] := value`.
pub(super) fn set(var: ir::VarId, agent: ir::Expr, value: i64) -> ir::Stmt {
    ir::Stmt::Assign(ir::Place::of(var, agent), ir::Expr::Const(value))
}

/// `var[agent] = value`.
pub(super) fn is(var: ir::VarId, agent: ir::Expr, value: i64) -> ir::Expr {
    let read = ir::Expr::Read(ir::Place::of(var, agent));
    ir::Expr::binary(ir::BinaryOp::Eq, read, ir::Expr::Const(value), Default::default())
}
