//! What every engine shares: the task it gets, the budget it has, how it reports progress, what it may answer, and
//! traces with their renderings; proofs as data.
//!
//! Architecture invariant: no engine lives here, and nothing knows a source language. An engine says what it can do
//! ([`Engine::can_handle`]) and never panics on what it cannot.

pub mod certificate;
pub mod control;
pub mod outcome;
pub mod system;
pub mod trace;

pub use control::{Budget, Control, Progress, Snapshot};
pub use outcome::{Effort, Evidence, Finding, Reason, Subject, Verdict, Why};
pub use system::{Step, successors};

use swarmcheck_ir::flat::Flat;

/// What is to be decided.
#[derive(Clone)]
pub struct Task<'a> {
    /// The program.
    pub flat: &'a Flat,
    /// Which of its properties.
    pub properties: Vec<usize>,
    /// Whether there is a deadlock, too.
    pub deadlock: bool,
    /// Only executions of this many steps.
    pub bound: Option<u32>,
    /// Executions that stop are excused.
    pub ignore_deadlock: bool,
    /// What may be used to make the search smaller.
    pub reductions: Reductions,
    /// How many threads.
    pub threads: usize,
    /// How many bits of hashes are used: less than 64 only to test that collisions do no harm.
    pub hash_bits: u32,
}

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
        }
    }

    /// What is asked: the properties in their order, then deadlock freedom.
    pub fn subjects(&self) -> impl Iterator<Item = Subject> {
        let properties = self.properties.iter().map(|&p| Subject::Property(p));
        properties.chain(self.deadlock.then_some(Subject::DeadlockFreedom))
    }

    /// The same with one question only.
    pub fn only(&self, subject: Subject) -> Task<'a> {
        let (properties, deadlock) = match subject {
            Subject::Property(number) => (vec![number], false),
            Subject::DeadlockFreedom => (vec![], true),
        };
        Task { properties, deadlock, ..self.clone() }
    }
}

/// Ways to make a search smaller, each on its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Reductions {
    /// Value ranges: fewer bits per state, the same states.
    pub ranges: bool,
    /// Replacing what is constant by what it is, and predicates by smaller ones that say the same.
    pub fold: bool,
    /// Leaving out variables that cannot influence the property.
    pub slice: bool,
    /// Dropping messages that inform nobody.
    pub stale: bool,
    /// Resetting variables that are written before they are read.
    pub dead: bool,
    /// One state for all that differ only by who is who.
    pub symmetry: bool,
    /// One state for all that differ only by mirrored values, or by variables that changed roles.
    #[serde(default)]
    pub data_symmetry: bool,
    /// One order for steps that do not depend on each other.
    pub order: bool,
    /// Steps on packed states where possible: the same states, sooner.
    pub packed: bool,
}

impl Reductions {
    /// All of them.
    pub const ALL: Reductions = Reductions {
        ranges: true,
        fold: true,
        slice: true,
        stale: true,
        dead: true,
        symmetry: true,
        data_symmetry: true,
        order: true,
        packed: true,
    };
    /// None of them.
    pub const NONE: Reductions = Reductions {
        ranges: false,
        fold: false,
        slice: false,
        stale: false,
        dead: false,
        symmetry: false,
        data_symmetry: false,
        order: false,
        packed: false,
    };
}

/// A way to decide properties.
pub trait Engine {
    /// The name that `--engine` takes.
    fn name(&self) -> &'static str;

    /// Whether it can take on the task; if not, why.
    fn can_handle(&self, task: &Task<'_>) -> Result<(), String>;

    /// Answers each question of the task, within the budget. One finding per property, in order, then deadlock freedom.
    fn run(&self, task: &Task<'_>, control: &Control<'_>) -> Vec<Finding>;
}
