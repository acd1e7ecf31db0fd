//! What an engine may answer. No verdict without evidence.

use crate::certificate::Certificate;
use crate::trace::Trace;

/// The answer to one question.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds, and this is why.
    Holds(Evidence),
    /// It does not hold: the trace shows it, and the words say how to read it.
    Violated(Trace, Why),
    /// The model is invalid: the trace leads to an error of the model, whatever the property.
    Invalid(Trace),
    /// Not decided, and this is why.
    Unknown(Reason),
}

/// How a trace violates a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// The predicate is false in the last state.
    False,
    /// The trace goes round for ever without what must happen.
    Loop,
    /// The trace stops before what must happen.
    Stuck,
    /// From the last state the predicate is out of reach.
    OutOfReach,
    /// What the scope demands is broken in the last state.
    Scope,
    /// The execution, which goes round or stops for ever, violates the formula of linear time.
    Formula,
    /// What has happened violates the formula of linear time, whatever follows.
    Prefix,
    /// The trace ends in a deadlock, and that is what was looked for.
    Deadlock,
}

impl Why {
    /// In plain words.
    pub fn words(self) -> &'static str {
        match self {
            Why::False => "the predicate is false in the last state",
            Why::Loop => "the execution goes round for ever without it",
            Why::Stuck => "the execution stops before it",
            Why::OutOfReach => "from the last state it can never be reached",
            Why::Scope => "the scope is violated in the last state",
            Why::Formula => "this execution violates the formula",
            Why::Prefix => "whatever follows, the formula is violated",
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
    /// Every execution was decided within this many steps: it cannot go on, has reached what it must, or has begun to go
    /// round.
    Ended(u32),
    /// By induction over paths of this many steps.
    Induction(u32),
    /// By an invariant with this many clauses.
    Invariant(u32),
    /// Another program says so: its name, and how many steps it has looked at, if not all.
    Said(&'static str, Option<u32>),
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Somebody stopped the engine.
    Interrupted,
    /// The memory limit was reached.
    Memory,
    /// The engine cannot do this; in words.
    Unsupported(String),
    /// Something that cannot happen has happened; in words.
    Internal(String),
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

/// What a finding is about.
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

/// What an answer cost. Questions answered by one search have the same effort.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Effort {
    /// Which search of the task, from 0.
    pub search: u32,
    /// Initial states.
    pub initial: u64,
    /// States.
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
    /// How many steps the farthest state is away.
    pub depth: u32,
    /// States without a step.
    pub deadlocks: u64,
    /// Bytes.
    pub memory: u64,
    /// Seconds, if the caller has a clock.
    pub seconds: f64,
}

/// The answer to one question of a task.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What was asked.
    pub subject: Subject,
    /// The answer.
    pub verdict: Verdict,
    /// It holds because nothing could happen, or a quantifier ranges over nobody; in words.
    pub vacuous: Option<String>,
    /// What else should be known, a line each: what was reduced, what was excused.
    pub notes: Vec<String>,
    /// What it cost.
    pub effort: Effort,
    /// A proof that can be checked again, if it holds and the engine has one.
    pub certificate: Option<Box<Certificate>>,
}
