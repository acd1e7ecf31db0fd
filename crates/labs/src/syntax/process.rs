//! Processes. `;` binds tighter than `++`, which binds tighter than `||`; a guard reaches as far right as it can
//! (`docs/labs.md`, item 1).

use super::ast::{AssignOp, BinaryOp, Expr, ExprNode, Process, ProcessDef, ProcessNode};
use super::cursor::{Failed, Parsed, Parser, Place, capitalised};
use super::token::{Bracket, EQUALS, TokenKind};
use crate::codes;
use swarmcheck_source::{Diagnostic, Fix, Span};

/// The first operators outside of parentheses, which a guard before them covers but would not cover if it bound
/// tightly, as section 3.5.1 of the thesis has it.
#[derive(Default)]
struct Loose {
    sequence: Option<Span>,
    /// `++` or `||`.
    branch: Option<Span>,
}

impl Loose {
    fn or(self, later: Loose) -> Loose {
        Loose { sequence: self.sequence.or(later.sequence), branch: self.branch.or(later.branch) }
    }
}

impl Parser<'_> {
    /// `Name = process`, at its name. A name without capital letter is reported and gets one.
    pub(super) fn process_definition(&mut self) -> Parsed<ProcessDef> {
        let mut name = self.ident("the name of a process")?;
        if name.text == "Behaviour" {
            name.text = "Behavior".into();
        }
        self.bump();
        self.place = Place { process: true, ..Place::default() };
        let body = self.process();
        self.place = Place::default();
        Ok(ProcessDef { name, body })
    }

    /// Whether a definition without capital letter starts here: what follows its `=` can only be a process.
    pub(super) fn at_lowercase_definition(&self) -> bool {
        if self.kind() != TokenKind::Name || self.nth(1).kind != EQUALS {
            return false;
        }
        let processes = self.parts.contains(&"interface") || self.parts.contains(&"environment");
        let mut index = self.at + 3;
        while self.kind_at(index) == TokenKind::Open(Bracket::Square) {
            index = self.after_group(index);
        }
        processes
            && match self.nth(2).kind {
                TokenKind::Ident => true,
                TokenKind::Open(Bracket::Curly) => self.has_process(self.at + 2),
                TokenKind::Name => matches!(self.kind_at(index), TokenKind::Assign(_)),
                _ => false,
            }
    }

    /// A process. There is always one, perhaps an `Error`.
    pub(super) fn process(&mut self) -> Process {
        self.composition().0
    }

    /// All three levels of operators in one loop, so that parentheses cost little of the stack.
    fn composition(&mut self) -> (Process, Loose) {
        let mut loose = Loose::default();
        let (mut parallel, mut choice, mut sequence) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            let start = self.token().span;
            match self.base() {
                Ok((process, inner)) => {
                    loose = loose.or(inner);
                    sequence.push(process);
                    self.rate_of(&mut sequence);
                }
                Err(Failed) => {
                    self.skip_to_operator();
                    let span =
                        if self.previous().end > start.start { start.to(self.previous()) } else { start };
                    sequence.push(Process { node: ProcessNode::Error, span });
                }
            }
            if !self.at_operator()
                && !self.at_boundary()
                && !self.at_sum()
                && self.missing_operator(sequence.last())
            {
                continue;
            }
            let mut operator = self.token();
            if self.at_sum() {
                self.wrong_choice();
                operator.kind = TokenKind::Choice;
            }
            match operator.kind {
                TokenKind::Semicolon => {
                    self.bump();
                    if self.at_boundary() {
                        break;
                    }
                    loose.sequence = loose.sequence.or(Some(operator.span));
                }
                TokenKind::Choice | TokenKind::Parallel => {
                    self.bump();
                    loose.branch = loose.branch.or(Some(operator.span));
                    choice.push(fold(std::mem::take(&mut sequence), ProcessNode::Seq));
                    if operator.kind == TokenKind::Parallel {
                        parallel.push(fold(std::mem::take(&mut choice), ProcessNode::Choice));
                    }
                }
                _ => break,
            }
        }
        choice.push(fold(sequence, ProcessNode::Seq));
        parallel.push(fold(choice, ProcessNode::Choice));
        (fold(parallel, ProcessNode::Par), loose)
    }

    fn at_operator(&self) -> bool {
        matches!(self.kind(), TokenKind::Semicolon | TokenKind::Choice | TokenKind::Parallel)
    }

    pub(super) fn skip_to_operator(&mut self) {
        self.skip_until(Parser::at_operator);
    }

    /// Reports that a process is followed by something strange; true if that looks like the next process of a
    /// sequence, and reading can go on as if there were a `;`.
    fn missing_operator(&mut self, before: Option<&Process>) -> bool {
        let expected = "`;`, `++`, `||` or the end of the process";
        match self.kind() {
            TokenKind::Guard | TokenKind::Conditional => {
                let op = match before.map(|p| &p.node) {
                    Some(ProcessNode::Assign(a)) if a.op == AssignOp::Attribute => a.op_span,
                    _ => {
                        self.fail_with(expected, &["write a condition before the arrow"]);
                        self.skip_to_operator();
                        return false;
                    }
                };
                let d = Diagnostic::error(
                    codes::SYNTAX,
                    op,
                    "`<-` is an assignment, but a guard needs a condition",
                )
                .label("assigns")
                .also(self.token().span, "this makes it a guard")
                .help("for 'less than minus' put a space: `< -1`")
                .fix(Fix::replace(op, "< -", "write `< -`"));
                self.report(d);
                self.skip_to_operator();
                false
            }
            TokenKind::Name
            | TokenKind::Ident
            | TokenKind::Keyword
            | TokenKind::Open(Bracket::Round | Bracket::Curly) => {
                let fix = self.insert(";");
                self.fail_fixed(expected, &["write `;` between one action and the next"], [fix]);
                true
            }
            _ => {
                self.fail(expected);
                self.skip_to_operator();
                false
            }
        }
    }

    fn base(&mut self) -> Parsed<(Process, Loose)> {
        let token = self.token();
        let leaf = |node| Ok((Process { node, span: token.span }, Loose::default()));
        match token.kind {
            _ if self.at_boundary() => {
                let before = self.kind_at(self.at.saturating_sub(1));
                let fix = match before {
                    EQUALS => Some(Fix::insert(self.previous().end, " Skip", "insert `Skip`")),
                    TokenKind::Choice | TokenKind::Parallel
                        if !matches!(
                            self.kind_at(self.at.saturating_sub(2)),
                            TokenKind::Choice | TokenKind::Parallel | TokenKind::Open(_) | EQUALS
                        ) =>
                    {
                        let operator = self.slice(self.previous());
                        Some(Fix::replace(self.previous(), "", format!("remove `{operator}`")))
                    }
                    _ => None,
                };
                Err(self.fail_fixed("a process", &[], fix))
            }
            TokenKind::Ident => {
                self.bump();
                leaf(match self.slice(token.span) {
                    "Skip" => ProcessNode::Skip,
                    "Nil" => ProcessNode::Nil,
                    "Behaviour" => ProcessNode::Call("Behavior".into()),
                    name => ProcessNode::Call(name.into()),
                })
            }
            TokenKind::Open(Bracket::Curly) => Ok((self.block(), Loose::default())),
            TokenKind::Open(Bracket::Round) if !self.group_is_operand() => {
                let (process, span) = self.group(|p| Ok(p.process()));
                let node = process.map_or(ProcessNode::Error, |p| p.node);
                Ok((Process { node, span }, Loose::default()))
            }
            TokenKind::Name | TokenKind::Keyword if self.at_assignment() => {
                let assignment = self.assignment()?;
                let span = assignment.span;
                Ok((Process { node: ProcessNode::Assign(assignment), span }, Loose::default()))
            }
            TokenKind::Semicolon | TokenKind::Choice | TokenKind::Parallel | TokenKind::Comma => {
                let before = self.kind_at(self.at.saturating_sub(1));
                let twice = token.kind == TokenKind::Semicolon && before == TokenKind::Semicolon;
                let fix = twice.then(|| Fix::replace(token.span, "", "remove `;`"));
                Err(self.fail_fixed("a process", &[], fix))
            }
            _ => self.guard(),
        }
    }

    /// Whether the parentheses that open here hold part of a condition: what follows them tells, unless they hold
    /// something that only a process can be.
    fn group_is_operand(&self) -> bool {
        match self.kind_at(self.after_group(self.at)) {
            TokenKind::Guard | TokenKind::Conditional | TokenKind::Assign(_) => true,
            TokenKind::Operator(BinaryOp::Add | BinaryOp::Or) => !self.has_process(self.at),
            TokenKind::Operator(_) => true,
            _ => false,
        }
    }

    /// Whether the brackets that open at this index hold a process: an arrow, or a name at the front.
    pub(super) fn has_process(&self, index: usize) -> bool {
        let process = |i: usize| match self.kind_at(i) {
            TokenKind::Assign(_) | TokenKind::Guard | TokenKind::Conditional | TokenKind::Choice => true,
            TokenKind::Ident => i == index + 1,
            _ => false,
        };
        (index + 1..self.after_group(index)).any(process)
    }

    /// Whether `+` or `or` stands here, which is wrong after a process.
    fn at_sum(&self) -> bool {
        matches!(self.kind(), TokenKind::Operator(BinaryOp::Add | BinaryOp::Or))
    }

    /// Whether `+` or `or` stands here, after a value and before a process.
    pub(super) fn at_wrong_choice(&self) -> bool {
        if !self.at_sum() {
            return false;
        }
        let mut index = self.at + 2;
        while self.kind_at(index) == TokenKind::Open(Bracket::Square) {
            index = self.after_group(index);
        }
        match self.nth(1).kind {
            TokenKind::Name => matches!(self.kind_at(index), TokenKind::Assign(_)),
            // Another word with a capital letter may be meant to be a variable.
            TokenKind::Ident => matches!(self.slice(self.nth(1).span), "Skip" | "Nil"),
            TokenKind::Open(Bracket::Curly) => true,
            TokenKind::Open(Bracket::Round) => self.has_process(self.at + 1),
            _ => false,
        }
    }

    fn wrong_choice(&mut self) {
        let symbol = self.found();
        let message = format!("{symbol} cannot stand between two processes");
        let d = Diagnostic::error(codes::SYNTAX, self.token().span, message).label("expected `++`");
        let d = d.help("a choice is written `++`, a parallel composition `||`");
        self.report(d.fix(self.instead("++")).fix(self.instead("||")));
    }

    fn guard(&mut self) -> Parsed<(Process, Loose)> {
        let start = self.token().span;
        let condition = self.expression()?;
        let arrow = self.token();
        if !matches!(arrow.kind, TokenKind::Guard | TokenKind::Conditional) {
            if let ExprNode::Var { name, index, of: None } = &condition.node
                && index.is_empty()
                && condition.span == name.span
                && (self.at_operator() || self.at_boundary())
            {
                return Err(self.lowercase_call(&name.text, name.span));
            }
            let help: &[&str] = match self.kind() {
                TokenKind::Parallel => &["in a condition, write `or`; `||` runs processes in parallel"],
                TokenKind::Semicolon | TokenKind::Choice | TokenKind::Close(_) => &[
                    "to assign, write `<-` (attribute), `<~` (stigmergy), `<--` (environment) or `:=` (local)",
                ],
                _ => &[],
            };
            if (self.at_operator() || self.at_boundary()) && !self.log.is_full() {
                self.equals_as_arrow(&condition);
            }
            let fix = self.or_for_parallel();
            return Err(self.fail_fixed("`->` or `=>` after the condition", help, fix));
        }
        self.bump();
        let (body, mut loose) = self.deeper(|p| Ok(p.composition()))?;
        let span = start.to(body.span);
        let differs = match arrow.kind {
            TokenKind::Guard => loose.branch,
            _ => loose.branch.into_iter().chain(loose.sequence).min(),
        };
        if let Some(operator) = differs {
            self.warn_guard(start, arrow.span, operator, body.span);
            loose = Loose::default();
        }
        let (condition, body) = (Box::new(condition), Box::new(body));
        let node = match arrow.kind {
            TokenKind::Guard => ProcessNode::Guard(condition, body),
            _ => ProcessNode::Conditional(condition, body),
        };
        Ok((Process { node, span }, loose))
    }

    /// Notes the place of `=` in `x = e`, in whose place an assignment arrow is likely to be meant.
    fn equals_as_arrow(&mut self, condition: &Expr) {
        if let ExprNode::Binary(BinaryOp::Eq, left, right) = &condition.node
            && let ExprNode::Var { name, of: None, .. } = &left.node
            && let between = (Span { start: left.span.end, end: right.span.start })
            && let Some(at) = self.text.get(between.range()).and_then(|text| text.find('='))
        {
            let at = between.range().start + at;
            self.arrows.push((self.token().span, Span::new(at, at + 1), name.text.clone()));
        }
    }

    /// A word alone, where a process or a condition and an arrow should be.
    fn lowercase_call(&mut self, word: &str, span: Span) -> Failed {
        let message = format!("expected a process, found `{word}`");
        let d = Diagnostic::error(codes::SYNTAX, span, message).label("expected a process");
        let name = capitalised(word);
        let d = d.help(format!("names of processes start with a capital letter: `{name}`"));
        let known = matches!(word, "skip" | "nil") || !self.log.is_full() && self.defines(&name);
        let d = d.fix_if(known.then(|| Fix::replace(span, name.clone(), format!("write `{name}`"))));
        self.report(match word {
            "skip" | "nil" => d,
            _ => d.help("a condition is followed by `->` or `=>`, a variable by an assignment arrow"),
        })
    }

    fn warn_guard(&mut self, start: Span, arrow: Span, operator: Span, body: Span) {
        let symbol = self.slice(operator);
        let message = format!("this guard also covers what follows the `{symbol}`");
        let d = Diagnostic::warning(codes::GUARD_READING, arrow, message)
            .label("a guard reaches as far right as it can")
            .also(operator, "covered by the guard, although its arrow may look tighter");
        let part = |from: u32, to: u32| self.slice(Span { start: from, end: to.max(from) }).trim();
        let (head, covered) = (part(start.start, arrow.end), part(body.start, body.end));
        let (alone, rest) = (part(start.start, operator.start), part(operator.start, body.end));
        let short = head.len() + covered.len() <= 80 && !covered.contains('\n') && !head.contains('\n');
        let (this, other) = if short {
            (
                format!("{head} ({covered})"),
                format!("({alone}){}{rest}", if symbol == ";" { "" } else { " " }),
            )
        } else {
            let arrow = self.slice(arrow);
            (format!("g {arrow} (P {symbol} Q)"), format!("(g {arrow} P) {symbol} Q"))
        };
        let d = d.help(format!("put parentheses: `{this}` for this reading, `{other}` for the other"));
        let end = start.start
            + self.slice(Span { start: start.start, end: operator.start }).trim_end().len() as u32;
        let tight = Span { start: start.start, end };
        self.log.push(
            d.fix(Fix::parentheses(body, format!("put parentheses for this reading: `{this}`")))
                .fix(Fix::parentheses(tight, format!("put parentheses for the other reading: `{other}`"))),
        );
    }
}

/// One process as it is, several joined.
fn fold(mut list: Vec<Process>, join: fn(Vec<Process>) -> ProcessNode) -> Process {
    match (list.pop(), list.first()) {
        (Some(only), None) => only,
        (Some(last), Some(first)) => {
            let span = first.span.to(last.span);
            list.push(last);
            Process { node: join(list), span }
        }
        (None, _) => Process { node: ProcessNode::Error, span: Span::default() },
    }
}
