//! Assignments and the blocks `{ … }` that make several of them atomic.

use super::ast::{Assignment, Expr, Process, ProcessNode, Target};
use super::cursor::{Failed, Parsed, Parser};
use super::token::{Bracket, EQUALS, Kind};
use crate::codes;
use swarmcheck_source::Diagnostic;

const ARROWS: &str = "`<-`, `<~`, `<--` or `:=`";

impl Parser<'_> {
    /// Whether an assignment starts at this word: a variable, perhaps with indices, then `,` or an arrow.
    pub(super) fn at_assignment(&self) -> bool {
        let mut index = self.at + 1;
        while self.kind_at(index) == Kind::Open(Bracket::Square) {
            index = self.after_group(index);
        }
        match self.kind_at(index) {
            Kind::Assign(_) => true,
            Kind::Comma => self.kind() == Kind::Name,
            _ => false,
        }
    }

    /// `targets op values`. An assignment to a reserved word is read to its end and then refused.
    pub(super) fn assignment(&mut self) -> Parsed<Assignment> {
        let start = self.token().span;
        let mut refused = false;
        let mut targets = Vec::new();
        loop {
            refused |= self.kind() == Kind::Keyword;
            match self.target()? {
                Some(target) => targets.push(target),
                None => refused = true,
            }
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        let op_span = self.token().span;
        let Kind::Assign(op) = self.kind() else {
            let help: &[&str] = if self.kind() == EQUALS { &["`=` compares two values"] } else { &[] };
            return Err(self.fail_with(ARROWS, help));
        };
        self.bump();
        let mut values = vec![self.value()?];
        while self.eat(Kind::Comma) {
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
        let empty = self.nth(1).kind == Kind::Close(Bracket::Square) && !self.nth(1).is_added();
        if self.kind() == Kind::Open(Bracket::Square) && empty {
            self.bump();
            self.bump();
            return Ok(Some(Target { name, index: Vec::new(), whole: true }));
        }
        Ok(self.indices().map(|(index, _)| Target { name, index, whole: false }))
    }

    fn value(&mut self) -> Parsed<Expr> {
        if self.at_pick() { self.pick() } else { self.expression() }
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
        if let Kind::Close(_) = self.kind() {
            self.fail_with("an assignment", &["to do nothing, write `Skip`"]);
            return (list, false);
        }
        while !matches!(self.kind(), Kind::Close(_) | Kind::End) {
            let before = self.at;
            match self.statement() {
                Ok(assignment) => list.push(assignment),
                Err(Failed) => {
                    fine = false;
                    self.skip_until(|p| p.kind() == Kind::Semicolon);
                }
            }
            if !self.eat(Kind::Semicolon) && !matches!(self.kind(), Kind::Close(_)) {
                fine = false;
                self.fail_with("`;` or `}`", &["write `;` between one assignment and the next"]);
                if !matches!(self.kind(), Kind::Name) || self.at == before {
                    self.skip_until(|p| p.kind() == Kind::Semicolon);
                    self.eat(Kind::Semicolon);
                }
            }
            if self.at == before {
                self.skip_one();
            }
        }
        (list, fine)
    }

    fn statement(&mut self) -> Parsed<Assignment> {
        if matches!(self.kind(), Kind::Name | Kind::Keyword) && self.at_assignment() {
            return self.assignment();
        }
        let help = match self.kind() {
            Kind::Ident => "processes and `Skip` can only stand outside of the braces",
            Kind::Open(Bracket::Curly) => "blocks cannot be nested",
            _ => "for a condition, use `if c then a else b` as the value, or a guard before the block",
        };
        let message = format!("a block contains only assignments, found {}", self.found());
        let d = Diagnostic::error(codes::SYNTAX, self.token().span, message);
        Err(self.report(d.label("expected an assignment").help(help)))
    }
}
