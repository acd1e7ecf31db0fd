//! Batsat as a solver.

use std::cell::Cell;

use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};

use super::{Failure, Limits, Sat};

/// Asks the flag, and counts conflicts, when batsat asks whether to stop.
struct Watch<'s> {
    limits: Limits<'s>,
    conflicts: Cell<u32>,
}

impl Callbacks for Watch<'_> {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.conflicts.set(self.conflicts.get().saturating_add(1));
        }
    }

    fn stop(&self) -> bool {
        self.limits.stopped() || self.limits.conflicts.is_some_and(|limit| self.conflicts.get() >= limit)
    }
}

pub struct Batsat<'s> {
    solver: Solver<Watch<'s>>,
    limits: Limits<'s>,
    /// Variables by number, from 1 on.
    variables: Vec<Var>,
    /// Used again for every clause and every question.
    literals: Vec<Lit>,
}

impl Batsat<'_> {
    /// Literals over variables that do not exist are not asked about: callers get every number from `variable`.
    fn literal(&self, literal: i32) -> Lit {
        Lit::new(self.variables[literal.unsigned_abs() as usize - 1], literal > 0)
    }
}

impl<'s> Sat<'s> for Batsat<'s> {
    fn with_limits(limits: Limits<'s>) -> Self {
        let watch = Watch { limits, conflicts: Cell::new(0) };
        let solver = Solver::new(SolverOpts::default(), watch);
        Batsat { solver, limits, variables: vec![], literals: vec![] }
    }

    fn variable(&mut self) -> i32 {
        let variable = self.solver.new_var_default();
        self.variables.push(variable);
        self.variables.len() as i32
    }

    // The search decides variables of the graph only; gates follow by propagation. A gate that has not followed when all
    // others are assigned is not constrained: every clause about it is true if it gets the value of its function.
    fn gate(&mut self) -> i32 {
        let variable = self.solver.new_var(lbool::UNDEF, false);
        self.variables.push(variable);
        self.variables.len() as i32
    }

    fn add(&mut self, clause: &[i32]) {
        let mut literals = std::mem::take(&mut self.literals);
        literals.clear();
        literals.extend(clause.iter().map(|&l| self.literal(l)));
        // The solver remembers that it has become unsatisfiable and says so when it is asked.
        self.solver.add_clause_reuse(&mut literals);
        self.literals = literals;
    }

    fn solve(&mut self, assumptions: &[i32]) -> Result<bool, Failure> {
        self.limits.check()?;
        self.solver.cb_mut().conflicts.set(0);
        let mut literals = std::mem::take(&mut self.literals);
        literals.clear();
        literals.extend(assumptions.iter().map(|&l| self.literal(l)));
        let answer = self.solver.solve_limited(&literals);
        self.literals = literals;
        if answer == lbool::TRUE {
            Ok(true)
        } else if answer == lbool::FALSE {
            Ok(false)
        } else {
            Err(Failure::Interrupted)
        }
    }

    fn value(&self, literal: i32) -> bool {
        self.solver.value_lit(self.literal(literal)) == lbool::TRUE
    }

    fn failed(&self, assumption: i32) -> bool {
        // As in MiniSat, the core is the clause that was learnt about the assumptions: it has their negations.
        self.solver.unsat_core_contains_lit(!self.literal(assumption))
    }
}
