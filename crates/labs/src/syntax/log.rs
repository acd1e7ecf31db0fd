//! The findings of one run, with a limit: a file of garbage should not produce a book.

use crate::codes;
use swarmcheck_source::{Diagnostic, Diagnostics, Severity, Span};

/// How many errors, and how many warnings, one run reports.
const MOST: usize = 100;

/// Findings so far.
#[derive(Default)]
pub(super) struct Log {
    list: Diagnostics,
    errors: usize,
    warnings: usize,
    deep: bool,
}

impl Log {
    /// Adds a finding unless there are too many already.
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        let count = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        if *count < MOST {
            *count += 1;
            self.list.push(diagnostic);
        }
    }

    /// Reports excessive nesting, once per file: the levels above would only repeat it.
    pub(super) fn too_deep(&mut self, span: Span, message: &str, help: &str) {
        if !self.deep {
            self.deep = true;
            self.push(Diagnostic::error(codes::DEPTH, span, message).label("too deep").help(help));
        }
    }

    /// Whether further errors would be dropped.
    pub(super) fn is_full(&self) -> bool {
        self.errors >= MOST
    }

    /// Whether nothing was found.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The findings, and a fresh start.
    pub(super) fn finish(&mut self) -> Diagnostics {
        std::mem::take(&mut self.list)
    }
}
