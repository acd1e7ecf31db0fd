//! Intervals for probabilities: C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the
//! binomial", Biometrika 26, 1934.
//!
//! The low end is the p with P(X ≥ satisfied) = α/2, the high end that with P(X ≤ satisfied) = α/2. The coverage is at least 1 − α
//! for every true value and every number of runs. Both tails are monotone in p, so p is found by bisection. An end
//! is only ever moved inward to a p whose tail is *provably* at most α/2 (the tails come with bounds of their error), so rounding makes
//! intervals wider, never narrower.
//!
//! **Runs without a verdict.** Let some runs be undecided. The low end is then made of those that are known to be satisfied, the high end
//! of those that may be. Each end is wrong with probability at most α/2 for the number that it is made of, and the true
//! probability lies between these two numbers.

use crate::binomial::at_least;
use crate::gamma::ROUNDING;
use crate::interval::{Interval, risk};

/// The interval for a probability of which `satisfied` of `runs` runs say yes, and `undecided` say nothing. A confidence that is not
/// between 0 and 1 gives the interval of all probabilities.
pub fn clopper_pearson(satisfied: u64, undecided: u64, runs: u64, confidence: f64) -> Interval {
    match risk(confidence) {
        Ok(risk) => with_risk(satisfied, undecided, runs, risk),
        Err(_) => Interval::UNIT,
    }
}

/// The same, from the probability of being wrong.
pub(crate) fn with_risk(satisfied: u64, undecided: u64, runs: u64, risk: f64) -> Interval {
    if runs == 0 {
        return Interval::UNIT;
    }
    let (least, most) = (satisfied.min(runs), satisfied.saturating_add(undecided).min(runs));
    Interval { low: low(least, runs, risk / 2.0), high: high(most, runs, risk / 2.0) }
}

/// A p, as large as can be shown, with P(X ≥ k) ≤ level.
fn low(k: u64, n: u64, level: f64) -> f64 {
    if k == 0 {
        return 0.0;
    }
    if k == n {
        // P(X ≥ n) = pⁿ.
        let exponent = level.ln() / n as f64;
        return (exponent.exp() * (1.0 - 8.0 * ROUNDING * (1.0 + exponent.abs()))).max(0.0);
    }
    let (mut inside, mut outside) = (0.0, k as f64 / n as f64);
    while outside - inside > 1e-13 * outside {
        let middle = 0.5 * (inside + outside);
        if middle <= inside || middle >= outside {
            break;
        }
        if at_least(n, k, middle, 1.0 - middle).high <= level {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside
}

/// A p, as small as can be shown, with P(X ≤ k) ≤ level.
fn high(k: u64, n: u64, level: f64) -> f64 {
    if k == n {
        return 1.0;
    }
    if k == 0 {
        // P(X ≤ 0) = (1 − p)ⁿ.
        let exponent = level.ln() / n as f64;
        return (-exponent.exp_m1() * (1.0 + 16.0 * ROUNDING)).min(1.0);
    }
    let (mut outside, mut inside) = (k as f64 / n as f64, 1.0);
    while inside - outside > 1e-13 * inside {
        let middle = 0.5 * (inside + outside);
        if middle <= outside || middle >= inside {
            break;
        }
        // At most k successes are at least n − k failures.
        if at_least(n, n - k, 1.0 - middle, middle).high <= level {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside
}
