//! The door: one request as plain data, events while it is worked on, a result. [`run`] serves a program that links this
//! crate as well as a worker process that reads requests as JSON lines.
//!
//! The façade has no clock, no files and no other programs: a [`Host`] has them, as far as it wants to.

pub(crate) mod telling;

use crate::asked::Asked;
use crate::certificate::{self, CertificateAnswer, CertificateData};
use crate::compare::{self, Alike};
use crate::coverage::{CoverageOptions, coverage};
use crate::editor::Editor;
use crate::editor::protocol::EditorRequest;
use crate::estimate::{EstimateOptions, SchedulerWord, estimate};
use crate::event::{Event, Outcomes};
use crate::every;
use crate::explain::explain_as;
use crate::export::{ExportOptions, export};
use crate::format::{LineRange, format};
use crate::interpreter::{Interpreter, InterpreterRequest};
use crate::languages::LanguageWord;
use crate::lts::{LtsOptions, lts};
use crate::network::network_svg;
use crate::open::{Checked, ModelOptions, Prepared, Trouble, prepare_unless};
use crate::outcome::Reason;
use crate::picture;
use crate::plot::Plot;
use crate::realize;
use crate::refusal::Refusal;
use crate::replay::replay_as;
use crate::show::{Shape, show};
use crate::simulate::{SimulateOptions, TraceFormat, simulate};
use crate::statespace::{StateSpace, state_space, state_space_svg};
use crate::verify::{self, Backend, VerifyOptions};
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;
use swarmcheck_backends::Tools;
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_engine::{Budget, Control, NoSolvers, Solvers};
use swarmcheck_labs::lower::{Choice, Semantics};
use swarmcheck_rcheck::Precedence;
use swarmcheck_source::data;
use telling::{Output, Telling};

/// A file's name for messages, and its text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Source {
    /// The name; its ending says in which language the text is written.
    pub name: String,
    /// The contents of the file.
    pub text: String,
    /// The language, if the name does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageWord>,
}

/// A model and how it is to be read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ModelRequest {
    /// The text, and its name.
    pub source: Source,
    /// Values of parameters, as the user typed them.
    #[serde(default)]
    pub parameters: Vec<(String, String)>,
    /// Agents take turns (round-robin) instead of acting in any order.
    #[serde(default)]
    pub fair: bool,
    /// What a confirmation does to an equal timestamp, and whether undefined tuples are sent.
    #[serde(default)]
    pub semantics: SemanticsWord,
    /// When a choice is made.
    #[serde(default)]
    pub choice: ChoiceWord,
    /// Messages are delivered in the step that causes them.
    #[serde(default)]
    pub sync: bool,
    /// How operators bind in an R-CHECK model; without it, formulas that can be read in two ways are decided in both.
    #[serde(default)]
    pub precedence: Option<PrecedenceWord>,
}

impl ModelRequest {
    /// A model that is read as it is without options.
    pub fn new(source: Source, parameters: Vec<(String, String)>) -> ModelRequest {
        let (fair, semantics, choice, sync, precedence) = Default::default();
        ModelRequest { source, parameters, fair, semantics, choice, sync, precedence }
    }
}

/// `docs/rcheck.md`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PrecedenceWord {
    /// The usual levels.
    Conventional,
    /// One level, from left to right, as the authors' editor reads.
    Rcheck,
}

impl PrecedenceWord {
    /// The reading with this name in a trace.
    pub fn named(word: &str) -> Option<PrecedenceWord> {
        Precedence::named(word).map(|precedence| match precedence {
            Precedence::Conventional => PrecedenceWord::Conventional,
            Precedence::Rcheck => PrecedenceWord::Rcheck,
        })
    }
}

impl From<PrecedenceWord> for Precedence {
    fn from(word: PrecedenceWord) -> Precedence {
        match word {
            PrecedenceWord::Conventional => Precedence::Conventional,
            PrecedenceWord::Rcheck => Precedence::Rcheck,
        }
    }
}

/// `docs/labs.md` 15.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SemanticsWord {
    /// A confirmation that meets an equal timestamp changes nothing, and a tuple that is undefined is sent like others.
    #[default]
    Sliver,
    /// It makes the receiver propagate, as rule QRY2 says, and a tuple that is undefined is not sent, as rules CONFIRM
    /// and PROPAGATE say.
    Paper,
}

