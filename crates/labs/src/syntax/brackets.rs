//! Makes every bracket meet its partner, so that the parser can jump over a group in one step and an error inside
//! one cannot leak out of it.
//!
//! A bracket that is never closed gets a closing one of no width where that is noticed: before a closing bracket of
//! another sort, before the next definition or section (neither can stand inside brackets), or at the end. A closing
//! bracket that closes nothing is dropped. Groups nested too deeply become a `Hole`.

use super::ast::BinaryOp;
use super::cursor::DEPTH;
use super::log::Log;
use super::part::must_be_part;
use super::token::{Bracket, EQUALS, SECTIONS, Token, TokenKind};
use crate::codes;
use swarmcheck_source::fix::Edit;
use swarmcheck_source::{Diagnostic, Fix, Span};

/// Balanced tokens, and for each opening bracket the index of its closing one (for others, their own index).
pub(super) struct Balanced {
    pub(super) tokens: Vec<Token>,
    pub(super) partner: Vec<usize>,
}

/// Balances the brackets.
pub(super) fn balance(text: &str, tokens: &[Token], log: &mut Log) -> Balanced {
    let out =
        Balanced { tokens: Vec::with_capacity(tokens.len()), partner: Vec::with_capacity(tokens.len()) };
    let mut balancer = Balancer { tokens, at: 0, out, stack: Vec::new(), counts: [0; 3], stray: None, log };
    for (i, &token) in tokens.iter().enumerate() {
        balancer.at = i;
        if let TokenKind::Close(bracket) = token.kind {
            balancer.close(bracket, token);
            continue;
        }
        balancer.report_stray();
        match token.kind {
            TokenKind::Open(bracket) => balancer.open(bracket, token),
            _ => {
                let before = i.checked_sub(1).map(|i| tokens[i]);
                balancer.unclosed_before(text, before, &tokens[i..]);
                balancer.emit(token);
            }
        }
    }
    balancer.out
}

struct Open {
    bracket: Bracket,
    span: Span,
    index: usize,
    /// Its number among the tokens as they were written.
    written: usize,
}

struct Balancer<'l> {
    tokens: &'l [Token],
    /// The token that is looked at.
    at: usize,
    out: Balanced,
    stack: Vec<Open>,
    counts: [usize; 3],
    /// Brackets that close nothing, as far as they stand side by side.
    stray: Option<Diagnostic>,
    log: &'l mut Log,
}

