//! Specifications with a part of their formula replaced by a constant, for vacuity (Beer, Ben-David, Eisner and Rodeh, CAV
//! 1997; Kupferman and Vardi, STTT 2003).
//!
//! The part is replaced in the syntax tree, and the formula is checked again: so it is replaced for every agent that a
//! quantifier binds, and the result means what the text with the constant in it would mean. The constant is the one that
//! asks for more: `false`, or `true` where the part stands below an odd number of negations, premises of implications and
//! observations `[O]`. Every operator but `<->` and `=` is monotone in its operands; below those two a part would have both
//! polarities, so they are parts as a whole only.

use super::written::chosen;
use super::{Checker, checked};
use crate::model::Specification;
use crate::syntax::ast::{Expr, Node, Op, Spec};
use crate::syntax::{Precedence, parse};
use swarmcheck_source::Span;

/// More parts than these are counted and not made.
const MOST: usize = 100;

/// A part of a formula.
pub struct Replaced {
    pub span: Span,
    /// The constant that replaces it.
    pub by: bool,
    /// Which of the specifications has the part replaced.
    pub spec: usize,
    /// The parts of this part.
    pub parts: Vec<Replaced>,
}

/// All parts of a formula.
pub struct ReplacedParts {
    /// The same agents; its specifications are those with a part replaced.
    pub specification: Specification,
    pub parts: Vec<Replaced>,
    /// So many parts have no specification of their own, because there would be too many or they would be too large.
    pub left_off: u32,
}

/// The parts of a specification, by its number among those that [`check_with`](super::check_with) finds.
pub fn parts(text: &str, precedence: Option<Precedence>, number: usize) -> Option<ReplacedParts> {
    let (script, found) = parse(text, precedence);
    let mut checker = checked(text, &script, found);
    if checker.found.has_errors() {
        return None;
    }
    let formula = chosen(&script, &checker.spec, number)?;
    let wanted = checker.spec.specs[number].span;
    let spec = script.specs.iter().find(|spec| spec.formula.span == wanted)?;
    checker.spec.specs.clear();
    checker.spec.observations.clear();
    let mut maker = Maker { checker, spec, left_off: 0 };
    let parts = maker.below(formula, true, &|e| e);
    Some(ReplacedParts { specification: maker.checker.spec, parts, left_off: maker.left_off })
}

/// Puts an expression in its place in the whole formula.
type Around<'a> = &'a dyn Fn(Expr) -> Expr;

struct Maker<'t> {
    checker: Checker<'t>,
    spec: &'t Spec,
    left_off: u32,
}

impl Maker<'_> {
    /// The parts directly below a formula.
    fn below(&mut self, e: &Expr, positive: bool, around: Around<'_>) -> Vec<Replaced> {
        let again = |node: Node| around(Expr { node, span: e.span });
        match &e.node {
            // Replacing the only operand is replacing the whole: F false is false, and the negation of false is true.
            Node::Not(inner) => self.below(inner, !positive, &|part| again(Node::Not(Box::new(part)))),
            Node::Temporal(op, inner) => {
                self.below(inner, positive, &|part| again(Node::Temporal(*op, Box::new(part))))
            }
            Node::Agents { all, name, types, body } => self.below(body, positive, &|part| {
                let (all, name, types) = (*all, name.clone(), types.clone());
                again(Node::Agents { all, name, types, body: Box::new(part) })
            }),
            Node::Admitted { all, body } => {
                self.below(body, positive, &|part| again(Node::Admitted { all: *all, body: Box::new(part) }))
            }
            Node::Binary(op, a, b) if is_monotone(*op) => {
                let first = self.part(a, positive != (*op == Op::Implies), &|part| {
                    again(Node::Binary(*op, Box::new(part), b.clone()))
                });
                let second =
                    self.part(b, positive, &|part| again(Node::Binary(*op, a.clone(), Box::new(part))));
                first.into_iter().chain(second).collect()
            }
            Node::Observe { necessary, seen, then } => {
                let necessary = *necessary;
                let first = self.part(seen, positive != necessary, &|part| {
                    again(Node::Observe { necessary, seen: Box::new(part), then: then.clone() })
                });
                let second = self.part(then, positive, &|part| {
                    again(Node::Observe { necessary, seen: seen.clone(), then: Box::new(part) })
                });
                first.into_iter().chain(second).collect()
            }
            _ => vec![],
        }
    }

    fn part(&mut self, e: &Expr, positive: bool, around: Around<'_>) -> Option<Replaced> {
        if matches!(e.node, Node::Bool(_)) {
            return None;
        }
        let (by, spec) = (!positive, self.checker.spec.specs.len());
        let formula = around(Expr { node: Node::Bool(by), span: e.span });
        self.checker.written = 0;
        let name = format!("part{}", spec + 1);
        let fits = spec < MOST;
        let made = fits.then(|| self.checker.specification(self.spec, &formula, name)).flatten();
        let Some(made) = made else {
            self.left_off += 1;
            return None;
        };
        self.checker.spec.specs.push(made);
        let parts = self.below(e, positive, around);
        Some(Replaced { span: e.span, by, spec, parts })
    }
}

/// Whether an operator is monotone in its right operand, and monotone or antitone in its left one.
fn is_monotone(op: Op) -> bool {
    matches!(op, Op::And | Op::Or | Op::Implies | Op::Until | Op::Release | Op::WeakUntil)
}
