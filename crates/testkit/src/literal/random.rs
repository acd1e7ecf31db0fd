//! Random formulas, and their text in the words of a language.

use super::Formula;
use swarmcheck_simulate::Rng;

/// The words that a language has for the operators.
#[derive(Clone, Copy)]
pub struct Dialect {
    pub not: &'static [&'static str],
    pub and: &'static [&'static str],
    pub or: &'static [&'static str],
    pub implies: &'static [&'static str],
    pub next: &'static [&'static str],
    pub finally: &'static [&'static str],
    pub globally: &'static [&'static str],
    pub until: &'static [&'static str],
    pub release: &'static [&'static str],
    pub unless: &'static [&'static str],
}

impl Dialect {
    /// The words for temporal operators that all languages know, with the words of one language for the others.
    pub const fn with(
        not: &'static [&'static str],
        and: &'static [&'static str],
        or: &'static [&'static str],
        implies: &'static [&'static str],
    ) -> Dialect {
        Dialect {
            not,
            and,
            or,
            implies,
            next: &["X", "next"],
            finally: &["F", "<>"],
            globally: &["G", "[]"],
            until: &["U", "until"],
            release: &["R", "release"],
            unless: &["W", "unless"],
        }
    }
}

/// Random choices that depend on a seed only.
pub struct Draw(Rng);

impl Draw {
    pub fn new(seed: u64) -> Draw {
        Draw(Rng::for_run(0x117, seed))
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0.below(n as u64) as usize
    }

    pub fn one<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }

    /// A formula of at most this depth with at most so many temporal operators.
    pub fn formula<A>(
        &mut self,
        depth: usize,
        temporal: usize,
        atom: &mut dyn FnMut(&mut Draw) -> Formula<A>,
    ) -> Formula<A> {
        let mut left = temporal;
        // Formulas without temporal operators speak of the first moment only.
        match (temporal > 0).then(|| self.below(6)) {
            Some(0 | 1) => {
                left -= 1;
                Formula::Globally(Box::new(self.inner(depth, &mut left, atom)))
            }
            Some(2) => {
                left -= 1;
                Formula::Finally(Box::new(self.inner(depth, &mut left, atom)))
            }
            _ => self.inner(depth, &mut left, atom),
        }
    }

    fn inner<A>(
        &mut self,
        depth: usize,
        left: &mut usize,
        atom: &mut dyn FnMut(&mut Draw) -> Formula<A>,
    ) -> Formula<A> {
        if depth == 0 || self.below(8) == 0 {
            return atom(self);
        }
        let mut shape = self.below(16);
        if shape >= 6 {
            match *left {
                0 => shape = self.below(6),
                _ => *left -= 1,
            }
        }
        let mut part = |draw: &mut Draw| draw.inner(depth - 1, left, atom);
        let mut boxed = |draw: &mut Draw| Box::new(part(draw));
        match shape {
            0 | 1 => Formula::Not(boxed(self)),
            2 => {
                let count = 2 + self.below(2);
                Formula::And((0..count).map(|_| part(self)).collect())
            }
            3 => {
                let count = 2 + self.below(2);
                Formula::Or((0..count).map(|_| part(self)).collect())
            }
            4 | 5 => Formula::Implies(boxed(self), boxed(self)),
            6 | 7 => Formula::Next(boxed(self)),
            8 | 9 => Formula::Finally(boxed(self)),
            10 | 11 => Formula::Globally(boxed(self)),
            12 | 13 => Formula::Until(boxed(self), boxed(self)),
            14 => Formula::Release(boxed(self), boxed(self)),
            _ => Formula::Unless(boxed(self), boxed(self)),
        }
    }

    /// The formula as text, each operator in one of its spellings. Operands of operators with several operands stand in
    /// parentheses.
    pub fn text<A>(
        &mut self,
        formula: &Formula<A>,
        dialect: &Dialect,
        atom: &mut dyn FnMut(&mut Draw, &A) -> String,
    ) -> String {
        let unary = match formula {
            Formula::Not(a) => Some((dialect.not, a)),
            Formula::Next(a) => Some((dialect.next, a)),
            Formula::Finally(a) => Some((dialect.finally, a)),
            Formula::Globally(a) => Some((dialect.globally, a)),
            _ => None,
        };
        if let Some((words, inner)) = unary {
            let bare = matches!(
                **inner,
                Formula::Not(_) | Formula::Next(_) | Formula::Finally(_) | Formula::Globally(_)
            );
            let (word, text) = (self.one(words), self.text(inner, dialect, atom));
            return if bare && self.below(3) > 0 {
                format!("{word} {text}")
            } else {
                format!("{word} ({text})")
            };
        }
        let words = match formula {
            Formula::Atom(a) => return atom(self, a),
            Formula::And(_) => dialect.and,
            Formula::Or(_) => dialect.or,
            Formula::Implies(..) => dialect.implies,
            Formula::Until(..) => dialect.until,
            Formula::Release(..) => dialect.release,
            _ => dialect.unless,
        };
        let parts: Vec<String> =
            formula.parts().into_iter().map(|part| format!("({})", self.text(part, dialect, atom))).collect();
        parts.join(&format!(" {} ", self.one(words)))
    }
}
