//! Why something is as it is, as data: what makes a condition true or false, what an agent waits for, what a loop repeats,
//! what an error of the model met. Conditions are text in the words of the user's file, because whoever reads a trace has no
//! program to print them from.

use super::message::WhyRefused;
use serde::{Deserialize, Serialize};
use swarmcheck_ir::Value;

/// A part of a property, and whether it is true.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TruthData {
    /// The part, in the words of the file.
    pub part: String,
    /// It is true from this state on, until a later one says otherwise.
    pub holds: bool,
}

/// A condition whose truth decides, with the values that make it true or false.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CauseData {
    /// The condition, in the words of the file.
    pub condition: String,
    /// It is true in this state.
    pub holds: bool,
    /// The values that it depends on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<SeenData>,
}

/// Something that has a value in a state: a cell, or how many agents satisfy a condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeenData {
    /// For instance `happy of Customer 0`.
    pub what: String,
    /// Its value; `null` is undefined.
    pub value: Option<Value>,
    /// What the value is called, if it has a name. It is for display only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Why no step is possible.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StopData {
    /// All agents, in order.
    pub agents: Vec<StoppedData>,
}

/// Why an agent makes no step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoppedData {
    /// The number of the agent.
    pub agent: u32,
    /// What it could do next. Nothing: it has come to its end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<WaitData>,
}

/// An action that an agent has come to and that is not possible.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaitData {
    /// The text of the action or command, in one line.
    pub what: String,
    /// `line:column` of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Everything that is in its way. Nothing: the reason is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<ObstacleData>,
}

/// What is in the way of an action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ObstacleData {
    /// A part of its guard is false.
    Guard {
        /// The part, and the values that make it false.
        #[serde(flatten)]
        cause: CauseData,
        /// Who could change these values. Nobody: they stay as they are for ever.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        writers: Vec<WriterData>,
    },
    /// In a round-robin schedule, it is the turn of another agent.
    Turn {
        /// Whose turn it is.
        agent: u32,
    },
    /// The agent has messages to send first.
    Pending {
        /// Their names, as in the steps.
        messages: Vec<String>,
    },
    /// Another agent takes part in the action, and is elsewhere in its process.
    Partner {
        /// The number of the other agent.
        agent: u32,
    },
    /// A value or an index that the action needs is undefined.
    Undefined {
        /// The expression, in the words of the file.
        what: String,
    },
    /// There is no value, or no agent, to choose.
    NoChoice,
    /// A new value would leave the range of its variable.
    Range {
        /// The assignment, in the words of the file.
        what: String,
    },
    /// An agent listens to the channel and blocks the message.
    Listener {
        /// The number of the listener.
        agent: u32,
        /// Why it cannot receive.
        why: WhyRefused,
    },
    /// A command that receives or supplies waits for somebody else to send or ask.
    Passive {
        /// The name of the channel; absent for a supply.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        channel: Option<String>,
    },
    /// Nobody supplies what the command asks for.
    NoSupplier,
}

/// An action that writes a variable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WriterData {
    /// What it could change.
    pub cell: String,
    /// The numbers of the agents that could.
    pub agents: Vec<u32>,
    /// `action`, or the verb of a rule of the system.
    pub rule: String,
    /// The text of the action, or the name of a message.
    pub what: String,
    /// `line:column` of the action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// What a loop repeats, and who does not take part in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoopData {
    /// What is done in the loop, by agent and action, in the order of the first occurrence.
    pub repeats: Vec<RepeatData>,
    /// The agents that make no step in the loop.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub still: Vec<StillData>,
}

/// What an agent does in every round of a loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RepeatData {
    /// The number of the agent.
    pub agent: u32,
    /// `action`, or the verb of a rule of the system.
    pub rule: String,
    /// The text of the action, or the name of a message.
    pub what: String,
    /// `line:column` of the action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// How often in one round.
    pub times: u32,
}

/// An agent that makes no step in a loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StillData {
    /// The number of the agent.
    pub agent: u32,
    /// In some state of the loop it could make a step.
    pub able: bool,
    /// If it is never able to: what it waits for where the loop begins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<WaitData>,
}

