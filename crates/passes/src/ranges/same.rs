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

fn any(e: &Expr, test: impl Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= test(e));
    found
}

/// Whether an expression reads a variable.
pub(crate) fn reads(e: &Expr, var: VarId) -> bool {
    any(e, |e| matches!(e, Expr::Read(place) if place.var == var))
}

/// Whether an expression uses a local.
pub(crate) fn uses(e: &Expr, local: LocalId) -> bool {
    any(e, |e| matches!(e, Expr::Local(l) | Expr::LocalCell(l, _, _) if *l == local))
}

/// Whether an expression speaks of a bound agent.
pub(crate) fn names(e: &Expr, bound: u32) -> bool {
    any(e, |e| matches!(e, Expr::Bound(b) if *b == bound))
}
