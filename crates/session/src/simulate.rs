//! Random runs, printed as they happen.

use crate::coverage::{Coverage, RunCounter};
use crate::estimate::SchedulerWord;
use crate::listing::{Flavour, Style};
use crate::open::Prepared;
use crate::outcome::ModelFault;
use crate::reasons;
use crate::sink::{End, Sink};
use crate::specification::MadeStep;
pub use crate::start::AssumptionPlace;
use crate::start::{Begin, assumptions, begin};
use crate::watch::{Conditions, Watches};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
pub use swarmcheck_engine::control::{Control, Progress, Snapshot};
use swarmcheck_engine::trace::data::WriteData;
use swarmcheck_engine::trace::explain::FaultData;
use swarmcheck_ir::flat::Instance;
use swarmcheck_ir::{Modality, Rule, Value};
use swarmcheck_logic::watch::{Event, Status};
use swarmcheck_simulate::{Rng, Run, Scheduler, Starts, Taken};

/// How a trace is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TraceFormat {
    /// Numbered steps, for people.
    #[default]
    Text,
    /// One JSON document per run, each on one line.
    Json,
    /// The Informal Trace Format, one document per run, each on one line.
    Itf,
    /// The same as the text, to be pasted where Markdown is read.
    Markdown,
    /// In the style of SLiVER and of the papers.
    Sliver,
    /// A page that plays the run, one document per run.
    Html,
    /// A sequence chart as a drawing, one document per run.
    Svg,
}

impl TraceFormat {
    /// Whether a document holds one trace, so that several of them make no sense one after the other.
    pub fn is_single(self) -> bool {
        matches!(self, TraceFormat::Html | TraceFormat::Svg)
    }

    /// The flavour of a listing, if it is one.
    pub fn flavour(self) -> Option<Flavour> {
        match self {
            TraceFormat::Text => Some(Flavour::Plain),
            TraceFormat::Markdown => Some(Flavour::Markdown),
            _ => None,
        }
    }
}

/// How a model is simulated.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct SimulateOptions {
    /// The longest a run may be.
    pub steps: u64,
    /// How many runs.
    pub runs: u64,
    /// The seed of the random choices: the same seed gives the same runs.
    pub seed: u64,
    /// How to write traces.
    pub format: TraceFormat,
    /// Whether to write traces at all, or only the summary.
    pub traces: bool,
    /// In text and Markdown, the whole state after every step.
    #[serde(default)]
    pub full: bool,
    /// In text, with the colours of a terminal.
    #[serde(default)]
    pub colours: bool,
    /// Whether to count what the runs take.
    #[serde(default)]
    pub coverage: bool,
    /// What decides which step is made. With turns ([`SchedulerWord::RoundRobin`]) the model is opened to be fair.
    #[serde(default)]
    pub scheduler: SchedulerWord,
}

impl Default for SimulateOptions {
    fn default() -> SimulateOptions {
        SimulateOptions {
            steps: 100,
            runs: 1,
            seed: 0,
            format: TraceFormat::Text,
            traces: true,
            full: false,
            colours: false,
            coverage: false,
            scheduler: SchedulerWord::Steps,
        }
    }
}

impl SimulateOptions {
    fn style(&self) -> Style {
        let flavour = match self.format.flavour() {
            Some(Flavour::Plain) if self.colours => Flavour::Ansi,
            flavour => flavour.unwrap_or_default(),
        };
        Style { flavour, full: self.full }
    }
}

/// What is known after all runs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SimulationReport {
    /// Whether all runs were made.
    pub end: SimulationEnd,
    /// Runs that were made, the last one perhaps in part.
    pub runs: u64,
    /// Steps made in all runs together.
    pub steps: u64,
    /// Runs that ended in a deadlock.
    pub deadlocks: u64,
    /// Runs whose initial state was found by search, because the assumptions refuse almost all that is drawn: then not
    /// every initial state is equally likely.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub searched_starts: u64,
    /// The properties of the file, in its order.
    pub properties: Vec<PropertyTally>,
    /// What the runs have taken, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Box<Coverage>>,
    /// What decided which step was made.
    #[serde(default, skip_serializing_if = "is_steps")]
    pub scheduler: SchedulerWord,
    /// The time that has passed in all runs together, if steps have rates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
}

