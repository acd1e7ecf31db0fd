//! Estimates in words: what "random" means, results, and why there are none.

mod numbers;

use crate::estimate::{
    Decision, Distribution, EstimateEnd, EstimateNote, EstimateNumber, EstimateReport, IntervalKind, LawData,
    ManyExecutions, NoEstimate, NotExact, OneQueryMethod, Quantity, QueryResult, SchedulerWord,
};
use crate::words::{count, fault, no_initial_state, places};
use numbers::{bounds, number, percent};

/// A report as lines: a line for each result with what should be known about it, what "random" means, and how the work ended if
/// it did not come to its end.
pub fn estimate(report: &EstimateReport) -> Vec<String> {
    let mut lines = vec![];
    let width = report.results.iter().map(|r| r.query.chars().count()).max().unwrap_or(0).min(60);
    for result in &report.results {
        lines.push(line(result, width));
        lines.extend(result.distribution.iter().flat_map(distribution));
        lines.extend(result.notes.iter().map(|n| format!("  {}", note(n, result))));
    }
    if let (Some(states), Some(transitions)) = (report.states, report.transitions) {
        lines.push(format!(
            "{}: {}, {}",
            if report.law.scheduler == SchedulerWord::Any { "decision process" } else { "chain" },
            count(states as usize, "state"),
            count(transitions as usize, "transition")
        ));
    }
    lines.push(law(&report.law, report.seed));
    lines.extend(end(report));
    lines
}

/// What "random" means, as a sentence.
pub fn law(law: &LawData, seed: Option<u64>) -> String {
    let kinds = if law.messages {
        "an action of an agent, or the delivery of a message"
    } else {
        "an action of an agent"
    };
    let turn = if law.messages { " and of all deliveries of messages" } else { "" };
    let step = match (law.scheduler, law.turns) {
        (SchedulerWord::Any, _) => {
            format!(
                "which enabled step ({kinds}) is made is left open: minimum and maximum are over all schedulers"
            )
        }
        (SchedulerWord::Rates, _) => format!(
            "every enabled step ({kinds}) waits for an exponentially distributed time with its rate, and the first one is made"
        ),
        (SchedulerWord::Agents, true) => format!(
            "agents take turns in circular order; an agent that may make a step is drawn, then one of its steps ({kinds}), each \
             equally likely"
        ),
        (SchedulerWord::Agents, false) => {
            format!(
                "every agent that has an enabled step is equally likely, then each of its steps ({kinds})"
            )
        }
        (_, true) => format!(
            "agents take turns in circular order; of the steps of the agent whose turn it is{turn}, each is equally likely"
        ),
        (_, false) => format!("every enabled step ({kinds}) is equally likely"),
    };
    let inside = match law.choices_inside {
        true => {
            "values inside a step are drawn uniformly after the step is chosen, all of them again if it gets stuck"
        }
        false => "steps draw no values",
    };
    let initial = match (law.initial_choices, law.assumptions) {
        (true, true) => "initial values are drawn uniformly, all of them again until the assumptions hold",
        (true, false) => "initial values are drawn uniformly",
        (false, _) => "there is one initial state",
    };
    let seed = seed.map_or(String::new(), |seed| format!("; seed {seed}"));
    format!("random: {step}; {inside}; {initial}{seed}")
}

fn line(result: &QueryResult, width: usize) -> String {
    let query = format!("{:<width$}", result.query);
    let decision = match result.decision {
        Some(Decision::Accepted) => "   accepted",
        Some(Decision::Rejected) => "   rejected",
        Some(Decision::Undecided) => "   undecided",
        None => "",
    };
    format!("{query}{decision}   {}", value(result))
}

