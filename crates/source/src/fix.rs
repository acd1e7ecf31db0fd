//! Changes of a text that would mend what a diagnostic says.

use crate::Span;
use serde::{Deserialize, Serialize};

/// Replaces a place by another text. An empty place is one where something is inserted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

/// One way out: all its edits are made together. They do not overlap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does, as a command: "replace `laeder` by `leader`".
    pub title: String,
    pub edits: Vec<Edit>,
}

impl Fix {
    /// A fix that replaces one place.
    pub fn replace(span: Span, text: impl Into<String>, title: impl Into<String>) -> Fix {
        Fix { title: title.into(), edits: vec![Edit { span, text: text.into() }] }
    }

    /// A fix that inserts a text before the byte at this place.
    pub fn insert(at: u32, text: impl Into<String>, title: impl Into<String>) -> Fix {
        Fix::replace(Span { start: at, end: at }, text, title)
    }

    /// A fix that puts a place into parentheses.
    pub fn parentheses(around: Span, title: impl Into<String>) -> Fix {
        Fix::insert(around.start, "(", title).and(Span { start: around.end, end: around.end }, ")")
    }

    /// Another place that has to change with it.
    pub fn and(mut self, span: Span, text: impl Into<String>) -> Fix {
        self.edits.push(Edit { span, text: text.into() });
        self
    }
}

impl Fix {
    /// The fix of a part of the text as one of another text, in which the part begins at `by`. None if it reaches out of the
    /// part.
    pub fn moved(mut self, part: std::ops::Range<usize>, by: usize) -> Option<Fix> {
        for edit in &mut self.edits {
            let range = edit.span.range();
            if range.start < part.start || range.end > part.end {
                return None;
            }
            edit.span = Span::new(range.start - part.start + by, range.end - part.start + by);
        }
        Some(self)
    }
}

/// What to cut out of a text to remove an item of a list: the item with the separator after it, or the comma before it if
/// there is none after. If nothing else stands on its lines, they go too.
pub fn item(text: &str, whole: Span) -> Span {
    let (mut start, mut end) = (whole.range().start, whole.range().end);
    let blank = [' ', '\t'];
    let after = text.get(end..).unwrap_or("");
    let trimmed = after.trim_start_matches(blank);
    if trimmed.starts_with([',', ';']) {
        end += after.len() - trimmed.len() + 1;
        let rest = text.get(end..).unwrap_or("");
        end += rest.len() - rest.trim_start_matches(blank).len();
    } else {
        let before = text.get(..start).unwrap_or("").trim_end();
        if before.ends_with(',') {
            start = before.len() - 1;
        }
    }
    // Only blanks are looked at, so that a list on one line takes no time for what stands before it.
    let within_line = |c: char| c.is_whitespace() && c != '\n';
    let head = text.get(..start).unwrap_or("").trim_end_matches(within_line);
    let tail = text.get(end..).unwrap_or("").trim_start_matches(within_line);
    if (head.is_empty() || head.ends_with('\n')) && tail.starts_with('\n') {
        (start, end) = (head.len(), text.len() - tail.len() + 1);
    }
    Span::new(start, end)
}

/// An edit as data; bytes of the text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EditData {
    pub start: u32,
    pub end: u32,
    pub text: String,
}

/// A fix as data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FixData {
    pub title: String,
    pub edits: Vec<EditData>,
}

impl From<&Edit> for EditData {
    fn from(edit: &Edit) -> EditData {
        EditData { start: edit.span.start, end: edit.span.end, text: edit.text.clone() }
    }
}

impl From<&Fix> for FixData {
    fn from(fix: &Fix) -> FixData {
        FixData { title: fix.title.clone(), edits: fix.edits.iter().map(EditData::from).collect() }
    }
}

impl FixData {
    /// The text with all edits made; none if they do not fit it.
    pub fn apply(&self, text: &str) -> Option<String> {
        let mut edits: Vec<&EditData> = self.edits.iter().collect();
        edits.sort_by_key(|edit| (edit.start, edit.end));
        let (mut out, mut at) = (String::with_capacity(text.len()), 0);
        for edit in edits {
            out += text.get(at..edit.start as usize)?;
            out += &edit.text;
            at = edit.end as usize;
        }
        out += text.get(at..)?;
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of a text when an item, which is `x: 0` here, is cut out.
    fn without(text: &str) -> String {
        let start = text.find("x: 0").unwrap();
        let cut = item(text, Span::new(start, start + 4));
        format!("{}{}", &text[..cut.range().start], &text[cut.range().end..])
    }

    #[test]
    fn items_are_cut_out_with_their_separators_and_lines() {
        for (text, left) in [
            ("i = a: 1; x: 0; b: 2", "i = a: 1; b: 2"),
            ("i = a: 1, x: 0\n}", "i = a: 1\n}"),
            ("x: 0", ""),
            ("x: 0;\nb: 2", "b: 2"),
            ("  x: 0;\r\n  b: 2", "  b: 2"),
            ("a: 1;\r\n\u{a0} x: 0; \r\nb: 2", "a: 1;\r\nb: 2"),
            ("a: 1;\n  x: 0", "a: 1;\n  "),
            ("a: 1;\n  x: 0; b: 2\n", "a: 1;\n  b: 2\n"),
        ] {
            assert_eq!(without(text), left, "{text:?}");
        }
    }

    #[test]
    fn edits_are_made_together_or_not_at_all() {
        let fix = Fix::replace(Span::new(8, 8), ")", "add parentheses").and(Span::new(0, 0), "(");
        assert_eq!(FixData::from(&fix).apply("one two  x").as_deref(), Some("(one two ) x"));
        let wrong = Fix::replace(Span::new(3, 5), "", "overlap").and(Span::new(4, 6), "");
        assert_eq!(FixData::from(&wrong).apply("one two"), None);
        assert_eq!(FixData::from(&Fix::replace(Span::new(9, 9), "", "outside")).apply("one"), None);
    }
}
