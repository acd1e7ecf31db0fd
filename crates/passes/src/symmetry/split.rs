//! Quantifiers over interchangeable kinds, rewritten to range over all of them where that says the same.
//!
//! `exists A a, exists B b, p(a) or p(b)` treats the agents of A and B alike, but does not look like it. Quantifiers are
//! moved to the parts that need them ([`miniscope`]), and there parts that differ in the kind only are put
//! together: `exists A or B a, p(a)`. The result is used to judge the property, never to check it. It is the same
//! condition as long as nothing in it can fault; callers make sure.

use super::bare;
use super::moved::{Moved, Share};
use crate::miniscope::{self, junction};
use swarmcheck_ir::{Expr, Quantifier};

/// Rewrites a condition.
pub(super) fn split(moved: &Moved<'_>, e: &Expr) -> Expr {
    miniscope::miniscope_with(moved.program, e, &|q, parts| merge(moved, q, parts))
}

/// A junction of parts, in which quantified ones that differ in the kinds only have been put together.
fn merge(moved: &Moved<'_>, q: Quantifier, parts: Vec<Expr>) -> Expr {
    // Nested junctions of the same kind are opened first.
    let parts = match junction(q, parts) {
        Expr::And(parts) if q == Quantifier::Forall => parts,
        Expr::Or(parts) if q == Quantifier::Exists => parts,
        one => return one,
    };
    let mut out: Vec<Expr> = vec![];
    for part in parts {
        let twin = out.iter_mut().find(|other| together(moved, q, other, &part));
        match (twin, &part) {
            (Some(Expr::Quantified(_, kinds, ..)), Expr::Quantified(_, more, ..)) => {
                // What is said of some of them twice need not be said again.
                let new: Vec<_> = more.iter().filter(|k| !kinds.contains(k)).copied().collect();
                kinds.extend(new);
            }
            _ => out.push(part),
        }
    }
    junction(q, out)
}

/// Whether two parts say the same of agents among those that are moved.
fn together(moved: &Moved<'_>, q: Quantifier, a: &Expr, b: &Expr) -> bool {
    let (Expr::Quantified(p, kinds, x, left), Expr::Quantified(r, more, y, right)) = (a, b) else {
        return false;
    };
    let some = |kinds: &[_]| moved.share(kinds) == Share::Some;
    let moved = |kinds: &[_]| moved.share(kinds) != Share::None;
    *p == q && *r == q && moved(kinds) && some(more) && named(left, *x) == named(right, *y)
}

/// The expression without places, with its bound agent under a name of its own.
fn named(e: &Expr, bound: u32) -> Expr {
    let mut out = e.clone();
    bare::expr(&mut out);
    rename(&mut out, bound);
    out
}

fn rename(e: &mut Expr, bound: u32) {
    match e {
        Expr::Bound(b) if *b == bound => *b = u32::MAX,
        Expr::Const(_) | Expr::Me | Expr::Bound(_) | Expr::Local(_) => {}
        Expr::Read(place) => {
            place.agent.iter_mut().for_each(|a| rename(a, bound));
            place.index.iter_mut().for_each(|i| rename(i, bound));
        }
        Expr::LocalCell(_, e, _) | Expr::Unary(_, e) | Expr::Defined(e) | Expr::Quantified(_, _, _, e) => {
            rename(e, bound);
        }
        Expr::Binary(_, a, b, _) => {
            rename(a, bound);
            rename(b, bound);
        }
        Expr::And(parts) | Expr::Or(parts) => parts.iter_mut().for_each(|p| rename(p, bound)),
        Expr::If(c, a, b) => [c, a, b].into_iter().for_each(|e| rename(e, bound)),
    }
}
