//! The parser's place in the tokens: looking ahead, expecting, and finding a way on after an error.
//!
//! A function that fails has already reported why; [`Failed`] travels up to the nearest place that knows where to
//! go on, so that one mistake is reported once.

use super::ast::{AssignOp, Name};
use super::brackets::{Balanced, balance};
use super::lexer::{self, replace_operator};
use super::log::Log;
use super::token::{Bracket, EQUALS, Token, TokenKind};
use crate::codes;
use std::cell::Cell;
use swarmcheck_source::{Diagnostic, Fix, Span};

/// How deep constructs may nest.
pub(super) const DEPTH: usize = 200;

/// Something went wrong and was reported.
#[derive(Debug)]
pub(super) struct Failed;

/// The result of reading a construct.
pub(super) type Parsed<T> = Result<T, Failed>;

/// The parser. The files beside this one add the constructs.
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    tokens: Vec<Token>,
    partner: Vec<usize>,
    pub(super) at: usize,
    depth: usize,
    /// The words that open a part of the section being read.
    pub(super) parts: &'static [&'static str],
    pub(super) place: Place,
    /// The stigmergy being read has its link already.
    pub(super) linked: bool,
    /// Tokens among which no operator of formulas was found: from the first on, before the second.
    pub(super) plain: Cell<(usize, usize)>,
    /// Where `=` stands for an arrow: the place of the message, of the `=`, and the variable, which says what arrow is right.
    pub(super) arrows: Vec<(Span, Span, String)>,
    pub(super) log: Log,
}

/// What is being read, as far as messages depend on it.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    /// An expression of a process, outside of quantifiers and of the conditions of `pick`.
    pub(super) process: bool,
    /// The right-hand side of an assignment, outside of brackets.
    pub(super) value: bool,
    /// Where the `count` begins whose condition this is, outside of brackets.
    pub(super) count: Option<Span>,
}

