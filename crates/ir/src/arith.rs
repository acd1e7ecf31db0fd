//! Exact arithmetic on integers and ⊥.
//!
//! Integers are mathematical: a result that does not fit is a [`Fault`], never a wrapped number. ⊥ is the
//! sentinel [`UNDEF`], which is therefore not a number a program can hold.

use crate::expr::{BinaryOp, UnaryOp};
use swarmcheck_source::Span;

/// A cell of the state: an integer or [`UNDEF`].
pub type Value = i64;

/// ⊥, the undefined value.
pub const UNDEF: Value = i64::MIN;

/// Errors of the model at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// An array index out of bounds.
    Index,
    /// An agent number that no agent has.
    NoAgent,
    /// A variable that the agent does not have.
    NoVariable,
    /// A result that does not fit 64 bits.
    Overflow,
}

/// A model error: it makes the specification invalid whatever the property.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Fault {
    pub kind: FaultKind,
    /// Where in the user's file.
    pub span: Span,
}

/// What a fault met. The machine keeps it beside the fault, for people; nothing is decided by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultDetail {
    /// An index, and how many cells there are in its dimension. A local array has no variable.
    Index { var: Option<u32>, index: Value, cells: u32 },
    /// A number, and that of a variable that an agent with it should have.
    Agent { number: Value, var: u32 },
    /// An operation whose result does not fit.
    Overflow { op: BinaryOp, left: Value, right: Value },
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.kind {
            FaultKind::Index => "array index out of bounds",
            FaultKind::NoAgent => "there is no agent with this number",
            FaultKind::NoVariable => "this agent does not have the variable",
            FaultKind::Overflow => "a number does not fit 64 bits",
        })
    }
}

/// `a op b` for an arithmetic or comparison operator. ⊥ makes arithmetic ⊥ and comparisons false. `None` is
/// overflow.
#[inline(always)]
pub fn binary(op: BinaryOp, a: Value, b: Value) -> Option<Value> {
    if a == UNDEF || b == UNDEF {
        return Some(if op.is_comparison() { 0 } else { UNDEF });
    }
    let result = match op {
        BinaryOp::Add => a.checked_add(b)?,
        BinaryOp::Sub => a.checked_sub(b)?,
        BinaryOp::Mul => a.checked_mul(b)?,
        // Neither operand is i64::MIN, so dividing by -1 cannot overflow.
        BinaryOp::Div => a.checked_div(b).unwrap_or(UNDEF),
        BinaryOp::Mod => a.checked_rem_euclid(b).unwrap_or(UNDEF),
        BinaryOp::Round => return Some(round(a, b)),
        BinaryOp::Min => a.min(b),
        BinaryOp::Max => a.max(b),
        BinaryOp::Eq => i64::from(a == b),
        BinaryOp::Ne => i64::from(a != b),
        BinaryOp::Lt => i64::from(a < b),
        BinaryOp::Le => i64::from(a <= b),
        BinaryOp::Gt => i64::from(a > b),
        BinaryOp::Ge => i64::from(a >= b),
        BinaryOp::And => i64::from(a != 0 && b != 0),
        BinaryOp::Or => i64::from(a != 0 || b != 0),
    };
    let may_divide_by_zero = matches!(op, BinaryOp::Div | BinaryOp::Mod);
    (result != UNDEF || may_divide_by_zero).then_some(result)
}

/// Division to the nearest integer, halves away from zero; ⊥ for a zero divisor.
fn round(a: Value, b: Value) -> Value {
    if b == 0 {
        return UNDEF;
    }
    let (quotient, rest) = (a / b, a % b);
    // |rest| < |b| <= i64::MAX, so doubling it needs 128 bits.
    let away = 2 * i128::from(rest).abs() >= i128::from(b).abs();
    quotient + if away { a.signum() * b.signum() } else { 0 }
}

/// `op a`. ⊥ makes it ⊥. `Not` expects 0 or 1.
#[inline(always)]
pub fn unary(op: UnaryOp, a: Value) -> Value {
    match op {
        UnaryOp::Not => i64::from(a == 0),
        _ if a == UNDEF => UNDEF,
        UnaryOp::Neg => -a,
        UnaryOp::Abs => a.abs(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_as_the_language_reference_says() {
        let all = |op, pairs: &[(i64, i64, i64)]| {
            for &(a, b, expected) in pairs {
                assert_eq!(binary(op, a, b), Some(expected), "{a} {op:?} {b}");
            }
        };
        all(BinaryOp::Div, &[(7, 2, 3), (-7, 2, -3), (7, -2, -3), (1, 0, UNDEF)]);
        all(BinaryOp::Mod, &[(7, 5, 2), (-1, 5, 4), (-1, -5, 4), (3, 0, UNDEF)]);
        all(
            BinaryOp::Round,
            &[
                (7, 2, 4),
                (-7, 2, -4),
                (5, 4, 1),
                (6, 4, 2),
                (-5, 4, -1),
                (7, -2, -4),
                (0, 3, 0),
                (1, 0, UNDEF),
            ],
        );
        let max = i64::MAX;
        all(BinaryOp::Round, &[(max, max, 1), (max - 1, max, 1), (max / 2, max, 0), (max / 2 + 1, max, 1)]);
    }

    #[test]
    fn undefined_spreads_and_satisfies_no_comparison() {
        assert_eq!(binary(BinaryOp::Add, UNDEF, 1), Some(UNDEF));
        for op in [BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge] {
            assert_eq!(binary(op, UNDEF, UNDEF), Some(0), "{op:?}");
        }
        assert_eq!(unary(UnaryOp::Neg, UNDEF), UNDEF);
    }

    #[test]
    fn overflow_is_noticed() {
        assert_eq!(binary(BinaryOp::Add, i64::MAX, 1), None);
        assert_eq!(binary(BinaryOp::Sub, -i64::MAX, 1), None, "the sentinel is not a number");
        assert_eq!(binary(BinaryOp::Mul, 1 << 40, 1 << 40), None);
    }
}
