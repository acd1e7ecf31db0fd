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
        Ok(risk) => with_risk(satisfied, undecided, runs, risk, 1e-13),
        Err(_) => Interval::UNIT,
    }
}

/// The same, from the probability of being wrong. Ends are wider than they must be by at most this part of their value.
pub(crate) fn with_risk(satisfied: u64, undecided: u64, runs: u64, risk: f64, tolerance: f64) -> Interval {
    if runs == 0 {
        return Interval::UNIT;
    }
    let (least, most) = (satisfied.min(runs), satisfied.saturating_add(undecided).min(runs));
    Interval { low: low(least, runs, risk / 2.0, tolerance), high: high(most, runs, risk / 2.0, tolerance) }
}

/// A p, as large as can be shown, with P(X ≥ k) ≤ level.
fn low(k: u64, n: u64, level: f64, tolerance: f64) -> f64 {
    if k == 0 {
        return 0.0;
    }
    if k == n {
        // P(X ≥ n) = pⁿ.
        let exponent = level.ln() / n as f64;
        return (exponent.exp() * (1.0 - 8.0 * ROUNDING * (1.0 + exponent.abs()))).max(0.0);
    }
    let (mut inside, mut outside) = (0.0, k as f64 / n as f64);
    while outside - inside > tolerance * outside {
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
fn high(k: u64, n: u64, level: f64, tolerance: f64) -> f64 {
    if k == n {
        return 1.0;
    }
    if k == 0 {
        // P(X ≤ 0) = (1 − p)ⁿ.
        let exponent = level.ln() / n as f64;
        return (-exponent.exp_m1() * (1.0 + 16.0 * ROUNDING)).min(1.0);
    }
    let (mut outside, mut inside) = (k as f64 / n as f64, 1.0);
    while inside - outside > tolerance * inside {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Closed forms: with no success the high end is 1 − (α/2)^(1/n), and the low end 0; the other way round with no failure.
    #[test]
    fn closed_forms_at_both_ends() {
        for (runs, confidence) in
            [(1_u64, 0.95_f64), (2, 0.9), (10, 0.99), (1000, 0.95), (1_000_000_000, 0.95)]
        {
            let exponent = (0.5 * (1.0 - confidence)).ln() / runs as f64;
            let none = clopper_pearson(0, 0, runs, confidence);
            assert_eq!(none.low, 0.0);
            let high = -exponent.exp_m1();
            assert!(none.high >= high && none.high <= high * (1.0 + 1e-13), "{runs} {none:?} {high}");
            let all = clopper_pearson(runs, 0, runs, confidence);
            assert_eq!(all.high, 1.0);
            assert!(all.low <= exponent.exp() && all.low >= exponent.exp() * (1.0 - 1e-13), "{runs} {all:?}");
        }
    }

    /// As `binom.test` of R gives them; the last two are the limits of a Poisson mean (F. Garwood, Biometrika 28, 1936), which the
    /// binomial ones tend to.
    #[test]
    fn published_values() {
        for (satisfied, runs, low, high, digits) in [
            (5, 10, 0.1871, 0.8129, 1e-4),
            (1, 20, 0.0013, 0.2487, 1e-4),
            (10, 100, 0.0490, 0.1762, 1e-4),
            (3, 1_000_000_000, 0.618_67e-9, 8.767_27e-9, 1e-14),
            (1, 1_000_000_000, 0.025_318e-9, 5.571_643e-9, 1e-14),
        ] {
            let interval = clopper_pearson(satisfied, 0, runs, 0.95);
            assert!((interval.low - low).abs() < digits, "{satisfied}/{runs} {interval:?}");
            assert!((interval.high - high).abs() < digits, "{satisfied}/{runs} {interval:?}");
        }
        // Half of 10⁹: the normal limit 1.959964 · √(1/4n), to four digits.
        let interval = clopper_pearson(500_000_000, 0, 1_000_000_000, 0.95);
        assert!((interval.high - 0.5 - 3.0990e-5).abs() < 1e-8, "{interval:?}");
        assert!((interval.low + interval.high - 1.0).abs() < 1e-12);
    }

    /// In whole numbers: at the multiple of 2⁻¹² below the low end the tail is at most 1/40, at the next one it is more.
    #[test]
    fn ends_are_where_whole_numbers_put_them() {
        let tail = |n: u32, k: u32, part: u128| {
            let (mut choose, mut sum) = (1_u128, 0_u128);
            for j in 0..=n {
                sum += if j >= k { choose * part.pow(j) * (4096 - part).pow(n - j) } else { 0 };
                choose = choose * u128::from(n - j) / u128::from(j + 1);
            }
            sum
        };
        for n in 1..=10_u32 {
            for k in 1..=n {
                let low = clopper_pearson(u64::from(k), 0, u64::from(n), 0.95).low;
                let part = (low * 4096.0).floor() as u128;
                let whole = 4096_u128.pow(n);
                assert!(40 * tail(n, k, part) <= whole && whole < 40 * tail(n, k, part + 1), "{k}/{n} {low}");
                let high = clopper_pearson(u64::from(n - k), 0, u64::from(n), 0.95).high;
                assert!((high - (1.0 - low)).abs() < 1e-12, "{k}/{n}");
            }
        }
    }

    /// The coverage itself, summed over all results: at least nominal for every p.
    #[test]
    fn coverage_is_at_least_nominal() {
        for (n, confidence) in [(5_u64, 0.8), (13, 0.95), (40, 0.99)] {
            let intervals: Vec<Interval> = (0..=n).map(|k| clopper_pearson(k, 0, n, confidence)).collect();
            for step in 0..=500 {
                let p = f64::from(step) / 500.0;
                let (mut choose, mut covered) = (1.0, 0.0);
                for k in 0..=n {
                    if intervals[k as usize].contains(p) {
                        covered += choose * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32);
                    }
                    choose *= (n - k) as f64 / (k + 1) as f64;
                }
                assert!(covered >= confidence - 1e-12, "{n} {p} {covered}");
            }
        }
    }

    #[test]
    fn undecided_runs_count_against_both_ends() {
        let interval = clopper_pearson(3, 4, 10, 0.95);
        assert_eq!(interval.low, clopper_pearson(3, 0, 10, 0.95).low);
        assert_eq!(interval.high, clopper_pearson(7, 0, 10, 0.95).high);
        assert_eq!(clopper_pearson(0, 10, 10, 0.95), Interval::UNIT);
    }

    #[test]
    fn senseless_numbers_say_nothing() {
        for confidence in [0.0, 1.0, -1.0, 2.0, f64::NAN, f64::INFINITY] {
            assert_eq!(clopper_pearson(1, 0, 2, confidence), Interval::UNIT);
        }
        assert_eq!(clopper_pearson(0, 0, 0, 0.95), Interval::UNIT);
        assert_eq!(clopper_pearson(7, u64::MAX, 2, 0.95).high, 1.0);
        let sure = clopper_pearson(50, 0, 100, 1.0 - 1e-15);
        assert!(sure.low > 0.0 && sure.low < 0.2 && sure.high < 1.0, "{sure:?}");
    }
}
