//! Formulas of linear time: what follows `ltl` (`docs/labs.md` 23).
//!
//! From loose to tight: `->`, to the right; `or`; `and`; `U R W`, to the right; `! G F X`. Below stand comparisons, as in every
//! predicate, and what is said of steps: `a acts`. The words for operators are those of all languages
//! (`swarmcheck_ir::linear::words`).
//!
//! Operators are words of their place, so they may also be names: `next` is a variable where no operand can follow it. In
//! the same way parentheses and quantifiers may belong to a predicate or to a formula. What they contain tells: they
//! belong to a formula if there is an operator of formulas inside.

use super::ast::{BinaryOp, Formula, FormulaNode, Quantifier, StepWord};
use super::cursor::{Parsed, Parser};
use super::token::{Bracket, MINUS, TokenKind};
use swarmcheck_ir::linear::words::{BinaryOperator, UnaryOperator};

const FORMULA: &str = "a formula";
const AND: TokenKind = TokenKind::Operator(BinaryOp::And);
const OR: TokenKind = TokenKind::Operator(BinaryOp::Or);

impl Parser<'_> {
    /// A formula up to the next definition.
    pub(super) fn formula(&mut self) -> Formula {
        let start = self.token().span;
        let result = self.implication();
        let ended = self.at_boundary() || matches!(self.kind(), TokenKind::Comma | TokenKind::Semicolon);
        if result.is_ok() && !ended {
            let help = self.help_after_formula();
            let fix = match self.kind() {
                TokenKind::Conditional => Some(self.instead("->")),
                TokenKind::Diamond => Some(self.instead("!=")),
                _ => self.or_for_parallel(),
            };
            self.fail_fixed("an operator or the next definition", &help, fix);
            self.skip_until(|_| false);
        }
        result.unwrap_or_else(|_| {
            self.skip_until(|_| false);
            Formula { node: FormulaNode::Error, span: start }
        })
    }

    /// A formula that reaches to the end of the text.
    pub(super) fn whole_formula(&mut self) -> Formula {
        let formula = self.formula();
        if self.kind() != TokenKind::End {
            self.fail("an operator or the end");
        }
        formula
    }

    fn help_after_formula(&self) -> Vec<&'static str> {
        match self.kind() {
            TokenKind::Parallel => vec!["in a formula, write `or`"],
            TokenKind::Conditional => vec!["implication is written `->`"],
            TokenKind::Diamond => vec!["`<>` is `F` in a formula; for 'different' write `!=`"],
            TokenKind::Operator(_) => {
                vec!["this is a formula, and only numbers can be compared or computed with"]
            }
            TokenKind::Name | TokenKind::Number => match self.slice(self.token().span) {
                "act" | "acting" => vec!["write `a acts` for the next step, `a can act` for this state"],
                "send" | "sending" => vec!["write `a sends` for the next step, `a can send` for this state"],
                _ => vec!["the operators are `G F X`, `U R W`, `!`, `and`, `or` and `->`"],
            },
            _ => vec![],
        }
    }

    /// `a -> b`, to the right.
    fn implication(&mut self) -> Parsed<Formula> {
        let left = self.list(OR, |p| p.list(AND, Parser::until))?;
        if !self.eat(TokenKind::Guard) {
            return Ok(left);
        }
        let right = self.deeper(Parser::implication)?;
        let span = left.span.to(right.span);
        Ok(Formula { node: FormulaNode::Implies(Box::new(left), Box::new(right)), span })
    }

    /// Operands with the same operator between them.
    fn list(
        &mut self,
        operator: TokenKind,
        operand: impl Fn(&mut Self) -> Parsed<Formula>,
    ) -> Parsed<Formula> {
        let mut parts = vec![operand(self)?];
        while self.eat(operator) {
            parts.push(operand(self)?);
        }
        if parts.len() == 1 {
            return Ok(parts.remove(0));
        }
        let span = parts[0].span.to(parts[parts.len() - 1].span);
        let node = if operator == AND { FormulaNode::And(parts) } else { FormulaNode::Or(parts) };
        Ok(Formula { node, span })
    }

    /// `a U b`, to the right.
    fn until(&mut self) -> Parsed<Formula> {
        let left = self.unary()?;
        let Some(operator) = self.binary_operator(0) else { return Ok(left) };
        self.bump();
        let right = self.deeper(Parser::until)?;
        let span = left.span.to(right.span);
        Ok(Formula { node: FormulaNode::Binary(operator, Box::new(left), Box::new(right)), span })
    }

    fn unary(&mut self) -> Parsed<Formula> {
        let start = self.token().span;
        if self.eat(TokenKind::Not) {
            let inner = self.deeper(Parser::unary)?;
            let span = start.to(inner.span);
            return Ok(Formula { node: FormulaNode::Not(Box::new(inner)), span });
        }
        if let Some((operator, tokens)) = self.unary_operator(0) {
            for _ in 0..tokens {
                self.bump();
            }
            let inner = self.deeper(Parser::unary)?;
            let span = start.to(inner.span);
            return Ok(Formula { node: FormulaNode::Unary(operator, Box::new(inner)), span });
        }
        self.atom()
    }

    fn atom(&mut self) -> Parsed<Formula> {
        let token = self.token();
        if let Some(step) = self.step()? {
            return Ok(step);
        }
        match token.kind {
            TokenKind::Open(Bracket::Round) if self.is_formula_inside(self.at) => {
                Ok(match self.group(Parser::implication) {
                    (Some(inner), span) => Formula { node: inner.node, span },
                    (None, span) => Formula { node: FormulaNode::Error, span },
                })
            }
            TokenKind::Keyword if matches!(self.word(), "forall" | "exists") && self.is_formula_after() => {
                self.quantified_formula()
            }
            TokenKind::Name if self.at_count() && self.is_formula_after() => {
                let help = "only agents with a predicate can be counted: put `(count K a, p)` into parentheses, \
                            or write `forall` or `exists`";
                Err(self.fail_with(FORMULA, &[help]))
            }
            TokenKind::Ident if self.binary_operator(0).is_some() => {
                Err(self.fail_with(FORMULA, &["`U`, `R` and `W` stand between two formulas: `p U q`"]))
            }
            TokenKind::Ident if !self.at_definition() => {
                let help = "temporal operators are `G F X` before, and `U R W` between formulas; variables start with a \
                            lowercase letter";
                Err(self.fail_with(FORMULA, &[help]))
            }
            _ => {
                let expr = self.comparison()?;
                let span = expr.span;
                Ok(Formula { node: FormulaNode::Predicate(expr), span })
            }
        }
    }

    /// `forall K a, φ`; the body reaches as far right as it can.
    fn quantified_formula(&mut self) -> Parsed<Formula> {
        let all = self.word() == "forall";
        let start = self.bump().span;
        let kind = self.ident("a kind of agents")?;
        let agent = self.name("a name for the agent")?;
        self.comma_of_quantifier()?;
        let body = self.deeper(Parser::implication)?;
        let span = start.to(body.span);
        let quantifier = if all { Quantifier::Forall } else { Quantifier::Exists };
        Ok(Formula { node: FormulaNode::Quantified(quantifier, kind, agent, Box::new(body)), span })
    }

    /// What is said of a step, if it is said here: `a acts`, `agent 0 can send`, `delivered`.
    fn step(&mut self) -> Parsed<Option<Formula>> {
        let start = self.token().span;
        if self.kind() != TokenKind::Name {
            return Ok(None);
        }
        if self.says_delivered(0) {
            let name = self.name("`delivered`")?;
            return Ok(Some(Formula { node: FormulaNode::Delivered(name), span: start }));
        }
        if self.word() == "agent" && self.starts_quantity(1) {
            self.bump();
            let number = self.quantity("the number of an agent")?;
            let Some(word) = self.step_word(0) else {
                let help = "of an agent it is said that it `acts`, `can act`, `sends` or `can send`";
                return Err(self.fail_with("`acts`", &[help]));
            };
            self.eat_step(word);
            let span = start.to(self.previous());
            return Ok(Some(Formula { node: FormulaNode::Step(Box::new(number), word), span }));
        }
        let Some(word) = self.step_word(1) else { return Ok(None) };
        let name = self.name("an agent")?;
        self.eat_step(word);
        let span = start.to(self.previous());
        let agent = super::ast::Expr {
            span: name.span,
            node: super::ast::ExprNode::Var { name, index: vec![], of: None },
        };
        Ok(Some(Formula { node: FormulaNode::Step(Box::new(agent), word), span }))
    }

    /// Whether `delivered` stands here, and is no part of a comparison.
    fn says_delivered(&self, ahead: usize) -> bool {
        let joined = matches!(self.slice(self.nth(ahead + 1).span), "and" | "or");
        self.slice(self.nth(ahead).span) == "delivered" && (joined || !self.is_variable(ahead))
    }

    fn eat_step(&mut self, word: StepWord) {
        self.bump();
        if matches!(word, StepWord::CanAct | StepWord::CanSend) {
            self.bump();
        }
    }

    /// What is said of an agent by the words from this many places ahead on.
    pub(super) fn step_word(&self, ahead: usize) -> Option<StepWord> {
        let word = |ahead: usize| match self.nth(ahead) {
            token if token.kind == TokenKind::Name => self.slice(token.span),
            _ => "",
        };
        match (word(ahead), word(ahead + 1)) {
            ("acts", _) => Some(StepWord::Acts),
            ("sends", _) => Some(StepWord::Sends),
            ("can", "act") => Some(StepWord::CanAct),
            ("can", "send") => Some(StepWord::CanSend),
            _ => None,
        }
    }

    /// Whether a number, a parameter or a parenthesis is this many places ahead.
    fn starts_quantity(&self, ahead: usize) -> bool {
        matches!(
            self.nth(ahead).kind,
            TokenKind::Number | TokenKind::BadNumber | TokenKind::Parameter | TokenKind::Open(Bracket::Round)
        )
    }

    /// The operator before a formula this many places ahead, and of how many tokens it is.
    pub(super) fn unary_operator(&self, ahead: usize) -> Option<(UnaryOperator, usize)> {
        let token = self.nth(ahead);
        match token.kind {
            TokenKind::Diamond => Some((UnaryOperator::Finally, 1)),
            TokenKind::Open(Bracket::Square) => {
                let close = self.nth(ahead + 1);
                let both = close.kind == TokenKind::Close(Bracket::Square) && !close.is_added();
                both.then_some((UnaryOperator::Globally, 2))
            }
            TokenKind::Ident if self.nth(ahead + 1).kind != super::token::EQUALS => {
                Some((UnaryOperator::named(self.slice(token.span))?, 1))
            }
            // `next - 1` is a difference: few formulas begin with a negative number, and variables may be called `next`.
            TokenKind::Name if self.starts_operand(ahead + 1) && self.nth(ahead + 1).kind != MINUS => {
                Some((UnaryOperator::named(self.slice(token.span))?, 1))
            }
            _ => None,
        }
    }

    /// The operator between two formulas this many places ahead.
    pub(super) fn binary_operator(&self, ahead: usize) -> Option<BinaryOperator> {
        let token = self.nth(ahead);
        let word = matches!(token.kind, TokenKind::Name)
            || token.kind == TokenKind::Ident && self.nth(ahead + 1).kind != super::token::EQUALS;
        if word { BinaryOperator::named(self.slice(token.span)) } else { None }
    }

    /// Whether something begins this many places ahead that can stand behind an operator.
    fn starts_operand(&self, ahead: usize) -> bool {
        let token = self.nth(ahead);
        match token.kind {
            TokenKind::Number
            | TokenKind::BadNumber
            | TokenKind::Parameter
            | TokenKind::Not
            | TokenKind::Diamond
            | TokenKind::Hole
            | MINUS
            | TokenKind::Open(Bracket::Round) => true,
            TokenKind::Open(Bracket::Square) => self.unary_operator(ahead).is_some(),
            TokenKind::Name => self.binary_operator(ahead).is_none() && self.step_word(ahead).is_none(),
            TokenKind::Ident => self.unary_operator(ahead).is_some(),
            TokenKind::Keyword => !matches!(self.slice(token.span), "of" | "then" | "else"),
            _ => false,
        }
    }

    /// Whether the group that opens at this token contains an operator of formulas.
    fn is_formula_inside(&self, open: usize) -> bool {
        self.is_formula_between(open + 1, self.after_group(open).saturating_sub(1))
    }

    /// Whether an operator of formulas comes before the end of the group around, or before the next definition.
    fn is_formula_after(&self) -> bool {
        let mut end = self.at + 1;
        if self.is_plain(end) {
            return false;
        }
        let ends = |at: usize| match self.kind_at(at) {
            TokenKind::End | TokenKind::Close(_) => true,
            TokenKind::Ident => self.kind_at(at + 1) == super::token::EQUALS,
            _ => false,
        };
        while !ends(end) {
            end = self.after_group(end);
        }
        self.is_formula_between(self.at + 1, end)
    }

    fn is_formula_between(&self, first: usize, end: usize) -> bool {
        if self.is_plain(first) {
            return false;
        }
        let found = (first..end).any(|at| self.is_formula_token(at));
        if !found {
            self.plain.set((first, end));
        }
        found
    }

    /// Whether it is known that a construct which begins with this token contains no operator of formulas: it lies within
    /// another that contains none. So nested constructs are not looked through again.
    fn is_plain(&self, at: usize) -> bool {
        let (first, end) = self.plain.get();
        (first..end).contains(&at)
    }

    /// Whether this token belongs to formulas only.
    fn is_formula_token(&self, at: usize) -> bool {
        let Some(ahead) = at.checked_sub(self.at) else { return false };
        let before = at.checked_sub(1).map(|at| self.nth(at.saturating_sub(self.at)));
        let before = before.filter(|_| ahead > 0);
        let is = |word: &[&str]| before.is_some_and(|token| word.contains(&self.slice(token.span)));
        match self.nth(ahead).kind {
            TokenKind::Guard | TokenKind::Diamond => true,
            // Kinds of agents may be called like operators.
            TokenKind::Ident => {
                !is(&["forall", "exists", "count"])
                    && (self.unary_operator(ahead).is_some() || self.binary_operator(ahead).is_some())
            }
            TokenKind::Open(Bracket::Square) => self.unary_operator(ahead).is_some(),
            TokenKind::Name => {
                let operand = before.is_some_and(|token| {
                    matches!(
                        token.kind,
                        TokenKind::Name | TokenKind::Number | TokenKind::Parameter | TokenKind::Close(_)
                    ) || matches!(self.slice(token.span), "true" | "false" | "id")
                });
                match operand {
                    // A second word after an operand is an operator, or says something of an agent.
                    true => self.binary_operator(ahead).is_some() || self.step_word(ahead).is_some(),
                    false => {
                        let of = is(&["of"]);
                        !of && (self.unary_operator(ahead).is_some() || self.says_delivered(ahead))
                    }
                }
            }
            _ => false,
        }
    }

    /// What to say where a temporal operator, or what is said of a step, stands outside of a formula.
    pub(super) fn help_for_formula(&self) -> Option<&'static str> {
        let operator = match self.kind() {
            TokenKind::Ident => self.unary_operator(0).is_some() || self.binary_operator(0).is_some(),
            TokenKind::Name => self.binary_operator(0).is_some(),
            TokenKind::Open(Bracket::Square) => self.unary_operator(0).is_some(),
            _ => false,
        };
        if operator {
            return Some("temporal operators stand in formulas: `Name = ltl G (p -> F q)`");
        }
        let step = self.kind() == TokenKind::Name && self.step_word(0).is_some();
        step.then_some("what agents do is said in formulas: `Name = ltl forall Kind a, F a acts`")
    }
}
