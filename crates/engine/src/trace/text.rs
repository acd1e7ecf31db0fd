//! Traces as text, in the style of thesis figure 5.1.

use super::view::{Assigned, Clock, cell_name, value_name};
use std::fmt::Write;
use swarmcheck_ir::flat::{Flat, Instance};
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Rule, Value};

/// The initial state.
pub fn initial(clock: &Clock<'_>, state: &[Value]) -> String {
    let flat = clock.flat();
    let mut out = String::from("<initialization>\n");
    for group in groups(flat, &clock.snapshot(state), Grouping::Single) {
        match group[0].cell.agent {
            None => line(&mut out, &format!("    {}", assignment(flat, &group))),
            Some(agent) => line(&mut out, &by(flat, agent, &group)),
        }
    }
    out + "<end initialization>\n"
}

/// One step.
pub fn step(flat: &Flat, instance: Instance, assigned: &[Assigned]) -> String {
    let mut out = String::new();
    let actor = flat.program.agent_name(instance.agent);
    match &flat.program.functions[instance.function as usize].rule {
        Rule::Action { words, .. } => {
            for group in groups(flat, assigned, Grouping::Compound) {
                line(&mut out, &by(flat, instance.agent, &group));
            }
            if assigned.is_empty() {
                line(&mut out, &format!("{actor}: {words}"));
            }
        }
        Rule::System { verb, object, .. } => {
            line(&mut out, &format!("<{actor}: {verb} '{object}'>"));
            for group in groups(flat, assigned, Grouping::Compound) {
                let receiver = group[0].cell.agent.unwrap_or(instance.agent);
                line(&mut out, &by(flat, receiver, &group));
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

fn by(flat: &Flat, agent: u32, group: &[Assigned]) -> String {
    format!("{}: {}", flat.program.agent_name(agent), assignment(flat, group))
}

#[derive(Clone, Copy, PartialEq)]
enum Grouping {
    /// Every cell on its own line.
    Single,
    /// What is assigned together on one line.
    Compound,
}

/// Neighbours that read as one compound assignment: same store, same agent, same timestamp, no cell twice.
fn groups(flat: &Flat, assigned: &[Assigned], grouping: Grouping) -> Vec<Vec<Assigned>> {
    let mut out: Vec<Vec<Assigned>> = vec![];
    for &a in assigned {
        let joins = grouping == Grouping::Compound
            && out.last().is_some_and(|group| {
                let first = group[0];
                arrow(flat, first) == arrow(flat, a)
                    && first.cell.agent == a.cell.agent
                    && first.timestamp == a.timestamp
                    && group.iter().all(|other| other.cell != a.cell)
            });
        match out.last_mut() {
            Some(group) if joins => group.push(a),
            _ => out.push(vec![a]),
        }
    }
    out
}

fn arrow(flat: &Flat, assigned: Assigned) -> &'static str {
    match flat.program.var(assigned.cell.var).role {
        Role::Data { arrow, .. } => arrow,
        _ => ":=",
    }
}

/// `x, y <- 1, 2`; with a timestamp `leader <~ 0,3` or `dirX, dirY <~ (1, -1),3`.
fn assignment(flat: &Flat, group: &[Assigned]) -> String {
    let names: Vec<String> = group.iter().map(|a| cell_name(flat, a.cell)).collect();
    let values: Vec<String> = group.iter().map(|a| value_name(flat, a.cell, a.value)).collect();
    let mut values = values.join(", ");
    if let Some(stamp) = group[0].timestamp {
        values = if group.len() == 1 { format!("{values},{stamp}") } else { format!("({values}),{stamp}") };
    }
    format!("{} {} {values}", names.join(", "), arrow(flat, group[0]))
}
