//! Traces as text in the style of SLiVER and of thesis figure 5.1 (`--trace-format sliver`). What is printed comes from a program and its states, or from data and
//! a legend; the text is the same.

use super::data::{ACTION, StepData, WriteData};
use super::legend::Legend;
use super::message::{self, AutomatonData, MessageData};
use super::view::{Assigned, Clock, value_name};
use std::fmt::Write;
use swarmcheck_ir::flat::{Flat, Instance};
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Rule, Value};

/// The initial state as text, one assignment per line.
pub fn initial(clock: &Clock<'_>, state: &[Value]) -> String {
    let flat = clock.flat();
    let items = clock.snapshot(state).iter().map(|a| Item::assigned(flat, a)).collect();
    initialization(items, &|agent| flat.program.agent_name(agent))
}

/// The same from data.
pub fn initial_data(legend: &Legend, values: &[WriteData]) -> String {
    let items = values.iter().map(|w| Item::write(legend, w)).collect();
    initialization(items, &|agent| legend.agent_name(agent))
}

/// The values of a state from data: the lines of [`initial_data`] without its frame.
pub fn values_data(legend: &Legend, values: &[WriteData]) -> Vec<String> {
    let items: Vec<Item<'_>> = values.iter().map(|w| Item::write(legend, w)).collect();
    items.into_iter().map(|item| value(&[item], &|agent| legend.agent_name(agent))).collect()
}

/// Where agents are in their automata, a line for each.
pub fn automata_data(legend: &Legend, automata: &[AutomatonData]) -> Vec<String> {
    automata.iter().map(|one| format!("{}: state {}", legend.agent_name(one.agent), one.state)).collect()
}

/// A step as text: the action or the message, and what it assigned.
pub fn step(flat: &Flat, instance: Instance, message: Option<&MessageData>, assigned: &[Assigned]) -> String {
    let rule = match &flat.program.functions[instance.function as usize].rule {
        Rule::Action { words, .. } => (None, words.as_str()),
        Rule::System { verb, object, .. } => (Some(*verb), object.as_str()),
    };
    let items = assigned.iter().map(|a| Item::assigned(flat, a)).collect();
    let name = |agent| flat.program.agent_name(agent);
    let message = message.map(|m| message::lines(m, &name)).unwrap_or_default();
    stepped(instance.agent, rule, message, items, &name)
}

/// The same from data.
pub fn step_data(legend: &Legend, step: &StepData) -> String {
    let verb = (step.rule != ACTION).then_some(step.rule.as_str());
    let items = step.writes.iter().map(|w| Item::write(legend, w)).collect();
    let name = |agent| legend.agent_name(agent);
    let message = step.message.as_ref().map(|m| message::lines(m, &name)).unwrap_or_default();
    stepped(step.agent, (verb, &step.what), message, items, &name)
}

/// A step in one line, for a list of what is possible. Steps that differ in their message have different lines.
pub fn choice_data(legend: &Legend, step: &StepData) -> String {
    let Some(message) = &step.message else {
        let whole = step_data(legend, step);
        return whole
            .lines()
            .map(str::trim_start)
            .filter(|line| !line.contains(": end "))
            .collect::<Vec<_>>()
            .join("; ");
    };
    let name = |agent| legend.agent_name(agent);
    let items = step.writes.iter().map(|w| Item::write(legend, w)).collect();
    let mut parts = message::short(message, &name);
    parts.extend(groups(items).iter().map(|group| by(&name(group[0].agent.unwrap_or(step.agent)), group)));
    parts.join("; ")
}

/// An assignment to one cell, ready to be printed.
struct Item<'a> {
    agent: Option<u32>,
    cell: String,
    arrow: &'a str,
    value: String,
    timestamp: Option<i64>,
    /// Another agent's value.
    heard: bool,
}

