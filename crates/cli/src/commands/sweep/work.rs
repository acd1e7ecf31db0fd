//! One point in a worker process, and what came of it as columns of a table.

use super::plan::Plan;
use crate::exit::Exit;
use serde_json::{Value as Json, json};
use std::time::{Duration, Instant};
use swarmcheck_session::estimate::{
    EstimateEnd, EstimateNote, EstimateReport, NoEstimate, NotExact, QueryResult,
};
use swarmcheck_session::event::Outcomes;
use swarmcheck_session::outcome::{Answer, Answered, Reason};
use swarmcheck_session::simulate::{SimulationEnd, SimulationReport};
use swarmcheck_session::{Event, Refusal, Request, words};
use swarmcheck_source::Severity;
use swarmcheck_sweep::journal::{Entry, Failure, FailureKind};
use swarmcheck_sweep::points::Point;
use swarmcheck_worker::{Limits, Next, Stop, Supervised, Worker, verify};

/// What came of a point.
pub enum Done {
    /// It has a result, or has failed.
    Entry(Box<Entry>),
    /// The user or the clock has ended everything before.
    Stopped,
    /// What is asked makes no sense at any point.
    Refused(Box<Refusal>),
    /// No worker could be started.
    Broken(String),
}

/// What work at a point may use.
#[derive(Clone, Copy)]
pub struct Share {
    /// For everything together.
    pub limits: Limits,
    /// For one point.
    pub timeout: Option<Duration>,
    /// Bytes for one worker.
    pub memory: Option<u64>,
}

impl Share {
    fn limits(&self) -> Limits {
        let timeout = [self.timeout, self.limits.left()].into_iter().flatten().min();
        let grace = swarmcheck_worker::GRACE;
        Limits { began: Instant::now(), timeout, memory: self.memory, grace, with_parent: false }
    }
}

/// The columns of a point so far.
#[derive(Default)]
struct Found {
    result: Vec<(String, Json)>,
    failure: Option<Failure>,
    violated: bool,
}

impl Found {
    fn put(&mut self, name: impl Into<String>, value: impl Into<Json>) {
        self.result.push((name.into(), value.into()));
    }

    /// The first reason counts.
    fn fail(&mut self, kind: FailureKind, why: impl Into<String>) {
        self.failure.get_or_insert(Failure { kind, why: why.into() });
    }

    fn failed(kind: FailureKind, why: impl Into<String>) -> Found {
        let mut found = Found::default();
        found.fail(kind, why);
        found
    }
}

/// Works on a point.
pub fn work(plan: &Plan, point: Point, share: Share, interrupted: &dyn Fn() -> bool) -> Done {
    let began = Instant::now();
    let request = plan.at(&point);
    let limits = share.limits();
    let over = || interrupted() || share.limits.expired();
    let found = match &request {
        Request::Verify { .. } => match verify(&request, limits, None, interrupted, &mut |_| {}) {
            Err(why) => return Done::Broken(why),
            Ok(Supervised { refusal: Some(refusal), .. }) => Err(refusal),
            Ok(Supervised { answers, .. }) => {
                let open = answers.iter().any(|answer| answer.verdict() == Answered::Unknown);
                if open && over() {
                    return Done::Stopped;
                }
                Ok(verdicts(&answers))
            }
        },
        _ => match ask(request, limits, interrupted) {
            Err(why) => return Done::Broken(why),
            Ok((Err(refusal), _)) => Err(refusal),
            Ok((Ok(result), stopped)) => {
                let found = match result {
                    Outcomes::Simulate { report } => runs(&report, stopped),
                    Outcomes::Estimate { report } => estimates(&report, stopped),
                    _ => Found::failed(FailureKind::Failure, "a worker has answered something else"),
                };
                if stopped.is_some() && over() {
                    return Done::Stopped;
                }
                Ok(found)
            }
        },
    };
    let Found { result, failure, violated } = match found {
        Ok(found) => found,
        Err(Refusal::Unfinished { .. }) if over() => return Done::Stopped,
        Err(refusal) => match refused(&refusal, plan.input.file.name()) {
            Some(found) => found,
            None => return Done::Refused(Box::new(refusal)),
        },
    };
    let seconds = (began.elapsed().as_secs_f64() * 1e6).round() / 1e6;
    let Point { index, values, seed } = point;
    Done::Entry(Box::new(Entry { point: index, values, seed, result, failure, violated, seconds }))
}

