//! What the first states of an execution say about a formula, whatever follows: a bad prefix (O. Kupferman and M. Y. Vardi,
//! "Model checking of safety properties", 2001).
//!
//! Every subformula is true, false or open at every position, after Kleene; everything is open after the last position, except
//! what is the same everywhere because nobody is asked (`G true`, from a quantifier over no agents). So a formula that is
//! false at the first position is false in every execution that begins so. Prefixes that are bad for a reason
//! that a formula does not show (`F p ∧ G ¬p` is false everywhere) are not recognised.

use super::kleene::{Truth, and, not, or};
use swarmcheck_ir::Linear;

/// Whether no execution that begins with these positions satisfies the formula. `truth(atom, position)` is asked for
/// positions below `length`.
pub fn is_bad(formula: &Linear<usize>, length: usize, truth: &dyn Fn(usize, usize) -> bool) -> bool {
    Prefix { length, truth }.at_all(formula).first() == Some(&Some(false))
}

struct Prefix<'a> {
    length: usize,
    truth: &'a dyn Fn(usize, usize) -> bool,
}

impl Prefix<'_> {
    /// What is known of a formula at each position.
    fn at_all(&self, formula: &Linear<usize>) -> Vec<Truth> {
        let positions = 0..self.length;
        let joined = |parts: &[Linear<usize>], unit: bool, join: fn(Truth, Truth) -> Truth| {
            let mut all = vec![Some(unit); self.length];
            for part in parts {
                all = all.into_iter().zip(self.at_all(part)).map(|(a, b)| join(a, b)).collect();
            }
            all
        };
        match formula {
            Linear::Atom(a) => positions.map(|at| Some((self.truth)(*a, at))).collect(),
            Linear::Not(a) => self.at_all(a).into_iter().map(not).collect(),
            Linear::And(parts) => joined(parts, true, and),
            Linear::Or(parts) => joined(parts, false, or),
            Linear::Next(a) => {
                self.at_all(a).into_iter().skip(1).chain([constant(a)]).take(self.length).collect()
            }
            // φ U ψ is ψ ∨ (φ ∧ X(φ U ψ)), and φ R ψ is ψ ∧ (φ ∨ X(φ R ψ)): from the last position to the first.
            Linear::Until(a, b) => {
                self.backwards(a, b, constant(formula), |a, b, after| or(b, and(a, after)))
            }
            Linear::Release(a, b) => {
                self.backwards(a, b, constant(formula), |a, b, after| and(b, or(a, after)))
            }
        }
    }

    fn backwards(
        &self,
        a: &Linear<usize>,
        b: &Linear<usize>,
        mut after: Truth,
        here: fn(Truth, Truth, Truth) -> Truth,
    ) -> Vec<Truth> {
        let (a, b) = (self.at_all(a), self.at_all(b));
        let mut out = vec![None; self.length];
        for at in (0..self.length).rev() {
            after = here(a[at], b[at], after);
            out[at] = after;
        }
        out
    }
}

/// The truth of a formula that is the same at every position of every execution, as far as its form shows that.
fn constant(formula: &Linear<usize>) -> Truth {
    match formula {
        Linear::Atom(_) => None,
        Linear::Not(a) => not(constant(a)),
        Linear::And(parts) => parts.iter().map(constant).reduce(and).unwrap_or(Some(true)),
        Linear::Or(parts) => parts.iter().map(constant).reduce(or).unwrap_or(Some(false)),
        Linear::Next(a) => constant(a),
        // What is to come in the end, or to hold until then, decides if it is the same everywhere.
        Linear::Until(_, b) | Linear::Release(_, b) => constant(b),
    }
}
