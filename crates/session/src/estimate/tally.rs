//! What the runs say about a query: counts, the rule that says when there are enough, and the answer that is made of them.

use super::follow::RunAnswer;
use super::plan::{Measure, Planned};
use super::{
    Decision, Distribution, EstimateNote, EstimateNumber, EstimateOptions, IntervalKind, Method, NoEstimate,
    QuantileData, Quantity, QueryResult,
};
use swarmcheck_statistics::massart::Sequential;
use swarmcheck_statistics::mean::Moments;
use swarmcheck_statistics::sample::Sample;
use swarmcheck_statistics::wald::Wald;
use swarmcheck_statistics::{Interval, Refused, clopper_pearson};

/// When there are enough runs.
enum Rule {
    /// When all have been made.
    Fixed,
    /// When the interval is narrow enough; looked at after this many runs.
    Width { rule: Sequential, look: u64 },
    /// When the test decides. Undecided runs may make that impossible: then the test of those that are satisfied for sure says no,
    /// and the test of those that may be says yes.
    Test { test: Wald, surely: Wald, maybe: Wald },
}

/// Counts over the runs so far.
#[derive(Clone, Copy, Default)]
struct Counts {
    runs: u64,
    satisfied: u64,
    violated: u64,
    undecided: u64,
}

/// One query over many runs.
pub(crate) struct Tally {
    truth: bool,
    counts: Counts,
    /// The counts after the last power of two, and its exponent: for intervals when somebody stops the runs.
    epoch: (Counts, u32),
    never: u64,
    undefined: u64,
    moments: Moments,
    /// Without the values of runs that were cut short.
    known: Moments,
    sample: Option<Sample>,
    rule: Rule,
    enough: bool,
}

impl Tally {
    pub(crate) fn new(query: &Planned, options: &EstimateOptions) -> Result<Tally, NoEstimate> {
        let truth = query.measure.is_truth();
        let rule = match (&options.method, query.comparison) {
            (Method::Width { width }, _) if truth => {
                let rule =
                    Sequential::new(*width, options.confidence).map_err(|e| refused(e, options, query))?;
                let look = rule.runs_needed(0, 0, 0);
                Rule::Width { rule, look }
            }
            (Method::Width { .. }, _) => {
                return Err(NoEstimate::OneQuery { method: super::OneQueryMethod::Width });
            }
            (Method::Test { indifference }, Some(comparison)) if truth => {
                let test = Wald::new(comparison.threshold, *indifference, options.confidence);
                let test = test.map_err(|e| refused(e, options, query))?;
                Rule::Test { surely: test.clone(), maybe: test.clone(), test }
            }
            (Method::Test { .. }, _) => {
                return Err(NoEstimate::OneQuery { method: super::OneQueryMethod::Test });
            }
            _ => Rule::Fixed,
        };
        let distribution = !options.quantiles.is_empty() || options.bins.is_some();
        Ok(Tally {
            truth,
            counts: Counts::default(),
            epoch: (Counts::default(), 0),
            never: 0,
            undefined: 0,
            moments: Moments::new(),
            known: Moments::new(),
            sample: (distribution && !truth).then(Sample::new),
            rule,
            enough: false,
        })
    }

    /// Whether no more runs are needed. A rule that has stopped hears of no more runs.
    pub(crate) fn is_enough(&self) -> bool {
        self.enough
    }

    pub(crate) fn push(&mut self, answer: RunAnswer) {
        if self.enough {
            return;
        }
        let counts = &mut self.counts;
        counts.runs += 1;
        match answer {
            RunAnswer::Satisfied => counts.satisfied += 1,
            RunAnswer::Violated => counts.violated += 1,
            RunAnswer::Undecided => counts.undecided += 1,
            RunAnswer::Value(value) => {
                counts.satisfied += 1;
                self.moments.push(value);
                self.known.push(value);
                self.sample.iter_mut().for_each(|sample| sample.push(value));
            }
            RunAnswer::AtLeast(value) => {
                counts.undecided += 1;
                self.moments.push(value);
                self.sample.iter_mut().for_each(|sample| sample.push_cut(value));
            }
            RunAnswer::Never => {
                counts.violated += 1;
                self.never += 1;
                self.sample.iter_mut().for_each(|sample| sample.push_cut(f64::INFINITY));
            }
            RunAnswer::Undefined => self.undefined += 1,
        }
        let counts = self.counts;
        if counts.runs.is_power_of_two() {
            self.epoch = (counts, counts.runs.ilog2());
        }
        match &mut self.rule {
            Rule::Fixed => {}
            Rule::Width { rule, look } => {
                if counts.runs == *look {
                    self.enough = rule.enough(counts.satisfied, counts.undecided, counts.runs);
                    *look = rule.runs_needed(counts.satisfied, counts.undecided, counts.runs);
                }
            }
            Rule::Test { test, surely, maybe } => {
                match answer {
                    RunAnswer::Undecided => {
                        test.record_undecided();
                        surely.record(false);
                        maybe.record(true);
                    }
                    answer => {
                        let satisfied = answer == RunAnswer::Satisfied;
                        test.record(satisfied);
                        surely.record(satisfied);
                        maybe.record(satisfied);
                    }
                }
                self.enough = test.decision().is_some()
                    || surely.decision() == Some(false) && maybe.decision() == Some(true);
            }
        }
    }

