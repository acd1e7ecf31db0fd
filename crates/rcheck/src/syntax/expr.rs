//! Expressions and formulas, in either of two readings ([`super::readings`]).
//!
//! Conventionally, from the tightest to the loosest: `!` and `-`; `*` `/`; `+` `-`; comparisons; `F` `G` `X` `⟨O⟩` `[O]`; `U` `R` `W`;
//! `&`; `|`; `->`; `<->`. In the authors' editor there is one level for everything from `U` on, from left to right, and a prefix
//! operator reaches as far as it can.

use super::ast::{Expr, Name, Node, Op, Temporal};
use super::grouping::{binary, group, left_to_right};
use super::readings::{alike, parentheses, show};
use super::{Parser, Precedence, RESERVED};
use crate::codes;
use swarmcheck_calculi::cursor::TokenKind;
use swarmcheck_ir::linear::words::{BinaryOperator, UnaryOperator};
use swarmcheck_source::{Diagnostic, Fix, Span};

/// Prefix operators of other languages, and what stands for them here. `globally` and `next` are operators here as well, where
/// they cannot be the name of a guard.
pub(crate) const PREFIX_WORDS: &[(&str, &str)] = &[
    ("eventually", "F"),
    ("finally", "F"),
    ("sometime", "F"),
    ("always", "G"),
    ("globally", "G"),
    ("next", "X"),
    ("not", "!"),
];

/// The same for operators with two operands.
pub(crate) const INFIX_WORDS: &[(&str, &str)] =
    &[("and", "&"), ("or", "|"), ("implies", "->"), ("iff", "<->"), ("weakuntil", "W")];

/// Long chains of these would make trees so deep that walking through them is a danger.
const MOST_OPERATORS: usize = 150;

