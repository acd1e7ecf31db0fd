//! Words and signs of a text, with a place to stand in it. Reading never fails: what is wrong becomes a diagnostic.

use crate::codes;
use swarmcheck_source::{Diagnostic, Diagnostics, Fix, Span, suggest};

/// How deeply terms and formulas may be nested.
const MOST_NESTED: usize = 200;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A name, a number or a reserved word.
    Word,
    /// A single character.
    Sign(char),
    /// The end of the text.
    End,
}

/// A token and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// A text cut into tokens, and a place in it.
pub struct Cursor<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// What was found to be wrong.
    pub diagnostics: Diagnostics,
}

/// A place to come back to.
#[derive(Clone, Copy)]
pub struct Mark {
    at: usize,
    depth: usize,
}

/// What stands at a place of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scanned {
    Comment,
    Word,
    Sign(char),
    /// A character that the language does not use.
    Foreign(char),
}

/// Goes through a text and tells everything but white space. `#` begins a comment that reaches to the end of the line; so
/// does `*` at the beginning of a line, if it is no sign of the language. Where `/` is a sign, `//` begins such a comment
/// too, and `/*` one that reaches to `*/`.
pub(crate) fn scan(text: &str, signs: &str, mut tell: impl FnMut(Scanned, Span)) {
    // Most characters are ASCII, and most are no signs: looking through the signs for each would take half of the time.
    let ascii: Vec<bool> = (0..128_u8).map(|byte| signs.contains(char::from(byte))).collect();
    let is_sign = |c: char| match ascii.get(c as usize) {
        Some(known) => *known,
        None => signs.contains(c),
    };
    let slashes = is_sign('/');
    let (mut at, mut first_of_line) = (0, true);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(c) = rest.chars().next() else { break };
        let start = at;
        at += c.len_utf8();
        let slash = c == '/' && slashes;
        let comment =
            c == '#' || (slash && rest.starts_with("//")) || (c == '*' && first_of_line && !is_sign('*'));
        if c == '\n' {
            first_of_line = true;
        } else if slash && rest.starts_with("/*") {
            let length = rest.get(2..).and_then(|inside| inside.find("*/"));
            at = length.map_or(text.len(), |length| start + length + 4);
            tell(Scanned::Comment, Span::new(start, at));
        } else if comment {
            at = rest.find('\n').map_or(text.len(), |length| start + length);
            tell(Scanned::Comment, Span::new(start, at));
        } else if is_word(c) {
            at = start + word_length(rest);
            tell(Scanned::Word, Span::new(start, at));
        } else if is_sign(c) {
            tell(Scanned::Sign(c), Span::new(start, at));
        } else if !c.is_whitespace() {
            tell(Scanned::Foreign(c), Span::new(start, at));
        }
        first_of_line &= c == '\n' || c.is_whitespace();
    }
}

impl<'t> Cursor<'t> {
    /// Cuts a text into words and the given signs, as `scan` does.
    pub fn new(text: &'t str, signs: &str) -> Cursor<'t> {
        let pieces = cut(text, signs);
        let mut cursor =
            Cursor { text, tokens: pieces.tokens, at: 0, depth: 0, diagnostics: Diagnostics::default() };
        for (span, c) in pieces.unknown {
            let message = format!("the character {c:?} has no meaning here");
            let error = Diagnostic::error(codes::CHARACTER, span, message);
            cursor.diagnostics.push(error.fix_if(own_sign(text, span.start as usize, c, signs)));
        }
        cursor
    }

    /// The current place.
    pub fn mark(&self) -> Mark {
        Mark { at: self.at, depth: self.depth }
    }

    /// Comes back to a place. What was found to be wrong since then stays.
    pub fn reset(&mut self, mark: Mark) {
        self.at = mark.at;
        self.depth = mark.depth;
    }

    /// The whole text.
    pub fn whole(&self) -> &'t str {
        self.text
    }

    /// The end of the token that was taken last.
    pub fn before(&self) -> u32 {
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        last.map_or(0, |token| token.span.end)
    }

