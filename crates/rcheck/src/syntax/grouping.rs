//! How the operands of a row of connectives are grouped, by strength or from left to right.

use super::ast::{Expr, Node, Op};
use swarmcheck_source::Span;

/// How loosely an operator binds, and whether it groups to the right.
fn level(op: Op) -> (u8, bool) {
    match op {
        Op::And => (1, false),
        Op::Or => (2, false),
        Op::Implies => (3, true),
        Op::Iff => (4, false),
        _ => (0, true),
    }
}

pub(super) fn binary(op: Op, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    Expr { node: Node::Binary(op, Box::new(left), Box::new(right)), span }
}

/// Groups operands by strength: everything that binds at least as tightly as a level.
pub(super) fn group(
    operands: &mut std::iter::Peekable<impl Iterator<Item = Expr>>,
    operators: &mut std::iter::Peekable<impl Iterator<Item = Op>>,
    loosest: u8,
) -> Expr {
    let Some(tighter) = loosest.checked_sub(1) else {
        let nothing = Expr { node: Node::Bool(true), span: Span::default() };
        let left = operands.next().unwrap_or(nothing);
        return match operators.next_if(|op| level(*op).0 == 0) {
            Some(op) => binary(op, left, group(operands, operators, 0)),
            None => left,
        };
    };
    let mut left = group(operands, operators, tighter);
    // `&` and `|` may be many: a balanced tree is not deep.
    for chain in [Op::And, Op::Or].into_iter().filter(|op| level(*op).0 == loosest) {
        let mut parts = vec![left];
        while operators.next_if_eq(&chain).is_some() {
            parts.push(group(operands, operators, tighter));
        }
        left = balanced(chain, parts);
    }
    while let Some(op) = operators.next_if(|op| level(*op).0 == loosest) {
        let right = match level(op).1 {
            true => group(operands, operators, loosest),
            false => group(operands, operators, tighter),
        };
        left = binary(op, left, right);
    }
    left
}

/// Groups operands as they come. Equal connectives make a balanced tree, so long chains are not deep.
pub(super) fn left_to_right(operands: Vec<Expr>, operators: &[Op]) -> Option<Expr> {
    let mut operands = operands.into_iter();
    let mut left = operands.next()?;
    let mut at = 0;
    while let Some(op) = operators.get(at) {
        let same = operators[at..].iter().take_while(|other| *other == op).count();
        if matches!(op, Op::And | Op::Or) {
            let parts = [left].into_iter().chain(operands.by_ref().take(same)).collect();
            left = balanced(*op, parts);
            at += same;
        } else {
            left = binary(*op, left, operands.next()?);
            at += 1;
        }
    }
    Some(left)
}

/// Operands of an operator that may be grouped as one likes.
fn balanced(op: Op, mut parts: Vec<Expr>) -> Expr {
    while parts.len() > 1 {
        let mut pairs = vec![];
        let mut rest = parts.into_iter();
        while let Some(one) = rest.next() {
            pairs.push(match rest.next() {
                Some(other) => binary(op, one, other),
                None => one,
            });
        }
        parts = pairs;
    }
    parts.pop().unwrap_or(Expr { node: Node::Bool(op == Op::And), span: Span::default() })
}
