//! Where a place of a text stands: its section, the part or definition of the section, and the tokens before it.
//!
//! This looks at tokens only, because the text around a place that somebody is writing at hardly ever parses. Brackets may be open,
//! and the next definition or section closes them, as in `syntax/brackets.rs`.

use crate::syntax::token::{Bracket, COLON, EQUALS, SECTIONS, Token, TokenKind};
use crate::syntax::tokens;
use swarmcheck_source::Span;

/// What a section is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Section {
    System,
    Stigmergy,
    Agent,
    Assume,
    Check,
    View,
}

/// What of a section a place stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// Nothing has begun yet.
    None,
    /// `interface = …`, `link: …`, `show …`: the word.
    Named(&'static str),
    /// `Name = …`.
    Definition,
    /// `x, y: …` in a stigmergy.
    Tuple,
}

/// A place of a text.
pub(super) struct Context<'t> {
    pub text: &'t str,
    /// All tokens of the text.
    pub tokens: Vec<Token>,
    /// How many tokens come before the word at the place.
    pub before: usize,
    /// The word at the place, as far as it stands before it; empty if there is none.
    pub word: Span,
    pub section: Option<Section>,
    /// The name of the section: that of an agent or a stigmergy.
    pub name: &'t str,
    pub part: Part,
    /// The first token of what the part or definition consists of.
    pub start: usize,
    /// The brackets that are open, that of the section included.
    pub open: Vec<Bracket>,
    /// The parts that the section has before the place.
    pub seen: Vec<&'static str>,
}

/// The parts of a section that have a word.
pub(super) fn parts(section: Section) -> &'static [&'static str] {
    match section {
        Section::System => &["extern", "environment", "spawn"],
        Section::Stigmergy => &["link", "rate"],
        Section::Agent => &["interface", "stigmergies", "rate"],
        Section::View => &["space", "show", "floor"],
        Section::Assume | Section::Check => &[],
    }
}

fn section(word: &str) -> Option<Section> {
    match word {
        "system" => Some(Section::System),
        "stigmergy" => Some(Section::Stigmergy),
        "agent" => Some(Section::Agent),
        "assume" => Some(Section::Assume),
        "check" => Some(Section::Check),
        "view" => Some(Section::View),
        _ => None,
    }
}

