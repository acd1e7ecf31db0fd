//! Formulas of linear time (LTL).
//!
//! * [`automaton`]: the executions that satisfy a formula, as a Büchi automaton.
//! * [`deterministic`]: the same as a deterministic Rabin automaton, for probabilities.
//! * [`explain`]: which part of a formula an execution violates, and where.
//! * [`lasso`]: whether a lasso satisfies a formula, from the definition.
//! * [`prefix`]: whether the first states of an execution violate a formula, whatever follows.
//! * [`progress`]: a formula along a run, until the run decides it.
//! * [`trivial`]: what makes a formula true without saying much.

pub mod automaton;
mod bits;
pub mod deterministic;
pub mod explain;
mod kleene;
pub mod lasso;
pub mod prefix;
pub mod progress;
#[cfg(test)]
mod tests;
pub mod trivial;

use swarmcheck_ir::Linear;

/// An atom or its negation.
pub type Literal = (usize, bool);

/// Negations moved down to the atoms; the whole formula is negated first if `negated`.
pub fn positive(formula: &Linear<usize>, negated: bool) -> Linear<Literal> {
    let inner = |f: &Linear<usize>| positive(f, negated);
    let all = |parts: &[Linear<usize>]| parts.iter().map(inner).collect::<Vec<_>>();
    match formula {
        Linear::Atom(a) => Linear::Atom((*a, !negated)),
        Linear::Not(a) => positive(a, !negated),
        Linear::And(parts) if negated => Linear::Or(all(parts)),
        Linear::And(parts) => Linear::And(all(parts)),
        Linear::Or(parts) if negated => Linear::And(all(parts)),
        Linear::Or(parts) => Linear::Or(all(parts)),
        Linear::Next(a) => Linear::next(inner(a)),
        Linear::Until(a, b) if negated => Linear::release(inner(a), inner(b)),
        Linear::Until(a, b) => Linear::until(inner(a), inner(b)),
        Linear::Release(a, b) if negated => Linear::until(inner(a), inner(b)),
        Linear::Release(a, b) => Linear::release(inner(a), inner(b)),
    }
}
