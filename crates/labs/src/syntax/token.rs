//! Tokens: the words and symbols of LAbS.

use super::ast::{AssignOp, BinaryOp};
use swarmcheck_source::Span;

/// The three pairs of brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bracket {
    /// `( )`.
    Round,
    /// `[ ]`.
    Square,
    /// `{ }`.
    Curly,
}

impl Bracket {
    /// How the opening one is written.
    pub(crate) fn open(self) -> &'static str {
        match self {
            Bracket::Round => "(",
            Bracket::Square => "[",
            Bracket::Curly => "{",
        }
    }

    /// How the closing one is written.
    pub(crate) fn close(self) -> &'static str {
        match self {
            Bracket::Round => ")",
            Bracket::Square => "]",
            Bracket::Curly => "}",
        }
    }
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
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
    /// `2.5` where a rate may stand.
    Decimal,
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
    /// `<>` in a formula of linear time.
    Diamond,
    Open(Bracket),
    /// A closing bracket; of no width if it was missing and added.
    Close(Bracket),
    /// `@`, before the rate of an action.
    At,
    /// `,`.
    Comma,
    /// `;`.
    Semicolon,
    /// The end of the text.
    End,
}

/// `=`.
pub(crate) const EQUALS: TokenKind = TokenKind::Operator(BinaryOp::Eq);
/// `:`.
pub(crate) const COLON: TokenKind = TokenKind::Operator(BinaryOp::Round);
/// `-`.
pub(crate) const MINUS: TokenKind = TokenKind::Operator(BinaryOp::Sub);

/// A token with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

impl Token {
    /// Whether it was not written but added by [`super::brackets`].
    pub(crate) fn is_added(self) -> bool {
        self.span.start == self.span.end && self.kind != TokenKind::End
    }
}

/// Words that are never names, because their place does not tell them from one. Table 3.13 of the thesis reserves more, but
/// published models use those as names. `and`, `or` and `not` are operators and have kinds of their own.
pub(crate) const KEYWORDS: [&str; 13] =
    ["abs", "else", "exists", "false", "forall", "id", "if", "max", "min", "of", "then", "true", "undef"];

/// Words that open a section of the file. Like those below they are words of their place, and names elsewhere.
pub(crate) const SECTIONS: [&str; 6] = ["system", "stigmergy", "agent", "assume", "check", "view"];

/// Words that open a part of a section.
pub(crate) const PARTS: [&str; 7] =
    ["extern", "environment", "spawn", "interface", "stigmergies", "link", "rate"];

use AssignOp::{Attribute, Environment, Local, Stigmergy};

/// The symbols, such that a longer one comes before its beginnings.
pub(crate) const SYMBOLS: [(&str, TokenKind); 31] = [
    ("<--", TokenKind::Assign(Environment)),
    ("<-", TokenKind::Assign(Attribute)),
    ("<~", TokenKind::Assign(Stigmergy)),
    (":=", TokenKind::Assign(Local)),
    ("->", TokenKind::Guard),
    ("=>", TokenKind::Conditional),
    ("++", TokenKind::Choice),
    ("||", TokenKind::Parallel),
    ("|", TokenKind::Parallel),
    ("..", TokenKind::Range),
    ("<=", TokenKind::Operator(BinaryOp::Le)),
    (">=", TokenKind::Operator(BinaryOp::Ge)),
    ("!=", TokenKind::Operator(BinaryOp::Ne)),
    ("=", EQUALS),
    ("<", TokenKind::Operator(BinaryOp::Lt)),
    (">", TokenKind::Operator(BinaryOp::Gt)),
    ("+", TokenKind::Operator(BinaryOp::Add)),
    ("-", MINUS),
    ("*", TokenKind::Operator(BinaryOp::Mul)),
    ("/", TokenKind::Operator(BinaryOp::Div)),
    ("%", TokenKind::Operator(BinaryOp::Mod)),
    (":", COLON),
    ("!", TokenKind::Not),
    ("(", TokenKind::Open(Bracket::Round)),
    (")", TokenKind::Close(Bracket::Round)),
    ("[", TokenKind::Open(Bracket::Square)),
    ("]", TokenKind::Close(Bracket::Square)),
    ("{", TokenKind::Open(Bracket::Curly)),
    ("}", TokenKind::Close(Bracket::Curly)),
    (",", TokenKind::Comma),
    (";", TokenKind::Semicolon),
];

/// Operators of other languages (and of typeset papers), and what LAbS writes instead.
pub(crate) const FOREIGN: [(&str, &str); 15] = [
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
