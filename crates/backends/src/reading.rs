//! What an answer of a verifier means, and the verdict that it becomes: the same for all of them.

use crate::trail::{between, execution};
use swarmcheck_engine::{Evidence, Reason, Verdict};
use swarmcheck_ir::Value;
use swarmcheck_ir::flat::Flat;

/// The meaning of a verifier's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reading {
    /// It says that the property holds, up to what its bounds allow.
    Holds,
    /// It has found an execution that violates the property, and tells its states.
    Violated(Way),
    /// It has found an execution after whose last state a step is an error of the model; without a state, the initial block is one.
    Broken(Way),
    /// It has found an execution, and tells its states and its steps. What it shows follows from how it ends.
    Followed(Trail),
    /// It claims that the property is violated, but its counterexample cannot be read, for this reason.
    Claimed(String),
    /// It gave up, and says why.
    Unknown(String),
}

/// An answer: what it means, who gave it, and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    pub reading: Reading,
    /// What the authors of the program call it that has answered.
    pub who: &'static str,
    /// How much was searched, if it says so.
    pub size: Size,
}

/// How much was searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// States stored.
    pub states: u64,
    pub transitions: u64,
}

/// An execution: the states in the program's layout, an initial one first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Way {
    pub states: Vec<Vec<Value>>,
    /// The position of the state that follows the last one, if the execution is infinite.
    pub back_to: Option<usize>,
}

/// An execution with its steps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trail {
    /// The states, the initial one first.
    pub states: Vec<Vec<Value>>,
    /// The steps between them: function and agent.
    pub steps: Vec<(u32, u32)>,
    /// A step that was begun and did not end.
    pub attempted: Option<(u32, u32)>,
    /// The number of steps before the cycle. If there is no step after them, the last state repeats.
    pub cycle: Option<usize>,
}

/// An answer in an unknown format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// What was expected, and what there is instead.
    pub why: String,
}

impl Unreadable {
    pub(crate) fn because(why: impl Into<String>) -> Unreadable {
        Unreadable { why: why.into() }
    }
}

pub(crate) fn unreadable<T>(why: impl Into<String>) -> Result<T, Unreadable> {
    Err(Unreadable::because(why))
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoAnswer {
    /// It is not asked, is not installed, or gave up; a sentence that says what to do.
    Unsupported(String),
    /// It was stopped from outside.
    Stopped,
    /// It ran out of memory.
    Memory,
    /// It failed, or its answer is in an unknown format.
    Unreadable(String),
}

impl From<Unreadable> for NoAnswer {
    fn from(unreadable: Unreadable) -> NoAnswer {
        NoAnswer::Unreadable(unreadable.why)
    }
}

impl From<NoAnswer> for Reason {
    fn from(none: NoAnswer) -> Reason {
        match none {
            NoAnswer::Unsupported(why) => Reason::Unsupported(why),
            NoAnswer::Stopped => Reason::Interrupted,
            NoAnswer::Memory => Reason::Memory,
            NoAnswer::Unreadable(why) => Reason::Internal(why),
        }
    }
}

impl Reply {
    pub(crate) fn new(reading: Reading, who: &'static str) -> Reply {
        Reply { reading, who, size: Size::default() }
    }

    /// The verdict about a property, or about deadlocks. `bound` is what limits executions in the question, and `last` that
    /// or the number of steps that the property itself speaks of.
    pub(crate) fn verdict(
        self,
        flat: &Flat,
        property: Option<usize>,
        bound: Option<u32>,
        last: Option<u32>,
    ) -> Result<Verdict, Unreadable> {
        let who = self.who;
        let made_again = |way: &Way, broken: bool| match between(flat, way, broken) {
            Ok(trail) => Ok(execution(flat, property, bound, &trail)),
            Err(why) => unreadable(format!("the counterexample of {who} is wrong: {why}")),
        };
        Ok(match &self.reading {
            Reading::Holds => Verdict::Holds(Evidence::Said(who, last)),
            Reading::Violated(way) => made_again(way, false)?,
            Reading::Broken(way) => made_again(way, true)?,
            Reading::Followed(trail) => execution(flat, property, bound, trail),
            // A claim without anything that can be replayed is no verdict.
            Reading::Claimed(why) => unsupported(format!(
                "{who} says violated, no counterexample could be read: unconfirmed ({why})"
            )),
            Reading::Unknown(why) => unsupported(format!("{who}: {why}")),
        })
    }
}

fn unsupported(why: String) -> Verdict {
    Verdict::Unknown(Reason::Unsupported(why))
}
