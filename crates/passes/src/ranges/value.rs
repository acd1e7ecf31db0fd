//! Abstract values: sets of integers, with or without ⊥.
//!
//! A few integers are kept one by one, so that a direction that is -1 or 1 is known not to be 0; more of them become
//! an interval. Both forms are canonical: equal sets are equal values.
//!
//! An interval that ends at the largest or the smallest number of 64 bits has no end on that side: it stands for all
//! larger or smaller integers too, however large. A run that leaves 64 bits ends there, so the states that are
//! reached would be known more exactly without them; but slicing may drop what would leave 64 bits. What was
//! concluded from its never going on would be wrong then, so nothing is.

use std::sync::Arc;
use swarmcheck_ir::Interval;

/// The largest set that is kept element by element.
pub(crate) const FEW: usize = 16;
/// Stands for infinity: larger than all numbers, also after division by a number.
const ENDLESS: i128 = 1 << 126;
/// The largest number; the smallest is its negation, because `i64::MIN` is ⊥.
pub(crate) const MOST: i64 = i64::MAX;

/// At most [`FEW`] integers, in ascending order, to be looked at one by one.
#[derive(Clone, Copy)]
pub(crate) struct Few {
    ints: [i64; FEW],
    length: u8,
}

impl Few {
    const EMPTY: Few = Few { ints: [0; FEW], length: 0 };

    fn as_slice(&self) -> &[i64] {
        &self.ints[..usize::from(self.length)]
    }

    /// Adds an integer; whether there was room for it.
    fn insert(&mut self, value: i64) -> bool {
        let length = usize::from(self.length);
        let Err(place) = self.as_slice().binary_search(&value) else { return true };
        if length == FEW {
            return false;
        }
        self.ints.copy_within(place..length, place + 1);
        self.ints[place] = value;
        self.length += 1;
        true
    }
}

impl std::ops::Deref for Few {
    type Target = [i64];

    fn deref(&self) -> &[i64] {
        self.as_slice()
    }
}

/// Analysing a program makes and copies millions of them, so they are small, and most are kept in place.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Ints {
    /// At most [`FEW`] that lie near each other: the least one, and a bit for each that follows, its own included.
    /// Without bits, there is none, and the least one is 0.
    Near(i64, u64),
    /// At most [`FEW`] that do not, in ascending order.
    Far(Arc<[i64]>),
    /// All between these, bounds included: more than [`FEW`].
    Many(i64, i64),
}

/// A set of integers, with or without ⊥. The empty one means: unreachable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    ints: Ints,
    pub undef: bool,
}

impl Value {
    pub const NONE: Value = Value { ints: Ints::Near(0, 0), undef: false };
    /// Only ⊥.
    pub const UNDEF: Value = Value { ints: Ints::Near(0, 0), undef: true };
    pub const INTEGER: Value = Value { ints: Ints::Many(-MOST, MOST), undef: false };
    /// Any integer or ⊥.
    pub const ANYTHING: Value = Value { ints: Ints::Many(-MOST, MOST), undef: true };

    /// A cell of the state as the executor sees it.
    pub fn of_cell(value: i64) -> Value {
        if value == swarmcheck_ir::UNDEF { Value::UNDEF } else { Value::only(value) }
    }

    /// One integer.
    pub fn only(value: i64) -> Value {
        Value { ints: Ints::Near(value, 1), undef: false }
    }

    /// A condition that can be false, true, either or neither.
    pub fn condition(no: bool, yes: bool) -> Value {
        Value::near(0, u64::from(no) | u64::from(yes) << 1)
    }

    /// The integers that bits stand for, counted from a first one; at most [`FEW`].
    fn near(first: i64, bits: u64) -> Value {
        let skipped = bits.trailing_zeros();
        let ints = match bits {
            0 => Ints::Near(0, 0),
            // What the lowest bit stands for is a number, because it was one before.
            _ => Ints::Near(first + i64::from(skipped), bits >> skipped),
        };
        Value { ints, undef: false }
    }

    /// The integers as bits, counted from a first one that is not larger than any of them, if they lie near it.
    fn bits_from(&self, first: i64) -> Option<u64> {
        let Ints::Near(least, bits) = self.ints else { return None };
        let shift = least.checked_sub(first).and_then(|d| u32::try_from(d).ok()).filter(|d| *d < 64);
        match shift {
            _ if bits == 0 => Some(0),
            Some(shift) if bits.leading_zeros() >= shift => Some(bits << shift),
            _ => None,
        }
    }

