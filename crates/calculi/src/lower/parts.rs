//! Formulas with a part replaced by a constant, for vacuity (Kupferman and Vardi, STTT 2003; [`swarmcheck_ir::parts`]).
//!
//! The constant is the one that asks for more: `false`, or `true` below an odd number of negations and premises. All
//! operators are monotone in their operands, but for negations and premises. The only operand of an operator is no part of
//! its own, because replacing it is replacing the whole: F false is false.

use super::letters::Letters;
use crate::linear::Proposition;
use swarmcheck_ir as ir;
use swarmcheck_ir::parts::Part;
use swarmcheck_ir::written::{Written, WrittenNode};
use swarmcheck_ir::{Linear, Modality};

/// More parts than these are counted and not made.
const MOST: usize = 100;

type Formula = Written<Proposition>;

/// Puts a formula in its place in the whole one.
type Around<'a> = &'a dyn Fn(Formula) -> Formula;

/// The parts of a formula.
pub(super) struct Parts<'l> {
    letters: &'l Letters,
    /// The property of the whole formula.
    property: &'l ir::Property,
    made: usize,
    /// There are so many more.
    pub(super) left_off: u32,
}

impl<'l> Parts<'l> {
    pub(super) fn new(letters: &'l Letters, property: &'l ir::Property) -> Parts<'l> {
        Parts { letters, property, made: 0, left_off: 0 }
    }

    /// The parts directly below a formula.
    pub(super) fn below(&mut self, formula: &Formula, positive: bool, around: Around<'_>) -> Vec<Part> {
        type Two = fn(Box<Formula>, Box<Formula>) -> WrittenNode<Proposition>;
        let again = |node| around(Written { span: formula.span, node });
        let (a, b, make): (&Formula, &Formula, Two) = match &formula.node {
            WrittenNode::Not(a) => {
                return self.below(a, !positive, &|part| again(WrittenNode::Not(Box::new(part))));
            }
            WrittenNode::Next(a) => {
                return self.below(a, positive, &|part| again(WrittenNode::Next(Box::new(part))));
            }
            WrittenNode::Finally(a) => {
                return self.below(a, positive, &|part| again(WrittenNode::Finally(Box::new(part))));
            }
            WrittenNode::Globally(a) => {
                return self.below(a, positive, &|part| again(WrittenNode::Globally(Box::new(part))));
            }
            WrittenNode::And(a, b) => (a, b, WrittenNode::And),
            WrittenNode::Or(a, b) => (a, b, WrittenNode::Or),
            WrittenNode::Implies(a, b) => (a, b, WrittenNode::Implies),
            WrittenNode::Until(a, b) => (a, b, WrittenNode::Until),
            WrittenNode::Release(a, b) => (a, b, WrittenNode::Release),
            WrittenNode::WeakUntil(a, b) => (a, b, WrittenNode::WeakUntil),
            _ => return vec![],
        };
        let premise = positive != matches!(formula.node, WrittenNode::Implies(..));
        let first = self.part(a, premise, &|part| again(make(Box::new(part), Box::new(b.clone()))));
        let second = self.part(b, positive, &|part| again(make(Box::new(a.clone()), Box::new(part))));
        first.into_iter().chain(second).collect()
    }

    fn part(&mut self, formula: &Formula, positive: bool, around: Around<'_>) -> Option<Part> {
        let Modality::Linear(linear) = &self.property.modality else { return None };
        if self.made == MOST {
            self.left_off += 1;
            return None;
        }
        self.made += 1;
        let (span, by) = (formula.span, !positive);
        let constant = if by { Linear::truth() } else { Linear::falsity() };
        let replaced = around(Written { span, node: WrittenNode::Seen(constant) }).linear();
        let mut linear = linear.clone();
        linear.formula = Linear::next(self.letters.formula(&replaced));
        let property = ir::Property { modality: Modality::Linear(linear), ..self.property.clone() };
        let parts = self.below(formula, positive, around);
        Some(Part { span, by, property, parts })
    }
}
