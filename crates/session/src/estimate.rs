//! How likely, how long: estimates from random runs, and exact values.
//!
//! A query is cut into parts (`query`); parts are read in the language of the model, behind its text (`crate::asked`), and become conditions
//! and values of the program (`plan`). Runs are followed until they decide all queries (`follow`), and counted (`tally`); or the
//! exact engine computes.

mod data;
mod exact;
mod follow;
mod law;
mod plan;
mod query;
mod refused;
mod sampling;
mod splitting;
mod tally;

pub use data::*;
pub use query::has_threshold;
pub use refused::*;

use crate::open::Prepared;
use crate::refusal::Refusal;
use plan::Plan;
use query::Comparison;
use swarmcheck_engine::Control;

/// Answers the queries about a model by random runs, or exactly. The queries are read in the language of the model, which is
/// read once more with them; a model that was opened without turns is opened with them for the scheduler `round_robin`.
pub fn estimate(
    prepared: &Prepared,
    options: &EstimateOptions,
    control: &Control<'_>,
) -> Result<EstimateReport, Refusal> {
    let refuse = |why: NoEstimate| Refusal::NoEstimate { why };
    in_range(options).map_err(refuse)?;
    let (opened, plan) = plan::plan(prepared, options, control.stop)?;
    answerable(&plan, options).map_err(refuse)?;
    let law = law::law(&opened, options.scheduler);
    let scheduler = law::scheduler(&opened, options)?;
    match &options.method {
        Method::Exact { error } => exact::compute(&opened, &plan, *error, law, &scheduler, control),
        Method::Splitting { .. } => splitting::split(&opened, &plan, options, law, &scheduler, control),
        _ => sampling::sample(&opened, &plan, options, law, &scheduler, control),
    }
}

/// Whether all numbers are in their ranges.
fn in_range(options: &EstimateOptions) -> Result<(), NoEstimate> {
    let inside = |number: f64| number > 0.0 && number < 1.0;
    let check = |fine: bool, number: EstimateNumber, given: f64| match fine {
        true => Ok(()),
        false => Err(NoEstimate::OutOfRange { number, given }),
    };
    check(inside(options.confidence), EstimateNumber::Confidence, options.confidence)?;
    check(options.threads > 0, EstimateNumber::Threads, 0.0)?;
    check(options.most_steps != Some(0), EstimateNumber::MostSteps, 0.0)?;
    for quantile in &options.quantiles {
        check(inside(*quantile), EstimateNumber::Quantile, *quantile)?;
    }
    if let Some(bins) = options.bins {
        check((1..=10_000).contains(&bins), EstimateNumber::Bins, f64::from(bins))?;
    }
    match &options.method {
        Method::Runs { runs } => check(*runs > 0, EstimateNumber::Runs, 0.0),
        Method::Width { width } => check(inside(*width), EstimateNumber::Width, *width),
        Method::Test { indifference } => {
            check(inside(*indifference), EstimateNumber::Indifference, *indifference)
        }
        Method::Exact { error } => check(inside(*error), EstimateNumber::Error, *error),
        Method::Splitting { runs, levels, .. } => {
            check(*runs > 0, EstimateNumber::Runs, 0.0)?;
            let rising = levels.windows(2).all(|pair| pair[0] < pair[1]);
            if rising { Ok(()) } else { Err(NoEstimate::Levels) }
        }
    }
}

/// Whether the method can answer the queries.
fn answerable(plan: &Plan, options: &EstimateOptions) -> Result<(), NoEstimate> {
    let exact = matches!(options.method, Method::Exact { .. });
    if options.scheduler == SchedulerWord::Any && !exact {
        return Err(NoEstimate::AnyNeedsExact);
    }
    for query in &plan.queries {
        let text = || query.text.clone();
        if query.measure.names_time() && options.scheduler != SchedulerWord::Rates {
            return Err(NoEstimate::NoTime { query: text() });
        }
        if query.optimum.is_some() && options.scheduler != SchedulerWord::Any {
            return Err(NoEstimate::ExtremesNeedAny { query: text() });
        }
        if exact {
            continue;
        }
        if matches!(query.measure, plan::Measure::LongRun(_)) {
            return Err(NoEstimate::NeedsExact { query: text() });
        }
        if !query.measure.is_bounded() && options.most_steps.is_none() {
            return Err(NoEstimate::Unbounded { query: text() });
        }
    }
    Ok(())
}

/// What an interval says about a threshold.
fn decided(comparison: Comparison, low: Option<f64>, high: Option<f64>, infinite: bool) -> Decision {
    let high = if infinite { Some(f64::INFINITY) } else { high };
    let low = if infinite { Some(f64::INFINITY) } else { low };
    let (least, most) = (low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY));
    match (comparison.holds(least), comparison.holds(most)) {
        (true, true) => Decision::Accepted,
        (false, false) => Decision::Rejected,
        _ => Decision::Undecided,
    }
}
