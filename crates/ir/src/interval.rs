//! Intervals of integers, and exact arithmetic on them.
//!
//! Ends have 128 bits, so operations on numbers of 64 bits do not leave them. Whoever has numbers without end takes ends that
//! are far beyond 64 bits; operations stop at the ends of 128 bits. For each operator, the result is the least interval with
//! all results of operands in the intervals, except for remainders, where it may be larger. Every operator is monotone in each
//! operand on each of the pieces that it is split into, so the extreme results are at the corners.
//!
//! [`Bounds`] are intervals of values that may also be ⊥ or an error of the model.

mod bounds;

pub use bounds::Bounds;

use crate::expr::BinaryOp;

/// All integers from `lo` to `hi`, both included; none if `lo > hi`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    pub lo: i128,
    pub hi: i128,
}

impl Interval {
    /// No number: the neutral element of [`Interval::hull`].
    pub const NONE: Interval = Interval { lo: i128::MAX, hi: i128::MIN };
    /// All numbers that a cell can hold.
    pub const NUMBERS: Interval = Interval { lo: -(i64::MAX as i128), hi: i64::MAX as i128 };
    /// The values of a condition.
    pub const CONDITION: Interval = Interval { lo: 0, hi: 1 };

    pub const fn new(lo: i128, hi: i128) -> Interval {
        Interval { lo, hi }
    }

    pub const fn exactly(value: i128) -> Interval {
        Interval { lo: value, hi: value }
    }

    pub fn is_empty(self) -> bool {
        self.lo > self.hi
    }