fn is_steps(scheduler: &SchedulerWord) -> bool {
    *scheduler == SchedulerWord::Steps
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// How a simulation ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SimulationEnd {
    /// All runs were made.
    Complete,
    /// The caller stopped it.
    Interrupted,
    /// A run met an error of the model.
    ModelError {
        /// The error, with its place in the model.
        error: ModelFault,
    },
    /// No run could begin, because of an error of the model.
    InitialError {
        /// The error, with its place in the model.
        error: ModelFault,
    },
    /// No run could begin: it is proved that no initial state satisfies the assumptions.
    NoInitialState {
        /// Where the model says what it assumes, if its language has a section for it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        assumptions: Vec<AssumptionPlace>,
    },
    /// No run could begin: no initial state was found, and it was not proved that there is none.
    InitialStateNotFound {
        /// Where the model says what it assumes, if its language has a section for it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        assumptions: Vec<AssumptionPlace>,
    },
    /// A run could not go on: nobody knows whether a step is possible, because there are too many ways to draw its values.
    TooManyChoices {
        /// The agent, for instance `Node 3`.
        agent: String,
        /// The action.
        action: String,
        /// Its place in the model: file, line and column.
        at: String,
    },
    /// No run could begin: steps are to be made by their rates, and the model gives none.
    NoRates,
}

/// In how many runs what was seen of a property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PropertyTally {
    /// The name of the property.
    pub name: String,
    /// When its predicate must hold, as a phrase.
    pub question: String,
    /// It is a formula of linear temporal logic, which no finite run decides.
    pub linear: bool,
    /// The run satisfies it.
    pub satisfied: u64,
    /// The run violates it.
    pub violated: u64,
    /// Nothing spoke against it.
    pub held: u64,
    /// Its predicate was true at the end.
    pub true_at_end: u64,
    /// It must be true at some point, or at a later one, and the run was cut short before.
    #[serde(default)]
    pub cut_short: u64,
}

/// Runs and writes traces to `out`. The report says the rest.
pub fn simulate(
    prepared: &Prepared,
    options: SimulateOptions,
    control: &Control<'_>,
    out: &mut dyn Write,
) -> io::Result<SimulationReport> {
    let mut tally = Tally::new(prepared);
    tally.coverage = options.coverage.then(|| RunCounter::new(prepared));
    tally.scheduler = options.scheduler;
    let conditions = Conditions::new(prepared);
    let scheduler = match options.scheduler {
        SchedulerWord::Steps | SchedulerWord::RoundRobin | SchedulerWord::Any => Scheduler::Steps,
        SchedulerWord::Agents => Scheduler::Agents,
        SchedulerWord::Rates => match prepared.model.rates(&prepared.flat.program) {
            Some(rates) => Scheduler::Rates(rates),
            None => return Ok(tally.report(SimulationEnd::NoRates)),
        },
    };
    let starts = Starts::new(&prepared.flat).with(&scheduler);
    // Traces show everything that is written, and coverage counts it.
    let starts = if options.traces || options.coverage { starts } else { starts.fast() };
    let mut known = None;
    for number in 0..options.runs {
        if control.stopped() {
            break;
        }
        let rng = Rng::for_run(options.seed, number);
        let run = match begin(prepared, &starts, rng, control.stop) {
            Ok(Begin::Ready(run)) => run,
            Ok(Begin::Never) => {
                let assumptions = assumptions(prepared);
                return Ok(tally.report(SimulationEnd::NoInitialState { assumptions }));
            }
            Ok(Begin::Undecided) => {
                let assumptions = assumptions(prepared);
                return Ok(tally.report(SimulationEnd::InitialStateNotFound { assumptions }));
            }
            Ok(Begin::Stopped) => break,
            Err(fault) => {
                let detail = reasons::initial_fault(&prepared.flat, fault);
                let error = ModelFault::new(prepared, fault).with(detail);
                return Ok(tally.report(SimulationEnd::InitialError { error }));
            }
        };
        let searched_start = !run.is_uniform();
        tally.searched_starts += u64::from(searched_start);
        let mut sink = Sink::new(prepared, options.traces.then_some(options.format), run.state());
        sink.listed(options.style(), known.take());
        if options.runs > 1 {
            sink.title(&format!("== run {} of {}", number + 1, options.runs));
        }
        sink.random = Some((options.seed, number + 1));
        sink.searched_start = searched_start;
        known = one_run(prepared, options, control, (run, conditions.watches(), sink), &mut tally, out)?;
        if let Some(end) = tally.undecided.take() {
            return Ok(tally.report(end));
        }
    }
    let interrupted = control.stopped();
    Ok(tally.report(if interrupted { SimulationEnd::Interrupted } else { SimulationEnd::Complete }))
}

