//! Values and the operators ◇ of table 3.2: integers with ⊥ (`docs/labs.md` 5 and 6).
//!
//! `None` is ⊥. Operators compute in 128 bits and then ask whether the result fits; `i64::MIN` does not, so that
//! negation always does.

use swarmcheck_labs::syntax::ast::BinaryOp;

/// An integer, or ⊥.
pub type Value = Option<i64>;

/// The result does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overflow;

/// A mathematical integer as a value of the language.
fn fit(number: i128) -> Result<Value, Overflow> {
    match i64::try_from(number) {
        Ok(i64::MIN) | Err(_) => Err(Overflow),
        Ok(number) => Ok(Some(number)),
    }
}

/// `-a`, with `-⊥ = ⊥`.
pub fn neg(a: Value) -> Result<Value, Overflow> {
    a.map_or(Ok(None), |a| fit(-i128::from(a)))
}

/// `abs(a)`, with `abs(⊥) = ⊥`.
pub fn abs(a: Value) -> Result<Value, Overflow> {
    a.map_or(Ok(None), |a| fit(i128::from(a).abs()))
}

/// `a ◇ b`. Table 3.4, last line: E\[e ◇ ⊥\] = E\[⊥ ◇ e\] = ⊥. A zero divisor gives ⊥ as well.
pub fn binary(op: BinaryOp, a: Value, b: Value) -> Result<Value, Overflow> {
    let (Some(a), Some(b)) = (a, b) else { return Ok(None) };
    let (a, b) = (i128::from(a), i128::from(b));
    match op {
        BinaryOp::Add => fit(a + b),
        BinaryOp::Sub => fit(a - b),
        BinaryOp::Mul => fit(a * b),
        BinaryOp::Min => fit(a.min(b)),
        BinaryOp::Max => fit(a.max(b)),
        BinaryOp::Div | BinaryOp::Mod | BinaryOp::Round if b == 0 => Ok(None),
        BinaryOp::Div => fit(a / b),
        BinaryOp::Mod => fit(a.rem_euclid(b)),
        BinaryOp::Round => fit(round(a, b)),
        BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge
        | BinaryOp::And
        | BinaryOp::Or => unreachable!("{op:?} is not an arithmetic operator"),
    }
}

/// The integer nearest to `a / b`; halfway, the one farther from zero. `b` is not 0.
fn round(a: i128, b: i128) -> i128 {
    let (quotient, remainder) = (a.abs() / b.abs(), a.abs() % b.abs());
    let magnitude = if 2 * remainder >= b.abs() { quotient + 1 } else { quotient };
    if (a < 0) == (b < 0) { magnitude } else { -magnitude }
}

/// `a ⋈ b`; no relation holds if one side is ⊥ (table 3.5).
pub fn compare(op: BinaryOp, a: Value, b: Value) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return false };
    match op {
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        BinaryOp::Lt => a < b,
        BinaryOp::Le => a <= b,
        BinaryOp::Gt => a > b,
        BinaryOp::Ge => a >= b,
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Round
        | BinaryOp::Mod
        | BinaryOp::Min
        | BinaryOp::Max
        | BinaryOp::And
        | BinaryOp::Or => unreachable!("{op:?} is not a comparison"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use BinaryOp::*;

    fn check(op: BinaryOp, a: i64, b: i64, expected: Option<i64>) {
        assert_eq!(binary(op, Some(a), Some(b)), Ok(expected), "{a} {op:?} {b}");
    }

    #[test]
    fn division_truncates_toward_zero() {
        check(Div, 7, 2, Some(3));
        check(Div, -7, 2, Some(-3));
        check(Div, 7, -2, Some(-3));
        check(Div, 7, 0, None);
    }

    #[test]
    fn remainder_is_never_negative() {
        check(Mod, 7, 3, Some(1));
        check(Mod, -7, 3, Some(2));
        check(Mod, 7, -3, Some(1));
        check(Mod, -7, -3, Some(2));
        check(Mod, -6, 3, Some(0));
        check(Mod, 1, 0, None);
    }

    #[test]
    fn rounding_goes_to_the_nearest_and_away_from_zero_in_the_middle() {
        check(Round, 5, 2, Some(3));
        check(Round, -5, 2, Some(-3));
        check(Round, 5, -2, Some(-3));
        check(Round, -5, -2, Some(3));
        check(Round, 4, 3, Some(1));
        check(Round, 5, 3, Some(2));
        check(Round, -4, 3, Some(-1));
        check(Round, 0, -3, Some(0));
        check(Round, 1, 0, None);
    }

    #[test]
    fn undefined_operands_give_undefined_results() {
        for op in [Add, Sub, Mul, Div, Round, Mod, Min, Max] {
            assert_eq!(binary(op, None, Some(1)), Ok(None));
            assert_eq!(binary(op, Some(1), None), Ok(None));
            assert_eq!(binary(op, None, None), Ok(None));
        }
        assert_eq!((neg(None), abs(None)), (Ok(None), Ok(None)));
    }

    #[test]
    fn results_that_do_not_fit_are_errors() {
        assert_eq!(binary(Add, Some(i64::MAX), Some(1)), Err(Overflow));
        assert_eq!(binary(Mul, Some(i64::MAX), Some(i64::MAX)), Err(Overflow));
        assert_eq!(binary(Sub, Some(-i64::MAX), Some(1)), Err(Overflow), "exactly i64::MIN");
        assert_eq!(binary(Sub, Some(-i64::MAX), Some(0)), Ok(Some(-i64::MAX)));
        assert_eq!((neg(Some(i64::MAX)), abs(Some(-i64::MAX))), (Ok(Some(-i64::MAX)), Ok(Some(i64::MAX))));
    }

    #[test]
    fn nothing_compares_with_undefined() {
        for op in [Eq, Ne, Lt, Le, Gt, Ge] {
            assert!(!compare(op, None, Some(1)));
            assert!(!compare(op, None, None));
        }
        assert!(
            compare(Ne, Some(1), Some(2)) && compare(Le, Some(2), Some(2)) && !compare(Gt, Some(2), Some(2))
        );
    }
}