/// `docs/labs.md` 10.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChoiceWord {
    /// By the action that is taken.
    #[default]
    Late,
    /// When the action before it ends.
    Early,
}

/// A request to the library.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Request {
    /// Report everything that is wrong with a model.
    Check {
        /// The model that is read, and how.
        model: ModelRequest,
    },
    /// Show a model in another shape.
    Show {
        /// The model that is shown.
        model: ModelRequest,
        /// The representation to show.
        shape: Shape,
    },
    /// Decide properties.
    Verify {
        /// The model whose properties are decided.
        model: ModelRequest,
        /// The properties, and how they are decided.
        options: Box<VerifyOptions>,
        /// Another verifier decides.
        #[serde(default)]
        backend: Option<Backend>,
        /// What that verifier has found already, instead of running it.
        #[serde(default)]
        found: Option<String>,
    },
    /// Run a model at random.
    Simulate {
        /// The model that runs.
        model: ModelRequest,
        /// How often and how long.
        options: SimulateOptions,
    },
    /// Let somebody choose every step of a run.
    Interpret {
        /// The model that runs.
        model: ModelRequest,
        /// Determines the initial state.
        seed: u64,
    },
    /// Answer questions about documents while somebody writes them.
    Edit,
    /// Write a model as a labelled transition system.
    Lts {
        /// The model that is explored.
        model: ModelRequest,
        /// The file format, and whether states are merged.
        options: LtsOptions,
    },
    /// Write a model for another tool.
    Export {
        /// The model that is translated.
        model: ModelRequest,
        /// For which, and what.
        options: ExportOptions,
    },
    /// Count how often everything in a model can be taken.
    Coverage {
        /// The model whose actions and conditions are counted.
        model: ModelRequest,
        /// What is counted.
        #[serde(default)]
        options: CoverageOptions,
    },
    /// Compare two models, or transition systems.
    Compare {
        /// The one and the other.
        sides: [Source; 2],
        /// What it is to behave alike.
        relation: Alike,
    },
    /// Compare a choreography with its peers.
    Realize {
        /// The choreography that is projected.
        source: Source,
    },
    /// Check a trace against the rules.
    Replay {
        /// The model that the trace is of.
        source: Source,
        /// The trace, as its file has it.
        trace: Box<TraceData>,
    },
    /// Say which steps of a trace matter.
    Explain {
        /// The model that the trace is of.
        source: Source,
        /// The trace, as its file has it.
        trace: Box<TraceData>,
        /// The property that is explained; none for the one that the trace violates.
        #[serde(default)]
        property: Option<String>,
    },
    /// Check a proof on its model.
    Certify {
        /// The model that the proof is about.
        source: Source,
        /// The proof, as its file has it.
        certificate: Box<CertificateData>,
        /// Tell the formula, too, that a proof within a bound refutes.
        #[serde(default)]
        formula: bool,
    },
    /// Tell everything that a picture of a model, or of a trace, has to show.
    Picture {
        /// What the picture is of.
        model: ModelRequest,
        /// The trace, if there is one.
        #[serde(default)]
        trace: Option<Box<TraceData>>,
        /// Whether to tell which of its steps matter.
        #[serde(default)]
        explain: bool,
    },
    /// Write a stored trace in a format.
    Render {
        /// The model that the trace is of.
        source: Source,
        /// The trace, as its file has it.
        trace: Box<TraceData>,
        /// How it is to be written.
        format: TraceFormat,
    },
    /// Draw numbers that somebody has collected.
    Plot {
        /// The numbers, and how they are to be drawn.
        plot: Box<Plot>,
    },
    /// Draw the reachable state space of a small system.
    StateSpace {
        /// The system, with parameters that are small enough.
        model: ModelRequest,
        /// If there are more states, bisimilar ones are merged; 200 if nothing is said, and never more than 500.
        #[serde(default)]
        limit: Option<u32>,
    },
    /// Format a model: change its white space.
    Format {
        /// The text that is formatted.
        source: Source,
        /// Only these lines change.
        #[serde(default)]
        range: Option<LineRange>,
    },
    /// Estimate or compute how likely something is, or what is expected.
    Estimate {
        /// The model that runs. With the scheduler `round_robin` its agents take turns, whatever it says itself.
        model: ModelRequest,
        /// What is asked, and how it is to be answered.
        options: Box<EstimateOptions>,
    },
}

