//! A diagnostic of CADP as an execution: a transition system whose labels say what was assigned, and who has made a step.
//!
//! The labels (`docs/export-lnt.md`) tell of data, not of locations and pending messages. So for every step all
//! states are kept that the model can be in, given what the labels say; any way through them is an execution with
//! these labels.

use crate::reading::unreadable;
use crate::{Trail, Unreadable};
use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_ir::flat::{Enumerate, Flat, Instance, Machine, Outcome};
use swarmcheck_ir::{UNDEF, Value};
use swarmcheck_lts::aut::{Invisible, read};

/// The encoding of ⊥ in labels.
const UNDEFINED: i64 = -2_147_483_647;

/// How many states are kept, and how many ways to make a step, or to begin, are tried.
const ATTEMPTS: usize = 1_000_000;

/// A complete step, or the beginning: who has done what, and what all cells with labels are afterwards.
struct Seen {
    step: Option<(u32, String)>,
    cells: BTreeMap<usize, Value>,
}

/// The execution of the model that a diagnostic, in Aldebaran format, stands for. `stops` tells that it goes on
/// forever, or stops where no step is possible.
pub fn follow(text: &str, flat: &Flat, stops: bool) -> Result<Trail, Unreadable> {
    let (labels, back_to) = path(text)?;
    let (seen, cycle) = steps(flat, &labels, back_to)?;
    let mut machine = Machine::new(flat);
    // For each step, the states after it, each with the place of the one before it.
    let mut layers: Vec<Vec<(Vec<Value>, usize)>> = vec![];
    for step in &seen {
        let before = layers.last();
        let mut layer: Vec<(Vec<Value>, usize)> = vec![];
        let mut known: BTreeSet<Vec<Value>> = BTreeSet::new();
        let fits = |state: &[Value]| step.cells.iter().all(|(at, value)| state[*at] == *value);
        let mut keep = |state: &[Value], parent: usize| {
            if fits(state) && known.insert(state.to_vec()) {
                layer.push((state.to_vec(), parent));
            }
        };
        match (&step.step, before) {
            (None, None) => beginnings(flat, &mut machine, &mut |state| keep(state, 0))?,
            (Some((agent, function)), Some(before)) => {
                let at = instance(flat, *agent, function)?;
                for (parent, (state, _)) in before.iter().enumerate() {
                    successors(flat, &mut machine, at, state, &mut |state| keep(state, parent))?;
                }
            }
            _ => return unreadable("the diagnostic does not begin with START, or begins twice"),
        }
        if layer.len() > ATTEMPTS {
            return too_many();
        }
        if layer.is_empty() {
            return unreadable(format!("step {} of the diagnostic cannot be made", layers.len()));
        }
        layers.push(layer);
    }
    let steps: Vec<(u32, u32)> = seen
        .iter()
        .filter_map(|s| s.step.as_ref())
        .map(|(agent, function)| instance(flat, *agent, function).map(|at| (at.function, at.agent)))
        .collect::<Result<_, _>>()?;
    for last in 0..layers.last().map_or(0, Vec::len) {
        let states = back(&layers, last);
        let fits = match (cycle, stops) {
            (Some(at), _) => states.last() == states.get(at),
            (None, true) => is_stuck(flat, &mut machine, states.last().map_or(&[], Vec::as_slice))?,
            (None, false) => true,
        };
        if fits {
            let cycle = cycle.or_else(|| stops.then_some(steps.len()));
            return Ok(Trail { states, steps, attempted: None, cycle });
        }
    }
    unreadable("the diagnostic neither closes a loop nor ends in a deadlock of the model")
}

/// The labels of a diagnostic that is a path, and the place of the one that follows the last.
fn path(text: &str) -> Result<(Vec<String>, Option<usize>), Unreadable> {
    let system = read(text, Invisible::I)
        .map_err(|e| Unreadable { why: format!("the diagnostic is damaged: {e}") })?;
    let mut places = BTreeMap::new();
    let mut labels = vec![];
    let mut at = system.initial();
    loop {
        if let Some(place) = places.insert(at, labels.len()) {
            return Ok((labels, Some(place)));
        }
        match system.steps(at) {
            [] => return Ok((labels, None)),
            [(label, target)] => {
                labels.push(system.label(*label).to_string());
                at = *target;
            }
            _ => return unreadable("the diagnostic branches, so it is not one execution"),
        }
    }
}

/// What the labels say, step by step. A loop that begins inside a step begins as well where that step ends.
fn steps(
    flat: &Flat,
    labels: &[String],
    back_to: Option<usize>,
) -> Result<(Vec<Seen>, Option<usize>), Unreadable> {
    let complete = |label: &String| label == "START" || label.starts_with("STEP ");
    let mut labels: Vec<&String> = labels.iter().collect();
    let turn = back_to.map(|at| (at, (at..labels.len()).find(|i| complete(labels[*i]))));
    let turn = match turn {
        None => None,
        Some((_, None)) => return unreadable("the diagnostic loops without a step"),
        Some((at, Some(end))) => {
            labels.extend_from_within(at..=end);
            Some(end)
        }
    };
    let mut seen: Vec<Seen> = vec![];
    let mut cells = BTreeMap::new();
    let mut cycle = None;
    let mut open = false;
    for (at, label) in labels.into_iter().enumerate() {
        let words = words(label)?;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let step = match words[..] {
            ["START"] => None,
            ["STEP", agent, function] => Some((number(agent)?, function.to_string())),
            ["ASSIGN" | "SHARED", ..] => {
                let (cell, value) = assigned(flat, &words)?;
                cells.insert(cell, value);
                open = true;
                continue;
            }
            _ => return unreadable(format!("the diagnostic has an unknown label: {label}")),
        };
        if turn == Some(at) {
            cycle = Some(seen.len());
        }
        open = false;
        seen.push(Seen { step, cells: cells.clone() });
    }
    match open || seen.is_empty() {
        true => unreadable("the diagnostic ends inside a step"),
        false => Ok((seen, cycle)),
    }
}

