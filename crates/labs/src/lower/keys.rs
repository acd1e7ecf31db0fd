//! The function K[·] of table 3.4: which of its own tuples an agent reads.

use crate::model::{
    Action, Class, Cond, CondNode, Expr, ExprNode, Model, Owner, Side, Target, TupleId, Value,
};
use std::collections::BTreeSet;

/// Collects tuples. Everything that occurs in the text counts, whether or not it is evaluated.
pub(super) struct Keys<'m> {
    model: &'m Model,
    pub(super) found: BTreeSet<TupleId>,
}

impl<'m> Keys<'m> {
    pub(super) fn new(model: &'m Model) -> Keys<'m> {
        Keys { model, found: BTreeSet::new() }
    }

    pub(super) fn action(&mut self, action: &Action) {
        for assignment in &action.assignments {
            for value in &assignment.values {
                match value {
                    Value::Expr(e) => self.expr(e),
                    Value::Pick { condition, .. } => condition.iter().for_each(|c| self.cond(c)),
                }
            }
            for target in &assignment.targets {
                if let Target::Variable(_, index, _) = target {
                    index.iter().for_each(|e| self.expr(e));
                }
            }
        }
    }

    pub(super) fn cond(&mut self, c: &Cond) {
        match &c.node {
            CondNode::Bool(_) => {}
            CondNode::NonZero(e) => self.expr(e),
            CondNode::Compare(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            CondNode::Not(c) | CondNode::Forall(_, _, c) | CondNode::Exists(_, _, c) => self.cond(c),
            CondNode::And(parts) | CondNode::Or(parts) => parts.iter().for_each(|c| self.cond(c)),
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.node {
            ExprNode::Number(_)
            | ExprNode::Id
            | ExprNode::IdOf(_)
            | ExprNode::Agent(_)
            | ExprNode::Local(_) => {}
            ExprNode::Var(var, owner, index) => {
                // Another agent's copy is not this agent's knowledge: only its own is queried. In the condition of
                // a pick the sender is the agent itself.
                let own = matches!(**owner, Owner::Me | Owner::Side(Side::Sender));
                if let (true, Class::Stigmergic(tuple)) = (own, self.model.variable(*var).class) {
                    self.found.insert(tuple);
                }
                if let Owner::Agent(e) = &**owner {
                    self.expr(e);
                }
                index.iter().for_each(|e| self.expr(e));
            }
            ExprNode::LocalCell(_, e) | ExprNode::Neg(e) | ExprNode::Abs(e) => self.expr(e),
            ExprNode::Binary(_, a, b) | ExprNode::Range(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprNode::If(c, a, b) => {
                self.cond(c);
                self.expr(a);
                self.expr(b);
            }
            ExprNode::Count(_, _, c) | ExprNode::Truth(c) => self.cond(c),
        }
    }
}

/// Whether a quantifier of the condition ranges over a kind without agents.
pub(super) fn ranges_over_nobody(model: &Model, c: &Cond) -> bool {
    match &c.node {
        CondNode::Forall(kind, _, body) | CondNode::Exists(kind, _, body) => {
            model.kind(*kind).count == 0 || ranges_over_nobody(model, body)
        }
        CondNode::Not(c) => ranges_over_nobody(model, c),
        CondNode::And(parts) | CondNode::Or(parts) => parts.iter().any(|c| ranges_over_nobody(model, c)),
        CondNode::Bool(_) | CondNode::NonZero(_) | CondNode::Compare(..) => false,
    }
}
