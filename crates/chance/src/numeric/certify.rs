//! Bounds around a guess, proved with whole numbers.
//!
//! Let `T` map a vector to the right-hand sides of the equations. It is monotone.
//!
//! * *Upper bounds.* If `T(u) ≤ u` and `u ≥ 0`, then `u` is at least the least fixed point (Park 1969), which is the value: of maximal
//!   and minimal reachability (Puterman 1994, section 7.2; Baier and Katoen, theorems 10.100 and 10.109) and of expected costs that are not negative.
//! * *Lower bounds.* If `l ≤ T(l)`, then `l` is at most the greatest fixed point, which is the value if there is no other fixed
//!   point. For [`Kind::Leaves`] that is proved: a vector `y` with `y ≥ 1 + P·y` for *every* row makes `T` a contraction in the norm that is weighted by
//!   `y`. There is one because every scheduler leaves the unknowns with certainty: what else there could be, end components, has been
//!   collapsed (Haddad and Monmege, "Interval iteration algorithm for MDPs and IMDPs", 2018; Brázdil et al. 2014) or has value 0. For [`Kind::Costs`],
//!   where a scheduler may stay for ever but every step costs, let `l ≤ T(l)`: for a policy that reaches the goal with certainty, `l` is at
//!   most what the first `n` steps cost plus `Pⁿ·l`, which goes to 0; all other schedulers cost infinitely much from somewhere, and some policy of the first kind is optimal
//!   (Bertsekas and Tsitsiklis 1991, proposition 2).
//!
//! Both premises are checked with numbers in units of 2^-scale, right-hand sides rounded to the unfavourable side. So a proof rests on additions, multiplications and
//! divisions of whole numbers only. Optimistic value iteration (Hartmanns and Kaminski 2020) proves upper bounds the same way; here the
//! lower ones are proved like that, too, so that a slow process needs no iteration at all.
//!
//! The bounds are `x ± k·y`: if the guess `x` misses its equations by at most `r`, then `k = r` is enough, for `x + k·y - T(x + k·y) ≥ k·(y - P·y) - r ≥ 0`.
//! Misses are made small first: they are computed exactly, and the guess is corrected by the solution of the equations for the
//! misses (iterative refinement).

use super::Solution;
use super::fixed::{LARGEST, from_f64, power, scale_for};
use super::linear::{Chosen, Tolerance};
use super::optimise::{Guess, optimise};
use super::system::{Floats, System};
use crate::answer::SolveError;

/// Why the equations have one solution only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Whatever rows are chosen, the unknowns are left with certainty.
    Leaves,
    /// Some rows may stay among the unknowns for ever, but every one costs at least 1. Only for the minimum.
    Costs,
}

/// How often a guess is corrected at most.
const CORRECTIONS: usize = 40;

/// Proves bounds around a guess.
pub(crate) fn certify(
    system: &System,
    floats: &Floats,
    guess: &Guess,
    kind: Kind,
    maximise: bool,
    error: f64,
    stopped: &dyn Fn() -> bool,
) -> Result<Solution, SolveError> {
    let y = match kind {
        Kind::Leaves => leaving(system, floats, stopped)?,
        Kind::Costs => guess.values.iter().map(|steps| 2.0 * steps.max(1.0)).collect(),
    };
    let most = |list: &[f64]| list.iter().fold(1.0_f64, |most, v| most.max(*v));
    let scale = scale_for(most(&guess.values)).ok_or(SolveError::Failed)?;
    let prove = Prove { system, maximise, scale };
    let mut x: Vec<u128> = guess.values.iter().map(|v| from_f64(*v, scale)).collect();
    let units = power(scale);
    let mut missed = prove.misses(&x);
    for _ in 0..CORRECTIONS {
        // The bounds will be about this far apart.
        if missed.largest as f64 * most(&y) / units <= 1e-3 * error || missed.largest <= 2 {
            break;
        }
        let misses: Vec<f64> = missed.of.iter().map(|miss| *miss as f64 / units).collect();
        let chosen = Chosen::new(system, floats, &missed.policy);
        let changes = chosen.solve(&misses, Tolerance::COARSE, stopped).ok_or(SolveError::Stopped)?;
        let next: Vec<u128> = x.iter().zip(changes).map(|(x, change)| moved(*x, change * units)).collect();
        let after = prove.misses(&next);
        if after.largest >= missed.largest {
            break;
        }
        (x, missed) = (next, after);
    }
    let low = prove.bound(&x, &y, missed.largest, false, stopped)?;
    let high = prove.bound(&x, &y, missed.largest, true, stopped)?;
    Ok(Solution { scale, low, high, exact: None })
}

