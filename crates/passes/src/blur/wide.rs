//! Which variables make a program wide, and may be forgotten: data that depends on a choice at the beginning.

use crate::ranges::note_reads;
use std::collections::BTreeSet;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Expr, LocalId, Program, Set, Stmt, VarId, stmt};

/// Data that depends on a choice of the initial block and that these properties do not read.
pub(super) fn forgettable(program: &Program, properties: &[usize]) -> BTreeSet<VarId> {
    let mut wide = BTreeSet::new();
    loop {
        let before = wide.len();
        spread(&program.init, true, &mut wide);
        program.functions.iter().for_each(|f| spread(&f.body, false, &mut wide));
        if wide.len() == before {
            break;
        }
    }
    let mut exact = BTreeSet::new();
    properties.iter().flat_map(|p| program.properties[*p].exprs()).for_each(|e| note_reads(e, &mut exact));
    wide.retain(|v| !exact.contains(v) && matches!(program.var(*v).role, Role::Data { .. }));
    wide
}

/// Adds the variables to which a block assigns something wide. Choices count only at the beginning: later ones do not
/// multiply first states.
fn spread(block: &[Stmt], choices: bool, wide: &mut BTreeSet<VarId>) {
    let mut locals: BTreeSet<LocalId> = BTreeSet::new();
    stmt::walk(block, &mut |s| match s {
        Stmt::Fill(place, set)
            if (choices && is_choice(set)) || s.exprs().into_iter().any(|e| depends(e, wide, &locals)) =>
        {
            wide.insert(place.var);
        }
        Stmt::Havoc(local, _) if choices => {
            locals.insert(*local);
        }
        Stmt::Let(local, e) if depends(e, wide, &locals) => {
            locals.insert(*local);
        }
        Stmt::Assign(place, e) if depends(e, wide, &locals) => {
            wide.insert(place.var);
        }
        _ => {}
    });
}

fn is_choice(set: &Set) -> bool {
    !matches!(set, Set::Values(values) if values.len() < 2)
}

fn depends(e: &Expr, wide: &BTreeSet<VarId>, locals: &BTreeSet<LocalId>) -> bool {
    let mut found = false;
    e.walk(&mut |e| match e {
        Expr::Read(place) => found |= wide.contains(&place.var),
        Expr::Local(local) | Expr::LocalCell(local, ..) => found |= locals.contains(local),
        _ => {}
    });
    found
}
