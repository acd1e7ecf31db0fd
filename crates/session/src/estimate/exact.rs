//! Exact answers: the chain or decision process of the model, and numbers with certified bounds (`swarmcheck_chance`).
//!
//! Queries over states share one process, which is made as small as what they look at allows. A formula of linear time has a process of its own: in
//! it, resting is a step where that changes what the formula observes.

use super::plan::{Cond, Measure, Plan, Planned};
use super::query::{Bound, Comparison, Optimum as Side};
use super::{
    Decision, EstimateEnd, EstimateNote, EstimateReport, Extremes, IntervalKind, LawData, NoEstimate,
    NotExact, Quantity, QueryResult, decided,
};
use crate::open::Prepared;
use crate::outcome::ModelFault;
use crate::reasons;
use crate::refusal::Refusal;
use crate::start::assumptions;
use swarmcheck_chance::{
    Answer, Bits, Bounds, BuildError, BuildOptions, Built, Expected, FaultPlace, FormulaError, FormulaLimits,
    Fraction, Optimum, Path, Settings, Share, SolveError, Watched, build, expected_steps, expected_time,
    formula_probability, formula_process, long_run, probability, probability_after, value_after, within_time,
};
use swarmcheck_engine::{Control, Phase, Snapshot};
use swarmcheck_ir::Value;
use swarmcheck_simulate::Scheduler;

/// Why the work is over.
enum Stop {
    /// Without results.
    End(Box<EstimateEnd>),
    Refused(NotExact),
}

impl From<SolveError> for Stop {
    fn from(why: SolveError) -> Stop {
        match why {
            SolveError::Stopped => Stop::End(Box::new(EstimateEnd::Interrupted)),
            SolveError::Undefined => Stop::Refused(NotExact::Undefined),
            other => Stop::Refused(NotExact::Other { why: other.to_string() }),
        }
    }
}

impl From<FormulaError> for Stop {
    fn from(why: FormulaError) -> Stop {
        match why {
            FormulaError::Solve(why) => Stop::from(why),
            other => Stop::Refused(NotExact::Other { why: other.to_string() }),
        }
    }
}

/// Computes all answers.
pub(super) fn compute(
    prepared: &Prepared,
    plan: &Plan,
    error: f64,
    law: LawData,
    scheduler: &Scheduler,
    control: &Control<'_>,
) -> Result<EstimateReport, Refusal> {
    let settings = Settings { error, ..Settings::default() };
    let mut engine =
        Engine { prepared, plan, scheduler, settings, control, states: None, transitions: None, built: None };
    let mut report = EstimateReport {
        law,
        end: EstimateEnd::Complete,
        results: vec![],
        runs: 0,
        steps: 0,
        states: None,
        transitions: None,
        seed: None,
    };
    for query in &plan.queries {
        match engine.answer(query) {
            Ok(result) => report.results.push(result),
            Err(Stop::End(end)) => {
                if !matches!(*end, EstimateEnd::Interrupted) {
                    report.results.clear();
                }
                report.end = *end;
                break;
            }
            Err(Stop::Refused(why)) => {
                return Err(Refusal::NoEstimate {
                    why: NoEstimate::NotExact { query: query.text.clone(), why },
                });
            }
        }
    }
    (report.states, report.transitions) = (engine.states, engine.transitions);
    Ok(report)
}

struct Engine<'a> {
    prepared: &'a Prepared,
    plan: &'a Plan,
    scheduler: &'a Scheduler,
    settings: Settings,
    control: &'a Control<'a>,
    states: Option<u64>,
    transitions: Option<u64>,
    /// The process of all queries over states, with the place of each condition and value among its labels and values.
    built: Option<(Built, Places, Places)>,
}

/// Where conditions, or values, of the plan are among those of a process.
type Places = Vec<Option<usize>>;

/// A number, or none: infinite.
type Found = Option<Answer>;

