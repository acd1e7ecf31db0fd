//! Model errors: what makes a specification invalid while it runs (`docs/labs.md` 5 and 7).

use std::fmt;
use swarmcheck_source::Span;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ErrorKind {
    /// An array index is out of bounds.
    Index,
    /// `x of e`, and there is no agent `e`.
    NoAgent,
    /// The agent has no such variable.
    NoVariable,
    /// A result does not fit 64 bits.
    Overflow,
}

/// A model error with its place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ModelError {
    pub kind: ErrorKind,
    /// The expression or target at fault.
    pub span: Span,
}

impl ModelError {
    /// An error at a place.
    pub fn new(kind: ErrorKind, span: Span) -> ModelError {
        ModelError { kind, span }
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sentence = match self.kind {
            ErrorKind::Index => "an array index is out of bounds",
            ErrorKind::NoAgent => "there is no agent with this id",
            ErrorKind::NoVariable => "this agent has no such variable",
            ErrorKind::Overflow => "the result of this arithmetic does not fit 64 bits",
        };
        write!(f, "{sentence} (bytes {}..{})", self.span.start, self.span.end)
    }
}

impl std::error::Error for ModelError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_plain_sentences() {
        let error = ModelError::new(ErrorKind::NoAgent, Span::new(3, 9));
        assert_eq!(error.to_string(), "there is no agent with this id (bytes 3..9)");
    }
}
