//! Quantifiers over kinds that change places, rewritten to range over all of them where that says the same.
//!
//! `exists A a, exists B b, p(a) or p(b)` treats the agents of A and B alike, but does not look like it. Quantifiers are
//! moved inwards, to the parts that need them, and there parts that differ in the kind only are put together:
//! `exists A or B a, p(a)`. The result is used to judge the property, never to check it. It is the same condition as long
//! as nothing in it can fault; callers make sure.

use super::bare;
use super::moved::{Moved, Share};
use swarmcheck_ir::{Expr, Quantifier, UnaryOp};

/// Rewrites a condition.
pub(super) fn split(moved: &Moved<'_>, e: &Expr) -> Expr {
    match e {
        Expr::And(parts) => merge(moved, Quantifier::Forall, parts.iter().map(|p| split(moved, p))),
        Expr::Or(parts) => merge(moved, Quantifier::Exists, parts.iter().map(|p| split(moved, p))),
        Expr::Unary(UnaryOp::Not, e) => Expr::not(split(moved, e)),
        Expr::Quantified(q @ (Quantifier::Forall | Quantifier::Exists), kinds, bound, body) => {
            if kinds.iter().all(|k| moved.program.kind(*k).count == 0) {
                return e.clone();
            }
            let quantify = |e| Expr::Quantified(*q, kinds.clone(), *bound, Box::new(e));
            distribute(moved, *q, *bound, split(moved, body), &quantify)
        }
        other => other.clone(),
    }
}

/// Moves a quantifier over somebody inwards.
fn distribute(
    moved: &Moved<'_>,
    q: Quantifier,
    bound: u32,
    body: Expr,
    quantify: &dyn Fn(Expr) -> Expr,
) -> Expr {
    let mentions = |e: &Expr| {
        let mut found = false;
        e.walk(&mut |e| found |= *e == Expr::Bound(bound));
        found
    };
    if !mentions(&body) {
        return body;
    }
    match (q, body) {
        // `forall` goes through `and`, `exists` through `or`.
        (Quantifier::Forall, Expr::And(parts)) | (Quantifier::Exists, Expr::Or(parts)) => {
            merge(moved, q, parts.into_iter().map(|p| distribute(moved, q, bound, p, quantify)))
        }
        // Through the other one only what does not depend on the agent comes out.
        (Quantifier::Forall, Expr::Or(parts)) => {
            let (inside, mut outside): (Vec<_>, Vec<_>) = parts.into_iter().partition(mentions);
            outside.push(quantify(Expr::or(inside)));
            merge(moved, Quantifier::Exists, outside.into_iter())
        }
        (Quantifier::Exists, Expr::And(parts)) => {
            let (inside, mut outside): (Vec<_>, Vec<_>) = parts.into_iter().partition(mentions);
            outside.push(quantify(Expr::and(inside)));
            merge(moved, Quantifier::Forall, outside.into_iter())
        }
        (_, body) => quantify(body),
    }
}

/// A junction of parts, in which quantified ones that differ in the kinds only have been put together.
fn merge(moved: &Moved<'_>, q: Quantifier, parts: impl Iterator<Item = Expr>) -> Expr {
    let build = |parts: Vec<Expr>| if q == Quantifier::Forall { Expr::and(parts) } else { Expr::or(parts) };
    // Nested junctions of the same kind are opened first.
    let parts = match build(parts.collect()) {
        Expr::And(parts) if q == Quantifier::Forall => parts,
        Expr::Or(parts) if q == Quantifier::Exists => parts,
        one => return one,
    };
    let mut out: Vec<Expr> = vec![];
    for part in parts {
        let twin = out.iter_mut().find(|other| together(moved, q, other, &part));
        match (twin, &part) {
            (Some(Expr::Quantified(_, kinds, ..)), Expr::Quantified(_, more, ..)) => kinds.extend(more),
            _ => out.push(part),
        }
    }
    build(out)
}

/// Whether two parts say the same of different agents among those that are moved.
fn together(moved: &Moved<'_>, q: Quantifier, a: &Expr, b: &Expr) -> bool {
    let (Expr::Quantified(p, kinds, x, left), Expr::Quantified(r, more, y, right)) = (a, b) else {
        return false;
    };
    let some = |kinds: &[_]| moved.share(kinds) == Share::Some;
    if *p != q || *r != q || !some(kinds) || !some(more) || kinds.iter().any(|k| more.contains(k)) {
        return false;
    }
    named(left, *x) == named(right, *y)
}

/// The expression without places, with its bound agent under a name that nobody else has.
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