/// The number and its interval.
fn value(result: &QueryResult) -> String {
    let runs = count(usize::try_from(result.runs).unwrap_or(usize::MAX), "run");
    let confidence = result.confidence.map_or(String::new(), |c| format!("{} confidence, ", percent(c)));
    if let Some(extremes) = &result.extremes {
        let side = |(low, high), infinite| match infinite {
            true => "infinite".to_string(),
            false => bounds(low, high),
        };
        let least = side(extremes.minimum, extremes.minimum_infinite);
        let most = side(extremes.maximum, extremes.maximum_infinite);
        return format!("minimum {least}, maximum {most}");
    }
    if result.infinite {
        return match result.runs {
            0 => "infinite".to_string(),
            _ => format!("infinite   {runs}"),
        };
    }
    let at_least = result.notes.contains(&EstimateNote::AtLeast);
    let shown = match (result.value, at_least) {
        (Some(value), false) => number(value, result.low, result.high),
        (Some(value), true) => format!("at least {}", number(value, result.low, result.high)),
        (None, _) => "–".to_string(),
    };
    match result.interval {
        IntervalKind::Certain => match &result.fraction {
            Some(fraction) if fraction.len() <= 40 => format!("{shown}   exactly {fraction}"),
            _ => format!("{shown}   {}", bounds(result.low, result.high)),
        },
        IntervalKind::Wald => format!("{shown}   {confidence}{runs} (Wald's test)"),
        kind => {
            format!("{shown}   {}   {confidence}{runs} ({})", bounds(result.low, result.high), method(kind))
        }
    }
}

fn method(kind: IntervalKind) -> &'static str {
    match kind {
        IntervalKind::ClopperPearson => "Clopper–Pearson",
        IntervalKind::Massart => "sequential, Massart",
        IntervalKind::Wald => "Wald's test",
        IntervalKind::Student => "Student",
        IntervalKind::Hoeffding => "Hoeffding",
        IntervalKind::Splitting => "splitting",
        IntervalKind::Certain => "certain",
    }
}

/// What should be known about an answer, as a sentence.
pub fn note(note: &EstimateNote, result: &QueryResult) -> String {
    let runs = |n: &u64| count(usize::try_from(*n).unwrap_or(usize::MAX), "run");
    match note {
        EstimateNote::CutShort { runs: n, steps } => {
            let consequence = match result.quantity {
                Quantity::Probability => "the low end counts them as violated, the high end as satisfied",
                _ => "their values are at least those of the last state",
            };
            let after = if *steps > 0 { format!(" after {steps} steps") } else { String::new() };
            format!("{} undecided: cut short{after}; {consequence}", runs(n))
        }
        EstimateNote::Deadlocks { runs: n } => {
            format!("{} stopped in a deadlock before the goal, which is then never reached", runs(n))
        }
        EstimateNote::Undefined { runs: n } => {
            format!("{} had no value, because the expression was undefined; the mean is that of the others", runs(n))
        }
        EstimateNote::Reduced { by, from, to } => {
            format!("reduced by {}: {from} states became {to}", by.join(" and "))
        }
        EstimateNote::Wider { reached } => format!("the bounds are {reached:.1e} apart, more than was asked for"),
        EstimateNote::StoppedEarly { runs: n } => match result.quantity {
            Quantity::Probability => format!(
                "stopped early: the interval is that of the first {}, widened so that it keeps its confidence whenever somebody stops",
                runs(n)
            ),
            _ => "stopped early: the confidence is that of a number of runs that was fixed beforehand".to_string(),
        },
        EstimateNote::NoSpread => {
            "all values are equal, so the interval has no width; that does not prove that every run has this value".to_string()
        }
        EstimateNote::Split { levels, repetitions, without_goal } => {
            let list: Vec<String> = levels.iter().map(ToString::to_string).collect();
            let at = if list.is_empty() { "no levels".to_string() } else { format!("levels {}", list.join(", ")) };
            format!("{at}; {repetitions} independent repetitions, {without_goal} of them without the goal")
        }
        EstimateNote::NeverReached => "no run came to the goal, so nothing is known of its probability".to_string(),
        EstimateNote::AtLeast => "the expected value is at least this, because runs were cut short".to_string(),
    }
}

