//! Every symbol of every example gets a fresh name at all its places. The file must mean the same: the checker says the same
//! about it, with the same places but for the length of the name.

use super::{at, documents, examples, index};
use crate::check::check;
use crate::editor::{WORDS, fixed_name, meaning, name_problem};
use crate::syntax::parse;
use crate::syntax::token::TokenKind;
use swarmcheck_source::Span;
use swarmcheck_source::index::{Index, SymbolKind};

/// What parser and checker say about a text: codes and lines, with each parameter set to a value.
fn said(text: &str, value: &str) -> Vec<(&'static str, usize)> {
    let (file, parsed) = parse(text);
    let names = file.systems.iter().flat_map(|system| &system.externs);
    let values: Vec<_> = names.map(|name| (name.name.text.clone(), value.to_string())).collect();
    let (_, checked) = check(&file, Span::new(text.len(), text.len()), &values);
    let line = |span: Span| text[..span.start as usize].matches('\n').count();
    let mut all: Vec<_> =
        parsed.iter().chain(checked.iter()).map(|d| (d.code, line(d.primary.span))).collect();
    all.sort_unstable();
    all
}

/// The text with another name at all places of a symbol.
fn renamed(text: &str, index: &Index, symbol: usize, name: &str) -> String {
    let (mut out, mut from) = (String::new(), 0);
    for place in index.of(symbol) {
        out += &text[from..place.span.start as usize];
        out += name;
        from = place.span.end as usize;
    }
    out + &text[from..]
}

fn fresh(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Parameter => "_fresh_name",
        SymbolKind::AgentKind
        | SymbolKind::Stigmergy
        | SymbolKind::Process
        | SymbolKind::Property
        | SymbolKind::Assumption => "FreshName",
        _ => "fresh_name",
    }
}

#[test]
fn a_new_name_changes_nothing() {
    let (mut count, mut kinds) = (0, std::collections::HashSet::new());
    for (path, text) in examples().into_iter().chain(documents()) {
        let index = index(&text);
        let before = said(&text, "3");
        for (number, symbol) in index.symbols.iter().enumerate() {
            if fixed_name(symbol).is_some() {
                continue;
            }
            let name = fresh(symbol.kind);
            assert_eq!(name_problem(symbol.kind, name.trim_start_matches('_')), None);
            let text = renamed(&text, &index, number, name);
            assert_eq!(said(&text, "3"), before, "{path}: {symbol:?}\n{text}");
            count += 1;
            kinds.insert(symbol.kind);
        }
    }
    assert!(count >= 300, "only {count} symbols");
    assert_eq!(kinds.len(), 11, "every kind of symbol that LAbS has: {kinds:?}");
}

/// A word is a name with a declaration, or a word of the language with a meaning, and never both.
#[test]
fn words_of_examples_are_names_or_have_a_meaning() {
    let (mut names, mut words, mut signs) = (0, 0, 0);
    for (path, text) in examples().into_iter().chain(documents()) {
        let index = index(&text);
        for token in crate::syntax::tokens(&text) {
            let word = at(&text, token.span);
            let sign = matches!(
                token.kind,
                TokenKind::Assign(_)
                    | TokenKind::Guard
                    | TokenKind::Conditional
                    | TokenKind::Choice
                    | TokenKind::Parallel
                    | TokenKind::Range
                    | TokenKind::At
            );
            if sign {
                assert!(meaning(&text, token.span.start).is_some(), "{path}: `{word}`");
                signs += 1;
            }
            if !word.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic()) {
                continue;
            }
            let line = text[..token.span.start as usize].matches('\n').count() + 1;
            let meant = meaning(&text, token.span.start);
            match index.occurrences.iter().find(|place| place.span == token.span) {
                Some(place) => {
                    let name = &index.symbols[place.symbol].name;
                    let plain = word.trim_start_matches('_').replace("Behaviour", "Behavior");
                    assert_eq!(plain, *name, "{path}:{line}");
                    assert_eq!(meant, None, "{path}:{line}: `{word}` is a name");
                    names += 1;
                }
                None => {
                    assert_eq!(meant.map(|(span, _)| span), Some(token.span), "{path}:{line}: `{word}`");
                    assert!(WORDS.contains(&word), "{path}:{line}: `{word}` is a word");
                    words += 1;
                }
            }
        }
    }
    let enough = names >= 2_000 && words >= 1_000 && signs >= 500;
    assert!(enough, "only {names} names, {words} words and {signs} signs");
}
