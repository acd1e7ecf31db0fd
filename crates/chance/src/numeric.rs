//! Systems of equations with a minimum or maximum in each: approximate solutions, and bounds that are proved.
//!
//! `x(s) = opt over rows r of s of (c(r) + Σ w(r, t) · x(t)) / total(r)`
//!
//! The work is divided. *Guessing* may use any method: policy iteration in floating-point arithmetic (`optimise.rs`, `linear.rs`). *Proving*
//! (`certify.rs`) takes a guess and finds bounds around it. They are checked with whole numbers only, so nothing has to
//! be said about the rounding of floating-point numbers. A bad guess makes bounds wide, never wrong. *Fractions* (`fraction.rs`) give the
//! exact solution of small systems.

pub(crate) mod certify;
pub(crate) mod fixed;
pub(crate) mod fraction;
pub(crate) mod linear;
pub(crate) mod optimise;
mod sparse;
pub(crate) mod system;

use crate::answer::{Answer, Bounds, Fraction, Settings, SolveError};
use certify::Kind;
use fixed::{SCALE, to_f64_down, to_f64_up};
use linear::Tolerance;
use num_rational::BigRational;
use num_traits::Zero;
use system::System;

/// What is known of every unknown.
pub(crate) struct Solution {
    /// Units of 2^-scale.
    pub(crate) scale: u32,
    pub(crate) low: Vec<u128>,
    pub(crate) high: Vec<u128>,
    pub(crate) exact: Option<Vec<BigRational>>,
}

/// Solves a system.
pub(crate) fn solve(
    system: &System,
    kind: Kind,
    maximise: bool,
    settings: &Settings,
    stopped: &dyn Fn() -> bool,
) -> Result<Solution, SolveError> {
    if system.unknowns() == 0 {
        return Ok(Solution { scale: SCALE, low: vec![], high: vec![], exact: Some(vec![]) });
    }
    let floats = system.floats();
    let guess =
        optimise::optimise(system, &floats, &floats.constant, kind, maximise, Tolerance::FINE, stopped)
            .ok_or(SolveError::Stopped)?;
    let mut solution = certify::certify(system, &floats, &guess, kind, maximise, settings.error, stopped)?;
    if system.unknowns() <= settings.fraction_states && system.exact.is_some() {
        solution.exact = fraction::solve(system, &guess.policy, maximise, stopped);
        // Both are proved, independently of each other: a contradiction is a fault of this program.
        let within = |(at, value): (usize, &BigRational)| {
            fixed::floor(value, solution.scale).is_some_and(|v| v >= solution.low[at])
                && fixed::ceiling(value, solution.scale).is_some_and(|v| v <= solution.high[at])
        };
        if solution.exact.as_ref().is_some_and(|exact| !exact.iter().enumerate().all(within)) {
            return Err(SolveError::Failed);
        }
    }
    Ok(solution)
}

/// A value of a state: known beforehand, or an unknown.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Unknown(usize),
    /// Bounds in units of 2^-70.
    Known(u128, u128, Option<BigRational>),
}

/// The average of values with whole numbers as weights.
pub(crate) fn average(
    solution: &Solution,
    places: impl Iterator<Item = (Place, u64)>,
) -> Result<Answer, SolveError> {
    let (mut low, mut high, mut total) = (0_u128, 0_u128, 0_u128);
    let mut exact = Some(BigRational::zero());
    let shift = SCALE - solution.scale;
    for (place, weight) in places {
        let (l, h, e) = match place {
            Place::Unknown(at) => {
                let exact = solution.exact.as_ref().map(|exact| exact[at].clone());
                (solution.low[at], solution.high[at], exact)
            }
            Place::Known(l, h, exact) => (l >> shift, fixed::shift_up(h, shift), exact),
        };
        let times = |value: u128| value.checked_mul(weight.into()).ok_or(SolveError::Failed);
        low = low.checked_add(times(l)?).ok_or(SolveError::Failed)?;
        high = high.checked_add(times(h)?).ok_or(SolveError::Failed)?;
        total += u128::from(weight);
        exact = exact.zip(e).map(|(sum, e)| sum + e * BigRational::from_integer(weight.into()));
    }
    if total == 0 {
        return Err(SolveError::OtherStates);
    }
    let exact = exact.map(|sum| sum / BigRational::from_integer(total.into()));
    let bounds = match &exact {
        Some(value) => fixed::enclose(value, solution.scale).ok_or(SolveError::Failed)?,
        None => Bounds {
            low: to_f64_down(low / total, solution.scale),
            high: to_f64_up(high.div_ceil(total), solution.scale),
        },
    };
    Ok(Answer { bounds, fraction: exact.map(Fraction) })
}
