//! A list of things that may be written at a place, each of them once.

use std::collections::HashSet;
use swarmcheck_source::index::{Candidate, SymbolKind};

/// Candidates in the order in which they are offered: what fits best is added first.
#[derive(Default)]
pub struct Choices {
    list: Vec<Candidate>,
    known: HashSet<String>,
}

impl Choices {
    /// Something with a name.
    pub fn name(&mut self, label: &str, kind: SymbolKind, detail: &str) {
        self.add(label, Some(kind), detail, None);
    }

    /// Something with a name, and more text than that.
    pub fn form(&mut self, label: &str, kind: SymbolKind, detail: &str, insert: String) {
        self.add(label, Some(kind), detail, Some(insert));
    }

    /// Words of the language, with what they mean.
    pub fn words(&mut self, words: &[(&str, &str)]) {
        words.iter().for_each(|(word, detail)| self.add(word, None, detail, None));
    }

    /// Words of the language with what usually follows them: label, detail, text with places to fill in.
    pub fn snippets(&mut self, snippets: &[(&str, &str, &str)]) {
        for (label, detail, insert) in snippets {
            self.add(label, None, detail, Some(insert.to_string()));
        }
    }

    fn add(&mut self, label: &str, kind: Option<SymbolKind>, detail: &str, insert: Option<String>) {
        if self.known.insert(label.to_string()) {
            self.list.push(Candidate { label: label.to_string(), kind, detail: detail.to_string(), insert });
        }
    }

    pub fn finish(self) -> Vec<Candidate> {
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_offered_first_stays() {
        let mut choices = Choices::default();
        choices.name("x", SymbolKind::Attribute, "a variable");
        choices.words(&[("x", "a word"), ("y", "another")]);
        let list: Vec<_> = choices.finish().into_iter().map(|c| (c.label, c.kind.is_some())).collect();
        assert_eq!(list, [("x".to_string(), true), ("y".to_string(), false)]);
    }
}