impl Engine<'_> {
    fn answer(&mut self, query: &Planned) -> Result<QueryResult, Stop> {
        let optima: &[Optimum] = match (query.optimum, self.scheduler) {
            (Some(Side::Minimum), _) => &[Optimum::Min],
            (Some(Side::Maximum), _) => &[Optimum::Max],
            (None, Scheduler::Any) => &[Optimum::Min, Optimum::Max],
            (None, _) => &[Optimum::Chain],
        };
        let (found, notes) = match &query.measure {
            Measure::Linear { within: Some(_), .. } => return Err(Stop::Refused(NotExact::BoundedFormula)),
            Measure::Linear { linear, .. } => self.formula(linear, optima)?,
            measure => self.states(measure, optima)?,
        };
        Ok(self.result(query, &found, notes))
    }

    fn states(
        &mut self,
        measure: &Measure,
        optima: &[Optimum],
    ) -> Result<(Vec<Found>, Vec<EstimateNote>), Stop> {
        if let Measure::ValueAtTheEnd(_) = measure {
            return Err(Stop::Refused(NotExact::AtTheEnd));
        }
        if let Measure::Scoped { .. } = measure {
            return Err(Stop::Refused(NotExact::Scope));
        }
        self.build()?;
        let Some((built, conditions, values)) = &self.built else {
            return Err(Stop::Refused(NotExact::Other { why: "there is no process".to_string() }));
        };
        let of = Labelled { built, conditions, values };
        let asked = self.control;
        let stopped = || asked.stopped();
        let found = optima.iter().map(|optimum| of.measured(measure, *optimum, &self.settings, &stopped));
        let found = found.collect::<Result<Vec<Found>, Stop>>()?;
        Ok((found, reduced(built)))
    }

    fn formula(
        &mut self,
        linear: &swarmcheck_ir::LinearTime,
        optima: &[Optimum],
    ) -> Result<(Vec<Found>, Vec<EstimateNote>), Stop> {
        let asked = self.control;
        let stopped = || asked.stopped();
        let progress = told(asked);
        let control = swarmcheck_chance::Control { stopped: &stopped, progress: &progress };
        let process =
            formula_process(&self.prepared.flat, linear, self.scheduler, &BuildOptions::default(), control);
        let process = process.map_err(|e| self.failed(e))?;
        let Built { process: chain, labels, .. } = &process.built;
        let limits = FormulaLimits::default();
        let one = |optimum: &Optimum| {
            formula_probability(chain, &process.formula, labels, *optimum, &limits, &self.settings, &stopped)
                .map(Some)
        };
        let found = optima.iter().map(one).collect::<Result<Vec<Found>, FormulaError>>()?;
        let notes = reduced(&process.built);
        self.states.get_or_insert(chain.states() as u64);
        self.transitions.get_or_insert(chain.transitions() as u64);
        Ok((found, notes))
    }

    /// Builds the process of all queries over states, once.
    fn build(&mut self) -> Result<(), Stop> {
        if self.built.is_some() {
            return Ok(());
        }
        let (mut watched, plan) = (Watched::default(), self.plan);
        let mut conditions = vec![None; plan.conditions.len()];
        let mut values = vec![None; plan.values.len()];
        for query in &plan.queries {
            let (of_states, value) = looked_at(&query.measure);
            for condition in of_states {
                conditions[condition.number].get_or_insert_with(|| {
                    watched.conditions.push(plan.conditions[condition.number].clone());
                    watched.conditions.len() - 1
                });
            }
            if let Some(value) = value {
                values[value].get_or_insert_with(|| {
                    watched.values.push(plan.values[value].clone());
                    watched.values.len() - 1
                });
            }
        }
        let asked = self.control;
        let stopped = || asked.stopped();
        let progress = told(asked);
        let control = swarmcheck_chance::Control { stopped: &stopped, progress: &progress };
        let built = build(&self.prepared.flat, self.scheduler, &watched, &BuildOptions::default(), control);
        let built = built.map_err(|e| self.failed(e))?;
        self.states = Some(built.process.states() as u64);
        self.transitions = Some(built.process.transitions() as u64);
        self.built = Some((built, conditions, values));
        Ok(())
    }

    fn failed(&self, error: BuildError) -> Stop {
        let prepared = self.prepared;
        let end = match error {
            BuildError::NoInitialState => EstimateEnd::NoInitialState { assumptions: assumptions(prepared) },
            BuildError::Fault { fault, place, state, .. } => {
                let flat = &prepared.flat;
                let detail = match place {
                    FaultPlace::Initial => reasons::initial_fault(flat, fault),
                    FaultPlace::Step(instance) => reasons::step_fault(flat, &state, instance, fault),
                    FaultPlace::Condition(_) | FaultPlace::Value(_) => {
                        reasons::predicate_fault(flat, &state, fault)
                    }
                };
                EstimateEnd::ModelError { error: ModelFault::new(prepared, fault).with(detail) }
            }
            BuildError::Stopped => EstimateEnd::Interrupted,
            BuildError::States(states) => return Stop::Refused(NotExact::TooLarge { states: states as u64 }),
            BuildError::Transitions(transitions) => {
                return Stop::Refused(NotExact::TooManyTransitions { transitions: transitions as u64 });
            }
            BuildError::TooFine => return Stop::Refused(NotExact::TooFine),
        };
        Stop::End(Box::new(end))
    }

    fn result(&self, query: &Planned, found: &[Found], notes: Vec<EstimateNote>) -> QueryResult {
        let truth = query.measure.is_truth();
        let mut result = QueryResult {
            query: query.text.clone(),
            quantity: match &query.measure {
                Measure::LongRun(_) => Quantity::LongRun,
                _ if truth => Quantity::Probability,
                _ => Quantity::Expectation,
            },
            value: None,
            low: None,
            high: None,
            infinite: false,
            confidence: None,
            interval: IntervalKind::Certain,
            runs: 0,
            satisfied: 0,
            violated: 0,
            undecided: 0,
            decision: None,
            distribution: None,
            extremes: None,
            fraction: None,
            notes,
        };
        let error = self.settings.error;
        let wide = found.iter().flatten().filter(|answer| !answer.is_within(error)).map(|a| a.bounds.width());
        if let Some(reached) = wide.reduce(f64::max) {
            result.notes.push(EstimateNote::Wider { reached });
        }
        let ends = |found: &Found| match found {
            Some(answer) => (Some(answer.bounds.low), Some(answer.bounds.high)),
            None => (None, None),
        };
        match found {
            [one] => {
                (result.low, result.high) = ends(one);
                result.infinite = one.is_none();
                result.value = one.as_ref().map(|a| a.bounds.low + (a.bounds.high - a.bounds.low) / 2.0);
                result.fraction = one.as_ref().and_then(|a| a.fraction.as_ref()).map(ToString::to_string);
                result.decision = query.comparison.map(|c| {
                    let exactly = one.as_ref().and_then(|a| a.fraction.as_ref()).and_then(|f| compared(c, f));
                    exactly.unwrap_or_else(|| decided(c, result.low, result.high, result.infinite))
                });
            }
            [least, most] => {
                result.extremes = Some(Extremes {
                    minimum: ends(least),
                    maximum: ends(most),
                    minimum_infinite: least.is_none(),
                    maximum_infinite: most.is_none(),
                });
                // A comparison is about all schedulers.
                result.decision = query.comparison.map(|c| {
                    let worst = if c.upwards { least } else { most };
                    decided(c, ends(worst).0, ends(worst).1, worst.is_none())
                });
            }
            _ => {}
        }
        result
    }
}