type Asked = (Result<Outcomes, Refusal>, Option<Stop>);

/// One request in one worker; the result or why there is none, and whether it was stopped.
pub fn ask(request: Request, limits: Limits, interrupted: &dyn Fn() -> bool) -> Result<Asked, String> {
    let mut worker = Worker::start(request, limits, None)?;
    let (mut result, mut refusal) = (None, None);
    let failure = loop {
        match worker.next(interrupted) {
            Next::Event(event) => match *event {
                Event::Done { result: all } => result = Some(*all),
                Event::Refused { refusal: why } => refusal = Some(why),
                _ => {}
            },
            Next::Done => break None,
            Next::Failed(failure) => break Some(failure),
        }
    };
    let stopped = worker.stopped();
    let unfinished = failure.map(|failure| Refusal::Unfinished { reason: failure.reason(vec![]) });
    let answer = match (result, refusal.or(unfinished)) {
        (Some(result), _) => Ok(result),
        (_, Some(mut refusal)) => {
            if stopped == Some(Stop::TimeLimit) {
                refusal.by_the_clock();
            }
            Err(refusal)
        }
        _ => Err(Refusal::Unfinished { reason: Reason::NoAnswer }),
    };
    Ok((answer, stopped))
}

/// Why a point has no result; none if no other point would have one either.
fn refused(refusal: &Refusal, model: &str) -> Option<Found> {
    let why = words::refusal(refusal);
    let kind = match refusal {
        // A query that is wrong is wrong everywhere.
        Refusal::Model { diagnostics } if diagnostics.iter().any(|d| d.file != model) => return None,
        Refusal::Model { diagnostics } => {
            let mut errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
            let count = errors.clone().count();
            let first = errors.next();
            let first = first.map(|d| format!("{}:{}: {}", d.place.line, d.place.column, d.message));
            let more = if count > 1 {
                format!(" (and {} more)", words::count(count - 1, "error"))
            } else {
                String::new()
            };
            let why = first.map_or(why, |first| format!("{first}{more}"));
            return Some(Found::failed(FailureKind::Model, why));
        }
        Refusal::Unfinished { reason } => kind_of(reason),
        Refusal::NoEstimate { why: NoEstimate::NotExact { why: NotExact::TooLarge { .. }, .. } } => {
            FailureKind::Inconclusive
        }
        _ => match Exit::of_refusal(refusal) {
            Exit::Usage => return None,
            Exit::Failure => FailureKind::Failure,
            _ => FailureKind::Model,
        },
    };
    Some(Found::failed(kind, why))
}

fn kind_of(reason: &Reason) -> FailureKind {
    match reason {
        reason if reason.is_bug() => FailureKind::Failure,
        reason if reason.includes(&Reason::TimeLimit) => FailureKind::TimeLimit,
        Reason::WorkerEnded { .. } => FailureKind::Failure,
        _ => FailureKind::Inconclusive,
    }
}

/// A column for each property: its verdict.
fn verdicts(answers: &[Answer]) -> Found {
    let mut found = Found::default();
    for answer in answers {
        found.put(&answer.name, answer.outcome.word());
        found.violated |= answer.verdict() == Answered::Violated;
        let why = || format!("{}: {}", answer.name, words::outcome(&answer.outcome));
        match (answer.verdict(), answer.reason()) {
            (Answered::ModelError, _) => found.fail(FailureKind::Model, why()),
            (_, Some(reason)) => found.fail(kind_of(reason), why()),
            _ => {}
        }
    }
    found
}

