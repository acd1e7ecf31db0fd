//! A calculus as its rules have it: terms, and the labelled steps of each. Nothing here knows triples or programs.

/// The rules of a calculus for one specification.
pub trait Rules {
    /// A state of the system, as a term.
    type Term: Clone + Ord;

    /// The term that the system starts as.
    fn start(&self) -> Self::Term;

    /// All steps of a term: their labels, and what becomes of it.
    fn steps(&self, term: &Self::Term) -> Vec<(String, Self::Term)>;
}
