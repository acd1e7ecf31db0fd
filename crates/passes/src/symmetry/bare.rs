//! Code without its places in the user's file: two processes that say the same compare equal.

use swarmcheck_ir::{Expr, Function, Place, Set, Stmt};
use swarmcheck_source::Span;

/// What a function does, apart from who may run it and what it is called.
pub(super) fn function(f: &Function) -> Function {
    let mut out = f.clone();
    expr(&mut out.guard);
    block(&mut out.body);
    out.name.clear();
    out.owners.clear();
    out.locals.iter_mut().for_each(|l| l.name.clear());
    out.span = Span::default();
    // The rule is for people.
    out.rule = swarmcheck_ir::Rule::System { verb: "", object: String::new(), site: 0 };
    out
}

/// Removes the places from an expression.
pub(super) fn expr(e: &mut Expr) {
    match e {
        Expr::Const(_) | Expr::Me | Expr::Bound(_) | Expr::Local(_) => {}
        Expr::Read(at) => place(at),
        Expr::LocalCell(_, e, span) => {
            *span = Span::default();
            expr(e);
        }
        Expr::Unary(_, e) | Expr::Defined(e) | Expr::Quantified(_, _, _, e) => expr(e),
        Expr::Binary(_, a, b, span) => {
            *span = Span::default();
            expr(a);
            expr(b);
        }
        Expr::And(parts) | Expr::Or(parts) => parts.iter_mut().for_each(expr),
        Expr::If(c, a, b) => [c, a, b].into_iter().for_each(|e| expr(e)),
    }
}

fn place(place: &mut Place) {
    place.span = Span::default();
    place.agent.iter_mut().for_each(|a| expr(a));
    place.index.iter_mut().for_each(expr);
}

fn set(set: &mut Set) {
    match set {
        Set::Values(values) => values.iter_mut().for_each(expr),
        Set::Range(lo, hi) => {
            expr(lo);
            expr(hi);
        }
    }
}

fn block(body: &mut [Stmt]) {
    body.iter_mut().for_each(stmt);
}

fn stmt(s: &mut Stmt) {
    match s {
        Stmt::Assign(at, e) => {
            place(at);
            expr(e);
        }
        Stmt::Fill(at, from) => {
            place(at);
            set(from);
        }
        Stmt::Let(_, e) | Stmt::Assume(e) | Stmt::Pick { condition: e, .. } => expr(e),
        Stmt::Havoc(_, from) => set(from),
        Stmt::Check(at) => place(at),
        Stmt::If(c, yes, no) => {
            expr(c);
            block(yes);
            block(no);
        }
        Stmt::Choose(branches) => branches.iter_mut().for_each(|(c, body)| {
            expr(c);
            block(body);
        }),
        Stmt::ForEach(_, _, body) => block(body),
        Stmt::Copy(_, to, from) => {
            expr(to);
            expr(from);
        }
        Stmt::Rank(_) => {}
    }
}
