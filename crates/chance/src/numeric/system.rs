//! The equations of some states of a process.
//!
//! Every state that is left open becomes an unknown; several states may share one (an end component whose states can all reach each other has
//! one value). Weights from an unknown to itself are left out, and the total is smaller by them: `x = (c + w·x + …) / T` is `x = (c + …) / (T - w)`.

use super::fixed::{LARGEST_CONSTANT, ONE, SCALE, power, shift_up};
use crate::process::Process;
use num_rational::BigRational;
use num_traits::Zero;
use std::cell::Cell;

/// Not an unknown.
pub(crate) const NONE: u32 = u32::MAX;

/// Bounds for a number that is not negative, in units of 2^-70.
pub(crate) type Units = (u128, u128);

/// The equations.
#[derive(Debug, Default)]
pub(crate) struct System {
    /// The first row of each unknown, and the number of rows.
    pub(crate) first_row: Vec<u32>,
    first_entry: Vec<usize>,
    pub(crate) column: Vec<u32>,
    weight: Vec<u64>,
    /// By which the row is divided.
    pub(crate) total: Vec<u64>,
    /// Bounds for the constant of the row, before it is divided, in units of 2^-70.
    low: Vec<u128>,
    high: Vec<u128>,
    /// The constant itself, before it is divided.
    pub(crate) exact: Option<Vec<BigRational>>,
}

/// The same numbers as far as guesses need them.
pub(crate) struct Floats {
    /// Coefficients.
    pub(crate) share: Vec<f64>,
    /// Constants of rows.
    pub(crate) constant: Vec<f64>,
    /// Sparse elimination has failed: it need not be tried again.
    pub(crate) dense: Cell<bool>,
}

/// What the equations are made of.
pub(crate) struct Parts<'a> {
    pub(crate) process: &'a Process,
    /// The unknown of each state, or [`NONE`].
    pub(crate) unknown: &'a [u32],
    pub(crate) count: usize,
    /// Which rows count. Rows that lead back to the unknown with certainty never do.
    pub(crate) row: &'a dyn Fn(usize) -> bool,
    /// What a state without an unknown is worth.
    pub(crate) worth: &'a dyn Fn(usize) -> Units,
    /// What a state with an unknown pays.
    pub(crate) pays: &'a dyn Fn(usize) -> Units,
    /// Worth and payment as fractions, if these are wanted.
    pub(crate) exact: Option<Exact<'a>>,
}

/// Constants as fractions.
pub(crate) struct Exact<'a> {
    pub(crate) worth: &'a dyn Fn(usize) -> Option<BigRational>,
    pub(crate) pays: &'a dyn Fn(usize) -> Option<BigRational>,
}

/// Worth 0 or 1.
pub(crate) fn zero_or_one(one: bool) -> Units {
    if one { (ONE, ONE) } else { (0, 0) }
}

impl System {
    /// `None` if numbers get too large.
    pub(crate) fn new(parts: &Parts<'_>) -> Option<System> {
        let process = parts.process;
        let mut order: Vec<u32> =
            (0..process.states() as u32).filter(|s| parts.unknown[*s as usize] != NONE).collect();
        order.sort_by_key(|s| parts.unknown[*s as usize]);
        let mut system = System {
            first_row: vec![0],
            first_entry: vec![0],
            exact: parts.exact.as_ref().map(|_| vec![]),
            ..System::default()
        };
        let mut place = vec![usize::MAX; parts.count];
        for (at, state) in order.iter().enumerate() {
            let state = *state as usize;
            let me = parts.unknown[state];
            let pays = (parts.pays)(state);
            for row in process.rows_of(state).filter(|row| (parts.row)(*row)) {
                system.add(parts, state, row, pays, &mut place)?;
            }
            if order.get(at + 1).is_none_or(|next| parts.unknown[*next as usize] != me) {
                system.first_row.push(system.total.len() as u32);
            }
        }
        let complete = system.first_row.len() == parts.count + 1;
        (complete && system.first_row.windows(2).all(|w| w[0] < w[1])).then_some(system)
    }