impl Parser<'_> {
    /// Reads something with `<` and `>` as brackets (or not) around it.
    pub(super) fn narrow<T>(&mut self, narrow: bool, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = std::mem::replace(&mut self.narrow, narrow);
        let result = read(self);
        self.narrow = before;
        result
    }

    /// An expression. If it stands by itself and can be read in two ways, there is a warning with both.
    pub(super) fn expr(&mut self) -> Option<Expr> {
        if self.level > 0 {
            return self.whole();
        }
        let (read, other) = self.both()?;
        if let Some(other) = other {
            let text = self.cursor.whole();
            let message = "this expression can be read in two ways";
            let warning = Diagnostic::warning(codes::PRECEDENCE, read.span, message);
            let (this, that) = (show(&read, text), show(&other, text));
            let warning = warning.label(format!("read as `{this}`")).help(format!(
                "add parentheses, or choose with --precedence: the authors' editor reads `{that}`"
            ));
            let fix = |e: &Expr, reading: &str| Fix {
                title: format!("put parentheses: `{reading}`"),
                edits: parentheses(e, text),
            };
            self.cursor.diagnostics.push(warning.fix(fix(&read, &this)).fix(fix(&other, &that)));
        }
        Some(read)
    }

    /// An expression that stands by itself; and what the authors' editor reads, if that is something else and nobody has
    /// chosen.
    pub(super) fn both(&mut self) -> Option<(Expr, Option<Expr>)> {
        let (mark, narrow) = (self.cursor.mark(), self.narrow);
        self.operators = 0;
        let first = self.whole()?;
        if self.chosen.is_some() {
            return Some((first, None));
        }
        // Both readings end at the same place: they differ in how operands are grouped.
        let end = self.cursor.mark();
        let found = std::mem::take(&mut self.cursor.diagnostics);
        self.cursor.reset(mark);
        self.precedence = Precedence::Rcheck;
        self.operators = 0;
        let second = self.whole();
        self.precedence = Precedence::Conventional;
        let errors = std::mem::replace(&mut self.cursor.diagnostics, found);
        (self.narrow, self.level) = (narrow, 0);
        self.cursor.reset(end);
        match second {
            Some(second) => Some((first.clone(), Some(second).filter(|second| !alike(&first, second)))),
            // Read from left to right it is too deep.
            None => {
                self.cursor.diagnostics.extend(errors);
                None
            }
        }
    }

    fn whole(&mut self) -> Option<Expr> {
        self.level += 1;
        let result = self.nested(Self::compound);
        self.level -= 1;
        result
    }

    /// Counts an operator that makes the tree one level deeper, wherever it stands.
    fn deeper(&mut self) -> Option<()> {
        self.operators += 1;
        if self.operators <= MOST_OPERATORS {
            return Some(());
        }
        let message =
            format!("more than {MOST_OPERATORS} operators other than `&` and `|` in one expression");
        let error = Diagnostic::error(swarmcheck_calculi::codes::DEPTH, self.cursor.peek().span, message);
        self.cursor.diagnostics.push(error);
        None
    }

    fn compound(&mut self) -> Option<Expr> {
        let flat = self.precedence == Precedence::Rcheck;
        let mut operands = vec![self.prefixed()?];
        let mut operators: Vec<Op> = vec![];
        while let Some(op) = self.connective()? {
            // From left to right, only equal connectives can be grouped as one likes.
            let deep = !matches!(op, Op::And | Op::Or);
            if deep || (flat && operators.last().is_some_and(|last| *last != op)) {
                self.deeper()?;
            }
            operators.push(op);
            operands.push(self.prefixed()?);
        }
        if flat {
            return left_to_right(operands, &operators);
        }
        Some(group(&mut operands.into_iter().peekable(), &mut operators.into_iter().peekable(), 4))
    }

    /// The connective here, if there is one.
    fn connective(&mut self) -> Option<Option<Op>> {
        // `||` separates the agents of a system, and there an expression stands in parentheses.
        for (signs, op) in [
            ("&&", Op::And),
            ("&", Op::And),
            ("∧", Op::And),
            ("/\\", Op::And),
            ("||", Op::Or),
            ("|", Op::Or),
            ("∨", Op::Or),
            ("\\/", Op::Or),
            ("->", Op::Implies),
            ("→", Op::Implies),
            ("<->", Op::Iff),
            ("↔", Op::Iff),
        ] {
            if self.cursor.take_all(signs) {
                return Some(Some(op));
            }
        }
        let word = self.cursor.text(self.cursor.peek());
        if let Some(operator) = BinaryOperator::named(word)
            && (RESERVED.contains(&word) || self.operand_ahead(1))
        {
            self.cursor.advance();
            return Some(Some(match operator {
                BinaryOperator::Until => Op::Until,
                BinaryOperator::Release => Op::Release,
                BinaryOperator::Unless => Op::WeakUntil,
            }));
        }
        match INFIX_WORDS.iter().find(|(known, _)| *known == word) {
            Some((_, sign)) if self.operand_ahead(1) => self.other_word(word, sign),
            _ => Some(None),
        }
    }

    /// An operator of another language.
    fn other_word<T>(&mut self, word: &str, ours: &str) -> Option<T> {
        let message = format!("there is no operator `{word}` in R-CHECK");
        let error = Diagnostic::error(swarmcheck_calculi::codes::SYNTAX, self.cursor.peek().span, message);
        let fix = Fix::replace(self.cursor.peek().span, ours, format!("write `{ours}`"));
        self.cursor.diagnostics.push(error.help(format!("write `{ours}`")).fix(fix));
        None
    }

    /// Whether an operand begins so many places further on. Words that begin a part of the script do not.
    fn operand_ahead(&self, places: usize) -> bool {
        let token = self.cursor.ahead(places);
        let word = self.cursor.text(token);
        let part = super::SPECS.contains(&word) || super::PARTS.contains(&word);
        match token.kind {
            TokenKind::Word => !part && self.cursor.ahead(places + 1).kind != TokenKind::Sign(':'),
            TokenKind::Sign(sign) => {
                let next = self.cursor.ahead(places + 1);
                let joined =
                    |second| next.kind == TokenKind::Sign(second) && next.span.start == token.span.end;
                matches!(sign, '(' | '!' | '¬' | '@')
                    || sign == '[' && joined(']')
                    || sign == '<' && joined('>')
            }
            TokenKind::End => false,
        }
    }

    /// Whether the next part begins where an operand should be. Words that may be names are not taken for a part: a reserved word
    /// in the middle of a line is rather meant as a name, which is told where it is declared.
    fn is_over(&self) -> bool {
        let (word, next) = (self.cursor.text(self.cursor.peek()), self.cursor.ahead(1).kind);
        match word {
            "enum" | "guard" | "agent" => next == TokenKind::Word && self.begins_line(),
            "local" | "init" | "relabel" | "repeat" => next == TokenKind::Sign(':'),
            word => super::SPECS.contains(&word) && self.begins_line(),
        }
    }

    /// Whether the current word is the first one of its line.
    fn begins_line(&self) -> bool {
        let (end, start) = (self.cursor.before() as usize, self.cursor.peek().span.start as usize);
        self.cursor.whole().get(end..start).is_some_and(|gap| gap.contains('\n'))
    }

    /// A specification is over. A formula that goes on in another way than formulas do is not blamed on the next part.
    pub(super) fn end_of_formula(&mut self) -> Option<()> {
        let token = self.cursor.peek();
        if token.kind == TokenKind::End
            || super::begins_anything(&self.cursor)
            || super::misspelt::part(&self.cursor).is_some()
        {
            return Some(());
        }
        self.cursor.wrong("an operator such as `&`, `|`, `->` or `U`, or the end of the formula")
    }

    /// A temporal operator or a quantifier and what it applies to, or a comparison.
    fn prefixed(&mut self) -> Option<Expr> {
        let token = self.cursor.peek();
        let start = token.span;
        let whole = |parser: &Self, node| {
            Some(Expr { node, span: Span { start: start.start, end: parser.cursor.before() } })
        };
        let word = self.cursor.text(token);
        let is_operator = RESERVED.contains(&word) || self.operand_ahead(1) && !self.joined_ahead();
        let signs = ["[]", "<>"].into_iter().find(|signs| self.cursor.sees_all(signs));
        let temporal = match UnaryOperator::named(signs.unwrap_or(word)) {
            Some(_) if signs.is_none() && !is_operator => None,
            Some(UnaryOperator::Next) => Some(Temporal::Next),
            Some(UnaryOperator::Finally) => Some(Temporal::Finally),
            Some(UnaryOperator::Globally) => Some(Temporal::Globally),
            None => None,
        };
        if let (None, Some((_, sign)), true) =
            (temporal, PREFIX_WORDS.iter().find(|(known, _)| *known == word), is_operator)
        {
            return self.other_word(word, sign);
        }
        if let Some(temporal) = temporal {
            if !signs.is_some_and(|signs| self.cursor.take_all(signs)) {
                self.cursor.advance();
            }
            let body = self.reached()?;
            return whole(self, Node::Temporal(temporal, Box::new(body)));
        }
        for (open, close, narrow, necessary) in [
            ("<<", ">>", true, false),
            ("<", ">", true, false),
            ("⟨", "⟩", false, false),
            ("[[", "]]", false, true),
            ("[", "]", false, true),
        ] {
            if !self.cursor.take_all(open) {
                continue;
            }
            let seen = self.narrow(narrow, Self::expr)?;
            if !self.cursor.take_all(close) {
                return self.cursor.wrong(&format!("`{close}`"));
            }
            let then = self.reached()?;
            return whole(self, Node::Observe { necessary, seen: Box::new(seen), then: Box::new(then) });
        }
        let junction = [("/\\", true), ("\\/", false), ("∧", true), ("∨", false)];
        let sign = junction.iter().find(|(signs, _)| self.cursor.sees_all(signs));
        let all = match (word, sign) {
            ("forall", _) => Some(true),
            ("exists", _) => Some(false),
            (_, Some((_, all))) => Some(*all),
            _ => None,
        };
        if let Some(all) = all {
            match sign {
                Some((signs, _)) => {
                    self.cursor.take_all(signs);
                }
                None => {
                    self.cursor.advance();
                }
            }
            if self.cursor.take('(') {
                let body = self.narrow(false, Self::expr)?;
                self.cursor.expect(')')?;
                return whole(self, Node::Admitted { all, body: Box::new(body) });
            }
            let name = self.name("the name of an agent")?;
            self.cursor.expect(':')?;
            let mut types = vec![self.name("an agent type")?];
            while self.cursor.take('|') {
                types.push(self.name("an agent type")?);
            }
            self.cursor.expect('.')?;
            // A quantifier reaches as far as it can.
            let body = self.expr()?;
            return whole(self, Node::Agents { all, name, types, body: Box::new(body) });
        }
        if (self.cursor.sees('!') || self.cursor.sees('¬')) && self.temporal_ahead() {
            self.cursor.advance();
            let body = self.nested(Self::prefixed)?;
            return whole(self, Node::Not(Box::new(body)));
        }
        self.comparison()
    }

    /// What a prefix operator applies to.
    fn reached(&mut self) -> Option<Expr> {
        match self.precedence {
            Precedence::Conventional => self.nested(|p| p.narrow(false, Self::prefixed)),
            Precedence::Rcheck => self.narrow(false, Self::whole),
        }
    }

    /// Whether what follows the current sign is something that only [`Parser::prefixed`] reads.
    fn temporal_ahead(&self) -> bool {
        let next = self.cursor.ahead(1);
        let word = self.cursor.text(next);
        matches!(next.kind, TokenKind::Sign('<' | '[' | '⟨' | '!' | '¬'))
            || matches!(word, "X" | "F" | "G" | "forall" | "exists")
            || UnaryOperator::named(word).is_some() && self.operand_ahead(2)
    }

    fn comparison(&mut self) -> Option<Expr> {
        let left = self.sum()?;
        for (signs, op) in [
            ("==", Op::Eq),
            ("=", Op::Eq),
            ("!=", Op::Ne),
            ("≠", Op::Ne),
            ("<=", Op::Le),
            ("≤", Op::Le),
            (">=", Op::Ge),
            ("≥", Op::Ge),
            ("<", Op::Lt),
            (">", Op::Gt),
        ] {
            let bracket = self.narrow && matches!(op, Op::Lt | Op::Gt);
            // `<-` and `<->` are no comparisons.
            let arrow = op == Op::Lt && self.cursor.sees_all("<-");
            if !bracket && !arrow && self.cursor.take_all(signs) {
                let right = self.sum()?;
                return Some(binary(op, left, right));
            }
        }
        Some(left)
    }

    fn sum(&mut self) -> Option<Expr> {
        let mut left = self.product()?;
        loop {
            // `->` is no minus, and `+` before a command is the choice between processes.
            let op = if self.cursor.sees('+') && !self.choice_ahead() {
                Op::Add
            } else if self.cursor.sees('-') && !self.cursor.sees_all("->") {
                Op::Sub
            } else {
                return Some(left);
            };
            self.cursor.advance();
            self.deeper()?;
            left = binary(op, left, self.product()?);
        }
    }

    /// Expressions end before `[`, so a choice never follows one; this is for scripts that are wrong.
    fn choice_ahead(&self) -> bool {
        matches!(self.cursor.ahead(1).kind, TokenKind::Sign('{' | '<' | '⟨'))
    }

    fn product(&mut self) -> Option<Expr> {
        let mut left = self.operand()?;
        loop {
            // `/\` is a conjunction; `*?` and `*!` begin what a command communicates.
            let star = self.cursor.sees('*') && !self.cursor.sees_all("*!") && !self.cursor.sees_all("*?");
            let op = if star {
                Op::Mul
            } else if self.cursor.sees('/') && !self.cursor.sees_all("/\\") {
                Op::Div
            } else {
                return Some(left);
            };
            self.cursor.advance();
            self.deeper()?;
            left = binary(op, left, self.operand()?);
        }
    }

    fn operand(&mut self) -> Option<Expr> {
        let token = self.cursor.peek();
        let start = token.span;
        let whole = |parser: &Self, node| {
            Some(Expr { node, span: Span { start: start.start, end: parser.cursor.before() } })
        };
        if self.cursor.take('(') {
            let inner = self.narrow(false, Self::expr)?;
            self.cursor.expect(')')?;
            return whole(self, inner.node);
        }
        if self.cursor.take('!') || self.cursor.take('¬') {
            let inner = self.nested(Self::operand)?;
            return whole(self, Node::Not(Box::new(inner)));
        }
        if self.cursor.take('-') {
            let inner = self.nested(Self::operand)?;
            return whole(self, Node::Negative(Box::new(inner)));
        }
        if self.cursor.take('*') || self.cursor.take('⋆') {
            return whole(self, Node::Broadcast);
        }
        if self.cursor.take('@') {
            let name = self.name("a property variable")?;
            return whole(self, Node::Property(name.text));
        }
        if token.kind != TokenKind::Word || self.is_over() {
            return self.cursor.wrong("an expression");
        }
        let text = self.cursor.text(token);
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            let Some(value) = self.number() else {
                return self.cursor.wrong("a number that fits into 64 bits");
            };
            self.cursor.advance();
            return whole(self, Node::Number(value));
        }
        self.cursor.advance();
        match text {
            "TRUE" | "true" | "True" => return whole(self, Node::Bool(true)),
            "FALSE" | "false" | "False" => return whole(self, Node::Bool(false)),
            _ => {}
        }
        let name = Name { text: text.to_string(), span: token.span };
        if self.cursor.sees('(') && !self.data_ahead() {
            self.cursor.advance();
            let mut arguments = vec![];
            while !self.cursor.sees(')') {
                arguments.push(self.narrow(false, Self::expr)?);
                if !self.cursor.take(',') {
                    break;
                }
            }
            self.cursor.expect(')')?;
            return whole(self, Node::Call(name, arguments));
        }
        // `k.x` is what other languages write.
        let (dot, after) = (self.cursor.peek(), self.cursor.ahead(1));
        let close = token.span.end == dot.span.start && dot.span.end == after.span.start;
        if dot.kind == TokenKind::Sign('.') && after.kind == TokenKind::Word && close {
            self.cursor.advance();
            let variable = self.name("a variable")?;
            let message = format!("`.` does not lead to the variables and labels of `{}`", name.text);
            let error = Diagnostic::error(swarmcheck_calculi::codes::SYNTAX, dot.span, message);
            let help = format!("write `{}-{}`", name.text, variable.text);
            let fix = Fix::replace(dot.span, "-", help.clone());
            self.cursor.diagnostics.push(error.help(help).fix(fix));
            return whole(self, Node::Of(name, variable));
        }
        // `k-x` without spaces is variable `x` of agent `k`.
        let hyphen = self.cursor.peek();
        let next = self.cursor.ahead(1);
        let letter = self.cursor.text(next).starts_with(|c: char| c.is_alphabetic() || c == '_');
        let joined = token.span.end == hyphen.span.start && hyphen.span.end == next.span.start;
        if hyphen.kind == TokenKind::Sign('-') && next.kind == TokenKind::Word && letter && joined {
            self.cursor.advance();
            let mut variable = self.name("a variable")?;
            let state = self.cursor.sees_all("-") && self.cursor.text(self.cursor.ahead(1)) == "state";
            if variable.text == "automaton" && state {
                self.cursor.advance();
                let rest = self.name("`state`")?;
                variable = Name { text: "automaton-state".to_string(), span: variable.span.to(rest.span) };
            }
            return whole(self, Node::Of(name, variable));
        }
        whole(self, Node::Name(text.to_string()))
    }

    /// Whether the word here is joined to what follows it, as in `next-x`, or in `always(x)`, which may be a guard.
    fn joined_ahead(&self) -> bool {
        self.cursor.peek().span.end == self.cursor.ahead(1).span.start
    }

    /// Whether the parenthesis here holds the data of a message, not the arguments of a guard.
    fn data_ahead(&self) -> bool {
        let assigns = self.cursor.ahead(1).kind == TokenKind::Word
            && self.cursor.ahead(2).kind == TokenKind::Sign(':')
            && self.cursor.ahead(3).kind == TokenKind::Sign('=');
        let nothing = self.cursor.ahead(1).kind == TokenKind::Sign(')')
            && self.cursor.ahead(2).kind == TokenKind::Sign('[');
        assigns || nothing
    }
}
