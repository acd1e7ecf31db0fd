//! One run, followed until every query is decided.
//!
//! A run that stops, in a deadlock or because the system has come to its end, rests in its last state for ever, so that decides everything. A run
//! that is cut short decides nothing that is still open.

use super::EstimateEnd;
use super::plan::{Cond, Measure, Plan};
use super::query::Bound;
use crate::open::Prepared;
use crate::outcome::ModelFault;
use crate::reasons;
use crate::start::{Begin, assumptions, begin};
use std::sync::atomic::{AtomicBool, Ordering};
use swarmcheck_ir::flat::{Code, Instance, Machine};
use swarmcheck_ir::{Expr, Fault, UNDEF, Value};
use swarmcheck_logic::linear::progress::{BEGINNING, Progress};
use swarmcheck_logic::watch::{Status, Truth, Watch};
use swarmcheck_simulate::{Rng, Run, Scheduler, Starts, Taken};

/// What a run says about a query.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum RunAnswer {
    Satisfied,
    Violated,
    /// Cut short before that was known.
    Undecided,
    Value(f64),
    /// The value is at least this: the run was cut short.
    AtLeast(f64),
    /// The run stopped before the goal: it takes for ever.
    Never,
    /// ⊥.
    Undefined,
}

/// What came of a run.
pub(crate) enum Made {
    Run {
        answers: Vec<RunAnswer>,
        steps: u64,
    },
    /// No run could be made, or it met an error.
    Ended(Box<EstimateEnd>),
}

/// What all runs share.
pub(crate) struct Course<'p> {
    pub prepared: &'p Prepared,
    pub plan: &'p Plan,
    starts: Starts<'p>,
    seed: u64,
    most_steps: Option<u64>,
    conditions: Vec<Code>,
    values: Vec<Code>,
    /// For each slot of the state, the conditions that read it.
    readers: Vec<Vec<u32>>,
}

impl<'p> Course<'p> {
    pub(crate) fn new(
        prepared: &'p Prepared,
        plan: &'p Plan,
        scheduler: &Scheduler,
        seed: u64,
        most_steps: Option<u64>,
    ) -> Course<'p> {
        let flat = &prepared.flat;
        let mut readers = vec![vec![]; flat.width()];
        for (number, condition) in plan.conditions.iter().enumerate() {
            let mut reads = vec![false; flat.program.vars.len()];
            condition.walk(&mut |e| {
                if let Expr::Read(place) = e {
                    reads[place.var.0 as usize] = true;
                }
            });
            for (slot, readers) in readers.iter_mut().enumerate() {
                if reads[flat.layout.cell(slot as u32).var.0 as usize] {
                    readers.push(number as u32);
                }
            }
        }
        let compiled = |list: &[Expr]| list.iter().map(|e| flat.compile(e)).collect();
        let starts = Starts::new(flat).with(scheduler).exact();
        let (conditions, values) = (compiled(&plan.conditions), compiled(&plan.values));
        Course { prepared, plan, starts, seed, most_steps, conditions, values, readers }
    }

    /// That almost all ways to choose inside a step get stuck.
    pub(crate) fn too_rare(&self, instance: Instance) -> EstimateEnd {
        let span = self.prepared.flat.program.functions[instance.function as usize].span;
        let (line, column) = self.prepared.file.line_column(span.start);
        EstimateEnd::ChoicesTooRare { file: self.prepared.file.name().to_string(), line, column }
    }

    /// A run in its initial state, or the reason why there is none; nothing if somebody has stopped it.
    pub(crate) fn begin(&self, number: u64, stop: &AtomicBool) -> Option<Result<Run<'p>, EstimateEnd>> {
        let prepared = self.prepared;
        Some(match begin(prepared, &self.starts, Rng::for_run(self.seed, number), stop) {
            Ok(Begin::Ready(run)) if run.is_uniform() => Ok(run),
            Ok(Begin::Ready(_) | Begin::Undecided) => {
                Err(EstimateEnd::InitialStatesTooRare { assumptions: assumptions(prepared) })
            }
            Ok(Begin::Never) => Err(EstimateEnd::NoInitialState { assumptions: assumptions(prepared) }),
            Ok(Begin::Stopped) => return None,
            Err(fault) => {
                let detail = reasons::initial_fault(&prepared.flat, fault);
                Err(EstimateEnd::ModelError { error: ModelFault::new(prepared, fault).with(detail) })
            }
        })
    }
}