    /// These integers, or all between the first and the last if they are too many.
    pub fn of(values: impl IntoIterator<Item = i64>) -> Value {
        let mut few = Few::EMPTY;
        let mut values = values.into_iter();
        let Some(more) = values.find(|value| !few.insert(*value)) else {
            return Value::of_few(&few);
        };
        let all = values.chain([few.ints[0], few.ints[FEW - 1]]);
        let (lo, hi) = all.fold((more, more), |(lo, hi), value| (lo.min(value), hi.max(value)));
        Value { ints: Ints::Many(lo, hi), undef: false }
    }

    fn of_few(few: &[i64]) -> Value {
        let (Some(least), Some(most)) = (few.first(), few.last()) else { return Value::NONE };
        let ints = match most.abs_diff(*least) < 64 {
            true => Ints::Near(*least, few.iter().fold(0, |bits, v| bits | 1 << (v - least))),
            false => Ints::Far(few.into()),
        };
        Value { ints, undef: false }
    }

    /// All integers between the bounds, bounds included; none if the bounds cross. What reaches the end of 64 bits has no
    /// end there, and may have to begin earlier to be an interval.
    pub fn between(lo: i128, hi: i128) -> Value {
        if lo > hi {
            return Value::NONE;
        }
        let (most, few) = (i128::from(MOST), FEW as i128);
        let first = if hi >= most { lo.min(most - few) } else { lo };
        let last = if lo <= -most { hi.max(few - most) } else { hi };
        let (lo, hi) = (first.max(-most), last.min(most));
        // Both fit after the clamping.
        let (lo, hi) = (lo as i64, hi as i64);
        match hi.abs_diff(lo) < FEW as u64 {
            true => Value::near(lo, (1 << (hi.abs_diff(lo) + 1)) - 1),
            false => Value { ints: Ints::Many(lo, hi), undef: false },
        }
    }

    /// The same of an interval.
    pub fn within(interval: Interval) -> Value {
        Value::between(interval.lo, interval.hi)
    }

    /// The same integers, with or without ⊥.
    pub fn with_undef(mut self, undef: bool) -> Value {
        self.undef = undef;
        self
    }

    /// Whether the set is empty.
    pub fn is_none(&self) -> bool {
        !self.undef && self.has_no_integer()
    }

    /// Whether it is ⊥ at most.
    pub fn has_no_integer(&self) -> bool {
        matches!(self.ints, Ints::Near(_, 0))
    }

