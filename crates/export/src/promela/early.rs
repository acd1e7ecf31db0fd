//! Conditions of a function that can be tested before its first effect, moved into its guard.
//!
//! A step of the emulation program that cannot go on is taken back. A process of Promela that cannot go on is stuck, and
//! Spin would not know that the step was never possible: states without steps would go unnoticed. So conditions that
//! stand before the first choice and the first assignment become part of the guard. What is left may still lead nowhere;
//! [`may_fail`] says whether a function can turn out to be impossible although its guard holds.

use swarmcheck_ir::{BinaryOp, Expr, Function, LocalId, Place, Quantifier, Set, Stmt, UnaryOp};

/// A function with as much as possible in its guard.
pub(super) fn early(function: &Function) -> (Function, bool) {
    let mut out = function.clone();
    let mut guard = vec![function.guard.clone()];
    let mut known: Vec<(LocalId, Expr)> = vec![];
    let mut at = 0;
    let mut picked = false;
    while let Some(stmt) = out.body.get(at) {
        match stmt {
            Stmt::Let(local, e) => {
                let Some(e) = substitute(e, &known) else { break };
                known.retain(|(l, _)| l != local);
                known.push((*local, e));
                at += 1;
            }
            Stmt::Assume(e) => {
                let Some(e) = substitute(e, &known) else { break };
                guard.push(e);
                out.body.remove(at);
            }
            // Different agents are drawn, so it is possible exactly if enough of them fit.
            Stmt::Pick { local, kinds, bound, condition } => {
                let length = out.locals.get(local.0 as usize).and_then(|l| l.length).unwrap_or(1);
                let Some(condition) = substitute(condition, &known) else { break };
                let other = Expr::binary(BinaryOp::Ne, Expr::Bound(*bound), Expr::Me, Default::default());
                let fits = Expr::and([other, condition]);
                let count = Expr::Quantified(Quantifier::Count, kinds.clone(), *bound, Box::new(fits));
                guard.push(Expr::binary(
                    BinaryOp::Ge,
                    count,
                    Expr::Const(i64::from(length)),
                    Default::default(),
                ));
                picked = true;
                break;
            }
            _ => break,
        }
    }
    out.guard = Expr::and(guard);
    let rest = if picked { out.body.get(at + 1..).unwrap_or(&[]) } else { &out.body };
    let late = may_fail(rest);
    (out, late)
}

/// Whether a block may turn out to be impossible, as far as its shape tells.
pub(super) fn may_fail(block: &[Stmt]) -> bool {
    block.iter().any(|stmt| match stmt {
        Stmt::Assume(_) | Stmt::Pick { .. } => true,
        Stmt::Havoc(_, set) | Stmt::Fill(_, set) => may_be_empty(set),
        Stmt::Choose(branches) => !covers(branches) || branches.iter().any(|(_, body)| may_fail(body)),
        Stmt::If(_, yes, no) => may_fail(yes) || may_fail(no),
        Stmt::ForEach(_, _, body) => may_fail(body),
        // Only an index that is ⊥ disables an assignment; the writer notices those.
        Stmt::Assign(..) | Stmt::Let(..) | Stmt::Check(_) | Stmt::Copy(..) | Stmt::Rank(_) => false,
    })
}

/// Whether a block leaves something open.
pub(super) fn chooses(block: &[Stmt]) -> bool {
    block.iter().any(|stmt| match stmt {
        Stmt::Havoc(_, set) | Stmt::Fill(_, set) => !matches!(set, Set::Values(values) if values.len() == 1),
        Stmt::Pick { .. } | Stmt::Choose(_) => true,
        Stmt::If(_, yes, no) => chooses(yes) || chooses(no),
        Stmt::ForEach(_, _, body) => chooses(body),
        _ => false,
    })
}

fn may_be_empty(set: &Set) -> bool {
    match set {
        Set::Values(values) => values.is_empty(),
        Set::Range(Expr::Const(lo), Expr::Const(hi)) => lo >= hi,
        Set::Range(..) => true,
    }
}

/// Whether some branch is open in every state: it is always, or exactly if no other one is.
fn covers(branches: &[(Expr, Vec<Stmt>)]) -> bool {
    branches.iter().any(|(condition, _)| match condition {
        Expr::Const(v) => *v != 0,
        Expr::Unary(UnaryOp::Not, e) => {
            let others: Vec<Expr> =
                branches.iter().map(|(c, _)| c).filter(|c| *c != condition).cloned().collect();
            Expr::or(others) == **e
        }
        _ => false,
    })
}

/// An expression with locals replaced by what they are; `None` if it reads another local.
fn substitute(e: &Expr, known: &[(LocalId, Expr)]) -> Option<Expr> {
    let one = |e: &Expr| substitute(e, known);
    let boxed = |e: &Expr| Some(Box::new(substitute(e, known)?));
    let many = |es: &[Expr]| es.iter().map(one).collect::<Option<Vec<Expr>>>();
    Some(match e {
        Expr::Const(_) | Expr::Me | Expr::Bound(_) => e.clone(),
        Expr::Local(l) => known.iter().find(|(local, _)| local == l)?.1.clone(),
        Expr::LocalCell(..) => return None,
        Expr::Read(place) => Expr::Read(Place {
            var: place.var,
            agent: match &place.agent {
                None => None,
                Some(agent) => Some(boxed(agent)?),
            },
            index: many(&place.index)?,
            span: place.span,
        }),
        Expr::Unary(op, e) => Expr::Unary(*op, boxed(e)?),
        Expr::Binary(op, a, b, span) => Expr::Binary(*op, boxed(a)?, boxed(b)?, *span),
        Expr::And(parts) => Expr::And(many(parts)?),
        Expr::Or(parts) => Expr::Or(many(parts)?),
        Expr::If(c, a, b) => Expr::If(boxed(c)?, boxed(a)?, boxed(b)?),
        Expr::Defined(e) => Expr::Defined(boxed(e)?),
        Expr::Quantified(q, kinds, bound, body) => Expr::Quantified(*q, kinds.clone(), *bound, boxed(body)?),
    })
}
