//! Assignments and the blocks `{ … }` that make several of them atomic.

use super::ast::{Assignment, Expr, Process, ProcessNode, Target};
use super::cursor::{Failed, Parsed, Parser};
use super::token::{Bracket, EQUALS, TokenKind};
use crate::codes;
use swarmcheck_source::{Diagnostic, Span};

const ARROWS: &str = "`<-`, `<~`, `<--` or `:=`";

impl Parser<'_> {
    /// Whether an assignment starts at this word: a variable, perhaps with indices, then `,` or an arrow.
    pub(super) fn at_assignment(&self) -> bool {
        let mut index = self.at + 1;
        while self.kind_at(index) == TokenKind::Open(Bracket::Square) {
            index = self.after_group(index);
        }
        match self.kind_at(index) {
            TokenKind::Assign(_) => true,
            TokenKind::Comma => self.kind() == TokenKind::Name,
            _ => false,
        }
    }

    /// `targets op values`. An assignment to a reserved word is read to its end and then refused.
    pub(super) fn assignment(&mut self) -> Parsed<Assignment> {
        let start = self.token().span;
        let mut refused = false;
        let mut targets = Vec::new();
        loop {
            refused |= self.kind() == TokenKind::Keyword;
            match self.target()? {
                Some(target) => targets.push(target),
                None => refused = true,
            }
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        let op_span = self.token().span;
        let TokenKind::Assign(op) = self.kind() else {
            let help: &[&str] = if self.kind() == EQUALS { &["`=` compares two values"] } else { &[] };
            let name = targets.first().map(|target: &Target| target.name.text.clone());
            if let (EQUALS, Some(name)) = (self.kind(), name) {
                self.arrows.push((self.token().span, op_span, name));
            }
            return Err(self.fail_with(ARROWS, help));
        };
        self.bump();
        let mut values = vec![self.value()?];
        while self.eat(TokenKind::Comma) {
            if let Some(second) = self.second_arrow() {
                return Err(self.two_arrows(start, op_span, second, values.len()));
            }
            values.push(self.value()?);
        }
        let span = start.to(self.previous());
        if refused { Err(Failed) } else { Ok(Assignment { targets, op, op_span, values, span }) }
    }

    /// A left-hand side; `None` if its indices could not be read.
    fn target(&mut self) -> Parsed<Option<Target>> {
        if self.word() == "id" {
            let d = Diagnostic::error(codes::RESERVED, self.token().span, "`id` cannot be assigned");
            self.report(d.label("an agent's number never changes"));
            self.bump();
            return Ok(self.indices().and(None));
        }
        let name = self.name("a variable")?;
        let empty = self.nth(1).kind == TokenKind::Close(Bracket::Square) && !self.nth(1).is_added();
        if self.kind() == TokenKind::Open(Bracket::Square) && empty {
            self.bump();
            self.bump();
            return Ok(Some(Target { name, index: Vec::new(), whole: true }));
        }
        Ok(self.indices().map(|(index, _)| Target { name, index, whole: false }))
    }

    fn value(&mut self) -> Parsed<Expr> {
        if self.at_pick() {
            return self.pick();
        }
        let place = self.place;
        self.place.value = true;
        let value = self.expression();
        self.place = place;
        value
    }

    /// The place of the arrow if another assignment starts here.
    fn second_arrow(&self) -> Option<usize> {
        let mut index = self.at + 1;
        while self.kind_at(index) == TokenKind::Open(Bracket::Square) {
            index = self.after_group(index);
        }
        let arrow = matches!(self.kind_at(index), TokenKind::Assign(_));
        (self.kind() == TokenKind::Name && arrow).then_some(index)
    }

    /// Reports `x <- 1, y <-- 2`, with the second arrow at this index.
    fn two_arrows(&mut self, start: Span, first: Span, second: usize, values: usize) -> Failed {
        let (comma, target) = (self.previous(), self.token().span);
        let arrow = self.nth(second - self.at).span;
        let (before, name) = (Span { start: start.start, end: comma.start }, self.slice(target));
        let d = Diagnostic::error(codes::SYNTAX, arrow, "an assignment has one arrow")
            .label("the second one")
            .also(first, "the first one");
        let one = self.slice(before).trim();
        let one = if one.len() <= 60 && !one.contains('\n') { one } else { "x <- 1" };
        let symbol = self.slice(arrow);
        let mut d =
            d.help(format!("to do both in one step, write a block: `{{ {one}; {name} {symbol} … }}`"));
        if self.slice(first) == symbol && values == 1 {
            d = d.help(format!("or name all variables before the arrow: `x, {name} {symbol} 1, 2`"));
        }
        self.log.push(d);
        Failed
    }

    /// `{ a; b }`.
    pub(super) fn block(&mut self) -> Process {
        let (list, span) = self.group(|p| Ok(p.assignments()));
        let node = match list {
            Some((list, true)) => ProcessNode::Block(list),
            _ => ProcessNode::Error,
        };
        Process { node, span }
    }

    /// The assignments of a block, and whether all could be read: a block with a hole would only mislead the
    /// checks of block-local variables.
    fn assignments(&mut self) -> (Vec<Assignment>, bool) {
        let (mut list, mut fine) = (Vec::new(), true);
        if let TokenKind::Close(_) = self.kind() {
            self.fail_with("an assignment", &["to do nothing, write `Skip`"]);
            return (list, false);
        }
        while !matches!(self.kind(), TokenKind::Close(_) | TokenKind::End) {
            let before = self.at;
            match self.statement() {
                Ok(assignment) => list.push(assignment),
                Err(Failed) => {
                    fine = false;
                    self.skip_until(|p| p.kind() == TokenKind::Semicolon);
                }
            }
            if !self.eat(TokenKind::Semicolon) && !matches!(self.kind(), TokenKind::Close(_)) {
                fine = false;
                let help = match self.kind() {
                    TokenKind::At => "the rate of a block stands behind it: `{ … } @ 2`",
                    _ => "write `;` between one assignment and the next",
                };
                let fix = (self.kind() == TokenKind::Name).then(|| self.insert(";"));
                self.fail_fixed("`;` or `}`", &[help], fix);
                if !matches!(self.kind(), TokenKind::Name) || self.at == before {
                    self.skip_until(|p| p.kind() == TokenKind::Semicolon);
                    self.eat(TokenKind::Semicolon);
                }
            }
            if self.at == before {
                self.skip_one();
            }
        }
        (list, fine)
    }

    fn statement(&mut self) -> Parsed<Assignment> {
        if matches!(self.kind(), TokenKind::Name | TokenKind::Keyword) && self.at_assignment() {
            return self.assignment();
        }
        let help = match self.kind() {
            TokenKind::Ident => "processes and `Skip` can only stand outside of the braces",
            TokenKind::Open(Bracket::Curly) => "blocks cannot be nested",
            _ => "for a condition, use `if c then a else b` as the value, or a guard before the block",
        };
        let message = format!("a block contains only assignments, found {}", self.found());
        let d = Diagnostic::error(codes::SYNTAX, self.token().span, message);
        Err(self.report(d.label("expected an assignment").help(help)))
    }
}
