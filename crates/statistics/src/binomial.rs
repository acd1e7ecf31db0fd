//! Tails of the binomial distribution, with bounds of the error.
//!
//! P(X ≥ k) is the density at k times 1 + r(k) + r(k) r(k+1) + …, where r(j) = (n−j)/(j+1) · p/(1−p) is the ratio of the densities at j + 1
//! and j. All terms are positive, so rounding errors are relative and add up to at most a few units for each term, and the ratios
//! fall, so what is left out is at most a geometric series. The usual continued fraction needs fewer terms, but no such bound
//! of its error is known. The number of terms is a few standard deviations: about 10⁵ for 10⁹ runs.

use crate::gamma::{ROUNDING, STIRLING_ERROR, deviance, stirling};
use crate::interval::Interval;

/// Bounds of P(X ≥ k) for the sum of n trials with the probability p = 1 − q. Both are given, because the smaller one
/// knows more digits. What is below 1e-290 is told to lie between 0 and that.
pub(crate) fn at_least(n: u64, k: u64, p: f64, q: f64) -> Interval {
    if k == 0 {
        return Interval { low: 1.0, high: 1.0 };
    }
    if k > n || p <= 0.0 {
        return Interval { low: 0.0, high: 0.0 };
    }
    if q <= 0.0 {
        return Interval { low: 1.0, high: 1.0 };
    }
    if (k as f64) < n as f64 * p {
        // X ≥ k unless at least n − k + 1 trials fail.
        let rest = series(n, n - k + 1, q, p);
        return Interval {
            low: (1.0 - rest.high).next_down().max(0.0),
            high: (1.0 - rest.low).next_up().min(1.0),
        };
    }
    series(n, k, p, q)
}

/// The same for k ≥ 1 that is at least about np.
fn series(n: u64, k: u64, p: f64, q: f64) -> Interval {
    let (density, mut error) = density(n, k, p, q);
    let odds = p / q;
    let (mut term, mut sum, mut j) = (1.0_f64, 1.0_f64, k as f64);
    let (all, mut terms) = (n as f64, 0.0_f64);
    while j < all {
        let ratio = (all - j) / (j + 1.0) * odds;
        term *= ratio;
        sum += term;
        j += 1.0;
        terms += 1.0;
        // The ratios fall, so the rest is at most this one's geometric series.
        if ratio < 1.0 && term * ratio < (1.0 - ratio) * sum * ROUNDING {
            break;
        }
    }
    error += ROUNDING * (8.0 * terms + 16.0);
    let value = density * sum;
    if value < 1e-290 {
        return Interval { low: 0.0, high: 1e-290 };
    }
    Interval { low: (value * (1.0 - error)).max(0.0), high: (value * (1.0 + error)).min(1.0) }
}

/// P(X = k) and a bound of its relative error.
fn density(n: u64, k: u64, p: f64, q: f64) -> (f64, f64) {
    let (trials, hits, misses) = (n as f64, k as f64, n.saturating_sub(k) as f64);
    if k == 0 || k >= n {
        let (power, other) = if k == 0 { (q, p) } else { (p, q) };
        let exponent = trials * if other < 0.5 { (-other).ln_1p() } else { power.ln() };
        return (exponent.exp(), relative(8.0 * ROUNDING * exponent.abs()));
    }
    let (first, first_error) = deviance(hits, trials * p);
    let (second, second_error) = deviance(misses, trials * q);
    let exponent = stirling(trials) - stirling(hits) - stirling(misses) - first - second;
    let error = first_error + second_error + 3.0 * STIRLING_ERROR + 8.0 * ROUNDING * (exponent.abs() + 1.0);
    let scale = (trials / (2.0 * std::f64::consts::PI * hits * misses)).sqrt();
    (scale * exponent.exp(), relative(error))
}

/// The relative error of e^x, from the error of x.
fn relative(error: f64) -> f64 {
    if error < 0.5 { 2.0 * error + 4.0 * ROUNDING } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P(X ≥ k) · parts^n for p = part/parts, in whole numbers.
    fn whole(n: u32, k: u32, part: u128, parts: u128) -> u128 {
        let mut choose = 1_u128;
        let mut sum = 0;
        for j in 0..=n {
            if j >= k {
                sum += choose * part.pow(j) * (parts - part).pow(n - j);
            }
            choose = choose * u128::from(n - j) / u128::from(j + 1);
        }
        sum
    }

    #[test]
    fn tails_contain_the_sums_of_whole_numbers() {
        for (n, parts) in [(1, 64_u128), (2, 64), (3, 64), (7, 64), (12, 64), (20, 64), (30, 16)] {
            for part in 0..=parts {
                for k in 0..=n + 1 {
                    let exact = whole(n, k, part, parts) as f64 / (parts as f64).powi(n as i32);
                    let p = part as f64 / parts as f64;
                    let bounds = at_least(u64::from(n), u64::from(k), p, 1.0 - p);
                    let slack = 1e-15 * exact;
                    assert!(
                        bounds.low <= exact + slack && exact <= bounds.high + slack,
                        "{n} {k} {part}/{parts}"
                    );
                    assert!(bounds.width() <= 1e-12, "{n} {k} {part}/{parts} {bounds:?}");
                }
            }
        }
    }

    /// By symmetry P(X ≥ m + 1) = ½ for n = 2m + 1 and p = ½, however many runs there are.
    #[test]
    fn the_middle_of_many_runs_is_a_half() {
        for n in [1_001, 1_000_001, 999_999_999] {
            let bounds = at_least(n, n / 2 + 1, 0.5, 0.5);
            assert!(bounds.contains(0.5) && bounds.width() < 1e-9, "{n} {bounds:?}");
        }
    }

    #[test]
    fn nothing_breaks_at_the_edges() {
        for (n, k, p) in
            [(5, 3, 0.0), (5, 3, 1.0), (5, 9, 0.5), (0, 0, 0.5), (0, 1, 0.5), (1 << 60, 1 << 59, 1e-300)]
        {
            let bounds = at_least(n, k, p, 1.0 - p);
            assert!(0.0 <= bounds.low && bounds.low <= bounds.high && bounds.high <= 1.0, "{n} {k} {p}");
        }
    }
}
