//! What is wrong, where, and what to do about it.

use crate::{Fix, Span};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used, but probably does not mean what its author thinks.
    Warning,
}

/// A place with a few words under its caret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    pub span: Span,
    /// The words; may be empty.
    pub message: String,
}

/// One finding. Codes are stable: `E0102` means the same thing in every release.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The stable code, from the catalogue of the language.
    pub code: &'static str,
    /// One sentence without a full stop.
    pub message: String,
    pub primary: Label,
    /// Other places that explain it.
    pub secondary: Vec<Label>,
    pub help: Vec<String>,
    /// Ways out that an editor can take by itself, the likeliest first.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, span, message)
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, span, message)
    }

    fn new(severity: Severity, code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        let primary = Label { span, message: String::new() };
        Diagnostic {
            severity,
            code,
            message: message.into(),
            primary,
            secondary: vec![],
            help: vec![],
            fixes: vec![],
        }
    }

    /// Words under the main caret.
    pub fn label(mut self, message: impl Into<String>) -> Diagnostic {
        self.primary.message = message.into();
        self
    }

    /// Another place worth looking at.
    pub fn also(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, message: message.into() });
        self
    }

    pub fn help(mut self, message: impl Into<String>) -> Diagnostic {
        self.help.push(message.into());
        self
    }

    /// A way out, if there is one.
    pub fn help_if(mut self, message: Option<String>) -> Diagnostic {
        self.help.extend(message);
        self
    }

    pub fn fix(mut self, fix: Fix) -> Diagnostic {
        self.fixes.push(fix);
        self
    }

    /// Asks whether a near name was meant, if there is one, and offers to write it at the main place.
    pub fn did_you_mean(self, near: Option<&str>) -> Diagnostic {
        let Some(near) = near else { return self };
        let place = self.primary.span;
        // Any letter is near any other, so one alone tells nothing.
        if place.end.saturating_sub(place.start) <= 1 {
            return self.help(format!("did you mean `{near}`?"));
        }
        self.help(format!("did you mean `{near}`?")).fix(Fix::replace(
            place,
            near,
            format!("replace it by `{near}`"),
        ))
    }

    /// A fix, if there is one.
    pub fn fix_if(mut self, fix: Option<Fix>) -> Diagnostic {
        self.fixes.extend(fix);
        self
    }
}

/// A growing list of findings.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// Codes and places of those in the list.
    known: BTreeSet<(&'static str, Span)>,
}

impl Diagnostics {
    /// Adds one, unless the same code was already reported at the same place.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.known.insert((diagnostic.code, diagnostic.primary.span)) {
            self.list.push(diagnostic);
        }
    }

    /// Adds all of another list.
    pub fn extend(&mut self, other: Diagnostics) {
        for diagnostic in other.list {
            self.push(diagnostic);
        }
    }

    /// Whether any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity == Severity::Error)
    }

    /// In order of position in the file, errors before warnings at the same place.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|d| (d.primary.span.start, d.severity, d.code));
        self.list
    }

    /// The same, to add to them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Diagnostic> {
        self.list.iter_mut()
    }

    /// Reads them in the order they were found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}
