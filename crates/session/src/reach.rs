//! A question that is not in the file: can a state that satisfies this predicate be reached?
//!
//! It is the negation of `always not P`, so everything that decides invariants decides it: what they call a
//! counterexample is the execution that was asked for, and a proof that the invariant holds shows that no state
//! satisfies `P`.
//!
//! The predicate is written in the property syntax of the model's language. It is read as a part of the file: its text is
//! put behind the file's, so that every place in it is a place of one text, and what is wrong with it is told with
//! places of its own ([`PREDICATE`] is its name then).

use crate::languages::{Language, language};
use crate::open::{ModelOptions, Prepared};
use crate::specification::split_name;
use crate::verify::question_of;
use std::ops::Range;
use swarmcheck_certify::{Claim, Refused, Replayed};
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_engine::{Fairness, Why};
use swarmcheck_ir::Modality;
use swarmcheck_source::{Diagnostic, Label, Severity, SourceFile, Span};

/// What the text of a predicate is called in diagnostics.
pub const PREDICATE: &str = "<predicate>";

/// The name of the question in answers.
pub fn name(predicate: &str) -> String {
    format!("(reach) {}", one_line(predicate))
}

pub(crate) fn one_line(predicate: &str) -> String {
    predicate.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What stands around a predicate behind the text of a file.
#[derive(Clone, Copy, Debug)]
pub struct PredicateFrame {
    /// Before it.
    pub before: &'static str,
    /// After it. It begins with a new line, because a predicate may end in a comment.
    pub after: &'static str,
}

fn frame(file_name: &str, options: &ModelOptions) -> Option<PredicateFrame> {
    language(split_name(file_name, options.language).0, options.language).predicate
}

/// The file with the predicate behind it, if there is one and the language has predicates.
pub(crate) fn appended(file: SourceFile, options: &ModelOptions) -> SourceFile {
    let (Some(predicate), Some(frame)) = (&options.reach, frame(file.name(), options)) else { return file };
    let text = format!("{}\n{}{predicate}{}", file.text(), frame.before, frame.after);
    SourceFile::new(file.name(), text)
}

/// Where the predicate is in a file that it was put behind.
pub(crate) fn place(file: &SourceFile, options: &ModelOptions) -> Option<Range<usize>> {
    let (predicate, frame) = (options.reach.as_ref()?, frame(file.name(), options)?);
    let end = file.text().len().checked_sub(frame.after.len())?;
    Some(end.checked_sub(predicate.len())?..end)
}

/// How long the text of the model itself is.
pub(crate) fn model_length(file: &SourceFile, options: &ModelOptions) -> usize {
    let framed = place(file, options).zip(frame(file.name(), options));
    framed.map_or(file.text().len(), |(at, frame)| at.start.saturating_sub(frame.before.len() + 1))
}

/// Findings about the model, or, if all errors are in the predicate, those about the predicate with its own places.
pub(crate) fn apart(
    file: SourceFile,
    options: &ModelOptions,
    list: Vec<Diagnostic>,
) -> (SourceFile, Vec<Diagnostic>) {
    let Some(at) = place(&file, options) else { return (file, list) };
    let model = model_length(&file, options);
    let (of_model, of_predicate): (Vec<_>, Vec<_>) =
        list.into_iter().partition(|d| (d.primary.span.start as usize) <= model);
    let wrong = |list: &[Diagnostic]| list.iter().any(|d| d.severity == Severity::Error);
    if wrong(&of_model) || !wrong(&of_predicate) {
        return (file, of_model);
    }
    let text = file.text().get(at.clone()).unwrap_or_default();
    let own = SourceFile::new(PREDICATE, text);
    let moved = |label: Label| {
        let near = |offset: u32| (offset as usize).clamp(at.start, at.end) - at.start;
        Label { span: Span::new(near(label.span.start), near(label.span.end)), ..label }
    };
    let inside = |label: &Label| (label.span.start as usize) >= at.start;
    let errors = of_predicate.into_iter().filter(|d| d.severity == Severity::Error);
    let shown = errors.map(|d| Diagnostic {
        primary: moved(d.primary),
        secondary: d.secondary.into_iter().filter(inside).map(moved).collect(),
        fixes: d.fixes.into_iter().filter_map(|fix| fix.moved(at.clone(), 0)).collect(),
        ..d
    });
    let shown = shown.collect();
    (own, shown)
}

/// The language of a model has no predicates over states.
pub(crate) fn refused(language: &Language) -> Option<String> {
    let message = || {
        format!(
            "{} models have no predicates over states, so no state can be asked for; a property over actions can",
            language.name
        )
    };
    language.predicate.is_none().then(message)
}

impl Prepared {
    /// Whether a property of the program is the question whether its predicate can be reached.
    pub(crate) fn is_reach(&self, property: usize) -> bool {
        self.options.reach.as_ref().is_some_and(|predicate| question_of(self, property) == name(predicate))
    }

    /// The numbers of the properties that ask it: one, or two where the predicate can be read in two ways.
    pub(crate) fn reach(&self) -> Vec<usize> {
        (0..self.flat.program.properties.len()).filter(|number| self.is_reach(*number)).collect()
    }
}

/// A place in the file as one in the predicate.
pub(crate) fn line_column(file: &SourceFile, within: &Range<usize>, offset: u32) -> (usize, usize) {
    let text = file.text().get(within.clone()).unwrap_or_default();
    SourceFile::new(PREDICATE, text).line_column(offset - within.start as u32)
}

/// Replays an execution that was found for a predicate, which its last state must satisfy.
pub(crate) fn replay(prepared: &Prepared, trace: &TraceData, predicate: &str) -> Result<Replayed, Refused> {
    let of = |number: &usize| &prepared.flat.program.properties[*number];
    let mut last = Err(Refused::new(None, format!("the predicate `{predicate}` is no property")));
    // Where a predicate can be read in two ways, one of them is enough: the trace does not say which one it is about.
    for property in prepared.reach().iter().map(of) {
        let why = if property.modality == Modality::Always { Why::False } else { Why::Prefix };
        let claim = Claim {
            property: Some(&property.name),
            why,
            bound: None,
            ignore_deadlock: false,
            states: 0,
            fairness: Fairness::None,
        };
        last = prepared.model.reached(&prepared.file, trace, &claim).map(|confirmed| confirmed.replayed);
        if last.is_ok() {
            break;
        }
    }
    last
}
