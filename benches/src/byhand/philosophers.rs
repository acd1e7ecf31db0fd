//! `examples/philosophers/philosophers.labs`, by hand.
//!
//! The locations of all philosophers are the whole state: forks and hands follow from them. A location is a number from 0
//! to 7; a state holds its three bits in three groups of `n` bits, so that forks are looked at for everybody at once.

use super::search::ByHand;

/// The model.
pub struct Philosophers {
    size: u32,
}

impl Philosophers {
    /// The most philosophers that 32 bits have room for; one bit stays free.
    pub const MOST: usize = 10;

    /// So many philosophers, from 2 to `MOST`.
    pub fn new(size: usize) -> Option<Philosophers> {
        (2..=Self::MOST).contains(&size).then_some(Philosophers { size: size as u32 })
    }

    /// Everybody gets the bit of their left neighbour: bit `i` that of `i - 1`.
    fn of_left(&self, bits: u32, everybody: u32) -> u32 {
        (bits << 1 | bits >> (self.size - 1)) & everybody
    }

    /// Everybody gets the bit of their right neighbour: bit `i` that of `i + 1`.
    fn of_right(&self, bits: u32, everybody: u32) -> u32 {
        (bits >> 1 | bits << (self.size - 1)) & everybody
    }
}

impl ByHand for Philosophers {
    type State = u32;
    type Key = u32;

    fn key(&self, state: u32) -> u32 {
        state
    }

    fn initial(&self, found: &mut impl FnMut(u32)) {
        found(0);
    }

    #[inline(always)]
    fn successors(&self, state: u32, found: &mut impl FnMut(u32)) {
        let n = self.size;
        let everybody = (1 << n) - 1;
        let (low, middle, high) = (state & everybody, state >> n & everybody, state >> (2 * n));
        // The first fork is taken by the step from location 0 and put back by the one from 6, the second by those from
        // 2 and 4.
        let at_first = !(low | middle | high) & everybody;
        let at_second = middle & !low & !high;
        let has_first = (low | middle | high) & !(low & middle & high);
        let has_second = low & middle & !high | high & !middle & !low;
        let blocked =
            at_first & self.of_left(has_second, everybody) | at_second & self.of_right(has_first, everybody);
        let mut ready = everybody & !blocked;
        while ready != 0 {
            let one = ready & ready.wrapping_neg();
            ready ^= one;
            // The next location: bits flip as far as the carry goes.
            found(state ^ (one | (one & low) << n | (one & low & middle) << (2 * n)));
        }
    }

    /// Somebody holds two forks: `hands` is 2 after the step from location 3 until that from 5.
    fn goal(&self, state: u32) -> bool {
        let n = self.size;
        let everybody = (1 << n) - 1;
        state >> (2 * n) & !(state >> n) & everybody != 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use super::super::tests::{Expected, check};
    use super::*;

    #[test]
    fn counts_are_those_of_the_tables() {
        let found = check(&Philosophers::new(6).unwrap(), Expected::of(Model::Philosophers(6)));
        // Nobody will ever eat again exactly if everybody has the first fork and nobody the second: locations 1 and 2.
        assert_eq!(found.lost, Some(1 << 6));
    }
}
