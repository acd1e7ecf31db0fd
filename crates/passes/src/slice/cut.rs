//! Cutting blocks down to what is kept.

use super::annotated::{self, Annotated};
use crate::ranges::Ranges;
use std::collections::BTreeSet;
use swarmcheck_ir::{LocalId, Program, Stmt, VarId};

/// The block without what does not matter.
pub(super) fn block(body: &[Annotated<'_>], vars: &BTreeSet<VarId>, locals: &BTreeSet<LocalId>) -> Vec<Stmt> {
    let mut out = vec![];
    for annotated in body.iter().filter(|n| n.stays(vars, locals)) {
        let mut inner = annotated.blocks.iter().map(|b| block(b, vars, locals));
        out.push(match annotated.stmt {
            Stmt::If(condition, ..) => {
                let yes = inner.next().unwrap_or_default();
                Stmt::If(condition.clone(), yes, inner.next().unwrap_or_default())
            }
            Stmt::Choose(branches) => {
                Stmt::Choose(branches.iter().map(|(c, _)| c.clone()).zip(inner).collect())
            }
            Stmt::ForEach(kinds, bound, _) => {
                Stmt::ForEach(kinds.clone(), *bound, inner.next().unwrap_or_default())
            }
            other => other.clone(),
        });
    }
    out
}

/// The initial block. Assumptions look at variables that are not kept: these get their values as before, and are set
/// back to 0 at the end.
pub(super) fn initial(program: &Program, ranges: &Ranges, keep: &BTreeSet<VarId>) -> Vec<Stmt> {
    let body = annotated::block(&mut ranges.at_start(program), &program.init);
    let (mut vars, mut locals) = (keep.clone(), BTreeSet::new());
    loop {
        let before = (vars.len(), locals.len());
        annotated::close(&body, &mut vars, &mut locals);
        if before == (vars.len(), locals.len()) {
            break;
        }
    }
    let mut out = block(&body, &vars, &locals);
    out.extend(vars.difference(keep).map(|v| super::reset(program, *v)));
    out
}
