//! The messages of R-CHECK in traces: what definition 2 says about a step, as data.

use swarmcheck_engine::trace::message::{DatumData, MessageData, PartData, RefusedData, WhyRefused};
use swarmcheck_rcheck::Specification;
use swarmcheck_rcheck::automaton::Edge;
use swarmcheck_rcheck::model::{Command, Type};
use swarmcheck_rcheck::reference::{Explained, Refusal, Values};

/// A step as data. `written` gives the text of a command and its place in the file.
pub fn message(
    spec: &Specification,
    step: &Explained,
    written: &dyn Fn(&Command) -> (String, String),
) -> MessageData {
    let part = |agent: usize, edge: &Edge| {
        let command = &spec.agent_of(agent).commands[edge.command];
        let (text, at) = written(command);
        PartData {
            agent: agent as u32,
            label: command.label.clone(),
            command: text,
            at,
            from: edge.from,
            to: edge.to,
        }
    };
    let refused = step.refused.iter().map(|(agent, why)| RefusedData {
        agent: *agent as u32,
        why: match why {
            Refusal::NotMeant => WhyRefused::SendGuard,
            Refusal::NoReceive => WhyRefused::NoReceive,
        },
    });
    let channel = step.channel.and_then(|channel| value_name(spec, Type::Channel, channel));
    MessageData {
        by: part(step.agent, &step.edge),
        channel,
        data: data(spec, &step.data),
        received: step.received.iter().map(|(agent, edge)| part(*agent, edge)).collect(),
        answer: step.answer.as_ref().map(|answer| data(spec, answer)),
        refused: refused.collect(),
    }
}

/// The variables that are set.
fn data(spec: &Specification, values: &Values) -> Vec<DatumData> {
    let set = spec.messages.iter().zip(values).filter_map(|(variable, value)| Some((variable, (*value)?)));
    let datum = |(variable, value): (&swarmcheck_rcheck::model::Variable, i64)| DatumData {
        variable: variable.name.clone(),
        value,
        name: value_name(spec, variable.ty, value),
    };
    set.map(datum).collect()
}

/// What a value of a type is called.
fn value_name(spec: &Specification, ty: Type, value: i64) -> Option<String> {
    let at = usize::try_from(value).ok()?;
    match ty {
        Type::Bool => ["false", "true"].get(at).map(ToString::to_string),
        Type::Enum(number) => spec.enums.get(number)?.1.get(at).cloned(),
        Type::Channel => spec.channels.get(at).cloned(),
        Type::Location => spec.instances.get(at).map(|instance| instance.name.clone()),
        Type::Int | Type::Range(..) => None,
    }
}

/// Whether a trace tells a step as it is. Text and place of a command are for people, and not compared.
pub(super) fn tells(spec: &Specification, told: &MessageData, step: &Explained) -> bool {
    let nothing = |_: &Command| (String::new(), String::new());
    let plain = |message: &MessageData| {
        let mut message = message.clone();
        for part in std::iter::once(&mut message.by).chain(&mut message.received) {
            (part.command, part.at) = (String::new(), String::new());
        }
        message
    };
    plain(told) == message(spec, step, &nothing)
}
