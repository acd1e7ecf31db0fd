//! A piece of text, and what a language says about it: how it stands beside others, and what a line that begins or ends with
//! it means for indentation.

use swarmcheck_source::token::{Token, TokenClass};

/// How a piece stands beside others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// A name, a number or a word: spaces on both sides, unless the other side wants none.
    Word,
    /// An operator between two operands.
    Binary,
    /// Nothing stands between it and what follows, as with a minus sign before a number.
    Prefix,
    /// Nothing stands between it and what precedes it.
    Postfix,
    /// Nothing stands on either side, as with `..`.
    Tight,
    /// White space around it stays, or stays away.
    Keep,
    /// A bracket. `attached`: nothing stands before it. `spaced`: spaces stand inside.
    Open {
        attached: bool,
        spaced: bool,
    },
    Close {
        spaced: bool,
    },
    Comment,
}

/// What a bracket holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Frame {
    /// Definitions, one below the other.
    Section,
    /// Statements with `;` between them. A statement that goes on in another line is indented there.
    Block,
    Other,
}

/// What a line means that begins with a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Head {
    Plain,
    /// A part of the file. No bracket is open here, whatever came before. `level`: its indentation in levels. `hanging`: the
    /// columns by which lines are further to the right that belong to it and have no better place.
    Section {
        level: usize,
        hanging: usize,
    },
    /// A part of a section.
    Definition,
    /// A statement, wherever it stands.
    Statement,
    /// An operator between processes: whatever hangs on a guard ends before it.
    Choice,
    /// A line that goes on with the one before it.
    Deeper,
    Then,
    Else,
}

/// What a line means that ends with a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tail {
    Plain,
    /// All that follows, up to the next operator between processes.
    Guard,
    /// What follows, up to the end of the statement.
    Value,
    /// The next line goes on with this one.
    Deeper,
}

/// A piece of text with what is known about it.
#[derive(Clone, Debug)]
pub(crate) struct Piece<'t> {
    pub text: &'t str,
    pub class: TokenClass,
    /// Its first byte, and the one behind it.
    pub start: usize,
    pub end: usize,
    /// White space stands before it, or a comment, which will have some around it.
    pub gap: bool,
    /// A line break stands before it.
    pub broken: bool,
    pub role: Role,
    pub frame: Frame,
    pub head: Head,
    pub tail: Tail,
}

impl Piece<'_> {
    pub fn is_comment(&self) -> bool {
        self.role == Role::Comment
    }
}

/// The pieces of a text with roles that follow from their classes.
pub(crate) fn pieces<'t>(text: &'t str, tokens: &[Token]) -> Vec<Piece<'t>> {
    let mut out: Vec<Piece<'t>> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    for token in tokens {
        let range = token.span.range();
        let gap = text.get(at..range.start).unwrap_or("");
        let all = text.get(range.clone()).unwrap_or("");
        // A comment reaches to the end of its line, and so does the white space before that.
        let shown = all.trim_end();
        let line = token.class == TokenClass::Unknown && shown.starts_with("//");
        let role = match token.class {
            TokenClass::Comment => Role::Comment,
            // What is skipped up to the end of the line.
            TokenClass::Unknown if line => Role::Comment,
            TokenClass::Unknown => Role::Keep,
            TokenClass::Keyword | TokenClass::Name | TokenClass::Number => Role::Word,
            TokenClass::Operator => Role::Binary,
            TokenClass::Separator => Role::Postfix,
            TokenClass::Open => Role::Open { attached: false, spaced: false },
            TokenClass::Close => Role::Close { spaced: false },
        };
        out.push(Piece {
            text: shown,
            class: token.class,
            start: range.start,
            end: range.end,
            gap: !gap.is_empty() || out.last().is_some_and(Piece::is_comment),
            broken: gap.contains('\n'),
            role,
            frame: Frame::Other,
            head: Head::Plain,
            tail: Tail::Plain,
        });
        at = range.end;
    }
    out
}

/// Whether a space stands between two pieces of one line.
pub(crate) fn spaced(left: &Piece<'_>, right: &Piece<'_>) -> bool {
    use Role::{Binary, Close, Comment, Keep, Open, Postfix, Prefix, Tight, Word};
    let wanted = match (left.role, right.role) {
        (Comment, _) | (_, Comment) => true,
        (Keep, _) | (_, Keep) => right.gap,
        (Open { .. }, Close { .. }) => false,
        (Open { spaced, .. }, _) | (_, Close { spaced }) => spaced,
        (Prefix | Tight, _) | (_, Postfix | Tight) => false,
        (_, Open { attached, .. }) => !attached,
        (Word | Binary | Postfix | Close { .. }, Word | Binary | Prefix) => true,
    };
    wanted || right.gap && would_join(left.text, right.text)
}

/// Whether two pieces might be read as one, or as others, if nothing stood between them. It says so too often rather than too
/// seldom: then white space stays.
fn would_join(left: &str, right: &str) -> bool {
    let (Some(last), Some(first)) = (left.chars().next_back(), right.chars().next()) else { return false };
    let word = |c: char| c == '_' || c.is_alphanumeric();
    let separate = |c: char| matches!(c, '(' | ')' | '{' | '}' | ',' | ';' | '\'');
    let bracket = |c: char| matches!(c, '[' | ']');
    // Where a number has a dot, words and dots behind it belong to it, whatever it then is.
    let decimal = left.starts_with(|c: char| c.is_ascii_digit()) && left.contains('.');
    match (word(last), word(first)) {
        (true, true) => true,
        (false, false) if separate(last) || separate(first) => false,
        // `[[`, `]]`, `[]`, `|[` and `]|` mean something in some languages; `[-1` is nothing.
        (false, false) if bracket(last) && bracket(first) => true,
        (false, false) if bracket(last) || bracket(first) => last == '|' || first == '|',
        (false, false) => true,
        // `1.` and `1..`: only the latter ends the number.
        (true, false) => first == '.' && (decimal || last.is_ascii_digit() && right != ".."),
        (false, true) => last == '.' && (decimal || first.is_ascii_digit() && left != ".."),
    }
}
