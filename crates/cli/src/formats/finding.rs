//! What was found, in the form that tools for code have in common: a rule, a level, a sentence, and a place. Diagnostics are
//! findings, and so are properties that do not hold, or hold without saying anything.

use super::steps::stops;
use crate::told::{Told, Verified};
use swarmcheck_session::outcome::{DEADLOCK, Outcome};
use swarmcheck_session::reach::PREDICATE;
use swarmcheck_session::specification::split_name;
use swarmcheck_session::{Answer, Refusal, TraceData, words};
use swarmcheck_source::Severity;
use swarmcheck_source::data::{DiagnosticData, PlaceData};
use swarmcheck_source::fix::FixData;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// It has to be repaired.
    Error,
    /// It deserves attention.
    Warning,
}

/// What SARIF calls a result: a diagnostic, a violated property, or a question without an answer.
pub struct Finding {
    /// The code of a diagnostic, or one of [`RULES`].
    pub rule: String,
    pub level: Level,
    pub message: String,
    /// The file, as it was given.
    pub file: String,
    /// Where in that file, if that is known.
    pub place: Option<PlaceData>,
    /// Other places that have to do with it.
    pub related: Vec<PlaceData>,
    /// Ways out that a tool can take by itself.
    pub fixes: Vec<FixData>,
    /// The property, if it is about one.
    pub property: Option<String>,
    /// The execution that shows it.
    pub trace: Option<TraceData>,
}

/// The rules that are no diagnostics, with what each says.
pub const RULES: &[(&str, &str)] = &[
    ("violated", "a property is violated"),
    ("deadlock", "a state is reachable from which no step is possible"),
    ("model-error", "the model meets an error when it runs"),
    ("undecided", "a property was not decided"),
    ("vacuous", "a property holds without saying anything about the system"),
];

/// Everything that was found, in the order in which it was told.
pub fn all(told: &Told) -> Vec<Finding> {
    let model = told.model.borrow().clone().unwrap_or_default();
    let mut findings: Vec<Finding> =
        told.diagnostics.borrow().iter().map(|d| diagnostic(d, &model)).collect();
    if let Some(verified) = &*told.verified.borrow() {
        findings.extend(verified.answers.iter().filter_map(|answer| answered(answer, verified, &model)));
    }
    if let Some(problem) = &*told.problem.borrow()
        && let Some(refusal) = &problem.refusal
    {
        findings.extend(refused(refusal, &problem.message, &model));
    }
    findings
}

/// The file that a model is in: a process of it may follow its name.
pub fn file(model: &str) -> &str {
    split_name(model, None).0
}

fn diagnostic(d: &DiagnosticData, model: &str) -> Finding {
    let level = match d.severity {
        Severity::Error => Level::Error,
        Severity::Warning => Level::Warning,
    };
    let mut message = d.message.clone();
    for part in std::iter::once(&d.place.message).filter(|label| !label.is_empty()) {
        message += &format!(": {part}");
    }
    for help in &d.help {
        message += &format!("\nhelp: {help}");
    }
    // A predicate of the command line is in no file.
    if d.file == PREDICATE {
        return Finding {
            rule: d.code.clone(),
            level,
            message: format!("in the predicate that is to be reached, column {}: {message}", d.place.column),
            file: file(model).to_string(),
            place: None,
            related: vec![],
            fixes: vec![],
            property: None,
            trace: None,
        };
    }
    Finding {
        rule: d.code.clone(),
        level,
        message,
        file: file(&d.file).to_string(),
        place: Some(d.place.clone()),
        related: d.related.clone(),
        fixes: d.fixes.clone(),
        property: None,
        trace: None,
    }
}

fn answered(answer: &Answer, verified: &Verified, model: &str) -> Option<Finding> {
    let name = &answer.name;
    let evidence = answer.evidence();
    let (rule, level, message) = match &answer.outcome {
        Outcome::Violated { .. } if name == DEADLOCK => {
            ("deadlock", Level::Error, format!("the system can get stuck: {evidence}"))
        }
        Outcome::Violated { .. } => ("violated", Level::Error, format!("{name} is violated: {evidence}")),
        Outcome::ModelError { .. } => {
            ("model-error", Level::Error, format!("{name}: model error, {evidence}"))
        }
        Outcome::Unknown { .. } => {
            ("undecided", Level::Warning, format!("{name} was not decided: {evidence}"))
        }
        Outcome::Holds { vacuous: Some(why), .. } => {
            let why = words::vacuity(why);
            ("vacuous", Level::Warning, format!("{name} holds, but says nothing: {why}"))
        }
        Outcome::Holds { vacuous: None, .. } => return None,
    };
    let place = match &answer.outcome {
        Outcome::ModelError { error, .. } if error.file == PREDICATE => None,
        Outcome::ModelError { error, .. } => Some(point(error.line, error.column)),
        _ => verified.place(name).cloned().or_else(|| last_step(answer)),
    };
    Some(Finding {
        rule: rule.to_string(),
        level,
        message,
        file: file(model).to_string(),
        place,
        related: vec![],
        fixes: vec![],
        property: Some(name.clone()),
        trace: answer.trace.as_ref().map(|shown| shown.data.clone()),
    })
}

/// Where the last step of the trace that has a place stands: a deadlock is no property of the file.
fn last_step(answer: &Answer) -> Option<PlaceData> {
    stops(&answer.trace.as_ref()?.data).into_iter().rev().find_map(|stop| stop.place)
}

/// Errors that a model meets before there are answers. Other refusals say nothing about a model.
fn refused(refusal: &Refusal, message: &str, model: &str) -> Option<Finding> {
    let place = match refusal {
        Refusal::ModelError { error } if error.file == PREDICATE => None,
        Refusal::ModelError { error } => Some(point(error.line, error.column)),
        Refusal::NoInitialState { assumptions } => assumptions.first().map(|a| point(a.line, a.column)),
        _ => return None,
    };
    let file = file(model).to_string();
    let (rule, message) = ("model-error".to_string(), message.to_string());
    Some(Finding {
        rule,
        level: Level::Error,
        message,
        file,
        place,
        related: vec![],
        fixes: vec![],
        property: None,
        trace: None,
    })
}

/// A place of which only the beginning is known.
pub fn point(line: usize, column: usize) -> PlaceData {
    let (end_line, end_column, start, end, message) = (line, column, 0, 0, String::new());
    PlaceData { line, column, end_line, end_column, start, end, message }
}
