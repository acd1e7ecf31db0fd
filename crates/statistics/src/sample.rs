//! Distributions of samples: quantiles with intervals, histograms.
//!
//! The interval of a quantile is made of order statistics (H. A. David and H. N. Nagaraja, *Order Statistics*, section 7.1) and needs nothing to be known
//! of the distribution. The number of values below the quantile at q is binomial with at most q, the number of values up to it binomial with at least q. So the r-th
//! smallest value is above the quantile with a probability of at most P(Bin(n, q) ≤ r − 1), and the s-th smallest is below it with at
//! most P(Bin(n, q) ≥ s). r is chosen as large and s as small as both can be with at most α/2. The coverage is at least
//! nominal, also for values that come up many times. If a sample is too small for an end, there is none.
//!
//! **Values that are cut off.** Of a run that was cut short only a lower bound of its value is known. For the low end it
//! counts as this bound, for the high end as infinite. Order statistics are monotone, so both ends stay on their side of those of the full
//! values. Nothing is assumed of why runs were cut short.
//!
//! **Memory.** Equal values are counted, not kept; numbers of steps take little room. Values that are all different take about 20 bytes each.

use crate::binomial::at_least;
use crate::interval::risk;
use std::collections::BTreeMap;

/// Values, and lower bounds of values that were cut off. Values that are no numbers are ignored.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sample {
    values: BTreeMap<Key, u64>,
    cut: BTreeMap<Key, u64>,
    count: u64,
    cut_count: u64,
}

/// A quantile with its interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Quantile {
    /// The quantile of the sample: the smallest value such that at least the share q of the sample is at most that. None if the sample is empty,
    /// or the value was cut off.
    pub value: Option<f64>,
    /// None: the sample is too small.
    pub low: Option<f64>,
    /// None: the sample is too small, or too many values were cut off.
    pub high: Option<f64>,
}

/// A bin of a histogram.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bin {
    /// Where it begins.
    pub from: f64,
    /// Where it ends. The last bin includes its end.
    pub to: f64,
    pub count: u64,
}

impl Sample {
    /// Without values.
    pub fn new() -> Sample {
        Sample::default()
    }

    /// One more value.
    pub fn push(&mut self, value: f64) {
        if !value.is_nan() {
            *self.values.entry(Key::of(value)).or_default() += 1;
            self.count += 1;
        }
    }

    /// One more value, of which it is only known that it is at least this.
    pub fn push_cut(&mut self, at_least: f64) {
        if !at_least.is_nan() {
            *self.cut.entry(Key::of(at_least)).or_default() += 1;
            self.cut_count += 1;
        }
    }

    /// The values of another sample too. The order does not matter.
    pub fn merge(&mut self, other: &Sample) {
        for (into, from) in [(&mut self.values, &other.values), (&mut self.cut, &other.cut)] {
            for (key, count) in from {
                *into.entry(*key).or_default() += count;
            }
        }
        self.count += other.count;
        self.cut_count += other.cut_count;
    }

    /// How many values are known.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How many were cut off.
    pub fn cut_off(&self) -> u64 {
        self.cut_count
    }

    /// The smallest of the known values.
    pub fn least(&self) -> Option<f64> {
        self.values.first_key_value().map(|(key, _)| key.value())
    }

    /// The largest of the known values.
    pub fn greatest(&self) -> Option<f64> {
        self.values.last_key_value().map(|(key, _)| key.value())
    }

    /// The quantile at q, which must be above 0 and below 1 for an interval.
    pub fn quantile(&self, q: f64, confidence: f64) -> Quantile {
        let n = self.count + self.cut_count;
        if n == 0 || q.is_nan() {
            return Quantile { value: None, low: None, high: None };
        }
        let q = q.clamp(0.0, 1.0);
        let rank = ((q * n as f64).ceil() as u64).clamp(1, n);
        let value = self.order_high(rank);
        let Ok(risk) = risk(confidence) else { return Quantile { value, low: None, high: None } };
        if q == 0.0 || q == 1.0 {
            return Quantile { value, low: None, high: None };
        }
        let level = risk / 2.0;
        // P(Bin ≤ r − 1) is that of at least n − r + 1 failures. It grows with r, and P(Bin ≥ s) falls with s.
        let low = last(n, |r| at_least(n, n - r + 1, 1.0 - q, q).high <= level);
        let high = last(n, |i| at_least(n, n + 1 - i, q, 1.0 - q).high <= level).map(|i| n + 1 - i);
        Quantile {
            value,
            low: low.and_then(|r| self.order_low(r)),
            high: high.and_then(|s| self.order_high(s)),
        }
    }

