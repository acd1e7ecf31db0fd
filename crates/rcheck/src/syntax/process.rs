//! Processes and commands. `;` binds tighter than `+`, and `rep` tighter than both (figures 3 to 5). In the authors' editor,
//! `rep` reaches as far as it can. That changes the system itself, so it is an error where nobody has chosen.

use super::ast::{Act, Command, Expr, Name, Node, Process};
use super::readings::line;
use super::{Parser, Precedence};
use crate::codes;
use swarmcheck_calculi::cursor::{Mark, TokenKind};
use swarmcheck_source::{Diagnostic, Fix, Span};

impl Parser<'_> {
    pub(super) fn process(&mut self) -> Option<Process> {
        let mut parts = vec![self.sequence()?];
        let mut at = self.cursor.peek().span;
        while self.cursor.take('+') || self.forgotten() {
            parts.push(self.sequence()?);
            // What looks like a command may be none: then reading goes on elsewhere.
            let before = std::mem::replace(&mut at, self.cursor.peek().span);
            if before == at {
                return None;
            }
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
        let start = self.cursor.peek().span;
        if self.cursor.take_word("rep") {
            if self.chosen == Some(Precedence::Rcheck) {
                return Some(Process::Repeat(Box::new(self.nested(Self::process)?)));
            }
            let at = self.cursor.peek().span;
            let body = self.nested(Self::base)?;
            let body_span = Span { start: at.start, end: self.cursor.before() };
            if self.chosen.is_none() && (self.cursor.sees(';') || self.cursor.sees('+')) {
                self.two_loops(start, body_span);
            }
            return Some(Process::Repeat(Box::new(body)));
        }
        if self.cursor.take('(') {
            self.groups += 1;
            let inner = self.nested(Self::process);
            self.groups -= 1;
            let inner = inner?;
            self.cursor.expect(')')?;
            return Some(inner);
        }
        let start = self.cursor.mark();
        match self.command() {
            Some(command) => Some(Process::Command(Box::new(command))),
            None => self.next_command(start),
        }
    }

    /// After a command that could not be read: goes on at the sign that ends it, or at the next command. If the process ends
    /// before, it has no such command; but parentheses around it that are still open are not to be blamed for that.
    fn next_command(&mut self, start: Mark) -> Option<Process> {
        let wrong = self.cursor.peek().span.start;
        self.cursor.reset(start);
        (self.narrow, self.level) = (false, 0);
        let mut open = 0_i32;
        // The sign right before the current place that may stand between commands.
        let mut between = None;
        while self.cursor.peek().kind != TokenKind::End && !super::begins_anything(&self.cursor) {
            let token = self.cursor.peek();
            let passed = token.span.start >= wrong;
            let ends = open <= 0 && matches!(token.kind, TokenKind::Sign('+' | ';' | ')'));
            // Whatever brackets are wrong, a label and a guard begin a command, and a sign before them is between commands.
            if passed && (ends || self.labelled()) {
                if let Some(sign) = between.filter(|_| !ends) {
                    self.cursor.reset(sign);
                }
                return Some(Process::Choice(vec![]));
            }
            between = matches!(token.kind, TokenKind::Sign('+' | ';')).then(|| self.cursor.mark());
            match token.kind {
                TokenKind::Sign('(' | '[' | '{') => open += 1,
                TokenKind::Sign(')' | ']' | '}') => open -= 1,
                _ => {}
            }
            self.cursor.advance();
        }
        (self.groups == 0).then_some(Process::Choice(vec![]))
    }

    /// Whether a label and a guard stand here.
    fn labelled(&self) -> bool {
        self.cursor.peek().kind == TokenKind::Word
            && self.cursor.ahead(1).kind == TokenKind::Sign(':')
            && matches!(self.cursor.ahead(2).kind, TokenKind::Sign('{' | '<' | '⟨'))
    }

    /// `rep P + Q`: both readings. What follows is read to tell how far it goes, and then read again.
    fn two_loops(&mut self, start: Span, body: Span) {
        let (mark, sign) = (self.cursor.mark(), self.cursor.advance());
        let before = std::mem::take(&mut self.cursor.diagnostics);
        let rest = self.cursor.peek().span;
        // Loops in the rest are looked at when it is read again: looking ahead from each of them would double the work.
        let chosen = self.chosen.replace(Precedence::Conventional);
        let read = self.process();
        self.chosen = chosen;
        let rest = Span { start: rest.start, end: self.cursor.before() };
        let failed = self.cursor.diagnostics.has_errors();
        self.cursor.diagnostics = before;
        self.cursor.reset(mark);
        // What cannot be read is told when it is read again.
        if read.is_none() || failed {
            return;
        }
        let sign = self.cursor.text(sign);
        let (tight, wide) =
            (Span { start: start.start, end: body.end }, Span { start: body.start, end: rest.end });
        let (body, rest) = (self.shortened(body), self.shortened(rest));
        let bare = body.strip_prefix('(').and_then(|b| b.strip_suffix(')')).unwrap_or(&body);
        let message = format!("`rep` before `{sign}` can be read in two ways");
        let between = if sign == ";" { "; " } else { " + " };
        let help = format!(
            "write `(rep {body}){between}{rest}`, as --precedence conventional reads it, or `rep ({bare}{between}{rest})`, as the \
             authors' editor and --precedence rcheck do"
        );
        let conventional = format!("put parentheses: `(rep {body}){between}{rest}`");
        let rcheck = format!("put parentheses: `rep ({bare}{between}{rest})`");
        let error = Diagnostic::error(codes::AMBIGUOUS, start, message).help(help);
        self.cursor
            .diagnostics
            .push(error.fix(Fix::parentheses(tight, conventional)).fix(Fix::parentheses(wide, rcheck)));
    }

    /// A piece of text that may be too long to be quoted.
    fn shortened(&self, span: Span) -> String {
        const MOST: usize = 36;
        let whole = line(self.cursor.whole(), span);
        if whole.chars().count() <= MOST {
            return whole;
        }
        let closed = whole.starts_with('(') && whole.ends_with(')');
        let begin: String = whole.chars().take(MOST - 3).collect();
        format!("{begin} …{}", if closed { ")" } else { "" })
    }

    /// Whether a command begins here although the one before it has just ended: then something is missing between them.
    fn forgotten(&mut self) -> bool {
        let token = self.cursor.peek();
        let command = self.labelled() && !super::begins_anything(&self.cursor)
            || matches!(token.kind, TokenKind::Sign('{' | '<' | '⟨'));
        if !command {
            return false;
        }
        let end = self.cursor.before() as usize;
        let message = "there is nothing between this command and the one before it";
        let error = Diagnostic::error(swarmcheck_calculi::codes::SYNTAX, token.span, message);
        self.cursor.diagnostics.push(
            error
                .also(Span::new(end, end), "the command before it ends here")
                .help("write `+` between them for a choice, or `;` for one after the other")
                .fix(Fix::insert(end as u32, " +", "insert `+`, for a choice"))
                .fix(Fix::insert(end as u32, ";", "insert `;`, for one after the other")),
        );
        true
    }

    /// `keep-all`, without spaces.
    pub(super) fn keep_all(&mut self) -> bool {
        let (keep, hyphen, all) = (self.cursor.peek(), self.cursor.ahead(1), self.cursor.ahead(2));
        let there = self.cursor.text(keep) == "keep"
            && hyphen.kind == TokenKind::Sign('-')
            && self.cursor.text(all) == "all"
            && keep.span.end == hyphen.span.start
            && hyphen.span.end == all.span.start;
        if there {
            (0..3).for_each(|_| {
                self.cursor.advance();
            });
        }
        there
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
            self.angled()?
        } else if self.cursor.take('⟨') {
            let guard = self.expr()?;
            self.cursor.expect('⟩')?;
            guard
        } else {
            return self.cursor.wrong("a command: a guard in `{ }` or `< >`, perhaps with a label before it");
        };
        let act = self.act()?;
        let update = self.update()?;
        let span = Span { start: start.start, end: self.cursor.before() };
        Some(Command { label, guard, act, update, span })
    }

    /// A guard between `<` and `>`. A comparison may stand in it without parentheses; what follows the bracket tells which
    /// `>` that is.
    fn angled(&mut self) -> Option<Expr> {
        let mark = self.cursor.mark();
        let before = std::mem::take(&mut self.cursor.diagnostics);
        let mut failed = None;
        for narrow in [true, false] {
            self.cursor.reset(mark);
            self.level = 0;
            let guard = self.narrow(narrow, Self::expr);
            let closed = guard.filter(|_| self.cursor.sees('>') && self.acts_after());
            let found = std::mem::take(&mut self.cursor.diagnostics);
            if let Some(guard) = closed {
                self.cursor.advance();
                self.cursor.diagnostics = before;
                self.cursor.diagnostics.extend(found);
                return Some(guard);
            }
            failed.get_or_insert((self.cursor.mark(), found));
        }
        // What is said is what is wrong if no comparison is meant.
        self.cursor.diagnostics = before;
        let (mark, found) = failed?;
        let errors = found.has_errors();
        self.cursor.diagnostics.extend(found);
        self.cursor.reset(mark);
        if errors {
            return None;
        }
        self.cursor.expect('>')?;
        // The bracket is closed, but no channel follows: that is told there.
        self.act()?;
        None
    }

    /// Whether something that a command communicates begins after the current sign.
    fn acts_after(&self) -> bool {
        let (token, next) = (self.cursor.ahead(1), self.cursor.ahead(2).kind);
        let point_to_point = matches!(self.cursor.text(token), "GET" | "SUPPLY");
        matches!(token.kind, TokenKind::Word | TokenKind::Sign('*' | '⋆'))
            && (matches!(next, TokenKind::Sign('!' | '?')) || point_to_point)
    }

    /// `[x := e, …]`, or `[keep-all]`: KEEP(V) of the article, which is also what no assignment means.
    fn update(&mut self) -> Option<Vec<(Name, Expr)>> {
        let ends = matches!(self.cursor.peek().kind, TokenKind::Sign('+' | ';' | ')') | TokenKind::End);
        if !self.cursor.sees('[') && (ends || super::begins_anything(&self.cursor)) {
            let end = self.cursor.before() as usize;
            let message = "the updates of this command are missing";
            let error = Diagnostic::error(swarmcheck_calculi::codes::SYNTAX, Span::new(end, end), message);
            let fix = Fix::insert(end as u32, " []", "insert `[]`");
            self.cursor.diagnostics.push(error.help("write `[]` after it if nothing changes").fix(fix));
            return Some(vec![]);
        }
        self.cursor.expect('[')?;
        let update = if self.keep_all() { vec![] } else { self.assignments(']')? };
        self.cursor.expect(']')?;
        Some(update)
    }

    fn act(&mut self) -> Option<Act> {
        if self.cursor.take_word("GET") {
            self.cursor.expect('@')?;
            let place = self.place()?;
            return Some(Act::Get { place, data: self.data()? });
        }
        if self.cursor.take_word("SUPPLY") {
            self.cursor.expect('@')?;
            // Everybody satisfies `TRUE`, so it is another word for `any`.
            let place = Some(self.place()?).filter(|place| match &place.node {
                Node::Name(name) => name != "any",
                node => !matches!(node, Node::Bool(true)),
            });
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
        let token = self.cursor.peek();
        if self.cursor.take('*') || self.cursor.take('⋆') {
            return Some(Expr { node: Node::Broadcast, span: token.span });
        }
        let name = self.name("a channel")?;
        Some(Expr { node: Node::Name(name.text), span: name.span })
    }

    /// A place or a predicate in parentheses; a single word needs none.
    fn place(&mut self) -> Option<Expr> {
        if self.cursor.peek().kind == TokenKind::Word {
            let token = self.cursor.advance();
            let node = match self.cursor.text(token) {
                "TRUE" | "true" | "True" => Node::Bool(true),
                "FALSE" | "false" | "False" => Node::Bool(false),
                word => Node::Name(word.to_string()),
            };
            return Some(Expr { node, span: token.span });
        }
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
