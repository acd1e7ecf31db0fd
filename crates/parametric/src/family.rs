//! A family of programs: one program, with another number of agents of its open kinds.
//!
//! The emulation program is parametric in the agent, so another size is the same functions over other kinds. Besides the kinds, two things
//! depend on the size: the domain of ranks, and the constant that is newer than all of them.

use crate::deletion::owners;
use crate::keep::Open;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Expr, KindId, Program, Stmt, VarId};

/// A program whose number of agents is open.
#[derive(Clone, Debug)]
pub struct Family {
    base: Program,
    /// The kinds whose number is open, each with the smallest number of agents.
    pub open: Vec<(KindId, u32)>,
    kinds: Vec<KindId>,
}

/// Numbers of agents of the open kinds, in their order.
pub type Sizes = Vec<u32>;

impl Family {
    /// The family of a program, in which the counts of these kinds do not matter.
    pub fn new(base: Program, open: Vec<(KindId, u32)>) -> Family {
        let kinds = open.iter().map(|(kind, _)| *kind).collect();
        Family { base, open, kinds }
    }

    /// The program at whatever size it was given.
    pub fn base(&self) -> &Program {
        &self.base
    }

    /// For questions about conditions.
    pub fn open(&self) -> Open<'_> {
        Open { program: &self.base, kinds: &self.kinds }
    }

    /// The smallest numbers.
    pub fn smallest(&self) -> Sizes {
        self.open.iter().map(|(_, low)| *low).collect()
    }

    /// The member with these numbers of agents. Whether a property is about nobody is told as in the base.
    pub fn at(&self, sizes: &[u32]) -> Program {
        let mut program = self.base.clone();
        for ((kind, _), count) in self.open.iter().zip(sizes) {
            program.kinds[kind.0 as usize].count = *count;
        }
        let mut first = 0;
        for kind in &mut program.kinds {
            kind.first = first;
            first += kind.count;
        }
        renumber(&mut program);
        program
    }

    /// All sizes to which a counterexample that needs `needed` agents can be reduced: each kind has as many agents as are needed of it, or the smallest
    /// number that there may be.
    pub fn sizes(&self, needed: u32) -> Vec<Sizes> {
        let mut out: Vec<(Sizes, u32)> = vec![(vec![], needed)];
        for (_, low) in &self.open {
            let mut longer = vec![];
            for (sizes, left) in &out {
                for here in 0..=*left {
                    let mut sizes = sizes.clone();
                    sizes.push(here.max(*low));
                    longer.push((sizes, left - here));
                }
            }
            out = longer;
        }
        let mut out: Vec<Sizes> = out.into_iter().map(|(sizes, _)| sizes).collect();
        out.sort_by_key(|sizes| (sizes.iter().sum::<u32>(), sizes.clone()));
        out.dedup();
        out
    }
}

/// Brings what depends on the number of agents up to date.
fn renumber(program: &mut Program) {
    let order =
        |(number, var): (u32, &swarmcheck_ir::Var)| (var.role == Role::Order).then_some(VarId(number));
    let orders: Vec<VarId> = (0..).zip(&program.vars).filter_map(order).collect();
    for var in orders {
        let count = i64::from(owners(program, var));
        if let Some((_, high)) = &mut program.vars[var.0 as usize].domain {
            *high = count;
        }
        let mut functions = std::mem::take(&mut program.functions);
        functions.iter_mut().for_each(|function| newest(&mut function.body, var, count));
        program.functions = functions;
    }
}

fn newest(block: &mut [Stmt], order: VarId, count: i64) {
    for stmt in block {
        match stmt {
            Stmt::Assign(place, Expr::Const(value)) if place.var == order => *value = count,
            Stmt::If(_, yes, no) => {
                newest(yes, order, count);
                newest(no, order, count);
            }
            Stmt::Choose(branches) => branches.iter_mut().for_each(|(_, body)| newest(body, order, count)),
            Stmt::ForEach(_, _, body) => newest(body, order, count),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn family(low: &[u32]) -> Family {
        let base = Program {
            kinds: vec![],
            vars: vec![],
            init_locals: vec![],
            init: vec![],
            functions: vec![],
            properties: vec![],
        };
        Family::new(base, (0..).map(KindId).zip(low.iter().copied()).collect())
    }

    #[test]
    fn sizes_that_suffice() {
        assert_eq!(family(&[1]).sizes(3), [[1], [2], [3]]);
        assert_eq!(family(&[5]).sizes(3), [[5]]);
        let both = family(&[0, 2]).sizes(3);
        assert_eq!(both, [vec![0, 2], vec![0, 3], vec![1, 2], vec![2, 2], vec![3, 2]]);
    }
}
