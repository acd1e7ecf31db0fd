//! The pieces of a text as editors and the formatter see them: the tokens of the parser, and the comments between them.

use super::lexer;
use super::log::Log;
use super::token::TokenKind;
use swarmcheck_source::Span;
use swarmcheck_source::token::{Token, TokenClass};

/// Everything in a text but white space, in its order. What follows `//` is no comment in LAbS, but is skipped by the parser
/// up to the end of the line: it is one piece that the language does not use.
pub fn pieces(text: &str) -> Vec<Token> {
    let mut out = vec![];
    let mut at = 0;
    for token in lexer::tokens(text, &mut Log::default()) {
        between(text, at, token.span.start as usize, &mut out);
        if token.kind != TokenKind::End {
            out.push(Token { class: class(token.kind), span: token.span });
        }
        at = token.span.end as usize;
    }
    out
}

/// Adds the comments from one place to another, where there are no tokens.
fn between(text: &str, from: usize, to: usize, out: &mut Vec<Token>) {
    let mut at = from;
    while let Some(rest) = text.get(at..to) {
        let Some(start) = rest.find(|c: char| !c.is_whitespace() && c != '\u{feff}') else { return };
        let comment = rest.get(start..).unwrap_or("");
        let length = comment.find('\n').unwrap_or(comment.len());
        let class = if comment.starts_with('#') { TokenClass::Comment } else { TokenClass::Unknown };
        out.push(Token { class, span: Span::new(at + start, at + start + length) });
        at += start + length;
    }
}

fn class(kind: TokenKind) -> TokenClass {
    match kind {
        TokenKind::Name | TokenKind::Ident | TokenKind::Parameter => TokenClass::Name,
        TokenKind::Keyword
        | TokenKind::Not
        | TokenKind::Operator(super::ast::BinaryOp::And | super::ast::BinaryOp::Or) => TokenClass::Keyword,
        TokenKind::Number | TokenKind::Decimal | TokenKind::BadNumber => TokenClass::Number,
        TokenKind::Open(_) => TokenClass::Open,
        TokenKind::Close(_) => TokenClass::Close,
        TokenKind::Comma | TokenKind::Semicolon => TokenClass::Separator,
        TokenKind::Hole | TokenKind::End => TokenClass::Unknown,
        TokenKind::Assign(_)
        | TokenKind::Guard
        | TokenKind::Conditional
        | TokenKind::Choice
        | TokenKind::Parallel
        | TokenKind::Range
        | TokenKind::Operator(_)
        | TokenKind::Diamond
        | TokenKind::At => TokenClass::Operator,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_pieces() {
        let text = "x <- 1 # one\n// two\n  y";
        let shown: Vec<_> =
            pieces(text).iter().map(|piece| (&text[piece.span.range()], piece.class)).collect();
        use TokenClass::{Comment, Name, Number, Operator, Unknown};
        let expected = [
            ("x", Name),
            ("<-", Operator),
            ("1", Number),
            ("# one", Comment),
            ("// two", Unknown),
            ("y", Name),
        ];
        assert_eq!(shown, expected);
    }

    /// Nothing but white space lies between pieces, whatever the text: so pieces and gaps give the text again.
    #[test]
    fn pieces_leave_out_white_space_only() {
        let mut random = fastrand::Rng::with_seed(21);
        let letters: Vec<char> = "abX_09 \t\r\n#/*|[]{}()<>-=.:;,'\"é…\u{feff}∧@$".chars().collect();
        let mut found = 0;
        for _ in 0..3000 {
            let text: String =
                (0..random.usize(0..40)).map(|_| letters[random.usize(0..letters.len())]).collect();
            let blank = |gap: &str| gap.chars().all(|c| c.is_whitespace() || c == '\u{feff}');
            let mut at = 0;
            for piece in pieces(&text) {
                let range = piece.span.range();
                assert!(at <= range.start && range.start < range.end, "{text:?}");
                assert!(blank(&text[at..range.start]), "{text:?}");
                at = range.end;
                found += 1;
            }
            assert!(blank(&text[at..]), "{text:?}");
        }
        assert!(found > 20_000, "{found}");
    }
}
