//! How a system was put together from processes, in words: a table like table 2 of De Nicola, Di Stefano, Inverso and Lang's
//! paper at ISoLA 2021, and the tree of compositions as indented text.

use super::count;
use swarmcheck_engine::{Composition, CompositionNode};
use swarmcheck_lts::Equivalence;

/// What an equivalence is called.
pub fn equivalence(equivalence: Equivalence) -> &'static str {
    match equivalence {
        Equivalence::Strong => "strong bisimulation",
        Equivalence::Branching => "branching bisimulation",
        Equivalence::DivergenceBranching => "divergence-preserving branching bisimulation",
    }
}

/// How many processes there are, and how large the largest composition was.
pub fn summary(report: &Composition) -> String {
    let single: Vec<&CompositionNode> = report.nodes.iter().filter(|node| node.parts.is_empty()).collect();
    let processes = processes(single.len());
    let states: u64 = single.iter().map(|node| u64::from(node.states)).sum();
    let mut out = format!("{processes} with {} in all", count(states as usize, "state"));
    let compositions = report.nodes.iter().filter(|node| !node.parts.is_empty());
    if let Some(largest) = compositions.max_by_key(|node| node.states) {
        out += &format!(", largest composition: {}", size(largest.states, largest.transitions));
    }
    out
}

/// `1 process`, `2 processes`.
pub fn processes(n: usize) -> String {
    if n == 1 { "1 process".to_string() } else { format!("{n} processes") }
}

/// What was put together, and up to what.
pub fn heading(report: &Composition) -> String {
    let mut out = summary(report);
    if report.unfinished {
        out = format!("given up; so far {out}");
    }
    if !report.equivalence.is_empty() {
        out += &format!("; reduced up to {}", report.equivalence);
    }
    out
}

fn size(states: u32, transitions: u64) -> String {
    format!("{}, {}", count(states as usize, "state"), count(transitions as usize, "transition"))
}

/// The name of a node: of a process its own, of a composition what was joined.
pub fn name(report: &Composition, number: usize) -> String {
    let Some(node) = report.nodes.get(number) else { return String::new() };
    match &node.parts[..] {
        [] => node.name.clone(),
        _ if number + 1 == report.nodes.len() && !report.unfinished => "whole system".to_string(),
        parts => {
            let part = |part: &u32| match single(report, *part as usize) {
                names if names.len() == 1 => names[0].clone(),
                names => format!("({})", together(&names)),
            };
            parts.iter().map(part).collect::<Vec<_>>().join(" + ")
        }
    }
}

/// The names of the single processes in a node.
fn single(report: &Composition, number: usize) -> Vec<String> {
    let mut names = vec![];
    let mut open = vec![number];
    while let Some(number) = open.pop() {
        let Some(node) = report.nodes.get(number) else { continue };
        match node.parts.is_empty() {
            true => names.push(node.name.clone()),
            false => open.extend(node.parts.iter().rev().map(|part| *part as usize)),
        }
    }
    names
}

/// Several names, with numbers that follow each other as a range: `Bird 0 to 2, turn`.
pub(crate) fn together(names: &[String]) -> String {
    let numbered = |name: &String| {
        let (kind, number) = name.rsplit_once(' ')?;
        Some((kind.to_string(), number.parse::<u64>().ok()?))
    };
    let mut agents: Vec<(String, u64)> = names.iter().filter_map(numbered).collect();
    agents.sort();
    let mut out: Vec<String> = vec![];
    let mut rest = &agents[..];
    while let [(kind, first), ..] = rest {
        let follow = |(at, (k, n)): (usize, &(String, u64))| k == kind && *n == first + at as u64;
        let length = rest.iter().enumerate().take_while(|(at, one)| follow((*at, one))).count();
        match length {
            1 => out.push(format!("{kind} {first}")),
            2 => out.extend([format!("{kind} {first}"), format!("{kind} {}", first + 1)]),
            _ => out.push(format!("{kind} {first} to {}", first + length as u64 - 1)),
        }
        rest = &rest[length..];
    }
    out.extend(names.iter().filter(|name| numbered(name).is_none()).cloned());
    out.join(", ")
}