/// Makes runs one after the other.
pub(crate) struct Follower<'c, 'p> {
    course: &'c Course<'p>,
    machine: Machine,
    /// Formulas that are followed, by query.
    formulas: Vec<Option<Progress>>,
    truth: Vec<bool>,
    stale: Vec<bool>,
    open: Vec<Open>,
}

/// Where a query stands.
enum Open {
    Plain,
    Scope(Watch),
    /// What is left of the formula.
    Left(usize),
    Closed(RunAnswer),
}

impl<'c, 'p> Follower<'c, 'p> {
    pub(crate) fn new(course: &'c Course<'p>) -> Follower<'c, 'p> {
        let formula = |measure: &Measure| match measure {
            Measure::Linear { formula, .. } => Some(Progress::new(formula)),
            _ => None,
        };
        let count = course.conditions.len();
        Follower {
            course,
            machine: Machine::new(&course.prepared.flat),
            formulas: course.plan.queries.iter().map(|q| formula(&q.measure)).collect(),
            truth: vec![false; count],
            stale: vec![true; count],
            open: vec![],
        }
    }

    /// Makes the run with a number; nothing if somebody has stopped it.
    pub(crate) fn run(&mut self, number: u64, stop: &AtomicBool) -> Option<Made> {
        let run = match self.course.begin(number, stop)? {
            Ok(run) => run,
            Err(end) => return Some(Made::Ended(Box::new(end))),
        };
        self.follow(run, stop)
    }

    fn follow(&mut self, mut run: Run<'p>, stop: &AtomicBool) -> Option<Made> {
        let prepared = self.course.prepared;
        let stopped = || stop.load(Ordering::Relaxed);
        self.begin();
        let mut step = 0;
        let fault = |error: ModelFault| Some(Made::Ended(Box::new(EstimateEnd::ModelError { error })));
        loop {
            let looked = self.look(&run, step).and_then(|open| match self.course.most_steps {
                Some(most) if open && step >= most => self.cut(&run, step),
                _ => Ok(open),
            });
            match looked {
                Ok(true) => {}
                Ok(false) => break,
                Err(met) => {
                    let detail = reasons::predicate_fault(&prepared.flat, run.state(), met);
                    return fault(ModelFault::new(prepared, met).with(detail));
                }
            }
            // A state that the run rests in is looked at once.
            let mut rests = None;
            match run.step(&stopped) {
                Taken::Step(instance) => {
                    step += 1;
                    self.touch(&run);
                    let seen =
                        prepared.labels.as_ref().map(|labels| labels[instance.function as usize].as_str());
                    if seen.is_some_and(|label| prepared.model.rests(label)) {
                        rests = Some(self.look(&run, step).map(drop));
                    }
                }
                Taken::Deadlock => rests = Some(Ok(())),
                Taken::Stopped => return None,
                Taken::TooManyChoices(instance) => {
                    return Some(Made::Ended(Box::new(self.course.too_rare(instance))));
                }
                Taken::Fault(instance, met) => {
                    let detail = reasons::step_fault(&prepared.flat, run.state(), instance, met);
                    return fault(ModelFault::new(prepared, met).with(detail));
                }
            }
            if let Some(looked) = rests {
                if let Err(met) = looked.and_then(|()| self.rest(&run)) {
                    let detail = reasons::predicate_fault(&prepared.flat, run.state(), met);
                    return fault(ModelFault::new(prepared, met).with(detail));
                }
                break;
            }
            if step % 1024 == 0 && stopped() {
                return None;
            }
        }
        let answers = self.open.iter().map(|open| match open {
            Open::Closed(answer) => *answer,
            _ => RunAnswer::Undecided,
        });
        Some(Made::Run { answers: answers.collect(), steps: step })
    }

    /// A new run: nothing is known.
    pub(crate) fn begin(&mut self) {
        self.stale.fill(true);
        self.open.clear();
        let fresh = |measure: &Measure| match measure {
            Measure::Scoped { modality, .. } => Open::Scope(Watch::new(modality)),
            Measure::Linear { .. } => Open::Left(BEGINNING),
            _ => Open::Plain,
        };
        self.open.extend(self.course.plan.queries.iter().map(|q| fresh(&q.measure)));
    }

