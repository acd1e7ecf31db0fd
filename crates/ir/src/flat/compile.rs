//! From the parametric program to resolved code.

use super::code::{Code, FlatFunction, Op, Pick, Set, Target};
use super::layout::Layout;
use crate::expr::{Expr, Place};
use crate::program::{Function, KindId, Local, Program};
use crate::stmt::{self, Stmt};
use std::cell::RefCell;

struct Compiler<'a> {
    program: &'a Program,
    layout: &'a Layout,
    /// First cell and length of each local.
    locals: Vec<(u32, u32)>,
    /// The kinds of agents that run this code.
    owners: Vec<KindId>,
    /// Over whom each bound agent ranges; the innermost binding of an index counts.
    bound: RefCell<Vec<(u32, Vec<KindId>)>>,
}

pub(super) fn function(program: &Program, layout: &Layout, f: &Function) -> FlatFunction {
    let mut c = Compiler::new(program, layout, &f.locals);
    c.owners.clone_from(&f.owners);
    FlatFunction {
        agents: ranges(program, &f.owners).iter().cloned().flatten().collect(),
        entry: f.entry.iter().map(|(var, value)| (var.0, *value)).collect(),
        guard: c.expr(&f.guard),
        body: c.block(&f.body),
        locals: c.local_cells(),
    }
}

/// A block that no agent runs.
pub(super) fn block(program: &Program, layout: &Layout, locals: &[Local], body: &[Stmt]) -> FlatFunction {
    let c = Compiler::new(program, layout, locals);
    let body = c.block(body);
    FlatFunction { agents: vec![], entry: vec![], guard: Code::Const(1), body, locals: c.local_cells() }
}

/// An expression that no agent runs.
pub(super) fn expression(program: &Program, layout: &Layout, e: &Expr) -> Code {
    Compiler::new(program, layout, &[]).expr(e)
}

/// The agents of some kinds as ranges, in order of their numbers.
fn ranges(program: &Program, kinds: &[KindId]) -> Box<[std::ops::Range<u32>]> {
    let mut out: Vec<_> = kinds
        .iter()
        .map(|k| program.kind(*k))
        .filter(|k| k.count > 0)
        .map(|k| k.first..k.first + k.count)
        .collect();
    out.sort_by_key(|r| r.start);
    out.into()
}

