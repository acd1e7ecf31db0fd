//! The automaton of a scope: is one open, and what is owed in it.

use super::Truth;

/// Follows the scopes of one property. All three kinds of obligation are one bit per scope.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Scope {
    kind: ScopeKind,
    /// `from … until`: a scope counts whether or not it closes.
    open: bool,
    /// The scope we are in, if any.
    now: Option<Inside>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum ScopeKind {
    Always,
    ThereIs,
    Precedes,
}

/// What has happened in the current scope.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct Inside {
    /// `always`: the predicate was false; `precedes`: it was true too early.
    broken: bool,
    /// `thereIs`: the predicate was true; `precedes`: what comes first was.
    seen: bool,
}

impl Scope {
    pub(super) fn always(open: bool) -> Scope {
        Scope { kind: ScopeKind::Always, open, now: None }
    }

    pub(super) fn there_is(open: bool) -> Scope {
        Scope { kind: ScopeKind::ThereIs, open, now: None }
    }

    pub(super) fn precedes(open: bool) -> Scope {
        Scope { kind: ScopeKind::Precedes, open, now: None }
    }

    /// Takes note of the next state; whether it shows a violation.
    pub(super) fn observe(&mut self, truth: Truth) -> bool {
        if truth.end {
            // The closing state belongs to no scope: it cannot open one either.
            return self.now.take().is_some_and(|scope| match self.kind {
                ScopeKind::ThereIs => !scope.seen,
                ScopeKind::Always | ScopeKind::Precedes => scope.broken,
            });
        }
        if truth.start && self.now.is_none() {
            self.now = Some(Inside::default());
        }
        let Some(scope) = &mut self.now else {
            return false;
        };
        match self.kind {
            ScopeKind::Always => scope.broken |= !truth.predicate,
            ScopeKind::ThereIs => scope.seen |= truth.predicate,
            ScopeKind::Precedes => {
                scope.seen |= truth.first;
                scope.broken |= truth.predicate && !scope.seen;
            }
        }
        self.open && scope.broken
    }

    /// Whether a scope that may stay open forever still waits for its predicate.
    pub(super) fn waits(&self) -> bool {
        self.open && self.kind == ScopeKind::ThereIs && self.now.is_some_and(|scope| !scope.seen)
    }
}
