//! Traces as JSON. The format is documented in `docs/traces.md`; its version changes when its meaning does.

use super::view::{Assigned, Clock};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};
use swarmcheck_ir::flat::{Flat, Instance};
use swarmcheck_ir::{Rule, UNDEF, Value};

/// The name of the format.
pub const FORMAT: &str = "swarmcheck-trace";
/// Its version.
pub const VERSION: u32 = 1;

/// A whole trace.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TraceData {
    /// Always [`FORMAT`].
    pub format: String,
    /// The version it was written with.
    pub version: u32,
    /// The model's file, as it was given.
    pub model: String,
    /// Values of the parameters.
    pub parameters: Map<String, Json>,
    /// Round-robin schedule.
    pub fair: bool,
    /// `sliver` or `paper`.
    pub semantics: String,
    /// `late` or `early`; traces without it are older than early choice.
    #[serde(default = "late")]
    pub choice: String,
    /// The seed of a random run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seed: Option<u64>,
    /// Which of the runs with this seed, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub run: Option<u64>,
    /// First values.
    pub initial: Vec<WriteData>,
    /// Properties whose predicate is known in the initial state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<PropertyData>,
    /// The steps.
    pub steps: Vec<StepData>,
    /// `open`, `deadlock` or `model error: …`.
    pub end: String,
    /// The run repeats for ever from the state after so many steps.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none", default)]
    pub loop_start: Option<usize>,
}

fn late() -> String {
    "late".to_string()
}

/// One step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StepData {
    /// Who.
    pub agent: u32,
    /// Its kind.
    pub kind: String,
    /// `action`, or the verb of a rule of the system: `propagate`, `confirm`, `send`, `get`.
    pub rule: String,
    /// The action's text, or the tuple of a message.
    pub what: String,
    /// `line:column` of the action in the model.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at: Option<String>,
    /// What was assigned, in order.
    pub writes: Vec<WriteData>,
    /// What every agent with pending messages still has to send after the step, for instance `confirm.leader`.
    #[serde(default)]
    pub pending: Vec<PendingData>,
    /// Properties whose predicate changed: name and new truth.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<PropertyData>,
}

/// A cell and its new value.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct WriteData {
    /// Whose cell; absent for the environment.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub agent: Option<u32>,
    /// The variable.
    pub variable: String,
    /// Which cell of an array, row-major.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub index: Option<u32>,
    /// The value; `null` is undefined.
    pub value: Option<Value>,
    /// What the value is called, where the language has a name for it; nobody computes with it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// Its timestamp, if it is timestamped.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub timestamp: Option<i64>,
}

/// What an agent still has to send.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct PendingData {
    /// Who.
    pub agent: u32,
    /// For instance `propagate.leader`.
    pub messages: Vec<String>,
}

/// A property whose predicate changed.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct PropertyData {
    /// Its name.
    pub name: String,
    /// Whether its predicate holds now.
    pub holds: bool,
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
        Rule::Action { words, .. } => ("action", words.clone(), Some(at(function.span))),
        Rule::System { verb, object, .. } => (*verb, object.clone(), None),
    };
    let pending = clock.pending(after).into_iter().map(|(agent, messages)| PendingData {
        agent,
        messages: messages.into_iter().map(str::to_string).collect(),
    });
    StepData {
        agent: instance.agent,
        kind: flat.program.kind(flat.program.kind_of(instance.agent)).name.clone(),
        rule: rule.to_string(),
        what,
        at,
        writes: assigned.iter().map(|a| write(flat, a)).collect(),
        pending: pending.collect(),
        properties: vec![],
    }
}

/// The values of the parameters as a JSON object.
pub fn parameters(values: &[(String, i64)]) -> Map<String, Json> {
    values.iter().map(|(name, value)| (name.clone(), json!(value))).collect()
}
