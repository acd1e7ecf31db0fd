//! From the parametric program to the ground program.

use super::table::tabulate;
use super::term::{Act, Draw, Dynamic, Term};
use super::{Block, Ground, Routine};
use crate::arith;
use crate::expr::{Expr, Place, Quantifier};
use crate::flat::{Instance, Layout};
use crate::program::{Function, KindId, Local, Program};
use crate::stmt::{Set, Stmt};
use std::ops::Range;
use std::sync::Arc;

/// The agents of some kinds, in order of their numbers.
pub(super) fn agents(kinds: &[Range<u32>], of: &[KindId]) -> Vec<u32> {
    let mut out: Vec<u32> = of.iter().flat_map(|k| kinds[k.0 as usize].clone()).collect();
    out.sort_unstable();
    out
}

pub(super) fn routine(ground: &Ground, program: &Program, number: u32, f: &Function, agent: u32) -> Routine {
    let mut builder = Builder::new(ground, program, &f.locals, Some(agent));
    let copy = |var| ground.layout.copies(var)[agent as usize];
    let mut tests: Vec<(u32, arith::Value)> =
        f.entry.iter().map(|(var, value)| (copy(*var), *value)).collect();
    // Tests of slots cannot fault, so those in front may be made in any order.
    let guard = match builder.whole(&f.guard) {
        Term::Is(slot, value) => {
            tests.push((slot, value));
            Term::TRUE
        }
        Term::And(parts) => {
            let mut rest = parts.into_vec();
            let simple = rest.iter().take_while(|t| matches!(t, Term::Is(..))).count();
            for test in rest.drain(..simple) {
                let Term::Is(slot, value) = test else { continue };
                tests.push((slot, value));
            }
            Term::junction(1, rest)
        }
        other => other,
    };
    let acts = builder.block(&f.body);
    let body = Block::new(acts, builder.local_cells());
    Routine { instance: Instance { function: number, agent }, tests: tests.into(), guard, body }
}

