//! Initial states as a constraint problem.
//!
//! The initial block draws values, then assumes conditions. Run as it stands, it completes a state before it looks whether
//! the state is allowed: sixteen agents on different cells of sixteen are found once in a million draws. Here the block is
//! taken apart (`problem`): conditions are split into their conjuncts, and each is attached to the draws that it reads.
//! That gives
//!
//! * another block with the same initial states (`order`), which tests each conjunct as soon as it can be evaluated, so
//!   that an enumeration backtracks early (Golomb and Baumert, "Backtrack programming", 1965);
//! * a search for one initial state (`search`): backtracking with forward checking (Haralick and Elliott, 1980),
//!   bounds of conditions that are still open, the smallest domain first weighted by failures (Boussemart and others,
//!   "Boosting systematic search by weighting constraints", 2004), and restarts;
//! * a proof that there is none where values must differ and are too few (`distinct`), for which search is hopeless;
//! * fewer initial states where permuted ones are taken for equal (`symmetric`).
//!
//! Errors of the model stay what they are: a conjunct is only moved if neither it nor one before it can fault.

pub(crate) mod bounds;
mod distinct;
mod order;
mod problem;
mod search;
mod symmetric;
#[cfg(test)]
mod tests;

pub use problem::Problem;
pub use search::{Found, Order};

use crate::expr::Expr;
use crate::program::Program;
use crate::stmt::{self, Stmt};

/// The size of the initial block with its loops and quantifiers unrolled: whether it can be taken apart in no time.
pub fn unrolled(program: &Program) -> u64 {
    fn of(program: &Program, e: &Expr) -> u64 {
        let parts = |e: &Expr| {
            let mut all = 1;
            e.walk(&mut |_| all += 1);
            all
        };
        match e {
            Expr::Quantified(_, kinds, _, body) => {
                let agents: u64 = kinds.iter().map(|k| u64::from(program.kind(*k).count)).sum();
                of(program, body).saturating_mul(agents)
            }
            Expr::And(all) | Expr::Or(all) => all.iter().map(|e| of(program, e)).fold(1, u64::saturating_add),
            Expr::Unary(_, e) | Expr::Defined(e) => of(program, e),
            Expr::Binary(_, a, b, _) => of(program, a).saturating_add(of(program, b)),
            Expr::If(c, a, b) => [c, a, b].map(|e| of(program, e)).into_iter().fold(1, u64::saturating_add),
            e => parts(e),
        }
    }
    fn block(program: &Program, stmts: &[Stmt]) -> u64 {
        let each = stmts.iter().map(|s| match s {
            Stmt::ForEach(kinds, _, body) => {
                let agents: u64 = kinds.iter().map(|k| u64::from(program.kind(*k).count)).sum();
                block(program, body).saturating_mul(agents)
            }
            s => s.exprs().into_iter().map(|e| of(program, e)).fold(1, u64::saturating_add),
        });
        each.fold(0, u64::saturating_add)
    }
    block(program, &program.init)
}

/// The program without anything but its initial block.
pub fn only_initial(program: &Program) -> Program {
    Program { functions: vec![], properties: vec![], ..program.clone() }
}

/// Whether the initial block assumes anything.
pub fn assumes(program: &Program) -> bool {
    let mut found = false;
    stmt::walk(&program.init, &mut |s| found |= matches!(s, Stmt::Assume(_)));
    found
}
