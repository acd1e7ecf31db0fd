//! What is told while work goes on, and what comes of it in the end. Everything here serialises: a worker process writes one
//! event per line (`docs/schema/events.md`).

use crate::certificate::CertificateAnswer;
use crate::compare::Compared;
use crate::coverage::Coverage;
use crate::editor::protocol::EditorReply;
use crate::estimate::EstimateReport;
use crate::explain::ExplainAnswer;
use crate::export::File;
use crate::format::Formatting;
use crate::interpreter::InterpreterReply;
use crate::lts::Written;
use crate::outcome::Answer;
use crate::outline::Outline;
use crate::realize::Realized;
use crate::refusal::Refusal;
use crate::replay::ReplayAnswer;
use crate::simulate::SimulationReport;
use serde::{Deserialize, Serialize};
use swarmcheck_engine::Phase;
use swarmcheck_picture::data::{Drawing, Picture};
use swarmcheck_source::data::{DiagnosticData, PlaceData};

/// The version of requests and events. It changes when something is removed or changes its meaning.
pub const VERSION: u32 = 1;

/// Something that happened.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The model was read; these are its warnings.
    Warnings {
        /// In order of position.
        diagnostics: Vec<DiagnosticData>,
    },
    /// The model can run: its parameters with their values.
    Opened {
        /// In the order of the file.
        parameters: Vec<(String, i64)>,
    },
    /// What will be decided, in the order of the answers.
    Questions {
        /// Names of properties, and `(deadlock)`.
        names: Vec<String>,
        /// Where each of them stands in the model, as far as it does.
        #[serde(default)]
        places: Vec<Option<PlaceData>>,
    },
    /// An engine has begun to work on a question, or goes on after a pause.
    Started {
        /// The name of the property, or `(deadlock)`.
        question: String,
        /// The name of the engine.
        engine: String,
    },
    /// An engine has stopped working on a question.
    Stopped {
        /// The name of the property, or `(deadlock)`.
        question: String,
        /// The name of the engine.
        engine: String,
    },
    /// How far something has come.
    Progress(ProgressData),
    /// A question is decided, or given up.
    Answer(Box<Answer>),
    /// A piece of the output that was asked for: traces of runs.
    Output {
        /// As it is to be written.
        text: String,
    },
    /// The answer of an interpreter.
    Reply {
        /// To the request that came last.
        reply: Box<InterpreterReply>,
    },
    /// The answer to a question about an open document.
    Edited {
        /// With the number of the question.
        reply: Box<EditorReply>,
    },
    /// There is no result, and why.
    Refused {
        /// The reason, as data.
        refusal: Refusal,
    },
    /// The work is done, and this is its result.
    Done {
        /// The result, by the kind of request.
        result: Box<Outcomes>,
    },
}

/// Numbers for a progress line.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ProgressData {
    /// The question, if it is about one.
    pub question: Option<String>,
    /// The engine, if it is one.
    pub engine: Option<String>,
    /// What is being done.
    #[serde(default)]
    pub phase: Phase,
    /// States or steps so far.
    pub done: u64,
    /// Waiting to be explored, if known.
    pub waiting: u64,
    /// How deep the search is.
    pub depth: u64,
    /// Bytes in use, if known.
    pub memory: u64,
    /// Seconds since the work began.
    pub elapsed: f64,
}

/// What comes of a request.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "of", rename_all = "snake_case")]
pub enum Outcomes {
    /// The model was checked.
    Check {
        /// Errors and warnings, in order of position.
        diagnostics: Vec<DiagnosticData>,
        /// How much of what there is, in one line; none if there are errors.
        summary: Option<String>,
        /// Parameters, properties and agents, as far as they are known, also if there are errors.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        outline: Option<Box<Outline>>,
    },
    /// The model in another shape.
    Show {
        /// The shape; none if the model has no such shape.
        text: Option<String>,
    },
    /// Numbers as a picture.
    Plot {
        /// The drawing, a document of its own.
        svg: String,
    },
    /// Every question was answered; the answers came before.
    Verify,
    /// All runs were made.
    Simulate {
        /// The numbers over all runs.
        report: SimulationReport,
    },
    /// A person has left the interpreter.
    Interpret,
    /// An editor has closed.
    Edit,
    /// The transition system.
    Lts {
        /// The system as text, and its size.
        written: Written,
    },
    /// The model for another tool.
    Export {
        /// The files of the target, with their names.
        files: Vec<File>,
    },
    /// Two models were compared.
    Compare {
        /// Whether they are equivalent, and if not, what distinguishes them.
        compared: Compared,
    },
    /// A choreography was compared with its peers.
    Realize {
        /// Whether the peers can deadlock, and whether they have the same traces.
        realized: Box<Realized>,
    },
    /// Everything that can be taken was counted.
    Coverage {
        /// The counts.
        coverage: Box<Coverage>,
    },
    /// A trace was replayed.
    Replay {
        /// Whether the trace follows the rules of the model.
        answer: ReplayAnswer,
    },
    /// A trace was explained.
    Explain {
        /// Which of its steps matter, and why.
        answer: ExplainAnswer,
    },
    /// A certificate was checked.
    Certify {
        /// Whether it shows what it claims.
        answer: CertificateAnswer,
    },
    /// Everything that a picture has to show.
    Picture {
        /// The data of the picture.
        picture: Box<Picture>,
    },
    /// A trace in the format that was asked for.
    Render {
        /// As it is to be written.
        text: String,
    },
    /// The reachable states, drawn.
    StateSpace {
        /// The states and transitions that are drawn.
        drawing: Drawing,
        /// How many states can be reached.
        states: u64,
        /// Bisimilar states were merged.
        minimised: bool,
    },
    /// A model was formatted.
    Format {
        /// The changes, and the text with them.
        formatting: Box<Formatting>,
    },
    /// Probabilities and expected values.
    Estimate {
        /// The results, and what "random" means in them.
        report: Box<EstimateReport>,
    },
}
