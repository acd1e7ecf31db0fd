//! A named text with fast translation from byte offsets to lines and columns.

use crate::Span;

/// One source text. The name is only for display: nothing is read from disk here.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    line_starts: Vec<u32>,
}

impl SourceFile {
    /// Wraps a text and remembers where its lines begin.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> SourceFile {
        let text = text.into();
        let line_starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i as u32 + 1)).collect();
        SourceFile { name: name.into(), text, line_starts }
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
        let column = self.text.get(start..end).map_or(0, |s| s.chars().count()) + 1;
        (line, column)
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
