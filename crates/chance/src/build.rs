//! From a flat program to its chain or decision process, by the law of `swarmcheck_simulate::law`.

use crate::bits::Bits;
use crate::process::Process;
use swarmcheck_ir::flat::{Flat, Instance};
use swarmcheck_ir::{Expr, Fault, FaultDetail, Value};
use swarmcheck_simulate::Scheduler;

/// What of a state is looked at. Conditions and expressions are closed: no agent runs them.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// Conditions that become labels.
    pub conditions: Vec<Expr>,
    /// Expressions whose values are kept.
    pub values: Vec<Expr>,
}

/// How a process is built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuildOptions {
    /// The most states that are explored.
    pub states: usize,
    /// The most transitions that are kept.
    pub transitions: usize,
    /// States that differ only by names of interchangeable agents are identified.
    pub symmetry: bool,
    /// States that behave alike are identified when all have been explored.
    pub lumping: bool,
}

impl Default for BuildOptions {
    fn default() -> BuildOptions {
        BuildOptions { states: 20_000_000, transitions: 200_000_000, symmetry: true, lumping: true }
    }
}

/// How the caller is told of progress, and stops.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Looked at again and again.
    pub stopped: &'a dyn Fn() -> bool,
    /// Called now and then with the states found, the states expanded and the transitions.
    pub progress: &'a dyn Fn(u64, u64, u64),
}

impl Control<'_> {
    /// Never stops and tells nobody.
    pub const NONE: Control<'static> = Control { stopped: &|| false, progress: &|_, _, _| {} };
}

/// A process with what is known of its states.
#[derive(Clone, PartialEq, Debug)]
pub struct Built {
    /// The process.
    pub process: Process,
    /// For each condition the states in which it holds.
    pub labels: Vec<Bits>,
    /// For each expression its value in every state; `swarmcheck_ir::UNDEF` for ⊥.
    pub values: Vec<Vec<Value>>,
    /// How many states were explored: more than the process has if some were lumped.
    pub explored: usize,
    /// Whether agents were found to be interchangeable.
    pub symmetric: bool,
}

/// Where a fault was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultPlace {
    /// In the initial block.
    Initial,
    /// In a step.
    Step(Instance),
    /// In this condition.
    Condition(usize),
    /// In this expression.
    Value(usize),
}

/// Why there is no process.
#[derive(Clone, PartialEq, Debug)]
pub enum BuildError {
    /// The assumptions exclude every initial state.
    NoInitialState,
    /// The model is invalid: a fault can be met.
    Fault {
        /// What is wrong, and where in the user's file.
        fault: Fault,
        /// What it met.
        detail: Option<FaultDetail>,
        /// Where it was met.
        place: FaultPlace,
        /// The state before the step. With symmetry, agents may have other names in it than in an execution.
        state: Vec<Value>,
    },
    /// More states than are allowed.
    States(usize),
    /// More transitions than are allowed.
    Transitions(usize),
    /// Probabilities are fractions whose denominators are too large.
    TooFine,
    /// The caller stopped it.
    Stopped,
}

/// Builds the process of a program.
pub fn build(
    _flat: &Flat,
    _scheduler: &Scheduler,
    _watched: &Watched,
    _options: &BuildOptions,
    _control: Control<'_>,
) -> Result<Built, BuildError> {
    Err(BuildError::Stopped)
}
