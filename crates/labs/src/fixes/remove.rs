//! What to cut out of a text so that a declaration is gone: its separator and an empty line go with it.

use crate::syntax::ast::{Declaration, File, Init};
use std::collections::HashMap;
use swarmcheck_source::{Fix, Span};

/// A place to cut out.
#[derive(Clone, Copy)]
pub(super) struct Removal {
    span: Span,
}

impl Removal {
    pub(super) fn fix(self, title: String) -> Fix {
        Fix::replace(self.span, "", title)
    }
}

/// The next place of a character from a byte on, outside of comments.
pub(super) fn next(text: &str, from: u32, wanted: char) -> Option<u32> {
    plain(text, from).find(|(_, c)| *c == wanted).map(|(at, _)| at)
}

/// The place of the brace that closes the one before this byte.
pub(super) fn closing(text: &str, from: u32) -> Option<u32> {
    let mut open = 0usize;
    for (at, c) in plain(text, from) {
        match c {
            '{' => open += 1,
            '}' if open == 0 => return Some(at),
            '}' => open -= 1,
            _ => {}
        }
    }
    None
}

/// The characters from a byte on that stand outside of comments.
fn plain(text: &str, from: u32) -> impl Iterator<Item = (u32, char)> {
    let mut comment = false;
    let rest = text.get(from as usize..).unwrap_or("").char_indices();
    rest.filter(move |(_, c)| {
        comment = *c == '#' || comment && *c != '\n';
        !comment
    })
    .map(move |(at, c)| (from + at as u32, c))
}

/// A declaration with its separator.
pub(super) fn item(text: &str, whole: Span) -> Removal {
    Removal { span: swarmcheck_source::fix::item(text, whole) }
}

/// A whole section, whose name stands at this place after the word.
pub(super) fn section(text: &str, word: &str, name: Span) -> Option<Fix> {
    let before = text.get(..name.range().start)?.trim_end();
    let start = before.strip_suffix(word)?.len();
    let end = closing(text, next(text, name.end, '{')? + 1)? + 1;
    let title = format!("remove `{word} {}`", text.get(name.range())?);
    Some(item(text, Span { start: start as u32, end }).fix(title))
}

/// For every variable, by the place of its name, what to remove. Tuples of several variables stay as they are.
pub(super) fn variables(text: &str, file: &File) -> HashMap<u32, Removal> {
    let environment = file.systems.iter().flat_map(|s| &s.environment);
    let attributes = file.agents.iter().flat_map(|a| &a.interface);
    let mut all = HashMap::new();
    for Declaration { name, init, .. } in environment.chain(attributes) {
        let end = end_of(text, init);
        all.insert(name.span.start, item(text, Span { start: name.span.start, end }));
    }
    for tuple in file.stigmergies.iter().flat_map(|s| &s.tuples) {
        if let ([(name, _)], [init]) = (tuple.variables.as_slice(), tuple.inits.as_slice()) {
            let end = end_of(text, init);
            all.insert(name.span.start, item(text, Span { start: name.span.start, end }));
        }
    }
    all
}

/// Where an initial value ends. The bracket of `[a..b]` is no part of its places.
fn end_of(text: &str, init: &Init) -> u32 {
    match init {
        Init::Undef(span) | Init::Set(_, span) => span.end,
        Init::Value(e) => e.span.end,
        Init::Range(_, high) => {
            let rest = text.get(high.span.range().end..).unwrap_or("");
            let bracket = rest.trim_start().starts_with(']');
            let space = rest.len() - rest.trim_start().len();
            if bracket { high.span.end + space as u32 + 1 } else { high.span.end }
        }
    }
}
