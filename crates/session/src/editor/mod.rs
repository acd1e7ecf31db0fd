//! What editors ask while somebody writes: an [`Editor`] holds the open documents and answers questions about them. Nothing is
//! decided here; verification is a request of its own.
//!
//! Everything but diagnostics and facts is made of tokens and syntax trees, so that it is there while a document has errors.

mod colours;
mod document;
mod hover;
mod names;
pub mod protocol;
mod shape;

pub use colours::{CLASSES, MODIFIERS};

use crate::format::{self, LineRange};
use document::Document;
use protocol::{EditorAnswer, EditorQuestion, EditorReply, EditorRequest};
use std::collections::HashMap;

/// The open documents.
#[derive(Default)]
pub struct Editor {
    documents: HashMap<String, Document>,
}

impl Editor {
    /// Does what is asked. Only questions have answers.
    pub fn handle(&mut self, request: EditorRequest) -> Option<EditorReply> {
        match request {
            EditorRequest::Open { document, model } => {
                self.documents.insert(document, Document::new(*model));
                None
            }
            EditorRequest::Close { document } => {
                self.documents.remove(&document);
                None
            }
            EditorRequest::Ask { number, document, question } => {
                let document = self.documents.get(&document);
                let answer = document.and_then(|document| answer(document, question));
                Some(EditorReply { number, answer: answer.unwrap_or(EditorAnswer::Nothing) })
            }
        }
    }
}

fn answer(document: &Document, question: EditorQuestion) -> Option<EditorAnswer> {
    let fits = |offset: u32| document.text().is_char_boundary(offset as usize).then_some(offset);
    let support = document.support();
    Some(match question {
        EditorQuestion::Diagnostics => document.diagnostics(),
        EditorQuestion::Symbols => names::symbols(document),
        EditorQuestion::Tokens => EditorAnswer::Tokens { tokens: colours::tokens(document) },
        EditorQuestion::Hover { offset } => hover::hover(document, fits(offset)?)?,
        EditorQuestion::Places { offset } => names::places(document, fits(offset)?)?,
        EditorQuestion::Rename { offset, name } => names::rename(document, fits(offset)?, &name),
        EditorQuestion::Candidates { offset } => {
            let candidates = (support.candidates)(document.text(), fits(offset)?, document.index());
            EditorAnswer::Candidates { candidates }
        }
        EditorQuestion::Signature { offset } => {
            let signature = (support.signature)(document.text(), fits(offset)?)?;
            EditorAnswer::Signature { signature }
        }
        EditorQuestion::Folds => EditorAnswer::Folds { folds: shape::folds(document) },
        EditorQuestion::Selections { offsets } => {
            let selections = offsets.into_iter().map(|offset| shape::around(document, offset)).collect();
            EditorAnswer::Selections { selections }
        }
        EditorQuestion::Facts => EditorAnswer::Facts { facts: document.facts().to_vec() },
        EditorQuestion::Calls { offset } => names::calls(document, fits(offset)?)?,
        EditorQuestion::Format { range } => format(document, range),
    })
}

fn format(document: &Document, range: Option<(u32, u32)>) -> EditorAnswer {
    let line = |offset: u32| document.file.line_column(offset).0 as u32;
    let lines = range.map(|(start, end)| LineRange { first: line(start), last: line(end) });
    match format::edits(document.language().word, document.text(), lines) {
        Ok(edits) => EditorAnswer::Edits { edits },
        Err(why) => EditorAnswer::Refused { why },
    }
}

#[cfg(test)]
mod tests;