/// What an error of the model met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FaultData {
    /// An array has no cell with this index.
    Index {
        /// The name of the array; absent for one that is local to an action.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        variable: Option<String>,
        /// The index that was asked for, counted from 0.
        index: Value,
        /// How many cells there are in this dimension.
        cells: u32,
    },
    /// No agent has this number.
    NoAgent {
        /// The number that was asked for.
        number: Value,
        /// How many agents there are; they are counted from 0.
        agents: u32,
    },
    /// An agent does not have the variable.
    NoVariable {
        /// The number of the agent.
        agent: u32,
        /// The name of the variable.
        variable: String,
    },
    /// The result of an operation does not fit 64 bits.
    Overflow {
        /// The left operand.
        left: Value,
        /// The operator, for instance `+`.
        operator: String,
        /// The right operand.
        right: Value,
    },
}

/// A step that has no result, because it meets an error of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TriedData {
    /// The number of the agent.
    pub agent: u32,
    /// `action`, or the verb of a rule of the system.
    pub rule: String,
    /// The text of the action, or the name of a message.
    pub what: String,
    /// `line:column` of it.
    pub at: String,
}

/// Something that is true of an execution and a part of the formula that it violates. `after` counts the steps that were
/// made before the state that is meant; 0 is the initial state. `resting` says that the point is meant at which the system rests,
/// because no step is possible after the last one: the state is the same as after the last step, but no message is observed
/// any more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FormulaData {
    /// A quantifier is decided by this agent; what follows is about it. Several in a row are about quantifiers in one another,
    /// and replace all that were said before.
    Agent {
        /// The name in the quantifier.
        name: String,
        /// What that agent is called.
        agent: String,
    },
    /// A premise is true, so that something is required from there on.
    Opened {
        /// The premise as it is written.
        part: String,
        /// Where it is true.
        after: usize,
        /// The step has made it true: it was false in the state before.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        became: bool,
        /// It is true where the system rests.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        resting: bool,
    },
    /// A condition is true or false.
    Condition {
        /// The condition as it is written.
        part: String,
        /// After so many steps.
        after: usize,
        /// Whether it is true there.
        holds: bool,
        /// What makes it so.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        because: Vec<CauseData>,
        /// This is about where the system rests.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        resting: bool,
    },
    /// A step is, or is not, what is to be observed.
    Observed {
        /// The observation as it is written.
        part: String,
        /// The number of the step; absent where there is none, because the system rests.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<usize>,
        /// Whether it is.
        holds: bool,
    },
    /// From a state on, something is never true, or always.
    Forever {
        /// The part of the formula.
        part: String,
        /// From where on.
        after: usize,
        /// Always.
        holds: bool,
        /// Only from where the system rests.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        resting: bool,
    },
    /// Something is true in all states from one to another, both included.
    Kept {
        /// The part of the formula.
        part: String,
        /// The first of these states.
        from: usize,
        /// The last one.
        to: usize,
        /// And where the system rests after that.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        resting: bool,
    },
    /// Something is false that had to be true until something else is, and that has not been true.
    Before {
        /// What is false.
        part: String,
        /// Where it is false.
        after: usize,
        /// What had to come first.
        until: String,
        /// That has not been true there, either.
        inclusive: bool,
        /// It is false where the system rests.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        resting: bool,
    },
    /// What follows is outside of all quantifiers.
    Outside,
}

impl std::fmt::Display for FaultData {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FaultData::Index { variable, index, cells } => {
                let array = variable.as_deref().unwrap_or("an array");
                let plural = if *cells == 1 { "cell" } else { "cells" };
                write!(f, "index {index} of {array}, which has {cells} {plural}")
            }
            FaultData::NoAgent { number, agents } => {
                let plural = if *agents == 1 { "agent" } else { "agents" };
                write!(f, "agent {number} of {agents} {plural}, which are counted from 0")
            }
            FaultData::NoVariable { agent, variable } => write!(f, "agent {agent} does not have {variable}"),
            FaultData::Overflow { left, operator, right } => match operator.as_str() {
                "min" | "max" => write!(f, "{operator}({left}, {right}) does not fit"),
                _ => write!(f, "{left} {operator} {right} does not fit"),
            },
        }
    }
}
