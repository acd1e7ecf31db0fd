//! Diagnostics as data, for `--json`, editors and the browser.

use crate::{Diagnostic, Label, Severity, SourceFile, Span};
use serde::Serialize;

/// A place in words and numbers. Lines and columns are one-based; columns count characters.
#[derive(Clone, Debug, Serialize)]
pub struct PlaceData {
    /// First line.
    pub line: usize,
    /// First column.
    pub column: usize,
    /// Last line.
    pub end_line: usize,
    /// One past the last column.
    pub end_column: usize,
    /// What is said about it; may be empty.
    #[serde(rename = "label")]
    pub message: String,
}

/// One diagnostic, ready for serialisation.
#[derive(Clone, Debug, Serialize)]
pub struct DiagnosticData {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// The stable code.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// The file's display name.
    pub file: String,
    /// Where.
    #[serde(flatten)]
    pub place: PlaceData,
    /// Other places.
    pub related: Vec<PlaceData>,
    /// Ways out.
    pub help: Vec<String>,
}

/// The data view of a diagnostic.
pub fn diagnostic(file: &SourceFile, d: &Diagnostic) -> DiagnosticData {
    DiagnosticData {
        severity: match d.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        code: d.code,
        message: d.message.clone(),
        file: file.name().to_string(),
        place: PlaceData { message: d.primary.message.clone(), ..place(file, d.primary.span) },
        related: d.secondary.iter().map(|l| label(file, l)).collect(),
        help: d.help.clone(),
    }
}

fn label(file: &SourceFile, label: &Label) -> PlaceData {
    PlaceData { message: label.message.clone(), ..place(file, label.span) }
}

fn place(file: &SourceFile, span: Span) -> PlaceData {
    let (line, column) = file.line_column(span.start);
    let (end_line, end_column) = file.line_column(span.end);
    PlaceData { line, column, end_line, end_column, message: String::new() }
}
