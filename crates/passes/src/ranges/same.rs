//! Expressions compared and searched: whether two mean the same text, and what one depends on.

use swarmcheck_ir::{Expr, LocalId, Place, VarId};

/// Whether two expressions are the same, wherever they stand in the user's file. The same expression has the same value
/// as long as nothing it reads is written.
pub fn same(a: &Expr, b: &Expr) -> bool {
    let all = |a: &[Expr], b: &[Expr]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b));
    match (a, b) {
        (Expr::Const(a), Expr::Const(b)) => a == b,
        (Expr::Me, Expr::Me) => true,
        (Expr::Bound(a), Expr::Bound(b)) => a == b,
        (Expr::Read(a), Expr::Read(b)) => same_place(a, b),
        (Expr::Local(a), Expr::Local(b)) => a == b,
        (Expr::LocalCell(l, a, _), Expr::LocalCell(m, b, _)) => l == m && same(a, b),
        (Expr::Unary(o, a), Expr::Unary(p, b)) => o == p && same(a, b),
        (Expr::Binary(o, a, b, _), Expr::Binary(p, c, d, _)) => o == p && same(a, c) && same(b, d),
        (Expr::And(a), Expr::And(b)) | (Expr::Or(a), Expr::Or(b)) => all(a, b),
        (Expr::If(a, b, c), Expr::If(d, e, f)) => same(a, d) && same(b, e) && same(c, f),
        (Expr::Defined(a), Expr::Defined(b)) => same(a, b),
        (Expr::Quantified(q, k, b, e), Expr::Quantified(r, l, c, f)) => {
            q == r && k == l && b == c && same(e, f)
        }
        _ => false,
    }
}

/// A number that expressions which are [`same`] have in common. It looks at the outermost parts only, so it is found
/// quickly, and different expressions rarely share it.
pub(crate) fn likeness(e: &Expr) -> u64 {
    shallow(e, 3)
}

fn mix(a: u64, b: u64) -> u64 {
    (a.rotate_left(5) ^ b).wrapping_mul(0x517c_c1b7_2722_0a95)
}

fn shallow(e: &Expr, depth: u32) -> u64 {
    let part = |e: &Expr| if depth == 0 { 0 } else { shallow(e, depth - 1) };
    let ends = |parts: &[Expr]| {
        let (first, last) = (parts.first().map_or(0, part), parts.last().map_or(0, part));
        mix(mix(parts.len() as u64, first), last)
    };
    match e {
        Expr::Const(value) => mix(1, *value as u64),
        Expr::Me => 2,
        Expr::Bound(bound) => mix(3, u64::from(*bound)),
        Expr::Read(place) => {
            let agent = place.agent.as_ref().map_or(0, |agent| part(agent));
            mix(mix(4, u64::from(place.var.0)), mix(agent, ends(&place.index)))
        }
        Expr::Local(local) => mix(5, u64::from(local.0)),
        Expr::LocalCell(local, index, _) => mix(mix(6, u64::from(local.0)), part(index)),
        Expr::Unary(_, a) => mix(7, part(a)),
        Expr::Binary(op, a, b, _) => mix(mix(mix(8, *op as u64), part(a)), part(b)),
        Expr::And(parts) => mix(9, ends(parts)),
        Expr::Or(parts) => mix(10, ends(parts)),
        Expr::If(a, b, c) => mix(mix(mix(11, part(a)), part(b)), part(c)),
        Expr::Defined(a) => mix(12, part(a)),
        Expr::Quantified(_, kinds, bound, body) => {
            mix(mix(mix(13, kinds.len() as u64), u64::from(*bound)), part(body))
        }
    }
}

/// What an expression can depend on: what facts about it are forgotten for.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Part {
    Variable(VarId),
    Local(LocalId),
    Bound(u32),
}

impl Part {
    /// One of 64 bits, which stand for all parts: different ones may share it.
    pub(crate) fn bit(self) -> u64 {
        let mixed = match self {
            Part::Variable(var) => mix(1, u64::from(var.0)),
            Part::Local(local) => mix(2, u64::from(local.0)),
            Part::Bound(bound) => mix(3, u64::from(bound)),
        };
        1 << (mixed >> 58)
    }

    /// The part that an expression itself is.
    fn of(e: &Expr) -> Option<Part> {
        match e {
            Expr::Read(place) => Some(Part::Variable(place.var)),
            Expr::Local(local) | Expr::LocalCell(local, ..) => Some(Part::Local(*local)),
            Expr::Bound(bound) => Some(Part::Bound(*bound)),
            _ => None,
        }
    }

    /// Whether an expression depends on it.
    pub(crate) fn is_in(self, e: &Expr) -> bool {
        let mut found = false;
        e.walk(&mut |e| found |= Part::of(e) == Some(self));
        found
    }
}

/// The bits of all parts of an expression.
pub(crate) fn parts(e: &Expr) -> u64 {
    let mut bits = 0;
    e.walk(&mut |e| bits |= Part::of(e).map_or(0, Part::bit));
    bits
}

/// Whether two places are the same, wherever they stand in the user's file.
pub(crate) fn same_place(a: &Place, b: &Place) -> bool {
    let agents = match (&a.agent, &b.agent) {
        (None, None) => true,
        (Some(a), Some(b)) => same(a, b),
        _ => false,
    };
    agents
        && a.var == b.var
        && a.index.len() == b.index.len()
        && a.index.iter().zip(&b.index).all(|(a, b)| same(a, b))
}