impl<'a> Compiler<'a> {
    fn new(program: &'a Program, layout: &'a Layout, locals: &[Local]) -> Compiler<'a> {
        let mut next = 0;
        let locals = locals
            .iter()
            .map(|l| {
                let length = l.length.unwrap_or(1);
                next += length;
                (next - length, length)
            })
            .collect();
        Compiler { program, layout, locals, owners: vec![], bound: RefCell::default() }
    }

    fn local_cells(&self) -> u32 {
        self.locals.last().map_or(0, |(first, length)| first + length)
    }

    fn expr(&self, e: &Expr) -> Code {
        let boxed = |e: &Expr| Box::new(self.expr(e));
        let all = |es: &[Expr]| es.iter().map(|e| self.expr(e)).collect();
        match e {
            Expr::Const(v) => Code::Const(*v),
            Expr::Me => Code::Me,
            Expr::Bound(b) => Code::Bound(*b),
            Expr::Local(l) => Code::Local(self.locals[l.0 as usize].0),
            Expr::LocalCell(l, index, span) => {
                let (first, length) = self.locals[l.0 as usize];
                Code::LocalCell { first, length, index: boxed(index), span: *span }
            }
            Expr::Read(place) => self.read(place),
            Expr::Unary(op, e) => Code::Unary(*op, boxed(e)),
            Expr::Binary(op, a, b, span) => Code::Binary(*op, Box::new((self.expr(a), self.expr(b))), *span),
            Expr::And(parts) => Code::And(all(parts)),
            Expr::Or(parts) => Code::Or(all(parts)),
            Expr::If(c, a, b) => Code::If(Box::new((self.expr(c), self.expr(a), self.expr(b)))),
            Expr::Defined(e) => Code::Defined(boxed(e)),
            Expr::Quantified(q, kinds, bound, body) => {
                let body = self.binding(*bound, kinds, || boxed(body));
                Code::Quantified(*q, ranges(self.program, kinds), *bound, body)
            }
        }
    }

    fn read(&self, place: &Place) -> Code {
        let scalar = place.index.is_empty();
        match place.agent.as_deref() {
            None if scalar => Code::Global(self.layout.global(place.var)),
            Some(Expr::Me) if scalar && self.all_have(&self.owners, place) => Code::Mine(place.var.0),
            Some(Expr::Bound(bound)) if scalar && self.all_bound_have(*bound, place) => {
                Code::OfBound { var: place.var.0, bound: *bound }
            }
            _ => Code::Cell(Box::new(self.target(place))),
        }
    }

    fn binding<T>(&self, bound: u32, kinds: &[KindId], inside: impl FnOnce() -> T) -> T {
        self.bound.borrow_mut().push((bound, kinds.to_vec()));
        let result = inside();
        self.bound.borrow_mut().pop();
        result
    }

    /// Whether no agent of these kinds lacks a copy, so that the short forms need no check.
    fn all_have(&self, kinds: &[KindId], place: &Place) -> bool {
        let owners = self.program.var(place.var).owners.as_deref().unwrap_or(&[]);
        !kinds.is_empty() && kinds.iter().all(|k| owners.contains(k))
    }

    fn all_bound_have(&self, bound: u32, place: &Place) -> bool {
        let stack = self.bound.borrow();
        stack.iter().rev().find(|(b, _)| *b == bound).is_some_and(|(_, kinds)| self.all_have(kinds, place))
    }

    fn target(&self, place: &Place) -> Target {
        Target {
            var: place.var.0,
            agent: place.agent.as_ref().map(|a| self.expr(a)),
            index: place.index.iter().map(|i| self.expr(i)).collect(),
            dimensions: self.program.var(place.var).dimensions.clone().into(),
            span: place.span,
        }
    }

    fn set(&self, set: &stmt::Set) -> Set {
        match set {
            stmt::Set::Values(values) => Set::Values(values.iter().map(|v| self.expr(v)).collect()),
            stmt::Set::Range(lo, hi) => Set::Range(self.expr(lo), self.expr(hi)),
        }
    }

    fn block(&self, body: &[Stmt]) -> Box<[Op]> {
        body.iter().map(|s| self.stmt(s)).collect()
    }

    fn stmt(&self, s: &Stmt) -> Op {
        match s {
            Stmt::Assign(place, value) => self.assign(place, self.expr(value)),
            Stmt::Fill(place, set) => Op::Fill {
                target: self.target(place),
                cells: self.program.var(place.var).cells() as u32,
                set: self.set(set),
            },
            Stmt::Let(l, e) => Op::Let(self.locals[l.0 as usize].0, self.expr(e)),
            Stmt::Havoc(l, set) => Op::Havoc(self.locals[l.0 as usize].0, self.set(set)),
            Stmt::Pick { local, kinds, bound, condition } => {
                let (first, length) = self.locals[local.0 as usize];
                let agents = ranges(self.program, kinds).iter().cloned().flatten().collect();
                let condition = self.binding(*bound, kinds, || self.expr(condition));
                Op::Pick(Pick { first, length, agents, bound: *bound, condition })
            }
            Stmt::Assume(e) => Op::Assume(self.expr(e)),
            Stmt::Check(place) => Op::Check(self.target(place)),
            Stmt::If(c, a, b) => Op::If(self.expr(c), self.block(a), self.block(b)),
            Stmt::Choose(branches) => {
                Op::Choose(branches.iter().map(|(c, body)| (self.expr(c), self.block(body))).collect())
            }
            Stmt::ForEach(kinds, bound, body) => {
                let body = self.binding(*bound, kinds, || self.block(body));
                Op::ForEach(ranges(self.program, kinds), *bound, body)
            }
            Stmt::Copy(var, to, from) => Op::Copy {
                var: var.0,
                cells: self.program.var(*var).cells() as u32,
                to: self.expr(to),
                from: self.expr(from),
            },
            Stmt::Rank(var) => Op::Rank(var.0),
        }
    }

    fn assign(&self, place: &Place, value: Code) -> Op {
        match self.read(place) {
            Code::Global(slot) => Op::AssignGlobal(slot, value),
            Code::Mine(var) => Op::AssignMine(var, value),
            Code::OfBound { var, bound } => Op::AssignBound { var, bound, value },
            _ => Op::Assign(self.target(place), value),
        }
    }
}
