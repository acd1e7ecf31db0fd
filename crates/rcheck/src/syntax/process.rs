//! Processes and commands. `;` binds tighter than `+`, and `rep` tighter than both (figures 3 to 5).

use super::Parser;
use super::ast::{Act, Command, Expr, Name, Process};
use swarmcheck_calculi::cursor::TokenKind;
use swarmcheck_source::Span;

impl Parser<'_> {
    pub(super) fn process(&mut self) -> Option<Process> {
        let mut parts = vec![self.sequence()?];
        while self.cursor.take('+') {
            parts.push(self.sequence()?);
        }
        Some(if parts.len() == 1 { parts.remove(0) } else { Process::Choice(parts) })
    }

    fn sequence(&mut self) -> Option<Process> {
        let mut parts = vec![self.base()?];
        while self.cursor.take(';') {
            parts.push(self.base()?);
        }
        Some(if parts.len() == 1 { parts.remove(0) } else { Process::Sequence(parts) })
    }

    fn base(&mut self) -> Option<Process> {
        if self.cursor.take_word("rep") {
            return Some(Process::Repeat(Box::new(self.nested(Self::base)?)));
        }
        if self.cursor.take('(') {
            let inner = self.nested(Self::process)?;
            self.cursor.expect(')')?;
            return Some(inner);
        }
        Some(Process::Command(Box::new(self.command()?)))
    }

    /// Reads something that is nested one level deeper.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.cursor.enter()?;
        let result = read(self);
        self.cursor.leave(1);
        result
    }

    fn command(&mut self) -> Option<Command> {
        let start = self.cursor.peek().span;
        let mut label = None;
        while self.cursor.peek().kind == TokenKind::Word && self.cursor.ahead(1).kind == TokenKind::Sign(':')
        {
            label = Some(self.name("a label")?);
            self.cursor.expect(':')?;
        }
        let guard = if self.cursor.take('{') {
            let guard = self.expr()?;
            self.cursor.expect('}')?;
            guard
        } else if self.cursor.take('<') {
            let guard = self.narrow(true, Self::expr)?;
            self.cursor.expect('>')?;
            guard
        } else if self.cursor.take('⟨') {
            let guard = self.expr()?;
            self.cursor.expect('⟩')?;
            guard
        } else {
            return self.cursor.wrong("a command: a guard in `{ }` or `< >`, perhaps with a label before it");
        };
        let act = self.act()?;
        self.cursor.expect('[')?;
        let update = self.assignments(']')?;
        self.cursor.expect(']')?;
        let span = Span { start: start.start, end: self.cursor.before() };
        Some(Command { label, guard, act, update, span })
    }

    fn act(&mut self) -> Option<Act> {
        if self.cursor.take_word("GET") {
            self.cursor.expect('@')?;
            let place = self.parenthesised()?;
            return Some(Act::Get { place, data: self.data()? });
        }
        if self.cursor.take_word("SUPPLY") {
            self.cursor.expect('@')?;
            let any = self.cursor.sees('(')
                && self.cursor.text(self.cursor.ahead(1)) == "any"
                && self.cursor.ahead(2).kind == TokenKind::Sign(')');
            let place = if any {
                (0..3).for_each(|_| {
                    self.cursor.advance();
                });
                None
            } else {
                Some(self.parenthesised()?)
            };
            return Some(Act::Supply { place, data: self.data()? });
        }
        let channel = self.channel()?;
        if self.cursor.take('?') {
            return Some(Act::Receive { channel });
        }
        if !self.cursor.take('!') {
            return self.cursor.wrong("`!` to send or `?` to receive");
        }
        let target = self.expr()?;
        let data = self.data()?;
        Some(Act::Send { channel, target, data })
    }

    fn channel(&mut self) -> Option<Expr> {
        use super::ast::Node;
        let token = self.cursor.peek();
        if self.cursor.take('*') || self.cursor.take('⋆') {
            return Some(Expr { node: Node::Broadcast, span: token.span });
        }
        let name = self.name("a channel")?;
        Some(Expr { node: Node::Name(name.text), span: name.span })
    }

    fn parenthesised(&mut self) -> Option<Expr> {
        self.cursor.expect('(')?;
        let inner = self.nested(Self::expr)?;
        self.cursor.expect(')')?;
        Some(inner)
    }

    /// `(x := e, …)`; left out if there is nothing to say.
    fn data(&mut self) -> Option<Vec<(Name, Expr)>> {
        if !self.cursor.take('(') {
            return Some(vec![]);
        }
        let data = self.assignments(')')?;
        self.cursor.expect(')')?;
        Some(data)
    }

    fn assignments(&mut self, end: char) -> Option<Vec<(Name, Expr)>> {
        let mut out = vec![];
        while !self.cursor.sees(end) {
            let name = self.name("a variable")?;
            self.define()?;
            out.push((name, self.expr()?));
            if !self.cursor.take(',') {
                break;
            }
        }
        Some(out)
    }
}
