//! Conditions: satisfaction ⊨ (table 3.5) and well-definedness ⊢ (table 3.6), each as a two-valued condition.
//!
//! Comparisons of the program are already unsatisfied when an operand is ⊥. What remains is negation: `!g` is
//! satisfied when `g` is well-defined and not satisfied. Where ⊥ cannot occur, well-definedness folds to `true`.

use super::expr::{Exprs, operator};
use super::{Guard, undefined};
use crate::model::{Cond, CondNode, Expr, KindId};
use swarmcheck_ir as ir;

impl Exprs<'_> {
    /// A guard of a triple.
    pub fn guard(&self, guard: &Guard<'_>) -> ir::Expr {
        if guard.negated { self.unsatisfied(guard.cond) } else { self.satisfied(guard.cond) }
    }

    /// Not `⊨ c`: ⊥ included, so this is not `⊨ !c`.
    fn unsatisfied(&self, c: &Cond) -> ir::Expr {
        if undefined::cond(&self.low.undefined, c) {
            ir::Expr::not(self.satisfied(c))
        } else {
            self.refuted(c)
        }
    }

    /// `⊨ c`.
    pub fn satisfied(&self, c: &Cond) -> ir::Expr {
        match &c.node {
            CondNode::Bool(b) => ir::Expr::Const(i64::from(*b)),
            CondNode::NonZero(e) => {
                ir::Expr::binary(ir::BinaryOp::Ne, self.value(e), ir::Expr::Const(0), e.span)
            }
            CondNode::Compare(op, a, b) => {
                ir::Expr::binary(operator(*op), self.value(a), self.value(b), c.span)
            }
            CondNode::Not(c) => self.refuted(c),
            CondNode::And(parts) => ir::Expr::and(parts.iter().map(|c| self.satisfied(c))),
            CondNode::Or(parts) => ir::Expr::or(parts.iter().map(|c| self.satisfied(c))),
            CondNode::Forall(kind, binder, body) => {
                quantified(ir::Quantifier::Forall, *kind, binder.0, self.satisfied(body))
            }
            CondNode::Exists(kind, binder, body) => {
                quantified(ir::Quantifier::Exists, *kind, binder.0, self.satisfied(body))
            }
        }
    }

    /// `⊨ !c`: well-defined and not satisfied, in this order.
    fn refuted(&self, c: &Cond) -> ir::Expr {
        let negation = match self.satisfied(c) {
            ir::Expr::Binary(op, a, b, span) if op.negated().is_some() => {
                ir::Expr::Binary(op.negated().unwrap_or(op), a, b, span)
            }
            other => ir::Expr::not(other),
        };
        ir::Expr::and([self.defined(c), negation])
    }

    /// `⊢ c`.
    pub fn defined(&self, c: &Cond) -> ir::Expr {
        if !undefined::cond(&self.low.undefined, c) {
            return ir::Expr::TRUE;
        }
        match &c.node {
            CondNode::Bool(_) => ir::Expr::TRUE,
            CondNode::NonZero(e) => self.defined_value(e),
            CondNode::Compare(_, a, b) => ir::Expr::and([self.defined_value(a), self.defined_value(b)]),
            CondNode::Not(c) => self.defined(c),
            CondNode::And(parts) | CondNode::Or(parts) => {
                ir::Expr::and(parts.iter().map(|c| self.defined(c)))
            }
            CondNode::Forall(kind, binder, body) | CondNode::Exists(kind, binder, body) => {
                quantified(ir::Quantifier::Forall, *kind, binder.0, self.defined(body))
            }
        }
    }

    fn defined_value(&self, e: &Expr) -> ir::Expr {
        if self.low.may_be_undefined(e) { ir::Expr::defined(self.value(e)) } else { ir::Expr::TRUE }
    }
}

fn quantified(quantifier: ir::Quantifier, kind: KindId, bound: u32, body: ir::Expr) -> ir::Expr {
    ir::Expr::Quantified(quantifier, vec![ir::KindId(kind.0)], bound, Box::new(body))
}
