//! Traces as JSON. The format is documented in `docs/traces.md`; its version changes when its meaning does.

use super::change::ChangeData;
use super::explain::{CauseData, FaultData, FormulaData, LoopData, StopData, TriedData, TruthData};
use super::message::MessageData;
use super::view::{Assigned, Clock};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};
use swarmcheck_ir::flat::{Flat, Instance};
use swarmcheck_ir::{Rule, UNDEF, Value};
use swarmcheck_question::Fairness;

/// The name of the format.
pub const FORMAT: &str = "swarmcheck-trace";
/// The version of the format.
pub const VERSION: u32 = 1;

/// The rule of a step that is an action, and not one of the system.
pub const ACTION: &str = "action";

/// A whole trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceData {
    /// Always [`FORMAT`].
    pub format: String,
    /// The version it was written with.
    pub version: u32,
    /// The model's file, as it was given.
    pub model: String,
    /// Values of the parameters.
    pub parameters: Map<String, Json>,
    /// Whether agents act in round-robin order.
    pub fair: bool,
    /// `sliver` or `paper`.
    pub semantics: String,
    /// `late` or `early`; traces without it are older than early choice.
    #[serde(default = "late")]
    pub choice: String,
    /// Whether messages are delivered in the step that causes them; absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sync: bool,
    /// How operators bind in an R-CHECK model, if that was chosen: `conventional` or `rcheck`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub precedence: Option<String>,
    /// The seed of a random run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seed: Option<u64>,
    /// Which of the runs with this seed, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub run: Option<u64>,
    /// The initial state of a random run was found by search, so not every one was equally likely.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub searched_start: bool,
    /// The values of all cells in the initial state.
    pub initial: Vec<WriteData>,
    /// Properties whose predicate is known in the initial state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<PropertyData>,
    /// The steps, in order.
    pub steps: Vec<StepData>,
    /// `open`, `deadlock` or `model error: …`.
    pub end: String,
    /// The run repeats infinitely from the state after this many steps.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none", default)]
    pub loop_start: Option<usize>,
    /// The predicate that the execution was to reach, if it was found for that.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reach: Option<String>,
    /// The property that the trace is about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub property: Option<String>,
    /// The same property as it is written in the model, in one line.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub claim: Option<String>,
    /// The truth of the property's parts in the initial state, if it has several.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub truths: Vec<TruthData>,
    /// Why the property's predicate is true or false in the last state.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub because: Vec<CauseData>,
    /// Why no step is possible at the end.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stopped: Option<Box<StopData>>,
    /// What the loop repeats, and who does not take part in it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub repeats: Option<Box<LoopData>>,
    /// The error of the model at the end.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault: Option<Box<FaultData>>,
    /// The step that meets the error.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tried: Option<Box<TriedData>>,
    /// Why the execution violates a formula of linear time, from the whole formula to the part that decides.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub formula: Vec<FormulaData>,
    /// Only executions that are fair in this sense were to be found, so the loop is; absent if all were.
    #[serde(skip_serializing_if = "Fairness::is_none", default)]
    pub fairness: Fairness,
}

impl TraceData {
    /// The execution ends because the model meets an error.
    pub fn meets_error(&self) -> bool {
        self.fault.is_some() || !matches!(self.end.as_str(), "open" | "deadlock")
    }
}

fn late() -> String {
    "late".to_string()
}

/// One step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepData {
    /// The number of the agent that acts.
    pub agent: u32,
    /// The kind of that agent.
    pub kind: String,
    /// `action`, or the verb of a rule of the system: `propagate`, `confirm`, `send`, `get`.
    pub rule: String,
    /// The action's text, or the tuple of a message.
    pub what: String,
    /// `line:column` of the action in the model.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at: Option<String>,
    /// The message of the step and who took part in it, in languages whose steps are messages.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub message: Option<Box<MessageData>>,
    /// What was assigned, in order.
    pub writes: Vec<WriteData>,
    /// What every agent with pending messages still has to send after the step, for instance `confirm.leader`.
    #[serde(default)]
    pub pending: Vec<PendingData>,
    /// Properties whose predicate changed: name and new truth.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<PropertyData>,
    /// The net effect on the values: every cell that is different after the step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ChangeData>,
    /// Parts of the property whose truth is different after the step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub truths: Vec<TruthData>,
    /// The agents that would take over the message of the step, if the link predicate did not leave them out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unlinked: Vec<u32>,
}

/// A cell and its new value.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct WriteData {
    /// Whose cell; absent for the environment.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub agent: Option<u32>,
    /// The name of the variable.
    pub variable: String,
    /// Which cell of an array, row-major.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub index: Option<u32>,
    /// The value; `null` is undefined.
    pub value: Option<Value>,
    /// What the value is called, where the language has a name for it. It is for display only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// Its timestamp, if it is timestamped.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub timestamp: Option<i64>,
    /// In an action: whether a message of the same step brought it.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub heard: bool,
}

/// The messages that an agent still has to send.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct PendingData {
    /// The number of the sender.
    pub agent: u32,
    /// The messages by name, for instance `propagate.leader`.
    pub messages: Vec<String>,
}

/// A property whose predicate changed.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct PropertyData {
    /// The name of the property.
    pub name: String,
    /// Whether its predicate holds now.
    pub holds: bool,
    /// What makes it true or false.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<CauseData>,
}

/// An assignment as data.
pub fn write(flat: &Flat, assigned: &Assigned) -> WriteData {
    let var = flat.program.var(assigned.cell.var);
    WriteData {
        agent: assigned.cell.agent,
        variable: var.name.clone(),
        index: (!var.dimensions.is_empty()).then_some(assigned.cell.index),
        value: (assigned.value != UNDEF).then_some(assigned.value),
        name: flat.value_name(assigned.cell.var, assigned.value).map(str::to_string),
        timestamp: assigned.timestamp,
        heard: false,
    }
}

/// A step as data. `at` is the action's place in the file.
pub fn step(
    clock: &Clock<'_>,
    instance: Instance,
    assigned: &[Assigned],
    after: &[Value],
    at: impl Fn(swarmcheck_source::Span) -> String,
) -> StepData {
    let flat = clock.flat();
    let function = &flat.program.functions[instance.function as usize];
    let (rule, what, at) = match &function.rule {
        Rule::Action { words, .. } => (ACTION, words.clone(), Some(at(function.span))),
        Rule::System { verb, object, .. } => (*verb, object.clone(), None),
    };
    // What a message brings is always heard.
    let acts = rule == ACTION;
    StepData {
        agent: instance.agent,
        kind: flat.program.kind(flat.program.kind_of(instance.agent)).name.clone(),
        rule: rule.to_string(),
        what,
        at,
        message: None,
        writes: assigned.iter().map(|a| WriteData { heard: a.heard && acts, ..write(flat, a) }).collect(),
        pending: pending(clock, after),
        properties: vec![],
        changes: vec![],
        truths: vec![],
        unlinked: vec![],
    }
}

/// What agents have to send in a state, as data.
pub fn pending(clock: &Clock<'_>, state: &[Value]) -> Vec<PendingData> {
    let words = |messages: Vec<&str>| messages.into_iter().map(str::to_string).collect();
    let waiting = clock.pending(state).into_iter();
    waiting.map(|(agent, messages)| PendingData { agent, messages: words(messages) }).collect()
}

/// The values of the parameters as a JSON object.
pub fn parameters(values: &[(String, i64)]) -> Map<String, Json> {
    values.iter().map(|(name, value)| (name.clone(), json!(value))).collect()
}