fn told<'a>(control: &'a Control<'a>) -> impl Fn(u64, u64, u64) + 'a {
    |found, expanded, _| {
        control.progress.report(Snapshot {
            phase: Phase::Searching,
            done: found,
            waiting: found.saturating_sub(expanded),
            ..Snapshot::default()
        });
    }
}

/// What reductions have done.
fn reduced(built: &Built) -> Vec<EstimateNote> {
    let (from, to) = (built.explored as u64, built.process.states() as u64);
    let mut by = vec![];
    by.extend(built.symmetric.then(|| "symmetry".to_string()));
    by.extend((to < from).then(|| "lumping".to_string()));
    if by.is_empty() { vec![] } else { vec![EstimateNote::Reduced { by, from, to }] }
}

/// The conditions and the value that a query over states looks at.
fn looked_at(measure: &Measure) -> (Vec<Cond>, Option<usize>) {
    match measure {
        Measure::Until { hold, goal, .. } => (hold.iter().copied().chain([*goal]).collect(), None),
        Measure::After { condition, .. } | Measure::LongRun(condition) => (vec![*condition], None),
        Measure::StepsUntil(goal) | Measure::TimeUntil(goal) => (vec![*goal], None),
        Measure::ValueAfter { value, .. } => (vec![], Some(*value)),
        Measure::ValueAtTheEnd(_) | Measure::Scoped { .. } | Measure::Linear { .. } => (vec![], None),
    }
}

