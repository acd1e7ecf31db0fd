//! Random search with backtracking: like an enumeration, but every choice goes through its alternatives in an order of
//! its own: from a random place on, in random strides.
//!
//! Used to find an initial state when assumptions refuse almost all of them. Independent draws would start over each
//! time; backtracking only takes back the last choice, so an assumption that is checked early prunes early.

use crate::rng::Rng;
use swarmcheck_ir::flat::Chooser;

/// A sequence of choices and where each began.
pub(crate) struct Backtrack<'r> {
    rng: &'r mut Rng,
    made: Vec<Choice>,
    position: usize,
}

struct Choice {
    tried: u64,
    of: u64,
    first: u64,
    /// Has no factor in common with `of`, so that all alternatives come up.
    stride: u64,
}

impl<'r> Backtrack<'r> {
    pub(crate) fn new(rng: &'r mut Rng) -> Backtrack<'r> {
        Backtrack { rng, made: vec![], position: 0 }
    }

    /// Moves to the next sequence; `false` when all have been seen. Choices that the last run did not come to are
    /// forgotten first: it failed before them.
    pub(crate) fn advance(&mut self) -> bool {
        self.made.truncate(self.position);
        self.position = 0;
        while let Some(last) = self.made.last_mut() {
            last.tried += 1;
            if last.tried < last.of {
                return true;
            }
            self.made.pop();
        }
        false
    }
}

impl Chooser for Backtrack<'_> {
    fn choose(&mut self, n: u64) -> u64 {
        if self.position == self.made.len() {
            let first = self.rng.below(n);
            let stride = loop {
                let stride = 1 + self.rng.below(n);
                if coprime(stride, n) {
                    break stride;
                }
            };
            self.made.push(Choice { tried: 0, of: n, first, stride });
        }
        self.position += 1;
        let choice = &self.made[self.position - 1];
        let moved = u128::from(choice.tried) * u128::from(choice.stride);
        ((u128::from(choice.first) + moved) % u128::from(choice.of)) as u64
    }
}

fn coprime(mut a: u64, mut b: u64) -> bool {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn sees_every_sequence_once_and_prunes() {
        let mut rng = Rng::new(1);
        let mut search = Backtrack::new(&mut rng);
        let mut seen = BTreeSet::new();
        loop {
            // The second choice is only made after an even first one.
            let first = search.choose(4);
            let second = if first.is_multiple_of(2) { Some(search.choose(3)) } else { None };
            assert!(seen.insert((first, second)));
            if !search.advance() {
                break;
            }
        }
        assert_eq!(seen.len(), 8);
    }
}
