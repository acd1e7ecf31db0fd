//! Why something cannot be estimated, as data; [`words`](crate::words::estimate) makes sentences of it.

use serde::{Deserialize, Serialize};

/// Why there is no estimate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NoEstimate {
    /// Nothing is asked.
    Nothing,
    /// Runs may be endless before the query is decided, and nobody has said how long they may be.
    Unbounded {
        /// As the user wrote it.
        query: String,
    },
    /// The property speaks of all executions together, so no run alone satisfies or violates it.
    AllExecutions {
        /// The name of the property.
        property: String,
        /// Why: its modality.
        modality: ManyExecutions,
    },
    /// The query speaks of time, and steps take none without rates.
    NoTime {
        /// As the user wrote it.
        query: String,
    },
    /// The scheduler is that of rates, and the model has none.
    NoRates,
    /// All schedulers are considered only by the exact method.
    AnyNeedsExact,
    /// Minimum and maximum are taken over all schedulers, and one is given.
    ExtremesNeedAny {
        /// As the user wrote it.
        query: String,
    },
    /// With all schedulers there is no single value, only a minimum and a maximum.
    OneValueOfMany {
        /// As the user wrote it.
        query: String,
    },
    /// Only the exact method can answer it.
    NeedsExact {
        /// As the user wrote it.
        query: String,
    },
    /// The exact method cannot answer it.
    NotExact {
        /// As the user wrote it.
        query: String,
        /// What stands in the way.
        why: NotExact,
    },
    /// A number is out of its range.
    OutOfRange {
        /// What it is.
        number: EstimateNumber,
        /// As given.
        given: f64,
    },
    /// Wald's test or splitting answers one query, and another kind of query or several were given.
    OneQuery {
        /// What wants one query.
        method: OneQueryMethod,
    },
    /// Splitting has no levels, or they do not rise.
    Levels,
    /// The property can be read in two ways, and each has a probability of its own.
    TwoReadings {
        /// The name of the property.
        property: String,
    },
    /// The property cannot be bounded by steps.
    NoBound {
        /// As the user wrote it.
        query: String,
    },
    /// Splitting makes more copies of a run than this.
    TooManyCopies {
        /// The most.
        most: u64,
    },
    /// So small a width needs more runs than can be counted.
    TooManyRuns,
    /// A test needs a threshold above 0 and below 1.
    Threshold {
        /// As the user wrote it.
        query: String,
    },
}

/// Why a property speaks of more than one execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ManyExecutions {
    /// `fairly`: from everywhere the predicate can still be reached.
    Fairly,
    /// `fairly_inf`: always again.
    FairlyInf,
    /// Some execution does something.
    Possibility,
}

/// What the exact method cannot do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum NotExact {
    /// The value at the end of a run of limited length.
    AtTheEnd,
    /// Quantiles and histograms.
    Distribution,
    /// Minimum and maximum of this quantity.
    Extremes,
    /// The chain is too large.
    TooLarge {
        /// States so far.
        states: u64,
    },
    /// A scope, as in `between` and `from`.
    Scope,
    /// The expression has no value in a state that counts.
    Undefined,
    /// Probabilities of single steps are fractions that are too fine.
    TooFine,
    /// There are too many transitions.
    TooManyTransitions {
        /// Transitions so far.
        transitions: u64,
    },
    /// A formula of linear time with a bound.
    BoundedFormula,
    /// Another reason, as a sentence.
    Other {
        /// The sentence.
        why: String,
    },
}

/// A number that is given to an estimate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EstimateNumber {
    /// Between 0 and 1, without both.
    Confidence,
    /// Between 0 and 1, without both.
    Width,
    /// Above 0, and so small that the region lies between 0 and 1.
    Indifference,
    /// At least 1.
    Runs,
    /// At least 1.
    Threads,
    /// Between 0 and 1.
    Quantile,
    /// Between 1 and 10,000.
    Bins,
    /// Above 0 and below 1.
    Error,
    /// At least 1.
    MostSteps,
}

/// A method that answers one query.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OneQueryMethod {
    /// Wald's test: a probability with a comparison.
    Test,
    /// Splitting: the probability that something is reached.
    Splitting,
    /// A wanted width: a probability.
    Width,
}
