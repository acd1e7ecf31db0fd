//! Expressions with operators, by precedence climbing. Arithmetic and Boolean expressions share one grammar; the
//! checker tells them apart.
//!
//! From loose to tight: `or`; `and`; `!`; comparisons, which do not chain; `+ -`; `* / % :`; unary `-`.

use super::ast::{BinaryOp, Expr, ExprNode, UnaryOp};
use super::cursor::{Parsed, Parser};
use super::token::{MINUS, TokenKind};
use crate::codes;
use swarmcheck_source::{Diagnostic, Span};

/// How high the tree of one expression may grow: operators in a row make it as high as there are operands.
pub(super) const HEIGHT: usize = 1000;

const OR: u8 = 0;
const AND: u8 = 1;
const COMPARE: u8 = 2;
const SUM: u8 = 3;
const PRODUCT: u8 = 4;

/// An expression under construction.
pub(super) struct Tree {
    pub(super) expr: Expr,
    /// The longest way down.
    pub(super) height: usize,
    /// The operator at its root and its place, if it stands there without parentheses.
    root: Option<(BinaryOp, Span)>,
    /// If it ends in `x of e` without parentheses, the place of that and of `e`.
    owned: Option<(Span, Span)>,
}

impl Tree {
    /// An operand, or anything else whose parts cannot be regrouped.
    pub(super) fn new(node: ExprNode, span: Span, height: usize) -> Tree {
        Tree { expr: Expr { node, span }, height, root: None, owned: None }
    }

    /// The same, and it is `x of e`, of which these are the places of the whole and of `e`.
    pub(super) fn with_owner(self, whole: Span, owner: Option<Span>) -> Tree {
        Tree { owned: owner.map(|owner| (whole, owner)), ..self }
    }

    /// Text that could not be read.
    pub(super) fn error(span: Span) -> Tree {
        Tree::new(ExprNode::Error, span, 1)
    }
}

fn level(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Or => OR,
        BinaryOp::And => AND,
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => COMPARE,
        BinaryOp::Add | BinaryOp::Sub => SUM,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Round | BinaryOp::Mod => PRODUCT,
        // These two are written as functions.
        BinaryOp::Min | BinaryOp::Max => u8::MAX,
    }
}

