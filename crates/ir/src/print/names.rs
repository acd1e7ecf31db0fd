//! What things are called on paper.
//!
//! Ids out of range get a name with a question mark: a program that does not validate is the one that
//! most needs reading.

use crate::program::{KindId, Local, LocalId, Program, VarId};
use std::collections::BTreeSet;

/// Words of the notation: no local or bound agent is called so.
const WORDS: [&str; 23] = [
    "abs", "and", "any", "assume", "check", "choose", "copy", "count", "defined", "else", "exists", "false",
    "forall", "if", "let", "max", "me", "min", "not", "or", "pick", "then", "undef",
];

/// The names of a whole program; made once, because a program can have many functions.
pub(super) struct Names<'a> {
    program: &'a Program,
    taken: BTreeSet<&'a str>,
    /// Of the bound agents that occur in the program.
    bound: Vec<String>,
}

/// The names of one function, property or initial block.
pub(super) struct Scope<'a> {
    names: &'a Names<'a>,
    locals: Vec<String>,
}

impl<'a> Names<'a> {
    pub(super) fn new(program: &'a Program) -> Names<'a> {
        let taken = program.vars.iter().map(|v| v.name.as_str()).chain(WORDS).collect();
        let mut names = Names { program, taken, bound: vec![] };
        names.bound = (0..program.binders()).map(|b| names.bound(b)).collect();
        names
    }

    pub(super) fn scope(&'a self, locals: &[Local]) -> Scope<'a> {
        let mut scope = Scope { names: self, locals: vec![] };
        for local in locals {
            let numbered = (2..).map(|n| format!("{}{n}", local.name));
            let mut candidates = std::iter::once(local.name.clone()).chain(numbered);
            let free = |name: &String| {
                !self.taken.contains(name.as_str())
                    && !self.bound.contains(name)
                    && !scope.locals.contains(name)
            };
            let name = candidates.find(free).expect("there are more numbers than names");
            scope.locals.push(name);
        }
        scope
    }

    /// `a`, `b`, … `z`, `a1`, `b1`, …, without those that are variables.
    fn bound(&self, index: u32) -> String {
        if let Some(name) = self.bound.get(index as usize) {
            return name.clone();
        }
        let rounds = (0..).map(|n| if n == 0 { String::new() } else { n.to_string() });
        let candidates = rounds.flat_map(|n| ('a'..='z').map(move |letter| format!("{letter}{n}")));
        let mut free = candidates.filter(|c| !self.taken.contains(c.as_str()));
        free.nth(index as usize).expect("there are more names than variables")
    }

    pub(super) fn var(&self, id: VarId) -> String {
        self.program.vars.get(id.0 as usize).map_or(format!("?var{}", id.0), |v| v.name.clone())
    }

    pub(super) fn kinds(&self, ids: &[KindId]) -> String {
        let name = |id: &KindId| {
            self.program.kinds.get(id.0 as usize).map_or(format!("?kind{}", id.0), |k| k.name.clone())
        };
        match ids.is_empty() {
            true => "nobody".to_string(),
            false => ids.iter().map(name).collect::<Vec<_>>().join(", "),
        }
    }
}

impl Scope<'_> {
    pub(super) fn into_locals(self) -> Vec<String> {
        self.locals
    }

    pub(super) fn var(&self, id: VarId) -> String {
        self.names.var(id)
    }

    pub(super) fn kinds(&self, ids: &[KindId]) -> String {
        self.names.kinds(ids)
    }

    pub(super) fn bound(&self, index: u32) -> String {
        self.names.bound(index)
    }

    pub(super) fn local(&self, id: LocalId) -> String {
        self.locals.get(id.0 as usize).map_or(format!("?local{}", id.0), String::clone)
    }

    /// Whether a variable is an array, so that a place without indices means all its cells.
    pub(super) fn is_array(&self, id: VarId) -> bool {
        self.names.program.vars.get(id.0 as usize).is_some_and(|v| !v.dimensions.is_empty())
    }
}
