//! Bounds of a value that may be ⊥, or whose evaluation may be an error of the model.
//!
//! They are an over-approximation: whatever values the operands have within their bounds, the result lies within its own.

use super::Interval;
use crate::arith::{UNDEF, Value};
use crate::expr::{BinaryOp, UnaryOp};

/// A number from `lo` to `hi` (none if `lo > hi`), or ⊥, or a fault, as far as the flags allow them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    pub lo: i128,
    pub hi: i128,
    /// It can be ⊥.
    pub undef: bool,
    /// Evaluating it can meet an error of the model.
    pub fault: bool,
}

impl Bounds {
    /// Nothing: the neutral element of [`Bounds::hull`].
    pub const NONE: Bounds = Bounds::of(Interval::NUMBERS.hi, Interval::NUMBERS.lo);
    /// Any number or ⊥.
    pub const ANY: Bounds = Bounds { undef: true, ..Bounds::of(Interval::NUMBERS.lo, Interval::NUMBERS.hi) };
    /// True or false.
    pub const CONDITION: Bounds = Bounds::of(0, 1);

    /// A number from `lo` to `hi`.
    pub const fn of(lo: i128, hi: i128) -> Bounds {
        Bounds { lo, hi, undef: false, fault: false }
    }

    /// This number, or ⊥.
    pub fn exactly(value: Value) -> Bounds {
        match value {
            UNDEF => Bounds { undef: true, ..Bounds::NONE },
            value => Bounds::of(value.into(), value.into()),
        }
    }

    /// Numbers in an interval; those that do not fit 64 bits are a fault.
    pub fn numbers(interval: Interval) -> Bounds {
        let Interval { lo, hi } = interval.clamped(Interval::NUMBERS);
        Bounds { fault: !interval.is_within(Interval::NUMBERS), ..Bounds::of(lo, hi) }
    }

    pub fn truth(can_be_false: bool, can_be_true: bool) -> Bounds {
        Bounds::of(i128::from(!can_be_false), i128::from(can_be_true))
    }

    /// Its numbers.
    pub fn interval(self) -> Interval {
        Interval::new(self.lo, self.hi)
    }

    /// What is in one or the other.
    pub fn hull(self, other: Bounds) -> Bounds {
        Bounds {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            undef: self.undef || other.undef,
            fault: self.fault || other.fault,
        }
    }

    /// The same, going wrong also where the parts can.
    pub fn blame(self, parts: &[Bounds]) -> Bounds {
        Bounds { fault: self.fault || parts.iter().any(|part| part.fault), ..self }
    }

    /// There is no number among the values.
    pub fn is_empty(self) -> bool {
        self.interval().is_empty()
    }

    /// A number can be the value.
    pub fn contains(self, value: i128) -> bool {
        self.interval().contains(value)
    }

    /// It is this number, whatever the state.
    pub fn is(self, value: i128) -> bool {
        self == Bounds::of(value, value)
    }

    /// `op a`.
    pub fn unary(op: UnaryOp, a: Bounds) -> Bounds {
        let of = |Interval { lo, hi }| Bounds { lo, hi, ..a };
        match op {
            UnaryOp::Not => {
                let nonzero = a.undef || a.fault || a.lo < 0 || a.hi > 0;
                Bounds { fault: a.fault, ..Bounds::truth(nonzero, a.contains(0)) }
            }
            _ if a.is_empty() => a,
            UnaryOp::Neg => of(a.interval().negated()),
            UnaryOp::Abs => of(a.interval().absolute()),
        }
    }

    /// `a op b`. Division by 0 is ⊥.
    pub fn binary(op: BinaryOp, a: Bounds, b: Bounds) -> Bounds {
        let (undef, fault) = (a.undef || b.undef, a.fault || b.fault);
        let none = a.is_empty() || b.is_empty();
        if op.is_comparison() {
            let compared = || Interval::compare(op, a.interval(), b.interval());
            let (yes, no) = if none { (false, true) } else { compared() };
            return Bounds { fault, ..Bounds::truth(no || undef, yes) };
        }
        let result = Interval::binary(op, a.interval(), b.interval());
        if result.is_empty() {
            return Bounds { undef: undef || !none, fault, ..Bounds::NONE };
        }
        let out = Bounds::numbers(result);
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Mod | BinaryOp::Round);
        let undef = undef || (divides && b.contains(0));
        Bounds { undef, fault: fault || out.fault, ..out }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith;

    /// All operators on all small intervals, with and without ⊥, against their meaning on every value.
    #[test]
    fn every_result_lies_within_the_bounds() {
        use BinaryOp::*;
        let ops = [Add, Sub, Mul, Div, Mod, Round, Min, Max, Eq, Ne, Lt, Le, Gt, Ge, And, Or];
        let intervals: Vec<(i64, i64, bool)> = (-3..=3)
            .flat_map(|lo| (lo - 1..=3).flat_map(move |hi| [(lo, hi, false), (lo, hi, true)]))
            .collect();
        let values = |(lo, hi, undef): (i64, i64, bool)| (lo..=hi).chain(undef.then_some(UNDEF));
        let of = |(lo, hi, undef): (i64, i64, bool)| {
            let numbers = if lo > hi { Bounds::NONE } else { Bounds::of(lo.into(), hi.into()) };
            Bounds { undef, ..numbers }
        };
        let fits = |bounds: Bounds, value: i64| match value {
            UNDEF => bounds.undef,
            value => bounds.contains(value.into()),
        };
        for &a in &intervals {
            for op in [UnaryOp::Not, UnaryOp::Neg, UnaryOp::Abs] {
                let found = Bounds::unary(op, of(a));
                for x in values(a) {
                    assert!(fits(found, arith::unary(op, x)), "{op:?} {x}, not in {found:?}");
                }
            }
            for (op, &b) in ops.into_iter().flat_map(|op| intervals.iter().map(move |b| (op, b))) {
                let found = Bounds::binary(op, of(a), of(b));
                for (x, y) in values(a).flat_map(|x| values(b).map(move |y| (x, y))) {
                    let value = arith::binary(op, x, y).expect("small numbers");
                    assert!(fits(found, value), "{x} {op:?} {y} = {value}, not in {found:?}");
                }
                assert!(!found.fault);
            }
        }
    }

    #[test]
    fn overflow_is_a_fault() {
        let (any, few) = (Bounds::of(0, Interval::NUMBERS.hi), Bounds::of(0, 1000));
        assert!(Bounds::binary(BinaryOp::Add, any, few).fault);
        assert!(Bounds::binary(BinaryOp::Mul, any, any).fault);
        assert!(!Bounds::binary(BinaryOp::Add, few, few).fault);
    }
}
