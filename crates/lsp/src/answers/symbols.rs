//! Declarations as the protocol lists them.

use crate::text::{Encoding, Text};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use swarmcheck_session::editor::protocol::SymbolData;
use swarmcheck_source::index::SymbolKind;

/// The number of a kind of symbols in the protocol.
pub(crate) fn kind(kind: SymbolKind) -> u32 {
    match kind {
        SymbolKind::AgentKind => 5,
        SymbolKind::Stigmergy => 3,
        SymbolKind::Attribute | SymbolKind::MessageField | SymbolKind::PropertyVariable => 8,
        SymbolKind::Enumeration => 10,
        SymbolKind::EnumerationValue => 22,
        SymbolKind::Process | SymbolKind::Guard => 12,
        SymbolKind::Property | SymbolKind::Assumption => 17,
        SymbolKind::Parameter => 14,
        SymbolKind::Action | SymbolKind::Label | SymbolKind::Channel => 24,
        SymbolKind::Instance | SymbolKind::Peer => 19,
        SymbolKind::StigmergicVariable
        | SymbolKind::EnvironmentVariable
        | SymbolKind::LocalVariable
        | SymbolKind::BoundAgent => 13,
    }
}

/// The number of a kind of candidates in the protocol.
pub(super) fn completion_kind(kind: SymbolKind) -> u32 {
    match kind {
        SymbolKind::AgentKind => 7,
        SymbolKind::Stigmergy => 9,
        SymbolKind::Attribute | SymbolKind::MessageField | SymbolKind::PropertyVariable => 5,
        SymbolKind::Enumeration => 13,
        SymbolKind::EnumerationValue => 20,
        SymbolKind::Process | SymbolKind::Guard => 3,
        SymbolKind::Property | SymbolKind::Assumption => 10,
        SymbolKind::Parameter => 21,
        SymbolKind::Action | SymbolKind::Label | SymbolKind::Channel => 23,
        SymbolKind::StigmergicVariable
        | SymbolKind::EnvironmentVariable
        | SymbolKind::LocalVariable
        | SymbolKind::BoundAgent
        | SymbolKind::Instance
        | SymbolKind::Peer => 6,
    }
}

/// Whether a list of what a file contains has it: names that live inside a formula or a block are left out.
pub(crate) fn is_listed(kind: SymbolKind) -> bool {
    !matches!(
        kind,
        SymbolKind::BoundAgent | SymbolKind::LocalVariable | SymbolKind::Action | SymbolKind::Peer
    )
}

/// Declarations with those that they contain.
pub(super) fn tree(symbols: &[SymbolData], text: &Text, encoding: Encoding) -> Json {
    let mut below: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for (number, symbol) in symbols.iter().enumerate().filter(|(_, symbol)| is_listed(symbol.kind)) {
        // What is listed nowhere contains nothing, and nothing contains itself.
        let container =
            symbol.container.filter(|at| *at < number && symbols.get(*at).is_some_and(|c| is_listed(c.kind)));
        below.entry(container).or_default().push(number);
    }
    nodes(None, &below, symbols, text, encoding)
}

fn nodes(
    of: Option<usize>,
    below: &BTreeMap<Option<usize>, Vec<usize>>,
    symbols: &[SymbolData],
    text: &Text,
    encoding: Encoding,
) -> Json {
    let numbers = below.get(&of).map_or(&[][..], Vec::as_slice);
    let node = |number: &usize| {
        let symbol = symbols.get(*number)?;
        // The protocol wants the name inside the whole.
        let whole = (symbol.extent.0.min(symbol.place.0), symbol.extent.1.max(symbol.place.1));
        Some(json!({
            "name": if symbol.name.is_empty() { "?" } else { &symbol.name },
            "kind": kind(symbol.kind),
            "range": text.range(whole, encoding),
            "selectionRange": text.range(symbol.place, encoding),
            "children": nodes(Some(*number), below, symbols, text, encoding),
        }))
    };
    numbers.iter().filter_map(node).collect()
}
