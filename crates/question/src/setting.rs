//! What questions are about, and what may be done to answer them.

use crate::reduce::{self, FoldedProgram};
use std::sync::Arc;
use swarmcheck_ir::Program;

/// What an answer is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Subject {
    /// A property of the program.
    Property(usize),
    /// That no reachable state is without a step.
    DeadlockFreedom,
}

impl Subject {
    /// The number of the property, if it is one.
    pub fn property(self) -> Option<usize> {
        match self {
            Subject::Property(number) => Some(number),
            Subject::DeadlockFreedom => None,
        }
    }
}

/// Which infinite executions count. A unit is an agent with its actions, or an agent with its pending messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fairness {
    /// All of them.
    #[default]
    None,
    /// Those in which a unit that can move from some point on moves again.
    Weak,
    /// Those in which a unit that can move again and again moves again and again.
    Strong,
}

impl Fairness {
    /// Whether all executions count.
    pub fn is_none(&self) -> bool {
        *self == Fairness::None
    }
}

/// A program, and how questions about it are to be read.
#[derive(Clone)]
pub struct Setting {
    /// The program.
    pub program: Arc<Program>,
    /// Only executions of at most this many steps are considered.
    pub bound: Option<u32>,
    /// Executions that end in a deadlock are not counted as violations.
    pub ignore_deadlock: bool,
    /// Which infinite executions count.
    pub fairness: Fairness,
    /// The reductions that may be used.
    pub reductions: Reductions,
    /// The program with constants folded, if that was worked out before.
    pub folded: Option<Arc<FoldedProgram>>,
}

impl Setting {
    /// The program with constants folded: what all questions begin with. Worked out now if it was not before.
    pub fn folded(&self) -> Arc<FoldedProgram> {
        let work_out = || Arc::new(reduce::fold_constants(&self.program, &self.reductions));
        self.known().cloned().unwrap_or_else(work_out)
    }

    /// The same, where nothing is worked out.
    pub fn known(&self) -> Option<&Arc<FoldedProgram>> {
        self.folded.as_ref().filter(|folded| folded.is_of(&self.program) && folded.suits(&self.reductions))
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
    /// Semi-composition: processes are restricted to what their neighbours let them do, before they are put together.
    #[serde(default)]
    pub interfaces: bool,
    /// Smart composition: the processes that promise the smallest result are put together first.
    #[serde(default)]
    pub smart_order: bool,
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
        interfaces: true,
        smart_order: true,
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
        interfaces: false,
        smart_order: false,
    };
}
