//! JANI: an automaton with a location for each state.
//!
//! It has no variables but those for labels, which are Boolean, transient, and true in the locations of the states that have them; and
//! `steps`, which each step sets to 1. The model says what its states are, not how they come about: this is not the program.

use super::{ClaimPath, Kind, ProcessExport};
use std::fmt::Write;

/// The text of the file: one location for every state.
pub fn jani(export: &ProcessExport<'_>) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut out, export);
    out
}

/// A quoted string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn ratio(numerator: u64, denominator: u64) -> String {
    match denominator {
        1 => numerator.to_string(),
        _ => format!("{{\"op\": \"/\", \"left\": {numerator}, \"right\": {denominator}}}"),
    }
}

fn write(out: &mut String, export: &ProcessExport<'_>) -> std::fmt::Result {
    let kind = export.kind();
    let name = match kind {
        Kind::Chain => "dtmc",
        Kind::Decisions => "mdp",
        Kind::Rates => "ctmc",
        Kind::RatesAndStart => "ma",
    };
    writeln!(out, "{{\n\"jani-version\": 1,\n\"name\": \"process\",\n\"type\": \"{name}\",")?;
    writeln!(out, "\"metadata\": {{\"description\": {}}},", quoted(&export.remarks.join(" ")))?;
    writeln!(out, "\"features\": [],\n\"actions\": [],\n\"variables\": [")?;
    let fixed = ["deadlock", "start"].into_iter();
    for label in fixed.chain(export.labels.iter().map(|(name, _)| name.as_str())) {
        writeln!(
            out,
            "  {{\"name\": \"{label}\", \"type\": \"bool\", \"transient\": true, \"initial-value\": false}},"
        )?;
    }
    writeln!(
        out,
        "  {{\"name\": \"steps\", \"type\": \"real\", \"transient\": true, \"initial-value\": 0}}\n],"
    )?;
    properties(out, export)?;
    writeln!(out, "\"automata\": [{{\n\"name\": \"process\",\n\"locations\": [")?;
    let last = export.states();
    for state in 0..last {
        let labels: Vec<&str> = match state < export.process.states() {
            true => export.labels_of(state).filter(|label| *label != "init").collect(),
            false => vec!["start"],
        };
        write!(out, "  {{\"name\": \"s{state}\"")?;
        if !labels.is_empty() {
            let value = |label: &&str| format!("{{\"ref\": \"{label}\", \"value\": true}}");
            let values: Vec<String> = labels.iter().map(value).collect();
            write!(out, ", \"transient-values\": [{}]", values.join(", "))?;
        }
        writeln!(out, "}}{}", if state + 1 < last { "," } else { "" })?;
    }
    let first = match export.process.initial() {
        [(only, _)] => *only as usize,
        _ => export.process.states(),
    };
    writeln!(out, "],\n\"initial-locations\": [\"s{first}\"],\n\"edges\": [")?;
    let mut separator = "";
    for state in 0..export.process.states() {
        let exit = export.process.exits().map(|exits| exits[state]);
        let rate = exit.map(|exit| match exit.numerator {
            0 => "1".to_string(),
            numerator => ratio(numerator, exit.denominator),
        });
        for row in export.process.rows_of(state) {
            let row = export.process.row(row);
            let entries = row.entries().map(|(target, weight)| (target, weight, row.total));
            write!(out, "{separator}")?;
            edge(out, state, rate.as_deref(), entries, export.is_step(state))?;
            separator = ",\n";
        }
    }
    if export.has_start() {
        let (initial, total) = export.start();
        write!(out, "{separator}")?;
        let entries = initial.iter().map(|(state, weight)| (*state, *weight, total));
        edge(out, export.process.states(), None, entries, false)?;
    }
    writeln!(out, "\n]\n}}],\n\"system\": {{\"elements\": [{{\"automaton\": \"process\"}}]}}\n}}")
}

fn edge(
    out: &mut String,
    from: usize,
    rate: Option<&str>,
    entries: impl Iterator<Item = (u32, u64, u64)>,
    pays: bool,
) -> std::fmt::Result {
    write!(out, "  {{\"location\": \"s{from}\"")?;
    if let Some(rate) = rate {
        write!(out, ", \"rate\": {{\"exp\": {rate}}}")?;
    }
    let pays = if pays { ", \"assignments\": [{\"ref\": \"steps\", \"value\": 1}]" } else { "" };
    let one = |(to, weight, total): (u32, u64, u64)| {
        let share = match weight == total {
            true => String::new(),
            false => format!(", \"probability\": {{\"exp\": {}}}", ratio(weight, total)),
        };
        format!("{{\"location\": \"s{to}\"{share}{pays}}}")
    };
    let entries: Vec<String> = entries.map(one).collect();
    write!(out, ", \"destinations\": [{}]}}", entries.join(", "))
}

/// `always` and `eventually` as properties. Where there is a state before the initial ones, it counts as one in which everything holds,
/// or nothing does. JANI has no operator for the next step, so other formulas are not written.
fn properties(out: &mut String, export: &ProcessExport<'_>) -> std::fmt::Result {
    let optima: &[(&str, &str)] = match export.kind() {
        Kind::Decisions => &[("Pmin", "_min"), ("Pmax", "_max")],
        _ => &[("Pmax", "")],
    };
    let mut written = vec![];
    for claim in export.claims {
        let path = match claim.path {
            ClaimPath::Eventually(label) => {
                format!("{{\"op\": \"F\", \"exp\": \"{}\"}}", export.labels[label].0)
            }
            ClaimPath::Always(label) => format!(
                "{{\"op\": \"G\", \"exp\": {{\"op\": \"∨\", \"left\": \"start\", \"right\": \"{}\"}}}}",
                export.labels[label].0
            ),
            ClaimPath::After(..) | ClaimPath::Formula(_) => continue,
        };
        for (optimum, end) in optima {
            written.push(format!(
                "  {{\"name\": {}, \"expression\": {{\"op\": \"filter\", \"fun\": \"max\", \"values\": {{\"op\": \"{optimum}\", \
                 \"exp\": {path}}}, \"states\": {{\"op\": \"initial\"}}}}}}",
                quoted(&format!("{}{end}", claim.name))
            ));
        }
    }
    match written.is_empty() {
        true => writeln!(out, "\"properties\": [],"),
        false => writeln!(out, "\"properties\": [\n{}\n],", written.join(",\n")),
    }
}
