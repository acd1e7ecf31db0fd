//! Executions as engines have them: states and the steps between them.

use swarmcheck_ir::flat::Instance;
use swarmcheck_ir::{Fault, Value};

/// A finite execution, perhaps with a loop at its end.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The initial state.
    pub initial: Vec<Value>,
    /// The steps, in order.
    pub steps: Vec<TraceStep>,
    /// The execution repeats infinitely from the state after this many steps.
    pub loop_start: Option<usize>,
    /// Why it has no further step.
    pub end: End,
}

/// One step of a trace.
#[derive(Clone, Debug)]
pub struct TraceStep {
    /// The function and the agent that runs it.
    pub instance: Instance,
    /// How its nondeterminism was resolved.
    pub choices: Vec<u64>,
    /// The state after it.
    pub state: Vec<Value>,
}

/// How a trace ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// The run was cut off: more steps may be possible.
    #[default]
    Open,
    /// No step is possible.
    Deadlock,
    /// The model is invalid: this step met a fault, or a condition of a property did.
    Fault(Option<Instance>, Fault),
    /// The model is invalid: there is no initial state to begin with, because finding it met a fault.
    InitialFault(Fault),
}

impl Trace {
    /// The last state.
    pub fn last(&self) -> &[Value] {
        self.steps.last().map_or(&self.initial, |step| &step.state)
    }
}
