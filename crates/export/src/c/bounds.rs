//! Interval analysis of expressions: bounds, whether a value can be ⊥, and whether evaluation can be a model error.
//!
//! What is written as a plain operator of C, and what as a call that looks for ⊥, overflow or a missing cell, depends on
//! it. The values of variables come from `passes::ranges`; below, intervals are enough. Mathematical results are computed
//! with 128 bits, so overflow is seen. A run that meets an error ends there, so results stop at 64 bits.

use swarmcheck_ir::{BinaryOp, Expr, KindId, Place, Program, Quantifier, Set, Stmt, UNDEF, UnaryOp};

/// The largest number of a program; the smallest is its negation.
pub(super) const MOST: i128 = i64::MAX as i128;

/// The result of the analysis for an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub lo: i128,
    pub hi: i128,
    /// It can be ⊥.
    pub undef: bool,
    /// Evaluating it can meet an error of the model.
    pub fault: bool,
}

impl Bounds {
    pub(super) const ANYTHING: Bounds = Bounds { lo: -MOST, hi: MOST, undef: true, fault: false };
    pub(super) const CONDITION: Bounds = Bounds::of(0, 1);

    pub(super) const fn of(lo: i128, hi: i128) -> Bounds {
        Bounds { lo, hi, undef: false, fault: false }
    }

    pub(super) fn join(self, other: Bounds) -> Bounds {
        Bounds {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            undef: self.undef || other.undef,
            fault: self.fault || other.fault,
        }
    }

    /// The same, going wrong also where the parts can.
    fn blame(mut self, parts: &[Bounds]) -> Bounds {
        self.fault |= parts.iter().any(|p| p.fault);
        self
    }
}

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
        ends.reduce(Bounds::join).unwrap_or(Bounds::of(0, 0))
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
            Expr::Unary(op, e) => {
                let e = self.eval(e);
                match op {
                    UnaryOp::Not => Bounds::CONDITION.blame(&[e]),
                    UnaryOp::Neg => Bounds { lo: -e.hi, hi: -e.lo, ..e },
                    UnaryOp::Abs => {
                        let most = e.lo.abs().max(e.hi.abs());
                        let least = if e.lo <= 0 && e.hi >= 0 { 0 } else { e.lo.abs().min(e.hi.abs()) };
                        Bounds { lo: least, hi: most, ..e }
                    }
                }
            }
            Expr::Binary(op, a, b, _) => {
                let (a, b) = (self.eval(a), self.eval(b));
                binary(*op, a, b).blame(&[a, b])
            }
            Expr::And(parts) | Expr::Or(parts) => {
                let parts: Vec<Bounds> = parts.iter().map(|p| self.eval(p)).collect();
                Bounds::CONDITION.blame(&parts)
            }
            Expr::If(c, a, b) => self.eval(a).join(self.eval(b)).blame(&[self.eval(c)]),
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
                values.iter().map(|v| self.eval(v)).reduce(Bounds::join).unwrap_or(Bounds::of(0, 0))
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
                    *now = Bounds::ANYTHING;
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
        *known = Bounds { fault: false, ..known.join(value) };
    }
}

pub(super) fn binary(op: BinaryOp, a: Bounds, b: Bounds) -> Bounds {
    if op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or) {
        return Bounds::CONDITION;
    }
    let undef = a.undef || b.undef;
    let corners = |f: fn(i128, i128) -> i128| {
        let all = [f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)];
        let (lo, hi) = all.iter().fold((all[0], all[0]), |(lo, hi), v| (lo.min(*v), hi.max(*v)));
        Bounds { lo: lo.max(-MOST), hi: hi.min(MOST), undef, fault: lo < -MOST || hi > MOST }
    };
    let zero = b.lo <= 0 && b.hi >= 0;
    let most = a.lo.abs().max(a.hi.abs());
    match op {
        BinaryOp::Add => corners(|x, y| x + y),
        BinaryOp::Sub => corners(|x, y| x - y),
        BinaryOp::Mul => corners(|x, y| x * y),
        BinaryOp::Min => Bounds { undef, ..Bounds::of(a.lo.min(b.lo), a.hi.min(b.hi)) },
        BinaryOp::Max => Bounds { undef, ..Bounds::of(a.lo.max(b.lo), a.hi.max(b.hi)) },
        BinaryOp::Mod => {
            let top = (b.lo.abs().max(b.hi.abs()) - 1).max(0);
            // A number that is not negative does not grow.
            let top = if a.lo >= 0 { top.min(a.hi) } else { top };
            Bounds { undef: undef || zero, ..Bounds::of(0, top) }
        }
        // Division, rounded or not, does not make a number larger; its sign may change.
        _ => {
            let lo = if a.lo >= 0 && b.lo >= 0 { 0 } else { -most };
            Bounds { undef: undef || zero, ..Bounds::of(lo, most) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use swarmcheck_ir::arith;

    /// Every result of exact arithmetic on small operands lies within the bounds, and is ⊥ only if they say so.
    #[test]
    fn bounds_contain_the_results_of_exact_arithmetic() {
        use BinaryOp::*;
        for op in [Add, Sub, Mul, Div, Mod, Round, Min, Max, Eq, Lt] {
            for (alo, ahi, blo, bhi) in [(-3, 2, -2, 2), (0, 4, 1, 3), (1, 5, -3, -1), (-4, -1, 0, 2)] {
                let bounds = binary(op, Bounds::of(alo, ahi), Bounds::of(blo, bhi));
                for a in alo..=ahi {
                    for b in blo..=bhi {
                        match arith::binary(op, a as i64, b as i64) {
                            Some(UNDEF) => assert!(bounds.undef, "{a} {op:?} {b}"),
                            Some(v) => {
                                assert!((bounds.lo..=bounds.hi).contains(&v.into()), "{a} {op:?} {b} = {v}")
                            }
                            None => assert!(bounds.fault),
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn overflow_is_seen() {
        let big = Bounds::of(0, MOST);
        assert!(binary(BinaryOp::Add, big, Bounds::of(0, 1)).fault);
        assert!(!binary(BinaryOp::Add, Bounds::of(0, 5), Bounds::of(0, 1)).fault);
        assert!(binary(BinaryOp::Mul, big, big).fault);
    }
}