const HEAD: [&str; 7] =
    ["process", "states", "transitions", "reduced states", "reduced transitions", "time (s)", "memory"];

/// The cells of the table: processes first, then compositions, the whole system last.
pub fn rows(report: &Composition) -> Vec<[String; 7]> {
    let row = |(number, node): (usize, &CompositionNode)| {
        let left = |count: Option<u64>| count.map_or("-".to_string(), |count| count.to_string());
        let name = name(report, number);
        let (seconds, memory) = (format!("{:.2}", node.seconds), bytes(node.memory));
        let (name, seconds, memory) = match node.copy_of.and_then(|other| report.nodes.get(other as usize)) {
            // It was made and reduced once.
            Some(other) => (format!("{name} (as {})", other.name), "-".to_string(), "-".to_string()),
            None => (name, seconds, memory),
        };
        [
            name,
            chain([node.alone_states.map(u64::from), Some(node.states.into())]),
            chain([node.alone_transitions, Some(node.transitions)]),
            left(node.reduced_states.map(u64::from)),
            left(node.reduced_transitions),
            seconds,
            memory,
        ]
    };
    report.nodes.iter().enumerate().map(row).collect()
}

fn bytes(bytes: u64) -> String {
    match bytes {
        0 => "-".to_string(),
        b if b < 100_000 => format!("{} kB", b.div_ceil(1000)),
        b if b < 10_000_000 => format!("{:.1} MB", b as f64 / 1e6),
        b => format!("{} MB", b / 1_000_000),
    }
}

/// The table in columns.
pub fn table(report: &Composition) -> String {
    let rows: Vec<[String; 7]> =
        std::iter::once(HEAD.map(str::to_string)).chain(self::rows(report)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..HEAD.len()).map(width).collect();
    let mut out = String::new();
    for row in &rows {
        let cell = |(at, cell): (usize, &String)| match at {
            0 => format!("{cell:width$}", width = widths[at]),
            _ => format!("{cell:>width$}", width = widths[at]),
        };
        out += row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end();
        out.push('\n');
    }
    out
}

/// The table in Markdown.
pub fn markdown(report: &Composition) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut out = line(&HEAD.map(str::to_string));
    out += "|---|--:|--:|--:|--:|--:|--:|\n";
    for mut row in rows(report) {
        row[0] = row[0].replace('|', "\\|");
        out += &line(&row);
    }
    out
}

