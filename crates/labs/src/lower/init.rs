//! The initial block: initial values, timestamps and locations, and assumptions.
//!
//! Assumptions stand at the end of the block. Parts of them that refer to one agent only, in simple terms, are *also*
//! assumed as soon as that agent's variables have their values: an enumeration of initial states then backtracks early,
//! instead of completing millions of states that the end refuses.

use super::expr::Names;
use super::{Guard, Lowerer};
use crate::model::{ActionId, Cond, CondNode, Expr, ExprNode, Init, Owner, VarId};
use std::collections::BTreeSet;
use swarmcheck_ir as ir;
use swarmcheck_triples::Structure;

/// A condition on one agent, bound as agent 0, and the variables it reads.
struct Early {
    condition: ir::Expr,
    reads: BTreeSet<VarId>,
}

/// Whether a condition only compares scalars of the agent bound outermost, of the environment, and numbers: then it
/// cannot fault, and it makes no difference when it is evaluated.
fn simple(c: &Cond, reads: &mut BTreeSet<VarId>) -> bool {
    match &c.node {
        CondNode::Bool(_) => true,
        CondNode::NonZero(e) => simple_value(e, reads),
        CondNode::Compare(_, a, b) => simple_value(a, reads) && simple_value(b, reads),
        CondNode::Not(c) => simple(c, reads),
        CondNode::And(parts) | CondNode::Or(parts) => parts.iter().all(|c| simple(c, reads)),
        CondNode::Forall(..) | CondNode::Exists(..) => false,
    }
}

fn simple_value(e: &Expr, reads: &mut BTreeSet<VarId>) -> bool {
    match &e.node {
        ExprNode::Number(_) => true,
        ExprNode::Agent(binder) => binder.0 == 0,
        ExprNode::Var(var, owner, index) => {
            reads.insert(*var);
            let own = match &**owner {
                Owner::Environment => true,
                Owner::Agent(e) => matches!(e.node, ExprNode::Agent(binder) if binder.0 == 0),
                _ => false,
            };
            own && index.is_empty()
        }
        _ => false,
    }
}

/// Whether a condition can surely be evaluated without an error: no index, no agent that is computed, no result that
/// could be too large.
fn faultless(c: &Cond) -> bool {
    match &c.node {
        CondNode::Bool(_) => true,
        CondNode::NonZero(e) => faultless_value(e),
        CondNode::Compare(_, a, b) => faultless_value(a) && faultless_value(b),
        CondNode::Not(c) | CondNode::Forall(_, _, c) | CondNode::Exists(_, _, c) => faultless(c),
        CondNode::And(parts) | CondNode::Or(parts) => parts.iter().all(faultless),
    }
}

fn faultless_value(e: &Expr) -> bool {
    use crate::syntax::ast::BinaryOp;
    match &e.node {
        ExprNode::Number(_) | ExprNode::Agent(_) => true,
        ExprNode::Var(_, owner, index) => {
            let known = match &**owner {
                Owner::Environment => true,
                Owner::Agent(e) => matches!(e.node, ExprNode::Agent(_)),
                _ => false,
            };
            known && index.is_empty()
        }
        ExprNode::Neg(e) | ExprNode::Abs(e) => faultless_value(e),
        ExprNode::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..) => false,
        ExprNode::Binary(_, a, b) => faultless_value(a) && faultless_value(b),
        ExprNode::If(c, a, b) => faultless(c) && faultless_value(a) && faultless_value(b),
        ExprNode::Count(_, _, c) | ExprNode::Truth(c) => faultless(c),
        _ => false,
    }
}