fn distribution(data: &Distribution) -> Vec<String> {
    let mut lines = vec![format!(
        "  {} from {} to {}, standard deviation {}",
        count(usize::try_from(data.count).unwrap_or(usize::MAX), "value"),
        number(data.least, None, None),
        number(data.greatest, None, None),
        number(data.deviation, None, None)
    )];
    for quantile in &data.quantiles {
        // The ends are values of the sample.
        let end = |value: Option<f64>, none: &str| {
            value.map_or(none.to_string(), |value| number(value, None, None))
        };
        lines.push(format!(
            "  quantile {}: {}   [{}, {}]",
            quantile.at,
            end(quantile.value, "cut off"),
            end(quantile.low, "–∞"),
            end(quantile.high, "∞")
        ));
    }
    let most = data.bins.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    for (from, count) in &data.bins {
        let bar = "#".repeat((count * 40).div_ceil(most) as usize);
        lines.push(format!("  {:>12}  {count:>8}  {bar}", number(*from, None, None)).trim_end().to_string());
    }
    lines
}

/// How the work ended, if not with all runs.
fn end(report: &EstimateReport) -> Option<String> {
    match &report.end {
        EstimateEnd::Complete => None,
        EstimateEnd::Interrupted => Some(match report.seed {
            Some(_) => format!(
                "interrupted after {}",
                count(usize::try_from(report.runs).unwrap_or(usize::MAX), "run")
            ),
            None => "interrupted".to_string(),
        }),
        EstimateEnd::ModelError { error } => Some(format!("model error: {}", fault(error))),
        EstimateEnd::NoInitialState { assumptions } => Some(no_initial_state(assumptions)),
        EstimateEnd::InitialStatesTooRare { assumptions } => Some(format!(
            "initial states cannot be drawn: the assumptions{} refuse almost everything that is drawn; weaker assumptions, or initial \
             values that satisfy them more often, may help",
            places(assumptions)
        )),
        EstimateEnd::ChoicesTooRare { file, line, column } => Some(format!(
            "steps cannot be drawn: almost all ways to choose inside the action at {file}:{line}:{column} get stuck"
        )),
    }
}

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
        NoEstimate::TwoReadings { property } => format!(
            "{property}: the formula can be read in two ways, and each has a probability of its own; choose how operators bind, or name \
             one of the readings"
        ),
        NoEstimate::NoBound { query } => format!(
            "{query}: only 'always', 'eventually', 'finally' and 'ltl' can be bounded by 'within'; leave it out"
        ),
        NoEstimate::TooManyCopies { most } => format!(
            "one run is split into more than {most}: fewer copies, or fewer levels, are enough if about one copy in so many reaches the \
             next level"
        ),
        NoEstimate::TooManyRuns => "so small a width needs more runs than can be counted".to_string(),
        NoEstimate::Threshold { query } => {
            format!("{query}: a test needs a threshold above 0 and below 1, because no number of runs decides the others")
        }
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
        NotExact::Distribution => "quantiles and histograms are estimated, not computed".to_string(),
        NotExact::Extremes => "the minimum and maximum of this over all schedulers cannot be computed".to_string(),
        NotExact::TooLarge { states } => format!(
            "there are more than {states} states, which are too many to be computed with; random runs can estimate it"
        ),
        NotExact::TooManyTransitions { transitions } => format!(
            "there are more than {transitions} transitions, which are too many to be computed with; random runs can estimate it"
        ),
        NotExact::Scope => "properties with a scope are estimated, not computed".to_string(),
        NotExact::BoundedFormula => "formulas of linear time with a bound are estimated, not computed; leave out 'within', or \
             ask for 'eventually', 'always' or 'until' within the bound"
            .to_string(),
        NotExact::Undefined => {
            "the expression is undefined in a state that counts, so there is no expected value".to_string()
        }
        NotExact::TooFine => {
            "the probabilities of single steps are fractions with too large denominators; random runs can estimate it".to_string()
        }
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
