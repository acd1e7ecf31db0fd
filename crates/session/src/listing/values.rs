//! The values of a state in few lines: the environment first, then the agents, those with equal values together.

use super::pieces::{Piece, code, words};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use swarmcheck_engine::trace::data::WriteData;
use swarmcheck_engine::trace::legend::Legend;

/// An array with more cells than this is summarised if all of them are equal.
const MANY_CELLS: usize = 8;

/// A line of values, before it is broken: who has them, and the items.
pub(super) struct Row {
    /// Empty for the environment.
    pub(super) who: Vec<u32>,
    pub(super) items: Vec<String>,
}

/// All values, a row for the environment and one for each group of agents with equal values.
pub(super) fn rows(legend: &Legend, cells: &[WriteData]) -> Vec<Row> {
    let mut out: Vec<Row> = vec![];
    let mut known: HashMap<Vec<String>, usize> = HashMap::new();
    for own in cells.chunk_by(|a, b| a.agent == b.agent) {
        let items = items(legend, own);
        let Some(agent) = own[0].agent else {
            out.push(Row { who: vec![], items });
            continue;
        };
        match known.entry(items) {
            Entry::Occupied(row) => out[*row.get()].who.push(agent),
            Entry::Vacant(row) => {
                out.push(Row { who: vec![agent], items: row.key().clone() });
                row.insert(out.len() - 1);
            }
        }
    }
    out
}

/// `x = 1`, and arrays as a whole.
fn items(legend: &Legend, cells: &[WriteData]) -> Vec<String> {
    let mut out = vec![];
    let mut rest = cells;
    while let Some(first) = rest.first() {
        let count = rest.iter().take_while(|c| c.variable == first.variable).count();
        let (own, after) = rest.split_at(count);
        rest = after;
        let name = &first.variable;
        let values: Vec<String> = own.iter().map(|c| value(c.value, c.name.as_deref())).collect();
        out.push(match (first.index, &values[..]) {
            (None, [one]) => format!("{name} = {one}"),
            (_, [one, others @ ..]) if others.len() >= MANY_CELLS && others.iter().all(|o| o == one) => {
                format!("{name} = {one} in all {} cells", values.len())
            }
            (_, all) => format!("{name} = {}", nested(all, legend.sizes(name))),
        });
    }
    out
}

/// `[[1, 2], [3, 4]]`.
fn nested(values: &[String], sizes: &[u32]) -> String {
    let parts: Vec<String> = match sizes {
        [rows, inner @ ..] if !inner.is_empty() && *rows > 0 => {
            values.chunks(values.len().div_ceil(*rows as usize).max(1)).map(|c| nested(c, inner)).collect()
        }
        _ => values.to_vec(),
    };
    format!("[{}]", parts.join(", "))
}

/// A value as the user would write it.
pub(super) fn value(value: Option<i64>, name: Option<&str>) -> String {
    match (name, value) {
        (Some(name), _) => name.to_string(),
        (None, Some(value)) => value.to_string(),
        (None, None) => "undef".to_string(),
    }
}

/// `Bird 0, Bird 2 to 5, Ant 7`.
pub(super) fn agents(legend: &Legend, who: &[u32]) -> String {
    let mut out: Vec<String> = vec![];
    let mut rest = who;
    while let Some(first) = rest.first() {
        let kind = legend.kind_name(*first);
        let run = (0..)
            .zip(rest)
            .take_while(|(i, a)| first.checked_add(*i) == Some(**a) && legend.kind_name(**a) == kind);
        let run = run.count().max(1);
        match run {
            1 => out.push(legend.agent_name(*first)),
            2 => out.extend(rest[..2].iter().map(|a| legend.agent_name(*a))),
            _ => out.push(format!("{} to {}", legend.agent_name(*first), rest[run - 1])),
        }
        rest = &rest[run..];
    }
    out.join(", ")
}

/// The cells of one state that have other values in another one.
pub(super) fn differing(cells: &[WriteData], known: &[WriteData]) -> Option<Vec<WriteData>> {
    let same =
        |a: &WriteData, b: &WriteData| (a.agent, &a.variable, a.index) == (b.agent, &b.variable, b.index);
    let comparable = cells.len() == known.len() && cells.iter().zip(known).all(|(a, b)| same(a, b));
    let different = cells.iter().zip(known).filter(|(a, b)| a.value != b.value).map(|(a, _)| a.clone());
    comparable.then(|| different.collect())
}

/// A row as pieces: who, and its items.
pub(super) fn pieces(legend: &Legend, row: Row) -> (Vec<Piece>, Vec<Vec<Piece>>) {
    let who = match row.who.is_empty() {
        true => vec![],
        false => vec![Piece::Agent(agents(legend, &row.who)), words(": ")],
    };
    (who, row.items.into_iter().map(|item| vec![code(item)]).collect())
}