/// How many runs show what of each property.
fn runs(report: &SimulationReport, stopped: Option<Stop>) -> Found {
    let why = || words::simulation(report).into_iter().next().unwrap_or_default();
    match &report.end {
        SimulationEnd::Complete => {}
        SimulationEnd::Interrupted if stopped == Some(Stop::TimeLimit) => {
            return Found::failed(FailureKind::TimeLimit, "the time limit was reached");
        }
        SimulationEnd::Interrupted => return Found::failed(FailureKind::Inconclusive, "interrupted"),
        SimulationEnd::InitialStateNotFound { .. } => return Found::failed(FailureKind::Inconclusive, why()),
        SimulationEnd::ModelError { error } | SimulationEnd::InitialError { error } => {
            return Found::failed(FailureKind::Model, words::fault(error));
        }
        SimulationEnd::NoInitialState { .. } | SimulationEnd::NoRates => {
            return Found::failed(FailureKind::Model, why());
        }
        SimulationEnd::TooManyChoices { .. } => {
            let last = words::simulation(report).pop().unwrap_or_default();
            return Found::failed(FailureKind::Inconclusive, last);
        }
    }
    let mut found = Found::default();
    found.put("runs", report.runs);
    found.put("steps", report.steps);
    found.put("deadlocks", report.deadlocks);
    for tally in &report.properties {
        let name = &tally.name;
        found.put(format!("{name}.satisfied"), tally.satisfied);
        found.put(format!("{name}.violated"), tally.violated);
        found.put(format!("{name}.true_at_end"), tally.true_at_end);
        found.violated |= tally.violated > 0;
    }
    found
}

/// The value of each query and its interval.
fn estimates(report: &EstimateReport, stopped: Option<Stop>) -> Found {
    match &report.end {
        EstimateEnd::Complete => {}
        EstimateEnd::Interrupted if stopped == Some(Stop::TimeLimit) => {
            return Found::failed(FailureKind::TimeLimit, "the time limit was reached");
        }
        EstimateEnd::Interrupted => return Found::failed(FailureKind::Inconclusive, "interrupted"),
        EstimateEnd::ModelError { error } => return Found::failed(FailureKind::Model, words::fault(error)),
        EstimateEnd::NoInitialState { .. } => {
            return Found::failed(FailureKind::Model, "no initial state satisfies the assumptions");
        }
        EstimateEnd::InitialStatesTooRare { .. } => {
            return Found::failed(
                FailureKind::Inconclusive,
                "the assumptions refuse almost all initial states that are drawn",
            );
        }
        EstimateEnd::ChoicesTooRare { line, column, .. } => {
            let why = format!("{line}:{column}: almost all ways to make the choices of this step get stuck");
            return Found::failed(FailureKind::Inconclusive, why);
        }
    }
    let mut found = Found::default();
    report.results.iter().for_each(|result| estimate(result, &mut found));
    found
}

fn estimate(result: &QueryResult, found: &mut Found) {
    let name = &result.query;
    let is_exact = result.runs == 0;
    match (result.infinite, result.notes.contains(&EstimateNote::AtLeast)) {
        (true, _) => found.put(name, "inf"),
        // What is only a lower bound would be taken for the value.
        (false, true) => found.put(name, json!(null)),
        (false, false) => found.put(name, json!(result.value)),
    }
    found.put(format!("{name}.low"), json!(result.low));
    found.put(format!("{name}.high"), json!(result.high));
    if let Some(decision) = result.decision {
        found.put(format!("{name}.decision"), json!(decision));
    }
    if !is_exact {
        found.put(format!("{name}.runs"), result.runs);
        found.put(format!("{name}.undecided"), result.undecided);
    }
    if let Some(extremes) = &result.extremes {
        for (which, (low, high)) in [("min", extremes.minimum), ("max", extremes.maximum)] {
            found.put(format!("{name}.{which}.low"), low.map_or(json!("inf"), |low| json!(low)));
            found.put(format!("{name}.{which}.high"), high.map_or(json!("inf"), |high| json!(high)));
        }
    }
    if let Some(distribution) = &result.distribution {
        found.put(format!("{name}.deviation"), json!(distribution.deviation));
        for quantile in &distribution.quantiles {
            let at = format!("{name}.q{}", quantile.at);
            found.put(at.clone(), json!(quantile.value));
            found.put(format!("{at}.low"), json!(quantile.low));
            found.put(format!("{at}.high"), json!(quantile.high));
        }
    }
}
