//! What every engine shares: the task it gets, the budget it has, how it reports progress, what it may answer, and
//! traces with their renderings; proofs as data.
//!
//! Architecture invariant: no engine lives here, and nothing knows a source language. An engine says what it can do
//! ([`Engine::can_handle`]) and never panics on what it cannot.

#![warn(missing_docs)]

pub mod certificate;
pub mod control;
pub mod outcome;
pub mod system;
pub mod trace;

pub use control::{Budget, Control, Phase, Progress, Snapshot};
pub use outcome::{Effort, Evidence, Finding, Note, Reason, Subject, Vacuity, Verdict, Why};
pub use system::{Step, successors};

use std::any::Any;
use std::sync::Arc;
use swarmcheck_ir::flat::Flat;

/// What is to be decided.
#[derive(Clone)]
pub struct Task<'a> {
    /// The program whose executions are searched.
    pub flat: &'a Flat,
    /// Numbers of the properties to decide.
    pub properties: Vec<usize>,
    /// Whether deadlock freedom is to be decided as well.
    pub deadlock: bool,
    /// Only executions of at most this many steps are considered.
    pub bound: Option<u32>,
    /// Executions that end in a deadlock are not counted as violations.
    pub ignore_deadlock: bool,
    /// The reductions that may be used.
    pub reductions: Reductions,
    /// The number of worker threads, at least 1.
    pub threads: usize,
    /// Bits of each hash that are used: fewer than 64 only in tests, to show that collisions do no harm.
    pub hash_bits: u32,
    /// What was worked out about the program before, so that it is not worked out again for each question and each engine.
    /// It belongs to [`Task::flat`]: a task about another program has none.
    pub shared: Option<Shared>,
}

/// Something that engines keep for one another. They know its type.
pub type Shared = Arc<dyn Any + Send + Sync>;

impl<'a> Task<'a> {
    /// All properties of a program, with all reductions, on one thread.
    pub fn new(flat: &'a Flat) -> Task<'a> {
        Task {
            flat,
            properties: (0..flat.program.properties.len()).collect(),
            deadlock: false,
            bound: None,
            ignore_deadlock: false,
            reductions: Reductions::ALL,
            threads: 1,
            hash_bits: 64,
            shared: None,
        }
    }

    /// What is asked: the properties in their order, then deadlock freedom.
    pub fn subjects(&self) -> impl Iterator<Item = Subject> {
        let properties = self.properties.iter().map(|&p| Subject::Property(p));
        properties.chain(self.deadlock.then_some(Subject::DeadlockFreedom))
    }

    /// The same task restricted to one question.
    pub fn only(&self, subject: Subject) -> Task<'a> {
        let (properties, deadlock) = match subject {
            Subject::Property(number) => (vec![number], false),
            Subject::DeadlockFreedom => (vec![], true),
        };
        Task { properties, deadlock, ..self.clone() }
    }
}

/// Reductions of the state space, each of which can be switched off. Certificates store these names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Reductions {
    /// Interval analysis: fewer bits per state, the same states.
    pub ranges: bool,
    /// Constant folding, and miniscoping of predicates.
    pub fold: bool,
    /// Cone-of-influence reduction: variables that cannot influence the property are dropped.
    pub slice: bool,
    /// Dropping pending messages that would inform no agent.
    pub stale: bool,
    /// Dead-variable reduction: variables that are written before they are read again are reset.
    pub dead: bool,
    /// Symmetry reduction over interchangeable agents.
    pub symmetry: bool,
    /// Symmetry reduction over data: reflected values and exchanged variables.
    #[serde(default)]
    pub data_symmetry: bool,
    /// Partial-order reduction: one order for independent steps. Older certificates call it `order`.
    #[serde(alias = "order")]
    pub partial_order: bool,
    /// Steps on packed states where possible: the same states in less time.
    pub packed: bool,
}

impl Reductions {
    /// Every reduction.
    pub const ALL: Reductions = Reductions {
        ranges: true,
        fold: true,
        slice: true,
        stale: true,
        dead: true,
        symmetry: true,
        data_symmetry: true,
        partial_order: true,
        packed: true,
    };
    /// No reduction: every reachable state is visited.
    pub const NONE: Reductions = Reductions {
        ranges: false,
        fold: false,
        slice: false,
        stale: false,
        dead: false,
        symmetry: false,
        data_symmetry: false,
        partial_order: false,
        packed: false,
    };
}

/// A decision procedure for properties.
pub trait Engine {
    /// The name that `--engine` takes.
    fn name(&self) -> &'static str;

    /// Whether it can take on the task; if not, why.
    fn can_handle(&self, task: &Task<'_>) -> Result<(), String>;

    /// Answers each question of the task, within the budget. One finding per property, in order, then deadlock freedom.
    fn run(&self, task: &Task<'_>, control: &Control<'_>) -> Vec<Finding>;
}
