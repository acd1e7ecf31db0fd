//! Following one property along one run.
//!
//! A [`Watch`] is a small deterministic automaton: simulators and trace printers feed it the truth of the property's
//! conditions state by state, and it says when the predicate changes and when this run has decided the property. It
//! says nothing about other runs: `fairly` and `fairly_inf`, which refer to what *can* happen, are never decided.
//!
//! On a run, with `p` the predicate, the modalities mean
//!
//! | modality | formula | decided |
//! |---|---|---|
//! | `always` | `G p` | violated at the first state without `p` |
//! | `eventually`, `finally` | `F p` | satisfied at the first state with `p` |
//! | `after n` | `Xⁿ p` | either way at step `n` |
//!
//! **Scopes** are those of Dwyer, Avrunin and Corbett (*Patterns in property specifications for finite-state
//! verification*, ICSE 1999). With `q` the start and `r` the end, a scope opens in a state with `q ∧ ¬r` while no
//! scope is open, and the next state with `r` closes it and lies outside. As a formula with past operators, the
//! opening states are
//!
//! ```text
//!     o  =  q ∧ ¬r ∧ ¬Y(¬r S (q ∧ ¬r))
//! ```
//!
//! (`Y` yesterday, `S` since), and each scope must satisfy, with `s` the condition that comes first,
//!
//! | inside | `between q and r` | `from q until r` |
//! |---|---|---|
//! | `always p` | `G (o ∧ F r → p U r)` | `G (o → p W r)` |
//! | `thereIs p` | `G (o → ¬r W (p ∧ ¬r))` | `G (o → ¬r U (p ∧ ¬r))` |
//! | `s precedes p` | `G (o ∧ F r → ¬p U (s ∨ r))` | `G (o → ¬p W (s ∨ r))` |
//!
//! (`W` is `U` without the promise that its right side ever holds.) Dwyer's own mappings have `q ∧ ¬r` in place of
//! `o`: every `q` inside a scope starts one more obligation. For `always` that says the same; for `thereIs` and
//! `precedes` it asks for a `p`, or an `s`, after the *last* `q`, while the scope here is one piece that begins at
//! the first, as in his figures. A violation of `between` is known only at the closing state; one of `from` at once,
//! except for `thereIs`.

mod scope;
#[cfg(test)]
mod tests;

use scope::Scope;
use swarmcheck_ir::{Inside, Modality};

/// The truth of a property's conditions in one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Truth {
    pub predicate: bool,
    /// What opens a scope. Like the next two, it matters only to properties with a scope.
    pub start: bool,
    pub end: bool,
    /// What must come first, for `precedes`.
    pub first: bool,
}

impl Truth {
    /// For a property without a scope.
    pub fn of(predicate: bool) -> Truth {
        Truth { predicate, ..Truth::default() }
    }

    /// From the conditions in the order of [`swarmcheck_ir::Property::exprs`]; missing ones are false.
    pub fn from_exprs(conditions: impl IntoIterator<Item = bool>) -> Truth {
        let mut all = conditions.into_iter();
        let mut next = || all.next().unwrap_or(false);
        Truth { predicate: next(), start: next(), end: next(), first: next() }
    }
}

/// Something worth telling about a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The predicate is now true, or false, and was not so in the state before; also told of the first state.
    Became(bool),
    /// This run violates the property, however it goes on. Told once.
    Violated,
    /// This run satisfies the property, however it goes on. Told once.
    Satisfied,
}

/// What a run that ends here says about the property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Nothing has gone wrong and nothing is missing; what follows may still violate it.
    HoldsSoFar,
    /// Violated, however the run goes on.
    Violated,
    /// Satisfied, however the run goes on.
    Satisfied,
    /// Something that must still happen has not happened yet, or no single run can tell.
    Undecided,
}

/// Follows one property along one run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Watch {
    rule: Rule,
    /// The predicate in the last state; `None` before the first.
    last: Option<bool>,
    /// Whether the run has decided the property, and how.
    verdict: Option<bool>,
}

/// What to look for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Rule {
    Always,
    Sometime,
    After(u32),
    Reachable,
    Scoped(Scope),
}

impl Watch {
    /// A watch at the beginning of a run.
    pub fn new(modality: &Modality) -> Watch {
        let rule = match modality {
            Modality::Always => Rule::Always,
            Modality::Eventually | Modality::Finally => Rule::Sometime,
            // No finite run decides a formula of linear time for all; those that could are `always` and `eventually`.
            Modality::Fairly | Modality::FairlyInf | Modality::Linear(_) => Rule::Reachable,
            Modality::After(steps) => Rule::After(*steps),
            Modality::Scoped { open, inside, .. } => Rule::Scoped(match inside {
                Inside::Always => Scope::always(*open),
                Inside::ThereIs => Scope::there_is(*open),
                Inside::Precedes(_) => Scope::precedes(*open),
            }),
        };
        Watch { rule, last: None, verdict: None }
    }

    /// Takes note of the next state, the one after `step` steps; the initial state is at step 0. A verdict takes
    /// precedence over a change of the predicate in the same state.
    pub fn observe(&mut self, step: u32, truth: Truth) -> Option<Event> {
        let verdict = match &mut self.rule {
            Rule::Always => (!truth.predicate).then_some(false),
            Rule::Sometime => truth.predicate.then_some(true),
            Rule::After(steps) => (step == *steps).then_some(truth.predicate),
            Rule::Reachable => None,
            Rule::Scoped(scope) => scope.observe(truth).then_some(false),
        };
        let changed = self.last.replace(truth.predicate) != Some(truth.predicate);
        match (self.verdict, verdict) {
            (None, Some(satisfied)) => {
                self.verdict = verdict;
                Some(if satisfied { Event::Satisfied } else { Event::Violated })
            }
            _ => changed.then_some(Event::Became(truth.predicate)),
        }
    }

    /// What the run so far says about the property.
    pub fn status(&self) -> Status {
        match (self.verdict, &self.rule) {
            (Some(false), _) => Status::Violated,
            (Some(true), _) => Status::Satisfied,
            (None, Rule::Always) => Status::HoldsSoFar,
            (None, Rule::Scoped(scope)) if !scope.waits() => Status::HoldsSoFar,
            (None, _) => Status::Undecided,
        }
    }
}
