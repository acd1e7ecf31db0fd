//! Stigmergic messages: rules PROPAGATE, CONFIRM, PUT, QRY1 and QRY2 of table 3.8.
//!
//! One step delivers one message of one agent to all its neighbours. Each receiver's link predicate reads the
//! sender, which the delivery does not change, and the receiver itself, which is changed only after its predicate
//! has been read: so going through the receivers one by one reads the state before the delivery, as it must.

use super::expr::Names;
use super::{Lowerer, Semantics};
use crate::model::{Init, TupleId};
use swarmcheck_ir as ir;

/// Who sends and who receives.
#[derive(Clone)]
pub(super) struct Ends {
    pub sender: ir::Expr,
    pub receiver: ir::Expr,
}

impl Ends {
    /// The agent that runs the function sends to the bound agent 0.
    pub fn mine() -> Ends {
        Ends { sender: ir::Expr::Me, receiver: ir::Expr::Bound(0) }
    }
}

impl Lowerer<'_> {
    pub(super) fn propagate(&self, tuple: TupleId) -> ir::Function {
        // A tuple that is ⊥ is never to be propagated by the paper: who writes it, takes it over or has at least as
        // recent a copy as somebody who has sent one, has a value.
        self.message(
            tuple,
            "propagate",
            self.tuples[tuple.0 as usize].propagate,
            self.put(tuple, &Ends::mine()),
        )
    }

    pub(super) fn confirm(&self, tuple: TupleId) -> ir::Function {
        let mut out = self.message(
            tuple,
            "confirm",
            self.tuples[tuple.0 as usize].confirm,
            self.query(tuple, &Ends::mine()),
        );
        if self.waits(tuple) {
            out.guard = ir::Expr::and([out.guard, self.known(tuple, &ir::Expr::Me)]);
        }
        out
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

    /// PUT: what a propagation does to a receiver.
    pub(super) fn put(&self, tuple: TupleId, ends: &Ends) -> ir::Stmt {
        ir::Stmt::If(self.reaches(tuple, ir::BinaryOp::Lt, ends), self.accept(tuple, ends), vec![])
    }

    /// QRY1 and QRY2: what a confirmation does to a receiver.
    pub(super) fn query(&self, tuple: TupleId, ends: &Ends) -> ir::Stmt {
        let newer = match self.options.semantics {
            Semantics::Sliver => ir::BinaryOp::Gt,
            Semantics::Paper => ir::BinaryOp::Ge,
        };
        let answer = set(self.tuples[tuple.0 as usize].propagate, ends.receiver.clone(), 1);
        let qry2 = ir::Stmt::If(self.reaches(tuple, newer, ends), vec![answer], vec![]);
        ir::Stmt::If(self.reaches(tuple, ir::BinaryOp::Lt, ends), self.accept(tuple, ends), vec![qry2])
    }

    /// The receiver is another agent, its timestamp compares so to the sender's, and the two are linked. The order
    /// matters: a link predicate is only evaluated where it makes a difference.
    fn reaches(&self, tuple: TupleId, timestamps: ir::BinaryOp, ends: &Ends) -> ir::Expr {
        let Ends { sender, receiver } = ends.clone();
        let order = self.tuples[tuple.0 as usize].order;
        let time = |agent: &ir::Expr| ir::Expr::Read(ir::Place::of(order, agent.clone()));
        let link = &self.model.stigmergy(self.model.tuple(tuple).stigmergy).link;
        let compared = ir::Expr::binary(timestamps, time(&receiver), time(&sender), link.span);
        let another = ir::Expr::binary(ir::BinaryOp::Ne, receiver.clone(), sender.clone(), link.span);
        let names = Names { sender, receiver, ..Names::acting() };
        ir::Expr::and([another, compared, self.exprs(&names).satisfied(link)])
    }

    /// The receiver takes the tuple and its timestamp, has nothing to confirm any more, and will propagate it.
    fn accept(&self, tuple: TupleId, ends: &Ends) -> Vec<ir::Stmt> {
        let vars = self.tuples[tuple.0 as usize];
        let mut out = self.take(tuple, ends);
        out.push(set(vars.propagate, ends.receiver.clone(), 1));
        out
    }

    /// The receiver takes the tuple and its timestamp, and has nothing to confirm any more.
    pub(super) fn take(&self, tuple: TupleId, ends: &Ends) -> Vec<ir::Stmt> {
        let Ends { sender, receiver } = ends.clone();
        let vars = self.tuples[tuple.0 as usize];
        let variables = &self.model.tuple(tuple).variables;
        let mut out: Vec<ir::Stmt> = variables
            .iter()
            .map(|(var, _)| ir::Stmt::Copy(ir::VarId(var.0), receiver.clone(), sender.clone()))
            .collect();
        out.push(ir::Stmt::Copy(vars.order, receiver.clone(), sender));
        if !self.options.sync || self.waits(tuple) {
            out.push(set(vars.confirm, receiver, 0));
        }
        out
    }

    /// Whether a confirmation of this tuple may have to wait for a value: rules CONFIRM and PROPAGATE of table 3.8
    /// need L(x) = (v, t).
    pub(super) fn waits(&self, tuple: TupleId) -> bool {
        self.options.semantics == Semantics::Paper
            && self.model.tuple(tuple).variables.iter().all(|(var, _)| self.undefined[var.0 as usize])
    }

    /// L(x) ≠ ⊥ for an agent. One defined cell is enough: "whenever any element of a tuple can be propagated or
    /// requested, the rest of the tuple will be as well" (thesis 3.2.4).
    pub(super) fn known(&self, tuple: TupleId, agent: &ir::Expr) -> ir::Expr {
        let variables = self.model.tuple(tuple).variables.iter();
        ir::Expr::or(variables.flat_map(|(var, _)| {
            let cells = indices(&self.model.variable(*var).dimensions);
            cells.into_iter().map(|index| {
                let place = ir::Place::of(ir::VarId(var.0), agent.clone());
                ir::Expr::defined(ir::Expr::Read(ir::Place { index, ..place }))
            })
        }))
    }

    /// The timestamp of an initial value. Initial values are written in agent order, so the agent's number will do. By
    /// the paper a tuple that is ⊥ has no timestamp at all, and any value is newer (rule ADD of table 3.1): it stays 0.
    pub(super) fn first_time(&self, tuple: TupleId, agent: &ir::Expr) -> Option<ir::Expr> {
        if !self.waits(tuple) {
            return Some(agent.clone());
        }
        if self.model.tuple(tuple).variables.iter().all(|(_, init)| matches!(init, Init::Undef)) {
            return None;
        }
        let after =
            ir::Expr::binary(ir::BinaryOp::Add, agent.clone(), ir::Expr::Const(1), Default::default());
        Some(ir::Expr::ite(self.known(tuple, agent), after, ir::Expr::Const(0)))
    }
}

/// The indices of all cells of an array, row-major; of a scalar, none once.
fn indices(dimensions: &[u32]) -> Vec<Vec<ir::Expr>> {
    let cell = |place| ir::cells::indices(dimensions, place).into_iter().map(|i| ir::Expr::Const(i.into()));
    (0..dimensions.iter().product::<u32>()).map(|place| cell(place).collect()).collect()
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
