//! From text to tokens. Longest match; comments run from `#` to the end of the line.

use super::ast::BinaryOp;
use super::log::Log;
use super::token::{EQUALS, FOREIGN, KEYWORDS, SYMBOLS, Token, TokenKind};
use crate::codes;
use swarmcheck_source::{Diagnostic, Fix, Span};

/// Cuts the text into tokens, the last of which is `End`.
pub(super) fn tokens(text: &str, log: &mut Log) -> Vec<Token> {
    let mut lexer = Lexer { text, at: 0, tokens: Vec::new(), definition: 0, log };
    while let Some(c) = lexer.rest().chars().next() {
        lexer.step(c);
    }
    lexer.push(TokenKind::End, text.len());
    lexer.tokens
}

/// The kind of a word that starts with a lowercase letter.
fn word(text: &str) -> TokenKind {
    match text {
        "and" => TokenKind::Operator(BinaryOp::And),
        "or" => TokenKind::Operator(BinaryOp::Or),
        "not" => TokenKind::Not,
        _ if KEYWORDS.contains(&text) => TokenKind::Keyword,
        _ => TokenKind::Name,
    }
}

/// What is said of `2.5` where it is no rate.
pub(super) fn integers_only(text: &str, span: Span) -> Diagnostic {
    let message = format!("`{text}` is not a number");
    Diagnostic::error(codes::SYNTAX, span, message).label("LAbS has integers only")
}