    /// The smallest and the largest integer.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        match &self.ints {
            Ints::Near(_, 0) => None,
            Ints::Near(least, bits) => Some((*least, least + i64::from(63 - bits.leading_zeros()))),
            Ints::Far(few) => Some((*few.first()?, *few.last()?)),
            Ints::Many(lo, hi) => Some((*lo, *hi)),
        }
    }

    /// The same where a side without an end is further away than any number.
    pub fn reach(&self) -> Option<Interval> {
        let (lo, hi) = self.bounds()?;
        let many = matches!(self.ints, Ints::Many(..));
        let lo = if many && lo == -MOST { -ENDLESS } else { lo.into() };
        let hi = if many && hi == MOST { ENDLESS } else { hi.into() };
        Some(Interval::new(lo, hi))
    }

    /// The integers one by one, if they are few.
    pub fn few(&self) -> Option<Few> {
        let mut few = Few::EMPTY;
        match &self.ints {
            Ints::Near(least, bits) => {
                let mut rest = *bits;
                while rest != 0 {
                    few.ints[usize::from(few.length)] = least + i64::from(rest.trailing_zeros());
                    few.length += 1;
                    rest &= rest - 1;
                }
            }
            Ints::Far(far) => {
                few.ints[..far.len()].copy_from_slice(far);
                few.length = far.len() as u8;
            }
            Ints::Many(..) => return None,
        }
        Some(few)
    }

    /// The only value there can be, as the executor sees it.
    pub fn single(&self) -> Option<i64> {
        match self.ints {
            Ints::Near(value, 1) if !self.undef => Some(value),
            Ints::Near(_, 0) if self.undef => Some(swarmcheck_ir::UNDEF),
            _ => None,
        }
    }

    /// Whether an integer is among them.
    pub fn contains(&self, value: i64) -> bool {
        match &self.ints {
            Ints::Near(least, bits) => {
                let place = value.checked_sub(*least).filter(|place| (0..64).contains(place));
                place.is_some_and(|place| bits >> place & 1 != 0)
            }
            Ints::Far(few) => few.binary_search(&value).is_ok(),
            Ints::Many(lo, hi) => (*lo..=*hi).contains(&value),
        }
    }

    /// Whether a cell can hold this.
    #[cfg(test)]
    pub fn contains_cell(&self, value: i64) -> bool {
        if value == swarmcheck_ir::UNDEF { self.undef } else { self.contains(value) }
    }

    /// As a condition: whether it can be true.
    pub fn may_hold(&self) -> bool {
        self.undef || self.bounds().is_some_and(|(lo, hi)| (lo, hi) != (0, 0))
    }

    /// As a condition: whether it can be false.
    pub fn may_fail(&self) -> bool {
        self.contains(0)
    }

    /// What is in one or the other, and perhaps more.
    pub fn join(&self, other: &Value) -> Value {
        let undef = self.undef || other.undef;
        if self.has_no_integer() || self.ints == other.ints {
            return other.clone().with_undef(undef);
        }
        if other.has_no_integer() {
            return self.clone().with_undef(undef);
        }
        if let (Ints::Near(a, _), Ints::Near(b, _)) = (&self.ints, &other.ints) {
            let first = *a.min(b);
            let bits = self.bits_from(first).zip(other.bits_from(first)).map(|(a, b)| a | b);
            if let Some(bits) = bits.filter(|bits| bits.count_ones() as usize <= FEW) {
                return Value::near(first, bits).with_undef(undef);
            }
        }
        let ints = match (self.few(), other.few()) {
            (Some(a), Some(b)) => Value::of(a.iter().chain(b.iter()).copied()),
            _ => match (self.bounds(), other.bounds()) {
                (Some((a, b)), Some((c, d))) => Value::between(a.min(c).into(), b.max(d).into()),
                (Some(_), None) => self.clone(),
                _ => other.clone(),
            },
        };
        ints.with_undef(undef)
    }

    /// What is in both.
    pub fn meet(&self, other: &Value) -> Value {
        let undef = self.undef && other.undef;
        if self.ints == other.ints {
            return self.clone().with_undef(undef);
        }
        let ints = match (&self.ints, &other.ints) {
            (Ints::Many(a, b), Ints::Many(c, d)) => Value::between((*a.max(c)).into(), (*b.min(d)).into()),
            (Ints::Many(..), _) => other.only_if(|v| self.contains(v)),
            _ => self.only_if(|v| other.contains(v)),
        };
        ints.with_undef(undef)
    }

    /// Those of few integers that pass a test.
    fn only_if(&self, test: impl Fn(i64) -> bool) -> Value {
        match &self.ints {
            Ints::Near(least, bits) => {
                let (mut kept, mut rest) = (0, *bits);
                while rest != 0 {
                    let place = rest.trailing_zeros();
                    kept |= u64::from(test(least + i64::from(place))) << place;
                    rest &= rest - 1;
                }
                Value::near(*least, kept)
            }
            Ints::Far(few) => Value::of(few.iter().copied().filter(|v| test(*v))),
            Ints::Many(..) => self.clone().with_undef(false),
        }
    }

    /// All but one integer, and perhaps that one too.
    pub fn without(&self, value: i64) -> Value {
        let ints = match &self.ints {
            Ints::Near(..) | Ints::Far(_) => self.only_if(|v| v != value),
            Ints::Many(lo, hi) => Value::between(
                i128::from(*lo) + i128::from(*lo == value && value != -MOST),
                i128::from(*hi) - i128::from(*hi == value && value != MOST),
            ),
        };
        ints.with_undef(self.undef)
    }

    /// All that it can grow to from `before` without stopping at every step: each bound that moved goes on to the next
    /// threshold, or, without thresholds, as far as it can.
    pub fn widened(&self, before: &Value, thresholds: &[i64]) -> Value {
        let (Some((lo, hi)), Some((old_lo, old_hi))) = (self.bounds(), before.bounds()) else {
            return self.clone();
        };
        let below = || thresholds.iter().rev().find(|t| **t <= lo).copied().unwrap_or(-MOST);
        let above = || thresholds.iter().find(|t| **t >= hi).copied().unwrap_or(MOST);
        let lo = if lo < old_lo { below() } else { lo };
        let hi = if hi > old_hi { above() } else { hi };
        if (lo, hi) == (old_lo, old_hi) {
            return self.clone();
        }
        Value::between(lo.into(), hi.into()).with_undef(self.undef)
    }
}
