//! The text of a document, and places in it: editors count lines and columns in UTF-8 or UTF-16, everybody else counts bytes.

use serde::{Deserialize, Serialize};

/// How an editor counts the columns of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    Utf8,
    Utf16,
}

/// Line and column, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    pub line: u32,
    pub character: u32,
}

/// From one position up to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Range {
    pub start: Position,
    pub end: Position,
}

/// One change of a text: a range gets another text, or everything does.
#[derive(Clone, Debug, Deserialize)]
pub struct Change {
    pub range: Option<Range>,
    pub text: String,
}

/// A text whose lines are known.
#[derive(Clone, Debug, Default)]
pub struct Text {
    text: String,
    /// Where lines begin. A line ends with `\n`, `\r\n` or `\r`, as the protocol says.
    starts: Vec<u32>,
    /// Whether all characters are ASCII. Then columns are bytes, and long lines need not be counted through.
    is_ascii: bool,
}

impl Text {
    pub fn new(text: String) -> Text {
        let (starts, is_ascii) = (starts(&text), text.is_ascii());
        Text { text, starts, is_ascii }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The bytes of a line without its end.
    fn line(&self, line: u32) -> std::ops::Range<usize> {
        let at = |line: usize| self.starts.get(line).map_or(self.text.len(), |start| *start as usize);
        let (start, end) = (at(line as usize), at(line as usize + 1));
        let line = self.text.get(start..end).unwrap_or("");
        start..start + line.trim_end_matches(['\r', '\n']).len()
    }

    /// The byte at a position. What lies behind a line or the text is its end; the middle of a character is its beginning.
    pub fn offset(&self, position: Position, encoding: Encoding) -> u32 {
        let line = self.line(position.line);
        if self.is_ascii {
            return line.end.min(line.start.saturating_add(position.character as usize)) as u32;
        }
        let (mut units, mut offset) = (0, line.start);
        for c in self.text.get(line).unwrap_or("").chars() {
            units += match encoding {
                Encoding::Utf8 => c.len_utf8(),
                Encoding::Utf16 => c.len_utf16(),
            };
            if units > position.character as usize {
                break;
            }
            offset += c.len_utf8();
        }
        offset as u32
    }

    /// The position of a byte.
    pub fn position(&self, offset: u32, encoding: Encoding) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.starts.get(line).map_or(0, |start| *start as usize);
        let mut end = (offset as usize).clamp(start, self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = self.text.get(start..end).unwrap_or("");
        let character = match encoding {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 if self.is_ascii => before.len(),
            Encoding::Utf16 => before.chars().map(char::len_utf16).sum(),
        };
        Position { line: line as u32, character: character as u32 }
    }

    /// The range of two bytes.
    pub fn range(&self, (start, end): (u32, u32), encoding: Encoding) -> Range {
        Range { start: self.position(start, encoding), end: self.position(end.max(start), encoding) }
    }

    pub fn change(&mut self, change: &Change, encoding: Encoding) {
        match change.range {
            None => self.text.clone_from(&change.text),
            Some(range) => {
                let start = self.offset(range.start, encoding) as usize;
                let end = (self.offset(range.end, encoding) as usize).max(start);
                self.text.replace_range(start..end, &change.text);
            }
        }
        (self.starts, self.is_ascii) = (starts(&self.text), self.text.is_ascii());
    }
}

fn starts(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let ends = |(at, byte): (usize, &u8)| match byte {
        b'\n' => Some(at as u32 + 1),
        b'\r' if bytes.get(at + 1) != Some(&b'\n') => Some(at as u32 + 1),
        _ => None,
    };
    std::iter::once(0).chain(bytes.iter().enumerate().filter_map(ends)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn columns_count_units_of_the_encoding() {
        // 😀 has four bytes and two units of UTF-16; é has two bytes and one unit.
        let text = Text::new("a😀b\r\né=1\rlast".to_string());
        for (offset, utf8, utf16) in [
            (0, at(0, 0), at(0, 0)),
            (1, at(0, 1), at(0, 1)),
            (5, at(0, 5), at(0, 3)),
            (6, at(0, 6), at(0, 4)),
            (8, at(1, 0), at(1, 0)),
            (10, at(1, 2), at(1, 1)),
            (13, at(2, 0), at(2, 0)),
            (17, at(2, 4), at(2, 4)),
        ] {
            assert_eq!(text.position(offset, Encoding::Utf8), utf8, "{offset}");
            assert_eq!(text.position(offset, Encoding::Utf16), utf16, "{offset}");
            assert_eq!(text.offset(utf8, Encoding::Utf8), offset);
            assert_eq!(text.offset(utf16, Encoding::Utf16), offset);
        }
        // Between the two halves of a surrogate pair, behind a line, behind the text.
        assert_eq!(text.offset(at(0, 2), Encoding::Utf16), 1);
        assert_eq!(text.offset(at(0, 99), Encoding::Utf16), 6);
        assert_eq!(text.offset(at(9, 0), Encoding::Utf16), 17);
        assert_eq!(text.position(3, Encoding::Utf8), at(0, 1));
        assert_eq!(text.starts.len(), 3);
    }

    #[test]
    fn changes_are_made_where_they_are_said() {
        let mut text = Text::new("one\ntwo\n".to_string());
        let range = |a, b| Some(Range { start: a, end: b });
        let mut change = |range, new: &str| {
            text.change(&Change { range, text: new.to_string() }, Encoding::Utf16);
            text.as_str().to_string()
        };
        assert_eq!(change(range(at(1, 0), at(1, 3)), "2"), "one\n2\n");
        assert_eq!(change(range(at(2, 0), at(2, 0)), "end"), "one\n2\nend");
        assert_eq!(change(range(at(0, 3), at(1, 0)), ""), "one2\nend");
        assert_eq!(change(range(at(7, 0), at(9, 9)), "!"), "one2\nend!");
        assert_eq!(change(None, ""), "");
        // A range that is turned round is empty.
        assert_eq!(change(range(at(0, 5), at(0, 0)), "x"), "x");
    }
}
