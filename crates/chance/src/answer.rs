//! What is found: bounds, fractions, and why there are none.

use num_rational::BigRational;
use std::fmt;

/// Two numbers between which the true value lies, whatever floating-point arithmetic has rounded.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds {
    /// At most the value.
    pub low: f64,
    /// At least the value.
    pub high: f64,
}

impl Bounds {
    /// Exactly this.
    pub fn point(value: f64) -> Bounds {
        Bounds { low: value, high: value }
    }

    /// How far they are apart.
    pub fn width(self) -> f64 {
        self.high - self.low
    }

    /// Whether a number lies between them.
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// A rational number, written as `2/3`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fraction(pub BigRational);

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A number that was computed.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// They hold in any case. They may be wider than was asked for.
    pub bounds: Bounds,
    /// The value itself, where that was cheap enough to compute.
    pub fraction: Option<Fraction>,
}

impl Answer {
    /// Whether the bounds are as close as was asked for: the difference is at most `error`, or `error` times the value if
    /// that is greater than 1.
    pub fn is_within(&self, error: f64) -> bool {
        self.bounds.width() <= error * self.bounds.low.abs().max(1.0)
    }
}

/// An expected value.
#[derive(Clone, PartialEq, Debug)]
pub enum Expected {
    /// A number.
    Finite(Answer),
    /// The goal is missed with a positive probability.
    Infinite,
}

/// How numbers are computed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How far bounds should be apart at most; relative for values above 1.
    pub error: f64,
    /// Processes with at most this many states are solved with fractions, unless the fractions get too long.
    pub fraction_states: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { error: 1e-9, fraction_states: 500 }
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolveError {
    /// The caller stopped it.
    Stopped,
    /// There are several decisions in a state, and nobody said whether the least or the greatest value is meant.
    NotAChain,
    /// Sets or values that are not about the states of this process.
    OtherStates,
    /// The expression has no value in a state that counts.
    Undefined,
    /// The process has no rates, so that there is no time.
    NoRates,
    /// No numbers could be found and proved. The reason is a limit of the method, never of the process.
    Failed,
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SolveError::Stopped => "stopped",
            SolveError::NotAChain => "the process has decisions; ask for the minimum or the maximum",
            SolveError::OtherStates => "the sets are not about the states of this process",
            SolveError::Undefined => "the expression is undefined in a state that counts",
            SolveError::NoRates => "the process has no rates",
            SolveError::Failed => "no bounds could be proved",
        })
    }
}