    /// The answer. `complete` says that nobody has stopped the runs early.
    pub(crate) fn result(&self, query: &Planned, options: &EstimateOptions, complete: bool) -> QueryResult {
        let Counts { runs, satisfied, violated, undecided } = self.counts;
        let mut notes = vec![];
        if undecided > 0 {
            let steps = query.measure.last_step().or(options.most_steps).unwrap_or(0);
            notes.push(EstimateNote::CutShort { runs: undecided, steps });
        }
        let stopped = !complete && !self.enough && !matches!(self.rule, Rule::Test { .. });
        let mut result = QueryResult {
            query: query.text.clone(),
            quantity: if self.truth { Quantity::Probability } else { Quantity::Expectation },
            value: None,
            low: None,
            high: None,
            infinite: false,
            confidence: Some(options.confidence),
            interval: IntervalKind::ClopperPearson,
            runs,
            satisfied,
            violated,
            undecided,
            decision: None,
            distribution: None,
            extremes: None,
            fraction: None,
            notes,
        };
        if self.truth {
            self.probability(&mut result, options, stopped);
        } else {
            self.expectation(&mut result, query, options, stopped);
        }
        result.decision = query.comparison.map(|comparison| match &self.rule {
            Rule::Test { test, .. } => match test.decision() {
                Some(above) if above == comparison.upwards => Decision::Accepted,
                Some(_) => Decision::Rejected,
                None => Decision::Undecided,
            },
            _ => super::decided(comparison, result.low, result.high, result.infinite),
        });
        result
    }

    fn probability(&self, result: &mut QueryResult, options: &EstimateOptions, stopped: bool) {
        let Counts { runs, satisfied, undecided, .. } = self.counts;
        if runs > 0 && undecided == 0 {
            result.value = Some(satisfied as f64 / runs as f64);
        }
        let interval = match &self.rule {
            _ if stopped => {
                // The k-th epoch may fail with α / ((k+1)(k+2)); all of them together with at most α. So the interval is right
                // whenever somebody stops, also if that depends on what has been seen.
                let (counts, k) = self.epoch;
                let share = f64::from(k + 1) * f64::from(k + 2);
                let confidence = 1.0 - (1.0 - options.confidence) / share;
                result.notes.push(EstimateNote::StoppedEarly { runs: counts.runs });
                clopper_pearson(counts.satisfied, counts.undecided, counts.runs, confidence)
            }
            Rule::Fixed => clopper_pearson(satisfied, undecided, runs, options.confidence),
            Rule::Width { rule, .. } => {
                result.interval = IntervalKind::Massart;
                rule.interval(satisfied, undecided, runs)
            }
            Rule::Test { .. } => {
                result.interval = IntervalKind::Wald;
                return;
            }
        };
        (result.low, result.high) = (Some(interval.low), Some(interval.high));
    }

    fn expectation(
        &self,
        result: &mut QueryResult,
        query: &Planned,
        options: &EstimateOptions,
        stopped: bool,
    ) {
        result.interval = IntervalKind::Student;
        let awaits = matches!(query.measure, Measure::StepsUntil(_) | Measure::TimeUntil(_));
        if self.undefined > 0 {
            result.notes.push(EstimateNote::Undefined { runs: self.undefined });
        }
        if self.never > 0 {
            result.notes.push(EstimateNote::Deadlocks { runs: self.never });
        }
        let Interval { low, high } = self.moments.student(options.confidence);
        let finite = |number: f64| number.is_finite().then_some(number);
        if awaits && self.never > 0 {
            // A run that stops before the goal takes for ever, and it has a probability above 0.
            result.infinite = true;
            result.confidence = None;
            result.interval = IntervalKind::Certain;
        } else {
            result.value = self.moments.mean();
            result.low = finite(low);
            // Nothing is known of how much longer the runs that were cut short would have been.
            result.high = if self.counts.undecided > 0 { None } else { finite(high) };
            if self.counts.undecided > 0 {
                result.notes.push(EstimateNote::AtLeast);
            }
            if self.moments.deviation() == Some(0.0) {
                result.notes.push(EstimateNote::NoSpread);
            }
            if stopped {
                result.notes.push(EstimateNote::StoppedEarly { runs: self.counts.runs });
            }
        }
        result.distribution = self.sample.as_ref().and_then(|sample| self.distribution(sample, options));
    }

    fn distribution(&self, sample: &Sample, options: &EstimateOptions) -> Option<Distribution> {
        let quantile = |at: &f64| {
            let found = sample.quantile(*at, options.confidence);
            let finite = |number: Option<f64>| number.filter(|number| number.is_finite());
            QuantileData {
                at: *at,
                value: finite(found.value),
                low: finite(found.low),
                high: finite(found.high),
            }
        };
        let bins = options.bins.map(|bins| sample.histogram(bins)).unwrap_or_default();
        Some(Distribution {
            count: sample.count(),
            least: sample.least()?,
            greatest: sample.greatest()?,
            deviation: self.known.deviation().unwrap_or(0.0),
            quantiles: options.quantiles.iter().map(quantile).collect(),
            bins: bins.iter().map(|bin| (bin.from, bin.count)).collect(),
        })
    }
}

fn refused(why: Refused, options: &EstimateOptions, query: &Planned) -> NoEstimate {
    let out = |number, given| NoEstimate::OutOfRange { number, given };
    match (why, &options.method) {
        (Refused::Width, Method::Width { width }) => out(EstimateNumber::Width, *width),
        (Refused::Indifference, Method::Test { indifference }) => {
            out(EstimateNumber::Indifference, *indifference)
        }
        (Refused::Threshold, _) => NoEstimate::Threshold { query: query.text.clone() },
        (Refused::TooManyRuns, _) => NoEstimate::TooManyRuns,
        _ => out(EstimateNumber::Confidence, options.confidence),
    }
}
