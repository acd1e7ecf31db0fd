//! Timestamps that need not be dense.
//!
//! The values of an order variable are dense ranks, so a write or a delivery renumbers all agents. Where a program uses them only
//! to compare two of them, only their order counts, and a run may keep numbers that grow instead: whoever writes gets a number larger
//! than all others, and ranking does nothing. The ranks are those of the numbers at any time ([`dense`]).
//!
//! Between two `rank` statements a program may write constants that are larger than every rank, for values that are newer than all.
//! The ranks at the last `rank` were below the number of agents `n`, and here all numbers were at most `base`; a constant `n + c`
//! becomes `base + 1 + c`. So all comparisons have the same results, and equal ranks are equal numbers.

use super::Layout;
use crate::arith::Value;
use crate::expr::Expr;
use crate::program::{Program, Role, VarId};
use crate::stmt::{self, Stmt};
use std::collections::HashMap;

/// The numbers of one variable.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clock {
    /// The largest at the last `rank`.
    pub(super) base: Value,
    /// The largest so far.
    pub(super) top: Value,
}

/// The order variables of a program whose values are only compared with each other, by its functions and its properties.
pub(super) fn compared(program: &Program) -> Vec<u32> {
    let mut fit: Vec<bool> =
        program.vars.iter().map(|var| var.role == Role::Order && !var.may_be_undef).collect();
    if !fit.contains(&true) {
        return vec![];
    }
    let mut look = |e: &Expr| {
        let mut reads = HashMap::new();
        e.walk(&mut |e| match e {
            Expr::Read(place) => *reads.entry(place.var).or_insert(0) += 1,
            Expr::Binary(op, a, b, _) if op.is_comparison() => {
                if let (Expr::Read(a), Expr::Read(b)) = (&**a, &**b)
                    && a.var == b.var
                {
                    *reads.entry(a.var).or_insert(0) -= 2;
                }
            }
            _ => {}
        });
        for (var, count) in reads {
            fit[var.0 as usize] &= count == 0;
        }
    };
    for function in &program.functions {
        look(&function.guard);
        stmt::walk(&function.body, &mut |s| s.exprs().into_iter().for_each(&mut look));
    }
    program.properties.iter().for_each(|property| property.exprs().into_iter().for_each(&mut look));
    let newest = Value::from(program.agents());
    for function in &program.functions {
        fit.iter_mut().zip(0..).for_each(|(fit, var)| *fit &= function.entry.iter().all(|(v, _)| v.0 != var));
        stmt::walk(&function.body, &mut |s| match s {
            Stmt::Assign(place, value) => {
                fit[place.var.0 as usize] &=
                    matches!(value, Expr::Const(c) if *c >= newest && *c <= newest + (1 << 20));
            }
            Stmt::Fill(place, _) => fit[place.var.0 as usize] = false,
            _ => {}
        });
    }
    (0..).zip(&fit).filter(|(_, fit)| **fit).map(|(var, _)| var).collect()
}

/// Replaces the values of some order variables by their ranks.
pub(super) fn dense(vars: &[u32], layout: &Layout, state: &mut [Value]) {
    for var in vars {
        let slots = || layout.copies(VarId(*var)).iter().filter(|slot| **slot != Layout::ABSENT);
        let mut values: Vec<Value> = slots().map(|slot| state[*slot as usize]).collect();
        values.sort_unstable();
        values.dedup();
        for slot in slots() {
            let cell = &mut state[*slot as usize];
            *cell = values.partition_point(|v| v < cell) as Value;
        }
    }
}