    /// Bins of equal width from the smallest to the largest known value. One bin if all are equal; none if there are none, or one is infinite.
    pub fn histogram(&self, bins: u32) -> Vec<Bin> {
        let (Some(least), Some(greatest)) = (self.least(), self.greatest()) else { return vec![] };
        let width = (greatest - least) / f64::from(bins.max(1));
        if !width.is_finite() || bins == 0 {
            return vec![];
        }
        if width <= 0.0 {
            return vec![Bin { from: least, to: greatest, count: self.count }];
        }
        let edge = |i: u32| if i == bins { greatest } else { least + f64::from(i) * width };
        let mut out: Vec<Bin> = (0..bins).map(|i| Bin { from: edge(i), to: edge(i + 1), count: 0 }).collect();
        let mut at = 0;
        // Compared with the edges that are told, so that a reader who counts finds the same.
        for (key, count) in &self.values {
            while at + 1 < out.len() && key.value() >= out[at + 1].from {
                at += 1;
            }
            out[at].count += count;
        }
        out
    }

    /// The value with this rank, if those that were cut off are infinite.
    fn order_high(&self, rank: u64) -> Option<f64> {
        let mut seen = 0;
        self.values.iter().find_map(|(key, count)| {
            seen += count;
            (seen >= rank).then(|| key.value())
        })
    }

    /// The value with this rank, if those that were cut off are their bounds.
    fn order_low(&self, rank: u64) -> Option<f64> {
        let (mut known, mut cut, mut seen) = (self.values.iter().peekable(), self.cut.iter().peekable(), 0);
        loop {
            let from_known = match (known.peek(), cut.peek()) {
                (Some(a), Some(b)) => a.0 <= b.0,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => return None,
            };
            let (key, count) = if from_known { known.next()? } else { cut.next()? };
            seen += count;
            if seen >= rank {
                return Some(key.value());
            }
        }
    }
}