impl<'t> Parser<'t> {
    /// A parser at the start of a text.
    pub(super) fn new(text: &'t str) -> Parser<'t> {
        let mut log = Log::default();
        let tokens = lexer::tokens(text, &mut log);
        let Balanced { tokens, partner } = balance(text, &tokens, &mut log);
        Parser {
            text,
            tokens,
            partner,
            at: 0,
            depth: 0,
            parts: &[],
            place: Place::default(),
            linked: false,
            plain: Cell::new((0, 0)),
            arrows: Vec::new(),
            log,
        }
    }

    /// All tokens, once the text has been read.
    pub(super) fn into_tokens(self) -> Vec<Token> {
        self.tokens
    }

    /// The current token.
    pub(super) fn token(&self) -> Token {
        self.nth(0)
    }

    /// The token this many places ahead; `End` past the end.
    pub(super) fn nth(&self, ahead: usize) -> Token {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    /// The tokens from this many places ahead on.
    pub(super) fn after(&self, ahead: usize) -> &[Token] {
        &self.tokens[(self.at + ahead).min(self.tokens.len())..]
    }

    /// The current token's kind.
    pub(super) fn kind(&self) -> TokenKind {
        self.token().kind
    }

    /// The place of the token before the current one.
    pub(super) fn previous(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// The index after the bracket group that opens at this one.
    pub(super) fn after_group(&self, index: usize) -> usize {
        self.partner[index] + 1
    }

    /// The kind of the token at an index.
    pub(super) fn kind_at(&self, index: usize) -> TokenKind {
        self.tokens[index.min(self.tokens.len() - 1)].kind
    }

    /// The text of a token.
    pub(super) fn slice(&self, span: Span) -> &'t str {
        &self.text[span.range()]
    }

    /// The current word, or nothing if it is not a lowercase word.
    pub(super) fn word(&self) -> &'t str {
        match self.kind() {
            TokenKind::Name | TokenKind::Keyword => self.slice(self.token().span),
            _ => "",
        }
    }

    pub(super) fn bump(&mut self) -> Token {
        let token = self.token();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// Moves on if the current token is of this kind.
    pub(super) fn eat(&mut self, kind: TokenKind) -> bool {
        let here = self.kind() == kind;
        if here {
            self.bump();
        }
        here
    }

    /// Moves on if the current token is this word.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let here = self.word() == word;
        if here {
            self.bump();
        }
        here
    }

    /// The current token in words.
    pub(super) fn found(&self) -> String {
        let token = self.token();
        match token.kind {
            TokenKind::End => "the end of the file".into(),
            _ => format!("`{}`", self.slice(token.span).chars().take(40).collect::<String>()),
        }
    }

    /// Reports what was expected instead of the current token.
    pub(super) fn fail(&mut self, expected: &str) -> Failed {
        self.fail_with(expected, &[])
    }

    /// The same, with advice.
    pub(super) fn fail_with(&mut self, expected: &str, help: &[&str]) -> Failed {
        self.fail_fixed(expected, help, [])
    }

    /// The same, with ways out.
    pub(super) fn fail_fixed(
        &mut self,
        expected: &str,
        help: &[&str],
        fixes: impl IntoIterator<Item = Fix>,
    ) -> Failed {
        if self.log.is_full() {
            return Failed;
        }
        let message = format!("expected {expected}, found {}", self.found());
        let mut d = Diagnostic::error(codes::SYNTAX, self.token().span, message)
            .label(format!("expected {expected}"));
        for line in help {
            d = d.help(*line);
        }
        d.fixes.extend(fixes);
        self.report(d)
    }

    /// Writes something else for the current token.
    pub(super) fn instead(&self, own: &str) -> Fix {
        replace_operator(self.text, self.token().span, own)
    }

    /// Inserts something behind the token before the current one.
    pub(super) fn insert(&self, own: &str) -> Fix {
        Fix::insert(self.previous().end, own, format!("insert `{}`", own.trim()))
    }

    /// Writes `or` for `||`, if that stands here.
    pub(super) fn or_for_parallel(&self) -> Option<Fix> {
        (self.kind() == TokenKind::Parallel).then(|| self.instead("or"))
    }

    /// Whether the text has a definition of this name.
    pub(super) fn defines(&self, name: &str) -> bool {
        let defined = |pair: &[Token]| {
            pair[0].kind == TokenKind::Ident && pair[1].kind == EQUALS && self.slice(pair[0].span) == name
        };
        self.tokens.windows(2).any(defined)
    }

    /// Reports an error at the current token, unless that token is the result of an error already reported.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) -> Failed {
        let token = self.token();
        if token.kind != TokenKind::Hole && !token.is_added() {
            self.log.push(diagnostic);
        }
        Failed
    }

    /// Moves over a token of this kind or fails.
    pub(super) fn expect(&mut self, kind: TokenKind, expected: &str) -> Parsed<Token> {
        if self.kind() == kind { Ok(self.bump()) } else { Err(self.fail(expected)) }
    }

