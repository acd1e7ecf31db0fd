//! The words and signs of a text by number, and where an offset is among them.

use crate::cursor::{Token, TokenKind, cut};
use swarmcheck_source::Span;

/// A text cut into tokens. A number beyond the last token stands for the end of the text, so looking ahead needs no care.
pub struct Tokens<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    comments: Vec<Span>,
}

impl<'t> Tokens<'t> {
    /// Cuts a text into words and the signs of the language.
    pub fn new(text: &'t str, signs: &str) -> Tokens<'t> {
        let pieces = cut(text, signs);
        Tokens { text, tokens: pieces.tokens, comments: pieces.comments }
    }

    pub fn count(&self) -> usize {
        self.tokens.len()
    }

    pub fn get(&self, at: usize) -> Token {
        let end = Token { kind: TokenKind::End, span: Span::new(self.text.len(), self.text.len()) };
        self.tokens.get(at).copied().unwrap_or(end)
    }

    pub fn span(&self, at: usize) -> Span {
        self.get(at).span
    }

    /// From the first token to the last one before `end`; empty if there is none.
    pub fn range(&self, first: usize, end: usize) -> Span {
        let start = self.span(first);
        match end.checked_sub(1) {
            Some(last) if last >= first => start.to(self.span(last)),
            _ => Span { start: start.start, end: start.start },
        }
    }

    /// The text of a token; nothing beyond the last one.
    pub fn text(&self, at: usize) -> &'t str {
        self.text_of(self.span(at))
    }

    pub fn text_of(&self, span: Span) -> &'t str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// The text of a word; nothing for signs.
    pub fn word(&self, at: usize) -> &'t str {
        if self.is_word(at) { self.text(at) } else { "" }
    }

    pub fn is_word(&self, at: usize) -> bool {
        self.get(at).kind == TokenKind::Word
    }

    /// Whether it is a word that begins with a digit.
    pub fn is_number(&self, at: usize) -> bool {
        self.word(at).starts_with(|c: char| c.is_ascii_digit())
    }

    pub fn is_sign(&self, at: usize, sign: char) -> bool {
        self.get(at).kind == TokenKind::Sign(sign)
    }

    /// The sign there, if it is one.
    pub fn sign(&self, at: usize) -> Option<char> {
        match self.get(at).kind {
            TokenKind::Sign(sign) => Some(sign),
            _ => None,
        }
    }

    /// Whether nothing stands between a token and the next one.
    pub fn is_joined(&self, at: usize) -> bool {
        at + 1 < self.count() && self.span(at).end == self.span(at + 1).start
    }

    /// Whether these signs stand there, with nothing between them.
    pub fn sees(&self, at: usize, signs: &str) -> bool {
        let last = signs.chars().count().saturating_sub(1);
        let there = |(places, sign): (usize, char)| {
            self.is_sign(at + places, sign) && (places == last || self.is_joined(at + places))
        };
        signs.chars().enumerate().all(there)
    }

    /// Whether a token is the first one of its line.
    pub fn begins_line(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return true };
        let gap = self.text.get(self.span(before).end as usize..self.span(at).start as usize);
        gap.is_some_and(|gap| gap.contains('\n'))
    }

    /// Whether only white space stands before an offset in its line, apart from the word that is being written there.
    pub fn is_line_start(&self, offset: u32) -> bool {
        let start = self.typed(offset).map_or(offset, |word| self.span(word).start);
        let before = self.text.get(..start as usize).unwrap_or("");
        before.chars().rev().take_while(|c| *c != '\n').all(char::is_whitespace)
    }

    /// Whether an offset is inside a comment; its end counts, because what is written there becomes part of it.
    pub fn is_comment(&self, offset: u32) -> bool {
        let at = self.comments.partition_point(|comment| comment.end < offset);
        self.comments.get(at).is_some_and(|comment| comment.start < offset)
    }

    /// The word that an offset is in or directly behind: what somebody is about to write.
    pub fn typed(&self, offset: u32) -> Option<usize> {
        let at = self.tokens.partition_point(|token| token.span.end < offset);
        let here = self.get(at);
        (here.kind == TokenKind::Word && here.span.start < offset).then_some(at)
    }

    /// How many tokens are complete before an offset; the word that is being written there is not.
    pub fn before(&self, offset: u32) -> usize {
        self.typed(offset).unwrap_or_else(|| self.tokens.partition_point(|token| token.span.end <= offset))
    }

    /// The token at an offset, which may also be directly behind it. Where two touch, the one that begins there.
    pub fn at(&self, offset: u32) -> Option<usize> {
        let at = self.tokens.partition_point(|token| token.span.end < offset);
        let covers = |at: usize| {
            let span = self.span(at);
            at < self.count() && span.start <= offset && offset <= span.end
        };
        [at + 1, at].into_iter().find(|at| covers(*at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_find_tokens() {
        let tokens = Tokens::new("ab.cd # x\n  ef", ".");
        assert_eq!(tokens.count(), 4);
        // Between `ab` and the dot, the dot begins; in the comment and behind it there is nothing.
        assert_eq!(
            [0, 1, 2, 3, 5, 8].map(|at| tokens.at(at)),
            [0, 0, 1, 2, 2, 9].map(|at| (at < 4).then_some(at))
        );
        assert_eq!([0, 1, 2, 3].map(|offset| tokens.before(offset)), [0, 0, 0, 2]);
        assert_eq!(
            [5, 6, 7, 9, 10].map(|offset| tokens.is_comment(offset)),
            [false, false, true, true, false]
        );
        assert!(tokens.is_line_start(13) && tokens.is_line_start(11) && !tokens.is_line_start(3));
        assert!(tokens.is_joined(0) && !tokens.is_joined(2) && tokens.begins_line(3));
        assert_eq!((tokens.text(9), tokens.sign(1), tokens.range(0, 2)), ("", Some('.'), Span::new(0, 3)));
    }
}
