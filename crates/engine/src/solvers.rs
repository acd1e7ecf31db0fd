//! Solvers for formulas over integers: other programs, which whoever runs an engine starts and ends. Engines only talk to them.

/// A solver that understands SMT-LIB 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SolverName {
    /// Z3, which also solves Horn clauses.
    Z3,
    /// cvc5.
    Cvc5,
}

impl SolverName {
    /// All of them, the preferred one first.
    pub const ALL: [SolverName; 2] = [SolverName::Z3, SolverName::Cvc5];

    /// The name of the program.
    pub fn program(self) -> &'static str {
        match self {
            SolverName::Z3 => "z3",
            SolverName::Cvc5 => "cvc5",
        }
    }

    /// What makes it read commands from its standard input and answer each at once.
    pub fn arguments(self) -> &'static [&'static str] {
        match self {
            SolverName::Z3 => &["-in", "-smt2"],
            SolverName::Cvc5 => &["--lang=smt2", "--incremental", "--produce-models"],
        }
    }
}

/// Who can start solvers.
pub trait Solvers: Sync {
    /// Whether a solver is there.
    fn has(&self, name: SolverName) -> bool;

    /// Starts a solver, which ends when the dialogue is dropped.
    fn start(&self, name: SolverName) -> Result<Box<dyn Dialogue>, String>;
}

/// A solver that runs.
pub trait Dialogue: Send {
    /// Gives it commands.
    fn say(&mut self, text: &str) -> Result<(), String>;

    /// The next line that it says; none if it says nothing for a moment, so that the caller can look whether to stop. An error if
    /// it has ended.
    fn hear(&mut self) -> Result<Option<String>, String>;
}

/// There are none.
pub struct NoSolvers;

impl Solvers for NoSolvers {
    fn has(&self, _: SolverName) -> bool {
        false
    }

    fn start(&self, name: SolverName) -> Result<Box<dyn Dialogue>, String> {
        Err(format!("{} cannot be run here", name.program()))
    }
}