/// Who asks: receives events, and has what the façade has not.
pub trait Host: Sync {
    /// Receives an event, from any thread.
    fn tell(&self, event: Event);

    /// Set when it is time to stop.
    fn stop(&self) -> &AtomicBool;

    /// The limits; seconds are those of [`Host::seconds`].
    fn budget(&self) -> Budget {
        Budget::default()
    }

    /// Seconds since the work began, if there is a clock.
    fn seconds(&self) -> f64 {
        0.0
    }

    /// The bytes that the whole process uses, if known.
    fn memory(&self) -> Option<u64> {
        None
    }

    /// The next request to an interpreter; none if there will be no more.
    fn hear(&self) -> Option<InterpreterRequest> {
        None
    }

    /// What an editor says next; none if it will say nothing more.
    fn hear_editor(&self) -> Option<EditorRequest> {
        None
    }

    /// A place where other programs can be run.
    fn tools(&self) -> Result<Box<dyn Tools + '_>, String> {
        Err("other programs cannot be run here".to_string())
    }

    /// Solvers for formulas over integers that can be run.
    fn solvers(&self) -> &dyn Solvers {
        &NoSolvers
    }
}

/// Works on a request. The last event is [`Event::Done`] or [`Event::Refused`].
pub fn run(request: &Request, host: &dyn Host) {
    host.tell(match work(request, host) {
        Ok(result) => Event::Done { result: Box::new(result) },
        Err(refusal) => Event::Refused { refusal },
    });
}

