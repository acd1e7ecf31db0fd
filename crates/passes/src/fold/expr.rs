//! Folding expressions.

use crate::ranges::Context;
use swarmcheck_ir::{Expr, Place};

/// The expression with its constant parts replaced.
pub(super) fn expr(here: &Context<'_>, e: &Expr) -> Expr {
    // An agent that stands for itself stays so: others rely on seeing `me`.
    if matches!(e, Expr::Const(_) | Expr::Me | Expr::Bound(_)) {
        return e.clone();
    }
    let found = here.found(e);
    if let Some(value) = found.value.single().filter(|_| found.is_safe()) {
        return Expr::Const(value);
    }
    let fold = |e: &Expr| Box::new(expr(here, e));
    match e {
        Expr::Const(_) | Expr::Me | Expr::Bound(_) | Expr::Local(_) => e.clone(),
        Expr::Read(at) => Expr::Read(place(here, at)),
        Expr::LocalCell(local, index, span) => Expr::LocalCell(*local, fold(index), *span),
        Expr::Unary(op, e) => Expr::Unary(*op, fold(e)),
        Expr::Binary(op, a, b, span) => Expr::Binary(*op, fold(a), fold(b), *span),
        Expr::And(parts) => Expr::and(junction(here, parts, true)),
        Expr::Or(parts) => Expr::or(junction(here, parts, false)),
        Expr::If(c, a, b) => {
            let branch = |e: &Expr, truth| {
                let inside = here.where_(c, truth);
                if inside.is_dead() { e.clone() } else { expr(&inside, e) }
            };
            Expr::ite(*fold(c), branch(a, true), branch(b, false))
        }
        Expr::Defined(e) => Expr::Defined(fold(e)),
        Expr::Quantified(quantifier, kinds, bound, body) => {
            let mut inside = here.clone();
            inside.bind(*bound, kinds);
            Expr::Quantified(*quantifier, kinds.clone(), *bound, Box::new(expr(&inside, body)))
        }
    }
}

/// The place with its agent and indices folded.
pub(super) fn place(here: &Context<'_>, place: &Place) -> Place {
    Place {
        var: place.var,
        agent: place.agent.as_ref().map(|a| Box::new(expr(here, a))),
        index: place.index.iter().map(|i| expr(here, i)).collect(),
        span: place.span,
    }
}

/// The parts of a conjunction (or disjunction), up to one that is never passed.
fn junction(here: &Context<'_>, parts: &[Expr], all: bool) -> Vec<Expr> {
    let mut here = here.clone();
    let mut out = vec![];
    for part in parts {
        out.push(expr(&here, part));
        here.assume(part, all);
        if here.is_dead() {
            break;
        }
    }
    out
}
