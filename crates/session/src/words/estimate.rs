//! Estimates in words: what "random" means, results, and why there are none.

use crate::estimate::{EstimateNumber, ManyExecutions, NoEstimate, NotExact, OneQueryMethod};

/// Why something cannot be estimated. How to do better is said where options have names, but for what does not depend on them.
pub fn refused(why: &NoEstimate) -> String {
    match why {
        NoEstimate::Nothing => {
            "nothing is asked: give a query, as in 'P(eventually p within 100 steps)', or name a property".to_string()
        }
        NoEstimate::Unbounded { query } => format!(
            "{query}: a run may go on for ever before this is decided, so runs need a bound; write 'within N steps' in the \
             query, or say how many steps a run may have"
        ),
        NoEstimate::AllExecutions { property, modality } => format!(
            "{property}: {} speaks of all executions together, so a single run neither satisfies nor violates it; it can be \
             verified, not estimated",
            match modality {
                ManyExecutions::Fairly => "'fairly'",
                ManyExecutions::FairlyInf => "'fairly_inf'",
                ManyExecutions::Possibility => "a property that says what is possible",
            }
        ),
        NoEstimate::NoTime { query } => {
            format!("{query}: steps take no time here; time is known with the rates of a model only")
        }
        NoEstimate::NoRates => "the model gives no rates: write 'rate' for agents or actions in the model, or choose \
                                another scheduler"
            .to_string(),
        NoEstimate::AnyNeedsExact => {
            "random runs need a law by which steps are drawn, and 'any' has none: all schedulers are considered by the \
             exact method only"
                .to_string()
        }
        NoEstimate::ExtremesNeedAny { query } => format!(
            "{query}: minimum and maximum are taken over all schedulers, so the scheduler must be 'any'"
        ),
        NoEstimate::OneValueOfMany { query } => format!(
            "{query}: with all schedulers there is no single value; ask for the minimum or the maximum, as in Pmin(…) and \
             Pmax(…)"
        ),
        NoEstimate::NeedsExact { query } => {
            format!("{query}: this cannot be estimated from runs of limited length; the exact method computes it")
        }
        NoEstimate::NotExact { query, why } => format!("{query}: {}", not_exact(why)),
        NoEstimate::OutOfRange { number, given } => format!("{given} is no {}", range(*number)),
        NoEstimate::OneQuery { method } => match method {
            OneQueryMethod::Test => {
                "a test decides one probability with a comparison, as in 'P(…) >= 0.9': give one such query".to_string()
            }
            OneQueryMethod::Splitting => {
                "splitting estimates the probability that something is reached: give one query of the form \
                 'P(eventually p …)'"
                    .to_string()
            }
            OneQueryMethod::Width => {
                "a wanted width is for probabilities: give queries of the form 'P(…)' without comparison, or a number of \
                 runs"
                    .to_string()
            }
        },
        NoEstimate::Levels => "splitting needs levels, each higher than the one before".to_string(),
    }
}

fn not_exact(why: &NotExact) -> String {
    match why {
        NotExact::AtTheEnd => {
            "the value at the end of a run depends on how long runs are; it can be estimated, and 'EXPR after N' can be \
             computed"
                .to_string()
        }
        NotExact::Time => "time cannot be computed exactly; it can be estimated".to_string(),
        NotExact::Distribution => "quantiles and histograms are estimated, not computed".to_string(),
        NotExact::Extremes => "the minimum and maximum of this over all schedulers cannot be computed".to_string(),
        NotExact::TooLarge { states } => format!(
            "there are more than {states} states, which are too many to be computed with; random runs can estimate it"
        ),
        NotExact::Other { why } => why.clone(),
    }
}

fn range(number: EstimateNumber) -> &'static str {
    match number {
        EstimateNumber::Confidence => "confidence: it lies between 0 and 1, without both, as in 0.95",
        EstimateNumber::Width => "width of an interval: it lies between 0 and 1, without both, as in 0.02",
        EstimateNumber::Indifference => {
            "indifference: it is above 0, and the threshold plus and minus it lies between 0 and 1, as in 0.01"
        }
        EstimateNumber::Runs => "number of runs: it is at least 1",
        EstimateNumber::Threads => "number of threads: it is at least 1",
        EstimateNumber::Quantile => "quantile: it lies between 0 and 1, without both, as in 0.9",
        EstimateNumber::Bins => "number of bins: it lies between 1 and 10000",
        EstimateNumber::Error => "error: it is above 0 and below 1, as in 1e-9",
        EstimateNumber::MostSteps => "number of steps: it is at least 1",
    }
}
