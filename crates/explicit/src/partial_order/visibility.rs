//! What to look at to know that a step changes no condition.

use super::conflict::{Conflict, Conflicts};
use swarmcheck_ir::ground::{Term, Touched, is_safe, parts, reads};
use swarmcheck_ir::{BinaryOp, UnaryOp};

/// As many as there are bits in a word.
const MOST: usize = 64;

/// Enough for no condition to change.
#[derive(Default)]
pub(super) struct Invisible {
    /// These conditions have the same truth after the step as before.
    pub watched: Vec<Term>,
    /// These slots have the same value after the step as before.
    pub still: Vec<u32>,
}

/// What must not change when an instance is run.
pub(super) fn invisible(
    conditions: &[Term],
    conflicts: &Conflicts<'_>,
    conflict: &Conflict,
    touched: &Touched,
) -> Invisible {
    let width = conflicts.width();
    let mut out = Invisible::default();
    let mut search = Search { conflicts, conflict, touched, width, out: &mut out };
    conditions.iter().for_each(|c| search.term(c, true));
    out.still.sort_unstable();
    out.still.dedup();
    // What reads only slots that stay as they are need not be watched.
    let still = std::mem::take(&mut out.still);
    let is_still = |slot: &u32| !touched.writes.contains(slot) || still.contains(slot);
    out.watched.retain(|term| !reads(term, width).iter().all(is_still));
    Invisible { still, ..out }
}

struct Search<'a> {
    conflicts: &'a Conflicts<'a>,
    conflict: &'a Conflict,
    touched: &'a Touched,
    width: usize,
    out: &'a mut Invisible,
}

impl Search<'_> {
    /// If all parts of a term keep their values, so does the term; so it is enough to look at parts. The larger they are
    /// the more can change inside, but a part can only be watched if it is a condition and reads nothing that others
    /// may change meanwhile.
    fn term(&mut self, term: &Term, is_condition: bool) {
        let read = reads(term, self.width);
        let changed = |slot: &&u32| self.touched.writes.binary_search(slot).is_ok();
        if !read.iter().any(|slot| changed(&slot)) {
            return;
        }
        let calm = || read.iter().all(|&slot| self.conflicts.is_calm(slot, self.conflict));
        if is_condition && calm() {
            if self.out.watched.contains(term) {
                return;
            }
            if self.out.watched.len() < MOST {
                return self.out.watched.push(term.clone());
            }
        } else if !parts(term).is_empty() {
            if let Some((together, others)) = self.split(term) {
                self.term(&together, true);
                return others.into_iter().for_each(|part| self.term(part, true));
            }
            for (at, part) in parts(term).into_iter().enumerate() {
                self.term(part, is_condition_at(term, at, is_condition));
            }
            return;
        }
        self.out.still.extend(read.iter().filter(changed));
    }

    /// Of a junction none of whose parts can fault, so that their order does not matter: those parts that read only what
    /// nobody else changes, as one condition, and the other parts. Quantifiers over agents become such junctions, and
    /// what is said about one agent is more often unchanged as a whole than part by part. `None` if there are not at least
    /// two of the former, and one of the latter.
    fn split<'t>(&self, term: &'t Term) -> Option<(Term, Vec<&'t Term>)> {
        let (Term::And(all) | Term::Or(all)) = term else { return None };
        if !all.iter().all(is_safe) {
            return None;
        }
        let is_calm = |part: &&Term| {
            reads(part, self.width).iter().all(|&slot| self.conflicts.is_calm(slot, self.conflict))
        };
        let (calm, others): (Vec<&Term>, Vec<&Term>) = all.iter().partition(is_calm);
        if calm.len() < 2 || others.is_empty() {
            return None;
        }
        // Unrolling says the same again for each of the other agents.
        let mut once: Vec<Term> = vec![];
        for part in calm {
            if once.len() > MOST || !once.contains(part) {
                once.push(part.clone());
            }
        }
        let calm = once.into();
        let together = if matches!(term, Term::And(_)) { Term::And(calm) } else { Term::Or(calm) };
        Some((together, others))
    }
}

/// Whether a part of a term is a condition.
fn is_condition_at(term: &Term, part: usize, is_condition: bool) -> bool {
    match term {
        Term::And(_) | Term::Or(_) | Term::Count(_) => true,
        Term::Unary(UnaryOp::Not, _) | Term::Binary(BinaryOp::And | BinaryOp::Or, ..) => true,
        Term::If(_) => part == 0 || is_condition,
        _ => false,
    }
}
