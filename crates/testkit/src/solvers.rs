//! Solvers for tests that ask the engine `smt`.

use swarmcheck_engine::{Progress, Snapshot, SolverName, Solvers};
use swarmcheck_worker::solvers::SolverProcesses;

/// Progress that nobody sees, with some solvers.
pub struct Offering(SolverProcesses);

impl Offering {
    /// These, where they are installed.
    pub fn new(names: &[SolverName]) -> Offering {
        Offering(SolverProcesses::only(names))
    }

    /// All that are installed.
    pub fn all() -> Offering {
        Offering::new(&SolverName::ALL)
    }
}

impl Progress for Offering {
    fn report(&self, _: Snapshot) {}

    fn solvers(&self) -> &dyn Solvers {
        &self.0
    }
}
