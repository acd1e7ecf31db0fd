//! Diagnostics as data, for `--json`, workers, editors and the browser.

use crate::fix::FixData;
use crate::{Diagnostic, Label, Severity, SourceFile, Span};
use serde::{Deserialize, Serialize};

/// A place in words and numbers. Lines and columns are one-based; columns count characters.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlaceData {
    /// First line.
    pub line: usize,
    /// First column.
    pub column: usize,
    /// Last line.
    pub end_line: usize,
    /// One past the last column.
    pub end_column: usize,
    /// The bytes of the text from here on …
    pub start: u32,
    /// … up to here.
    pub end: u32,
    /// What is said about it; may be empty.
    #[serde(rename = "label")]
    pub message: String,
}

/// One diagnostic, ready for serialisation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DiagnosticData {
    /// `error` or `warning`.
    pub severity: Severity,
    /// The stable code.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// The file's display name.
    pub file: String,
    #[serde(flatten)]
    pub place: PlaceData,
    pub related: Vec<PlaceData>,
    pub help: Vec<String>,
    /// Ways out that an editor can take by itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<FixData>,
}

/// The data view of a diagnostic.
pub fn diagnostic(file: &SourceFile, d: &Diagnostic) -> DiagnosticData {
    DiagnosticData {
        severity: d.severity,
        code: d.code.to_string(),
        message: d.message.clone(),
        file: file.name().to_string(),
        place: label(file, &d.primary),
        related: d.secondary.iter().map(|l| label(file, l)).collect(),
        help: d.help.clone(),
        fixes: d.fixes.iter().map(FixData::from).collect(),
    }
}

fn label(file: &SourceFile, label: &Label) -> PlaceData {
    PlaceData { message: label.message.clone(), ..place(file, label.span) }
}

/// The data view of a place, about which nothing is said.
pub fn place(file: &SourceFile, span: Span) -> PlaceData {
    let (line, column) = file.line_column(span.start);
    let (end_line, end_column) = file.line_column(span.end);
    let (start, end) = (span.start, span.end);
    PlaceData { line, column, end_line, end_column, start, end, message: String::new() }
}
