//! The shape of a text: what can be folded, and larger and larger places around one.

use super::document::Document;
use std::collections::BTreeMap;
use swarmcheck_source::token::TokenClass;

/// Pairs of brackets, from the first byte of the opening one to the last of the closing one. What closes nothing is passed over.
fn brackets(document: &Document) -> Vec<(u32, u32)> {
    let (mut open, mut out) = (vec![], vec![]);
    for piece in document.pieces() {
        match piece.class {
            TokenClass::Open => open.push(piece.span),
            TokenClass::Close => out.extend(open.pop().map(|from| (from.start, piece.span.end))),
            _ => {}
        }
    }
    out
}

/// First byte, last byte, and whether it is a comment: everything that is longer than a line, one for each line that it begins in.
pub(super) fn folds(document: &Document) -> Vec<(u32, u32, bool)> {
    let line = |offset: u32| document.file.line_column(offset).0;
    let mut longest: BTreeMap<usize, (u32, u32, bool)> = BTreeMap::new();
    let mut add = |start: u32, end: u32, comment: bool| {
        if line(start) < line(end) {
            let entry = longest.entry(line(start)).or_insert((start, end, comment));
            if entry.1 < end {
                *entry = (start, end, comment);
            }
        }
    };
    for (start, end) in brackets(document) {
        add(start, end, false);
    }
    for symbol in &document.index().symbols {
        add(symbol.extent.start, symbol.extent.end, false);
    }
    // Comments on lines of their own that follow each other are one.
    let mut run: Option<(u32, u32)> = None;
    for piece in document.pieces() {
        let joins = |(_, end): (u32, u32)| line(end) + 1 == line(piece.span.start);
        run = match (piece.class, run) {
            (TokenClass::Comment, Some(run)) if joins(run) => Some((run.0, piece.span.end)),
            (class, before) => {
                if let Some((start, end)) = before {
                    add(start, end, true);
                }
                (class == TokenClass::Comment).then_some((piece.span.start, piece.span.end))
            }
        };
    }
    if let Some((start, end)) = run {
        add(start, end, true);
    }
    longest.into_values().collect()
}

/// The places around an offset, the smallest first, each inside the next.
pub(super) fn around(document: &Document, offset: u32) -> Vec<(u32, u32)> {
    let holds = |&(start, end): &(u32, u32)| start <= offset && offset <= end;
    let pieces = document.pieces().iter().map(|piece| (piece.span.start, piece.span.end));
    let inner = brackets(document)
        .into_iter()
        .flat_map(|(start, end)| [(start + 1, end.saturating_sub(1)), (start, end)]);
    let extents = document.index().symbols.iter().map(|symbol| (symbol.extent.start, symbol.extent.end));
    let whole = [(0, document.text().len() as u32)];
    let mut all: Vec<(u32, u32)> = pieces.chain(inner).chain(extents).chain(whole).filter(holds).collect();
    all.sort_by_key(|(start, end)| (end - start, *start));
    let mut out: Vec<(u32, u32)> = vec![];
    for (start, end) in all {
        match out.last() {
            Some(last) if *last == (start, end) => {}
            // Of two that only touch or overlap, the first stays.
            Some(last) if last.0 < start || end < last.1 => {}
            _ if start == end && end != 0 => {}
            _ => out.push((start, end)),
        }
    }
    out
}
