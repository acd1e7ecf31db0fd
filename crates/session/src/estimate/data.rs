//! What is estimated, how, and what comes of it, as plain data.

use crate::outcome::ModelFault;
use crate::start::AssumptionPlace;
use serde::{Deserialize, Serialize};

/// What is to be estimated or computed, and how.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EstimateOptions {
    /// Queries as the user wrote them, for example `P(eventually p within 500 steps)`.
    #[serde(default)]
    pub queries: Vec<String>,
    /// Properties of the file: the probability of each.
    #[serde(default)]
    pub properties: Vec<String>,
    /// How the answers are found.
    #[serde(default)]
    pub method: Method,
    /// The probability with which an interval contains the true value, or a test decides rightly.
    #[serde(default = "usual_confidence")]
    pub confidence: f64,
    /// What decides which step is made.
    #[serde(default)]
    pub scheduler: SchedulerWord,
    /// The seed of the random choices: the same seed gives the same result, for any number of threads.
    #[serde(default)]
    pub seed: u64,
    /// The number of threads, at least 1.
    #[serde(default = "one_thread")]
    pub threads: usize,
    /// The longest a run may be where the query has no bound of its own. A run that is cut short counts as undecided.
    #[serde(default)]
    pub most_steps: Option<u64>,
    /// Which quantiles of the distribution are told, each between 0 and 1.
    #[serde(default)]
    pub quantiles: Vec<f64>,
    /// Into how many bins the distribution is put.
    #[serde(default)]
    pub bins: Option<u32>,
}

fn usual_confidence() -> f64 {
    0.95
}

fn one_thread() -> usize {
    1
}

/// How an answer is found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub enum Method {
    /// This many runs; intervals of Clopper and Pearson.
    Runs {
        /// At least 1.
        runs: u64,
    },
    /// As many runs as an interval of this width needs; the Massart bounds of Jegourel, Sun and Dong.
    Width {
        /// The whole width of the interval.
        width: f64,
    },
    /// Wald's sequential test of a query with a threshold.
    Test {
        /// Half of the width of the region around the threshold where either answer will do.
        indifference: f64,
    },
    /// Splitting for rare events.
    Splitting {
        /// The expression whose value says how close a state is.
        importance: String,
        /// The levels, each higher than the one before. None: they are found by trial runs.
        levels: Vec<i64>,
        /// Runs that start at each level (fixed effort), or runs that each run splits into (fixed splitting).
        runs: u64,
        /// Fixed splitting instead of fixed effort.
        fixed_splitting: bool,
    },
    /// The chain or decision process itself.
    Exact {
        /// The largest difference between the bounds.
        error: f64,
    },
}

impl Default for Method {
    fn default() -> Method {
        Method::Runs { runs: 1000 }
    }
}

/// What decides which step is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchedulerWord {
    /// Every enabled step is equally likely.
    #[default]
    Steps,
    /// An agent, then one of its steps.
    Agents,
    /// Agents take turns.
    RoundRobin,
    /// The rates that the model gives.
    Rates,
    /// All schedulers: minimum and maximum. Only with the exact method.
    Any,
}

/// What was found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EstimateReport {
    /// What "random" means in these results.
    pub law: LawData,
    /// Whether everything was done.
    pub end: EstimateEnd,
    /// One for each query, in their order, then one for each property.
    pub results: Vec<QueryResult>,
    /// Runs that were made.
    pub runs: u64,
    /// Steps of all runs together.
    pub steps: u64,
    /// States of the chain or decision process, if that was built.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// Transitions of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transitions: Option<u64>,
    /// The seed of the runs, if runs were made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// What "random" means in a result.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LawData {
    /// What decides which step is made.
    pub scheduler: SchedulerWord,
    /// Messages are steps of their own, and drawn like actions.
    pub messages: bool,
    /// Some step draws values of its own. They are no part of what a scheduler chooses among.
    pub choices_inside: bool,
    /// Some initial value is drawn.
    pub initial_choices: bool,
    /// Initial states are refused until the assumptions hold.
    pub assumptions: bool,
    /// Agents take turns.
    pub turns: bool,
}

/// How the work ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EstimateEnd {
    /// Everything was done.
    Complete,
    /// The caller stopped it; the results are those of the runs so far.
    Interrupted,
    /// A run met an error of the model.
    ModelError {
        /// The error, with its place in the model.
        error: ModelFault,
    },
    /// No initial state satisfies the assumptions.
    NoInitialState {
        /// Where the model says what it assumes.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        assumptions: Vec<AssumptionPlace>,
    },
    /// Initial states cannot be drawn by the law: the assumptions refuse almost all of them.
    InitialStatesTooRare {
        /// Where the model says what it assumes.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        assumptions: Vec<AssumptionPlace>,
    },
    /// A step cannot be drawn by the law: almost all ways to make its own choices get stuck.
    ChoicesTooRare {
        /// The model's file.
        file: String,
        /// The line of the action, from 1.
        line: usize,
        /// In characters, from 1.
        column: usize,
    },
}

