//! Interval analysis of expressions: bounds, whether a value can be ⊥, and whether evaluation can be a model error.
//!
//! What is written as a plain operator of C, and what as a call that looks for ⊥, overflow or a missing cell, depends on
//! it. The values of variables come from `passes::ranges`; below, `ir::interval` is enough. A run that meets an error ends there, so results stop at 64 bits.

pub(super) use swarmcheck_ir::interval::Bounds;
use swarmcheck_ir::{BinaryOp, Expr, Interval, KindId, Place, Program, Quantifier, Set, Stmt, UNDEF};

/// The largest number of a program; the smallest is its negation.
pub(super) const MOST: i128 = Interval::NUMBERS.hi;

/// What is known at the places of one function.
#[derive(Clone)]
pub(super) struct Known<'a> {
    pub program: &'a Program,
    pub vars: &'a [Bounds],
    /// The kinds of agents that run the function.
    pub me: &'a [KindId],
    /// Agents bound here, innermost last.
    pub bound: Vec<(u32, &'a [KindId])>,
    /// Of each local, over all that is assigned to it.
    pub locals: Vec<Bounds>,
    /// Inside `defined`: errors are not the end, the expression goes on with ⊥.
    pub quiet: bool,
}

impl<'a> Known<'a> {
    fn agents(&self, kinds: &[KindId]) -> Bounds {
        let kinds = kinds.iter().map(|k| self.program.kind(*k)).filter(|k| k.count > 0);
        let ends = kinds.map(|k| Bounds::of(k.first.into(), i128::from(k.first) + i128::from(k.count) - 1));
        ends.reduce(Bounds::hull).unwrap_or(Bounds::of(0, 0))
    }

    /// Under a binder.
    pub(super) fn under(&self, bound: u32, kinds: &'a [KindId]) -> Known<'a> {
        let mut inside = self.clone();
        inside.bound.push((bound, kinds));
        inside
    }

    /// The kinds that an expression is known to be an agent of.
    fn kinds(&self, e: &Expr) -> Option<&'a [KindId]> {
        match e {
            Expr::Me => Some(self.me),
            Expr::Bound(b) => self.bound.iter().rev().find(|(bound, _)| bound == b).map(|(_, kinds)| *kinds),
            _ => None,
        }
    }

    /// Whether a place exists whatever the state, and is not ⊥ because of an index.
    pub(super) fn exists(&self, place: &Place) -> bool {
        let var = self.program.var(place.var);
        let owned = match (&place.agent, &var.owners) {
            (Some(agent), Some(owners)) => match self.kinds(agent) {
                Some(kinds) => kinds.iter().all(|k| owners.contains(k)),
                None => {
                    let b = self.eval(agent);
                    let inside = super::names::ranges(self.program, owners);
                    let fits = |&(first, end): &(u32, u32)| b.lo >= first.into() && b.hi < end.into();
                    !b.undef && inside.iter().any(fits)
                }
            },
            _ => true,
        };
        let within = |(index, size): (&Expr, &u32)| {
            let b = self.eval(index);
            !b.undef && b.lo >= 0 && b.hi < i128::from(*size)
        };
        owned && place.index.iter().zip(&var.dimensions).all(within)
    }

    /// The result of the analysis for an expression.
    pub(super) fn eval(&self, e: &Expr) -> Bounds {
        let known = self.evaluate(e);
        Bounds { undef: known.undef || (self.quiet && known.fault), ..known }
    }

