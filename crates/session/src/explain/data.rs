//! Explanations as plain data, for whoever shows them.

use crate::walk::Misfit;
use serde::{Deserialize, Serialize};

/// The name of the format, and its version.
pub const FORMAT: &str = "swarmcheck-explanation";
/// It changes when something is removed or changes its meaning.
pub const VERSION: u32 = 1;

/// What comes of a trace that should be explained.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum ExplainAnswer {
    /// The steps that matter, and why.
    Explained {
        /// All steps, and which of them matter.
        explanation: Box<Explanation>,
    },
    /// The trace is none of the model.
    Misfit {
        /// What does not fit.
        misfit: Misfit,
    },
    /// The model has no property with this name.
    NoSuchProperty {
        /// What was asked for.
        name: String,
        /// A property with a similar name.
        suggestion: Option<String>,
    },
}

/// A trace with the steps that matter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Explanation {
    /// Always `swarmcheck-explanation`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The model's file.
    pub model: String,
    /// What is explained.
    pub subject: ExplainedFact,
    /// The cells that make it so, with their values in the state that it is about; the last of the trace or of the loop.
    pub because: Vec<CellReading>,
    /// All steps of the trace, in order.
    pub steps: Vec<ExplainedStep>,
    /// The trace repeats for ever from the state after this many steps.
    #[serde(rename = "loop", default, skip_serializing_if = "Option::is_none")]
    pub loop_start: Option<usize>,
}

/// What is explained.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ExplainedFact {
    /// The predicate of a property is false after so many steps.
    False {
        /// The name of the property.
        property: String,
        /// How many steps were made.
        after: usize,
    },
    /// The last state satisfies a predicate that was to be reached.
    Reached {
        /// The predicate.
        predicate: String,
    },
    /// No step is possible in the last state.
    Deadlock {
        /// The property that is violated by that, if it is about one.
        property: Option<String>,
    },
    /// The execution repeats without reaching the goal of a property.
    Loop {
        /// The name of the property.
        property: String,
    },
    /// The goal of a property cannot be reached from the last state.
    OutOfReach {
        /// The name of the property.
        property: String,
    },
    /// A property that is not about single states: all its conditions count in every state.
    Run {
        /// The name of the property.
        property: String,
    },
    /// The last state leads to an error of the model.
    ModelError,
    /// The trace violates nothing; so nothing is explained, and every step matters.
    Nothing,
}

/// A step, whether it matters, and why.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExplainedStep {
    /// Counted from 1.
    pub number: usize,
    /// The number of the agent that acts.
    pub agent: u32,
    /// What the agent is called.
    pub who: String,
    /// `action`, or the verb of a rule of the system: `propagate`, `confirm`, `send`, `get`.
    pub rule: String,
    /// The action's text, or the tuple of a message.
    pub what: String,
    /// `line:column` of the action in the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// It is in the causal cone.
    pub matters: bool,
    /// What it reads: an upper bound.
    pub reads: Vec<CellReading>,
    /// What it changes.
    pub changes: Vec<CellChange>,
}

/// A cell of the state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CellData {
    /// What the owner is called; none for what belongs to nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// As the user would write it, for instance `log[1]`.
    pub name: String,
    /// What it is for.
    pub role: CellRole,
}

/// What a cell is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CellRole {
    /// A variable of the model.
    Data,
    /// The place of an agent in its process.
    Location,
    /// The order of timestamps.
    Order,
    /// A message that waits to be sent.
    Pending,
    /// Whose turn it is.
    Turn,
}

/// A cell that is read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CellReading {
    /// Which cell is read, and whose it is.
    #[serde(flatten)]
    pub cell: CellData,
    /// The value, as the user would write it.
    pub value: String,
    /// The step that has given it this value; none for an initial value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written_by: Option<usize>,
}

/// A cell that is changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CellChange {
    /// Which cell is changed, and whose it is.
    #[serde(flatten)]
    pub cell: CellData,
    /// The value before.
    pub old: String,
    /// The value after.
    pub new: String,
}
