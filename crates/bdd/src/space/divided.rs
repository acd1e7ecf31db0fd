//! Operations on large sets in many small pieces.
//!
//! The library does not stop in the middle of an operation, and one on large sets may take minutes. So the first variables
//! are decided here, and what is left are smaller operations; between two of them it is looked whether to stop. How many
//! variables are decided depends on how long the pieces before took: as many as make most pieces short. The result is the
//! same for any number, since the diagram of a set is unique.

use super::{Failure, Renaming, Set, Space};
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, FunctionSubst};

/// What is done with two sets.
#[derive(Clone, Copy)]
pub(super) enum Pair {
    And,
    Or,
    Minus,
    Iff,
}

/// A piece is long if it takes more than so many seconds, or makes more than so many nodes.
const SECONDS: f64 = 0.02;
const NODES: usize = 1 << 16;
/// With fewer nodes than this the clock is not looked at: how many nodes are in use then does not depend on it.
const MANY: usize = 1 << 19;
/// At most so many variables are decided one by one. Every piece costs a little, however small it is.
const DEEPEST: usize = 14;

impl Space<'_> {
    /// Does something in pieces.
    fn pieces(&self, work: impl FnOnce(usize) -> Result<Set, Failure>) -> Result<Set, Failure> {
        self.longest.set((0.0, 0));
        let depth = self.depth.get();
        let made = work(depth);
        let (seconds, nodes) = self.longest.get();
        if seconds > SECONDS || nodes > NODES {
            self.depth.set((depth + 2).min(DEEPEST));
        } else if seconds < SECONDS / 8.0 && nodes < NODES / 8 {
            self.depth.set(depth.saturating_sub(1));
        }
        made
    }

    /// Does one piece, and takes note of how long it was.
    fn piece(
        &self,
        operation: impl Fn() -> oxidd::util::AllocResult<super::BCDDFunction>,
    ) -> Result<Set, Failure> {
        let before = self.nodes();
        let clock = self.limits.seconds.filter(|_| before > MANY);
        let seconds = || clock.map_or(0.0, |seconds| seconds());
        let began = seconds();
        let made = self.make(operation);
        let (time, nodes) = self.longest.get();
        let grown = self.nodes().saturating_sub(before);
        self.longest.set((time.max(seconds() - began), nodes.max(grown)));
        made
    }

    /// An operation on two sets.
    pub(super) fn pair(&self, operation: Pair, a: &Set, b: &Set) -> Result<Set, Failure> {
        self.pieces(|depth| self.divided_pair(operation, a, b, depth))
    }

    pub(super) fn divided_pair(
        &self,
        operation: Pair,
        a: &Set,
        b: &Set,
        depth: usize,
    ) -> Result<Set, Failure> {
        let (Some(top_a), Some(top_b), 1..) = (a.top(), b.top(), depth) else {
            return self.piece(|| match operation {
                Pair::And => a.0.and(&b.0),
                Pair::Or => a.0.or(&b.0),
                Pair::Minus => b.0.imp_strict(&a.0),
                Pair::Iff => a.0.equiv(&b.0),
            });
        };
        let top = top_a.min(top_b);
        let ((a, other_a), (b, other_b)) = (a.decided(top), b.decided(top));
        let high = self.divided_pair(operation, &a, &b, depth - 1)?;
        let low = self.divided_pair(operation, &other_a, &other_b, depth - 1)?;
        self.decide(top, &high, &low)
    }

    /// What is in both for some values of these variables.
    pub(super) fn in_both_for_some(&self, a: &Set, b: &Set, variables: &Set) -> Result<Set, Failure> {
        self.pieces(|depth| self.divided(a, b, variables, depth))
    }

    pub(super) fn divided(&self, a: &Set, b: &Set, variables: &Set, depth: usize) -> Result<Set, Failure> {
        let top = [a.top(), b.top()].into_iter().flatten().min();
        let Some(top) = top.filter(|_| depth > 0 && !a.is_empty() && !b.is_empty()) else {
            return self.piece(|| a.0.apply_exists(BooleanOperator::And, &b.0, &variables.0));
        };
        let mut variables = variables.clone();
        let mut hidden = false;
        while let Some(first) = variables.top().filter(|first| *first <= top) {
            hidden = first == top;
            variables = variables.decided(first).0;
        }
        let ((a, other_a), (b, other_b)) = (a.decided(top), b.decided(top));
        let high = self.divided(&a, &b, &variables, depth - 1)?;
        let low = self.divided(&other_a, &other_b, &variables, depth - 1)?;
        if hidden {
            return self.divided_pair(Pair::Or, &high, &low, depth - 1);
        }
        self.decide(top, &high, &low)
    }

    /// The set with other variables.
    pub(super) fn renamed(&self, a: &Set, renaming: &Renaming) -> Result<Set, Failure> {
        self.pieces(|depth| self.divided_renaming(a, renaming, depth))
    }

    pub(super) fn divided_renaming(
        &self,
        a: &Set,
        renaming: &Renaming,
        depth: usize,
    ) -> Result<Set, Failure> {
        let Some(top) = a.top().filter(|_| depth > 0) else {
            return self.piece(|| a.0.substitute(&renaming.substitution));
        };
        let (high, low) = a.decided(top);
        let high = self.divided_renaming(&high, renaming, depth - 1)?;
        let low = self.divided_renaming(&low, renaming, depth - 1)?;
        self.decide(renaming.becomes.get(&top).copied().unwrap_or(top), &high, &low)
    }

    /// The first set where a variable is true, the second where it is false.
    fn decide(&self, variable: u32, high: &Set, low: &Set) -> Result<Set, Failure> {
        if high == low {
            return Ok(high.clone());
        }
        let variable = self.variable(variable)?;
        self.make(|| variable.0.ite(&high.0, &low.0))
    }
}