fn work(request: &Request, host: &dyn Host) -> Result<Outcomes, Refusal> {
    let silent = Telling::new(host, vec![]);
    let control = Control { stop: host.stop(), budget: host.budget(), progress: &silent };
    Ok(match request {
        Request::Check { model } => check(model),
        Request::Show { model, shape: Shape::States } => {
            Outcomes::Show { text: Some(state_space_svg(&open(model, host)?, &control)?) }
        }
        Request::Show { model, shape: Shape::Network } => {
            Outcomes::Show { text: Some(network_svg(&open(model, host)?)?) }
        }
        Request::StateSpace { model, limit } => {
            let StateSpace { drawing, states, minimised } =
                state_space(&open(model, host)?, *limit, &control)?;
            Outcomes::StateSpace { drawing, states, minimised }
        }
        Request::Plot { plot } => Outcomes::Plot { svg: crate::plot::svg(plot) },
        Request::Show { model, shape } => Outcomes::Show { text: show(&open(model, host)?, *shape) },
        Request::Verify { model, options, backend, found } => {
            return decide(model, options, *backend, found.as_deref(), host);
        }
        Request::Simulate { model, options } => {
            let turns = options.scheduler == SchedulerWord::RoundRobin;
            let prepared = open(&ModelRequest { fair: model.fair || turns, ..model.clone() }, host)?;
            let mut output = Output { host, pending: String::new() };
            // Writing to a host cannot fail.
            let report = simulate(&prepared, *options, &control, &mut output)
                .map_err(|e| Refusal::unfinished(Reason::Internal { why: e.to_string() }))?;
            Outcomes::Simulate { report }
        }
        Request::Interpret { model, seed } => {
            let prepared = open(model, host)?;
            let mut interpreter = Interpreter::new_unless(&prepared, *seed, control.stop);
            while let Some(asked) = host.hear() {
                host.tell(Event::Reply { reply: Box::new(interpreter.handle(asked)) });
            }
            Outcomes::Interpret
        }
        Request::Edit => {
            let mut editor = Editor::default();
            while let Some(asked) = host.hear_editor() {
                if let Some(reply) = editor.handle(asked) {
                    host.tell(Event::Edited { reply: Box::new(reply) });
                }
            }
            Outcomes::Edit
        }
        Request::Lts { model, options } => {
            Outcomes::Lts { written: lts(&open(model, host)?, *options, &control)? }
        }
        Request::Export { model, options } => {
            let Source { name, text, .. } = &model.source;
            if let Some(open) = every::certificate::open_model(name, text, model.into(), &control) {
                return Ok(Outcomes::Export {
                    files: every::certificate::obligations(&open?, options, &control)?,
                });
            }
            let turns = model.fair || options.scheduler == SchedulerWord::RoundRobin;
            let prepared = open(&ModelRequest { fair: turns, ..model.clone() }, host)?;
            Outcomes::Export { files: export(&prepared, options, &control)? }
        }
        Request::Coverage { model, options } => {
            let coverage = Box::new(coverage(&open(model, host)?, *options, &control)?);
            Outcomes::Coverage { coverage }
        }
        Request::Compare { sides, relation } => {
            let side = |source: &Source| -> Result<compare::Side, Refusal> {
                let side = compare::open_as(&source.name, source.text.as_bytes(), source.language)?;
                if let compare::Side::Model(prepared) = &side {
                    host.tell(warnings(prepared));
                }
                Ok(side)
            };
            let sides = [side(&sides[0])?, side(&sides[1])?];
            Outcomes::Compare { compared: compare::compare(&sides, *relation, &control)? }
        }
        Request::Realize { source } => {
            let choreography = realize::open_as(&source.name, source.text.as_bytes(), source.language)?;
            Outcomes::Realize { realized: Box::new(realize::realize(choreography, &control)?) }
        }
        Request::Replay { source, trace } => {
            let Source { name, text, language } = source;
            Outcomes::Replay { answer: replay_as(trace, name, text.as_bytes(), *language)? }
        }
        Request::Explain { source, trace, property } => {
            let Source { name, text, language } = source;
            let answer = explain_as(trace, property.as_deref(), name, text.as_bytes(), *language)?;
            Outcomes::Explain { answer }
        }
        Request::Certify { source, certificate, formula } => {
            let Source { name, text, language } = source;
            let mut answer = certificate::check_as(certificate, name, text.as_bytes(), *language, &control)?;
            if let (true, CertificateAnswer::Accepted { formula, .. }) = (*formula, &mut answer) {
                *formula = certificate::formula(certificate, name, text.as_bytes(), *language, &control)?;
            }
            Outcomes::Certify { answer }
        }
        Request::Picture { model, trace, explain } => {
            let reach = trace.as_ref().and_then(|trace| trace.reach.clone());
            let prepared = open_asking(model, reach, host)?;
            let made = picture::picture(&prepared, trace.as_deref(), *explain);
            let picture = made.map_err(|misfit| Refusal::Misfit { misfit: Box::new(misfit) })?;
            Outcomes::Picture { picture: Box::new(picture) }
        }
        Request::Render { source, trace, format } => {
            let Source { name, text, language } = source;
            Outcomes::Render { text: picture::render(trace, *format, name, text.as_bytes(), *language)? }
        }
        Request::Format { source, range } => {
            Outcomes::Format { formatting: Box::new(format(source, *range)?) }
        }
        Request::Estimate { model, options } => {
            let turns = model.fair || options.scheduler == SchedulerWord::RoundRobin;
            let prepared = open(&ModelRequest { fair: turns, ..model.clone() }, host)?;
            Outcomes::Estimate { report: Box::new(estimate(&prepared, options, &control)?) }
        }
    })
}

/// Reads and checks; errors are the result here, and no refusal.
fn check(model: &ModelRequest) -> Outcomes {
    let Source { name, text, language } = &model.source;
    let precedence = model.precedence.map(Precedence::from);
    let parameters = every::closed(&model.parameters);
    let options = ModelOptions { parameters, precedence, language: *language, ..ModelOptions::default() };
    let checked = crate::open::check_as(name, text.as_bytes(), options);
    let outline = crate::outline::outline(&checked).map(Box::new);
    let Checked { file, diagnostics, model, .. } = checked;
    Outcomes::Check {
        diagnostics: diagnostics.iter().map(|d| data::diagnostic(&file, d)).collect(),
        summary: model.map(|model| model.summary()),
        outline,
    }
}

