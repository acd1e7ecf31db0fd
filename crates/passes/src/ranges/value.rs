//! Abstract values: sets of integers, with or without ⊥.
//!
//! A few integers are kept one by one, so that a direction that is -1 or 1 is known not to be 0; more of them become
//! an interval. Both forms are canonical: equal sets are equal values. An interval that ends at the largest or the
//! smallest number there is counts as unbounded on that side.

/// So many integers are kept one by one.
pub(crate) const FEW: usize = 16;
/// The largest number; the smallest is its negation, because `i64::MIN` is ⊥.
pub(crate) const MOST: i64 = i64::MAX;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Ints {
    /// At most [`FEW`], in ascending order.
    Few(Vec<i64>),
    /// All between these, bounds included: more than [`FEW`].
    Many(i64, i64),
}

/// A set of integers, with or without ⊥. The empty one means that nothing gets there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    ints: Ints,
    pub undef: bool,
}

impl Value {
    /// Nothing.
    pub const NONE: Value = Value { ints: Ints::Few(vec![]), undef: false };
    /// Only ⊥.
    pub const UNDEF: Value = Value { ints: Ints::Few(vec![]), undef: true };
    /// Any integer.
    pub const INTEGER: Value = Value { ints: Ints::Many(-MOST, MOST), undef: false };
    /// Any integer or ⊥.
    pub const ANYTHING: Value = Value { ints: Ints::Many(-MOST, MOST), undef: true };

    /// A cell of the state as the executor sees it.
    pub fn of_cell(value: i64) -> Value {
        if value == swarmcheck_ir::UNDEF { Value::UNDEF } else { Value::only(value) }
    }

    /// One integer.
    pub fn only(value: i64) -> Value {
        Value { ints: Ints::Few(vec![value]), undef: false }
    }

    /// A condition that can be false, true, either or neither.
    pub fn condition(no: bool, yes: bool) -> Value {
        Value::of([(no, 0), (yes, 1)].into_iter().filter(|(may, _)| *may).map(|(_, v)| v))
    }

    /// These integers, or all between the first and the last if they are too many.
    pub fn of(values: impl IntoIterator<Item = i64>) -> Value {
        let mut all: Vec<i64> = values.into_iter().collect();
        all.sort_unstable();
        all.dedup();
        let ints = if all.len() <= FEW { Ints::Few(all) } else { Ints::Many(all[0], all[all.len() - 1]) };
        Value { ints, undef: false }
    }

    /// All integers between the bounds, bounds included, as far as 64 bits go; none if the bounds cross.
    pub fn between(lo: i128, hi: i128) -> Value {
        let (lo, hi) = (lo.max(-i128::from(MOST)), hi.min(i128::from(MOST)));
        if lo > hi {
            return Value::NONE;
        }
        // Both fit after the clamping.
        let (lo, hi) = (lo as i64, hi as i64);
        let few = hi.abs_diff(lo) < FEW as u64;
        Value { ints: if few { Ints::Few((lo..=hi).collect()) } else { Ints::Many(lo, hi) }, undef: false }
    }

    /// The same integers, with or without ⊥.
    pub fn with_undef(mut self, undef: bool) -> Value {
        self.undef = undef;
        self
    }

    /// Whether nothing gets there.
    pub fn is_none(&self) -> bool {
        !self.undef && self.has_no_integer()
    }

    /// Whether it is ⊥ at most.
    pub fn has_no_integer(&self) -> bool {
        matches!(&self.ints, Ints::Few(few) if few.is_empty())
    }

    /// The smallest and the largest integer.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        match &self.ints {
            Ints::Few(few) => Some((*few.first()?, *few.last()?)),
            Ints::Many(lo, hi) => Some((*lo, *hi)),
        }
    }

    /// The integers one by one, if they are few.
    pub fn few(&self) -> Option<&[i64]> {
        match &self.ints {
            Ints::Few(few) => Some(few),
            Ints::Many(..) => None,
        }
    }

    /// The only value there can be, as the executor sees it.
    pub fn single(&self) -> Option<i64> {
        match &self.ints {
            Ints::Few(few) if few.len() == 1 && !self.undef => Some(few[0]),
            Ints::Few(few) if few.is_empty() && self.undef => Some(swarmcheck_ir::UNDEF),
            _ => None,
        }
    }

    /// Whether an integer is among them.
    pub fn contains(&self, value: i64) -> bool {
        match &self.ints {
            Ints::Few(few) => few.binary_search(&value).is_ok(),
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
        let ints = match (&self.ints, &other.ints) {
            (Ints::Few(a), Ints::Few(b)) => Value::of(a.iter().chain(b).copied()),
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
        let ints = match (&self.ints, &other.ints) {
            (Ints::Few(a), _) => Value::of(a.iter().copied().filter(|v| other.contains(*v))),
            (_, Ints::Few(b)) => Value::of(b.iter().copied().filter(|v| self.contains(*v))),
            (Ints::Many(a, b), Ints::Many(c, d)) => Value::between((*a.max(c)).into(), (*b.min(d)).into()),
        };
        ints.with_undef(self.undef && other.undef)
    }

    /// All but one integer, and perhaps that one too.
    pub fn without(&self, value: i64) -> Value {
        let ints = match &self.ints {
            Ints::Few(few) => Value::of(few.iter().copied().filter(|v| *v != value)),
            Ints::Many(lo, hi) => Value::between(
                i128::from(*lo) + i128::from(*lo == value),
                i128::from(*hi) - i128::from(*hi == value),
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
