//! Where the parts of a section begin: `interface = …`, `link: …`. Their words are no reserved words, so the same text may be
//! about a variable of that name; what follows it tells.

use super::ast::BinaryOp;
use super::cursor::Parser;
use super::token::{Bracket, COLON, EQUALS, PARTS, Token, TokenKind};

/// How far to look for what tells. In a longer text the part is assumed.
const LOOKAHEAD: usize = 400;

/// The tokens up to a bracket that closes what was opened before them: their numbers, and how many brackets are open around
/// each. Brackets are left out.
fn nested(tokens: &[Token]) -> impl Iterator<Item = (usize, Token, usize)> {
    let mut depth = 0usize;
    let inside = move |(i, token): (usize, &Token)| match token.kind {
        TokenKind::Open(_) => {
            depth += 1;
            Some(None)
        }
        TokenKind::Close(_) => {
            depth = depth.checked_sub(1)?;
            Some(None)
        }
        _ => Some(Some((i, *token, depth))),
    };
    tokens.iter().enumerate().take(LOOKAHEAD).map_while(inside).flatten()
}

/// Whether these tokens come to the arrow of a guard, or to the `then` of an `if` before them, before the end of the item: `;`, the next
/// definition, the end of the section. Then a word before them that may open a part is a variable.
fn has_arrow(text: &str, tokens: &[Token]) -> bool {
    let mut ifs = 0usize;
    let kind = |i: usize| tokens.get(i).map_or(TokenKind::End, |t| t.kind);
    for (i, token, _) in nested(tokens).filter(|(.., depth)| *depth == 0) {
        match token.kind {
            TokenKind::Guard | TokenKind::Conditional => return true,
            TokenKind::Keyword => match &text[token.span.range()] {
                "if" => ifs += 1,
                "then" if ifs == 0 => return true,
                "then" => ifs -= 1,
                _ => {}
            },
            TokenKind::Comma if !after_binder(text, &tokens[..i]) => return false,
            TokenKind::Semicolon
            | TokenKind::Assign(_)
            | TokenKind::Choice
            | TokenKind::Parallel
            | TokenKind::End => return false,
            TokenKind::Ident if kind(i + 1) == EQUALS => return false,
            _ => {}
        }
    }
    false
}

/// Whether these tokens end in `forall K a` or the like, which a comma follows.
fn after_binder(text: &str, tokens: &[Token]) -> bool {
    match tokens {
        [.., word, kind, name] => {
            kind.kind == TokenKind::Ident
                && name.kind == TokenKind::Name
                && matches!(&text[word.span.range()], "forall" | "exists" | "count")
        }
        _ => false,
    }
}

/// Whether the tokens after `word =` look like the content of that part and like nothing else.
fn has_content(text: &str, word: &str, tokens: &[Token]) -> bool {
    let kind = |i: usize| tokens.get(i).map_or(TokenKind::End, |t| t.kind);
    let shape = match word {
        "spawn" => matches!(kind(0), TokenKind::Ident | TokenKind::Name) && kind(1) == COLON,
        "stigmergies" => kind(0) == TokenKind::Ident,
        // The default of a parameter follows a colon, which is an operator, too.
        "extern" => {
            kind(0) == TokenKind::Parameter
                && (kind(1) == COLON || !matches!(kind(1), TokenKind::Operator(_)))
        }
        "interface" | "environment" => {
            kind(0) == TokenKind::Name && matches!(kind(1), COLON | TokenKind::Open(Bracket::Square))
        }
        "rate" => matches!(kind(0), TokenKind::Number | TokenKind::Decimal | TokenKind::Parameter),
        _ => true,
    };
    shape && !has_arrow(text, tokens)
}

/// Whether an operand can end with this token, so that a word after it does not belong to the same expression.
fn ends_operand(text: &str, token: Token) -> bool {
    let word = &text[token.span.range()];
    match token.kind {
        TokenKind::Name => word != "where",
        TokenKind::Keyword => matches!(word, "true" | "false" | "undef" | "id"),
        TokenKind::Number
        | TokenKind::Decimal
        | TokenKind::BadNumber
        | TokenKind::Ident
        | TokenKind::Parameter
        | TokenKind::Hole
        | TokenKind::Semicolon
        | TokenKind::Close(_) => true,
        _ => false,
    }
}