    /// Adds a row. `place` says where an unknown last occurred among the columns.
    fn add(
        &mut self,
        parts: &Parts<'_>,
        state: usize,
        row: usize,
        pays: Units,
        place: &mut [usize],
    ) -> Option<()> {
        let me = parts.unknown[state];
        let row = parts.process.row(row);
        let (mut low, mut high) =
            (pays.0.checked_mul(row.total.into())?, pays.1.checked_mul(row.total.into())?);
        let mut total = row.total;
        let start = self.column.len();
        for (target, weight) in row.entries() {
            match parts.unknown[target as usize] {
                NONE => {
                    let (l, h) = (parts.worth)(target as usize);
                    low = low.checked_add(l.checked_mul(weight.into())?)?;
                    high = high.checked_add(h.checked_mul(weight.into())?)?;
                }
                to if to == me => total -= weight,
                to => {
                    // Several states may share an unknown.
                    let at = place[to as usize];
                    if at >= start && self.column.get(at) == Some(&to) {
                        self.weight[at] += weight;
                    } else {
                        place[to as usize] = self.column.len();
                        self.column.push(to);
                        self.weight.push(weight);
                    }
                }
            }
        }
        if total == 0 {
            return Some(());
        }
        if high > LARGEST_CONSTANT {
            return None;
        }
        if let (Some(of), Some(exact)) = (&mut self.exact, &parts.exact) {
            let number = |n: u64| BigRational::from_integer(n.into());
            let mut sum = (exact.pays)(state).map(|pays| pays * number(row.total));
            for (target, weight) in row.entries().filter(|(t, _)| parts.unknown[*t as usize] == NONE) {
                let worth = (exact.worth)(target as usize);
                sum = sum
                    .zip(worth)
                    .map(|(sum, worth)| if worth.is_zero() { sum } else { sum + worth * number(weight) });
            }
            match sum {
                Some(sum) => of.push(sum),
                None => self.exact = None,
            }
        }
        self.first_entry.push(self.column.len());
        self.total.push(total);
        self.low.push(low);
        self.high.push(high);
        Some(())
    }

    pub(crate) fn unknowns(&self) -> usize {
        self.first_row.len().saturating_sub(1)
    }

    pub(crate) fn rows_of(&self, unknown: usize) -> std::ops::Range<usize> {
        self.first_row[unknown] as usize..self.first_row[unknown + 1] as usize
    }

    pub(crate) fn entries(&self, row: usize) -> std::ops::Range<usize> {
        self.first_entry[row]..self.first_entry[row + 1]
    }

    /// Columns of a row with their weights.
    pub(crate) fn weights(&self, row: usize) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.entries(row).map(|at| (self.column[at], self.weight[at]))
    }

    /// Whether some weight of a row goes to states without an unknown.
    pub(crate) fn leaves(&self, row: usize) -> bool {
        self.weights(row).map(|(_, weight)| weight).sum::<u64>() < self.total[row]
    }

    fn sum(&self, row: usize, x: &[u128]) -> u128 {
        self.weights(row).map(|(column, weight)| x[column as usize] * u128::from(weight)).sum()
    }

    /// The value of a row, rounded down to units of 2^-scale. All of `x` is below 2⁷².
    pub(crate) fn down(&self, row: usize, x: &[u128], scale: u32) -> u128 {
        ((self.low[row] >> (SCALE - scale)) + self.sum(row, x)) / u128::from(self.total[row])
    }

    /// The same, rounded up.
    pub(crate) fn up(&self, row: usize, x: &[u128], scale: u32) -> u128 {
        (shift_up(self.high[row], SCALE - scale) + self.sum(row, x)).div_ceil(u128::from(self.total[row]))
    }

    /// One plus the average of a row, rounded up: what a step would cost if each cost one.
    pub(crate) fn steps_up(&self, row: usize, x: &[u128], scale: u32) -> u128 {
        (1_u128 << scale) + self.sum(row, x).div_ceil(u128::from(self.total[row]))
    }

    pub(crate) fn floats(&self) -> Floats {
        let mut floats = Floats {
            share: Vec::with_capacity(self.column.len()),
            constant: vec![],
            dense: Cell::new(false),
        };
        for row in 0..self.total.len() {
            let total = self.total[row] as f64;
            floats.share.extend(self.weights(row).map(|(_, weight)| weight as f64 / total));
            floats.constant.push(self.low[row] as f64 / power(SCALE) / total);
        }
        floats
    }
}
