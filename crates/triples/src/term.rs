//! Process terms, as much of them as the encoding needs to know.

/// A process term with actions `A` and guards `G`.
#[derive(Clone, Debug)]
pub enum Term<A, G> {
    /// Does nothing, not even end.
    Nil,
    /// One action, then the end.
    Act(A),
    /// One after the other.
    Seq(Vec<Term<A, G>>),
    /// One of them, decided by the first action.
    Choice(Vec<Term<A, G>>),
    /// All of them, interleaved.
    Par(Vec<Term<A, G>>),
    /// All of them, interacting as the composition with this number does; see [`crate::synchronise`].
    Composed(usize, Vec<Term<A, G>>),
    /// The first action also needs the guard.
    Guard(G, Box<Term<A, G>>),
    /// Under `yes` the body; under `no` the action `pass`, which ends it.
    Conditional { yes: G, no: G, pass: A, body: Box<Term<A, G>> },
    /// A definition, by number.
    Call(usize),
}

impl<A, G> Term<A, G> {
    /// The number of a parallel composition whose branches interact.
    pub(crate) fn composition(&self) -> Option<usize> {
        match self {
            Term::Composed(number, _) => Some(*number),
            _ => None,
        }
    }
}

/// Which definitions can end: the least solution, so that a loop without a way out does not.
pub(crate) fn ending<A, G>(definitions: &[Term<A, G>]) -> Vec<bool> {
    let mut known = vec![false; definitions.len()];
    loop {
        let next: Vec<bool> = definitions.iter().map(|d| can_end(d, &known)).collect();
        if next == known {
            return known;
        }
        known = next;
    }
}

fn can_end<A, G>(term: &Term<A, G>, known: &[bool]) -> bool {
    match term {
        Term::Nil => false,
        Term::Act(_) | Term::Conditional { .. } => true,
        Term::Seq(parts) | Term::Par(parts) | Term::Composed(_, parts) => {
            parts.iter().all(|p| can_end(p, known))
        }
        Term::Choice(parts) => parts.iter().any(|p| can_end(p, known)),
        Term::Guard(_, body) => can_end(body, known),
        Term::Call(callee) => known[*callee],
    }
}
