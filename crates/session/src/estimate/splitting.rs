//! Splitting for rare events: the method is that of `swarmcheck_statistics::splitting`, the runs are ours.
//!
//! Every repetition has random numbers of its own, so results do not depend on threads. A run that is continued gets a new generator each time.

use super::follow::{Course, Follower};
use super::plan::{Cond, Measure, Plan};
use super::query::Bound;
use super::{
    EstimateEnd, EstimateNote, EstimateOptions, EstimateReport, IntervalKind, LawData, Method, NoEstimate,
    OneQueryMethod, Quantity, QueryResult, decided,
};
use crate::open::Prepared;
use crate::outcome::ModelFault;
use crate::reasons;
use crate::refusal::Refusal;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use swarmcheck_engine::{Control, Phase, Snapshot};
use swarmcheck_ir::{Fault, UNDEF};
use swarmcheck_simulate::{BatchEnd, Rng, Run, Scheduler, Taken, batches};
use swarmcheck_statistics::splitting::{
    End, Rare, Repetition, combine, find_levels, fixed_effort, fixed_splitting,
};

/// Repetitions with fixed effort; so many runs start with fixed splitting.
const REPETITIONS: u64 = 30;
const STARTS: u64 = 1000;
/// The most runs that one run may be split into.
const MOST_RUNS: u64 = 1_000_000;
/// The most levels that are looked for.
const MOST_LEVELS: usize = 100;
/// The repetition that only looks for levels.
const TRIAL: u64 = u32::MAX as u64;

/// Estimates the probability of one query of the form `P(eventually p …)` or `P(p until q …)`.
pub(super) fn split(
    prepared: &Prepared,
    plan: &Plan,
    options: &EstimateOptions,
    law: LawData,
    scheduler: &Scheduler,
    control: &Control<'_>,
) -> Result<EstimateReport, Refusal> {
    let refuse = |why: NoEstimate| Refusal::NoEstimate { why };
    let wrong = || refuse(NoEstimate::OneQuery { method: OneQueryMethod::Splitting });
    let Method::Splitting { levels, runs: size, fixed_splitting: copies, .. } = &options.method else {
        return Err(wrong());
    };
    let ([query], Some(importance)) = (plan.queries.as_slice(), plan.importance) else { return Err(wrong()) };
    let Measure::Until { hold, goal, within, negated: false } = &query.measure else { return Err(wrong()) };
    let course = Course::new(prepared, plan, scheduler, options.seed, options.most_steps);
    let climb = |repetition: u64| Climb {
        follower: Follower::new(&course),
        course: &course,
        stop: control.stop,
        hold: *hold,
        goal: *goal,
        within: *within,
        most_steps: options.most_steps,
        importance,
        seed: options.seed,
        next: repetition << 32,
        steps: 0,
        failed: None,
    };
    let mut report = EstimateReport {
        law,
        end: EstimateEnd::Complete,
        results: vec![],
        runs: 0,
        steps: 0,
        states: None,
        transitions: None,
        seed: Some(options.seed),
    };
    let mut levels = levels.clone();
    if levels.is_empty() {
        let mut trial = climb(TRIAL);
        levels = find_levels(&mut trial, (*size).clamp(50, 1000), MOST_LEVELS);
        if let Some(end) = trial.failed {
            report.end = end;
            return Ok(report);
        }
    }
    let worker = || {
        |number: u64| {
            let mut climb = climb(number);
            let made = match copies {
                true => fixed_splitting(&mut climb, &levels, *size, MOST_RUNS),
                false => Some(fixed_effort(&mut climb, &levels, *size)),
            };
            match climb.failed {
                Some(EstimateEnd::Interrupted) => None,
                Some(end) => Some(Err(Some(end))),
                None => Some(made.map(|made| (made, climb.steps)).ok_or(None)),
            }
        }
    };
    let mut repetitions: Vec<Repetition> = vec![];
    let (mut ended, mut too_many) = (None, false);
    let wanted = if *copies { STARTS } else { REPETITIONS };
    let done = batches(
        options.threads,
        0..wanted,
        worker,
        |number, made: Result<(Repetition, u64), Option<EstimateEnd>>| {
            match made {
                Ok((one, steps)) => {
                    report.steps += steps;
                    repetitions.push(one);
                    control.progress.report(Snapshot {
                        phase: Phase::Searching,
                        done: number + 1,
                        ..Snapshot::default()
                    });
                    return ControlFlow::Continue(());
                }
                Err(Some(end)) => ended = Some(end),
                Err(None) => too_many = true,
            }
            ControlFlow::Break(())
        },
    );
    if too_many {
        return Err(refuse(NoEstimate::TooManyCopies { most: MOST_RUNS }));
    }
    if let Some(end) = ended {
        report.end = end;
        return Ok(report);
    }
    if done.end == BatchEnd::Stopped {
        report.end = EstimateEnd::Interrupted;
    }
    let estimate = combine(&repetitions, options.confidence).map_err(|_| wrong())?;
    report.runs = estimate.runs;
    let mut notes = vec![EstimateNote::Split {
        levels,
        repetitions: estimate.repetitions,
        without_goal: estimate.without_goal,
    }];
    if estimate.undecided > 0 {
        let steps = options.most_steps.unwrap_or(0);
        notes.push(EstimateNote::CutShort { runs: estimate.undecided, steps });
    }
    if estimate.without_goal == estimate.repetitions {
        notes.push(EstimateNote::NeverReached);
    }
    let (low, high) = (Some(estimate.interval.low), Some(estimate.interval.high));
    report.results.push(QueryResult {
        query: query.text.clone(),
        quantity: Quantity::Probability,
        // If no run has reached the goal, 0 says nothing.
        value: estimate
            .value
            .filter(|_| estimate.undecided == 0 && estimate.without_goal < estimate.repetitions),
        low,
        high,
        infinite: false,
        confidence: Some(options.confidence),
        interval: IntervalKind::Splitting,
        runs: estimate.runs,
        satisfied: 0,
        violated: 0,
        undecided: estimate.undecided,
        decision: query.comparison.map(|comparison| decided(comparison, low, high, false)),
        distribution: None,
        extremes: None,
        fraction: None,
        notes,
    });
    Ok(report)
}

