//! Student's distribution: the t with P(|T| > t) = α, rounded upward.
//!
//! P(|T| > t) = I_x(ν/2, ½) with x = ν/(ν + t²), and P(|T| ≤ t) = I_y(½, ν/2) with y = 1 − x (Abramowitz and Stegun, 26.7.1). Both are
//! computed by I_x(a, b) = x^a (1−x)^b / (a B(a, b)) · Σ (a+b)_j / (a+1)_j x^j (26.5.4 of the same), whose terms are positive, so the rounding error is
//! a few units for each term. The first needs few terms if x is not near 1, the second if it is.

use crate::gamma::{ROUNDING, STIRLING_ERROR, deviance, stirling};
use crate::interval::Interval;

/// A number that |T| exceeds with probability at most `risk`; infinite if there is no degree of freedom.
pub(crate) fn quantile(freedom: u64, risk: f64) -> f64 {
    if freedom == 0 || risk.is_nan() || risk <= 0.0 {
        return f64::INFINITY;
    }
    let enough = |t: f64| exceeds(freedom as f64, t).high <= risk;
    let mut inside = 1.0_f64;
    while !enough(inside) {
        inside *= 2.0;
        if inside > 1e150 {
            return f64::INFINITY;
        }
    }
    let mut outside = 0.0_f64;
    while inside - outside > 1e-12 * inside {
        let middle = 0.5 * (inside + outside);
        if enough(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside
}

/// Bounds of P(|T| > t).
pub(crate) fn exceeds(freedom: f64, t: f64) -> Interval {
    let square = t * t;
    let (x, y) = (freedom / (freedom + square), square / (freedom + square));
    if x < 0.9 {
        return beta(0.5 * freedom, 0.5, x, y);
    }
    let within = beta(0.5, 0.5 * freedom, y, x);
    Interval { low: (1.0 - within.high).next_down().max(0.0), high: (1.0 - within.low).next_up().min(1.0) }
}

/// Bounds of I_x(a, b), where y = 1 − x.
fn beta(a: f64, b: f64, x: f64, y: f64) -> Interval {
    if x <= 0.0 {
        return Interval { low: 0.0, high: 0.0 };
    }
    let (first, first_error) = deviance(a, (a + b) * x);
    let (second, second_error) = deviance(b, (a + b) * y);
    let exponent = stirling(a + b) - stirling(a) - stirling(b) - first - second;
    let mut error =
        first_error + second_error + 3.0 * STIRLING_ERROR + 8.0 * ROUNDING * (exponent.abs() + 1.0);
    let (mut term, mut sum, mut j) = (1.0_f64, 1.0_f64, 0.0_f64);
    loop {
        let ratio = (a + b + j) / (a + 1.0 + j) * x;
        term *= ratio;
        sum += term;
        j += 1.0;
        // The ratios tend to x from above or from below, so one of the two bounds all that follow.
        let bound = ratio.max(x);
        if bound < 1.0 && term * bound < (1.0 - bound) * sum * ROUNDING {
            break;
        }
        if !sum.is_finite() || j > 1e7 {
            return Interval::UNIT;
        }
    }
    error += ROUNDING * (8.0 * j + 16.0);
    let value = (b / (2.0 * std::f64::consts::PI * a * (a + b))).sqrt() * exponent.exp() * sum;
    let error = if error < 0.25 { 2.0 * error } else { return Interval::UNIT };
    if value < 1e-290 {
        return Interval { low: 0.0, high: 1e-290 };
    }
    Interval { low: value * (1.0 - error), high: (value * (1.0 + error)).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table 26.10 of Abramowitz and Stegun gives three digits; one and two degrees of freedom have closed forms.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, risk, t) in [
            (5, 0.05, 2.571),
            (10, 0.05, 2.228),
            (10, 0.01, 3.169),
            (30, 0.05, 2.042),
            (30, 0.001, 3.646),
            (120, 0.05, 1.980),
            (1_000_000_000, 0.05, 1.960),
        ] {
            assert!(
                (quantile(freedom, risk) - t).abs() < 6e-4,
                "{freedom} {risk} {}",
                quantile(freedom, risk)
            );
        }
        for risk in [0.5, 0.1, 0.05, 1e-3, 1e-6, 1e-9] {
            // One degree: P(|T| ≤ t) = 2/π arctan t. Two: t = (1 − α) √(2 / (α (2 − α))).
            let one = 1.0 / (std::f64::consts::FRAC_PI_2 * risk).tan();
            let two = (1.0 - risk) * (2.0 / (risk * (2.0 - risk))).sqrt();
            for (freedom, exact) in [(1, one), (2, two)] {
                let t = quantile(freedom, risk);
                assert!(
                    t >= exact * (1.0 - 1e-14) && t < exact * (1.0 + 1e-9),
                    "{freedom} {risk} {t} {exact}"
                );
            }
        }
        assert_eq!(quantile(0, 0.05), f64::INFINITY);
    }

    /// Three degrees: P(|T| ≤ t) = 2/π (θ + sin θ cos θ) with tan θ = t/√3; four: sin θ (1 + ½ cos² θ) with tan θ = t/2
    /// (Abramowitz and Stegun, 26.7.3 and 26.7.4).
    #[test]
    fn tails_contain_the_closed_forms() {
        for step in 1..200 {
            let t = f64::from(step) * 0.05;
            let angle = (t / 3.0_f64.sqrt()).atan();
            let three = 1.0 - 2.0 / std::f64::consts::PI * (angle + angle.sin() * angle.cos());
            let angle = (t / 2.0).atan();
            let four = 1.0 - angle.sin() * (1.0 + 0.5 * angle.cos().powi(2));
            for (freedom, exact) in [(3.0, three), (4.0, four)] {
                let bounds = exceeds(freedom, t);
                assert!(bounds.low - 1e-15 <= exact && exact <= bounds.high + 1e-15, "{freedom} {t}");
                assert!(bounds.width() < 1e-12);
            }
        }
    }
}