impl<'a> Item<'a> {
    fn assigned(flat: &'a Flat, assigned: &Assigned) -> Item<'a> {
        let arrow = match flat.program.var(assigned.cell.var).role {
            Role::Data { arrow, .. } => arrow,
            _ => ":=",
        };
        Item {
            agent: assigned.cell.agent,
            cell: assigned.cell.name(&flat.program),
            arrow,
            value: value_name(flat, assigned.cell, assigned.value),
            timestamp: assigned.timestamp,
            heard: assigned.heard,
        }
    }

    fn write(legend: &'a Legend, write: &WriteData) -> Item<'a> {
        let value = match (&write.name, write.value) {
            (Some(name), _) => name.clone(),
            (None, None) => "undef".to_string(),
            (None, Some(value)) => value.to_string(),
        };
        Item {
            agent: write.agent,
            cell: legend.cell_name(write),
            arrow: legend.arrow(&write.variable),
            value,
            timestamp: write.timestamp,
            heard: write.heard,
        }
    }
}

/// What an agent is called.
type Naming<'n> = &'n dyn Fn(u32) -> String;

fn initialization(items: Vec<Item<'_>>, name: Naming<'_>) -> String {
    let mut out = String::from("<initialization>\n");
    for item in items {
        line(&mut out, &value(&[item], name));
    }
    out + "<end initialization>\n"
}

/// A cell of a state with its value.
fn value(item: &[Item<'_>], name: Naming<'_>) -> String {
    match item[0].agent {
        None => format!("    {}", assignment(item)),
        Some(agent) => by(&name(agent), item),
    }
}

fn stepped(
    agent: u32,
    rule: (Option<&str>, &str),
    message: Vec<String>,
    items: Vec<Item<'_>>,
    name: Naming<'_>,
) -> String {
    let mut out = String::new();
    let actor = name(agent);
    match rule {
        (None, words) => {
            // What agents hear in the same step stands below, indented, so that it does not look like a step.
            let (heard, own): (Vec<Item<'_>>, Vec<Item<'_>>) = items.into_iter().partition(|item| item.heard);
            let parts: Vec<String> = groups(own).iter().map(|group| assignment(group)).collect();
            match &parts[..] {
                [] => line(&mut out, &format!("{actor}: {words}")),
                [one] => line(&mut out, &format!("{actor}: {one}")),
                all => line(&mut out, &format!("{actor}: {{ {} }}", all.join("; "))),
            }
            for group in groups(heard) {
                let receiver = group[0].agent.unwrap_or(agent);
                line(&mut out, &format!("  {}", by(&name(receiver), &group)));
            }
        }
        (Some(verb), object) => {
            line(&mut out, &format!("<{actor}: {verb} '{object}'>"));
            message.iter().for_each(|text| line(&mut out, text));
            for group in groups(items) {
                let receiver = group[0].agent.unwrap_or(agent);
                line(&mut out, &by(&name(receiver), &group));
            }
            line(&mut out, &format!("<{actor}: end {verb} '{object}'>"));
        }
    }
    out
}

fn line(out: &mut String, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

fn by(actor: &str, group: &[Item<'_>]) -> String {
    format!("{actor}: {}", assignment(group))
}

/// Neighbours that read as one compound assignment: same store, same agent, same timestamp, no cell twice.
fn groups(items: Vec<Item<'_>>) -> Vec<Vec<Item<'_>>> {
    let mut out: Vec<Vec<Item<'_>>> = vec![];
    for item in items {
        let joins = |group: &Vec<Item<'_>>| {
            let first = &group[0];
            (first.arrow, first.agent, first.timestamp) == (item.arrow, item.agent, item.timestamp)
                && group.iter().all(|other| other.cell != item.cell)
        };
        match out.last_mut() {
            Some(group) if joins(group) => group.push(item),
            _ => out.push(vec![item]),
        }
    }
    out
}

/// `x, y <- 1, 2`; with a timestamp `leader <~ 0,3` or `dirX, dirY <~ (1, -1),3`.
fn assignment(group: &[Item<'_>]) -> String {
    let names: Vec<&str> = group.iter().map(|item| item.cell.as_str()).collect();
    let values: Vec<&str> = group.iter().map(|item| item.value.as_str()).collect();
    let mut values = values.join(", ");
    if let Some(stamp) = group[0].timestamp {
        values = if group.len() == 1 { format!("{values},{stamp}") } else { format!("({values}),{stamp}") };
    }
    format!("{} {} {values}", names.join(", "), group[0].arrow)
}
