//! What every engine shares: the task it gets, the budget it has, how it reports progress, what it may answer, and
//! traces with their renderings; proofs as data.
//!
//! Architecture invariant: no engine lives here, and nothing knows a source language. An engine says what it can do
//! ([`Engine::can_handle`]) and never panics on what it cannot.

#![warn(missing_docs)]

pub mod certificate;
pub mod composition;
pub mod control;
pub mod executions;
pub mod outcome;
pub mod solvers;
pub mod system;
pub mod trace;

pub use composition::{Composition, CompositionNode};
pub use control::{Budget, Control, Phase, Progress, Snapshot};
pub use executions::Executions;
pub use outcome::{Effort, Evidence, Finding, Note, Reason, Vacuity, Verdict, Why};
pub use solvers::{Dialogue, NoSolvers, SolverName, Solvers};
pub use swarmcheck_question::{Fairness, Reductions, Subject};
pub use system::{Step, successors};

use std::sync::Arc;
use swarmcheck_ir::Program;
use swarmcheck_ir::flat::Flat;
use swarmcheck_question::{FoldedProgram, Setting};

/// What is to be decided.
#[derive(Clone)]
pub struct Task {
    /// The program whose executions are searched.
    pub program: Arc<Program>,
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
    /// The program with constants folded, so that this is not worked out again for each question and each engine.
    pub folded: Option<Arc<FoldedProgram>>,
    /// Which infinite executions count.
    pub fairness: Fairness,
}

impl Task {
    /// All properties of a program, with all reductions, on one thread.
    pub fn new(flat: &Flat) -> Task {
        Task::of(Arc::clone(&flat.program))
    }

    /// The same for a program that nobody has flattened.
    pub fn of(program: Arc<Program>) -> Task {
        Task {
            properties: (0..program.properties.len()).collect(),
            program,
            deadlock: false,
            bound: None,
            ignore_deadlock: false,
            reductions: Reductions::ALL,
            threads: 1,
            hash_bits: 64,
            folded: None,
            fairness: Fairness::None,
        }
    }

    /// What the questions are about.
    pub fn setting(&self) -> Setting {
        Setting {
            program: Arc::clone(&self.program),
            bound: self.bound,
            ignore_deadlock: self.ignore_deadlock,
            fairness: self.fairness,
            reductions: self.reductions,
            folded: self.folded.clone(),
        }
    }

    /// The task with what all its questions need. What engines and those who check them work out must be the same program,
    /// and it differs with what was known before.
    pub fn folding(&self) -> Task {
        Task { folded: Some(self.setting().folded()), ..self.clone() }
    }

    /// The same task without reductions.
    pub fn unreduced(&self) -> Task {
        Task { reductions: Reductions::NONE, folded: None, ..self.clone() }
    }

    /// Decides with reductions. Where that leads nowhere (a number too large for a cell, in something that the smaller
    /// program takes to be irrelevant, can do that), decides without.
    pub fn twice(&self, control: &Control<'_>, decide: impl Fn(&Task) -> Vec<Finding>) -> Vec<Finding> {
        let findings = decide(self);
        let failed = findings.iter().any(|f| matches!(f.verdict, Verdict::Unknown(Reason::Internal(_))));
        if !failed || self.reductions == Reductions::NONE || control.stopped() {
            return findings;
        }
        let mut findings = decide(&self.unreduced());
        findings.iter_mut().for_each(|finding| finding.notes.push(Note::SearchedAgain));
        findings
    }

    /// What is asked: the properties in their order, then deadlock freedom.
    pub fn subjects(&self) -> impl Iterator<Item = Subject> {
        let properties = self.properties.iter().map(|&p| Subject::Property(p));
        properties.chain(self.deadlock.then_some(Subject::DeadlockFreedom))
    }

    /// The same task restricted to one question.
    pub fn only(&self, subject: Subject) -> Task {
        let (properties, deadlock) = match subject {
            Subject::Property(number) => (vec![number], false),
            Subject::DeadlockFreedom => (vec![], true),
        };
        Task { properties, deadlock, ..self.clone() }
    }
}

/// A decision procedure for properties.
pub trait Engine {
    /// The name that `--engine` takes.
    fn name(&self) -> &'static str;

    /// Whether it can take on the task; if not, why.
    fn can_handle(&self, task: &Task) -> Result<(), String>;

    /// Answers each question of the task, within the budget. One finding per property, in order, then deadlock freedom.
    fn run(&self, task: &Task, control: &Control<'_>) -> Vec<Finding>;
}