/// A process with the places of conditions and values.
struct Labelled<'b> {
    built: &'b Built,
    conditions: &'b [Option<usize>],
    values: &'b [Option<usize>],
}

impl Labelled<'_> {
    fn set(&self, condition: Cond) -> Bits {
        let label = self.conditions[condition.number].and_then(|at| self.built.labels.get(at));
        match label {
            Some(label) if condition.wanted => label.clone(),
            Some(label) => label.complement(),
            // Every condition that is looked at is a label.
            None => Bits::new(0),
        }
    }

    fn values(&self, value: usize) -> &[Value] {
        self.values[value].and_then(|at| self.built.values.get(at)).map_or(&[], Vec::as_slice)
    }

    fn measured(
        &self,
        measure: &Measure,
        optimum: Optimum,
        settings: &Settings,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Found, Stop> {
        let process = &self.built.process;
        let chain = optimum == Optimum::Chain;
        let expected = |found: Expected| match found {
            Expected::Finite(answer) => Some(answer),
            Expected::Infinite => None,
        };
        Ok(match measure {
            Measure::Until { hold, goal, within, negated } => {
                let goal = self.set(*goal);
                let hold = hold.map_or_else(|| Bits::full(goal.len()), |hold| self.set(hold));
                match within {
                    Some(Bound::Time(_)) if !chain => return Err(Stop::Refused(NotExact::Extremes)),
                    Some(Bound::Time(time)) => {
                        let reached = within_time(process, &hold, &goal, *time, settings, stopped)?;
                        Some(if *negated { complement(&reached) } else { reached })
                    }
                    within => {
                        let steps = match within {
                            Some(Bound::Steps(steps)) => Some(*steps),
                            _ => None,
                        };
                        let path = match negated {
                            true => Path::Always { hold: goal.complement(), within: steps },
                            false => Path::Until { hold, goal, within: steps },
                        };
                        Some(probability(process, &path, optimum, settings, stopped)?)
                    }
                }
            }
            Measure::After { condition, steps } => {
                Some(probability_after(process, &self.set(*condition), *steps, optimum, settings, stopped)?)
            }
            Measure::StepsUntil(goal) => {
                expected(expected_steps(process, &self.set(*goal), optimum, settings, stopped)?)
            }
            Measure::TimeUntil(_) | Measure::LongRun(_) if !chain => {
                return Err(Stop::Refused(NotExact::Extremes));
            }
            Measure::TimeUntil(goal) => {
                expected(expected_time(process, &self.set(*goal), settings, stopped)?)
            }
            Measure::ValueAfter { value, steps } => {
                Some(value_after(process, self.values(*value), *steps, optimum, settings, stopped)?)
            }
            Measure::LongRun(condition) => {
                Some(long_run(process, &self.set(*condition), Share::Steps, settings, stopped)?)
            }
            Measure::ValueAtTheEnd(_) => return Err(Stop::Refused(NotExact::AtTheEnd)),
            Measure::Scoped { .. } | Measure::Linear { .. } => return Err(Stop::Refused(NotExact::Scope)),
        })
    }
}

/// What a fraction says about a threshold, as the decimal number that was written: bounds alone never decide at the threshold itself.
fn compared(comparison: Comparison, value: &Fraction) -> Option<Decision> {
    let decimal = comparison.threshold.to_string();
    let places = decimal.split_once('.').map_or(0, |(_, behind)| behind.len());
    let written = format!("{}/1{}", decimal.replace('.', ""), "0".repeat(places));
    let threshold = Fraction(written.parse().ok()?);
    let holds = match (comparison.upwards, comparison.equal) {
        (true, true) => value.0 >= threshold.0,
        (true, false) => value.0 > threshold.0,
        (false, true) => value.0 <= threshold.0,
        (false, false) => value.0 < threshold.0,
    };
    Some(if holds { Decision::Accepted } else { Decision::Rejected })
}

/// 1 minus a probability, rounded outward.
fn complement(answer: &Answer) -> Answer {
    let Bounds { low, high } = answer.bounds;
    let bounds = Bounds { low: (1.0 - high).next_down().max(0.0), high: (1.0 - low).next_up().min(1.0) };
    Answer { bounds, fraction: None }
}