/// A vector `y ≥ 1 + P·y`: some times the number of steps until the unknowns are left, by the slowest scheduler.
fn leaving(system: &System, floats: &Floats, stopped: &dyn Fn() -> bool) -> Result<Vec<f64>, SolveError> {
    let one = vec![1.0; system.total.len()];
    for (tolerance, times) in [(Tolerance::STEPS, 2.0), (Tolerance::FINE, 2.0), (Tolerance::FINE, 32.0)] {
        let steps = optimise(system, floats, &one, Kind::Leaves, true, tolerance, stopped);
        let steps = steps.ok_or(SolveError::Stopped)?.values;
        let y: Vec<f64> = steps.iter().map(|steps| times * steps.max(1.0)).collect();
        if contracts(system, &y) {
            return Ok(y);
        }
    }
    Err(SolveError::Failed)
}

/// Whether `y ≥ 1 + P·y` for all rows.
fn contracts(system: &System, y: &[f64]) -> bool {
    let most = y.iter().fold(1.0_f64, |most, v| most.max(*v));
    let Some(scale) = scale_for(most) else { return false };
    let y: Vec<u128> = y.iter().map(|v| from_f64(*v, scale)).collect();
    (0..y.len()).all(|u| system.rows_of(u).all(|row| system.steps_up(row, &y, scale) <= y[u]))
}

/// By how much a vector misses the equations.
struct Misses {
    /// Right-hand sides less left-hand sides, in units.
    of: Vec<i128>,
    largest: u128,
    /// The best rows.
    policy: Vec<u32>,
}

struct Prove<'s> {
    system: &'s System,
    maximise: bool,
    scale: u32,
}

impl Prove<'_> {
    fn misses(&self, x: &[u128]) -> Misses {
        let mut out = Misses { of: vec![], largest: 0, policy: vec![] };
        for (unknown, left) in x.iter().enumerate() {
            let rows = self.system.rows_of(unknown);
            let values = rows.map(|row| (self.system.down(row, x, self.scale), row as u32));
            let best = if self.maximise { values.max() } else { values.min() };
            let (right, row) = best.unwrap_or((0, 0));
            out.of.push(right as i128 - *left as i128);
            out.largest = out.largest.max(right.abs_diff(*left));
            out.policy.push(row);
        }
        out
    }

    /// Finds the smallest multiple of `y`, more or less, that makes a bound of the guess.
    fn bound(
        &self,
        x: &[u128],
        y: &[f64],
        missed: u128,
        upper: bool,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Vec<u128>, SolveError> {
        let mut times = missed as f64 + 2.0;
        loop {
            let by = if upper { times } else { -times };
            let bound: Vec<u128> = x.iter().zip(y).map(|(x, y)| moved(*x, by * y)).collect();
            if bound.iter().any(|b| *b >= LARGEST) {
                return Err(SolveError::Failed);
            }
            if self.holds(&bound, upper) {
                return Ok(bound);
            }
            if stopped() {
                return Err(SolveError::Stopped);
            }
            times *= 2.0;
        }
    }

    /// Whether a bound is inductive.
    fn holds(&self, bound: &[u128], upper: bool) -> bool {
        let good = |unknown: usize, row: usize| match upper {
            true => self.system.up(row, bound, self.scale) <= bound[unknown],
            false => self.system.down(row, bound, self.scale) >= bound[unknown],
        };
        // A maximum is small if all rows are, and large if one is; a minimum the other way round.
        let every = upper == self.maximise;
        (0..bound.len()).all(|unknown| {
            let mut rows = self.system.rows_of(unknown);
            if every { rows.all(|row| good(unknown, row)) } else { rows.any(|row| good(unknown, row)) }
        })
    }
}

/// A number that is not negative plus or minus some units.
fn moved(x: u128, by: f64) -> u128 {
    if by < 0.0 { x.saturating_sub((-by) as u128) } else { x.saturating_add(by as u128).min(LARGEST) }
}
