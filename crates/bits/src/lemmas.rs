//! Facts about all reachable states that are known beforehand.

use crate::code::Code;
use crate::word::{Word, any};
use std::rc::Rc;
use swarmcheck_aig::{Graph, Lit};
use swarmcheck_ir::flat::Layout;
use swarmcheck_ir::ground::Ground;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Program, VarId};

/// What is known about all reachable states: values have proper codes, and ranks are dense. Where something has gone
/// wrong the cells mean nothing. Whoever uses these facts checks them first.
pub(crate) fn lemmas(
    g: &mut Graph,
    program: &Program,
    ground: &Ground,
    codes: &[Code],
    bits: &[Vec<Lit>],
    cells: &[Rc<Word>],
    broken: Lit,
) -> Vec<Lit> {
    let mut out = vec![];
    for (code, bits) in codes.iter().zip(bits) {
        out.push(code.proper(g, bits));
    }
    for (number, var) in program.vars.iter().enumerate() {
        if var.role == Role::Order {
            let copies = ground.layout.copies(VarId(number as u32)).iter().filter(|s| **s != Layout::ABSENT);
            out.push(dense(g, &copies.map(|slot| &*cells[*slot as usize]).collect::<Vec<_>>()));
        }
    }
    let out: Vec<Lit> = out.into_iter().filter(|lit| *lit != Lit::TRUE).collect();
    out.into_iter().map(|lit| g.or(lit, broken)).collect()
}

/// No rank below a rank is missing.
fn dense(g: &mut Graph, ranks: &[&Word]) -> Lit {
    let top = ranks.iter().filter_map(|word| word.bounds()).map(|(_, high)| high).max().unwrap_or(0);
    let values = 0..=i64::try_from(top).unwrap_or(0).min(ranks.len() as i64);
    let mut present = vec![];
    for value in values {
        let is = ranks.iter().map(|word| word.is(g, value)).collect();
        present.push(any(g, is));
    }
    let parts: Vec<Lit> = present.windows(2).map(|pair| g.implies(pair[1], pair[0])).collect();
    g.all(&parts)
}
