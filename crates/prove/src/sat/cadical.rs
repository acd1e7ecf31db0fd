//! CaDiCaL as a solver.

use super::{Failure, Limits, Sat};

/// Asks the flag when CaDiCaL asks whether to stop.
struct Watch<'s>(Limits<'s>);

impl cadical::Callbacks for Watch<'_> {
    fn terminate(&mut self) -> bool {
        self.0.stopped()
    }
}

pub struct Cadical<'s> {
    solver: cadical::Solver<Watch<'s>>,
    variables: i32,
    limits: Limits<'s>,
}

impl<'s> Sat<'s> for Cadical<'s> {
    fn with_limits(limits: Limits<'s>) -> Self {
        let mut solver = cadical::Solver::new();
        if limits.stop.is_some() {
            solver.set_callbacks(Some(Watch(limits)));
        }
        Cadical { solver, variables: 0, limits }
    }

    fn variable(&mut self) -> i32 {
        self.variables += 1;
        self.variables
    }

    fn add(&mut self, clause: &[i32]) {
        self.solver.add_clause(clause.iter().copied());
    }

    fn solve(&mut self, assumptions: &[i32]) -> Result<bool, Failure> {
        self.limits.check()?;
        if let Some(conflicts) = self.limits.conflicts {
            let limit = i32::try_from(conflicts).unwrap_or(i32::MAX);
            self.solver
                .set_limit("conflicts", limit)
                .map_err(|_| Failure::Internal("no limit of conflicts"))?;
        }
        self.solver.solve_with(assumptions.iter().copied()).ok_or(Failure::Interrupted)
    }

    // CaDiCaL ends the process if it is asked for values or cores in a state in which it has none: hence the checks.
    fn value(&self, literal: i32) -> bool {
        self.solver.status() == Some(true) && self.solver.value(literal) == Some(true)
    }

    fn failed(&self, assumption: i32) -> bool {
        self.solver.status() == Some(false) && self.solver.failed(assumption)
    }
}
