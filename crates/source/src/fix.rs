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

    /// Another place that has to change with it.
    pub fn and(mut self, span: Span, text: impl Into<String>) -> Fix {
        self.edits.push(Edit { span, text: text.into() });
        self
    }
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

impl From<&Fix> for FixData {
    fn from(fix: &Fix) -> FixData {
        let edit =
            |edit: &Edit| EditData { start: edit.span.start, end: edit.span.end, text: edit.text.clone() };
        FixData { title: fix.title.clone(), edits: fix.edits.iter().map(edit).collect() }
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

    #[test]
    fn edits_are_made_together_or_not_at_all() {
        let fix = Fix::replace(Span::new(8, 8), ")", "add parentheses").and(Span::new(0, 0), "(");
        assert_eq!(FixData::from(&fix).apply("one two  x").as_deref(), Some("(one two ) x"));
        let wrong = Fix::replace(Span::new(3, 5), "", "overlap").and(Span::new(4, 6), "");
        assert_eq!(FixData::from(&wrong).apply("one two"), None);
        assert_eq!(FixData::from(&Fix::replace(Span::new(9, 9), "", "outside")).apply("one"), None);
    }
}