/// The largest number from 1 to n that passes, if those that pass are the first ones.
fn last(n: u64, passes: impl Fn(u64) -> bool) -> Option<u64> {
    if !passes(1) {
        return None;
    }
    let (mut inside, mut outside) = (1, n + 1);
    while outside - inside > 1 {
        let middle = inside + (outside - inside) / 2;
        if passes(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    Some(inside)
}

/// A number that is no NaN, as bits in its order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key(u64);

impl Key {
    fn of(value: f64) -> Key {
        // Adding 0 makes one zero of both.
        let bits = (value + 0.0).to_bits();
        Key(if bits >> 63 == 1 { !bits } else { bits | 1 << 63 })
    }

    fn value(self) -> f64 {
        f64::from_bits(if self.0 >> 63 == 1 { self.0 & !(1 << 63) } else { !self.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Sample {
        let mut out = Sample::new();
        values.iter().for_each(|v| out.push(*v));
        out
    }

    #[test]
    fn keys_keep_the_order() {
        let values = [f64::NEG_INFINITY, -2.5, -1e-300, 0.0, 1e-300, 1.0, 7.0, f64::INFINITY];
        assert!(values.map(Key::of).is_sorted());
        assert_eq!(values.map(|v| Key::of(v).value()), values);
        assert_eq!(Key::of(-0.0), Key::of(0.0));
    }

    /// The table of intervals for the median in textbooks: of 10 values the 2nd and the 9th at 95 % (the coverage is 97.9 %), of 20 the 6th
    /// and the 15th (95.9 %).
    #[test]
    fn medians_of_the_tables() {
        let ten: Vec<f64> = (1..=10).map(f64::from).collect();
        let quantile = of(&ten).quantile(0.5, 0.95);
        assert_eq!(quantile, Quantile { value: Some(5.0), low: Some(2.0), high: Some(9.0) });
        let twenty: Vec<f64> = (1..=20).map(f64::from).collect();
        let quantile = of(&twenty).quantile(0.5, 0.95);
        assert_eq!(quantile, Quantile { value: Some(10.0), low: Some(6.0), high: Some(15.0) });
        // 5 values: the smallest is above the median with probability 1/32 > 0.025.
        let five = of(&ten[..5]).quantile(0.5, 0.95);
        assert_eq!((five.low, five.high), (None, None));
    }

    /// All samples of six values from a die with three faces, which have the probabilities 1/4, 1/2, 1/4, and which may be cut off: the intervals contain
    /// the quantile at least as often as they should.
    #[test]
    fn coverage_by_enumeration() {
        let faces = [(0.0, 0.25), (1.0, 0.5), (2.0, 0.25)];
        // The quantile is the smallest value with P(X ≤ value) ≥ q.
        for (q, truth) in [(0.1, 0.0), (0.3, 1.0), (0.5, 1.0), (0.7, 1.0), (0.8, 2.0)] {
            for (confidence, cut_from) in [(0.5, 9.0), (0.8, 9.0), (0.8, 2.0), (0.8, 1.0)] {
                let mut covered = 0.0;
                for index in 0..3_usize.pow(6) {
                    let (mut sample, mut mass, mut rest) = (Sample::new(), 1.0, index);
                    for _ in 0..6 {
                        let (value, share) = faces[rest % 3];
                        rest /= 3;
                        mass *= share;
                        if value >= cut_from {
                            sample.push_cut(value - 0.5);
                        } else {
                            sample.push(value);
                        }
                    }
                    let found = sample.quantile(q, confidence);
                    if found.low.is_none_or(|low| low <= truth) && found.high.is_none_or(|high| truth <= high)
                    {
                        covered += mass;
                    }
                }
                assert!(covered >= confidence - 1e-12, "{q} {confidence} {cut_from} {covered}");
            }
        }
    }

    #[test]
    fn values_that_are_cut_off_open_the_high_end() {
        let mut sample = of(&(1..=12).map(f64::from).collect::<Vec<_>>());
        for _ in 0..8 {
            sample.push_cut(12.0);
        }
        // As with 20 values; the 15th is cut off.
        let quantile = sample.quantile(0.5, 0.95);
        assert_eq!(quantile, Quantile { value: Some(10.0), low: Some(6.0), high: None });
        assert_eq!(sample.quantile(0.9, 0.95).value, None);
        assert_eq!((sample.count(), sample.cut_off()), (12, 8));
    }

    #[test]
    fn histograms_count_everything_once() {
        let mut sample = of(&[0.0, 0.1, 0.5, 0.5, 0.99, 1.0]);
        sample.merge(&of(&[0.25, f64::NAN]));
        let bins = sample.histogram(4);
        assert_eq!(bins.iter().map(|bin| bin.count).collect::<Vec<_>>(), [2, 1, 2, 2]);
        assert_eq!((bins[0].from, bins[3].to), (0.0, 1.0));
        assert_eq!(of(&[3.0, 3.0]).histogram(5), [Bin { from: 3.0, to: 3.0, count: 2 }]);
        assert!(Sample::new().histogram(3).is_empty() && sample.histogram(0).is_empty());
        assert!(of(&[0.0, f64::INFINITY]).histogram(3).is_empty());
    }

    #[test]
    fn senseless_questions_have_no_answer() {
        let none = Quantile { value: None, low: None, high: None };
        assert_eq!(Sample::new().quantile(0.5, 0.95), none);
        assert_eq!(of(&[1.0]).quantile(f64::NAN, 0.95), none);
        for (q, confidence) in [(0.0, 0.9), (1.0, 0.9), (-3.0, 0.9), (7.0, 0.9), (0.5, 1.0), (0.5, f64::NAN)]
        {
            let quantile = of(&[1.0, 2.0]).quantile(q, confidence);
            assert!(quantile.value.is_some() && quantile.low.is_none() && quantile.high.is_none());
        }
    }
}
