//! Rates: `rate = 2.5` of a kind of agents or a stigmergy, `@ 1 / 2` of an action. They are ours, not SLiVER's (`docs/labs.md`, rates).

use super::ast::{Process, ProcessNode, Rate, RateValue};
use super::cursor::{Failed, Parsed, Parser};
use super::token::TokenKind;

impl Parser<'_> {
    /// A decimal number, or a constant expression.
    pub(super) fn rate(&mut self) -> Parsed<Rate> {
        let span = self.token().span;
        if self.eat(TokenKind::Decimal) {
            return Ok(Rate { value: RateValue::Decimal(self.slice(span).to_string()), span });
        }
        let expr = self.expression()?;
        Ok(Rate { span: expr.span, value: RateValue::Expr(expr) })
    }

    /// `@ rate`, if it follows the last process of a sequence.
    pub(super) fn rate_of(&mut self, sequence: &mut Vec<Process>) {
        if !self.eat(TokenKind::At) {
            return;
        }
        let Some(process) = sequence.pop() else { return };
        sequence.push(match self.rate() {
            Ok(rate) => {
                let span = process.span.to(rate.span);
                Process { node: ProcessNode::Rated(Box::new(process), Box::new(rate)), span }
            }
            Err(Failed) => {
                self.skip_to_operator();
                Process { node: ProcessNode::Error, span: process.span }
            }
        });
    }
}
