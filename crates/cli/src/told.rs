//! What a command tells programs: with `--json` one document on standard output and nothing else, with `--events` one line per
//! event, and in files for other tools. What was said about a model is kept here, so that it is in the document, too, where
//! there is no result (`docs/machines.md`).

use crate::exit::Exit;
use serde_json::{Map, Value as Json, json};
use std::cell::{Cell, RefCell};
use swarmcheck_session::{Answer, Event, Refusal, words};
use swarmcheck_source::Severity;
use swarmcheck_source::data::{DiagnosticData, PlaceData};

/// The version of documents that do not have one of their own.
pub const VERSION: u32 = 1;

/// The form of standard output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    /// For people.
    #[default]
    Text,
    /// One JSON document.
    Document,
    /// One event per line, and the document in the last one.
    Events,
}

impl Form {
    /// The form that these options ask for.
    pub fn new(json: bool, events: bool) -> Form {
        match (json, events) {
            (_, true) => Form::Events,
            (true, _) => Form::Document,
            _ => Form::Text,
        }
    }

    /// Whether a program reads standard output.
    pub fn is_data(self) -> bool {
        self != Form::Text
    }
}

/// Why there is no result.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The kind of a refusal, or `usage`, `failure`, `interrupted` or `time_limit`.
    pub kind: String,
    /// As a sentence.
    pub message: String,
    /// The refusal as data.
    pub refusal: Option<Refusal>,
}

/// What `verify` has found, for files of other formats.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// The values of parameters.
    pub parameters: Vec<(String, i64)>,
    /// The properties that were asked for, with their places.
    pub places: Vec<(String, Option<PlaceData>)>,
    /// What was decided, in the order of the properties that were asked for.
    pub answers: Vec<Answer>,
}

impl Verified {
    /// Where a property stands.
    pub fn place(&self, name: &str) -> Option<&PlaceData> {
        self.places.iter().find(|(known, _)| known == name)?.1.as_ref()
    }
}

/// Everything that was told.
#[derive(Default)]
pub struct Told {
    /// The name of the command, as documents repeat it.
    pub command: Cell<&'static str>,
    /// The form of standard output.
    pub form: Cell<Form>,
    /// The model, as it was given.
    pub model: RefCell<Option<String>>,
    /// Findings about models, in the order of their files.
    pub diagnostics: RefCell<Vec<DiagnosticData>>,
    /// Why there is no result: what was said first.
    pub problem: RefCell<Option<Problem>>,
    /// What was found about properties.
    pub verified: RefCell<Option<Verified>>,
    /// The command has come to a result.
    pub complete: Cell<bool>,
    /// The document was written.
    pub written: Cell<bool>,
    /// Traces go to standard output while they are made.
    pub streams: Cell<bool>,
}

impl Told {
    /// Whether a program reads standard output.
    pub fn is_data(&self) -> bool {
        self.form.get().is_data()
    }

    /// Findings about a model.
    pub fn find(&self, list: &[DiagnosticData]) {
        self.diagnostics.borrow_mut().extend_from_slice(list);
    }

    /// Why there is no result. What is said later is a consequence.
    pub fn fail(&self, kind: &str, message: &str) {
        let problem = Problem { kind: kind.to_string(), message: message.to_string(), refusal: None };
        self.problem.borrow_mut().get_or_insert(problem);
    }

    /// What was said of one of several inputs; the others may have a result.
    pub fn take_problem(&self) -> Option<String> {
        self.problem.take().map(|problem| problem.message)
    }

    /// The same, where the library has refused.
    pub fn refuse(&self, refusal: &Refusal, message: &str) {
        let refusal = Some(refusal.clone());
        let problem = Problem { kind: kind(refusal.as_ref()), message: message.to_string(), refusal };
        self.problem.borrow_mut().get_or_insert(problem);
    }

    /// A document: its head, what is in it, and what was said about the model.
    pub fn document(&self, format: &str, version: u32, fields: Json) -> Json {
        let mut document = Map::new();
        document.insert("format".to_string(), json!(format));
        document.insert("version".to_string(), json!(version));
        match fields {
            Json::Object(fields) => document.extend(fields),
            other => drop(document.insert("value".to_string(), other)),
        }
        document.entry("diagnostics").or_insert_with(|| json!(*self.diagnostics.borrow()));
        Json::Object(document)
    }

    /// The document of a command that has no result.
    pub fn failure(&self, exit: Exit) -> Json {
        let problem = self.problem.borrow();
        let (kind, message) = match &*problem {
            // How it ended says more than that it did.
            Some(problem) if problem.kind == "failure" => (word(exit).to_string(), problem.message.clone()),
            Some(problem) => (problem.kind.clone(), problem.message.clone()),
            None => (word(exit).to_string(), self.errors()),
        };
        // The diagnostics of a model have their own place in the document.
        let refusal = problem.as_ref().and_then(|problem| problem.refusal.as_ref());
        let refusal = refusal.filter(|refusal| !matches!(refusal, Refusal::Model { .. }));
        let fields = json!({
            "command": self.command.get(),
            "model": *self.model.borrow(),
            "exit": exit.code(),
            "error": { "kind": kind, "message": message, "refusal": refusal },
        });
        self.document("swarmcheck-error", VERSION, fields)
    }

    /// How many errors the model has.
    fn errors(&self) -> String {
        let diagnostics = self.diagnostics.borrow();
        let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
        format!("the model has {}", words::count(errors, "error"))
    }

    /// The first line of a stream of events.
    pub fn first_line(&self) -> String {
        let version = swarmcheck_session::event::VERSION;
        let first = json!({
            "event": "begin", "format": "swarmcheck-events", "version": version, "command": self.command.get(),
        });
        format!("{first}\n")
    }

    /// An event as a line.
    pub fn line(event: &Event) -> Option<String> {
        serde_json::to_string(event).ok().map(|line| line + "\n")
    }

    /// The document as it is written.
    pub fn text(&self, document: &Json) -> String {
        match self.form.get() {
            Form::Events => format!("{}\n", json!({ "event": "result", "document": document })),
            _ => format!("{document:#}\n"),
        }
    }
}

/// The tag of a refusal.
fn kind(refusal: Option<&Refusal>) -> String {
    let data = refusal.and_then(|refusal| serde_json::to_value(refusal).ok());
    let kind = data.as_ref().and_then(|data| data["kind"].as_str());
    kind.unwrap_or("failure").to_string()
}

/// Why there is no result, if nobody has said it.
fn word(exit: Exit) -> &'static str {
    match exit {
        Exit::Usage => "usage",
        Exit::Model => "model",
        Exit::TimeLimit => "time_limit",
        Exit::Interrupted => "interrupted",
        _ => "failure",
    }
}

/// The document about a command line that makes no sense: nothing else was done.
pub fn no_command(message: &str) -> String {
    let told = Told::default();
    told.fail("usage", message);
    format!("{:#}\n", told.failure(Exit::Usage))
}
