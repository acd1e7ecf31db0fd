//! The pieces of a text as editors and the formatter see them: comments included, white space left out.

use crate::Span;
use serde::{Deserialize, Serialize};

/// What a piece of text is, before anybody knows what its name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenClass {
    /// From its sign to the end of the line, or to the sign that closes it.
    Comment,
    /// A word that the language knows at this place.
    Keyword,
    /// Any other word.
    Name,
    Number,
    /// A sign with a meaning of its own, as `->` or `+`.
    Operator,
    /// `,`, `;` and the like.
    Separator,
    /// An opening bracket.
    Open,
    /// A closing bracket.
    Close,
    /// What the language does not use.
    Unknown,
}

/// A piece of text with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    pub class: TokenClass,
    pub span: Span,
}
