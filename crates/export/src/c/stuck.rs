//! Which functions may turn out not to be possible after their guard has held.
//!
//! Without such functions a state has a step exactly if a guard holds in it, and a deadlock can be recognised without
//! trying out choices. The answer errs on the safe side.

use super::bounds::Known;
use super::writer::{Style, Writer};
use swarmcheck_ir::{Expr, Function, Place, Program, Set, Stmt};

/// The first function that may get stuck.
pub(super) fn first(program: &Program) -> Option<&Function> {
    let style = Style { array_free: false, structure: false, top: i64::MAX.into() };
    let writer = Writer::new(program, style);
    let may = |f: &Function| block(&writer.known(&f.owners, &f.locals, &f.body, false), &f.body);
    let at = program.functions.iter().position(may)?;
    program.functions.get(at)
}

fn block<'a>(known: &Known<'a>, body: &'a [Stmt]) -> bool {
    body.iter().any(|s| stmt(known, s))
}

fn stmt<'a>(known: &Known<'a>, s: &'a Stmt) -> bool {
    match s {
        Stmt::Assume(_) | Stmt::Pick { .. } => true,
        Stmt::Assign(place, _) => undefined(known, place),
        Stmt::Havoc(_, from) => empty(known, from),
        Stmt::Fill(place, from) => {
            empty(known, from) || !known.exists(&Place { index: vec![], ..place.clone() })
        }
        Stmt::If(_, yes, no) => block(known, yes) || block(known, no),
        Stmt::Choose(branches) => {
            branches.iter().all(|(condition, _)| *condition != Expr::TRUE)
                || branches.iter().any(|(_, body)| block(known, body))
        }
        Stmt::ForEach(kinds, bound, body) => block(&known.under(*bound, kinds), body),
        Stmt::Let(..) | Stmt::Check(_) | Stmt::Copy(..) | Stmt::Rank(_) => false,
    }
}

/// Whether the agent or an index may be undefined.
fn undefined(known: &Known<'_>, place: &Place) -> bool {
    place.agent.iter().map(|a| &**a).chain(&place.index).any(|e| known.eval(e).undef)
}

/// Whether a set may have no element.
fn empty(known: &Known<'_>, set: &Set) -> bool {
    match set {
        Set::Values(values) => values.is_empty(),
        Set::Range(lo, hi) => {
            let (lo, hi) = (known.eval(lo), known.eval(hi));
            lo.undef || hi.undef || lo.hi >= hi.lo
        }
    }
}