    /// A step was made.
    pub(crate) fn touch(&mut self, run: &Run<'_>) {
        for (slot, _) in run.writes() {
            for &reader in &self.course.readers[*slot as usize] {
                self.stale[reader as usize] = true;
            }
        }
    }

    fn truth(&mut self, number: usize, state: &[Value]) -> Result<bool, Fault> {
        if self.stale[number] {
            let flat = &self.course.prepared.flat;
            self.truth[number] = self.machine.test(flat, &self.course.conditions[number], state)?;
            self.stale[number] = false;
        }
        Ok(self.truth[number])
    }

    pub(crate) fn holds(&mut self, condition: Cond, state: &[Value]) -> Result<bool, Fault> {
        Ok(self.truth(condition.number, state)? == condition.wanted)
    }

    pub(crate) fn value(&mut self, number: usize, state: &[Value]) -> Result<Value, Fault> {
        self.machine.value(&self.course.prepared.flat, &self.course.values[number], state)
    }

    /// Looks at the state after so many steps, and says whether a query is still open.
    fn look(&mut self, run: &Run<'_>, step: u64) -> Result<bool, Fault> {
        let mut some = false;
        let queries = &self.course.plan.queries;
        for (number, query) in queries.iter().enumerate() {
            if matches!(self.open[number], Open::Closed(_)) {
                continue;
            }
            match self.observe(number, &query.measure, run, step)? {
                Some(answer) => self.open[number] = Open::Closed(answer),
                None => some = true,
            }
        }
        Ok(some)
    }

    fn observe(
        &mut self,
        query: usize,
        measure: &Measure,
        run: &Run<'_>,
        step: u64,
    ) -> Result<Option<RunAnswer>, Fault> {
        let state = run.unranked();
        Ok(match measure {
            Measure::Until { hold, goal, within, negated } => {
                let until = self.until(*hold, *goal, *within, run, step)?;
                until.map(|reached| verdict(reached != *negated))
            }
            Measure::After { condition, steps } if step == *steps => {
                Some(verdict(self.holds(*condition, state)?))
            }
            Measure::After { .. } => None,
            Measure::Scoped { conditions, .. } => {
                let mut truths = [false; 4];
                for (truth, condition) in truths.iter_mut().zip(conditions) {
                    *truth = self.truth(*condition, state)?;
                }
                let Open::Scope(watch) = &mut self.open[query] else { return Ok(None) };
                watch.observe(u32::try_from(step).unwrap_or(u32::MAX), Truth::from_exprs(truths));
                match watch.status() {
                    Status::Violated => Some(RunAnswer::Violated),
                    Status::Satisfied => Some(RunAnswer::Satisfied),
                    Status::HoldsSoFar | Status::Undecided => None,
                }
            }
            Measure::Linear { atoms, within, .. } => {
                let mut truths = Vec::with_capacity(atoms.len());
                for atom in atoms {
                    truths.push(self.truth(*atom, state)?);
                }
                let (Open::Left(left), Some(formula)) = (&mut self.open[query], &mut self.formulas[query])
                else {
                    return Ok(None);
                };
                *left = formula.after(*left, &truths);
                match (formula.verdict(*left), within) {
                    (Some(satisfied), _) => Some(verdict(satisfied)),
                    (None, Some(Bound::Steps(most))) if step >= *most => Some(RunAnswer::Undecided),
                    (None, Some(Bound::Time(most))) if run.time() > *most => Some(RunAnswer::Undecided),
                    _ => None,
                }
            }
            Measure::StepsUntil(goal) => self.holds(*goal, state)?.then_some(RunAnswer::Value(step as f64)),
            Measure::TimeUntil(goal) => self.holds(*goal, state)?.then(|| RunAnswer::Value(run.time())),
            Measure::ValueAfter { value, steps } if step == *steps => Some(self.number(*value, state)?),
            Measure::ValueAfter { .. } | Measure::ValueAtTheEnd(_) | Measure::LongRun(_) => None,
        })
    }

