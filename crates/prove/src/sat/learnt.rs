//! What a solver learns on its way to the answer that a formula is unsatisfiable.
//!
//! The solver is batsat. It does not rewrite the formula, so each clause that it learns follows from the formula and from those learnt
//! before by unit propagation, and it tells every one of them, in memory. CaDiCaL tells its clauses, too, but not those that it strengthens on the fly
//! (Han and Somenzi, SAT 2009), which its binding cannot switch off: without them, what it learns later does not follow for a third of
//! small random formulas. A binding of CaDiCaL that writes proofs would need libclang to be built, and would be linked in place of the present one.

use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};
use std::cell::Cell;

use super::{Failure, Limits};
use crate::formula::{Clauses, Formula};

/// More literals than this are not kept: 100 megabytes.
const MOST_LITERALS: usize = 25_000_000;

struct Listener<'s> {
    limits: Limits<'s>,
    conflicts: Cell<u32>,
    learnt: Clauses,
    clause: Vec<i32>,
}

impl Callbacks for Listener<'_> {
    fn on_new_clause(&mut self, clause: &[Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.conflicts.set(self.conflicts.get().saturating_add(1));
            self.clause.clear();
            // Variables have consecutive numbers from 0.
            self.clause.extend(clause.iter().map(|lit| {
                let variable = lit.var().idx() as i32 + 1;
                if lit.sign() { variable } else { -variable }
            }));
            self.learnt.push(&self.clause);
        }
    }

    fn stop(&self) -> bool {
        self.limits.stopped()
            || self.limits.conflicts.is_some_and(|limit| self.conflicts.get() >= limit)
            || self.learnt.literals() > MOST_LITERALS
    }
}

/// The clauses that were learnt, in order, if the formula is unsatisfiable; `None` if it is satisfiable.
pub fn learnt(formula: &Formula, limits: Limits<'_>) -> Result<Option<Clauses>, Failure> {
    limits.check()?;
    let listener = Listener { limits, conflicts: Cell::new(0), learnt: Clauses::default(), clause: vec![] };
    let mut solver = Solver::new(SolverOpts::default(), listener);
    let variables: Vec<Var> = (0..formula.variables).map(|_| solver.new_var_default()).collect();
    let mut literals = vec![];
    for clause in formula.clauses.iter() {
        literals.clear();
        literals.extend(clause.iter().map(|l| Lit::new(variables[l.unsigned_abs() as usize - 1], *l > 0)));
        solver.add_clause_reuse(&mut literals);
    }
    let answer = solver.solve_limited(&[]);
    if answer == lbool::FALSE {
        Ok(Some(std::mem::take(&mut solver.cb_mut().learnt)))
    } else if answer == lbool::TRUE {
        Ok(None)
    } else {
        Err(Failure::Interrupted)
    }
}
