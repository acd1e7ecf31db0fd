//! A trace as a sequence of places with a sentence each, for tools that walk through code. What is known of a step's place is
//! found here, and nowhere else.

use super::finding::point;
use swarmcheck_session::{StepData, TraceData, WriteData};
use swarmcheck_source::data::PlaceData;

/// More initial values than this are counted, not listed.
const MOST: usize = 40;

/// A state or a step of a trace.
pub struct Stop {
    /// Where the action stands, if the step is one.
    pub place: Option<PlaceData>,
    pub message: String,
    /// Variables with their new values.
    pub values: Vec<(String, String)>,
}

/// The initial state, and then every step.
pub fn stops(trace: &TraceData) -> Vec<Stop> {
    let initial: Vec<(String, String)> = trace.initial.iter().map(value).collect();
    let listed: Vec<String> =
        initial.iter().take(MOST).map(|(name, value)| format!("{name} = {value}")).collect();
    let more = match initial.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = match listed.is_empty() {
        true => "initial state".to_string(),
        false => format!("initial state: {}{more}", listed.join(", ")),
    };
    let mut stops = vec![Stop { place: None, message, values: initial }];
    for (number, step) in trace.steps.iter().enumerate() {
        let mut message = format!("step {}: {}", number + 1, words(step));
        if trace.loop_start == Some(number) {
            message += " (from here on the execution repeats for ever)";
        }
        let values = step.writes.iter().map(value).collect();
        stops.push(Stop { place: place(step), message, values });
    }
    stops
}

/// Who did what, and what changed.
fn words(step: &StepData) -> String {
    let StepData { agent, kind, what, .. } = step;
    let mut text = match step.rule.as_str() {
        "action" => format!("{kind} {agent}: {what}"),
        rule => format!("{kind} {agent}: {rule} '{what}'"),
    };
    if !step.writes.is_empty() {
        let list: Vec<String> =
            step.writes.iter().map(value).map(|(name, value)| format!("{name} = {value}")).collect();
        text += &format!("; then {}", list.join(", "));
    }
    for property in &step.properties {
        text += &format!("; {} becomes {}", property.name, property.holds);
    }
    text
}

fn value(write: &WriteData) -> (String, String) {
    let index = write.index.map_or(String::new(), |index| format!("[{index}]"));
    let owner = write.agent.map_or(String::new(), |agent| format!(" of {agent}"));
    let value = match (&write.name, write.value) {
        (Some(name), _) => name.clone(),
        (None, Some(value)) => value.to_string(),
        (None, None) => "undef".to_string(),
    };
    (format!("{}{index}{owner}", write.variable), value)
}

/// Where the action stands; of a message, the command that sends it.
fn place(step: &StepData) -> Option<PlaceData> {
    let at = step.at.as_deref().or(step.message.as_ref().map(|message| message.by.at.as_str()))?;
    let (line, column) = at.split_once(':')?;
    Some(point(line.parse().ok()?, column.parse().ok()?))
}