/// The tree of compositions: below a composition stands what was joined.
pub fn tree(report: &Composition) -> String {
    let mut out = String::new();
    // What is part of nothing: the whole system, or all that was left when it was given up.
    let part = |number: usize| report.nodes.iter().any(|node| node.parts.contains(&(number as u32)));
    let roots = (0..report.nodes.len()).rev().filter(|number| !part(*number));
    // What stands before a line, and before the lines below it.
    let mut open: Vec<(usize, String, String)> =
        roots.map(|root| (root, String::new(), String::new())).collect();
    while let Some((number, before, below)) = open.pop() {
        let Some(node) = report.nodes.get(number) else { continue };
        out += &format!("{before}{}: {}\n", name(report, number), sizes(node));
        let count = node.parts.len();
        let inner = node.parts.iter().enumerate().map(|(at, part)| {
            let (branch, rest) = if at + 1 == count { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            (*part as usize, format!("{below}{branch}"), format!("{below}{rest}"))
        });
        open.extend(inner.rev());
    }
    out
}

/// The size of a node alone, among its neighbours and after its reduction, in two lines for a picture.
pub fn lines(node: &CompositionNode) -> Vec<String> {
    let (states, alone, left) = (u64::from(node.states), node.alone_states, node.reduced_states);
    let (transitions, left_of) = (Some(node.transitions), node.reduced_transitions);
    let words = |sizes: [Option<u64>; 3], what: &str| {
        let last = sizes.iter().flatten().next_back().copied().unwrap_or(0);
        let last = count(last as usize, what);
        let noun = last.split_once(' ').map_or("", |(_, noun)| noun);
        format!("{} {noun}", chain(sizes))
    };
    vec![
        words([alone.map(u64::from), Some(states), left.map(u64::from)], "state"),
        words([node.alone_transitions, transitions, left_of], "transition"),
    ]
}

/// Sizes that follow each other, each once: alone, restricted to what others let it do, reduced.
fn chain<const N: usize>(sizes: [Option<u64>; N]) -> String {
    let mut sizes: Vec<u64> = sizes.into_iter().flatten().collect();
    sizes.dedup();
    sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(" → ")
}

fn sizes(node: &CompositionNode) -> String {
    lines(node).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(name: &str, parts: &[u32], states: u32, left: u32) -> CompositionNode {
        CompositionNode {
            name: name.to_string(),
            parts: parts.to_vec(),
            states,
            transitions: u64::from(states) * 2,
            reduced_states: Some(left),
            reduced_transitions: Some(u64::from(left) * 2),
            ..CompositionNode::default()
        }
    }

    fn birds() -> Composition {
        let nodes = vec![
            node("Bird 0", &[], 9, 4),
            node("Bird 1", &[], 9, 4),
            node("Bird 2", &[], 9, 4),
            node("turn", &[], 4, 4),
            node("Bird 0, Bird 1", &[0, 1], 16, 10),
            node("Bird 0, Bird 1, Bird 2", &[4, 2], 40, 20),
            node("Bird 0, Bird 1, Bird 2, turn", &[5, 3], 80, 30),
        ];
        Composition { nodes, ..Composition::default() }
    }

    #[test]
    fn compositions_are_named_by_what_was_joined() {
        let names: Vec<String> = rows(&birds()).into_iter().map(|[name, ..]| name).collect();
        let expected = [
            "Bird 0",
            "Bird 1",
            "Bird 2",
            "turn",
            "Bird 0 + Bird 1",
            "(Bird 0, Bird 1) + Bird 2",
            "whole system",
        ];
        assert_eq!(names, expected);
        let names = ["turn", "Bird 2", "Bird 0", "Bird 1", "Bird 10"].map(str::to_string);
        assert_eq!(together(&names), "Bird 0 to 2, Bird 10, turn");
        assert_eq!(
            summary(&birds()),
            "4 processes with 31 states in all, largest composition: 80 states, 160 transitions"
        );
    }

    #[test]
    fn sizes_tell_what_neighbours_left_out() {
        let restricted = CompositionNode {
            alone_states: Some(12),
            alone_transitions: Some(40),
            ..node("Bird 0", &[], 9, 1)
        };
        assert_eq!(lines(&restricted), ["12 → 9 → 1 state", "40 → 18 → 2 transitions"]);
        let report = Composition { nodes: vec![restricted], ..Composition::default() };
        assert_eq!(rows(&report)[0][..4], ["Bird 0", "12 → 9", "40 → 18", "1"]);
    }

    #[test]
    fn the_tree_begins_with_the_whole() {
        let expected = "\
whole system: 80 → 30 states, 160 → 60 transitions
├─ (Bird 0, Bird 1) + Bird 2: 40 → 20 states, 80 → 40 transitions
│  ├─ Bird 0 + Bird 1: 16 → 10 states, 32 → 20 transitions
│  │  ├─ Bird 0: 9 → 4 states, 18 → 8 transitions
│  │  └─ Bird 1: 9 → 4 states, 18 → 8 transitions
│  └─ Bird 2: 9 → 4 states, 18 → 8 transitions
└─ turn: 4 states, 8 transitions
";
        assert_eq!(tree(&birds()), expected);
    }
}