fn one_run<'p>(
    prepared: &'p Prepared,
    options: SimulateOptions,
    control: &Control<'_>,
    (mut run, mut watches, mut sink): (Run<'p>, Watches<'_>, Sink<'p>),
    tally: &mut Tally<'_>,
    out: &mut dyn Write,
) -> io::Result<Option<Vec<WriteData>>> {
    sink.initial(run.state());
    let looks = sink.is_open() || tally.coverage.is_some();
    let mut writes: Vec<(u32, Value)> = vec![];
    let mut before: Vec<Value> = vec![];
    let mut end = End::Steps;
    let mut rests = false;
    let mut step = 0;
    loop {
        let looked = watches.look(
            &mut run,
            u32::try_from(step).unwrap_or(u32::MAX),
            &writes,
            &mut |property, holds, event| {
                // In the initial state nothing has become anything yet; only verdicts are news.
                let decided = matches!(
                    prepared.flat.program.properties[property].modality,
                    Modality::Eventually | Modality::Finally
                );
                if !matches!(event, Event::Became(_)) || (step > 0 && !decided) {
                    sink.property(prepared, property, holds, event);
                }
            },
        );
        if let Err(fault) = looked {
            sink.detail = reasons::predicate_fault(&prepared.flat, run.state(), fault);
            end = End::Fault(fault);
            break;
        }
        if sink.is_full() {
            sink.flush(out)?;
        }
        if let Some(counter) = &mut tally.coverage {
            counter.visit(run.state());
        }
        if step == options.steps || control.stopped() {
            break;
        }
        if step % 4096 == 0 {
            control.progress.report(Snapshot {
                done: tally.steps + step,
                depth: step,
                ..Snapshot::default()
            });
        }
        if looks {
            before.clear();
            before.extend_from_slice(run.state());
        }
        match run.step(&|| control.stopped()) {
            Taken::Step(instance) => {
                step += 1;
                writes.clear();
                writes.extend_from_slice(run.writes());
                let made = MadeStep { before: &before, instance, choices: run.choices() };
                if looks {
                    sink.step(prepared, &made, &writes, run.state());
                }
                if let Some(counter) = &mut tally.coverage {
                    counter.step(prepared, &made);
                }
                // A system that has come to its end rests there for ever.
                let seen = prepared.labels.as_ref().map(|labels| labels[instance.function as usize].as_str());
                if seen.is_some_and(|label| prepared.model.rests(label)) {
                    rests = true;
                    break;
                }
            }
            Taken::Stopped => break,
            Taken::TooManyChoices(instance) => {
                tally.undecided = Some(too_many_choices(prepared, instance));
                break;
            }
            Taken::Deadlock => {
                end = End::Deadlock;
                break;
            }
            Taken::Fault(instance, fault) => {
                sink.culprit(prepared, instance);
                sink.detail = reasons::step_fault(&prepared.flat, run.state(), instance, fault);
                end = End::Fault(fault);
                break;
            }
        }
    }
    if matches!(end, End::Deadlock) {
        sink.at_the_end();
        watches.deadlock(&mut |property, holds, event| sink.property(prepared, property, holds, event));
    }
    sink.finish(prepared, &end);
    sink.flush(out)?;
    let cut_short = matches!(end, End::Steps) && !rests;
    tally.time += run.time();
    tally.add(step, end, cut_short, sink.detail.take(), &watches);
    Ok(sink.known())
}

