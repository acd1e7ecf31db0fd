//! What is asked about an open document and what is answered: plain data without prose where there is a choice. Places are
//! bytes of the text. `docs/schema/editor.md` describes it as JSON.

use crate::outline::Outline;
use crate::request::ModelRequest;
use serde::{Deserialize, Serialize};
use swarmcheck_source::data::DiagnosticData;
use swarmcheck_source::fix::EditData;
use swarmcheck_source::index::{Candidate, Role, Signature, SymbolKind};

/// What an editor says. Documents stay open until they are closed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "snake_case")]
pub enum EditorRequest {
    /// The text of a document, for the first time or again. There is no answer.
    Open {
        /// What the document is called in questions.
        document: String,
        /// The text, and how it is to be read.
        model: Box<ModelRequest>,
    },
    /// Nobody will ask about this document any more. There is no answer.
    Close {
        /// Its name.
        document: String,
    },
    /// A question about a document.
    Ask {
        /// Returned with the answer.
        number: u64,
        /// The name of the document.
        document: String,
        /// What is asked.
        question: EditorQuestion,
    },
}

/// A question about a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "question", rename_all = "snake_case")]
pub enum EditorQuestion {
    /// What is wrong, and what the document contains.
    Diagnostics,
    /// All declarations.
    Symbols,
    /// What every piece of the text is, for colours.
    Tokens,
    /// What is known about the place.
    Hover {
        /// A byte of the text.
        offset: u32,
    },
    /// All places that mean the same as this one.
    Places {
        /// A byte of the text.
        offset: u32,
    },
    /// Give what stands here another name everywhere.
    Rename {
        /// A byte of the text.
        offset: u32,
        /// The other name.
        name: String,
    },
    /// What could be written here.
    Candidates {
        /// A byte of the text.
        offset: u32,
    },
    /// The form that is being written here.
    Signature {
        /// A byte of the text.
        offset: u32,
    },
    /// What can be folded.
    Folds,
    /// Larger and larger places around each of these.
    Selections {
        /// Bytes of the text.
        offsets: Vec<u32>,
    },
    /// What is known about declarations: values of parameters, ranges of variables, numbers of agents.
    Facts,
    /// The process at this place, who calls it and whom it calls.
    Calls {
        /// A byte of the text.
        offset: u32,
    },
    /// The document as the formatter writes it.
    Format {
        /// The first and the last byte of what is to be formatted; everything if there is none.
        range: Option<(u32, u32)>,
    },
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EditorReply {
    /// The number of the question.
    pub number: u64,
    /// The answer to it.
    pub answer: EditorAnswer,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum EditorAnswer {
    /// There is nothing to say: no such document, or nothing at this place.
    Nothing,
    /// It cannot be done.
    Refused {
        /// A sentence for people.
        why: String,
    },
    /// What is wrong, and what the document contains.
    Diagnostics {
        /// In order of position. That a parameter has no value is none of them.
        diagnostics: Vec<DiagnosticData>,
        /// Parameters, properties and agents, as far as they are known.
        outline: Option<Box<Outline>>,
        /// Parameters without a value, and the one that was tried instead.
        assumed: Vec<(String, i64)>,
    },
    /// All declarations.
    Symbols {
        /// In the order of the file.
        symbols: Vec<SymbolData>,
    },
    /// What every piece of the text is.
    Tokens {
        /// First byte, number of bytes, number of the class in [`super::CLASSES`], bits for [`super::MODIFIERS`].
        tokens: Vec<[u32; 4]>,
    },
    /// What is known about a place.
    Hover {
        /// Markdown.
        text: String,
        /// The place that it is about.
        place: (u32, u32),
    },
    /// All places that mean the same.
    Places {
        /// The name.
        name: String,
        /// The place that was asked about.
        here: (u32, u32),
        /// All of them, in the order of the file.
        places: Vec<PlaceOf>,
    },
    /// Changes of the text.
    Edits {
        /// In the order of the file; they do not overlap.
        edits: Vec<EditData>,
    },
    /// What could be written.
    Candidates {
        /// The likeliest first.
        candidates: Vec<Candidate>,
    },
    /// The form that is being written.
    Signature {
        /// The form.
        signature: Signature,
    },
    /// What can be folded.
    Folds {
        /// First byte, last byte, and whether it is a comment.
        folds: Vec<(u32, u32, bool)>,
    },
    /// Larger and larger places.
    Selections {
        /// For each offset, the smallest place first.
        selections: Vec<Vec<(u32, u32)>>,
    },
    /// What is known about declarations.
    Facts {
        /// In the order of the file.
        facts: Vec<Fact>,
    },
    /// A process, who calls it and whom it calls.
    Calls {
        /// The process.
        process: SymbolData,
        /// Who calls it, and where.
        incoming: Vec<(SymbolData, Vec<(u32, u32)>)>,
        /// Whom it calls, and where.
        outgoing: Vec<(SymbolData, Vec<(u32, u32)>)>,
    },
}

/// A declaration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SymbolData {
    /// Its name.
    pub name: String,
    /// What is declared.
    pub kind: SymbolKind,
    /// The place of the name.
    pub place: (u32, u32),
    /// The whole declaration.
    pub extent: (u32, u32),
    /// The number of the declaration that it is a part of.
    pub container: Option<usize>,
}

/// A place that means a declaration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaceOf {
    /// The name.
    pub place: (u32, u32),
    /// The whole declaration if this is one.
    pub extent: Option<(u32, u32)>,
    /// What is done there.
    pub role: Role,
}

/// What is known about a declaration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// The name that is declared.
    pub name: String,
    /// The place of the declared name.
    pub place: (u32, u32),
    /// Where the declaration ends.
    pub end: u32,
    /// What is known.
    pub known: Known,
}

/// What can be known about a declaration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "known", rename_all = "snake_case")]
pub enum Known {
    /// The value of a parameter.
    Value {
        /// The value.
        value: i64,
        /// Nobody has given it: it was tried.
        assumed: bool,
    },
    /// All values that a variable can have; more than it does have, perhaps.
    Range {
        /// The least; none if there is no bound.
        low: Option<i64>,
        /// The greatest; none if there is no bound.
        high: Option<i64>,
        /// The values one by one, if they are few, by their names if they have names.
        values: Option<Vec<String>>,
        /// It may also be undefined.
        undefined: bool,
    },
    /// How many agents there are of a kind.
    Agents {
        /// The number.
        count: u32,
    },
}