    /// Whether these signs stand here, with nothing between them.
    pub fn sees_all(&self, signs: &str) -> bool {
        let mut end = None;
        signs.chars().enumerate().all(|(places, sign)| {
            let token = self.ahead(places);
            let joined = end.is_none_or(|end| end == token.span.start);
            end = Some(token.span.end);
            joined && token.kind == TokenKind::Sign(sign)
        })
    }

    /// Takes these signs if they stand here, with nothing between them.
    pub fn take_all(&mut self, signs: &str) -> bool {
        let there = self.sees_all(signs);
        self.at += if there { signs.chars().count() } else { 0 };
        there
    }

    /// The token at the current place.
    pub fn peek(&self) -> Token {
        self.ahead(0)
    }

    /// The token this many places further on.
    pub fn ahead(&self, places: usize) -> Token {
        let end = Token { kind: TokenKind::End, span: Span::new(self.text.len(), self.text.len()) };
        self.tokens.get(self.at + places).copied().unwrap_or(end)
    }

    /// Takes the current token.
    pub fn advance(&mut self) -> Token {
        let token = self.peek();
        self.at += 1;
        token
    }

    pub fn text(&self, token: Token) -> &'t str {
        self.text.get(token.span.range()).unwrap_or("")
    }

    /// Whether the current token is this sign.
    pub fn sees(&self, sign: char) -> bool {
        self.peek().kind == TokenKind::Sign(sign)
    }

    /// Whether the current token is this word.
    pub fn sees_word(&self, word: &str) -> bool {
        self.peek().kind == TokenKind::Word && self.text(self.peek()) == word
    }

    /// Takes the sign if it is there.
    pub fn take(&mut self, sign: char) -> bool {
        let there = self.sees(sign);
        self.at += usize::from(there);
        there
    }

    /// Takes the word if it is there.
    pub fn take_word(&mut self, word: &str) -> bool {
        let there = self.sees_word(word);
        self.at += usize::from(there);
        there
    }

    /// Takes a sign that must be there.
    pub fn expect(&mut self, sign: char) -> Option<()> {
        if self.take(sign) {
            return Some(());
        }
        let fix = self.insert(sign);
        self.wrong_but(&format!("`{sign}`"), None, fix)
    }

    /// Takes a name that must be there.
    pub fn name(&mut self, what: &str) -> Option<Token> {
        if self.peek().kind == TokenKind::Word { Some(self.advance()) } else { self.wrong(what) }
    }

    /// Inserts a sign behind what was taken last, unless it opens something, or a word follows on the same line: then
    /// something else is likely to be missing.
    fn insert(&self, sign: char) -> Option<Fix> {
        let (before, next) = (self.before(), self.peek());
        let gap = self.text.get(before as usize..next.span.start as usize).unwrap_or("");
        let closes = matches!(sign, ')' | ']' | '}' | ',');
        // Another closing bracket is one too many.
        if let TokenKind::Sign(found @ (')' | ']' | '}')) = next.kind
            && matches!(sign, ')' | ']' | '}')
        {
            return Some(Fix::replace(next.span, "", format!("remove `{found}`")));
        }
        let opens = matches!(next.kind, TokenKind::Sign('(' | '[' | '{'));
        let joined = opens || next.kind == TokenKind::Word && !gap.contains('\n');
        let allowed =
            if closes { !joined } else { matches!(sign, '=' | ':' | '.') && next.kind != TokenKind::End };
        let text = if sign == '=' || sign == '}' { format!(" {sign}") } else { sign.to_string() };
        allowed.then(|| Fix::insert(before, text, format!("insert `{sign}`")))
    }

    /// Says that one of these words was expected here, and which of them may be meant.
    pub fn wrong_word<T>(&mut self, expected: &str, words: &[&str]) -> Option<T> {
        let word = self.text(self.peek());
        let near = suggest::nearest(word, words.iter().copied()).filter(|_| word.len() <= 40);
        let fix = near.map(|near| Fix::replace(self.peek().span, near, format!("replace it by `{near}`")));
        self.wrong_but(expected, near.map(|near| format!("did you mean `{near}`?")), fix)
    }

    /// Says that something else was expected here.
    pub fn wrong<T>(&mut self, expected: &str) -> Option<T> {
        self.wrong_but(expected, None, None)
    }

    /// The same, with advice and a way out.
    pub fn wrong_but<T>(&mut self, expected: &str, help: Option<String>, fix: Option<Fix>) -> Option<T> {
        let token = self.peek();
        let found = match token.kind {
            TokenKind::End => "the end of the file".to_string(),
            _ => format!("`{}`", self.text(token)),
        };
        let message = format!("expected {expected}, found {found}");
        self.diagnostics
            .push(Diagnostic::error(codes::SYNTAX, token.span, message).help_if(help).fix_if(fix));
        None
    }

    /// Goes one level deeper, or says that this is too deep.
    pub fn enter(&mut self) -> Option<()> {
        self.depth += 1;
        if self.depth <= MOST_NESTED {
            return Some(());
        }
        let message = format!("nested more than {MOST_NESTED} levels deep");
        let error = Diagnostic::error(codes::DEPTH, self.peek().span, message);
        self.diagnostics.push(error.help("give the inner part a name of its own"));
        None
    }

    /// Comes back this many levels.
    pub fn leave(&mut self, levels: usize) {
        self.depth = self.depth.saturating_sub(levels);
    }

    /// Reads something that is nested one level deeper.
    pub fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.enter()?;
        let result = read(self);
        self.leave(1);
        result
    }

    /// Skips to the next of these words, or to the end, and is back at the outermost level.
    pub fn skip_to(&mut self, words: &[&str]) {
        self.skip_until(|cursor| words.iter().any(|w| cursor.sees_word(w)));
    }

    /// Skips to the next place where this holds, or to the end, and is back at the outermost level.
    pub fn skip_until(&mut self, stop: impl Fn(&Self) -> bool) {
        self.depth = 0;
        while self.peek().kind != TokenKind::End && !stop(self) {
            self.at += 1;
        }
    }
}

