//! Triple structures as text: one triple a line, `entry: [guards] action: exit`.

use crate::{Exit, Location, Pc, Structure};
use std::fmt::Write;

/// Prints a structure with the given words for actions and guards.
pub fn print<A, G>(
    structure: &Structure<A, G>,
    action: impl Fn(&A) -> String,
    guard: impl Fn(&G) -> String,
) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "start: {}", exit(&structure.start));
    for (i, triple) in structure.triples.iter().enumerate() {
        let guards: String = triple.guards.iter().map(|g| format!("[{}] ", guard(g))).collect();
        let _ = writeln!(
            out,
            "{}: {}: {guards}{}: {}",
            i + 1,
            condition(&triple.entry),
            action(&triple.action),
            exit(&triple.exit)
        );
    }
    for (i, join) in structure.joins.iter().enumerate() {
        let ended = join.branches.iter().map(|pc| (*pc, Location::ENDED));
        let entry: Vec<_> = std::iter::once(join.parent).chain(ended).collect();
        let _ = writeln!(out, "join {}: {}: {}", i + 1, condition(&entry), exit(&join.exit));
    }
    out
}

pub(crate) fn condition(entry: &[(Pc, Location)]) -> String {
    let parts: Vec<String> = entry.iter().map(|(pc, at)| format!("pc{} = {}", pc.0, at.0)).collect();
    parts.join(", ")
}

pub(crate) fn exit(exit: &Exit) -> String {
    let mut parts: Vec<String> = exit.set.iter().map(|(pc, at)| format!("pc{} := {}", pc.0, at.0)).collect();
    // Parentheses where the commas of an exit and the `or` of a choice could be taken for each other.
    let alone = parts.is_empty() && exit.picks.len() == 1;
    parts.extend(exit.picks.iter().map(|pick| alternatives(pick, alone)));
    parts.extend(exit.joins.iter().map(|j| format!("join {}", j + 1)));
    if parts.is_empty() { "-".to_string() } else { parts.join(", ") }
}

fn alternatives(pick: &[Exit], alone: bool) -> String {
    let one = |way: &Exit| {
        let words = exit(way);
        if way.set.len() == 1 && way.picks.is_empty() { words } else { format!("({words})") }
    };
    let words = pick.iter().map(one).collect::<Vec<_>>().join(" or ");
    if alone { words } else { format!("({words})") }
}
