//! Formulas of linear temporal logic over any atoms. What they mean is said in the `logic` crate.

pub mod merge;
pub mod simple;
pub mod words;

/// A formula.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Linear<A> {
    /// A condition on the current state.
    Atom(A),
    /// Negation.
    Not(Box<Linear<A>>),
    /// All of them; true if there is none.
    And(Vec<Linear<A>>),
    /// One of them; false if there is none.
    Or(Vec<Linear<A>>),
    /// X: after the next step.
    Next(Box<Linear<A>>),
    /// φ U ψ: ψ at some point, and φ at all points before.
    Until(Box<Linear<A>>, Box<Linear<A>>),
    /// φ R ψ: ψ at all points up to, and including, the first at which φ holds; forever if there is none.
    Release(Box<Linear<A>>, Box<Linear<A>>),
}

impl<A> Linear<A> {
    /// Always true.
    pub fn truth() -> Linear<A> {
        Linear::And(vec![])
    }

    /// Never true.
    pub fn falsity() -> Linear<A> {
        Linear::Or(vec![])
    }

    /// ¬φ.
    #[allow(clippy::should_implement_trait)]
    pub fn not(formula: Linear<A>) -> Linear<A> {
        Linear::Not(Box::new(formula))
    }

    /// X φ.
    pub fn next(formula: Linear<A>) -> Linear<A> {
        Linear::Next(Box::new(formula))
    }

    /// φ U ψ.
    pub fn until(first: Linear<A>, second: Linear<A>) -> Linear<A> {
        Linear::Until(Box::new(first), Box::new(second))
    }

    /// φ R ψ.
    pub fn release(first: Linear<A>, second: Linear<A>) -> Linear<A> {
        Linear::Release(Box::new(first), Box::new(second))
    }

    /// F φ.
    pub fn finally(formula: Linear<A>) -> Linear<A> {
        Linear::until(Linear::truth(), formula)
    }

    /// G φ.
    pub fn globally(formula: Linear<A>) -> Linear<A> {
        Linear::release(Linear::falsity(), formula)
    }

    /// How many operators and atoms it has.
    pub fn size(&self) -> usize {
        1 + match self {
            Linear::Atom(_) => 0,
            Linear::Not(a) | Linear::Next(a) => a.size(),
            Linear::And(parts) | Linear::Or(parts) => parts.iter().map(Linear::size).sum(),
            Linear::Until(a, b) | Linear::Release(a, b) => a.size() + b.size(),
        }
    }

    /// Its atoms, from left to right.
    pub fn atoms<'a>(&'a self, out: &mut Vec<&'a A>) {
        match self {
            Linear::Atom(a) => out.push(a),
            Linear::Not(a) | Linear::Next(a) => a.atoms(out),
            Linear::And(parts) | Linear::Or(parts) => parts.iter().for_each(|p| p.atoms(out)),
            Linear::Until(a, b) | Linear::Release(a, b) => {
                a.atoms(out);
                b.atoms(out);
            }
        }
    }

    /// The same formula over other atoms.
    pub fn map<B>(&self, atom: &mut dyn FnMut(&A) -> B) -> Linear<B> {
        match self {
            Linear::Atom(a) => Linear::Atom(atom(a)),
            Linear::Not(a) => Linear::not(a.map(atom)),
            Linear::And(parts) => Linear::And(parts.iter().map(|p| p.map(atom)).collect()),
            Linear::Or(parts) => Linear::Or(parts.iter().map(|p| p.map(atom)).collect()),
            Linear::Next(a) => Linear::next(a.map(atom)),
            Linear::Until(a, b) => Linear::until(a.map(atom), b.map(atom)),
            Linear::Release(a, b) => Linear::release(a.map(atom), b.map(atom)),
        }
    }
}