    /// Whether the goal is reached in time, once that is known.
    fn until(
        &mut self,
        hold: Option<Cond>,
        goal: Cond,
        within: Option<Bound>,
        run: &Run<'_>,
        step: u64,
    ) -> Result<Option<bool>, Fault> {
        // The state is entered too late: all that lasted up to the bound has been seen.
        if matches!(within, Some(Bound::Time(most)) if run.time() > most) {
            return Ok(Some(false));
        }
        if self.holds(goal, run.unranked())? {
            return Ok(Some(true));
        }
        if let Some(hold) = hold
            && !self.holds(hold, run.unranked())?
        {
            return Ok(Some(false));
        }
        Ok(matches!(within, Some(Bound::Steps(most)) if step >= most).then_some(false))
    }

    fn number(&mut self, value: usize, state: &[Value]) -> Result<RunAnswer, Fault> {
        Ok(match self.value(value, state)? {
            UNDEF => RunAnswer::Undefined,
            value => RunAnswer::Value(value as f64),
        })
    }

    /// The run is cut short for queries that count no steps of their own. Says whether it goes on for others.
    fn cut(&mut self, run: &Run<'_>, step: u64) -> Result<bool, Fault> {
        let queries = &self.course.plan.queries;
        let mut goes_on = false;
        for (number, query) in queries.iter().enumerate() {
            if matches!(self.open[number], Open::Closed(_)) {
                continue;
            }
            if query.measure.last_step().is_some() {
                goes_on = true;
                continue;
            }
            let answer = match &query.measure {
                // The goal is not reached in the last state.
                Measure::StepsUntil(_) => RunAnswer::AtLeast(step as f64 + 1.0),
                Measure::TimeUntil(_) => RunAnswer::AtLeast(run.time()),
                Measure::ValueAtTheEnd(value) => self.number(*value, run.unranked())?,
                _ => RunAnswer::Undecided,
            };
            self.open[number] = Open::Closed(answer);
        }
        Ok(goes_on)
    }

    /// The run stays in its state for ever. The state itself has been looked at.
    fn rest(&mut self, run: &Run<'_>) -> Result<(), Fault> {
        let state = run.unranked();
        let queries = &self.course.plan.queries;
        for (number, query) in queries.iter().enumerate() {
            if matches!(self.open[number], Open::Closed(_)) {
                continue;
            }
            let answer = match &query.measure {
                Measure::Until { negated, .. } => verdict(*negated),
                Measure::After { condition, .. } => verdict(self.holds(*condition, state)?),
                Measure::Scoped { modality, .. } => {
                    let open = matches!(modality, swarmcheck_ir::Modality::Scoped { open: true, .. });
                    let Open::Scope(watch) = &self.open[number] else { continue };
                    verdict(!(open && watch.status() == Status::Undecided))
                }
                Measure::Linear { atoms, rest, .. } => self.at_rest(number, atoms, rest.as_deref(), state)?,
                Measure::StepsUntil(_) | Measure::TimeUntil(_) => RunAnswer::Never,
                Measure::ValueAfter { value, .. } | Measure::ValueAtTheEnd(value) => {
                    self.number(*value, state)?
                }
                Measure::LongRun(_) => RunAnswer::Undecided,
            };
            self.open[number] = Open::Closed(answer);
        }
        Ok(())
    }

    /// A formula where the run rests: no step is made any more, so what says which one was made says that it was none.
    fn at_rest(
        &mut self,
        query: usize,
        atoms: &[usize],
        rest: Option<&[(usize, Value)]>,
        state: &[Value],
    ) -> Result<RunAnswer, Fault> {
        let Some(rest) = rest else { return Ok(RunAnswer::Undecided) };
        let mut rested = state.to_vec();
        for (slot, value) in rest {
            if let Some(cell) = rested.get_mut(*slot) {
                *cell = *value;
            }
        }
        let flat = &self.course.prepared.flat;
        let mut truths = Vec::with_capacity(atoms.len());
        for atom in atoms {
            truths.push(self.machine.test(flat, &self.course.conditions[*atom], &rested)?);
        }
        let (Open::Left(left), Some(formula)) = (&self.open[query], &self.formulas[query]) else {
            return Ok(RunAnswer::Undecided);
        };
        Ok(formula.at_rest(*left, &truths).map_or(RunAnswer::Undecided, verdict))
    }
}

fn verdict(satisfied: bool) -> RunAnswer {
    if satisfied { RunAnswer::Satisfied } else { RunAnswer::Violated }
}
