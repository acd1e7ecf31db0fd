//! Which steps of a trace get a row of a sequence chart, and which become one row together.

use super::ChartOptions;
use crate::data::{Picture, Row};
use std::collections::BTreeSet;

/// Shorter runs are not worth folding.
const SHORTEST: usize = 4;
/// More names than this are not listed.
const MOST_NAMES: usize = 4;
/// More rows than this are not drawn.
const MOST_ROWS: usize = 5_000;

/// A row of a chart.
pub(super) enum Item<'p> {
    /// The step with this number, from 1.
    Row(usize, &'p Row),
    /// Several steps.
    Folded {
        /// What is said instead of them.
        words: String,
        /// The number of the first step.
        first: usize,
        /// The number of the last step.
        last: usize,
    },
}

/// The rows of a chart.
pub(super) fn items<'p>(picture: &'p Picture, options: &ChartOptions) -> Vec<Item<'p>> {
    let (from, to) = options.steps.unwrap_or((1, usize::MAX));
    let rows: Vec<(usize, &Row)> =
        (1..).zip(&picture.chart).filter(|(step, _)| (from..=to).contains(step)).collect();
    let mut out = vec![];
    let mut at = 0;
    while at < rows.len() && out.len() < MOST_ROWS {
        let length = if options.fold { run(picture, options, &rows[at..]) } else { 0 };
        match length {
            0 => {
                out.push(Item::Row(rows[at].0, rows[at].1));
                at += 1;
            }
            length => {
                out.push(folded(picture, &rows[at..at + length]));
                at += length;
            }
        }
    }
    if at < rows.len() {
        out.push(folded(picture, &rows[at..]));
    }
    out
}

/// How many of these steps are folded, beginning with the first.
fn run(picture: &Picture, options: &ChartOptions, rows: &[(usize, &Row)]) -> usize {
    let Some((first, row)) = rows.first() else { return 0 };
    // What repeats is told apart from what comes before.
    let limit = options.loop_start.filter(|start| *start >= *first).unwrap_or(usize::MAX);
    let idle = |step: usize| {
        !picture.causes.is_empty() && !picture.causes.iter().any(|cause| *cause as usize == step)
    };
    let who = taking_part(row);
    let similar = |(step, other): &&(usize, &Row)| {
        *step <= limit
            && if idle(*first) { idle(*step) } else { taking_part(other) == who && !matters(picture, *step) }
    };
    let length = rows.iter().take_while(similar).count();
    if length >= SHORTEST { length } else { 0 }
}

fn matters(picture: &Picture, step: usize) -> bool {
    picture.causes.iter().any(|cause| *cause as usize == step)
}

fn taking_part(row: &Row) -> BTreeSet<u32> {
    let ends = row.arrows.iter().flat_map(|arrow| [arrow.from, arrow.to]);
    row.agent.into_iter().chain(ends).collect()
}

fn folded<'p>(picture: &Picture, rows: &[(usize, &Row)]) -> Item<'p> {
    let agents: BTreeSet<u32> = rows.iter().filter_map(|(_, row)| row.agent).collect();
    let name = |agent: &u32| {
        let known = picture.agents.iter().find(|one| one.agent == *agent);
        known.map_or_else(|| format!("agent {agent}"), |one| one.name.clone())
    };
    let names: Vec<String> = agents.iter().take(MOST_NAMES).map(name).collect();
    let more = agents.len().saturating_sub(MOST_NAMES);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    let words = format!("… {} steps of {}{rest} …", rows.len(), names.join(", "));
    let (first, last) = (rows.first().map_or(0, |r| r.0), rows.last().map_or(0, |r| r.0));
    Item::Folded { words, first, last }
}
