//! Interchangeable kinds: they have the same variables and run the same code.

use super::bare;
use swarmcheck_ir::{Function, KindId, Program};

/// Kinds that have agents, those that are alike together.
pub(super) fn classes(program: &Program) -> Vec<Vec<KindId>> {
    let mut out: Vec<(Vec<Function>, Vec<KindId>)> = vec![];
    for kind in (0..program.kinds.len() as u32).map(KindId) {
        if program.kind(kind).count == 0 {
            continue;
        }
        let code = code(program, kind);
        let home = out
            .iter_mut()
            .find(|(theirs, kinds)| same_code(theirs, &code) && same_variables(program, kinds[0], kind));
        match home {
            Some((_, kinds)) => kinds.push(kind),
            None => out.push((code, vec![kind])),
        }
    }
    out.into_iter().map(|(_, kinds)| kinds).collect()
}

/// What agents of a kind can run.
fn code(program: &Program, kind: KindId) -> Vec<Function> {
    program.functions.iter().filter(|f| f.owners.contains(&kind)).map(bare::function).collect()
}

/// The same functions, in any order.
fn same_code(a: &[Function], b: &[Function]) -> bool {
    let mut rest: Vec<&Function> = b.iter().collect();
    a.len() == b.len()
        && a.iter().all(|f| match rest.iter().position(|g| *g == f) {
            Some(at) => {
                rest.swap_remove(at);
                true
            }
            None => false,
        })
}

fn same_variables(program: &Program, a: KindId, b: KindId) -> bool {
    program.vars.iter().filter_map(|v| v.owners.as_ref()).all(|o| o.contains(&a) == o.contains(&b))
}