/// A text cut into pieces.
pub struct Pieces {
    pub tokens: Vec<Token>,
    /// From the sign that begins a comment to its last character; the end of the line is not part of it.
    pub comments: Vec<Span>,
    /// Characters that the language does not use.
    pub unknown: Vec<(Span, char)>,
}

/// Cuts a text as [`Cursor::new`] says.
pub fn cut(text: &str, signs: &str) -> Pieces {
    let mut out = Pieces { tokens: vec![], comments: vec![], unknown: vec![] };
    scan(text, signs, |what, span| match what {
        Scanned::Comment => out.comments.push(span),
        Scanned::Word => out.tokens.push(Token { kind: TokenKind::Word, span }),
        Scanned::Sign(c) => out.tokens.push(Token { kind: TokenKind::Sign(c), span }),
        Scanned::Foreign(c) => out.unknown.push((span, c)),
    });
    out
}

/// What a language writes for a character that it does not know: signs of typeset papers, and `//` before comments.
fn own_sign(text: &str, start: usize, c: char, signs: &str) -> Option<Fix> {
    const TYPESET: [(char, char); 8] =
        [('’', '\''), ('‘', '\''), ('·', '.'), ('−', '-'), ('–', '-'), ('∥', '|'), ('∣', '|'), ('∗', '*')];
    if text.get(start..).is_some_and(|rest| rest.starts_with("//")) {
        return Some(Fix::replace(Span::new(start, start + 2), "#", "write `#`"));
    }
    let (_, own) = TYPESET.iter().find(|(typeset, own)| *typeset == c && signs.contains(*own))?;
    Some(Fix::replace(Span::new(start, start + c.len_utf8()), own.to_string(), format!("write `{own}`")))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// How many bytes the word at the beginning of a text has.
fn word_length(text: &str) -> usize {
    let ascii = text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    // Letters that are not ASCII are rare, so only what follows the others is looked at character by character.
    let rest = text.get(ascii..).unwrap_or("");
    ascii + rest.find(|c| !is_word(c)).unwrap_or(rest.len())
}