impl Lowerer<'_> {
    pub(super) fn initial_block(&self, structures: &[Structure<ActionId, Guard<'_>>]) -> Vec<ir::Stmt> {
        let mut out: Vec<ir::Stmt> =
            self.model.environment.iter().map(|(var, init)| self.fill(*var, None, init)).collect();
        for (i, kind) in self.model.kinds.iter().enumerate() {
            let body = self.initialise_agent(crate::model::KindId(i as u32), &structures[i]);
            if kind.count > 0 {
                out.push(ir::Stmt::ForEach(vec![ir::KindId(i as u32)], 0, body));
            }
        }
        // Initial values are written in agent order, so the agent's number is its first timestamp.
        out.extend(self.tuples.iter().map(|t| ir::Stmt::Rank(t.order)));
        let names = Names::closed();
        let assume =
            |a: &crate::model::Assumption| ir::Stmt::Assume(self.exprs(&names).satisfied(&a.predicate));
        out.extend(self.model.assumptions.iter().map(assume));
        out
    }

    fn initialise_agent(
        &self,
        kind: crate::model::KindId,
        structure: &Structure<ActionId, Guard<'_>>,
    ) -> Vec<ir::Stmt> {
        let me = || ir::Expr::Bound(0);
        let mut out = vec![];
        let mut early = self.early_assumptions(kind);
        let mut filled: BTreeSet<VarId> = self.model.environment.iter().map(|(var, _)| *var).collect();
        for (var, init) in &self.model.kind(kind).attributes {
            out.push(self.fill(*var, Some(me()), init));
            filled.insert(*var);
            out.extend(
                early.extract_if(.., |e| e.reads.is_subset(&filled)).map(|e| ir::Stmt::Assume(e.condition)),
            );
        }
        for tuple in self.tuples_of(kind) {
            for (var, init) in &self.model.tuple(tuple).variables {
                out.push(self.fill(*var, Some(me()), init));
            }
            let order = self.tuples[tuple.0 as usize].order;
            let first = self.first_time(tuple, &me());
            out.extend(first.map(|time| ir::Stmt::Assign(ir::Place::of(order, me()), time)));
        }
        out.extend(self.exit(structure, &structure.start, &me()));
        out
    }

    /// Parts of assumptions `forall K a, p and q` that read only scalars of `a` and of the environment and cannot fault,
    /// with what they read.
    fn early_assumptions(&self, kind: crate::model::KindId) -> Vec<Early> {
        let names = Names::closed();
        let mut out = vec![];
        if !self.initialisers_cannot_fault() {
            return out;
        }
        for assumption in &self.model.assumptions {
            // An error met earlier at the end of the block must not be hidden by a refusal that comes before it.
            if !faultless(&assumption.predicate) {
                break;
            }
            let CondNode::Forall(over, binder, body) = &assumption.predicate.node else { continue };
            if *over != kind || binder.0 != 0 {
                continue;
            }
            let parts = match &body.node {
                CondNode::And(parts) => parts.as_slice(),
                _ => std::slice::from_ref(&**body),
            };
            for part in parts {
                let mut reads = BTreeSet::new();
                if simple(part, &mut reads) {
                    out.push(Early { condition: self.exprs(&names).satisfied(part), reads });
                }
            }
        }
        out
    }

    /// Whether all initialisers are numbers, agent numbers, or sets and ranges of such: then no error can hide behind an
    /// assumption that refuses the state before they are evaluated.
    fn initialisers_cannot_fault(&self) -> bool {
        let names = Names::initialising();
        let plain = |e: &Expr| matches!(self.exprs(&names).value(e), ir::Expr::Const(_) | ir::Expr::Bound(_));
        let attributes = self.model.kinds.iter().flat_map(|k| &k.attributes);
        let stigmergic = self.model.tuples.iter().flat_map(|t| &t.variables);
        self.model.environment.iter().chain(attributes).chain(stigmergic).all(|(_, init)| match init {
            Init::Undef => true,
            Init::OneOf(values) => values.iter().all(plain),
            Init::Range(lo, hi) => plain(lo) && plain(hi),
        })
    }

    fn fill(&self, var: VarId, agent: Option<ir::Expr>, init: &Init) -> ir::Stmt {
        let names = Names::initialising();
        let exprs = self.exprs(&names);
        let set = match init {
            Init::Undef => ir::Set::one(ir::Expr::Const(ir::UNDEF)),
            Init::OneOf(values) => ir::Set::Values(values.iter().map(|v| exprs.value(v)).collect()),
            Init::Range(lo, hi) => ir::Set::Range(exprs.value(lo), exprs.value(hi)),
        };
        let span = self.model.variable(var).span;
        let place = ir::Place { var: ir::VarId(var.0), agent: agent.map(Box::new), index: vec![], span };
        ir::Stmt::Fill(place, set)
    }
}
