//! What an engine may answer. No verdict without evidence.

use crate::certificate::Certificate;
use crate::composition::Composition;
use crate::trace::Trace;
use serde::{Deserialize, Serialize};
use swarmcheck_question::{Refusal, Subject};

/// The answer to one question.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The property holds, with the evidence for it.
    Holds(Evidence),
    /// The property is violated by the trace, in the given way.
    Violated(Trace, Why),
    /// The model is invalid: the trace leads to an error of the model, whatever the property.
    Invalid(Trace),
    /// Not decided, for the given reason.
    Unknown(Reason),
}

/// How a trace violates a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The predicate is false in the last state.
    False,
    /// The trace is a lasso that never reaches the goal.
    Loop,
    /// The trace stops in a deadlock before the goal.
    Stuck,
    /// From the last state no state that satisfies the predicate is reachable.
    OutOfReach,
    /// The requirement of the scope is violated in the last state.
    Scope,
    /// The execution, a lasso or one that stops, violates the formula of linear temporal logic.
    Formula,
    /// The trace is a bad prefix: every execution that begins like this violates the formula.
    Prefix,
    /// The trace ends in a deadlock, and that is what was looked for.
    Deadlock,
}

impl Why {
    /// The sentence that users read.
    pub fn words(self) -> &'static str {
        match self {
            Why::False => "the predicate is false in the last state",
            Why::Loop => "the execution loops without reaching the goal",
            Why::Stuck => "the execution stops before reaching the goal",
            Why::OutOfReach => "the goal is unreachable from the last state",
            Why::Scope => "the scope is violated in the last state",
            Why::Formula => "this execution violates the formula",
            Why::Prefix => "every execution that begins like this violates the formula",
            Why::Deadlock => "no step is possible in the last state",
        }
    }
}

/// Why a property holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// Every reachable state was considered.
    Explored,
    /// Every execution of this many steps was considered, and no longer one.
    Bounded(u32),
    /// Every execution was decided within this many steps: it stops, has reached the goal, or has closed a loop.
    Ended(u32),
    /// By induction over paths of this many steps.
    Induction(u32),
    /// By an invariant with this many clauses.
    Invariant(u32),
    /// By an invariant over integers with this many parts.
    IntegerInvariant(u32),
    /// By induction over integers, with this many states in a row.
    IntegerInduction(u32),
    /// In the composition of this many processes, each reduced to one that behaves alike.
    Composed(u32),
    /// Another verifier says so: its name, and the bound on steps it used, if any.
    Said(&'static str, Option<u32>),
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The caller stopped the engine.
    Interrupted,
    /// The memory limit was reached.
    Memory,
    /// The engine cannot do this; in words.
    Unsupported(String),
    /// Something that cannot happen has happened; in words.
    Internal(String),
}

impl From<Refusal> for Reason {
    fn from(refusal: Refusal) -> Reason {
        Reason::Unsupported(refusal.to_string())
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Interrupted => f.write_str("interrupted"),
            Reason::Memory => f.write_str("memory limit"),
            Reason::Unsupported(why) => f.write_str(why),
            Reason::Internal(why) => write!(f, "internal error: {why}"),
        }
    }
}

/// Why a property holds without saying anything about the system.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Vacuity {
    /// A quantifier ranges over no agent, and nothing else of the predicate is left.
    NoAgent,
    /// No initial state satisfies the assumptions.
    NoInitialState,
    /// No execution is as long as the bound.
    TooShort {
        /// The bound on steps.
        steps: u32,
    },
    /// No step is possible in any initial state.
    NoStep,
    /// The premise of the implication is never true.
    Premise,
    /// The property is about scopes, and none ever opens.
    NeverOpens,
    /// Only scopes that close count, and none ever closes.
    NeverCloses,
}

/// Something that should be known besides the answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Note {
    /// What a reduction or an encoding did, for people who want to know how the answer came about.
    Detail {
        /// One technical remark.
        text: String,
    },
    /// Executions that stop were excused.
    Excused {
        /// States without a step.
        states: u64,
    },
    /// The answer comes from a search without reductions, because a search with them failed.
    SearchedAgain,
    /// The trace was replayed, but that no better continuation exists was not confirmed.
    NotConfirmedBeyond {
        /// How many states were looked at.
        states: u64,
    },
    /// No counterexample has up to so many steps; longer ones were not looked for to the end.
    NoCounterexampleWithin {
        /// The length up to which the search is complete.
        steps: u32,
    },
    /// Numbers have no range, and no solver for integers is installed that might have answered.
    NoSolver,
    /// Labels of sends and gets are read as the step that leaves a state.
    StepLabels,
    /// The property can be read in two ways, and both have this verdict.
    BothReadings {
        /// The readings, with all their parentheses.
        formulas: Vec<String>,
    },
    /// Another engine failed on the question.
    EngineFailed {
        /// The name of the engine.
        engine: String,
        /// The reason, as a sentence.
        why: String,
    },
}

impl Note {
    /// A technical remark.
    pub fn detail(text: impl Into<String>) -> Note {
        Note::Detail { text: text.into() }
    }
}

/// What an answer cost. Questions answered by one search have the same effort.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Effort {
    /// Which search of the task, from 0.
    pub search: u32,
    /// The number of initial states.
    pub initial: u64,
    /// The number of distinct states.
    pub states: u64,
    /// The number of transitions between them.
    pub transitions: u64,
    /// The distance of the farthest state from an initial one, in steps.
    pub depth: u32,
    /// The number of states without a step.
    pub deadlocks: u64,
    /// Peak memory in bytes.
    pub memory: u64,
    /// Seconds, if the caller has a clock.
    pub seconds: f64,
}

/// The answer to one question of a task.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The question that is answered.
    pub subject: Subject,
    /// The answer, with its evidence.
    pub verdict: Verdict,
    /// Why it holds vacuously, if it does.
    pub vacuous: Option<Vacuity>,
    /// What else should be known: what was reduced, what was excused.
    pub notes: Vec<Note>,
    /// States, transitions, seconds and bytes that it took.
    pub effort: Effort,
    /// A proof that can be checked again, if it holds and the engine has one.
    pub certificate: Option<Box<Certificate>>,
    /// How the system was put together, if that is how it was decided.
    pub composition: Option<Box<Composition>>,
}

impl Finding {
    /// A finding without an answer, for this reason.
    pub fn unknown(subject: Subject, reason: impl Into<Reason>) -> Finding {
        let verdict = Verdict::Unknown(reason.into());
        Finding {
            subject,
            verdict,
            vacuous: None,
            notes: vec![],
            effort: Effort::default(),
            certificate: None,
            composition: None,
        }
    }
}
