//! Whether evaluating an expression can fault, judged by the domains of variables.
//!
//! Where an expression may fault, it matters whether and in which order its parts are evaluated; where it cannot, `and`
//! and `or` commute and quantifiers may go through the agents in any order. The answer "possible" is always safe.

use swarmcheck_ir::{BinaryOp, Expr, KindId, Place, Program, Quantifier, UnaryOp};

/// The bounds of the values that are not ⊥; wide enough for one operation on any two numbers.
type Range = (i128, i128);

/// Looks for possible faults.
pub(crate) struct Faults<'a> {
    program: &'a Program,
    me: &'a [KindId],
    bound: Vec<(u32, &'a [KindId])>,
}

impl<'a> Faults<'a> {
    /// For code that agents of these kinds run; none if no agent does.
    pub(crate) fn new(program: &'a Program, me: &'a [KindId]) -> Faults<'a> {
        Faults { program, me, bound: vec![] }
    }

    /// The same under one more binder.
    pub(crate) fn under(mut self, bound: u32, kinds: &'a [KindId]) -> Faults<'a> {
        self.bound.push((bound, kinds));
        self
    }

    /// Whether evaluating the expression can fault.
    pub(crate) fn possible(&mut self, e: &'a Expr) -> bool {
        match e {
            Expr::Const(_) | Expr::Me | Expr::Bound(_) | Expr::Local(_) => false,
            // The length of the array is not known here; indices of locals are constants in practice.
            Expr::LocalCell(_, index, _) => !matches!(**index, Expr::Const(0)),
            Expr::Read(place) => self.place(place),
            Expr::Unary(_, e) | Expr::Defined(e) => self.possible(e),
            Expr::Binary(op, a, b, _) => self.possible(a) || self.possible(b) || self.overflows(*op, a, b),
            Expr::And(parts) | Expr::Or(parts) => parts.iter().any(|p| self.possible(p)),
            Expr::If(c, a, b) => self.possible(c) || self.possible(a) || self.possible(b),
            Expr::Quantified(_, kinds, bound, body) => {
                self.bound.push((*bound, kinds));
                let possible = self.possible(body);
                self.bound.pop();
                possible
            }
        }
    }

    /// Whether a place may not exist.
    pub(crate) fn place(&mut self, place: &'a Place) -> bool {
        let var = self.program.var(place.var);
        if let Some(agent) = &place.agent {
            let owners = var.owners.as_deref().unwrap_or(&[]);
            let there = match self.kinds_of(agent) {
                Some(kinds) => kinds.iter().all(|k| self.program.kind(*k).count == 0 || owners.contains(k)),
                None => self.range(agent).is_some_and(|(lo, hi)| {
                    let all = 0 <= lo && hi < i128::from(self.program.agents());
                    all && (lo..=hi).all(|a| owners.contains(&self.program.kind_of(a as u32)))
                }),
            };
            if !there || self.possible(agent) {
                return true;
            }
        }
        place.index.iter().zip(&var.dimensions).any(|(index, size)| {
            let inside = self.range(index).is_some_and(|(lo, hi)| 0 <= lo && hi < i128::from(*size));
            !inside || self.possible(index)
        })
    }

    fn kinds_of(&self, agent: &Expr) -> Option<&'a [KindId]> {
        match agent {
            Expr::Me => Some(self.me),
            Expr::Bound(b) => self.bound.iter().rev().find(|(bound, _)| bound == b).map(|(_, kinds)| *kinds),
            _ => None,
        }
    }

    fn overflows(&mut self, op: BinaryOp, a: &'a Expr, b: &'a Expr) -> bool {
        matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul)
            && self
                .binary(op, a, b)
                .is_none_or(|(lo, hi)| lo <= i128::from(i64::MIN) || hi > i128::from(i64::MAX))
    }

    fn binary(&mut self, op: BinaryOp, a: &'a Expr, b: &'a Expr) -> Option<Range> {
        if op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or) {
            return Some((0, 1));
        }
        let (a, b) = (self.range(a), self.range(b)?);
        let size = |(lo, hi): Range| lo.abs().max(hi.abs());
        // What is left by a division is smaller than the divisor, whatever is divided.
        if op == BinaryOp::Mod {
            return Some((0, (size(b) - 1).max(0)));
        }
        let a = a?;
        Some(match op {
            BinaryOp::Add => (a.0 + b.0, a.1 + b.1),
            BinaryOp::Sub => (a.0 - b.1, a.1 - b.0),
            BinaryOp::Mul => {
                let corners = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
                (*corners.iter().min()?, *corners.iter().max()?)
            }
            BinaryOp::Min => (a.0.min(b.0), a.1.min(b.1)),
            BinaryOp::Max => (a.0.max(b.0), a.1.max(b.1)),
            _ => (-size(a), size(a)),
        })
    }

    /// The bounds of an expression's value, if known; always within 64 bits.
    pub(crate) fn range(&mut self, e: &'a Expr) -> Option<Range> {
        let range = match e {
            Expr::Const(swarmcheck_ir::UNDEF) => (0, 0),
            Expr::Const(v) => (i128::from(*v), i128::from(*v)),
            Expr::Me | Expr::Bound(_) => self.agents(self.kinds_of(e)?)?,
            Expr::Read(place) => {
                let (lo, hi) = self.program.var(place.var).domain?;
                (i128::from(lo), i128::from(hi))
            }
            Expr::Local(_) | Expr::LocalCell(..) => return None,
            Expr::Unary(UnaryOp::Neg, e) => {
                let (lo, hi) = self.range(e)?;
                (-hi, -lo)
            }
            Expr::Unary(UnaryOp::Abs, e) => {
                let (lo, hi) = self.range(e)?;
                (0, lo.abs().max(hi.abs()))
            }
            Expr::Binary(op, a, b, _) => self.binary(*op, a, b)?,
            Expr::If(_, a, b) => {
                let (a, b) = (self.range(a)?, self.range(b)?);
                (a.0.min(b.0), a.1.max(b.1))
            }
            Expr::Quantified(Quantifier::Count, ..) => (0, i128::from(self.program.agents())),
            Expr::Quantified(..)
            | Expr::Unary(UnaryOp::Not, _)
            | Expr::And(_)
            | Expr::Or(_)
            | Expr::Defined(_) => (0, 1),
        };
        let fits = |v| (i128::from(i64::MIN)..=i128::from(i64::MAX)).contains(&v);
        (fits(range.0) && fits(range.1)).then_some(range)
    }

    fn agents(&self, kinds: &[KindId]) -> Option<Range> {
        let kinds = || kinds.iter().map(|k| self.program.kind(*k)).filter(|k| k.count > 0);
        let first = kinds().map(|k| k.first).min()?;
        let end = kinds().map(|k| k.first + k.count).max()?;
        Some((i128::from(first), i128::from(end) - 1))
    }
}
