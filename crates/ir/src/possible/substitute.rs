//! What an expression says before an effect, if it is read after it.
//!
//! The executor keeps one agent per index of a bound agent. So whatever is put under a binder gets binders of its own.

use super::equal;
use crate::arith::UNDEF;
use crate::expr::{BinaryOp, Expr, Place, UnaryOp};
use crate::program::{LocalId, VarId};
use std::cell::Cell;

/// Something that changes what expressions evaluate to.
pub(super) enum Effect {
    /// A local gets the value of an expression.
    Local(LocalId, Expr),
    /// A local array gets these values.
    Cells(LocalId, Vec<Expr>),
    /// A cell gets the value of an expression. Its agent and indices are defined.
    Write(Place, Expr),
    /// All cells of a variable are copied from an agent (second) to another (first).
    Copy(VarId, Expr, Expr),
    /// The agent that runs the function becomes known.
    Me(Expr),
    /// An agent is bound.
    Bound(u32, Expr),
}

/// Whether an expression reads a variable.
pub(super) fn reads(e: &Expr, var: VarId) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e, Expr::Read(place) if place.var == var));
    found
}

/// Whether an expression uses a local.
pub(super) fn uses(e: &Expr, local: LocalId) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e, Expr::Local(l) | Expr::LocalCell(l, ..) if *l == local));
    found
}

/// The expression before the effect; `None` if it cannot be said.
pub(super) fn before(effect: &Effect, e: &Expr, fresh: &Cell<u32>) -> Option<Expr> {
    Substitution { effect, fresh }.expr(e, false)
}

/// The same condition, given that the local is not ⊥.
pub(super) fn never_undefined(local: LocalId, e: Expr) -> Expr {
    fn go(local: LocalId, e: &Expr) -> Expr {
        match e {
            Expr::Defined(inner) => parts_defined(inner, &|l| l == local),
            Expr::And(parts) => Expr::and(parts.iter().map(|p| go(local, p))),
            Expr::Or(parts) => Expr::or(parts.iter().map(|p| go(local, p))),
            Expr::Unary(UnaryOp::Not, inner) => Expr::not(go(local, inner)),
            Expr::If(c, a, b) => Expr::ite(go(local, c), go(local, a), go(local, b)),
            other => other.clone(),
        }
    }
    go(local, &e)
}

/// Whether an expression is defined, taken apart as far as possible.
pub(super) fn defined(e: Expr) -> Expr {
    parts_defined(&e, &|_| false)
}

fn parts_defined(e: &Expr, known: &dyn Fn(LocalId) -> bool) -> Expr {
    match e {
        Expr::Local(l) if known(*l) => Expr::TRUE,
        Expr::Unary(UnaryOp::Neg | UnaryOp::Abs, inner) => parts_defined(inner, known),
        Expr::Binary(op, ..) if op.is_comparison() => Expr::TRUE,
        Expr::Binary(
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Min | BinaryOp::Max,
            a,
            b,
            _,
        ) => Expr::and([parts_defined(a, known), parts_defined(b, known)]),
        Expr::Binary(BinaryOp::Div | BinaryOp::Mod | BinaryOp::Round, a, b, _) if nonzero(b) => {
            parts_defined(a, known)
        }
        Expr::Unary(UnaryOp::Not, _)
        | Expr::And(_)
        | Expr::Or(_)
        | Expr::Defined(_)
        | Expr::Quantified(..) => Expr::TRUE,
        other => Expr::defined(other.clone()),
    }
}

fn nonzero(e: &Expr) -> bool {
    matches!(e, Expr::Const(v) if *v != 0 && *v != UNDEF)
}

struct Substitution<'a> {
    effect: &'a Effect,
    fresh: &'a Cell<u32>,
}

