//! Vacuity: formulas that hold without saying much, those that are true by their shape alone, and those that ask for
//! something only where a condition holds that may never hold.

use swarmcheck_ir::{Expr, Linear};

/// The truth of a formula, if its shape alone decides it: a conjunction of nothing is true, say.
pub fn constant(formula: &Linear<Expr>) -> Option<bool> {
    match formula {
        Linear::Atom(Expr::Const(value)) => Some(*value != 0),
        Linear::Atom(_) => None,
        Linear::Not(a) => constant(a).map(|a| !a),
        Linear::Next(a) => constant(a),
        Linear::And(parts) => all(parts, true),
        Linear::Or(parts) => all(parts, false),
        // ψ at all points, or at none, makes both operators ψ.
        Linear::Until(_, b) | Linear::Release(_, b) => constant(b),
    }
}

/// Whether all parts have this truth value, or one has the other one.
fn all(parts: &[Linear<Expr>], truth: bool) -> Option<bool> {
    let parts: Vec<Option<bool>> = parts.iter().map(constant).collect();
    if parts.contains(&Some(!truth)) {
        return Some(!truth);
    }
    parts.iter().all(|p| *p == Some(truth)).then_some(truth)
}

/// The condition that must hold at some point for a formula to ask for anything: of `G (a → φ)` the condition `a`, also
/// where the implication is about the state after the next step, as in `G X (a → φ)`; of a conjunction of such formulas,
/// that one of these conditions holds. If it holds in no state, the formula is true for that reason alone.
pub fn trigger(formula: &Linear<Expr>) -> Option<Expr> {
    match formula {
        Linear::And(parts) if !parts.is_empty() => {
            let triggers: Option<Vec<Expr>> = parts.iter().map(trigger).collect();
            Some(Expr::or(triggers?))
        }
        Linear::Release(a, b) if **a == Linear::falsity() => asked(b),
        // A formula over steps is about the states after the first step.
        Linear::Next(a) => trigger(a),
        _ => None,
    }
}

fn asked(formula: &Linear<Expr>) -> Option<Expr> {
    match formula {
        Linear::Next(a) => asked(a),
        Linear::And(parts) if !parts.is_empty() => {
            let triggers: Option<Vec<Expr>> = parts.iter().map(asked).collect();
            Some(Expr::or(triggers?))
        }
        Linear::Or(parts) => match parts.as_slice() {
            // Who says that a premise implies `false` says that it never holds: that is no accident.
            [Linear::Not(_), then] if constant(then) == Some(false) => None,
            // A premise about the step that is taken next is one about the state after it.
            [Linear::Not(a), _] => match &**a {
                Linear::Next(after) => now(after),
                a => now(a),
            },
            _ => None,
        },
        _ => None,
    }
}

/// A formula about one point only, as a condition.
fn now(formula: &Linear<Expr>) -> Option<Expr> {
    let all = |parts: &[Linear<Expr>]| parts.iter().map(now).collect::<Option<Vec<Expr>>>();
    match formula {
        Linear::Atom(e) => Some(e.clone()),
        Linear::Not(a) => Some(Expr::not(now(a)?)),
        Linear::And(parts) => Some(Expr::and(all(parts)?)),
        Linear::Or(parts) => Some(Expr::or(all(parts)?)),
        Linear::Next(_) | Linear::Until(..) | Linear::Release(..) => None,
    }
}