impl Balancer<'_> {
    fn emit(&mut self, token: Token) {
        if self.stack.len() <= DEPTH {
            self.out.partner.push(self.out.tokens.len());
            self.out.tokens.push(token);
        }
    }

    fn open(&mut self, bracket: Bracket, token: Token) {
        if self.stack.len() == DEPTH {
            let message = format!("brackets are nested more than {DEPTH} deep");
            self.log.too_deep(token.span, &message, "give parts of it names of their own");
            self.emit(Token { kind: TokenKind::Hole, span: token.span });
        }
        self.counts[bracket as usize] += 1;
        let index = self.out.tokens.len();
        self.stack.push(Open { bracket, span: token.span, index, written: self.at });
        self.emit(token);
    }

    /// Reports the brackets before this place that close nothing: the first, for all.
    fn report_stray(&mut self) {
        if let Some(diagnostic) = self.stray.take() {
            self.log.push(diagnostic);
        }
    }

    fn close(&mut self, bracket: Bracket, token: Token) {
        if self.counts[bracket as usize] == 0 {
            if let Some(fix) = self.stray.as_mut().and_then(|d| d.fixes.first_mut()) {
                // In place: there may be as many as there are bytes.
                fix.edits.push(Edit { span: token.span, text: String::new() });
                return;
            }
            let message = format!("this `{}` closes nothing", bracket.close());
            let label = format!("no `{}` is open here", bracket.open());
            let fix = Fix::replace(token.span, "", format!("remove `{}`", bracket.close()));
            self.stray = Some(Diagnostic::error(codes::SYNTAX, token.span, message).label(label).fix(fix));
            return;
        }
        self.report_stray();
        let keep = self.stack.iter().rposition(|o| o.bracket == bracket).map_or(0, |i| i + 1);
        self.unclosed(keep, token);
        self.pop(token);
    }

    fn pop(&mut self, token: Token) {
        let index = self.out.tokens.len();
        self.emit(token);
        if let Some(open) = self.stack.pop() {
            self.counts[open.bracket as usize] -= 1;
            // A group too deep was not emitted: there is nothing to link.
            if self.stack.len() < DEPTH {
                self.out.partner[open.index] = index;
            }
        }
    }

    /// Closes all brackets but the first `keep`, because of a token that cannot stand inside them.
    fn unclosed(&mut self, keep: usize, noticed: Token) {
        let shown = if self.stack.len() > DEPTH { 0 } else { 3 };
        for open in self.stack.iter().skip(keep).take(shown) {
            let message = format!("this `{}` is never closed", open.bracket.open());
            let what = if noticed.kind == TokenKind::End { "the file ends here" } else { "noticed here" };
            let label = format!("expected `{}` after this", open.bracket.close());
            let d = Diagnostic::error(codes::UNCLOSED, open.span, message).label(label);
            let d = d.also(noticed.span, what);
            self.log.push(d.fix(self.close_after(open)));
        }
        let at = Span { start: noticed.span.start, end: noticed.span.start };
        while self.stack.len() > keep {
            let bracket = self.stack[self.stack.len() - 1].bracket;
            self.pop(Token { kind: TokenKind::Close(bracket), span: at });
        }
    }

    /// Inserts the bracket that is missing: after the last token before what showed that it is missing, or where an
    /// expression ends that began inside.
    fn close_after(&self, open: &Open) -> Fix {
        let inside = self.tokens.get(open.written + 1..self.at).unwrap_or_default();
        let before = open.written.checked_sub(1).and_then(|at| self.tokens.get(at));
        let expression = match before.map(|token| token.kind) {
            Some(TokenKind::Assign(_) | TokenKind::Comma | TokenKind::Not | TokenKind::Keyword) => true,
            Some(TokenKind::Operator(op)) => op != BinaryOp::Eq,
            _ => false,
        };
        let end = match open.bracket {
            Bracket::Round if expression => end_of_expression(inside),
            _ => inside.len(),
        };
        let last = inside.get(..end).and_then(<[Token]>::last).map_or(open.span, |token| token.span);
        let close = open.bracket.close();
        let text = if open.bracket == Bracket::Curly { format!(" {close}") } else { close.to_string() };
        Fix::insert(last.end, text, format!("insert `{close}`"))
    }

    /// Closes what cannot be open before these tokens.
    fn unclosed_before(&mut self, text: &str, before: Option<Token>, tokens: &[Token]) {
        let kind = |i: usize| tokens.get(i).map_or(TokenKind::End, |t| t.kind);
        let word = &text[tokens[0].span.range()];
        let keep = match kind(0) {
            TokenKind::End => 0,
            TokenKind::Name | TokenKind::Keyword
                if SECTIONS.contains(&word) && opens_section(kind(1), kind(2)) =>
            {
                0
            }
            TokenKind::Ident if kind(1) == EQUALS => self.section(),
            TokenKind::Name if must_be_part(text, before, tokens) => self.section(),
            TokenKind::Semicolon
            | TokenKind::Assign(_)
            | TokenKind::Guard
            | TokenKind::Conditional
            | TokenKind::Choice
            | TokenKind::Parallel => {
                self.stack.iter().rposition(|o| o.bracket != Bracket::Square).map_or(0, |i| i + 1)
            }
            _ => return,
        };
        self.unclosed(keep, tokens[0]);
    }

    /// How many brackets stay open before a definition: the section's own, or all outside of sections.
    fn section(&self) -> usize {
        if self.stack.first().is_some_and(|o| o.bracket == Bracket::Curly) { 1 } else { self.stack.len() }
    }
}

/// How many of these tokens an expression can consist of.
fn end_of_expression(tokens: &[Token]) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open(_) => depth += 1,
            TokenKind::Close(_) => depth = depth.saturating_sub(1),
            TokenKind::Semicolon
            | TokenKind::Assign(_)
            | TokenKind::Guard
            | TokenKind::Conditional
            | TokenKind::Choice
            | TokenKind::Parallel
                if depth == 0 =>
            {
                return at;
            }
            _ => {}
        }
    }
    tokens.len()
}

/// Whether `system`, `agent` and so on followed by these really opens a section.
fn opens_section(next: TokenKind, after: TokenKind) -> bool {
    let brace = TokenKind::Open(Bracket::Curly);
    next == brace || matches!(next, TokenKind::Ident | TokenKind::Name) && after == brace
}
