//! Formulas of linear temporal logic with every operator as it is written. Nothing is expressed by something else.

/// A formula over atoms that moments satisfy or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula<A> {
    Atom(A),
    Not(Box<Formula<A>>),
    And(Vec<Formula<A>>),
    Or(Vec<Formula<A>>),
    Implies(Box<Formula<A>>, Box<Formula<A>>),
    /// X φ: at the next moment.
    Next(Box<Formula<A>>),
    /// F φ: now or later.
    Finally(Box<Formula<A>>),
    /// G φ: now and always from now on.
    Globally(Box<Formula<A>>),
    /// φ U ψ: ψ now or later, and φ until then.
    Until(Box<Formula<A>>, Box<Formula<A>>),
    /// φ R ψ: ψ up to and including the first moment with φ; always if there is none.
    Release(Box<Formula<A>>, Box<Formula<A>>),
    /// φ W ψ: φ until ψ, or always if ψ never comes.
    Unless(Box<Formula<A>>, Box<Formula<A>>),
}

impl<A> Formula<A> {
    /// Its direct parts.
    pub fn parts(&self) -> Vec<&Formula<A>> {
        match self {
            Formula::Atom(_) => vec![],
            Formula::Not(a) | Formula::Next(a) | Formula::Finally(a) | Formula::Globally(a) => vec![a],
            Formula::And(parts) | Formula::Or(parts) => parts.iter().collect(),
            Formula::Implies(a, b)
            | Formula::Until(a, b)
            | Formula::Release(a, b)
            | Formula::Unless(a, b) => vec![a, b],
        }
    }

    /// Whether it is true or false at a moment depending on what comes later.
    pub fn looks_ahead(&self) -> bool {
        matches!(
            self,
            Formula::Next(_)
                | Formula::Finally(_)
                | Formula::Globally(_)
                | Formula::Until(..)
                | Formula::Release(..)
                | Formula::Unless(..)
        )
    }

    /// How many temporal operators it has.
    pub fn temporal(&self) -> usize {
        usize::from(self.looks_ahead()) + self.parts().into_iter().map(Formula::temporal).sum::<usize>()
    }

    /// Its atoms, from left to right.
    pub fn atoms(&self) -> Vec<&A> {
        match self {
            Formula::Atom(atom) => vec![atom],
            other => other.parts().into_iter().flat_map(Formula::atoms).collect(),
        }
    }

    /// The same formula over other atoms, or over formulas in their places.
    pub fn replace<B>(&self, by: &mut dyn FnMut(&A) -> Formula<B>) -> Formula<B> {
        let mut all = |parts: &[Formula<A>]| parts.iter().map(|part| part.replace(by)).collect();
        match self {
            Formula::And(parts) => return Formula::And(all(parts)),
            Formula::Or(parts) => return Formula::Or(all(parts)),
            _ => {}
        }
        let mut one = |part: &Formula<A>| Box::new(part.replace(by));
        match self {
            Formula::Atom(atom) => by(atom),
            Formula::Not(a) => Formula::Not(one(a)),
            Formula::Next(a) => Formula::Next(one(a)),
            Formula::Finally(a) => Formula::Finally(one(a)),
            Formula::Globally(a) => Formula::Globally(one(a)),
            Formula::Implies(a, b) => Formula::Implies(one(a), one(b)),
            Formula::Until(a, b) => Formula::Until(one(a), one(b)),
            Formula::Release(a, b) => Formula::Release(one(a), one(b)),
            Formula::Unless(a, b) => Formula::Unless(one(a), one(b)),
            Formula::And(_) | Formula::Or(_) => unreachable!("see above"),
        }
    }

    /// ¬φ.
    #[allow(clippy::should_implement_trait)]
    pub fn not(self) -> Formula<A> {
        Formula::Not(Box::new(self))
    }
}
