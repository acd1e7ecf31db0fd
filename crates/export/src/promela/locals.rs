//! Which values the locals of a function can have.

use super::body::loop_name;
use crate::Refusal;
use crate::term::Term;
use crate::total::{LocalValue, Scope, Total};
use swarmcheck_ir::{Expr, KindId, Local, LocalId, Set, Stmt};

/// After this many rounds, what still grows is taken to be anything.
const ROUNDS: usize = 4;

/// Works out the values of all locals: everything that any assignment gives, wherever it stands. `names` are the names of
/// the locals. Locals start with 0.
pub(super) fn locals(
    scope: &mut Scope<'_>,
    locals: &[Local],
    names: &[String],
    body: &[Stmt],
) -> Result<(), Refusal> {
    scope.locals = locals
        .iter()
        .zip(names)
        .map(|(local, name)| LocalValue {
            scalar: Total::sure(Term::Name(name.clone()), (0, 0)),
            array: local.length.map(|length| (name.clone(), length)),
            cells: vec![],
        })
        .collect();
    for round in 0.. {
        let before: Vec<_> = scope.locals.iter().map(summary).collect();
        block(scope, body)?;
        let after: Vec<_> = scope.locals.iter().map(summary).collect();
        if before == after {
            break;
        }
        if round == ROUNDS {
            let limits = scope.cells.limits();
            for (local, _) in scope.locals.iter_mut().zip(before).filter(|(l, b)| summary(l) != *b) {
                local.scalar.bounds = limits;
            }
        }
    }
    Ok(())
}

fn summary(local: &LocalValue) -> ((i64, i64), bool) {
    (local.scalar.bounds, local.scalar.undefined != Term::FALSE)
}

fn block(scope: &mut Scope<'_>, body: &[Stmt]) -> Result<(), Refusal> {
    for stmt in body {
        match stmt {
            Stmt::Let(local, e) => join(scope, *local, e)?,
            Stmt::Havoc(local, Set::Values(values)) => {
                values.iter().try_for_each(|e| join(scope, *local, e))?;
            }
            // The upper bound is excluded, but including it does no harm.
            Stmt::Havoc(local, Set::Range(lo, hi)) => {
                join(scope, *local, lo)?;
                join(scope, *local, hi)?;
            }
            Stmt::Pick { local, kinds, .. } => {
                let agent = bound_agent(scope, 0, kinds);
                note(scope, *local, &agent);
            }
            Stmt::If(_, yes, no) => {
                block(scope, yes)?;
                block(scope, no)?;
            }
            Stmt::Choose(branches) => branches.iter().try_for_each(|(_, body)| block(scope, body))?,
            Stmt::ForEach(kinds, bound, body) => {
                let agent = bound_agent(scope, *bound, kinds);
                scope.bound.push((*bound, agent));
                let result = block(scope, body);
                scope.bound.pop();
                result?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn bound_agent(scope: &Scope<'_>, bound: u32, kinds: &[KindId]) -> Total {
    Total::agent(scope.program, Term::Name(loop_name(bound)), kinds)
}

fn join(scope: &mut Scope<'_>, local: LocalId, e: &Expr) -> Result<(), Refusal> {
    let value = scope.total(e)?;
    note(scope, local, &value);
    Ok(())
}

fn note(scope: &mut Scope<'_>, local: LocalId, value: &Total) {
    let undefined = scope.cells.undefined();
    let Some(known) = scope.locals.get_mut(local.0 as usize) else { return };
    let (lo, hi) = known.scalar.bounds;
    known.scalar.bounds = (lo.min(value.bounds.0), hi.max(value.bounds.1));
    if value.undefined != Term::FALSE {
        known.scalar.undefined =
            Term::compare(swarmcheck_ir::BinaryOp::Eq, known.scalar.value.clone(), undefined);
    }
}