    fn evaluate(&self, e: &Expr) -> Bounds {
        match e {
            Expr::Const(UNDEF) => Bounds { undef: true, ..Bounds::of(0, 0) },
            Expr::Const(v) => Bounds::of((*v).into(), (*v).into()),
            Expr::Me | Expr::Bound(_) => self.agents(self.kinds(e).unwrap_or(&[])),
            Expr::Local(l) => self.locals[l.0 as usize],
            Expr::LocalCell(l, index, _) => {
                let (cell, index) = (self.locals[l.0 as usize], self.eval(index));
                // How long the array is does not matter: an index that is not constant is looked at when it is used.
                Bounds { undef: cell.undef || index.undef, fault: true, ..cell }
            }
            Expr::Read(place) => {
                let parts: Vec<Bounds> = place
                    .agent
                    .iter()
                    .map(|a| self.eval(a))
                    .chain(place.index.iter().map(|i| self.eval(i)))
                    .collect();
                let mut cell = self.vars[place.var.0 as usize].blame(&parts);
                cell.undef |= parts.iter().any(|p| p.undef);
                cell.fault |= !self.exists(place);
                cell
            }
            Expr::Unary(op, e) => Bounds::unary(*op, self.eval(e)),
            Expr::Binary(op, a, b, _) => binary(*op, self.eval(a), self.eval(b)),
            Expr::And(parts) | Expr::Or(parts) => {
                let parts: Vec<Bounds> = parts.iter().map(|p| self.eval(p)).collect();
                Bounds::CONDITION.blame(&parts)
            }
            Expr::If(c, a, b) => self.eval(a).hull(self.eval(b)).blame(&[self.eval(c)]),
            Expr::Defined(_) => Bounds::CONDITION,
            Expr::Quantified(quantifier, kinds, bound, body) => {
                let body = self.under_borrowed(*bound, kinds).eval(body);
                let top = match quantifier {
                    Quantifier::Count => kinds.iter().map(|k| i128::from(self.program.kind(*k).count)).sum(),
                    _ => 1,
                };
                Bounds::of(0, top).blame(&[body])
            }
        }
    }

    /// Under a binder for the time of one evaluation, whatever the life of the expression.
    fn under_borrowed<'b>(&'b self, bound: u32, kinds: &'b [KindId]) -> Known<'b> {
        let mut inside: Known<'b> = self.clone();
        inside.bound.push((bound, kinds));
        inside
    }

    /// Between which numbers a value drawn from a set lies.
    pub(super) fn drawn(&self, set: &Set) -> Bounds {
        match set {
            Set::Values(values) => {
                values.iter().map(|v| self.eval(v)).reduce(Bounds::hull).unwrap_or(Bounds::of(0, 0))
            }
            Set::Range(lo, hi) => {
                let (lo, hi) = (self.eval(lo), self.eval(hi));
                Bounds::of(lo.lo, (hi.hi - 1).max(lo.lo)).blame(&[lo, hi])
            }
        }
    }

    /// Finds what is assigned to the locals of a body: statement after statement, again until nothing changes; what goes
    /// on changing can be anything.
    pub(super) fn learn_locals(&mut self, body: &'a [Stmt]) {
        for round in 0..4 {
            let before = self.locals.clone();
            self.assigned(body);
            for (now, old) in self.locals.iter_mut().zip(&before) {
                if round == 3 && now != old {
                    *now = Bounds::ANY;
                }
            }
            if before == self.locals {
                break;
            }
        }
    }

    fn assigned(&mut self, body: &'a [Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::Let(local, e) => self.note(local.0, self.eval(e)),
                Stmt::Havoc(local, set) => self.note(local.0, self.drawn(set)),
                Stmt::Pick { local, kinds, .. } => self.note(local.0, self.agents(kinds)),
                Stmt::If(_, yes, no) => {
                    self.assigned(yes);
                    self.assigned(no);
                }
                Stmt::Choose(branches) => branches.iter().for_each(|(_, body)| self.assigned(body)),
                Stmt::ForEach(kinds, bound, body) => {
                    self.bound.push((*bound, kinds));
                    self.assigned(body);
                    self.bound.pop();
                }
                _ => {}
            }
        }
    }

    /// Locals start as 0 in the C program, so that is always among their values.
    fn note(&mut self, local: u32, value: Bounds) {
        let known = &mut self.locals[local as usize];
        *known = Bounds { fault: false, ..known.hull(value) };
    }
}

/// The result of an operator. What is always ⊥ has 0 as its number.
pub(super) fn binary(op: BinaryOp, a: Bounds, b: Bounds) -> Bounds {
    let found = Bounds::binary(op, a, b);
    if found.is_empty() { Bounds { lo: 0, hi: 0, ..found } } else { found }
}
