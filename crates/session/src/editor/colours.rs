//! What every piece of a text is, for colours: names by what they stand for, the rest by what it looks like.

use super::document::Document;
use swarmcheck_source::index::{Role, SymbolKind};
use swarmcheck_source::token::TokenClass;

/// The classes of pieces. Their names are those of the Language Server Protocol, which themes know.
pub const CLASSES: &[&str] = &[
    "comment",
    "keyword",
    "number",
    "operator",
    "class",
    "enum",
    "enumMember",
    "variable",
    "parameter",
    "property",
    "function",
    "event",
    "namespace",
];

/// What may be said beside the class, a bit each.
pub const MODIFIERS: &[&str] = &["declaration", "readonly", "modification"];

const DECLARATION: u32 = 1;
const READONLY: u32 = 2;
const MODIFICATION: u32 = 4;

fn class(name: &str) -> u32 {
    CLASSES.iter().position(|known| *known == name).unwrap_or(0) as u32
}

fn class_of(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::AgentKind => "class",
        SymbolKind::Enumeration => "enum",
        SymbolKind::EnumerationValue => "enumMember",
        SymbolKind::Parameter | SymbolKind::BoundAgent => "parameter",
        SymbolKind::Attribute | SymbolKind::MessageField | SymbolKind::PropertyVariable => "property",
        SymbolKind::Process | SymbolKind::Guard | SymbolKind::Property | SymbolKind::Assumption => "function",
        SymbolKind::Action | SymbolKind::Label | SymbolKind::Channel => "event",
        SymbolKind::Stigmergy => "namespace",
        SymbolKind::StigmergicVariable
        | SymbolKind::EnvironmentVariable
        | SymbolKind::LocalVariable
        | SymbolKind::Instance
        | SymbolKind::Peer => "variable",
    }
}

/// First byte, number of bytes, class, modifiers; in the order of the file.
pub(super) fn tokens(document: &Document) -> Vec<[u32; 4]> {
    let (index, words, text) = (document.index(), document.support().words, document.text());
    let mut places = index.occurrences.iter().peekable();
    let mut out = vec![];
    for piece in document.pieces() {
        while places.next_if(|place| place.span.end <= piece.span.start).is_some() {}
        // A piece may hold several names, as `k-label` does where it is one word.
        let mut named = false;
        while let Some(place) = places.next_if(|place| place.span.end <= piece.span.end) {
            named = true;
            let Some(symbol) = index.symbols.get(place.symbol) else { continue };
            let readonly = matches!(symbol.kind, SymbolKind::Parameter | SymbolKind::EnumerationValue);
            let said = match place.role {
                Role::Declaration => DECLARATION,
                Role::Write => MODIFICATION,
                Role::Read | Role::Call => 0,
            };
            let modifiers = said | if readonly { READONLY } else { 0 };
            out.push([place.span.start, length(place.span), class(class_of(symbol.kind)), modifiers]);
        }
        if named {
            continue;
        }
        let word = text.get(piece.span.range()).unwrap_or("");
        let name = match piece.class {
            TokenClass::Comment => "comment",
            TokenClass::Keyword => "keyword",
            TokenClass::Name if words.contains(&word) => "keyword",
            TokenClass::Number => "number",
            TokenClass::Operator => "operator",
            _ => continue,
        };
        out.push([piece.span.start, length(piece.span), class(name), 0]);
    }
    out
}

fn length(span: swarmcheck_source::Span) -> u32 {
    span.end.saturating_sub(span.start)
}
