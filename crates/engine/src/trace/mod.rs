//! Traces: what happened, in the order it happened, in the words of the user's file.
//!
//! A trace stores states as the engine has them. [`view`] turns them into assignments with timestamps; [`data`] (JSON),
//! [`itf`] and [`text`] (the style of SLiVER) are renderings of that view. Text is written step by step, so a run of a million
//! steps need not be kept in memory to be printed; the other two are whole documents. Numbered steps are made of the data by
//! the session.

pub mod change;
pub mod data;
pub mod explain;
pub mod itf;
pub mod legend;
pub mod message;
pub mod text;
pub mod view;

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
