//! Lines for people, before it is decided where they go: a line is made of pieces that have a meaning, and becomes plain
//! text, text with colours, or Markdown.

use swarmcheck_source::shown;

/// A part of a line.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    /// Ordinary words.
    Words(String),
    /// An agent.
    Agent(String),
    /// Text of the model, or what looks like it.
    Code(String),
    /// Something that has become, or is, as it should not be.
    Bad(String),
    /// Something that has become, or is, as it should be.
    Good(String),
    /// What only leads the eye.
    Faint(String),
}

pub(super) fn words(text: impl Into<String>) -> Piece {
    Piece::Words(text.into())
}

pub(super) fn code(text: impl Into<String>) -> Piece {
    Piece::Code(text.into())
}

/// How a line is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flavour {
    /// Only its text.
    #[default]
    Plain,
    /// With the colours of a terminal.
    Ansi,
    /// As Markdown.
    Markdown,
}

/// Writes pieces one after the other.
pub(super) fn write(pieces: &[Piece], flavour: Flavour) -> String {
    pieces.iter().map(|piece| one(piece, flavour)).collect()
}

fn one(piece: &Piece, flavour: Flavour) -> String {
    let (text, colour) = match piece {
        Piece::Words(text) => (text, ""),
        Piece::Agent(text) => (text, "1"),
        Piece::Code(text) => (text, "36"),
        Piece::Bad(text) => (text, "31"),
        Piece::Good(text) => (text, "32"),
        Piece::Faint(text) => (text, "2"),
    };
    // Names and words of a trace may come from a file that anybody has written. They cannot begin a line, and hide no colour.
    let text = &shown::line(text);
    match flavour {
        Flavour::Ansi if !colour.is_empty() => format!("\u{1b}[{colour}m{text}\u{1b}[0m"),
        Flavour::Markdown => markdown(piece, text),
        _ => text.to_string(),
    }
}

fn markdown(piece: &Piece, text: &str) -> String {
    match piece {
        // Backquotes inside need more of them outside.
        Piece::Code(_) if text.contains('`') => {
            let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
            let fence = "`".repeat(longest + 1);
            format!("{fence} {text} {fence}")
        }
        Piece::Code(_) => format!("`{text}`"),
        Piece::Agent(_) | Piece::Bad(_) => format!("**{}**", escaped(text)),
        _ => escaped(text),
    }
}

/// Characters that Markdown would take for its own.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if matches!(c, '*' | '_' | '`' | '<' | '>' | '|' | '\\' | '#' | '[' | ']' | '&') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The length of a line, in characters, without colours.
pub(super) fn width(pieces: &[Piece]) -> usize {
    write(pieces, Flavour::Plain).chars().count()
}

/// Items of a list, with commas, in lines that are not longer than `most` characters where that is possible.
pub(super) fn wrapped(items: Vec<Vec<Piece>>, most: usize) -> Vec<Vec<Piece>> {
    let mut out: Vec<Vec<Piece>> = vec![];
    let last = items.len().saturating_sub(1);
    let mut taken = 0;
    for (at, mut item) in items.into_iter().enumerate() {
        if at < last {
            item.push(words(","));
        }
        let size = width(&item);
        match out.last_mut() {
            Some(line) if taken + 1 + size <= most => {
                line.push(words(" "));
                line.extend(item);
                taken += 1 + size;
            }
            _ => {
                out.push(item);
                taken = size;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_broken_between_items() {
        let items = ["aaaa", "bb", "cc"].map(|text| vec![words(text)]).to_vec();
        let lines: Vec<String> = wrapped(items, 9).iter().map(|l| write(l, Flavour::Plain)).collect();
        assert_eq!(lines, ["aaaa, bb,", "cc"]);
    }

    #[test]
    fn markdown_does_not_read_what_models_say() {
        let line = [words("x_1 * 2 "), code("a`b"), Piece::Agent("Bird 0".to_string())];
        assert_eq!(write(&line, Flavour::Markdown), "x\\_1 \\* 2 `` a`b ``**Bird 0**");
        let fences = [code("a``` `b"), words("&lt; \u{1b}[1m\n# x")];
        assert_eq!(write(&fences, Flavour::Markdown), "```` a``` `b ````\\&lt; ␛\\[1m␊\\# x");
        assert_eq!(
            write(&[Piece::Bad("x\u{1b}[0m\n".to_string())], Flavour::Ansi),
            "\u{1b}[31mx␛[0m␊\u{1b}[0m"
        );
        assert_eq!(write(&line, Flavour::Plain), "x_1 * 2 a`bBird 0");
    }
}
