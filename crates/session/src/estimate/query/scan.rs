//! Finding words and brackets in a query.

use std::ops::Range;

/// The place of a word.
pub(super) type Word = Range<usize>;

/// The place of the bracket that closes the one at a place.
pub(super) fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices().skip_while(|(at, _)| *at < open) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The words outside of brackets. A name with dashes is one word, as it is in R-CHECK.
pub(super) fn words(text: &str, within: Range<usize>) -> Vec<Word> {
    let mut out = vec![];
    let (mut depth, mut start) = (0_usize, None);
    let end = within.end;
    let inside = text.char_indices().filter(|(at, _)| within.contains(at));
    for (at, c) in inside.chain([(end, ' ')]) {
        let part = c.is_alphanumeric() || c == '_' || c == '-' && start.is_some();
        match (part, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                if depth == 0 {
                    out.push(from..at);
                }
                start = None;
            }
            _ => {}
        }
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    out
}

/// A number at the beginning of a text, and what follows it.
pub(super) fn number(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    (digits, rest.trim())
}
