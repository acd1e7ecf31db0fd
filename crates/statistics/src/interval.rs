//! An interval of real numbers, and why numbers are refused.

/// From `low` to `high`, both included.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    /// All probabilities: nothing is known.
    pub const UNIT: Interval = Interval { low: 0.0, high: 1.0 };

    /// All numbers: nothing is known.
    pub const ALL: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// Whether a number lies in it.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The difference of its ends.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

/// Why a rule cannot be made of these numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// A confidence must be above 0 and below 1.
    Confidence,
    /// A width must be above 0 and below 1.
    Width,
    /// So small a width needs more runs than can be counted.
    TooManyRuns,
    /// A threshold must be above 0 and below 1: there is nothing to test otherwise.
    Threshold,
    /// A region of indifference must be wider than 0, and must not contain all probabilities.
    Indifference,
}

/// What is left of a confidence, for the chance to be wrong. Slightly too small rather than too large.
pub(crate) fn risk(confidence: f64) -> Result<f64, Refused> {
    if confidence > 0.0 && confidence < 1.0 {
        Ok((1.0 - confidence) * (1.0 - 4.0 * f64::EPSILON))
    } else {
        Err(Refused::Confidence)
    }
}