fn decide(
    model: &ModelRequest,
    options: &VerifyOptions,
    backend: Option<Backend>,
    found: Option<&str>,
    host: &dyn Host,
) -> Result<Outcomes, Refusal> {
    if every::is_asked(model) && backend.is_none() {
        return every::decide(model, options, host);
    }
    if !every::is_asked(model) && (options.numbers.is_some() || options.most_agents.is_some()) {
        let why = "no number of agents is open: write for instance n=1..".to_string();
        return Err(Refusal::OpenNumbers { why });
    }
    let prepared = open_asking(model, options.reach.clone(), host)?;
    if prepared.flat.program.properties.is_empty() && !options.deadlock {
        return Err(Refusal::NothingToVerify { language: prepared.language().word });
    }
    let names = verify::questions(&prepared, options)?;
    let places = crate::place::questions(&prepared, &names);
    host.tell(Event::Questions { names, places });
    let all = 0..prepared.flat.program.properties.len();
    let all = all.map(|number| verify::question_of(&prepared, number).to_string()).collect();
    let progress = Telling::new(host, all);
    let control = Control { stop: host.stop(), budget: host.budget(), progress: &progress };
    let mut tell = |answer: &verify::Answer| host.tell(Event::Answer(Box::new(answer.clone())));
    match (backend, found) {
        (None, _) => {
            verify::verify_telling(&prepared, options, &control, &mut tell)?;
        }
        (Some(backend), Some(found)) => {
            let report = verify::translate(&prepared, options, backend, found, &control)?;
            report.answers.iter().for_each(tell);
        }
        (Some(backend), None) => {
            let mut tools = host.tools().map_err(|why| Refusal::unfinished(Reason::Internal { why }))?;
            verify::verify_with_telling(&prepared, options, backend, &mut *tools, &control, &mut tell)?;
        }
    }
    Ok(Outcomes::Verify)
}

/// The model, ready to run; its warnings are told.
fn open(model: &ModelRequest, host: &dyn Host) -> Result<Prepared, Refusal> {
    open_asking(model, None, host)
}

/// The same, with the question whether a predicate can be reached.
fn open_asking(model: &ModelRequest, reach: Option<String>, host: &dyn Host) -> Result<Prepared, Refusal> {
    if every::is_asked(model) {
        let why = "a number of agents can be open only where properties are verified, by our own engines"
            .to_string();
        return Err(Refusal::OpenNumbers { why });
    }
    let options = ModelOptions { reach, ..ModelOptions::from(model) };
    let Source { name, text, .. } = &model.source;
    let prepared = prepare_unless(name, text.as_bytes(), options, host.stop())?;
    host.tell(warnings(&prepared));
    host.tell(Event::Opened { parameters: prepared.model.parameters().to_vec() });
    Ok(prepared)
}

pub(crate) fn warnings(prepared: &Prepared) -> Event {
    let list = prepared.warnings.iter().map(|d| data::diagnostic(&prepared.file, d));
    Event::Warnings { diagnostics: list.collect() }
}

impl From<&ModelRequest> for ModelOptions {
    fn from(model: &ModelRequest) -> ModelOptions {
        ModelOptions {
            parameters: model.parameters.clone(),
            fair: model.fair,
            semantics: match model.semantics {
                SemanticsWord::Sliver => Semantics::Sliver,
                SemanticsWord::Paper => Semantics::Paper,
            },
            choice: match model.choice {
                ChoiceWord::Late => Choice::Late,
                ChoiceWord::Early => Choice::Early,
            },
            sync: model.sync,
            precedence: model.precedence.map(Precedence::from),
            language: model.source.language,
            reach: None,
            asked: Asked::default(),
        }
    }
}

impl From<Trouble> for Refusal {
    fn from(trouble: Trouble) -> Refusal {
        match trouble {
            Trouble::File(file, list) => {
                Refusal::Model { diagnostics: list.iter().map(|d| data::diagnostic(&file, d)).collect() }
            }
            Trouble::Unreadable(why) => Refusal::Unreadable { why },
            Trouble::NoChoreography(name) => Refusal::NoChoreography { name },
            Trouble::Interrupted => Refusal::unfinished(Reason::Interrupted),
            Trouble::Internal(why) => Refusal::unfinished(Reason::Internal { why }),
        }
    }
}
