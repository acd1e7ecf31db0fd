//! The meaning of a formula on a lasso (a prefix and a loop that repeats), straight from the definition: every subformula
//! is evaluated at every position.

use swarmcheck_ir::Linear;

/// Whether an execution satisfies a formula. `truth(atom, position)` is asked for positions below `length`; after the
/// last one, the execution goes on at position `back`.
pub fn satisfies(
    formula: &Linear<usize>,
    length: usize,
    back: usize,
    truth: &dyn Fn(usize, usize) -> bool,
) -> bool {
    let lasso = Lasso { length, back, truth };
    lasso.at_all(formula).first().copied().unwrap_or(false)
}

struct Lasso<'a> {
    length: usize,
    back: usize,
    truth: &'a dyn Fn(usize, usize) -> bool,
}

impl Lasso<'_> {
    fn after(&self, position: usize) -> usize {
        if position + 1 < self.length { position + 1 } else { self.back }
    }

    /// The truth of a formula at each position.
    fn at_all(&self, formula: &Linear<usize>) -> Vec<bool> {
        let positions = 0..self.length;
        let part = |parts: &[Linear<usize>]| parts.iter().map(|p| self.at_all(p)).collect::<Vec<_>>();
        match formula {
            Linear::Atom(a) => positions.map(|at| (self.truth)(*a, at)).collect(),
            Linear::Not(a) => self.at_all(a).into_iter().map(|b| !b).collect(),
            Linear::And(parts) => {
                let parts = part(parts);
                positions.map(|at| parts.iter().all(|p| p[at])).collect()
            }
            Linear::Or(parts) => {
                let parts = part(parts);
                positions.map(|at| parts.iter().any(|p| p[at])).collect()
            }
            Linear::Next(a) => {
                let a = self.at_all(a);
                positions.map(|at| a[self.after(at)]).collect()
            }
            // There is a point with ψ, and φ at all points before it: look as far as everything has been seen once.
            Linear::Until(a, b) => {
                let (a, b) = (self.at_all(a), self.at_all(b));
                positions.map(|at| self.until(&a, &b, at)).collect()
            }
            // φ R ψ is ¬(¬φ U ¬ψ).
            Linear::Release(a, b) => {
                let not = |values: Vec<bool>| values.into_iter().map(|v| !v).collect::<Vec<_>>();
                let (a, b) = (not(self.at_all(a)), not(self.at_all(b)));
                positions.map(|at| !self.until(&a, &b, at)).collect()
            }
        }
    }

    fn until(&self, a: &[bool], b: &[bool], from: usize) -> bool {
        let mut at = from;
        for _ in 0..=self.length {
            if b[at] {
                return true;
            }
            if !a[at] {
                return false;
            }
            at = self.after(at);
        }
        false
    }
}
