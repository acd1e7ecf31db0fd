//! Constant expressions: what they evaluate to, exactly as `docs/labs.md` 5 defines the operators.

use super::scope::{Context, Place};
use crate::codes;
use crate::model::{Cond, CondNode, Expr, ExprNode};
use crate::syntax::ast::{self, BinaryOp};
use swarmcheck_source::{Diagnostic, Span};

/// Why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trouble {
    /// It depends on something that is not known here.
    Unknown,
    /// A division by zero.
    Zero(Span),
    /// A result that does not fit 64 bits.
    Overflow(Span),
}

impl Context<'_, '_> {
    /// Reads a constant expression. `None` if it has no value; the reason is then reported, unless it is a missing
    /// parameter.
    pub fn constant(&mut self, what: &'static str, expr: &ast::Expr) -> Option<i64> {
        let read = self.at(Place::Constant(what), |c| c.number(expr));
        let (span, words) = match value(&read, None) {
            Ok(number) => return Some(number),
            Err(Trouble::Unknown) => return None,
            Err(Trouble::Zero(span)) => (span, "divides by zero"),
            Err(Trouble::Overflow(span)) => (span, "does not fit 64 bits"),
        };
        self.error(Diagnostic::error(codes::SIZE, span, format!("{what} {words}")));
        None
    }

    /// Reads a constant expression that must lie between two bounds.
    pub fn constant_within(
        &mut self,
        what: &'static str,
        expr: &ast::Expr,
        low: i64,
        high: i64,
    ) -> Option<u32> {
        let value = self.constant(what, expr)?;
        if (low..=high).contains(&value) {
            return u32::try_from(value).ok();
        }
        let bound = if value < low { format!("at least {low}") } else { format!("at most {high}") };
        let message = format!("{what} must be {bound}");
        self.error(Diagnostic::error(codes::SIZE, expr.span, message).label(format!("this is {value}")));
        None
    }
}

/// The value of an expression, for the agent with this id if one is given.
pub(super) fn value(expr: &Expr, id: Option<i64>) -> Result<i64, Trouble> {
    let overflow = Trouble::Overflow(expr.span);
    match &expr.node {
        ExprNode::Number(n) => Ok(*n),
        ExprNode::Id => id.ok_or(Trouble::Unknown),
        ExprNode::Neg(e) => value(e, id)?.checked_neg().ok_or(overflow),
        ExprNode::Abs(e) => value(e, id)?.checked_abs().ok_or(overflow),
        ExprNode::Binary(op, a, b) => binary(*op, value(a, id)?, value(b, id)?, expr.span),
        ExprNode::If(c, a, b) => value(if holds(c, id)? { a } else { b }, id),
        _ => Err(Trouble::Unknown),
    }
}

pub(super) fn holds(cond: &Cond, id: Option<i64>) -> Result<bool, Trouble> {
    match &cond.node {
        CondNode::Bool(b) => Ok(*b),
        CondNode::NonZero(e) => Ok(value(e, id)? != 0),
        CondNode::Compare(op, a, b) => compare(*op, value(a, id)?, value(b, id)?),
        CondNode::Not(c) => Ok(!holds(c, id)?),
        CondNode::And(parts) => parts.iter().try_fold(true, |all, c| Ok(all && holds(c, id)?)),
        CondNode::Or(parts) => parts.iter().try_fold(false, |any, c| Ok(any || holds(c, id)?)),
        CondNode::Forall(..) | CondNode::Exists(..) => Err(Trouble::Unknown),
    }
}

fn compare(op: BinaryOp, a: i64, b: i64) -> Result<bool, Trouble> {
    match op {
        BinaryOp::Eq => Ok(a == b),
        BinaryOp::Ne => Ok(a != b),
        BinaryOp::Lt => Ok(a < b),
        BinaryOp::Le => Ok(a <= b),
        BinaryOp::Gt => Ok(a > b),
        BinaryOp::Ge => Ok(a >= b),
        _ => Err(Trouble::Unknown),
    }
}

fn binary(op: BinaryOp, a: i64, b: i64, span: Span) -> Result<i64, Trouble> {
    // No operator leaves the range of `i128` on operands of 64 bits.
    let (a, b) = (i128::from(a), i128::from(b));
    let divides = matches!(op, BinaryOp::Div | BinaryOp::Round | BinaryOp::Mod);
    if divides && b == 0 {
        return Err(Trouble::Zero(span));
    }
    let result = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        BinaryOp::Round => (2 * a.abs() + b.abs()) / (2 * b.abs()) * a.signum() * b.signum(),
        BinaryOp::Mod => a.rem_euclid(b),
        BinaryOp::Min => a.min(b),
        BinaryOp::Max => a.max(b),
        _ => return Err(Trouble::Unknown),
    };
    i64::try_from(result).map_err(|_| Trouble::Overflow(span))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eval(op: BinaryOp, a: i64, b: i64) -> Result<i64, Trouble> {
        binary(op, a, b, Span::default())
    }

    #[test]
    fn division_truncates_rounds_and_wraps_as_defined() {
        assert_eq!(eval(BinaryOp::Div, -7, 2), Ok(-3));
        assert_eq!(eval(BinaryOp::Mod, -7, 3), Ok(2));
        assert_eq!(eval(BinaryOp::Mod, -7, -3), Ok(2));
        assert_eq!(eval(BinaryOp::Round, 5, 2), Ok(3));
        assert_eq!(eval(BinaryOp::Round, -5, 2), Ok(-3));
        assert_eq!(eval(BinaryOp::Round, 5, -2), Ok(-3));
        assert_eq!(eval(BinaryOp::Round, 5, 4), Ok(1));
        assert_eq!(eval(BinaryOp::Round, 7, 4), Ok(2));
    }

    #[test]
    fn trouble_is_found() {
        let place = Span::default();
        assert_eq!(eval(BinaryOp::Div, 1, 0), Err(Trouble::Zero(place)));
        assert_eq!(eval(BinaryOp::Add, i64::MAX, 1), Err(Trouble::Overflow(place)));
        assert_eq!(eval(BinaryOp::Div, i64::MIN, -1), Err(Trouble::Overflow(place)));
        assert_eq!(eval(BinaryOp::Round, i64::MIN, 1), Ok(i64::MIN));
    }
}
