//! A named text with fast translation from byte offsets to lines and columns.

use crate::Span;

/// One source text. The name is only for display: nothing is read from disk here.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    line_starts: Vec<u32>,
    /// How many characters begin before every [`STEP`]th byte, so that columns of long lines are found quickly.
    characters: Vec<u32>,
}

/// Bytes between two counts of characters.
const STEP: usize = 1024;

impl SourceFile {
    /// Wraps a text and remembers where its lines begin.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> SourceFile {
        let text = text.into();
        let line_starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i as u32 + 1)).collect();
        let begins = |byte: &&u8| (**byte as i8) >= -0x40;
        let counts = text.as_bytes().chunks(STEP).scan(0, |sum, chunk| {
            let before = *sum;
            *sum += chunk.iter().filter(begins).count() as u32;
            Some(before)
        });
        let characters = counts.collect();
        SourceFile { name: name.into(), text, line_starts, characters }
    }

    /// The display name, usually a path as the user typed it.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text below a span; empty if the span does not fit this file.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// One-based line and column (in characters) of a byte offset.
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        let line = self.line_starts.partition_point(|&s| s <= offset).max(1);
        let start = self.line_starts[line - 1] as usize;
        let end = (offset as usize).clamp(start, self.text.len());
        let column = match self.text.is_char_boundary(end) {
            true => self.characters_before(end) - self.characters_before(start) + 1,
            false => 1,
        };
        (line, column)
    }

    /// How many characters begin before a byte.
    fn characters_before(&self, at: usize) -> usize {
        let known = self.characters.get(at / STEP).map(|count| (*count as usize, at / STEP * STEP));
        let last = self.characters.len().saturating_sub(1);
        let (count, from) = known.unwrap_or((self.characters.last().map_or(0, |c| *c as usize), last * STEP));
        count + self.text.as_bytes()[from..at].iter().filter(|byte| (**byte as i8) >= -0x40).count()
    }

    /// Where the line of a byte begins, and where it ends without its line break.
    pub fn line_around(&self, at: usize) -> (usize, usize) {
        let line = self.line_starts.partition_point(|&start| start as usize <= at).max(1);
        let end = self.line_starts.get(line).map_or(self.text.len(), |next| *next as usize - 1);
        (self.line_starts[line - 1] as usize, end)
    }

    /// `line:column` of the start of a span, as traces and messages print it.
    pub fn position(&self, span: Span) -> String {
        let (line, column) = self.line_column(span.start);
        format!("{line}:{column}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beside what the counts are for: columns counted character by character.
    #[test]
    fn columns_of_long_lines_are_those_that_one_counts() {
        let mut random = fastrand::Rng::with_seed(3);
        let letters = ['a', 'ç', '∧', '🐦', '\n'];
        let choose = |random: &mut fastrand::Rng| match random.usize(0..400) {
            0 => '\n',
            n => letters[n % 4],
        };
        let text: String = (0..9000).map(|_| choose(&mut random)).collect();
        let file = SourceFile::new("f", text.clone());
        let (mut line, mut column) = (1, 1);
        for (at, letter) in text.char_indices() {
            assert_eq!(file.line_column(at as u32), (line, column), "byte {at}");
            (line, column) = if letter == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        assert_eq!(file.line_column(text.len() as u32), (line, column));
        assert!(line > 10, "{line}");
    }

    #[test]
    fn lines_and_columns_count_characters() {
        let file = SourceFile::new("f", "ab\nçd\n");
        assert_eq!(file.line_column(0), (1, 1));
        assert_eq!(file.line_column(3), (2, 1));
        assert_eq!(file.line_column(5), (2, 2));
        assert_eq!(file.line_column(7), (3, 1));
        assert_eq!(file.line_column(99), (3, 1));
    }
}
