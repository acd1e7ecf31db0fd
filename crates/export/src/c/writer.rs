//! What all parts of the C printer share: the style, the names, and a record of what the text makes use of.

use super::bounds::{Bounds, Known, MOST};
use super::helpers::Helper;
use super::names::Names;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use swarmcheck_ir::{KindId, Local, Program, Stmt, VarId};
use swarmcheck_passes::ranges::{self, Range};
use swarmcheck_source::Span;

/// How the emulation functions are written.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// Every cell is a variable of its own, found by comparing numbers.
    pub array_free: bool,
    /// All variables of the state are parts of one structure.
    pub structure: bool,
    /// The largest number that fits the type `value`; its negation fits too, and below that is ⊥.
    pub top: i128,
}

/// What the text makes use of, and so has to be defined before it.
#[derive(Default)]
pub(super) struct Used {
    /// Arithmetic and the like.
    pub helpers: BTreeSet<Helper>,
    /// Variables read, written and looked for through functions that check.
    pub readers: BTreeSet<VarId>,
    pub writers: BTreeSet<VarId>,
    pub finders: BTreeSet<VarId>,
    /// Array-free: variables read and written.
    pub getters: BTreeSet<VarId>,
    pub setters: BTreeSet<VarId>,
    /// Orders that are ranked.
    pub ranked: BTreeSet<VarId>,
    /// Where the model may go wrong: the places in the user's file.
    pub sites: Vec<Span>,
    /// Functions that belong before the one that is being written.
    pub hoisted: String,
    /// The largest absolute value that is computed.
    pub widest: i128,
}

/// Prints the parts of one program.
pub(super) struct Writer<'a> {
    pub program: &'a Program,
    pub names: Names,
    pub style: Style,
    /// Of each variable after the initial block, and during it.
    pub after: Vec<Bounds>,
    pub during: Vec<Bounds>,
    pub used: RefCell<Used>,
}

/// One function, property or initial block.
pub(super) struct Scope<'a> {
    /// Its name in C, from which the names of auxiliary functions are made.
    pub name: String,
    pub known: Known<'a>,
    /// The names of the cells of each local.
    pub locals: &'a [Vec<String>],
    pub next: &'a Cell<u32>,
}

impl<'a> Scope<'a> {
    /// The same under a binder.
    pub(super) fn under(&self, bound: u32, kinds: &'a [KindId]) -> Scope<'a> {
        Scope {
            name: self.name.clone(),
            known: self.known.under(bound, kinds),
            locals: self.locals,
            next: self.next,
        }
    }

    /// The same inside `defined`.
    pub(super) fn quiet(&self) -> Scope<'a> {
        let mut known = self.known.clone();
        known.quiet = true;
        Scope { name: self.name.clone(), known, locals: self.locals, next: self.next }
    }

    /// A new name for an auxiliary function.
    pub(super) fn fresh(&self, word: &str) -> String {
        self.next.set(self.next.get() + 1);
        format!("{word}_{}_in_{}", self.next.get(), self.name)
    }
}

impl<'a> Writer<'a> {
    pub(super) fn new(program: &'a Program, style: Style) -> Writer<'a> {
        let found = ranges::ranges(program);
        let all = (0..program.vars.len() as u32).map(VarId);
        let after: Vec<Bounds> = all.clone().map(|var| bounds(&found.value(var))).collect();
        let during = all.map(|var| bounds(&found.during_start(var)).hull(after[var.0 as usize])).collect();
        Writer {
            program,
            names: Names::new(program, style.array_free),
            style,
            after,
            during,
            used: RefCell::default(),
        }
    }

    /// What is known in a block that these kinds run; no agent runs the initial block and properties.
    pub(super) fn known(
        &'a self,
        me: &'a [KindId],
        locals: &[Local],
        body: &'a [Stmt],
        start: bool,
    ) -> Known<'a> {
        let vars = if start { &self.during } else { &self.after };
        let locals = vec![Bounds::of(0, 0); locals.len()];
        let mut known = Known { program: self.program, vars, me, bound: vec![], locals, quiet: false };
        known.learn_locals(body);
        known
    }

    /// The number of a place in the user's file.
    pub(super) fn site(&self, span: Span) -> usize {
        let sites = &mut self.used.borrow_mut().sites;
        sites.iter().position(|s| *s == span).unwrap_or_else(|| {
            sites.push(span);
            sites.len() - 1
        })
    }

    /// Takes note of numbers that the text computes with.
    pub(super) fn note(&self, bounds: Bounds) {
        let widest = &mut self.used.borrow_mut().widest;
        *widest = (*widest).max(bounds.lo.abs()).max(bounds.hi.abs());
    }

    /// Takes note of a helper.
    pub(super) fn help(&self, helper: Helper) -> String {
        self.used.borrow_mut().helpers.insert(helper);
        helper.name()
    }
}

fn bounds(range: &Range) -> Bounds {
    if range.values.as_ref().is_some_and(Vec::is_empty) {
        return Bounds { undef: range.undef, ..Bounds::of(0, 0) };
    }
    let lo = range.lo.map_or(-MOST, i128::from);
    let hi = range.hi.map_or(MOST, i128::from);
    Bounds { undef: range.undef, ..Bounds::of(lo, hi) }
}