/// The gate and the offers of a label: `ASSIGN !0 !"x" !1`.
fn words(label: &str) -> Result<Vec<String>, Unreadable> {
    let mut parts = label.split(" !").map(str::trim);
    let gate = parts.next().unwrap_or_default().to_string();
    let offer = |part: &str| part.trim_matches('"').to_string();
    match gate.is_empty() || gate.contains(' ') {
        true => unreadable(format!("the diagnostic has an unknown label: {label}")),
        false => Ok(std::iter::once(gate).chain(parts.map(offer)).collect()),
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, Unreadable> {
    let plain = text.trim_start_matches('(').trim_end_matches(')').trim_start_matches('+');
    plain.parse().or_else(|_| unreadable(format!("the diagnostic has {text} where a number should be")))
}

/// The cell that a label refers to, and its value.
fn assigned(flat: &Flat, words: &[&str]) -> Result<(usize, Value), Unreadable> {
    let none = || Unreadable { why: format!("the model has no cell for: {}", words.join(" ")) };
    let (agent, name, cell, value): (Option<u32>, &str, usize, &str) = match *words {
        ["ASSIGN", agent, name, value] => (Some(number(agent)?), name, 0, value),
        ["ASSIGN", agent, name, cell, value] => (Some(number(agent)?), name, number(cell)?, value),
        ["SHARED", name, value] => (None, name, 0, value),
        ["SHARED", name, cell, value] => (None, name, number(cell)?, value),
        _ => return Err(none()),
    };
    let place =
        flat.program.vars.iter().zip(0..).filter(|(var, _)| var.name == name).find_map(|(var, id)| {
            let id = swarmcheck_ir::VarId(id);
            let size: usize = var.dimensions.iter().map(|d| *d as usize).product();
            let first = match (agent, &var.owners) {
                (Some(agent), Some(_)) => flat.layout.copy(id, agent),
                (None, None) => Some(flat.layout.global(id)),
                _ => None,
            }?;
            (cell < size).then_some(first as usize + cell)
        });
    let value = match number::<i64>(value)? {
        UNDEFINED => UNDEF,
        value => value,
    };
    Ok((place.ok_or_else(none)?, value))
}

fn instance(flat: &Flat, agent: u32, function: &str) -> Result<Instance, Unreadable> {
    let is_it =
        |at: &Instance| at.agent == agent && flat.program.functions[at.function as usize].name == function;
    let found = (0..flat.instances()).map(|number| flat.instance(number)).find(is_it);
    found.ok_or_else(|| Unreadable { why: format!("agent {agent} has no function {function}") })
}

fn too_many<T>() -> Result<T, Unreadable> {
    unreadable("too many executions have the labels of the diagnostic")
}

/// All initial states.
fn beginnings(flat: &Flat, machine: &mut Machine, found: &mut dyn FnMut(&[Value])) -> Result<(), Unreadable> {
    let mut choices = Enumerate::default();
    for _ in 0..ATTEMPTS {
        let mut state = vec![0; flat.width()];
        if machine.initialise(flat, &mut state, &mut choices) == Outcome::Done {
            found(&state);
        }
        if !choices.advance() {
            return Ok(());
        }
    }
    too_many()
}

/// All states that a step leads to.
fn successors(
    flat: &Flat,
    machine: &mut Machine,
    at: Instance,
    from: &[Value],
    found: &mut dyn FnMut(&[Value]),
) -> Result<(), Unreadable> {
    let mut choices = Enumerate::default();
    for _ in 0..ATTEMPTS {
        let mut state = from.to_vec();
        if machine.step(flat, at, &mut state, &mut choices) == Outcome::Done {
            found(&state);
        }
        if !choices.advance() {
            return Ok(());
        }
    }
    too_many()
}

fn is_stuck(flat: &Flat, machine: &mut Machine, state: &[Value]) -> Result<bool, Unreadable> {
    let mut stuck = true;
    for number in 0..flat.instances() {
        successors(flat, machine, flat.instance(number), state, &mut |_| stuck = false)?;
    }
    Ok(stuck)
}

/// The states that lead to one of the last.
fn back(layers: &[Vec<(Vec<Value>, usize)>], last: usize) -> Vec<Vec<Value>> {
    let mut at = last;
    let mut states: Vec<Vec<Value>> = vec![];
    for layer in layers.iter().rev() {
        let (state, parent) = &layer[at];
        states.push(state.clone());
        at = *parent;
    }
    states.reverse();
    states
}
