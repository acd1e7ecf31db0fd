//! Declarations and the places that mean them: lists, jumps, other names, who calls whom.

use super::document::Document;
use super::protocol::{EditorAnswer, PlaceOf, SymbolData};
use std::collections::BTreeMap;
use swarmcheck_source::Span;
use swarmcheck_source::fix::{EditData, FixData};
use swarmcheck_source::index::{Index, Role, Symbol, SymbolKind};
use swarmcheck_source::token::TokenClass;

fn pair(span: Span) -> (u32, u32) {
    (span.start, span.end)
}

fn data(symbol: &Symbol) -> SymbolData {
    SymbolData {
        name: symbol.name.clone(),
        kind: symbol.kind,
        place: pair(symbol.span),
        extent: pair(symbol.extent),
        container: symbol.container,
    }
}

pub(super) fn symbols(document: &Document) -> EditorAnswer {
    EditorAnswer::Symbols { symbols: document.index().symbols.iter().map(data).collect() }
}

pub(super) fn places(document: &Document, offset: u32) -> Option<EditorAnswer> {
    let index = document.index();
    let here = index.at(offset)?;
    let symbol = index.symbols.get(here.symbol)?;
    // One symbol may be declared in several places; the extent is known of one of them.
    let place = |place: &swarmcheck_source::index::Occurrence| PlaceOf {
        place: pair(place.span),
        extent: (place.role == Role::Declaration)
            .then(|| pair(if place.span == symbol.span { symbol.extent } else { place.span })),
        role: place.role,
    };
    let places = index.of(here.symbol).map(place).collect();
    Some(EditorAnswer::Places { name: symbol.name.clone(), here: pair(here.span), places })
}

/// Another name everywhere, if that changes nothing else. The text with the new name is read again: every place must mean what
/// it meant, and there must be no new error.
pub(super) fn rename(document: &Document, offset: u32, name: &str) -> EditorAnswer {
    let refused = |why: String| EditorAnswer::Refused { why };
    let index = document.index();
    let Some(here) = index.at(offset) else { return refused("there is no name here".to_string()) };
    let Some(symbol) = index.symbols.get(here.symbol) else { return EditorAnswer::Nothing };
    if let Some(why) = (document.support().fixed_name)(symbol) {
        return refused(why);
    }
    let is_parameter = symbol.kind == SymbolKind::Parameter;
    let bare = if is_parameter { name.strip_prefix('_').unwrap_or(name) } else { name };
    if let Some(why) = (document.support().name_problem)(symbol.kind, bare) {
        return refused(why);
    }
    if let Some(line) = unread(document, document.text().get(here.span.range()).unwrap_or(&symbol.name)) {
        return refused(format!(
            "what line {line} means cannot be read, and it has the same name: mend the errors first"
        ));
    }
    let written = if is_parameter { format!("_{bare}") } else { bare.to_string() };
    let edits = index.of(here.symbol).map(|place| {
        let Span { start, end } = place.span;
        EditData { start, end, text: written.clone() }
    });
    let fix = FixData { title: String::new(), edits: edits.collect() };
    let Some(text) = fix.apply(document.text()) else { return EditorAnswer::Nothing };
    let renamed = document.with_text(text);
    if !is_same(index, renamed.index(), here.symbol) {
        let taken = format!(
            "`{written}` would mean something else: the name is taken where `{}` is used",
            symbol.name
        );
        return refused(taken);
    }
    if let Some(error) = new_error(document, &renamed) {
        return refused(format!("`{}` cannot be called `{written}`: {error}", symbol.name));
    }
    EditorAnswer::Edits { edits: fix.edits }
}

/// The line of a word that looks like a name and means nothing, because the text around it cannot be read. It would keep the old name.
fn unread(document: &Document, name: &str) -> Option<usize> {
    let (index, text) = (document.index(), document.text());
    let named = document.pieces().iter().filter(|piece| text.get(piece.span.range()) == Some(name));
    let mut unknown = named.filter(|piece| {
        let is_comment = piece.class == TokenClass::Comment;
        let is_known =
            index.occurrences.binary_search_by_key(&piece.span.start, |place| place.span.start).is_ok();
        !is_comment && !is_known && (document.support().meaning)(text, piece.span.start).is_none()
    });
    unknown.next().map(|piece| document.file.line_column(piece.span.start).0)
}

/// Whether every place means what it meant, up to the name of one symbol.
fn is_same(before: &Index, after: &Index, renamed: usize) -> bool {
    if before.occurrences.len() != after.occurrences.len() || before.symbols.len() != after.symbols.len() {
        return false;
    }
    let (mut there, mut back) = (BTreeMap::new(), BTreeMap::new());
    before.occurrences.iter().zip(&after.occurrences).all(|(old, new)| {
        let same_role = old.role == new.role;
        let (to, from) =
            (there.entry(old.symbol).or_insert(new.symbol), back.entry(new.symbol).or_insert(old.symbol));
        let names = before.symbols.get(old.symbol).zip(after.symbols.get(new.symbol));
        let same_name =
            names.is_some_and(|(a, b)| a.kind == b.kind && (a.name == b.name || old.symbol == renamed));
        same_role && same_name && *to == new.symbol && *from == old.symbol
    })
}

/// An error that was not there before, if there is one.
fn new_error(before: &Document, after: &Document) -> Option<String> {
    let (old, new) = (before.checked(), after.checked());
    if new.errors() <= old.errors() {
        return None;
    }
    let known: Vec<&str> = old.diagnostics.iter().map(|d| d.code.as_str()).collect();
    let found = new.diagnostics.iter().find(|d| !known.contains(&d.code.as_str()));
    found.or(new.diagnostics.first()).map(|d| d.message.clone())
}

pub(super) fn calls(document: &Document, offset: u32) -> Option<EditorAnswer> {
    let index = document.index();
    let is_process = |symbol: usize| index.symbols.get(symbol).is_some_and(|s| s.kind == SymbolKind::Process);
    let here = index.at(offset).map(|place| place.symbol).filter(|symbol| is_process(*symbol))?;
    let mut incoming: BTreeMap<usize, Vec<(u32, u32)>> = BTreeMap::new();
    let mut outgoing: BTreeMap<usize, Vec<(u32, u32)>> = BTreeMap::new();
    for place in index.occurrences.iter().filter(|place| place.role == Role::Call) {
        if place.symbol == here
            && let Some(caller) = place.within
        {
            incoming.entry(caller).or_default().push(pair(place.span));
        }
        if place.within == Some(here) {
            outgoing.entry(place.symbol).or_default().push(pair(place.span));
        }
    }
    let named = |list: BTreeMap<usize, Vec<(u32, u32)>>| {
        list.into_iter()
            .filter_map(|(symbol, places)| Some((data(index.symbols.get(symbol)?), places)))
            .collect()
    };
    let process = data(index.symbols.get(here)?);
    Some(EditorAnswer::Calls { process, incoming: named(incoming), outgoing: named(outgoing) })
}
