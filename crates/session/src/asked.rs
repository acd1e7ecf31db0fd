//! Conditions, values and formulas that are not in the file, but asked about by queries.
//!
//! Like the predicate of `reach.rs` they are written in the property syntax of the model's language and read as a part of the file: their
//! text is put behind the file's, each in a frame that makes it a property. So every place in them is a place of one text, and what is
//! wrong with them is told with places in the query ([`query_name`] is its name then).

use crate::languages::{Language, language};
use crate::open::ModelOptions;
use crate::reach::PredicateFrame;
use crate::specification::split_name;
use std::ops::Range;
use swarmcheck_source::{Diagnostic, Label, Severity, SourceFile, Span};

/// What a part of a query is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AskedKind {
    /// True or false in a state.
    Condition,
    /// A number.
    Value,
    /// A formula of linear time.
    Formula,
}

/// A part of a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AskedPart {
    /// What it is read as.
    pub kind: AskedKind,
    /// Its text.
    pub text: String,
    /// The number of its query.
    pub query: usize,
    /// Where it begins in the query, in bytes.
    pub at: usize,
}

/// What queries ask about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Asked {
    /// The queries as the user wrote them.
    pub queries: Vec<String>,
    /// Their parts. Each becomes a property of the program, behind those of the file and in this order.
    pub parts: Vec<AskedPart>,
}

/// What the text of a query is called in diagnostics.
pub fn query_name(number: usize, queries: usize) -> String {
    if queries == 1 { "<query>".to_string() } else { format!("<query {}>", number + 1) }
}

/// The name of the property that a part becomes.
pub(crate) fn property_name(part: usize) -> String {
    format!("(asked) {part}")
}

/// What stands around a part of a kind behind a model.
pub type AskedFrame = fn(AskedKind) -> PredicateFrame;

fn frame(file_name: &str, options: &ModelOptions) -> Option<AskedFrame> {
    language(split_name(file_name, options.language).0, options.language).asked
}

/// The file with the parts behind it.
pub(crate) fn appended(file: SourceFile, options: &ModelOptions) -> SourceFile {
    let Some(frame) = frame(file.name(), options).filter(|_| !options.asked.parts.is_empty()) else {
        return file;
    };
    let mut text = file.text().to_string();
    for part in &options.asked.parts {
        let PredicateFrame { before, after } = frame(part.kind);
        text += &format!("\n{before}{}{after}", part.text);
    }
    SourceFile::new(file.name(), text)
}

/// How long the text of the model itself is.
pub(crate) fn model_length(file: &SourceFile, options: &ModelOptions) -> usize {
    let whole = file.text().len();
    let Some(frame) = frame(file.name(), options) else { return whole };
    let length = |part: &AskedPart| {
        let PredicateFrame { before, after } = frame(part.kind);
        1 + before.len() + part.text.len() + after.len()
    };
    whole.saturating_sub(options.asked.parts.iter().map(length).sum())
}

/// Where each part is in a file that they were put behind.
pub(crate) fn places(file: &SourceFile, options: &ModelOptions) -> Vec<Range<usize>> {
    let Some(frame) = frame(file.name(), options) else { return vec![] };
    let mut at = model_length(file, options);
    let place = |part: &AskedPart| {
        let PredicateFrame { before, after } = frame(part.kind);
        let start = at + 1 + before.len();
        at = start + part.text.len() + after.len();
        start..start + part.text.len()
    };
    options.asked.parts.iter().map(place).collect()
}

/// The part that a place belongs to: the last one that does not begin after it, if the place is behind the model.
pub(crate) fn part_at(
    file: &SourceFile,
    options: &ModelOptions,
    offset: u32,
) -> Option<(usize, Range<usize>)> {
    let offset = offset as usize;
    if options.asked.parts.is_empty() || offset <= model_length(file, options) {
        return None;
    }
    let places = places(file, options);
    let number = places.iter().rposition(|place| place.start <= offset).unwrap_or(0);
    places.get(number).map(|place| (number, place.clone()))
}

/// Findings about the model, or, if all errors are in queries, those about the first query that has some, with places of its own.
pub(crate) fn apart(
    file: SourceFile,
    options: &ModelOptions,
    list: Vec<Diagnostic>,
) -> (SourceFile, Vec<Diagnostic>) {
    if options.asked.parts.is_empty() {
        return (file, list);
    }
    let part_of = |d: &Diagnostic| part_at(&file, options, d.primary.span.start);
    let (of_queries, of_model): (Vec<_>, Vec<_>) = list.into_iter().partition(|d| part_of(d).is_some());
    let wrong = |list: &[Diagnostic]| list.iter().any(|d| d.severity == Severity::Error);
    if wrong(&of_model) || !wrong(&of_queries) {
        return (file, of_model);
    }
    let errors = of_queries.into_iter().filter(|d| d.severity == Severity::Error);
    let found: Vec<_> = errors.filter_map(|d| part_of(&d).map(|part| (part, d))).collect();
    let asked = &options.asked;
    let Some(query) = found.iter().map(|((part, _), _)| asked.parts[*part].query).min() else {
        return (file, of_model);
    };
    let name = query_name(query, asked.queries.len());
    let own = SourceFile::new(&name, asked.queries.get(query).cloned().unwrap_or_default());
    let shown = found.into_iter().filter(|((part, _), _)| asked.parts[*part].query == query);
    let shown = shown.map(|((part, place), d)| {
        let start = asked.parts[part].at;
        let near = |offset: u32| start + (offset as usize).clamp(place.start, place.end) - place.start;
        let moved =
            |label: Label| Label { span: Span::new(near(label.span.start), near(label.span.end)), ..label };
        let inside = |label: &Label| place.contains(&(label.span.start as usize));
        Diagnostic {
            primary: moved(d.primary),
            secondary: d.secondary.into_iter().filter(inside).map(moved).collect(),
            fixes: d.fixes.into_iter().filter_map(|fix| fix.moved(place.clone(), start)).collect(),
            ..d
        }
    });
    let shown = shown.collect();
    (own, shown)
}

/// A place in the file as one in its query: the name of the query, line and column.
pub(crate) fn in_query(
    file: &SourceFile,
    options: &ModelOptions,
    offset: u32,
) -> Option<(String, usize, usize)> {
    let (number, place) = part_at(file, options, offset)?;
    let part = &options.asked.parts[number];
    let name = query_name(part.query, options.asked.queries.len());
    let own = SourceFile::new(&name, options.asked.queries.get(part.query)?.clone());
    let near = part.at + (offset as usize).clamp(place.start, place.end) - place.start;
    let (line, column) = own.line_column(u32::try_from(near).unwrap_or(0));
    Some((name, line, column))
}

/// The language of a model has no conditions over states.
pub(crate) fn refused(language: &Language, options: &ModelOptions) -> Option<String> {
    let message = || {
        format!(
            "{} models have no conditions over states, so queries can ask for their properties by name only, as in P(Name)",
            language.name
        )
    };
    (language.asked.is_none() && !options.asked.parts.is_empty()).then(message)
}
