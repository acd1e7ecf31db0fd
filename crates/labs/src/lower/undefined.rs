//! Where ⊥ can come from.
//!
//! ⊥ is never assigned (rules EVAL need a value), so a variable can be ⊥ only if it starts so; an expression can be
//! ⊥ if it reads such a variable or divides by what may be zero.

use crate::model::{Cond, CondNode, Expr, ExprNode, Init, Model, Owner};
use crate::syntax::ast::BinaryOp;

/// For each variable, whether it may be ⊥.
pub(super) fn variables(model: &Model) -> Vec<bool> {
    let mut out = vec![false; model.variables.len()];
    let attributes = model.kinds.iter().flat_map(|k| &k.attributes);
    let stigmergic = model.tuples.iter().flat_map(|t| &t.variables);
    for (var, init) in model.environment.iter().chain(attributes).chain(stigmergic) {
        // A division by zero in an initialiser leaves the variable undefined too.
        let may = match init {
            Init::Undef => true,
            Init::OneOf(values) => values.iter().any(|v| expr(&out, v)),
            Init::Range(..) => false,
        };
        out[var.0 as usize] |= may;
    }
    out
}

/// Whether an expression may be ⊥.
pub(super) fn expr(undefined: &[bool], e: &Expr) -> bool {
    let may = |e: &Expr| expr(undefined, e);
    match &e.node {
        ExprNode::Number(_)
        | ExprNode::Id
        | ExprNode::IdOf(_)
        | ExprNode::Agent(_)
        | ExprNode::Local(_)
        | ExprNode::Count(..)
        | ExprNode::Range(..) => false,
        ExprNode::Var(var, owner, index) => {
            let owner = matches!(&**owner, Owner::Agent(e) if may(e));
            undefined[var.0 as usize] || owner || index.iter().any(may)
        }
        ExprNode::LocalCell(_, e) | ExprNode::Neg(e) | ExprNode::Abs(e) => may(e),
        ExprNode::Binary(op, a, b) => {
            let divides = matches!(op, BinaryOp::Div | BinaryOp::Mod | BinaryOp::Round);
            let by_zero = divides && !matches!(b.node, ExprNode::Number(n) if n != 0);
            by_zero || may(a) || may(b)
        }
        ExprNode::If(c, a, b) => cond(undefined, c) || may(a) || may(b),
        ExprNode::Truth(c) => cond(undefined, c),
    }
}

/// Whether a condition may fail to be well-defined.
pub(super) fn cond(undefined: &[bool], c: &Cond) -> bool {
    match &c.node {
        CondNode::Bool(_) => false,
        CondNode::NonZero(e) => expr(undefined, e),
        CondNode::Compare(_, a, b) => expr(undefined, a) || expr(undefined, b),
        CondNode::Not(c) | CondNode::Forall(_, _, c) | CondNode::Exists(_, _, c) => cond(undefined, c),
        CondNode::And(parts) | CondNode::Or(parts) => parts.iter().any(|c| cond(undefined, c)),
    }
}
