//! Tokens: the words and symbols of LAbS.

use super::ast::{AssignOp, BinaryOp};
use swarmcheck_source::Span;

/// The three pairs of brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bracket {
    /// `( )`.
    Round,
    /// `[ ]`.
    Square,
    /// `{ }`.
    Curly,
}

impl Bracket {
    /// How the opening one is written.
    pub(super) fn open(self) -> &'static str {
        match self {
            Bracket::Round => "(",
            Bracket::Square => "[",
            Bracket::Curly => "{",
        }
    }

    /// How the closing one is written.
    pub(super) fn close(self) -> &'static str {
        match self {
            Bracket::Round => ")",
            Bracket::Square => "]",
            Bracket::Curly => "}",
        }
    }
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A lowercase word that may be a variable; some of them mean something in some places.
    Name,
    /// A reserved lowercase word.
    Keyword,
    /// An uppercase word.
    Ident,
    /// `_name`.
    Parameter,
    /// A number that fits 64 bits.
    Number,
    /// A malformed number, already reported.
    BadNumber,
    /// Text that was already reported; whatever fails here fails silently.
    Hole,
    /// `<-`, `<~`, `<--`, `:=`.
    Assign(AssignOp),
    /// `->`.
    Guard,
    /// `=>`.
    Conditional,
    /// `++`.
    Choice,
    /// `||` or `|`.
    Parallel,
    /// `..`.
    Range,
    /// An operator between two operands. `=` and `:` also separate names from what they stand for.
    Operator(BinaryOp),
    /// `!` or `not`.
    Not,
    /// An opening bracket.
    Open(Bracket),
    /// A closing bracket; of no width if it was missing and added.
    Close(Bracket),
    /// `,`.
    Comma,
    /// `;`.
    Semicolon,
    /// The end of the text.
    End,
}

/// `=`.
pub(super) const EQUALS: Kind = Kind::Operator(BinaryOp::Eq);
/// `:`.
pub(super) const COLON: Kind = Kind::Operator(BinaryOp::Round);
/// `-`.
pub(super) const MINUS: Kind = Kind::Operator(BinaryOp::Sub);

/// A token with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token {
    /// What it is.
    pub(super) kind: Kind,
    /// Where it stands.
    pub(super) span: Span,
}

impl Token {
    /// Whether it was not written but added by [`super::brackets`].
    pub(super) fn is_added(self) -> bool {
        self.span.start == self.span.end && self.kind != Kind::End
    }
}

/// Words that are never names: table 3.13 of the thesis, and those of SLiVER's additions that could not be told
/// from names by their place. `and`, `or` and `not` are operators and have kinds of their own.
pub(super) const KEYWORDS: [&str; 24] = [
    "abs",
    "agent",
    "always",
    "else",
    "environment",
    "exists",
    "extern",
    "false",
    "finally",
    "forall",
    "id",
    "if",
    "interface",
    "link",
    "max",
    "min",
    "of",
    "spawn",
    "stigmergies",
    "stigmergy",
    "system",
    "then",
    "true",
    "undef",
];

/// Words that open a section of the file.
pub(super) const SECTIONS: [&str; 5] = ["system", "stigmergy", "agent", "assume", "check"];

/// Words that open a part of a section.
pub(super) const PARTS: [&str; 6] = ["extern", "environment", "spawn", "interface", "stigmergies", "link"];

use AssignOp::{Attribute, Environment, Local, Stigmergy};

/// The symbols, such that a longer one comes before its beginnings.
pub(super) const SYMBOLS: [(&str, Kind); 31] = [
    ("<--", Kind::Assign(Environment)),
    ("<-", Kind::Assign(Attribute)),
    ("<~", Kind::Assign(Stigmergy)),
    (":=", Kind::Assign(Local)),
    ("->", Kind::Guard),
    ("=>", Kind::Conditional),
    ("++", Kind::Choice),
    ("||", Kind::Parallel),
    ("|", Kind::Parallel),
    ("..", Kind::Range),
    ("<=", Kind::Operator(BinaryOp::Le)),
    (">=", Kind::Operator(BinaryOp::Ge)),
    ("!=", Kind::Operator(BinaryOp::Ne)),
    ("=", EQUALS),
    ("<", Kind::Operator(BinaryOp::Lt)),
    (">", Kind::Operator(BinaryOp::Gt)),
    ("+", Kind::Operator(BinaryOp::Add)),
    ("-", MINUS),
    ("*", Kind::Operator(BinaryOp::Mul)),
    ("/", Kind::Operator(BinaryOp::Div)),
    ("%", Kind::Operator(BinaryOp::Mod)),
    (":", COLON),
    ("!", Kind::Not),
    ("(", Kind::Open(Bracket::Round)),
    (")", Kind::Close(Bracket::Round)),
    ("[", Kind::Open(Bracket::Square)),
    ("]", Kind::Close(Bracket::Square)),
    ("{", Kind::Open(Bracket::Curly)),
    ("}", Kind::Close(Bracket::Curly)),
    (",", Kind::Comma),
    (";", Kind::Semicolon),
];

/// Operators of other languages (and of typeset papers), and what LAbS writes instead.
pub(super) const FOREIGN: [(&str, &str); 15] = [
    ("==", "="),
    ("&&", "and"),
    ("&", "and"),
    ("<>", "!="),
    ("≠", "!="),
    ("≤", "<="),
    ("≥", ">="),
    ("∧", "and"),
    ("∨", "or"),
    ("¬", "!"),
    ("−", "-"),
    ("–", "-"),
    ("→", "->"),
    ("←", "<-"),
    ("…", ".."),
];