    /// Reads what stands in brackets. Whatever happens inside, the parser ends up after the closing one.
    pub(super) fn group<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<T>) -> (Option<T>, Span) {
        let (open, close) = (self.token(), self.partner[self.at]);
        let span = open.span.to(self.tokens[close].span);
        self.bump();
        let place = self.place;
        self.place = Place { value: false, count: None, ..place };
        let mut result = self.deeper(inside).ok();
        self.place = place;
        if result.is_some() && self.at != close {
            if !self.tokens[close].is_added() {
                self.fail_at_end_of_group(open);
            }
            result = None;
        }
        self.at = (close + 1).min(self.tokens.len() - 1);
        (result, span)
    }

    fn fail_at_end_of_group(&mut self, open: Token) {
        let expected = match open.kind {
            TokenKind::Open(bracket) => format!("`{}`", bracket.close()),
            _ => "the end".into(),
        };
        let help = match self.kind() {
            TokenKind::Parallel => vec!["in a condition, write `or`; `||` runs processes in parallel"],
            _ => vec![],
        };
        let fix = self.or_for_parallel();
        self.fail_fixed(&expected, &help, fix);
    }

    /// Reads something one level further down.
    pub(super) fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEPTH {
            let span = self.token().span;
            let message = format!("this is nested more than {DEPTH} levels deep");
            self.log.too_deep(span, &message, "give parts of it names of their own");
            return Err(Failed);
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    /// Whether a definition `Name = …` starts here.
    pub(super) fn at_definition(&self) -> bool {
        self.kind() == TokenKind::Ident && self.nth(1).kind == EQUALS
    }

    /// Whether nothing of the current construct can follow.
    pub(super) fn at_boundary(&self) -> bool {
        matches!(self.kind(), TokenKind::End | TokenKind::Close(_))
            || self.at_definition()
            || self.at_part()
            || self.at_lowercase_definition()
    }

    /// Moves on, group by group, until a boundary or a place that pleases.
    pub(super) fn skip_until(&mut self, stop: impl Fn(&Self) -> bool) {
        while !self.at_boundary() && !stop(self) {
            self.skip_one();
        }
    }

    /// Moves over one token or bracket group, but never out of a group.
    pub(super) fn skip_one(&mut self) {
        match self.kind() {
            TokenKind::Open(_) => self.at = self.after_group(self.at),
            TokenKind::Close(_) => {}
            _ => {
                self.bump();
            }
        }
    }

    /// Moves over separators of a list, and over text that was already reported.
    pub(super) fn separators(&mut self) {
        while matches!(self.kind(), TokenKind::Comma | TokenKind::Semicolon | TokenKind::Hole) {
            self.bump();
        }
    }

    /// A variable name. A reserved word is reported and taken for one.
    pub(super) fn name(&mut self, expected: &str) -> Parsed<Name> {
        match self.kind() {
            TokenKind::Name => {}
            _ if self.at_reserved() => self.reserved(),
            TokenKind::Ident => {
                let help = "names of variables start with a lowercase letter";
                return Err(self.fail_with(expected, &[help]));
            }
            _ => return Err(self.fail(expected)),
        }
        let span = self.bump().span;
        Ok(Name { text: self.slice(span).to_string(), span })
    }

    /// Whether the current token is a lowercase word that cannot be a name.
    pub(super) fn at_reserved(&self) -> bool {
        self.kind() != TokenKind::Name
            && self.slice(self.token().span).starts_with(|c: char| c.is_ascii_lowercase())
    }

    /// Reports the current word as reserved.
    pub(super) fn reserved(&mut self) {
        let word = self.found();
        let message = format!("{word} is a reserved word");
        let d = Diagnostic::error(codes::RESERVED, self.token().span, message);
        self.report(d.label("cannot be used as a name").help("choose another name"));
    }

    /// A name with a capital letter. One without is reported and gets one, so that it is found.
    pub(super) fn ident(&mut self, what: &str) -> Parsed<Name> {
        match self.kind() {
            TokenKind::Ident if matches!(self.slice(self.token().span), "Skip" | "Nil") => self.reserved(),
            TokenKind::Ident => {}
            TokenKind::Name => {
                let capital = format!("{what} starts with a capital letter: `{}`", capitalised(self.word()));
                let fix = self.instead(&capitalised(self.word()));
                self.fail_fixed(what, &[&capital], [fix]);
            }
            _ => return Err(self.fail(what)),
        }
        let span = self.bump().span;
        Ok(Name { text: capitalised(self.slice(span)), span })
    }

    /// An opening bracket, not moved over.
    pub(super) fn expect_open(&mut self, bracket: Bracket) -> Parsed<()> {
        if self.kind() == TokenKind::Open(bracket) {
            Ok(())
        } else {
            Err(self.fail(&format!("`{}`", bracket.open())))
        }
    }

    /// Explains an assignment arrow inside an expression.
    pub(super) fn arrow_in_expression(&mut self, op: AssignOp) -> Failed {
        let symbol = op.symbol();
        let message = format!("`{symbol}` is an assignment and cannot stand inside an expression");
        let mut d =
            Diagnostic::error(codes::SYNTAX, self.token().span, message).label("expected an operator");
        if matches!(op, AssignOp::Attribute | AssignOp::Environment) {
            let rest = &symbol[1..];
            d = d.help(format!("for 'less than minus' put a space: `< {rest}1`"));
            if !self.place.value && op == AssignOp::Attribute {
                d = d.fix(Fix::replace(self.token().span, "< -", "write `< -`"));
            }
        }
        self.report(d)
    }
}

/// The word with a capital letter at its front.
pub(super) fn capitalised(word: &str) -> String {
    let mut text = word.to_string();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}