impl Parser<'_> {
    /// An expression that reaches to the end of the text.
    pub(super) fn whole_expression(&mut self) -> Expr {
        let start = self.token().span;
        match self.expression() {
            Ok(expr) => {
                if self.kind() != TokenKind::End {
                    self.fail("an operator or the end");
                }
                expr
            }
            Err(_) => Tree::error(start).expr,
        }
    }

    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        Ok(self.tree()?.expr)
    }

    /// An expression and its height.
    pub(super) fn tree(&mut self) -> Parsed<Tree> {
        self.climb(OR)
    }

    /// An expression without `and` and `or` outside of parentheses.
    pub(super) fn comparison(&mut self) -> Parsed<Expr> {
        Ok(self.climb(COMPARE)?.expr)
    }

    fn climb(&mut self, lowest: u8) -> Parsed<Tree> {
        let mut left = self.prefix()?;
        loop {
            let token = self.token();
            let op = match token.kind {
                TokenKind::Operator(_) if self.place.value && self.at_wrong_choice() => return Ok(left),
                TokenKind::Operator(op) if level(op) >= lowest => op,
                TokenKind::Assign(op) => return Err(self.arrow_in_expression(op)),
                _ => return Ok(left),
            };
            self.bump();
            let right = self.climb(level(op) + 1)?;
            if let (true, Some((of, owner)), SUM | PRODUCT) = (self.place.process, left.owned, level(op)) {
                self.warn_owner(of, owner, token.span, right.expr.span);
            }
            if let (BinaryOp::Or, Some((BinaryOp::And, and))) = (op, right.root) {
                self.warn_and_after_or(left.expr.span, token.span, and, right.expr.span);
            }
            left = self.join(left, op, token.span, right)?;
        }
    }

    fn join(&mut self, left: Tree, op: BinaryOp, place: Span, right: Tree) -> Parsed<Tree> {
        let span = left.expr.span.to(right.expr.span);
        if level(op) == COMPARE && left.root.is_some_and(|(root, _)| level(root) == COMPARE) {
            let d = Diagnostic::error(codes::SYNTAX, place, "comparisons cannot be chained");
            let label = "a second comparison of the same value";
            let help = match self.place.count {
                Some(count) => {
                    let (count, rest) =
                        (count.to(left.expr.span), Span { start: place.start, end: span.end });
                    let (count, rest) = match (self.slice(count), self.slice(rest)) {
                        (count, rest) if count.len() + rest.len() <= 80 && !count.contains('\n') => {
                            (count, rest)
                        }
                        _ => ("count K a, p", "<= 1"),
                    };
                    format!("to compare the count, put it into parentheses: `({count}) {rest}`")
                }
                None => "compare twice and join with `and`: `a < b and b < c`".to_string(),
            };
            self.log.push(d.label(label).help(help));
            return Ok(Tree { root: left.root, ..Tree::error(span) });
        }
        let height = left.height.max(right.height) + 1;
        if height > HEIGHT {
            let message = format!("this expression has more than {HEIGHT} operands in a row");
            self.log.too_deep(place, &message, "split it with parentheses or block-local variables `:=`");
            return Ok(Tree::error(span));
        }
        let node = ExprNode::Binary(op, Box::new(left.expr), Box::new(right.expr));
        Ok(Tree { expr: Expr { node, span }, height, root: Some((op, place)), owned: right.owned })
    }

    fn prefix(&mut self) -> Parsed<Tree> {
        let token = self.token();
        let (op, operand) = match token.kind {
            TokenKind::Not => {
                self.bump();
                (UnaryOp::Not, self.deeper(|p| p.climb(COMPARE))?)
            }
            MINUS => {
                self.bump();
                (UnaryOp::Neg, self.deeper(Parser::prefix)?)
            }
            _ => return self.operand(),
        };
        let span = token.span.to(operand.expr.span);
        let node = ExprNode::Unary(op, Box::new(operand.expr));
        Ok(Tree { owned: operand.owned, ..Tree::new(node, span, operand.height + 1) })
    }

    /// In processes, SLiVER reads `x of e + 1` as `x of (e + 1)`: its parser of references takes a whole arithmetic
    /// expression after `of`. In links and under quantifiers it takes one agent.
    fn warn_owner(&mut self, of: Span, owner: Span, operator: Span, right: Span) {
        let symbol = self.slice(operator);
        let message = format!("the `{symbol}` comes after the `of`, but not in SLiVER");
        let d = Diagnostic::warning(codes::OWNER_READING, operator, message)
            .label("applied to the variable's value")
            .also(owner, "this alone says whose variable is meant");
        let (x, e, rest) = (
            self.slice(Span { start: of.start, end: owner.start }).trim(),
            self.slice(owner),
            self.slice(Span { start: operator.start, end: right.end }),
        );
        let more = matches!(self.kind(), TokenKind::Operator(op) if matches!(level(op), SUM | PRODUCT));
        let short = x.len() + e.len() + rest.len() <= 80 && !self.slice(of.to(right)).contains('\n');
        let (x, e, rest) = if short { (x, e, rest) } else { ("x of", "e", "+ 1") };
        let more = if more { " …" } else { "" };
        self.log.push(d.help(format!(
            "put parentheses: `({x} {e}) {rest}` for this reading, `{x} ({e} {rest}{more})` for the other"
        )));
    }

    /// SLiVER reads `a or b and c` as `(a or b) and c`.
    fn warn_and_after_or(&mut self, left: Span, or: Span, and: Span, right: Span) {
        let message = "`and` binds tighter than `or`, but not in SLiVER";
        let d = Diagnostic::warning(codes::AND_OR_READING, and, message)
            .label("this `and` is joined first")
            .also(or, "this `or` second");
        let (a, b, c) = (
            self.slice(left),
            self.slice(Span { start: right.start, end: and.start }).trim(),
            self.slice(Span { start: and.end, end: right.end }).trim(),
        );
        let short = a.len() + b.len() + c.len() <= 80 && !self.slice(left.to(right)).contains('\n');
        let (a, b, c) = if short { (a, b, c) } else { ("a", "b", "c") };
        self.log.push(d.help(format!(
            "put parentheses: `{a} or ({b} and {c})` for this reading, `({a} or {b}) and {c}` for the other"
        )));
    }
}
