//! Means of samples: moments that can be added up, intervals of Student and of Hoeffding.
//!
//! Moments are kept as B. P. Welford does (Technometrics 4, 1962) and merged by the formula of T. F. Chan, G. H. Golub and R. J. LeVeque
//! ("Updating formulae and a pairwise algorithm for computing sample variances", 1979). The result depends on the order of merging in the last digits, so
//! whoever wants the same result for any number of threads merges in a fixed order.
//!
//! Student's interval has its nominal coverage for values that are distributed normally, and for others as the number of runs grows. Hoeffding's (Journal
//! of the American Statistical Association 58, 1963, theorem 2) has at least its nominal coverage for all values within bounds that are
//! known beforehand.

use crate::interval::{Interval, risk};
use crate::student::quantile;

/// Number, mean and spread of values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Moments {
    count: u64,
    mean: f64,
    /// The sum of squared distances from the mean.
    squares: f64,
    least: f64,
    greatest: f64,
}

impl Default for Moments {
    fn default() -> Moments {
        Moments::new()
    }
}

impl Moments {
    /// Of no values.
    pub fn new() -> Moments {
        Moments { count: 0, mean: 0.0, squares: 0.0, least: f64::INFINITY, greatest: f64::NEG_INFINITY }
    }

    /// One more value.
    pub fn push(&mut self, value: f64) {
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
        self.least = self.least.min(value);
        self.greatest = self.greatest.max(value);
    }

    /// The values of another sample too.
    pub fn merge(&mut self, other: &Moments) {
        if self.count == 0 {
            *self = *other;
            return;
        }
        if other.count == 0 {
            return;
        }
        let (here, there) = (self.count as f64, other.count as f64);
        let difference = other.mean - self.mean;
        self.count += other.count;
        self.mean += difference * (there / (here + there));
        self.squares += other.squares + difference * difference * (here * there / (here + there));
        self.least = self.least.min(other.least);
        self.greatest = self.greatest.max(other.greatest);
    }

    /// How many values there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// None if there are no values.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// The unbiased estimate of the variance; none for fewer than two values.
    pub fn variance(&self) -> Option<f64> {
        (self.count > 1).then(|| (self.squares / (self.count - 1) as f64).max(0.0))
    }

    /// The standard deviation of the sample; none for fewer than two values.
    pub fn deviation(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// The smallest value; none if there are no values.
    pub fn least(&self) -> Option<f64> {
        (self.count > 0).then_some(self.least)
    }

    /// The largest value; none if there are no values.
    pub fn greatest(&self) -> Option<f64> {
        (self.count > 0).then_some(self.greatest)
    }

    /// Student's interval for the mean. Everything if there are fewer than two values or the confidence is not between 0 and 1.
    /// If all values are equal it has no width: the sample shows no spread, which does not prove that there is none.
    pub fn student(&self, confidence: f64) -> Interval {
        let (Some(deviation), Ok(risk)) = (self.deviation(), risk(confidence)) else {
            return Interval::ALL;
        };
        if deviation == 0.0 {
            return Interval { low: self.mean, high: self.mean };
        }
        let half = quantile(self.count - 1, risk) * deviation / (self.count as f64).sqrt();
        if !half.is_finite() {
            return Interval::ALL;
        }
        Interval { low: (self.mean - half).next_down(), high: (self.mean + half).next_up() }
    }
}

/// Hoeffding's interval for the mean of values that cannot lie outside of `bounds`. It never leaves the bounds.
pub fn hoeffding(mean: f64, count: u64, bounds: Interval, confidence: f64) -> Interval {
    let Ok(risk) = risk(confidence) else { return bounds };
    if count == 0 || !mean.is_finite() || !bounds.width().is_finite() || bounds.width() < 0.0 {
        return bounds;
    }
    let half =
        bounds.width() * ((2.0 / risk).ln() / (2.0 * count as f64)).sqrt() * (1.0 + 4.0 * f64::EPSILON);
    Interval {
        low: (mean - half).next_down().max(bounds.low),
        high: (mean + half).next_up().min(bounds.high),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Moments {
        let mut out = Moments::new();
        values.iter().for_each(|v| out.push(*v));
        out
    }

    #[test]
    fn moments_merge() {
        let values: Vec<f64> = (0..50).map(|i| 1e6 + f64::from(i * i % 17)).collect();
        let whole = of(&values);
        let (mut first, second) = (of(&values[..13]), of(&values[13..]));
        first.merge(&second);
        first.merge(&Moments::new());
        assert_eq!(first.count(), 50);
        assert!((first.mean().unwrap() - whole.mean().unwrap()).abs() < 1e-8);
        assert!((first.variance().unwrap() - whole.variance().unwrap()).abs() < 1e-8);
        assert_eq!((first.least(), first.greatest()), (whole.least(), whole.greatest()));
        // By the definition of the variance.
        let mean = values.iter().sum::<f64>() / 50.0;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 49.0;
        assert!((whole.variance().unwrap() - variance).abs() < 1e-7);
    }

    /// Values 1, 2, 3: mean 2, deviation 1, t(2; 0.05) = 4.303 of the tables, so the half width is 4.303/√3.
    #[test]
    fn student_by_hand() {
        let interval = of(&[1.0, 2.0, 3.0]).student(0.95);
        assert!((interval.high - 2.0 - 4.303 / 3.0_f64.sqrt()).abs() < 1e-3);
        assert!((interval.low + interval.high - 4.0).abs() < 1e-12);
        assert_eq!(of(&[1.0]).student(0.95), Interval::ALL);
        assert_eq!(of(&[1.0, 2.0]).student(1.0), Interval::ALL);
    }

    /// ln(2/0.05)/(2·50) = 0.036889, whose root is 0.192065.
    #[test]
    fn hoeffding_by_hand() {
        let bounds = Interval { low: 0.0, high: 10.0 };
        let interval = hoeffding(5.0, 50, bounds, 0.95);
        assert!((interval.high - 5.0 - 1.920_65).abs() < 1e-4);
        assert_eq!(hoeffding(9.9, 50, bounds, 0.95).high, 10.0);
        assert_eq!(hoeffding(5.0, 0, bounds, 0.95), bounds);
        assert_eq!(hoeffding(f64::NAN, 9, bounds, 0.95), bounds);
    }
}
