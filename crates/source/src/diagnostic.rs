//! What is wrong, where, and what to do about it.

use crate::suggest::Suggestions;
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
    /// Errors and warnings so far, those left out included.
    errors: usize,
    warnings: usize,
    suggestions: Suggestions,
}

impl Diagnostics {
    /// How many errors, and how many warnings, are kept. Nobody reads more, and a file with a million mistakes must not
    /// produce gigabytes. The last one says how many are left out.
    pub const MOST: usize = 1000;

    /// Adds one, unless the same code was already reported at the same place, or there are too many.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let count = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        if *count >= Self::MOST {
            *count += 1;
        } else if self.known.insert((diagnostic.code, diagnostic.primary.span)) {
            *count += 1;
            self.list.push(diagnostic);
        }
    }

    /// Adds all of another list.
    pub fn extend(&mut self, other: Diagnostics) {
        let errors = other.errors_left_out();
        for diagnostic in other.list {
            self.push(diagnostic);
        }
        self.errors += errors;
        self.warnings += other.warnings.saturating_sub(Self::MOST);
    }

    /// How many errors are left out because there are too many.
    pub fn errors_left_out(&self) -> usize {
        self.errors.saturating_sub(Self::MOST)
    }

    /// The candidate that is likely to be meant, unless nobody would read it: see [`Suggestions`].
    pub fn nearest<'a>(&self, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
        if self.errors >= Self::MOST { None } else { self.suggestions.nearest(name, candidates) }
    }

    /// Whether any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity == Severity::Error)
    }

    /// In order of position in the file, errors before warnings at the same place.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|d| (d.primary.span.start, d.severity, d.code));
        let all = [(Severity::Error, self.errors, "errors"), (Severity::Warning, self.warnings, "warnings")];
        for (severity, count, what) in all {
            let left_out = count.saturating_sub(Self::MOST);
            let last = self.list.iter_mut().rev().find(|d| d.severity == severity).filter(|_| left_out > 0);
            if let Some(last) = last {
                last.help.push(format!("{left_out} more {what} are not shown"));
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_mistakes_makes_no_book() {
        let mut all = Diagnostics::default();
        for at in 0..2500 {
            all.push(Diagnostic::error("E0001", Span::new(at, at + 1), "wrong"));
        }
        let mut more = Diagnostics::default();
        (0..1001).for_each(|at| more.push(Diagnostic::warning("W0001", Span::new(at, at + 1), "odd")));
        all.extend(more);
        all.push(Diagnostic::warning("W0001", Span::new(5000, 5001), "odd"));
        let list = all.into_sorted();
        let of = |severity| list.iter().filter(move |d| d.severity == severity);
        assert_eq!((of(Severity::Error).count(), of(Severity::Warning).count()), (1000, 1000));
        let said = |severity| of(severity).flat_map(|d| d.help.clone()).collect::<Vec<_>>();
        assert_eq!(said(Severity::Error), ["1500 more errors are not shown"]);
        assert_eq!(said(Severity::Warning), ["2 more warnings are not shown"]);
    }
}