impl Substitution<'_> {
    /// `under`: below a binder.
    fn expr(&self, e: &Expr, under: bool) -> Option<Expr> {
        let go = |e: &Expr| self.expr(e, under);
        let all = |parts: &[Expr]| parts.iter().map(go).collect::<Option<Vec<_>>>();
        Some(match e {
            Expr::Const(_) => e.clone(),
            Expr::Me => match self.effect {
                Effect::Me(agent) => agent.clone(),
                _ => e.clone(),
            },
            Expr::Bound(b) => match self.effect {
                Effect::Bound(bound, agent) if bound == b => agent.clone(),
                _ => e.clone(),
            },
            Expr::Local(l) => match self.effect {
                Effect::Local(local, value) if local == l => self.put(value, under)?,
                _ => e.clone(),
            },
            Expr::LocalCell(l, index, span) => {
                let index = go(index)?;
                match self.effect {
                    Effect::Cells(local, cells) if local == l => cell(cells, index),
                    _ => Expr::LocalCell(*l, Box::new(index), *span),
                }
            }
            Expr::Read(place) => self.read(place, under)?,
            Expr::Unary(op, inner) => Expr::unary(*op, go(inner)?),
            Expr::Binary(op, a, b, span) => Expr::binary(*op, go(a)?, go(b)?, *span),
            Expr::And(parts) => Expr::and(all(parts)?),
            Expr::Or(parts) => Expr::or(all(parts)?),
            Expr::If(c, a, b) => Expr::ite(go(c)?, go(a)?, go(b)?),
            Expr::Defined(inner) => defined(go(inner)?),
            Expr::Quantified(quantifier, kinds, bound, body) => {
                if matches!(self.effect, Effect::Bound(b, _) if b == bound) {
                    return Some(e.clone());
                }
                let body = self.expr(body, true)?;
                Expr::Quantified(*quantifier, kinds.clone(), *bound, Box::new(body))
            }
        })
    }

    fn read(&self, place: &Place, under: bool) -> Option<Expr> {
        let agent = match &place.agent {
            Some(agent) => Some(Box::new(self.expr(agent, under)?)),
            None => None,
        };
        let index = place.index.iter().map(|e| self.expr(e, under)).collect::<Option<Vec<_>>>()?;
        let place = Place { var: place.var, agent, index, span: place.span };
        Some(match self.effect {
            Effect::Write(to, value) if to.var == place.var => {
                // ⊥ is equal to nothing: a place that does not exist stays one, and is read as ⊥.
                let mut here = vec![];
                let ours = place.agent.iter().map(|a| &**a).chain(&place.index);
                let theirs = to.agent.iter().map(|a| &**a).chain(&to.index);
                for (ours, theirs) in ours.zip(theirs) {
                    if !same(ours, theirs) {
                        here.push(equal(ours.clone(), self.put(theirs, under)?));
                    }
                }
                Expr::ite(Expr::and(here), self.put(value, under)?, Expr::Read(place))
            }
            Effect::Copy(var, to, from) if *var == place.var => {
                let ours = place.agent.as_deref()?.clone();
                let here = if same(&ours, to) { Expr::TRUE } else { equal(ours, self.put(to, under)?) };
                let copied = Place { agent: Some(Box::new(self.put(from, under)?)), ..place.clone() };
                Expr::ite(here, Expr::Read(copied), Expr::Read(place))
            }
            _ => Expr::Read(place),
        })
    }

    /// The expression with binders that nobody else uses, if it comes to stand below one.
    fn put(&self, e: &Expr, under: bool) -> Option<Expr> {
        let mut binds = vec![];
        e.walk(&mut |e| {
            if let Expr::Quantified(_, _, bound, _) = e {
                binds.push(*bound);
            }
        });
        let mut out = e.clone();
        if under {
            for bound in binds {
                let new = self.fresh.replace(self.fresh.get() + 1);
                out = renamed(&out, bound, new);
            }
        }
        Some(out)
    }
}

/// The value of a cell of an array whose cells are known.
fn cell(cells: &[Expr], index: Expr) -> Expr {
    if let Expr::Const(i) = index {
        let at = usize::try_from(i).ok().and_then(|i| cells.get(i));
        return at.cloned().unwrap_or(Expr::Const(UNDEF));
    }
    let numbered = cells.iter().enumerate().rev();
    numbered.fold(Expr::Const(UNDEF), |rest, (i, value)| {
        Expr::ite(equal(index.clone(), Expr::Const(i as i64)), value.clone(), rest)
    })
}

/// The same agent or index, read twice: only what is never ⊥ is recognised.
fn same(a: &Expr, b: &Expr) -> bool {
    match (a, b) {
        (Expr::Me, Expr::Me) => true,
        (Expr::Bound(a), Expr::Bound(b)) => a == b,
        (Expr::Const(a), Expr::Const(b)) => a == b && *a != UNDEF,
        _ => false,
    }
}

/// The expression with one binder renamed, and everything that it binds.
pub(super) fn renamed(e: &Expr, old: u32, new: u32) -> Expr {
    let go = |e: &Expr| renamed(e, old, new);
    let boxed = |e: &Expr| Box::new(renamed(e, old, new));
    match e {
        Expr::Quantified(q, kinds, bound, body) if *bound == old => {
            let inside = rebound(body, old, new);
            Expr::Quantified(*q, kinds.clone(), new, Box::new(inside))
        }
        Expr::Quantified(q, kinds, bound, body) => Expr::Quantified(*q, kinds.clone(), *bound, boxed(body)),
        Expr::Const(_) | Expr::Me | Expr::Bound(_) | Expr::Local(_) => e.clone(),
        Expr::LocalCell(l, index, span) => Expr::LocalCell(*l, boxed(index), *span),
        Expr::Read(place) => Expr::Read(Place {
            agent: place.agent.as_ref().map(|a| boxed(a)),
            index: place.index.iter().map(go).collect(),
            ..place.clone()
        }),
        Expr::Unary(op, inner) => Expr::Unary(*op, boxed(inner)),
        Expr::Binary(op, a, b, span) => Expr::Binary(*op, boxed(a), boxed(b), *span),
        Expr::And(parts) => Expr::And(parts.iter().map(go).collect()),
        Expr::Or(parts) => Expr::Or(parts.iter().map(go).collect()),
        Expr::If(c, a, b) => Expr::If(boxed(c), boxed(a), boxed(b)),
        Expr::Defined(inner) => Expr::Defined(boxed(inner)),
    }
}

/// The expression with a bound agent called otherwise.
fn rebound(e: &Expr, old: u32, new: u32) -> Expr {
    let fresh = Cell::new(0);
    let effect = Effect::Bound(old, Expr::Bound(new));
    // Nothing but bound agents is put anywhere, so it can always be said.
    before(&effect, e, &fresh).unwrap_or_else(|| e.clone())
}