impl<'t> Context<'t> {
    /// The context of a place; none inside of a comment.
    pub fn at(text: &'t str, offset: u32) -> Option<Context<'t>> {
        let offset = (offset as usize).min(text.len());
        let head = text.get(..offset)?;
        let line = head.rfind('\n').map_or(head, |at| &head[at + 1..]);
        if line.contains('#') || line.contains("//") {
            return None;
        }
        let tokens = tokens(text);
        let offset = offset as u32;
        let first = tokens.partition_point(|token| token.span.end < offset);
        let is_word = |token: &&Token| {
            let written = text.get(token.span.range()).unwrap_or_default();
            written.starts_with(|c: char| c == '_' || c.is_alphanumeric()) && token.span.start < offset
        };
        let here = tokens.get(first).filter(is_word);
        let word = here.map_or(Span { start: offset, end: offset }, |token| token.span);
        let end = |token: &Token| token.span.end <= word.start && token.kind != TokenKind::End;
        let before = tokens.partition_point(end);
        Some(Context::new(text, tokens, before, word))
    }

    /// The context of the token at a place: those before it are before the place. Between two tokens, the second one counts.
    pub fn of_token(text: &'t str, offset: u32) -> Option<Context<'t>> {
        let tokens = tokens(text);
        let from = tokens.partition_point(|token| token.span.end < offset);
        let near = tokens.get(from..)?.iter().take_while(|token| token.span.start <= offset);
        let near = near.filter(|token| token.kind != TokenKind::End).count();
        let at = from + near.checked_sub(1)?;
        let word = tokens.get(at)?.span;
        Some(Context::new(text, tokens, at, word))
    }

    fn new(text: &'t str, tokens: Vec<Token>, before: usize, word: Span) -> Context<'t> {
        let mut context = Context {
            text,
            tokens,
            before,
            word,
            section: None,
            name: "",
            part: Part::None,
            start: 0,
            open: vec![],
            seen: vec![],
        };
        (0..before).for_each(|at| context.step(at));
        context
    }

    pub fn kind(&self, at: usize) -> TokenKind {
        self.tokens.get(at).map_or(TokenKind::End, |token| token.kind)
    }

    /// The text of a token.
    pub fn slice(&self, at: usize) -> &'t str {
        self.tokens.get(at).and_then(|token| self.text.get(token.span.range())).unwrap_or_default()
    }

    /// The kind of the token this many places before the word; 1 is the last one. `End` before the first.
    pub fn back(&self, by: usize) -> TokenKind {
        self.before.checked_sub(by).map_or(TokenKind::End, |at| self.kind(at))
    }

    /// The text of that token.
    pub fn back_text(&self, by: usize) -> &'t str {
        self.before.checked_sub(by).map_or("", |at| self.slice(at))
    }

    /// Whether nothing of the part or definition stands before the place.
    pub fn is_first(&self) -> bool {
        self.before <= self.start
    }

    /// Whether no bracket but that of the section is open.
    pub fn is_outside(&self) -> bool {
        self.open.len() <= 1
    }

    fn step(&mut self, at: usize) {
        let (kind, next) = (self.kind(at), self.kind(at + 1));
        match kind {
            TokenKind::Name if self.opens_section(at) => {
                self.section = section(self.slice(at));
                self.name = if next == TokenKind::Open(Bracket::Curly) { "" } else { self.slice(at + 1) };
                self.open.clear();
                self.seen.clear();
                self.begin(Part::None, at + 1);
            }
            TokenKind::Ident if next == EQUALS && self.section.is_some() => {
                self.open.truncate(1);
                self.begin(Part::Definition, at + 2);
            }
            TokenKind::Name if self.is_outside() => self.name_at(at),
            TokenKind::Open(bracket) => self.open.push(bracket),
            TokenKind::Close(bracket) => {
                if let Some(found) = self.open.iter().rposition(|open| *open == bracket) {
                    self.open.truncate(found);
                }
                if self.open.is_empty() {
                    self.section = None;
                    self.begin(Part::None, at + 1);
                }
            }
            _ => {}
        }
    }

    /// A lowercase name outside of brackets: it may begin a part.
    fn name_at(&mut self, at: usize) {
        let Some(section) = self.section else { return };
        let (word, next) = (self.slice(at), self.kind(at + 1));
        let begins = at.checked_sub(1).is_none_or(|before| self.ends_item(before));
        let part = parts(section).iter().find(|part| **part == word).copied();
        let fits = match part {
            Some("show") => true,
            Some("space" | "floor" | "rate") => next == EQUALS,
            // In a list of declarations a colon follows a variable, unless the part is still missing.
            Some(part) => next == EQUALS || next == COLON && !self.seen.contains(&part),
            None => false,
        };
        if let Some(part) = part.filter(|_| begins && fits) {
            self.seen.push(part);
            self.begin(Part::Named(part), if part == "show" { at + 1 } else { at + 2 });
        } else if section == Section::Stigmergy && begins && self.part != Part::Tuple {
            self.begin(Part::Tuple, at);
        }
    }

    fn begin(&mut self, part: Part, start: usize) {
        (self.part, self.start) = (part, start);
    }

    /// Whether `agent A {` or the like begins at a token.
    fn opens_section(&self, at: usize) -> bool {
        let brace = |at: usize| at < self.before && self.kind(at) == TokenKind::Open(Bracket::Curly);
        let named = matches!(self.kind(at + 1), TokenKind::Ident | TokenKind::Name);
        SECTIONS.contains(&self.slice(at)) && (brace(at + 1) || named && brace(at + 2))
    }

    /// Whether the next word may begin something new after this token.
    fn ends_item(&self, at: usize) -> bool {
        let opens = matches!(self.kind(at), TokenKind::Open(Bracket::Curly) | TokenKind::Comma);
        opens || self.kind(at) == TokenKind::Semicolon || self.ends_operand(at)
    }

    /// Whether an operand can end with this token.
    pub fn ends_operand(&self, at: usize) -> bool {
        match self.kind(at) {
            TokenKind::Name => !matches!(self.slice(at), "where"),
            TokenKind::Keyword => matches!(self.slice(at), "true" | "false" | "undef" | "id"),
            TokenKind::Number
            | TokenKind::Decimal
            | TokenKind::BadNumber
            | TokenKind::Ident
            | TokenKind::Parameter
            | TokenKind::Hole
            | TokenKind::Close(_) => true,
            _ => false,
        }
    }
}