pub(super) struct Builder<'a> {
    ground: &'a Ground,
    program: &'a Program,
    locals: Vec<(u32, u32)>,
    me: Option<u32>,
    bound: Vec<u32>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        ground: &'a Ground,
        program: &'a Program,
        locals: &[Local],
        me: Option<u32>,
    ) -> Builder<'a> {
        let mut next = 0;
        let place = |l: &Local| {
            let length = l.length.unwrap_or(1);
            next += length;
            (next - length, length)
        };
        let locals = locals.iter().map(place).collect();
        Builder { ground, program, locals, me, bound: vec![] }
    }

    pub(super) fn local_cells(&self) -> u32 {
        self.locals.last().map_or(0, |(first, length)| first + length)
    }

    fn bind(&mut self, bound: u32, agent: u32) {
        let at = bound as usize;
        if self.bound.len() <= at {
            self.bound.resize(at + 1, 0);
        }
        self.bound[at] = agent;
    }

    /// An expression on its own, with tables where they pay.
    pub(super) fn whole(&mut self, e: &Expr) -> Term {
        let term = self.term(e);
        let domain = |slot: u32| {
            let var = self.program.var(self.ground.layout.cell(slot).var);
            var.domain.filter(|_| !var.may_be_undef)
        };
        tabulate(term, &domain)
    }

    fn term(&mut self, e: &Expr) -> Term {
        crate::cancel::check();
        match e {
            Expr::Const(v) => Term::Const(*v),
            // Validation rejects references to the acting agent in code that no agent runs.
            Expr::Me => Term::Const(i64::from(self.me.unwrap_or(0))),
            Expr::Bound(b) => Term::Const(i64::from(self.bound.get(*b as usize).copied().unwrap_or(0))),
            Expr::Local(l) => Term::Local(self.locals[l.0 as usize].0),
            Expr::LocalCell(l, index, span) => {
                let (first, length) = self.locals[l.0 as usize];
                Term::LocalCell { first, length, index: Box::new(self.term(index)), span: *span }
            }
            Expr::Read(place) => match self.place(place) {
                Ok(slot) => Term::Slot(slot),
                Err(dynamic) => Term::Cell(Box::new(dynamic)),
            },
            Expr::Unary(op, e) => match self.term(e) {
                Term::Const(v) => Term::Const(arith::unary(*op, v)),
                e => Term::Unary(*op, Box::new(e)),
            },
            Expr::Binary(op, a, b, span) => {
                let (a, b) = (self.term(a), self.term(b));
                Term::binary(*op, a, b, *span)
            }
            Expr::And(parts) => Term::junction(1, parts.iter().map(|p| self.term(p)).collect::<Vec<_>>()),
            Expr::Or(parts) => Term::junction(0, parts.iter().map(|p| self.term(p)).collect::<Vec<_>>()),
            Expr::If(c, a, b) => match self.term(c) {
                Term::Const(0) => self.term(b),
                Term::Const(_) => self.term(a),
                c => Term::If(Box::new((c, self.term(a), self.term(b)))),
            },
            Expr::Defined(e) => match self.term(e) {
                Term::Const(v) => Term::Const(i64::from(v != arith::UNDEF)),
                e => Term::Defined(Box::new(e)),
            },
            Expr::Quantified(quantifier, kinds, bound, body) => {
                let agents = agents(&self.ground.kinds, kinds);
                let each = agents.into_iter().map(|agent| {
                    self.bind(*bound, agent);
                    self.term(body)
                });
                let parts: Vec<Term> = each.collect();
                match quantifier {
                    Quantifier::Forall => Term::junction(1, parts),
                    Quantifier::Exists => Term::junction(0, parts),
                    Quantifier::Count => Term::Count(parts.into()),
                }
            }
        }
    }

    /// The slot of a place, if it is known now and exists.
    fn place(&mut self, place: &Place) -> Result<u32, Dynamic> {
        let dynamic = self.dynamic(place);
        let copy = dynamic.known();
        let constant = |index: &Term| match index {
            Term::Const(index) => *index,
            _ => arith::UNDEF,
        };
        let offset = crate::cells::position(&dynamic.dimensions, dynamic.index.iter().map(constant));
        match (copy, offset) {
            (Some(copy), Some(offset)) => Ok(copy + offset),
            _ => Err(dynamic),
        }
    }

    fn dynamic(&mut self, place: &Place) -> Dynamic {
        let layout = &self.ground.layout;
        let copies = match place.agent {
            None => Arc::new([layout.global(place.var)]),
            Some(_) => layout.shared_copies(place.var),
        };
        Dynamic {
            agent: place.agent.as_ref().map(|a| self.term(a)),
            copies,
            index: place.index.iter().map(|i| self.term(i)).collect(),
            dimensions: self.program.var(place.var).dimensions.clone().into(),
            span: place.span,
        }
    }

    fn set(&mut self, set: &Set) -> Draw {
        match set {
            Set::Values(values) => Draw::Values(values.iter().map(|v| self.term(v)).collect()),
            Set::Range(lo, hi) => Draw::Range(self.term(lo), self.term(hi)),
        }
    }

    pub(super) fn block(&mut self, body: &[Stmt]) -> Box<[Act]> {
        let mut out = vec![];
        body.iter().for_each(|s| self.act(s, &mut out));
        out.into()
    }

    fn act(&mut self, s: &Stmt, out: &mut Vec<Act>) {
        match s {
            Stmt::Assign(place, value) => {
                let value = self.whole(value);
                out.push(match self.place(place) {
                    Ok(slot) => Act::Set(slot, value),
                    Err(dynamic) => Act::SetCell(Box::new(dynamic), value),
                });
            }
            Stmt::Fill(place, set) => {
                let cells = self.program.var(place.var).cells() as u32;
                let set = self.set(set);
                out.push(Act::Fill { place: Box::new(self.dynamic(place)), cells, set });
            }
            Stmt::Let(l, e) => out.push(Act::Let(self.locals[l.0 as usize].0, self.whole(e))),
            Stmt::Havoc(l, set) => out.push(Act::Havoc(self.locals[l.0 as usize].0, self.set(set))),
            Stmt::Pick { local, kinds, bound, condition } => {
                let (first, length) = self.locals[local.0 as usize];
                let me = self.me;
                let others = agents(&self.ground.kinds, kinds).into_iter().filter(|a| Some(*a) != me);
                let each = others.map(|agent| {
                    self.bind(*bound, agent);
                    (agent, self.term(condition))
                });
                let candidates = each.collect();
                out.push(Act::Pick { first, length, candidates });
            }
            Stmt::Assume(e) => match self.whole(e) {
                Term::Const(v) if v != 0 => {}
                condition => out.push(Act::Assume(condition)),
            },
            Stmt::Check(place) => {
                if let Err(dynamic) = self.place(place) {
                    out.push(Act::Check(Box::new(dynamic)));
                }
            }
            Stmt::If(c, yes, no) => match self.whole(c) {
                Term::Const(0) => no.iter().for_each(|s| self.act(s, out)),
                Term::Const(_) => yes.iter().for_each(|s| self.act(s, out)),
                c => out.push(Act::If(c, self.block(yes), self.block(no))),
            },
            Stmt::Choose(branches) => {
                let all = branches.iter().map(|(c, body)| (self.term(c), self.block(body)));
                // A branch that is never open takes part in no choice.
                out.push(Act::Choose(all.filter(|(c, _)| *c != Term::Const(0)).collect()));
            }
            Stmt::ForEach(kinds, bound, body) => {
                for agent in agents(&self.ground.kinds, kinds) {
                    self.bind(*bound, agent);
                    body.iter().for_each(|s| self.act(s, out));
                }
            }
            Stmt::Copy(var, to, from) => {
                let copies = self.ground.layout.shared_copies(*var);
                let cells = self.program.var(*var).cells() as u32;
                out.push(match (self.term(to), self.term(from)) {
                    (Term::Const(to), Term::Const(from)) => {
                        Act::Copy { to: copies[to as usize], from: copies[from as usize], cells }
                    }
                    (to, from) => Act::CopyBetween { copies, cells, to, from },
                });
            }
            Stmt::Rank(var) => {
                let copies = self.ground.layout.copies(*var).iter().copied();
                out.push(Act::Rank(copies.filter(|&s| s != Layout::ABSENT).collect()));
            }
        }
    }
}
