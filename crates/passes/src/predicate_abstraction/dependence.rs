//! Multi-valued variables: data that depends, directly or by assignments, on a choice of the initial block.

use crate::ranges::note_reads;
use std::collections::BTreeSet;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Expr, LocalId, Program, Set, Stmt, VarId, stmt};

/// Data that depends on a choice of the initial block and that these properties do not read.
pub(super) fn abstractable(program: &Program, properties: &[usize]) -> BTreeSet<VarId> {
    let mut multi_valued = BTreeSet::new();
    loop {
        let before = multi_valued.len();
        propagate(&program.init, true, &mut multi_valued);
        program.functions.iter().for_each(|f| propagate(&f.body, false, &mut multi_valued));
        if multi_valued.len() == before {
            break;
        }
    }
    let mut exact = BTreeSet::new();
    properties.iter().flat_map(|p| program.properties[*p].exprs()).for_each(|e| note_reads(e, &mut exact));
    multi_valued.retain(|v| !exact.contains(v) && matches!(program.var(*v).role, Role::Data { .. }));
    multi_valued
}

/// Adds the variables to which a block assigns something that depends on multi-valued ones. Only initial choices count:
/// later ones do not multiply initial states.
fn propagate(block: &[Stmt], choices: bool, multi_valued: &mut BTreeSet<VarId>) {
    let mut locals: BTreeSet<LocalId> = BTreeSet::new();
    stmt::walk(block, &mut |s| match s {
        Stmt::Fill(place, set)
            if (choices && is_choice(set))
                || s.exprs().into_iter().any(|e| depends(e, multi_valued, &locals)) =>
        {
            multi_valued.insert(place.var);
        }
        Stmt::Havoc(local, _) if choices => {
            locals.insert(*local);
        }
        Stmt::Let(local, e) if depends(e, multi_valued, &locals) => {
            locals.insert(*local);
        }
        Stmt::Assign(place, e) if depends(e, multi_valued, &locals) => {
            multi_valued.insert(place.var);
        }
        _ => {}
    });
}

fn is_choice(set: &Set) -> bool {
    !matches!(set, Set::Values(values) if values.len() < 2)
}

fn depends(e: &Expr, multi_valued: &BTreeSet<VarId>, locals: &BTreeSet<LocalId>) -> bool {
    let mut found = false;
    e.walk(&mut |e| match e {
        Expr::Read(place) => found |= multi_valued.contains(&place.var),
        Expr::Local(local) | Expr::LocalCell(local, ..) => found |= locals.contains(local),
        _ => {}
    });
    found
}
