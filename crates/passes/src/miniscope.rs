//! Miniscoping: quantifiers are moved inwards, to the parts of a condition that mention their agent.
//!
//! `exists A a, exists B b, p(a) or q(b)` inspects every pair of agents; `(exists A a, p(a)) or (exists B b, q(b))`
//! inspects every agent once. Unrolled, the size of the first is the product of the numbers of agents, that of the
//! second their sum. Each part of the second reads one agent only, so partial-order reduction finds more invisible
//! steps.
//!
//! Miniscoping is a standard preprocessing step of theorem provers (Nonnengart and Weidenbach, "Computing small
//! clause normal forms", Handbook of Automated Reasoning, 2001). Here conditions may fault, which formulas of logic
//! do not.
//!
//! # Soundness
//!
//! A quantifier over at least one agent may be dropped where its agent is not mentioned. `forall` distributes over `and`,
//! `exists` over `or`. Of a junction of the other sort, the parts that do not mention the agent may leave the
//! quantifier. A negation is pushed inside as far as there are quantifiers and junctions, by De Morgan's laws. These
//! are equivalences as long as every part has a truth value. A part that faults has none, and it matters which parts
//! are evaluated before it, so [`miniscope`] leaves conditions alone that can fault. Quantifiers over an empty set of
//! agents are left where they are, and so is `count`.

use crate::symmetry::fault::Faults;
use swarmcheck_ir::{Expr, Program, Quantifier, UnaryOp};

/// The same condition with quantifiers as far inside as they can be; what may fault is left as it is.
pub fn miniscope(program: &Program, e: &Expr) -> Expr {
    match Faults::new(program, &[]).possible(e) {
        true => e.clone(),
        false => miniscope_with(program, e, &junction),
    }
}

/// All of the parts for `forall`, one of them for the others.
pub(crate) fn junction(q: Quantifier, parts: Vec<Expr>) -> Expr {
    if q == Quantifier::Forall { Expr::and(parts) } else { Expr::or(parts) }
}

/// Builds a junction of parts that have been rewritten.
type Join<'a> = &'a dyn Fn(Quantifier, Vec<Expr>) -> Expr;

/// Moves quantifiers inwards and builds junctions with `join`. Callers make sure that nothing can fault.
pub(crate) fn miniscope_with(program: &Program, e: &Expr, join: Join<'_>) -> Expr {
    signed(program, e, true, join)
}

/// The same for a condition, or for its negation.
fn signed(program: &Program, e: &Expr, sign: bool, join: Join<'_>) -> Expr {
    let parts = |parts: &[Expr]| parts.iter().map(|p| signed(program, p, sign, join)).collect();
    match e {
        Expr::And(all) => join(turned(Quantifier::Forall, sign), parts(all)),
        Expr::Or(all) => join(turned(Quantifier::Exists, sign), parts(all)),
        Expr::Unary(UnaryOp::Not, e) => signed(program, e, !sign, join),
        Expr::Quantified(q @ (Quantifier::Forall | Quantifier::Exists), kinds, bound, body)
            if kinds.iter().any(|k| program.kind(*k).count > 0) =>
        {
            let q = turned(*q, sign);
            let quantify = |e| Expr::Quantified(q, kinds.clone(), *bound, Box::new(e));
            distribute(q, *bound, signed(program, body, sign, join), &quantify, join)
        }
        other if sign => other.clone(),
        other => Expr::not(other.clone()),
    }
}

/// What becomes of a quantifier, or of the junction that corresponds to it, under a negation.
fn turned(q: Quantifier, sign: bool) -> Quantifier {
    match q {
        q if sign => q,
        Quantifier::Forall => Quantifier::Exists,
        _ => Quantifier::Forall,
    }
}

/// Moves a quantifier over a non-empty set of agents inwards.
fn distribute(
    q: Quantifier,
    bound: u32,
    body: Expr,
    quantify: &dyn Fn(Expr) -> Expr,
    join: Join<'_>,
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
            join(q, parts.into_iter().map(|p| distribute(q, bound, p, quantify, join)).collect())
        }
        // Through the other one only what does not depend on the agent comes out.
        (Quantifier::Forall, Expr::Or(parts)) => {
            let (inside, mut outside): (Vec<_>, Vec<_>) = parts.into_iter().partition(mentions);
            outside.push(quantify(Expr::or(inside)));
            join(Quantifier::Exists, outside)
        }
        (Quantifier::Exists, Expr::And(parts)) => {
            let (inside, mut outside): (Vec<_>, Vec<_>) = parts.into_iter().partition(mentions);
            outside.push(quantify(Expr::and(inside)));
            join(Quantifier::Forall, outside)
        }
        (_, body) => quantify(body),
    }
}
