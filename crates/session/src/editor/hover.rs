//! What is known about a place, as Markdown: the declaration, its values, who reads and writes it, the rule of the papers.

use super::document::Document;
use super::protocol::{EditorAnswer, Known};
use std::collections::BTreeMap;
use swarmcheck_source::index::{Index, Role, Symbol, SymbolKind};

/// Longer declarations are cut.
const LINES: usize = 8;
/// The most places that are listed; the rest is counted.
const LISTED: usize = 6;

pub(super) fn hover(document: &Document, offset: u32) -> Option<EditorAnswer> {
    let index = document.index();
    if let Some(place) = index.at(offset) {
        let symbol = index.symbols.get(place.symbol)?;
        let text = about(document, index, place.symbol, symbol);
        return Some(EditorAnswer::Hover { text, place: (place.span.start, place.span.end) });
    }
    let (span, meaning) = (document.support().meaning)(document.text(), offset)?;
    let word = document.text().get(span.range())?;
    let text = format!("`{word}`: {}\n\n*{}*", meaning.says, meaning.cites);
    Some(EditorAnswer::Hover { text, place: (span.start, span.end) })
}

fn about(document: &Document, index: &Index, number: usize, symbol: &Symbol) -> String {
    let mut out = format!("```{}\n{}\n```\n", document.language().id(), declaration(document, symbol));
    let container = symbol.container.and_then(|container| index.symbols.get(container));
    let of = container.map_or(String::new(), |container| format!(" of `{}`", container.name));
    out += &format!("\n{}{of}", kind(symbol.kind));
    let fact = document.facts().iter().find(|fact| fact.place == (symbol.span.start, symbol.span.end));
    if let Some(fact) = fact {
        out += &format!("; {}", known(&fact.known));
    }
    out += "\n";
    for (role, verb) in [(Role::Write, "Written"), (Role::Read, "Read"), (Role::Call, "Called")] {
        if let Some(places) = used(document, index, number, role) {
            out += &format!("\n{verb} by {places}\n");
        }
    }
    out
}

/// The text of a declaration, without the indentation of its lines.
fn declaration(document: &Document, symbol: &Symbol) -> String {
    let text = document.text().get(symbol.extent.range()).unwrap_or(&symbol.name);
    let before = document.text().get(..symbol.extent.start as usize).unwrap_or("");
    let indentation = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
    let cut = |line: &str| {
        let blank = line.len() - line.trim_start().len();
        line.get(blank.min(indentation)..).unwrap_or(line).trim_end().to_string()
    };
    let lines: Vec<String> = text.lines().take(LINES).map(cut).collect();
    let more = if text.lines().count() > LINES { "\n…" } else { "" };
    // A fence in a comment would end ours.
    lines.join("\n").replace("```", "'''") + more
}

/// In which processes and properties, and in which lines.
fn used(document: &Document, index: &Index, number: usize, role: Role) -> Option<String> {
    let mut lines: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for place in index.of(number).filter(|place| place.role == role) {
        let list = lines.entry(place.within).or_default();
        let line = document.file.line_column(place.span.start).0;
        if list.last() != Some(&line) {
            list.push(line);
        }
    }
    let total = lines.len();
    let said = lines.into_iter().take(LISTED).map(|(within, lines)| {
        let list: Vec<String> = lines.iter().take(LISTED).map(ToString::to_string).collect();
        let more = if lines.len() > LISTED { ", …" } else { "" };
        let plural = if lines.len() > 1 { "lines" } else { "line" };
        let place = format!("{plural} {}{more}", list.join(", "));
        match within.and_then(|within| index.symbols.get(within)) {
            Some(symbol) => format!("`{}` ({place})", symbol.name),
            None => place,
        }
    });
    let said: Vec<String> = said.collect();
    let more = if total > LISTED { format!(" and {} more", total - LISTED) } else { String::new() };
    (!said.is_empty()).then(|| said.join(", ") + &more)
}

/// What is known, in a few words.
fn known(known: &Known) -> String {
    match known {
        Known::Value { value, assumed: false } => format!("its value is {value}"),
        Known::Value { value, assumed: true } => format!("it has no value, and {value} was tried"),
        Known::Agents { count: 1 } => "there is 1 agent".to_string(),
        Known::Agents { count } => format!("there are {count} agents"),
        Known::Range { .. } => match known.range() {
            Some(range) => format!("its values are {range}"),
            None => "it has no value".to_string(),
        },
    }
}

impl Known {
    /// The values of a variable in a few signs; none if there are none.
    pub fn range(&self) -> Option<String> {
        let Known::Range { low, high, values, undefined } = self else { return None };
        let undefined = if *undefined { " or undef" } else { "" };
        let numbers = match (values, low, high) {
            (Some(values), _, _) if values.is_empty() => return Some("undef".to_string()),
            // Consecutive numbers are shorter as bounds.
            (Some(values), Some(low), Some(high))
                if values.len() > 2
                    && high.checked_sub(*low) == Some(values.len() as i64 - 1)
                    && is_number(values) =>
            {
                format!("{low} to {high}")
            }
            (Some(values), _, _) => values.join(", "),
            (None, Some(low), Some(high)) => format!("{low} to {high}"),
            (None, Some(low), None) => format!("{low} and more"),
            (None, None, Some(high)) => format!("at most {high}"),
            (None, None, None) => "any number".to_string(),
        };
        Some(numbers + undefined)
    }
}

fn is_number(values: &[String]) -> bool {
    values.iter().all(|value| value.parse::<i64>().is_ok())
}

/// What is declared, in a few words.
fn kind(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Parameter => "Parameter",
        SymbolKind::AgentKind => "Kind of agents",
        SymbolKind::Stigmergy => "Virtual stigmergy",
        SymbolKind::Attribute => "Attribute",
        SymbolKind::StigmergicVariable => "Stigmergic variable",
        SymbolKind::EnvironmentVariable => "Environment variable",
        SymbolKind::LocalVariable => "Local variable",
        SymbolKind::Process => "Process",
        SymbolKind::Property => "Property",
        SymbolKind::Assumption => "Assumption about initial states",
        SymbolKind::BoundAgent => "Any agent",
        SymbolKind::Channel => "Channel",
        SymbolKind::Enumeration => "Enumeration",
        SymbolKind::EnumerationValue => "Value",
        SymbolKind::MessageField => "Field of messages",
        SymbolKind::PropertyVariable => "Property variable",
        SymbolKind::Guard => "Guard",
        SymbolKind::Label => "Command",
        SymbolKind::Instance => "Agent",
        SymbolKind::Action => "Action",
        SymbolKind::Peer => "Peer",
    }
}
