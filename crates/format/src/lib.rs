//! The formatter. It changes white space only: indentation, spaces between the pieces of a line, empty lines and the spaces before
//! a comment. Line breaks stay where they are, so a model means the same afterwards whatever its language says about lines.
//!
//! A language is cut into pieces by its own crate. A file of `languages` says how these stand beside one another (`piece::Role`)
//! and what lines mean that begin or end with them. `layout` finds the column of each line, and `lines` writes it.
//!
//! Architecture invariants: pieces suffice, so a file with errors can be formatted; it takes time linear in the text; the result is
//! cut into pieces again and compared with the input before anybody gets it, and formatting it again changes nothing.

mod edits;
mod languages;
mod layout;
mod lines;
mod piece;

#[cfg(test)]
mod tests;

use lines::Line;
use piece::Piece;
use std::fmt;
use std::ops::Range;
use swarmcheck_source::fix::Edit;

/// A language that models are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    Labs,
    Ccs,
    Chor,
    Rcheck,
}

/// The formatter would have changed more than white space. That is a mistake of the formatter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotFormatted {
    /// The first byte of the input that would have changed its meaning.
    pub at: usize,
}

impl fmt::Display for NotFormatted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the formatter would change more than white space at byte {}", self.at)
    }
}

impl std::error::Error for NotFormatted {}

/// The text as it should look.
pub fn format(language: Language, text: &str) -> Result<String, NotFormatted> {
    Ok(Formatted::new(language, text)?.text())
}

/// The changes that make the text look as it should. Each changes one line, or removes empty ones, in the order of
/// the text.
pub fn format_edits(language: Language, text: &str) -> Result<Vec<Edit>, NotFormatted> {
    Ok(Formatted::new(language, text)?.edits(0..usize::MAX))
}

/// The changes among these that concern some lines, counted from 0.
pub fn format_range(language: Language, text: &str, lines: Range<usize>) -> Result<Vec<Edit>, NotFormatted> {
    Ok(Formatted::new(language, text)?.edits(lines))
}

/// What becomes of a text.
struct Formatted<'t> {
    input: &'t str,
    /// The bytes before the first line: a byte order mark.
    mark: usize,
    lines: Vec<Line>,
    ending: &'static str,
}

/// A sign that some editors put at the beginning of a file.
const MARK: char = '\u{feff}';

impl<'t> Formatted<'t> {
    fn new(language: Language, input: &'t str) -> Result<Formatted<'t>, NotFormatted> {
        let body = input.strip_prefix(MARK).unwrap_or(input);
        let mark = input.len() - body.len();
        let pieces = languages::pieces(language, body);
        let lines = lines::lines(body, &pieces);
        let ending = if ends_in_carriage_returns(body) { "\r\n" } else { "\n" };
        let formatted = Formatted { input, mark, lines, ending };
        let text = formatted.text();
        let again = languages::pieces(language, text.strip_prefix(MARK).unwrap_or(&text));
        if !printed(input).eq(printed(&text)) {
            return Err(NotFormatted { at: mark });
        }
        match difference(&pieces, &again) {
            Some(at) => Err(NotFormatted { at: mark + at.unwrap_or(body.len()) }),
            None => Ok(formatted),
        }
    }

    fn text(&self) -> String {
        let mut out = String::with_capacity(self.input.len() + self.input.len() / 8);
        out += self.input.get(..self.mark).unwrap_or("");
        for text in self.lines.iter().filter_map(|line| line.text.as_ref()) {
            self.write(text, &mut out);
        }
        out
    }

    /// Adds a line with its end.
    fn write(&self, text: &str, out: &mut String) {
        // Only comments have line breaks.
        if text.contains('\n') && self.ending != "\n" {
            *out += &text.replace('\n', self.ending);
        } else {
            *out += text;
        }
        *out += self.ending;
    }
}

/// Whether all lines of a text end in a carriage return and a line feed.
fn ends_in_carriage_returns(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').peekable();
    ends.peek().is_some()
        && ends.all(|(at, _)| at.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'\r'))
}

/// The characters of a text that are no white space.
fn printed(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !c.is_whitespace() && *c != MARK)
}

/// Where two texts differ in more than white space: the place of the first piece that differs, or none for the end.
fn difference(before: &[Piece<'_>], after: &[Piece<'_>]) -> Option<Option<usize>> {
    let same = |one: &Piece<'_>, other: &Piece<'_>| {
        let text = one.text == other.text
            || one.text.contains('\r') && one.text.replace("\r\n", "\n") == other.text.replace("\r\n", "\n");
        text && one.class == other.class
    };
    let mut others = after.iter();
    for (number, one) in before.iter().enumerate() {
        // Empty lines before the first piece go away.
        let fits = |other: &Piece<'_>| same(one, other) && (number == 0 || one.broken == other.broken);
        if !others.next().is_some_and(fits) {
            return Some(Some(one.start));
        }
    }
    others.next().map(|_| None)
}