    pub fn contains(self, value: i128) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// The least interval with both.
    pub fn hull(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// What is in both.
    pub fn meet(self, other: Interval) -> Interval {
        Interval { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    /// Whether all of it is in the other.
    pub fn is_within(self, other: Interval) -> bool {
        self.is_empty() || (other.lo <= self.lo && self.hi <= other.hi)
    }

    /// The same with ends that are moved into another interval.
    pub fn clamped(self, to: Interval) -> Interval {
        Interval { lo: self.lo.clamp(to.lo, to.hi), hi: self.hi.clamp(to.lo, to.hi) }
    }

    /// The largest absolute value of an end.
    pub fn size(self) -> i128 {
        self.lo.saturating_abs().max(self.hi.saturating_abs())
    }

    /// `-a`.
    pub fn negated(self) -> Interval {
        Interval { lo: self.hi.saturating_neg(), hi: self.lo.saturating_neg() }
    }

    /// `|a|`.
    pub fn absolute(self) -> Interval {
        let (a, b) = (self.lo.saturating_abs(), self.hi.saturating_abs());
        Interval { lo: if self.contains(0) { 0 } else { a.min(b) }, hi: a.max(b) }
    }

    /// The results of an operator for numbers in these intervals, if there are any: what has no result, as a division by 0, is
    /// left out. Conditions are 0 or 1.
    pub fn binary(op: BinaryOp, a: Interval, b: Interval) -> Interval {
        if a.is_empty() || b.is_empty() {
            return Interval::NONE;
        }
        match op {
            BinaryOp::Add => Interval::new(a.lo.saturating_add(b.lo), a.hi.saturating_add(b.hi)),
            BinaryOp::Sub => Interval::new(a.lo.saturating_sub(b.hi), a.hi.saturating_sub(b.lo)),
            BinaryOp::Mul => corners(a, b, i128::saturating_mul),
            BinaryOp::Min => Interval::new(a.lo.min(b.lo), a.hi.min(b.hi)),
            BinaryOp::Max => Interval::new(a.lo.max(b.lo), a.hi.max(b.hi)),
            BinaryOp::Div => quotients(a, b, i128::saturating_div),
            BinaryOp::Round => quotients(a, b, rounded),
            BinaryOp::Mod => rests(a, b),
            // Comparisons, and the binary forms of `and` and `or`, which do not occur in valid programs.
            _ => {
                let (yes, no) = Interval::compare(op, a, b);
                Interval::new(i128::from(!no), i128::from(yes))
            }
        }
    }

    /// Whether a comparison of numbers in these intervals can be true, and whether it can be false; neither is empty.
    pub fn compare(op: BinaryOp, a: Interval, b: Interval) -> (bool, bool) {
        let same = a.lo == a.hi && b.lo == b.hi && a.lo == b.lo;
        let meet = !a.meet(b).is_empty();
        match op {
            BinaryOp::Eq => (meet, !same),
            BinaryOp::Ne => (!same, meet),
            BinaryOp::Lt => (a.lo < b.hi, a.hi >= b.lo),
            BinaryOp::Le => (a.lo <= b.hi, a.hi > b.lo),
            BinaryOp::Gt => (a.hi > b.lo, a.lo <= b.hi),
            BinaryOp::Ge => (a.hi >= b.lo, a.lo < b.hi),
            _ => (true, true),
        }
    }
}

/// The results of an operator that is monotone in each operand.
fn corners(a: Interval, b: Interval, f: fn(i128, i128) -> i128) -> Interval {
    let [p, q, r, s] = [f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)];
    Interval { lo: p.min(q).min(r.min(s)), hi: p.max(q).max(r.max(s)) }
}

/// The negative and the positive numbers of an interval.
fn halves(a: Interval) -> [Interval; 2] {
    [Interval::new(a.lo, a.hi.min(-1)), Interval::new(a.lo.max(1), a.hi)]
}

/// Division by what is not 0, for negative and positive operands apart: there it is monotone in both of them.
fn quotients(a: Interval, b: Interval, f: fn(i128, i128) -> i128) -> Interval {
    let mut out = Interval::NONE;
    for by in halves(b).into_iter().filter(|by| !by.is_empty()) {
        if a.contains(0) {
            out = out.hull(Interval::exactly(0));
        }
        for half in halves(a).into_iter().filter(|half| !half.is_empty()) {
            out = out.hull(corners(half, by, f));
        }
    }
    out
}

/// Division to the nearest integer, halves away from zero.
fn rounded(a: i128, b: i128) -> i128 {
    let rest = a.wrapping_rem(b).unsigned_abs();
    let away = rest >= b.unsigned_abs() - rest;
    a.saturating_div(b).saturating_add(if away { a.signum() * b.signum() } else { 0 })
}

/// The rest of a division by what is not 0: at least 0 and less than the divisor, signs aside.
fn rests(a: Interval, b: Interval) -> Interval {
    let by = Interval::new(b.lo + i128::from(b.lo == 0), b.hi - i128::from(b.hi == 0));
    if by.is_empty() {
        return Interval::NONE;
    }
    let by = by.absolute();
    let (smallest, largest) = (by.lo.max(1), by.hi);
    // One divisor: if no multiple of it is passed between the bounds, the rests go up with the dividend.
    if smallest == largest && a.lo.div_euclid(largest) == a.hi.div_euclid(largest) {
        return Interval::new(a.lo.rem_euclid(largest), a.hi.rem_euclid(largest));
    }
    if a.lo >= 0 && a.hi < smallest {
        return a;
    }
    let most = if a.lo >= 0 { a.hi.min(largest - 1) } else { largest - 1 };
    Interval::new(0, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::{self, UNDEF};
    use BinaryOp::*;

    fn small() -> Vec<Interval> {
        (-5..=5).flat_map(|lo| (lo - 1..=5).map(move |hi| Interval::new(lo, hi))).collect()
    }

    /// The least interval with all results of the executor's arithmetic.
    fn hull(op: BinaryOp, a: Interval, b: Interval) -> Interval {
        let mut out = Interval::NONE;
        for (x, y) in (a.lo..=a.hi).flat_map(|x| (b.lo..=b.hi).map(move |y| (x, y))) {
            let result = arith::binary(op, x as i64, y as i64).expect("small numbers");
            if result != UNDEF {
                out = out.hull(Interval::exactly(result.into()));
            }
        }
        out
    }

    #[test]
    fn results_are_the_least_intervals() {
        for op in [Add, Sub, Mul, Div, Round, Min, Max, Lt, Le, Gt, Ge, Eq, Ne, Mod] {
            let mut exact = 0;
            for a in small() {
                for b in small() {
                    let (found, least) = (Interval::binary(op, a, b), hull(op, a, b));
                    assert!(least.is_within(found), "{a:?} {op:?} {b:?}: {found:?} without {least:?}");
                    assert_eq!(found.is_empty(), least.is_empty(), "{a:?} {op:?} {b:?}");
                    exact += usize::from(found == least || least.is_empty());
                }
            }
            let all = small().len() * small().len();
            assert!(if op == Mod { exact > all / 2 } else { exact == all }, "{op:?}: {exact} of {all}");
        }
    }

    #[test]
    fn signs() {
        for a in small() {
            for x in a.lo..=a.hi {
                assert!(a.negated().contains(-x) && a.absolute().contains(x.abs()));
                assert!(x.abs() <= a.size());
            }
            assert_eq!(a.is_empty(), a.negated().is_empty());
            let ends = a.absolute();
            let met = |end: i128| a.contains(end) || a.contains(-end);
            assert!(a.is_empty() || (met(ends.lo) && met(ends.hi)));
        }
    }

    /// The largest numbers of 64 bits, and ends that stand for numbers without end.
    #[test]
    fn large_numbers_do_not_wrap() {
        let (most, far) = (i128::from(i64::MAX), 1i128 << 126);
        let all = Interval::NUMBERS;
        assert_eq!(Interval::binary(Mul, all, all), Interval::new(-most * most, most * most));
        assert_eq!(Interval::binary(Add, all, all), Interval::new(-2 * most, 2 * most));
        let endless = Interval::new(1, far);
        let sum = Interval::binary(Add, endless, endless);
        assert!(sum.lo == 2 && sum.hi >= far);
        assert!(Interval::binary(Mul, endless, endless.negated()).lo <= -far);
        // By a divisor without end nothing is left in the end; a dividend without end has quotients without end.
        assert_eq!(Interval::binary(Div, Interval::new(7, 9), endless), Interval::new(0, 9));
        assert!(Interval::binary(Div, endless, Interval::new(2, most)).hi > most);
        let least = Interval::new(i128::MIN, -1);
        assert_eq!(Interval::binary(Div, least, Interval::exactly(-1)).hi, i128::MAX);
        assert_eq!(Interval::binary(Round, least, Interval::exactly(-1)).hi, i128::MAX);
        assert_eq!(least.absolute(), Interval::new(1, i128::MAX));
    }
}
