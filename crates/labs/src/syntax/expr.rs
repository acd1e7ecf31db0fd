//! Expressions with operators, by precedence climbing. Arithmetic and Boolean expressions share one grammar; the
//! checker tells them apart.
//!
//! From loose to tight: `or`; `and`; `!`; comparisons, which do not chain; `+ -`; `* / % :`; unary `-`.

use super::ast::{BinaryOp, Expr, ExprNode, UnaryOp};
use super::cursor::{Parsed, Parser};
use super::token::{Bracket, MINUS, TokenKind};
use crate::codes;
use swarmcheck_source::{Diagnostic, Fix, Span};

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

/// The first operand of `a and b and …`, of which the last `and` is the root.
fn first_operand(expr: &Expr) -> &Expr {
    let mut first = expr;
    // Parentheses are no part of the tree, but of its places.
    while let ExprNode::Binary(BinaryOp::And, left, _) = &first.node
        && left.span.start == first.span.start
    {
        first = left;
    }
    first
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
                self.warn_and_after_or(left.expr.span, token.span, and, &right.expr);
            }
            left = self.join(left, op, token.span, right)?;
        }
    }

    fn join(&mut self, left: Tree, op: BinaryOp, place: Span, right: Tree) -> Parsed<Tree> {
        let span = left.expr.span.to(right.expr.span);
        if level(op) == COMPARE && left.root.is_some_and(|(root, _)| level(root) == COMPARE) {
            let d = Diagnostic::error(codes::SYNTAX, place, "comparisons cannot be chained");
            let label = "a second comparison of the same value";
            let fix = self.unchain(&left.expr, place);
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
            self.log.push(d.label(label).help(help).fix_if(fix));
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

    /// Mends the second of two comparisons in a row, of which the first is given.
    fn unchain(&self, first: &Expr, second: Span) -> Option<Fix> {
        if let Some(count) = self.place.count {
            let around = count.to(first.span);
            return Some(Fix::parentheses(around, "put the count into parentheses"));
        }
        let ExprNode::Binary(_, _, middle) = &first.node else { return None };
        let again = format!("and {} ", self.slice(middle.span));
        Some(Fix::insert(second.start, again, "compare twice, and join with `and`"))
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
        self.log.push(
            d.help(format!(
                "put parentheses: `({x} {e}) {rest}` for this reading, `{x} ({e} {rest}{more})` for the other"
            ))
            .fix(Fix::parentheses(of, format!("put parentheses for this reading: `({x} {e}) {rest}`")))
            .fix_if(self.end_of_sum(right).map(|end| {
                let title = format!("put parentheses for the other reading: `{x} ({e} {rest}{more})`");
                Fix::parentheses(Span { start: owner.start, end }, title)
            })),
        );
    }

    /// Where the sum ends whose operand before the current token is given, if that can be seen from its tokens.
    fn end_of_sum(&self, last: Span) -> Option<u32> {
        let (mut at, mut end) = (self.at, last.end);
        while let TokenKind::Operator(op) = self.kind_at(at)
            && matches!(level(op), SUM | PRODUCT)
        {
            at += 1;
            while self.kind_at(at) == MINUS {
                at += 1;
            }
            match self.kind_at(at) {
                TokenKind::Open(_) => at = self.after_group(at),
                TokenKind::Number | TokenKind::Parameter | TokenKind::Name => at += 1,
                _ => return None,
            }
            while let TokenKind::Open(Bracket::Square) = self.kind_at(at) {
                at = self.after_group(at);
            }
            if self.kind_at(at) == TokenKind::Keyword {
                return None;
            }
            end = self.nth((at - 1).checked_sub(self.at)?).span.end;
        }
        Some(end)
    }

    /// SLiVER reads `a or b and c` as `(a or b) and c`.
    fn warn_and_after_or(&mut self, left: Span, or: Span, and: Span, joined: &Expr) {
        let right = joined.span;
        let message = "`and` binds tighter than `or`, but not in SLiVER";
        let d = Diagnostic::warning(codes::AND_OR_READING, and, message)
            .label("this `and` is joined first")
            .also(or, "this `or` second");
        let first = first_operand(joined).span.end;
        let (a, b, c) = (
            self.slice(left),
            self.slice(Span { start: right.start, end: first }),
            self.slice(Span { start: first, end: right.end }).trim().trim_start_matches("and").trim(),
        );
        let short = a.len() + b.len() + c.len() <= 80 && !self.slice(left.to(right)).contains('\n');
        let (a, b, c) = if short { (a, b, c) } else { ("a", "b", "c") };
        self.log.push(d.help(format!(
            "put parentheses: `{a} or ({b} and {c})` for this reading, `({a} or {b}) and {c}` for the other"
        ))
        .fix(Fix::parentheses(right, format!("put parentheses for this reading: `{a} or ({b} and {c})`")))
        .fix(Fix::parentheses(
            Span { start: left.start, end: first },
            format!("put parentheses for the other reading: `({a} or {b}) and {c}`"),
        )));
    }
}
