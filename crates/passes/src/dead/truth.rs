//! Which conditions a location decides.

use swarmcheck_ir::{BinaryOp, Expr, UnaryOp, VarId, arith};

/// The truth of a condition, as far as the location of an agent, or of the system if there is none, tells.
pub(super) fn holds(c: &Expr, pcs: &[VarId], agent: Option<&Expr>, at: &[i64]) -> Option<bool> {
    let holds = |c: &Expr| holds(c, pcs, agent, at);
    match c {
        Expr::Const(v) => Some(*v != 0),
        Expr::Unary(UnaryOp::Not, c) => Some(!holds(c)?),
        Expr::And(parts) => junction(parts.iter().map(holds), true),
        Expr::Or(parts) => junction(parts.iter().map(holds), false),
        Expr::Binary(BinaryOp::And, a, b, _) => junction([&**a, &**b].into_iter().map(holds), true),
        Expr::Binary(BinaryOp::Or, a, b, _) => junction([&**a, &**b].into_iter().map(holds), false),
        Expr::Binary(op, a, b, _) if op.is_comparison() => {
            let value = |e: &Expr| value(e, pcs, agent, at);
            Some(arith::binary(*op, value(a)?, value(b)?)? != 0)
        }
        _ => None,
    }
}

/// The value of an expression, as far as the location tells.
fn value(e: &Expr, pcs: &[VarId], agent: Option<&Expr>, at: &[i64]) -> Option<i64> {
    match e {
        Expr::Const(v) => Some(*v),
        Expr::Read(place) => {
            let i = pcs.iter().position(|p| *p == place.var)?;
            let own = place.agent.as_deref() == agent && place.index.is_empty();
            own.then_some(at[i])
        }
        _ => None,
    }
}

/// `and` with `neutral` true, `or` with it false; one unknown part makes it unknown unless another decides.
fn junction(mut parts: impl Iterator<Item = Option<bool>>, neutral: bool) -> Option<bool> {
    let mut known = true;
    if parts.any(|p| {
        known &= p.is_some();
        p == Some(!neutral)
    }) {
        return Some(!neutral);
    }
    known.then_some(neutral)
}
