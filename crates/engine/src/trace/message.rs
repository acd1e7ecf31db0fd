//! A step that is a message: who sent it with which command, what it said, who received it, and who could not. The data,
//! and its words. Figure 8b of the article on R-CHECK shows the same of a step.

use serde::{Deserialize, Serialize};
use swarmcheck_ir::Value;

/// The message of a step, and who took part in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MessageData {
    /// Who sent it, or asked.
    pub by: PartData,
    /// The name of the channel; absent if one agent asked another.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub channel: Option<String>,
    /// What the message said, or what was said with the question.
    pub data: Vec<DatumData>,
    /// Who received it, or the one who answered.
    pub received: Vec<PartData>,
    /// What the answer said; absent if there was a channel.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub answer: Option<Vec<DatumData>>,
    /// Who was asked and could not receive it. This is possible on broadcast only.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub refused: Vec<RefusedData>,
}

/// How an agent took part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartData {
    /// The number of the agent.
    pub agent: u32,
    /// The label of its command, if it has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub label: Option<String>,
    /// Its command as it is written in the model, in one line.
    pub command: String,
    /// `line:column` of the command.
    pub at: String,
    /// The state of its automaton before the step, from 0.
    pub from: u32,
    /// The state of its automaton after the step.
    pub to: u32,
}

/// A variable of a message and its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DatumData {
    /// The name of the variable.
    pub variable: String,
    /// Its value.
    pub value: Value,
    /// What the value is called, if it has a name. It is for display only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
}

/// Who could not receive, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RefusedData {
    /// The number of the agent.
    pub agent: u32,
    /// The reason.
    pub why: WhyRefused,
}

/// Why a broadcast did not reach an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyRefused {
    /// Its properties do not satisfy the send guard.
    SendGuard,
    /// It was meant, but no receive of it was enabled.
    NoReceive,
}

/// Where an agent is in its automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutomatonData {
    /// The number of the agent.
    pub agent: u32,
    /// The state, from 0.
    pub state: u32,
}

/// What an agent is called.
pub type Naming<'n> = &'n dyn Fn(u32) -> String;

/// The message in full, a line for each thing that there is to say.
pub(super) fn lines(message: &MessageData, name: Naming<'_>) -> Vec<String> {
    let mut out = saying(message, name);
    let (sends, receives) = verbs(message);
    let part = |part: &PartData, verb: &str| {
        let PartData { agent, command, at, from, to, .. } = part;
        format!("{} {verb}, state {from} -> {to}: {command} (at {at})", name(*agent))
    };
    out.push(part(&message.by, sends));
    out.extend(message.received.iter().map(|one| part(one, receives)));
    out.extend(refusals(message, name));
    out
}

/// The same for a list of steps: labels instead of commands, where there are labels.
pub(super) fn short(message: &MessageData, name: Naming<'_>) -> Vec<String> {
    let (sends, receives) = verbs(message);
    let part = |part: &PartData, verb: &str| {
        let PartData { agent, label, command, at, from, to } = part;
        let what = label.as_deref().unwrap_or(command);
        format!("{} ({from} -> {to}) {verb} by {what} (at {at})", name(*agent))
    };
    let mut out = vec![part(&message.by, sends)];
    out.extend(saying(message, name));
    out.extend(message.received.iter().map(|one| part(one, receives)));
    out.extend(refusals(message, name));
    out
}

/// What a sender and a receiver do; a getter and a supplier, if there is no channel.
pub fn verbs(message: &MessageData) -> (&'static str, &'static str) {
    match message.channel {
        Some(_) => ("sends", "receives"),
        None => ("gets", "supplies"),
    }
}

/// What is said, by whom if both sides say something.
fn saying(message: &MessageData, name: Naming<'_>) -> Vec<String> {
    match (&message.channel, &message.answer) {
        (Some(channel), _) => vec![format!("on {channel}: {}", data(&message.data))],
        (None, answer) => {
            let asked = format!("{} says {}", name(message.by.agent), data(&message.data));
            let answered = message.received.first().zip(answer.as_ref());
            let answered = answered.map(|(who, said)| format!("{} says {}", name(who.agent), data(said)));
            std::iter::once(asked).chain(answered).collect()
        }
    }
}

/// `MSG = request, LNK = c`.
pub fn data(data: &[DatumData]) -> String {
    let one = |datum: &DatumData| match &datum.name {
        Some(name) => format!("{} = {name}", datum.variable),
        None => format!("{} = {}", datum.variable, datum.value),
    };
    match data {
        [] => "nothing".to_string(),
        data => data.iter().map(one).collect::<Vec<_>>().join(", "),
    }
}

/// Who was asked in vain, as lines.
pub fn refusals(message: &MessageData, name: Naming<'_>) -> Vec<String> {
    let mut out = vec![];
    for (why, words) in [
        (WhyRefused::SendGuard, "the send guard leaves out"),
        (WhyRefused::NoReceive, "without an enabled receive"),
    ] {
        let who = message.refused.iter().filter(|one| one.why == why).map(|one| name(one.agent));
        let who: Vec<String> = who.collect();
        if !who.is_empty() {
            out.push(format!("{words}: {}", who.join(", ")));
        }
    }
    out
}
