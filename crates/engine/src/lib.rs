//! What every engine shares: the task it gets, the budget it has, how it reports progress, what it may answer, and
//! traces with their renderings.
//!
//! Architecture invariant: no engine lives here, and nothing knows a source language. An engine says what it can do
//! ([`Engine::can_handle`]) and never panics on what it cannot.

pub mod control;
pub mod outcome;
pub mod system;
pub mod trace;

pub use control::{Budget, Control, Progress, Snapshot};
pub use outcome::{Evidence, Finding, Verdict};
pub use system::{Step, successors};

use swarmcheck_ir::flat::Flat;

/// What is to be decided.
pub struct Task<'a> {
    /// The program.
    pub flat: &'a Flat,
    /// Which of its properties.
    pub properties: Vec<usize>,
    /// Only executions of this many steps.
    pub bound: Option<u32>,
}

/// A way to decide properties.
pub trait Engine {
    /// The name that `--engine` takes.
    fn name(&self) -> &'static str;

    /// Whether it can take on the task; if not, why.
    fn can_handle(&self, task: &Task<'_>) -> Result<(), String>;

    /// Decides each property of the task, within the budget. One finding per property, in order.
    fn run(&self, task: &Task<'_>, control: &Control<'_>) -> Vec<Finding>;
}
