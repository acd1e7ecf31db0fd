//! Rates: positive rational numbers, kept exactly.

use super::Checker;
use super::constant::{Trouble, holds, value};
use super::process::Body;
use super::scope::{Context, Place};
use crate::codes;
use crate::model::{Expr, ExprNode, ProcessNode, Rate, Rates};
use crate::syntax::ast::{self, BinaryOp, RateValue};
use swarmcheck_source::Diagnostic;

const WHAT: &str = "a rate";
/// Products on the way are below it, so that sums of two do not overflow.
const LARGEST: u128 = 1 << 120;

/// A fraction with a positive denominator, in lowest terms.
type Fraction = (i128, i128);

impl Checker<'_> {
    /// The rates of kinds, stigmergies, and the actions that were seen.
    pub(super) fn rates(&mut self) -> Rates {
        let kinds: Vec<_> = self.names.kinds.iter().map(|kind| kind.agent.rate.as_ref()).collect();
        let stigmergies: Vec<_> = self.names.stigmergies.iter().map(|s| s.source.rate.as_ref()).collect();
        let mut read = |rate: Option<&ast::Rate>| rate.and_then(|rate| self.constants().rate(rate));
        let kinds = kinds.into_iter().map(&mut read).collect();
        let stigmergies = stigmergies.into_iter().map(&mut read).collect();
        Rates { kinds, stigmergies, actions: std::mem::take(&mut self.facts.rates) }
    }
}

impl Body<'_, '_> {
    /// `P @ rate`.
    pub(super) fn rated(&mut self, process: &ast::Process, rate: &ast::Rate) -> ProcessNode {
        let number = self.context.rate(rate);
        let node = self.process(process).node;
        match (&process.node, &node) {
            (ast::ProcessNode::Skip | ast::ProcessNode::Assign(_) | ast::ProcessNode::Block(_), _) => {
                if let (ProcessNode::Action(action), Some(number)) = (&node, number) {
                    self.context.facts.rates.insert(*action, number);
                }
            }
            // Reported by the parser.
            (ast::ProcessNode::Error, _) => {}
            _ => {
                let message = "only an action has a rate of its own";
                let error = Diagnostic::error(codes::RATE_PLACE, rate.span, message)
                    .also(process.span, "this is no single action")
                    .help("write `@` and the rate behind each action, or give all actions of a kind one: `rate = 2`");
                self.context.error(error);
            }
        }
        node
    }
}

impl Context<'_, '_> {
    /// `None` if it has no value; the reason is then reported, unless it is a missing parameter.
    pub(super) fn rate(&mut self, rate: &ast::Rate) -> Option<Rate> {
        let found = match &rate.value {
            RateValue::Decimal(text) => decimal(text).ok_or(Trouble::Overflow(rate.span)),
            RateValue::Expr(expr) => {
                let read = self.at(Place::Constant(WHAT), |c| c.number(expr));
                fraction(&read)
            }
        };
        let problem = match found {
            Ok((numerator, denominator)) => match (u32::try_from(numerator), u32::try_from(denominator)) {
                (Ok(1..), Ok(1..)) => {
                    return Some(Rate { numerator: numerator as u32, denominator: denominator as u32 });
                }
                _ if numerator <= 0 => (rate.span, "a rate must be positive".to_string(), "this is not"),
                _ => (rate.span, too_large(), "this one is not"),
            },
            Err(Trouble::Unknown) => return None,
            Err(Trouble::Zero(span)) => (span, format!("{WHAT} divides by zero"), "zero"),
            Err(Trouble::Overflow(span)) => (span, too_large(), "this one is not"),
        };
        let (span, message, label) = problem;
        let mut error = Diagnostic::error(codes::RATE, span, message).label(label);
        if label == "this is not" {
            error = error
                .help("an action that never happens is left out, or has a guard that is never satisfied");
        }
        self.error(error);
        None
    }
}

fn too_large() -> String {
    format!("a rate must be a fraction of two numbers up to {}", u32::MAX)
}

/// `2.5` is 25/10.
fn decimal(text: &str) -> Option<Fraction> {
    let (whole, part) = text.split_once('.')?;
    let part = part.trim_end_matches('0');
    let digits: i128 = format!("{whole}{part}").parse().ok()?;
    let scale = 10_i128.checked_pow(u32::try_from(part.len()).ok()?)?;
    Some(lowest(digits, scale))
}

/// The value of an expression. `+`, `-`, `*`, `/`, `min`, `max` and `if` are exact on fractions; other operators are those of
/// numbers, and so is everything below them.
fn fraction(expr: &Expr) -> Result<Fraction, Trouble> {
    let overflow = Trouble::Overflow(expr.span);
    match &expr.node {
        ExprNode::Neg(e) => fraction(e).map(|(n, d)| (-n, d)),
        ExprNode::If(c, a, b) => fraction(if holds(c, None)? { a } else { b }),
        ExprNode::Binary(op, a, b) if exact(*op) => {
            let ((n, d), (m, e)) = (fraction(a)?, fraction(b)?);
            let small = |a: &i128| a.unsigned_abs() < LARGEST;
            let product = |a: i128, b: i128| a.checked_mul(b).filter(small).ok_or(overflow);
            let (left, right) = (product(n, e)?, product(m, d)?);
            Ok(match op {
                BinaryOp::Add => lowest(left + right, product(d, e)?),
                BinaryOp::Sub => lowest(left - right, product(d, e)?),
                BinaryOp::Mul => lowest(product(n, m)?, product(d, e)?),
                BinaryOp::Div if m == 0 => return Err(Trouble::Zero(b.span)),
                BinaryOp::Div => lowest(left * m.signum(), product(d, m.abs())?),
                BinaryOp::Min => {
                    if left <= right {
                        (n, d)
                    } else {
                        (m, e)
                    }
                }
                _ => {
                    if left >= right {
                        (n, d)
                    } else {
                        (m, e)
                    }
                }
            })
        }
        _ => value(expr, None).map(|n| (i128::from(n), 1)),
    }
}

fn exact(op: BinaryOp) -> bool {
    use BinaryOp::{Add, Div, Max, Min, Mul, Sub};
    matches!(op, Add | Sub | Mul | Div | Min | Max)
}

/// Both without common factors; the denominator is positive.
fn lowest(numerator: i128, denominator: i128) -> Fraction {
    let (mut a, mut b) = (numerator.abs(), denominator);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (numerator / a.max(1), denominator / a.max(1))
}
