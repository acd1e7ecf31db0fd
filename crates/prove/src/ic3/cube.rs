//! Sets of states given by values of some latches.

use swarmcheck_aig::{Lit, System};

/// A latch and its value: twice the latch's number, plus one if the value is false.
pub(super) type Literal = u32;

/// A latch with a value.
#[inline]
pub(super) fn literal(latch: usize, value: bool) -> Literal {
    (latch as u32) << 1 | u32::from(!value)
}

/// The index of its latch.
#[inline]
pub(super) fn latch(literal: Literal) -> usize {
    (literal >> 1) as usize
}

/// The value that it demands of the latch.
#[inline]
pub(super) fn wanted(literal: Literal) -> bool {
    literal & 1 == 0
}

/// The states in which some latches have given values. Literals ascend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cube {
    pub literals: Vec<Literal>,
    /// One bit per literal, modulo 64: a subset has no bit that its superset lacks.
    signature: u64,
}

impl Cube {
    pub fn new(mut literals: Vec<Literal>) -> Cube {
        literals.sort_unstable();
        literals.dedup();
        let signature = literals.iter().fold(0, |bits, l| bits | 1u64 << (l % 64));
        Cube { literals, signature }
    }

    /// Whether every state of `other` is in this cube.
    pub fn contains(&self, other: &Cube) -> bool {
        if self.literals.len() > other.literals.len() || self.signature & !other.signature != 0 {
            return false;
        }
        let mut rest = other.literals.iter();
        self.literals.iter().all(|wanted| rest.any(|l| l == wanted))
    }

    /// Whether a state is in this cube.
    pub fn has(&self, state: &[bool]) -> bool {
        self.literals.iter().all(|&l| state[latch(l)] == wanted(l))
    }

    pub fn without(&self, literal: Literal) -> Cube {
        Cube::new(self.literals.iter().copied().filter(|&l| l != literal).collect())
    }

    /// Everything outside, as a clause over the system's latches.
    pub fn clause(&self, system: &System) -> Vec<Lit> {
        self.literals.iter().map(|&l| system.latches[latch(l)].variable.negate_if(wanted(l))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containment_is_the_subset_of_literals() {
        let cube =
            |latches: &[(usize, bool)]| Cube::new(latches.iter().map(|&(l, v)| literal(l, v)).collect());
        let small = cube(&[(70, true), (3, false)]);
        let large = cube(&[(1, true), (3, false), (70, true)]);
        assert!(small.contains(&large) && !large.contains(&small) && small.contains(&small));
        // Latch 35 false and latch 67 false have the same bit in the signature.
        assert!(!cube(&[(35, false)]).contains(&cube(&[(67, false)])));
        assert_eq!(large.without(literal(1, true)), small);
        let mut state = vec![false; 71];
        state[70] = true;
        assert!(small.has(&state) && !large.has(&state));
    }
}