/// The answer to one query.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct QueryResult {
    /// The query as the user wrote it, or the name of the property.
    pub query: String,
    /// What kind of number it is.
    pub quantity: Quantity,
    /// The estimate, or the middle of the bounds; none if there is none, or it is infinite.
    pub value: Option<f64>,
    /// The lower end of the interval; none: nothing is known.
    pub low: Option<f64>,
    /// The upper end; none: it is unbounded or nothing is known.
    pub high: Option<f64>,
    /// The value is infinite: an expectation of something that need not happen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub infinite: bool,
    /// The confidence of the interval; none: the bounds are certain.
    pub confidence: Option<f64>,
    /// How the interval was made.
    pub interval: IntervalKind,
    /// Runs that this answer rests on.
    pub runs: u64,
    /// Runs that satisfy the query.
    pub satisfied: u64,
    /// Runs that violate it.
    pub violated: u64,
    /// Runs that were cut short before that was known. They count against both ends of the interval.
    pub undecided: u64,
    /// If the query has a threshold: what is known of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// The distribution, if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distribution: Option<Distribution>,
    /// Minimum and maximum over all schedulers, each with its bounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extremes: Option<Extremes>,
    /// The exact value as a fraction, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fraction: Option<String>,
    /// What should be known about this answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<EstimateNote>,
}

/// What kind of number an answer is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// Between 0 and 1.
    Probability,
    /// The mean of a number over all runs.
    Expectation,
    /// The share of all steps in the long run.
    LongRun,
}

/// How an interval was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntervalKind {
    /// Clopper and Pearson: the coverage is at least nominal.
    ClopperPearson,
    /// A sequential rule that keeps its coverage.
    Massart,
    /// Wald's test: no interval is meant, only the decision.
    Wald,
    /// Student's distribution: the coverage is nominal for many runs.
    Student,
    /// Hoeffding's inequality for a bounded quantity: the coverage is at least nominal.
    Hoeffding,
    /// Splitting, with independent repetitions.
    Splitting,
    /// Bounds that are certain.
    Certain,
}

/// What is known of a threshold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The comparison holds, with the confidence that is told.
    Accepted,
    /// It does not.
    Rejected,
    /// The runs do not decide.
    Undecided,
}

/// How the values of a sample are distributed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Distribution {
    /// The number of values.
    pub count: u64,
    /// The smallest.
    pub least: f64,
    /// The largest.
    pub greatest: f64,
    /// The standard deviation of the sample.
    pub deviation: f64,
    /// Those that were asked for.
    pub quantiles: Vec<QuantileData>,
    /// Bins of equal width, if they were asked for: where each begins, and how many values it has. The last one includes its end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bins: Vec<(f64, u64)>,
}

/// A quantile with its interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct QuantileData {
    /// Between 0 and 1.
    pub at: f64,
    /// The quantile of the sample; none: it is among the values that were cut off.
    pub value: Option<f64>,
    /// The lower end of the interval; none if the sample is too small.
    pub low: Option<f64>,
    /// The upper end; none if the sample is too small, or values were cut off.
    pub high: Option<f64>,
}

/// Minimum and maximum over all schedulers.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Extremes {
    /// Bounds of the minimum; none: infinite.
    pub minimum: (Option<f64>, Option<f64>),
    /// Bounds of the maximum.
    pub maximum: (Option<f64>, Option<f64>),
    /// The minimum is infinite.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub minimum_infinite: bool,
    /// The maximum is infinite.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub maximum_infinite: bool,
}

/// What should be known about an answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub enum EstimateNote {
    /// So many runs were cut short after this many steps.
    CutShort {
        /// The number of runs.
        runs: u64,
        /// The length of a run.
        steps: u64,
    },
    /// So many runs stopped in a deadlock before the goal.
    Deadlocks {
        /// The number of runs.
        runs: u64,
    },
    /// So many runs had no value: the expression was undefined.
    Undefined {
        /// The number of runs.
        runs: u64,
    },
    /// Reductions that were used.
    Reduced {
        /// Their names.
        by: Vec<String>,
        /// States before lumping.
        from: u64,
        /// States after it.
        to: u64,
    },
    /// The bounds are wider than what was asked for.
    Wider {
        /// The difference that was reached.
        reached: f64,
    },
    /// Somebody stopped the runs early. The interval is that of the first so many runs, with a smaller risk: it keeps its confidence
    /// although nobody decided beforehand when to stop.
    StoppedEarly {
        /// The runs that the interval is made of.
        runs: u64,
    },
    /// All values are equal, so the interval has no width. That does not prove that all runs have this value.
    NoSpread,
    /// How splitting was done.
    Split {
        /// The levels.
        levels: Vec<i64>,
        /// Independent repetitions: the interval is Student's over them.
        repetitions: u64,
        /// Those that did not come to the goal.
        without_goal: u64,
    },
    /// No run came to the goal, so nothing is known of its probability.
    NeverReached,
    /// The mean is that of the runs that have a value; nothing is known of the time that other runs take but that it is longer.
    AtLeast,
}
