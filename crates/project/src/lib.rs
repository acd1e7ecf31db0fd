//! Project files (`swarmcheck.toml`): models, how they are read, and the verdicts that their properties should have.
//!
//! Text in, plain data out: files are opened by whoever asks. Every name and value keeps its place, so that what only a run can find
//! out (no such property, no such parameter) can be reported in the project file, too. `docs/project.md` describes the format.

#![warn(missing_docs)]

pub mod codes;
mod read;
mod rows;

pub use read::read;
pub use rows::{Row, rows};

use serde::{Deserialize, Serialize};
use swarmcheck_source::Span;

/// The name that a project file has.
pub const FILE: &str = "swarmcheck.toml";

/// The version of the format that is read.
pub const VERSION: i64 = 1;

/// The name for the question whether some step is always possible, which is no property of the model.
pub const DEADLOCK: &str = "(deadlock)";

/// Something with its place in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placed<T> {
    /// What stands there.
    pub value: T,
    /// Where it stands, in bytes of the file.
    pub span: Span,
}

/// A project file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Project {
    /// What every model may use that does not say otherwise.
    pub limits: LimitsData,
    /// The models, in the order of the file.
    pub models: Vec<Model>,
}

/// What the work on a model may use.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LimitsData {
    /// Seconds that all properties of the model may take together; none for no limit.
    pub time: Option<f64>,
    /// Bytes that the worker may use; none for no limit.
    pub memory: Option<u64>,
}

/// A model with values for its parameters, how it is read, and what is asked.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// Where it begins.
    pub span: Span,
    /// The file, relative to the folder of the project file.
    pub file: Placed<String>,
    /// Values of parameters, in the order of the file.
    pub parameters: Vec<Parameter>,
    /// How it is read.
    pub reading: Reading,
    /// Only executions of this many steps.
    pub steps: Option<u32>,
    /// Executions that stop are excused.
    pub ignore_deadlock: bool,
    /// The engine that decides; the race of all without it.
    pub engine: Option<Placed<String>>,
    /// The number of reachable states without reductions.
    pub states: Option<u64>,
    /// It takes long, and is left out unless somebody asks for it.
    pub slow: bool,
    /// What the work may use; where it says nothing, the limits of the project count.
    pub limits: LimitsData,
    /// Which values of open parameters count: `yes < no`.
    pub numbers: Option<Placed<String>>,
    /// Instances with more agents are not decided, where parameters are open.
    pub most_agents: Option<u32>,
    /// The properties with their verdicts.
    pub properties: Vec<Expected>,
    /// Which infinite executions count: `none`, `weak` or `strong`.
    pub fairness: Option<String>,
}

/// A parameter and its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name, with or without the underscore.
    pub name: Placed<String>,
    /// The value that the parameter gets.
    pub value: Placed<ParameterValue>,
}

/// The value of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterValue {
    /// A number.
    Number(i64),
    /// Every number from this one on, as in `"1.."`.
    From(u32),
}

/// A number as a number, and all others as they are written.
impl serde::Serialize for ParameterValue {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ParameterValue::Number(number) => number.serialize(serializer),
            ParameterValue::From(_) => serializer.collect_str(self),
        }
    }
}

impl std::fmt::Display for ParameterValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ParameterValue::Number(number) => number.fmt(f),
            ParameterValue::From(least) => write!(f, "{least}.."),
        }
    }
}

/// How a model is read. The words are those of the command line's options.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// Round-robin schedule.
    pub fair: bool,
    /// Messages are delivered in the step that causes them.
    pub sync: bool,
    /// `sliver` or `paper`.
    pub semantics: Option<String>,
    /// `late` or `early`.
    pub choice: Option<String>,
    /// `conventional` or `rcheck`.
    pub precedence: Option<String>,
    /// The language, if the name of the file does not say it.
    pub language: Option<String>,
}

/// A property and the verdict that it should have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expected {
    /// The name of the property, or [`DEADLOCK`].
    pub name: Placed<String>,
    /// `holds`, `violated`, `unknown` or `model error`.
    pub verdict: Placed<String>,
    /// Where the claim comes from.
    pub source: Option<String>,
}

impl Model {
    /// Whether some parameter is open.
    pub fn is_open(&self) -> bool {
        self.parameters.iter().any(|parameter| matches!(parameter.value.value, ParameterValue::From(_)))
    }

    /// The parameters as the command line takes them.
    pub fn parameters_text(&self) -> String {
        let words = self.parameters.iter().map(|p| format!("{}={}", p.name.value, p.value.value));
        words.collect::<Vec<_>>().join(" ")
    }

    /// The options as the command line takes them.
    pub fn options_text(&self) -> String {
        let mut words: Vec<String> = vec![];
        let flags = [(self.reading.fair, "--fair"), (self.reading.sync, "--sync")];
        words.extend(flags.iter().filter(|(on, _)| *on).map(|(_, flag)| flag.to_string()));
        let reading = &self.reading;
        for (option, value) in [
            ("--semantics", &reading.semantics),
            ("--choice", &reading.choice),
            ("--precedence", &reading.precedence),
            ("--language", &reading.language),
        ] {
            words.extend(value.iter().map(|value| format!("{option} {value}")));
        }
        words.extend(self.steps.map(|steps| format!("--steps {steps}")));
        words.extend(self.fairness.iter().map(|fairness| format!("--fairness {fairness}")));
        words.extend(self.ignore_deadlock.then(|| "--ignore-deadlock".to_string()));
        words.extend(self.numbers.as_ref().map(|numbers| format!("--where '{}'", numbers.value)));
        words.extend(self.most_agents.map(|most| format!("--up-to {most}")));
        words.extend(self.engine.as_ref().map(|engine| format!("--engine {}", engine.value)));
        words.join(" ")
    }

    /// What the work may use, where the project says what this model does not.
    pub fn limits(&self, project: &Project) -> LimitsData {
        LimitsData {
            time: self.limits.time.or(project.limits.time),
            memory: self.limits.memory.or(project.limits.memory),
        }
    }
}
