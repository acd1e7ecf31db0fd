//! A calculus as its rules have it: terms, and the labelled steps of each. Nothing here knows triples or programs.

/// The rules of a calculus for one specification.
pub trait Rules {
    /// A state of the system, as a term.
    type Term: Clone + Ord;

    /// The term that the system starts as.
    fn start(&self) -> Self::Term;

    /// All steps of a term: their labels, and what becomes of it.
    fn steps(&self, term: &Self::Term) -> Vec<(String, Self::Term)>;

    /// Whether a step with this label is that of a system at its end, which rests: it is no action, and claims about actions
    /// do not read it.
    fn rests(&self, label: &str) -> bool {
        let _ = label;
        false
    }

    /// The processes that a step between two terms moved for certain, counted from left to right as agents are; none if that
    /// cannot be said.
    fn moved(&self, before: &Self::Term, after: &Self::Term) -> Option<Vec<u32>> {
        let _ = (before, after);
        None
    }

    /// Whether some action can be performed.
    fn acts(&self, term: &Self::Term) -> bool {
        self.steps(term).iter().any(|(label, _)| !self.rests(label))
    }
}