/// Writes another operator at a place, with spaces where it would otherwise join what stands beside it.
pub(super) fn replace_operator(text: &str, span: Span, own: &str) -> Fix {
    let joins = |a: Option<char>, b: Option<char>| {
        let symbol = |c: char| "<>-=!~:+|.&/".contains(c);
        a.zip(b).is_some_and(|(a, b)| is_word(a) && is_word(b) || symbol(a) && symbol(b))
    };
    let before = text.get(..span.range().start).and_then(|t| t.chars().next_back());
    let after = text.get(span.range().end..).and_then(|t| t.chars().next());
    let left = if joins(before, own.chars().next()) { " " } else { "" };
    let right = if joins(own.chars().next_back(), after) { " " } else { "" };
    Fix::replace(span, format!("{left}{own}{right}"), format!("write `{own}`"))
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Whether a text starts with a sign. Most do not share its first byte, which is quicker to compare.
fn starts(text: &str, sign: &str) -> bool {
    text.as_bytes().first() == sign.as_bytes().first() && text.starts_with(sign)
}

struct Lexer<'t, 'l> {
    text: &'t str,
    at: usize,
    tokens: Vec<Token>,
    /// The first token after the last `Name =`.
    definition: usize,
    log: &'l mut Log,
}

impl<'t> Lexer<'t, '_> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Adds a token that starts here and ends there.
    fn push(&mut self, kind: TokenKind, end: usize) {
        let head = self.tokens.last().is_some_and(|token| token.kind == TokenKind::Ident);
        self.tokens.push(Token { kind, span: Span::new(self.at, end) });
        if head && kind == EQUALS {
            self.definition = self.tokens.len();
        }
        self.at = end;
    }

    /// Whether this is a definition of the form `Name = ltl …`.
    fn is_in_formula(&self) -> bool {
        self.tokens.get(self.definition).is_some_and(|token| &self.text[token.span.range()] == "ltl")
    }

    /// Where the run of characters that starts here ends.
    fn run(&self, of: impl Fn(char) -> bool) -> usize {
        self.rest().find(|c| !of(c)).map_or(self.text.len(), |n| self.at + n)
    }

    fn error(&mut self, code: &'static str, span: Span, message: String, label: &str) {
        self.log.push(Diagnostic::error(code, span, message).label(label));
    }

    fn step(&mut self, c: char) {
        if c.is_whitespace() || c == '\u{feff}' {
            self.at += c.len_utf8();
        } else if c == '#' {
            self.at = self.run(|c| c != '\n');
        } else if c.is_ascii_digit() {
            self.number();
        } else if is_word(c) {
            self.word();
        } else if self.rest().starts_with("//") {
            let span = Span::new(self.at, self.at + 2);
            let d =
                Diagnostic::error(codes::OPERATOR, span, "LAbS has no `//`").label("comments start with `#`");
            self.log.push(d.fix(Fix::replace(span, "#", "write `#`")));
            self.at = self.run(|c| c != '\n');
        } else if self.rest().starts_with("<>") && self.is_in_formula() {
            self.push(TokenKind::Diamond, self.at + 2);
        } else if let Some((foreign, own)) = FOREIGN.iter().find(|(f, _)| starts(self.rest(), f)) {
            let end = self.at + foreign.len();
            let message = format!("LAbS has no operator `{foreign}`");
            let span = Span::new(self.at, end);
            let d = Diagnostic::error(codes::OPERATOR, span, message).label(format!("LAbS writes `{own}`"));
            self.log.push(d.fix(replace_operator(self.text, span, own)));
            let kind = SYMBOLS.iter().find(|(s, _)| s == own).map_or_else(|| word(own), |(_, k)| *k);
            self.push(kind, end);
        } else if c == '@' && !self.tokens.is_empty() {
            self.push(TokenKind::At, self.at + 1);
        } else if self.rest().starts_with("...") {
            self.unknown();
        } else if let Some((symbol, kind)) = SYMBOLS.iter().find(|(s, _)| starts(self.rest(), s)) {
            self.push(*kind, self.at + symbol.len());
        } else {
            self.unknown();
        }
    }

    fn word(&mut self) {
        let end = self.run(is_word);
        let text = &self.text[self.at..end];
        if let Some(first) = text.find(|c: char| !c.is_ascii()) {
            let foreign = &text[first..];
            let length = foreign.find(|c: char| c.is_ascii()).unwrap_or(foreign.len());
            let span = Span::new(self.at + first, self.at + first + length);
            let message = format!("names cannot contain `{}`", &foreign[..length]);
            self.error(codes::CHARACTER, span, message, "only letters a-z, A-Z, digits and `_`");
        }
        let bare = text.trim_start_matches('_');
        let kind = if text.starts_with('_') {
            if text.len() - bare.len() == 1 && bare.starts_with(char::is_lowercase) {
                TokenKind::Parameter
            } else {
                let message = format!("`{text}` is not a name");
                let label = "a parameter is one `_` and a name that starts with a lowercase letter";
                self.error(codes::SYNTAX, Span::new(self.at, end), message, label);
                TokenKind::Hole
            }
        } else if text.starts_with(char::is_uppercase) {
            TokenKind::Ident
        } else {
            word(text)
        };
        self.push(kind, end);
    }

    /// Whether a rate begins here: after `@` or `rate =`.
    fn is_rate(&self) -> bool {
        match self.tokens.as_slice() {
            [.., at] if at.kind == TokenKind::At => true,
            [.., word, equals] => equals.kind == EQUALS && &self.text[word.span.range()] == "rate",
            _ => false,
        }
    }

    fn number(&mut self) {
        let mut end = self.run(|c| c.is_ascii_digit());
        let after = &self.text[end..];
        let decimal = after.starts_with('.') && after[1..].starts_with(|c: char| c.is_ascii_digit());
        let mut kind = TokenKind::Number;
        if decimal || after.starts_with(is_word) {
            let shown = |c: char| is_word(c) || decimal && c == '.';
            end = after.find(|c| !shown(c)).map_or(self.text.len(), |n| end + n);
            let text = &self.text[self.at..end];
            let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
            if decimal && plain && text.matches('.').count() == 1 && self.is_rate() {
                kind = TokenKind::Decimal;
            } else if decimal {
                self.log.push(integers_only(text, Span::new(self.at, end)));
                kind = TokenKind::BadNumber;
            } else {
                let message = format!("`{text}` is not a number");
                self.error(codes::SYNTAX, Span::new(self.at, end), message, "names start with a letter");
                kind = TokenKind::BadNumber;
            }
        } else if self.text[self.at..end].parse::<i64>().is_err() {
            let span = Span::new(self.at, end);
            let label = format!("the largest number is {}", i64::MAX);
            self.error(codes::NUMBER, span, "this number does not fit 64 bits".into(), &label);
            kind = TokenKind::BadNumber;
        }
        self.push(kind, end);
    }

    /// What to write instead of a dot: `forall K a. p` needs a comma, and `a.x` is `x of a`.
    fn instead_of_dot(&self, dot: Span) -> Option<Fix> {
        let before = self.tokens.last().filter(|t| t.kind == TokenKind::Name && t.span.end == dot.start)?;
        if let [.., word, kind, _] = self.tokens.as_slice()
            && kind.kind == TokenKind::Ident
            && matches!(&self.text[word.span.range()], "forall" | "exists" | "count")
        {
            return Some(Fix::replace(dot, ",", "write `,`"));
        }
        let rest = &self.text[dot.range().end..];
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let variable = rest.get(..length).filter(|w| w.starts_with(|c: char| c.is_ascii_lowercase()))?;
        let own = format!("{variable} of {}", &self.text[before.span.range()]);
        let whole = Span::new(before.span.start as usize, dot.range().end + length);
        Some(Fix::replace(whole, own.clone(), format!("write `{own}`")))
    }

    /// A run of characters that nothing in the language starts with.
    fn unknown(&mut self) {
        let known = |c: char| {
            c.is_whitespace()
                || c == '#'
                || is_word(c)
                || SYMBOLS.iter().any(|(s, _)| s.starts_with(c))
                || FOREIGN.iter().any(|(f, _)| f.starts_with(c))
        };
        // One dot, or more than two, are unknown although two are a symbol.
        let dots = self.run(|c| c == '.') - self.at;
        let first = dots.max(self.rest().chars().next().map_or(0, char::len_utf8));
        let rest = &self.text[self.at + first..];
        let end = self.at + first + rest.find(known).unwrap_or(rest.len());
        let span = Span::new(self.at, end);
        // Invisible characters are shown by their code.
        let visible = |c: char| if c.is_control() { c.escape_unicode().to_string() } else { c.to_string() };
        let shown: String = self.text[span.range()].chars().take(20).map(visible).collect();
        let help = match shown.as_str() {
            "." => Some("a variable of another agent is written `x of a`".to_string()),
            "?" => Some("a conditional value is written `if c then a else b`".to_string()),
            // SLiVER passes `$f(x)` to a C function, whose meaning is not in the model.
            "$" => Some(
                "write out what it computes, with `if`, `min`, `max` or an array of its values".to_string(),
            ),
            _ => None,
        };
        let (message, label) = match shown.as_str() {
            "$" => {
                ("external functions cannot be called".to_string(), "nothing is known about a function in C")
            }
            _ => (format!("LAbS does not use `{shown}`"), "unknown character"),
        };
        let d = Diagnostic::error(codes::CHARACTER, span, message).label(label).help_if(help);
        self.log.push(d.fix_if(if shown == "." { self.instead_of_dot(span) } else { None }));
        self.push(TokenKind::Hole, end);
    }
}