fn too_many_choices(prepared: &Prepared, instance: Instance) -> SimulationEnd {
    let function = &prepared.flat.program.functions[instance.function as usize];
    let action = match &function.rule {
        Rule::Action { words, .. } => words.clone(),
        Rule::System { verb, object, .. } => format!("{verb} '{object}'"),
    };
    SimulationEnd::TooManyChoices {
        agent: prepared.flat.program.agent_name(instance.agent),
        action,
        at: format!("{}:{}", prepared.file.name(), prepared.file.position(function.span)),
    }
}

/// Counts over all runs.
struct Tally<'p> {
    prepared: &'p Prepared,
    runs: u64,
    steps: u64,
    deadlocks: u64,
    searched_starts: u64,
    fault: Option<ModelFault>,
    properties: Vec<PropertyTally>,
    coverage: Option<RunCounter>,
    scheduler: SchedulerWord,
    time: f64,
    /// Why no run can go on.
    undecided: Option<SimulationEnd>,
}

impl<'p> Tally<'p> {
    fn new(prepared: &'p Prepared) -> Tally<'p> {
        let asked = |number: usize, modality| match prepared.turned(number) {
            Some(turned) => turned.question().to_string(),
            None => swarmcheck_logic::describe::describe(modality, None),
        };
        let all = prepared.flat.program.properties.iter().enumerate();
        let properties = all.map(|(number, property)| PropertyTally {
            name: property.name.clone(),
            question: asked(number, &property.modality),
            linear: matches!(property.modality, Modality::Linear(_)),
            satisfied: 0,
            violated: 0,
            held: 0,
            true_at_end: 0,
            cut_short: 0,
        });
        let properties = properties.collect();
        Tally {
            prepared,
            runs: 0,
            steps: 0,
            deadlocks: 0,
            searched_starts: 0,
            fault: None,
            properties,
            coverage: None,
            scheduler: SchedulerWord::Steps,
            time: 0.0,
            undecided: None,
        }
    }

    fn add(
        &mut self,
        steps: u64,
        end: End,
        cut_short: bool,
        detail: Option<FaultData>,
        watches: &Watches<'_>,
    ) {
        self.runs += 1;
        self.steps += steps;
        match end {
            End::Steps => {}
            End::Deadlock => self.deadlocks += 1,
            End::Fault(fault) => {
                self.fault = Some(ModelFault::new(self.prepared, fault).with(detail));
            }
        }
        let modalities = self.prepared.flat.program.properties.iter().map(|property| &property.modality);
        let properties = self.properties.iter_mut().zip(modalities);
        for ((tally, modality), (status, holds)) in properties.zip(watches.statuses()) {
            tally.true_at_end += u64::from(holds);
            match status {
                Status::Violated => tally.violated += 1,
                Status::Satisfied => tally.satisfied += 1,
                Status::HoldsSoFar => tally.held += 1,
                Status::Undecided => {
                    let awaited =
                        matches!(modality, Modality::Eventually | Modality::Finally | Modality::After(_));
                    tally.cut_short += u64::from(cut_short && awaited);
                }
            }
        }
    }

    /// An error of the model that some run has met is told, however the simulation ends.
    fn report(self, end: SimulationEnd) -> SimulationReport {
        let Tally { prepared, runs, steps, deadlocks, searched_starts, properties, fault, coverage, .. } =
            self;
        let (scheduler, time) =
            (self.scheduler, (self.scheduler == SchedulerWord::Rates).then_some(self.time));
        let finish = |counter: RunCounter| Box::new(counter.finish(prepared, runs, steps, fault.clone()));
        let coverage = coverage.map(finish);
        let end = fault.map_or(end, |error| SimulationEnd::ModelError { error });
        SimulationReport {
            end,
            runs,
            steps,
            deadlocks,
            searched_starts,
            properties,
            coverage,
            scheduler,
            time,
        }
    }
}