/// Runs of one repetition.
struct Climb<'c, 'p> {
    follower: Follower<'c, 'p>,
    course: &'c Course<'p>,
    stop: &'c AtomicBool,
    hold: Option<Cond>,
    goal: Cond,
    within: Option<Bound>,
    most_steps: Option<u64>,
    importance: usize,
    seed: u64,
    /// The number of the next generator.
    next: u64,
    steps: u64,
    /// Nothing counts any more.
    failed: Option<EstimateEnd>,
}

/// A run that can be continued; none if there is no initial state.
#[derive(Clone)]
struct Position<'p> {
    run: Option<Run<'p>>,
    step: u64,
}

/// What a state says about the goal.
enum Looked {
    Open(i64),
    Goal,
    Over,
    Undecided,
}

impl<'p> Climb<'_, 'p> {
    fn rng(&mut self) -> Rng {
        self.next += 1;
        Rng::for_run(self.seed, self.next)
    }

    fn look(&mut self, run: &Run<'p>, step: u64) -> Result<Looked, Fault> {
        self.follower.begin();
        if matches!(self.within, Some(Bound::Time(most)) if run.time() > most) {
            return Ok(Looked::Over);
        }
        if self.follower.holds(self.goal, run.state())? {
            return Ok(Looked::Goal);
        }
        if let Some(hold) = self.hold
            && !self.follower.holds(hold, run.state())?
        {
            return Ok(Looked::Over);
        }
        if matches!(self.within, Some(Bound::Steps(most)) if step >= most) {
            return Ok(Looked::Over);
        }
        if self.most_steps.is_some_and(|most| step >= most) {
            return Ok(Looked::Undecided);
        }
        Ok(Looked::Open(match self.follower.value(self.importance, run.state())? {
            UNDEF => i64::MIN,
            value => value,
        }))
    }

    /// Makes steps until something is decided, or `enough` says so of the importance.
    fn walk(&mut self, from: &Position<'p>, enough: &mut dyn FnMut(i64) -> bool) -> End<Position<'p>> {
        let Some(run) = &from.run else { return End::Over };
        if self.failed.is_some() {
            return End::Over;
        }
        let rng = self.rng();
        let (mut run, mut step) = (run.fork(rng), from.step);
        let prepared = self.course.prepared;
        let stop = self.stop;
        let stopped = || stop.load(Ordering::Relaxed);
        loop {
            match self.look(&run, step) {
                Ok(Looked::Open(importance)) if enough(importance) => {
                    return End::Level(Position { run: Some(run), step });
                }
                Ok(Looked::Open(_)) => {}
                Ok(Looked::Goal) => return End::Goal,
                Ok(Looked::Over) => return End::Over,
                Ok(Looked::Undecided) => return End::Undecided,
                Err(met) => {
                    let detail = reasons::predicate_fault(&prepared.flat, run.state(), met);
                    let error = ModelFault::new(prepared, met).with(detail);
                    self.failed = Some(EstimateEnd::ModelError { error });
                    return End::Over;
                }
            }
            match run.step(&stopped) {
                Taken::Step(_) if step % 1024 == 0 && stopped() => {
                    self.failed = Some(EstimateEnd::Interrupted)
                }
                Taken::Step(_) => {
                    step += 1;
                    self.steps += 1;
                    continue;
                }
                Taken::Deadlock => {}
                Taken::Stopped => self.failed = Some(EstimateEnd::Interrupted),
                Taken::TooManyChoices(instance) => self.failed = Some(self.course.too_rare(instance)),
                Taken::Fault(instance, met) => {
                    let detail = reasons::step_fault(&prepared.flat, run.state(), instance, met);
                    let error = ModelFault::new(prepared, met).with(detail);
                    self.failed = Some(EstimateEnd::ModelError { error });
                }
            }
            return End::Over;
        }
    }
}

impl<'p> Rare for Climb<'_, 'p> {
    type State = Position<'p>;

    fn start(&mut self) -> Position<'p> {
        self.next += 1;
        let run = match self.course.begin(self.next, self.stop) {
            Some(Ok(run)) => Some(run),
            Some(Err(end)) => {
                self.failed.get_or_insert(end);
                None
            }
            None => {
                self.failed.get_or_insert(EstimateEnd::Interrupted);
                None
            }
        };
        Position { run, step: 0 }
    }

    fn run(&mut self, from: &Position<'p>, level: Option<i64>) -> End<Position<'p>> {
        self.walk(from, &mut |importance| level.is_some_and(|level| importance >= level))
    }

    fn importance(&mut self, state: &Position<'p>) -> i64 {
        let Some(run) = &state.run else { return i64::MIN };
        match self.follower.value(self.importance, run.state()) {
            Ok(UNDEF) | Err(_) => i64::MIN,
            Ok(value) => value,
        }
    }

    fn peak(&mut self, from: &Position<'p>) -> Option<i64> {
        let mut peak = i64::MIN;
        let end = self.walk(from, &mut |importance| {
            peak = peak.max(importance);
            false
        });
        match end {
            End::Goal => None,
            _ => Some(peak),
        }
    }

    fn below(&mut self, n: u64) -> u64 {
        self.rng().below(n.max(1))
    }
}