/// Whether `word = …` at the first of these tokens can only be a part of a section, whatever brackets are open.
pub(super) fn must_be_part(text: &str, before: Option<Token>, tokens: &[Token]) -> bool {
    let [word, equals, rest @ ..] = tokens else { return false };
    let name = &text[word.span.range()];
    word.kind == TokenKind::Name
        && equals.kind == EQUALS
        && PARTS.contains(&name)
        && before.is_some_and(|t| ends_operand(text, t))
        && has_content(text, name, rest)
}

impl Parser<'_> {
    /// Whether a part of a section, such as `interface = …`, starts here, where something else has ended.
    pub(super) fn at_part(&self) -> bool {
        let word = self.word();
        if self.kind() != TokenKind::Name || self.parts.is_empty() || !PARTS.contains(&word) {
            return false;
        }
        let rest = self.after(2);
        match self.nth(1).kind {
            EQUALS => !has_arrow(self.text, rest),
            COLON => self.parts.contains(&word) && self.is_part_after_colon(word, rest),
            _ => false,
        }
    }

    /// The same after an operator or an assignment arrow, where an operand is missing then.
    pub(super) fn at_part_for_operand(&self) -> bool {
        let word = self.word();
        let before = self.kind_at(self.at.saturating_sub(1));
        matches!(before, TokenKind::Operator(_) | TokenKind::Assign(_))
            && !matches!(word, "link" | "rate")
            && self.nth(1).kind == EQUALS
            && !self.is_in_brackets()
            && self.at_part()
            && has_content(self.text, word, self.after(2))
    }

    /// Whether a round or square bracket is open here: no part begins inside one.
    fn is_in_brackets(&self) -> bool {
        let mut closed = 0usize;
        for at in (0..self.at).rev().take(LOOKAHEAD) {
            match self.kind_at(at) {
                TokenKind::Close(_) => closed += 1,
                TokenKind::Open(_) if closed > 0 => closed -= 1,
                TokenKind::Open(bracket) => return bracket != Bracket::Curly,
                _ => {}
            }
        }
        false
    }

    /// A part or a variable: initialisers contain no variables.
    fn is_part_after_colon(&self, word: &str, rest: &[Token]) -> bool {
        let kind = |i: usize| rest.get(i).map_or(TokenKind::End, |t| t.kind);
        let part = match (word, kind(0)) {
            // A constant is the link if nothing else is.
            ("link", _) => is_predicate(self.text, rest) || !self.linked && !links_later(self.text, rest),
            // A rate is written with `=`, a variable with `:`.
            ("rate", _) => false,
            ("extern", TokenKind::Parameter) => !matches!(kind(1), TokenKind::Operator(_) | TokenKind::Range),
            (_, first) => {
                matches!(first, TokenKind::Ident | TokenKind::Name | TokenKind::Close(_) | TokenKind::End)
            }
        };
        part && !has_arrow(self.text, rest)
    }
}

/// Whether the rest of a section has a link.
fn links_later(text: &str, tokens: &[Token]) -> bool {
    nested(tokens).any(|(i, token, depth)| {
        let word = depth == 0 && token.kind == TokenKind::Name && &text[token.span.range()] == "link";
        word && match tokens.get(i + 1).map(|t| t.kind) {
            Some(EQUALS) => true,
            Some(COLON) => is_predicate(text, tokens.get(i + 2..).unwrap_or_default()),
            _ => false,
        }
    })
}

/// Whether this is a predicate and no initialiser, that is, contains a variable or an operator on truth values.
fn is_predicate(text: &str, tokens: &[Token]) -> bool {
    for (i, token, depth) in nested(tokens) {
        match token.kind {
            TokenKind::Semicolon | TokenKind::Comma | TokenKind::End if depth == 0 => return false,
            // A name where an operand has ended is the next declaration.
            TokenKind::Name => return i == 0 || depth > 0 || !ends_operand(text, tokens[i - 1]),
            TokenKind::Keyword => {
                let word = &text[token.span.range()];
                if matches!(word, "of" | "true" | "false" | "forall" | "exists") {
                    return true;
                }
            }
            TokenKind::Not => return true,
            TokenKind::Operator(
                BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge
                | BinaryOp::And
                | BinaryOp::Or,
            ) => return true,
            _ => {}
        }
    }
    false
}
