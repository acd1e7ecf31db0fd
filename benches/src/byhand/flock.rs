//! `examples/flock/flock.labs` with three birds, by hand.
//!
//! From low to high: the tuple of directions (16 bits), the places of the birds (5 bits each), whose turn it is (2 bits).
//! Stored without the gaps between the places, a state needs 32 bits on a grid of 5 by 5.

use super::search::ByHand;
use super::table::Key;
use super::trio::{self, AGENTS, Message, Trio};

/// Bits of a place.
const PLACE: u32 = 5;
/// Where the turn is.
const TURN: u32 = trio::BITS + PLACE * AGENTS as u32;

/// The model.
pub struct Flock {
    places: u32,
    /// The part of all hashes that one combination of places gets.
    share: u64,
    fair: bool,
    trio: Trio,
    /// For each place, a bit for each place within sight.
    sight: [u32; 32],
    /// For each place and direction, the next place.
    ahead: [[u8; 4]; 32],
}

impl Flock {
    /// A grid of at most 5 by 5, how far birds see, and whether they take turns.
    pub fn new(grid: usize, delta: usize, fair: bool) -> Option<Flock> {
        if !(1..=5).contains(&grid) {
            return None;
        }
        let places = grid * grid;
        let (mut sight, mut ahead) = ([0; 32], [[0; 4]; 32]);
        for here in 0..places {
            let (x, y) = (here % grid, here / grid);
            for there in 0..places {
                let (dx, dy) = (x.abs_diff(there % grid), y.abs_diff(there / grid));
                if dx * dx + dy * dy <= delta * delta {
                    sight[here] |= 1 << there;
                }
            }
            for (direction, next) in ahead[here].iter_mut().enumerate() {
                // A set bit is a step up, a clear one a step down, which is the same as `grid - 1` up.
                let step = |place: usize, up: bool| (place + if up { 1 } else { grid - 1 }) % grid;
                *next = (step(y, direction & 2 != 0) * grid + step(x, direction & 1 != 0)) as u8;
            }
        }
        let share = u64::MAX / (places as u64).pow(AGENTS as u32);
        Some(Flock { places: places as u32, share, fair, trio: Trio::new(), sight, ahead })
    }

    /// A bird goes where it looks, and the turn passes.
    #[inline(always)]
    fn fly(&self, state: u64, bird: usize, here: u32) -> u64 {
        let ahead = self.ahead[here as usize][usize::from(trio::data(state as u16, bird))];
        let shift = trio::BITS + PLACE * bird as u32;
        let after = state & !(31 << shift) | u64::from(ahead) << shift;
        let next = if bird + 1 == AGENTS { 0 } else { bird as u64 + 1 };
        if self.fair { after & !(3 << TURN) | next << TURN } else { after }
    }
}

/// The place of a bird.
#[inline(always)]
fn place(state: u64, bird: usize) -> u32 {
    (state >> (trio::BITS + PLACE * bird as u32)) as u32 & 31
}

impl ByHand for Flock {
    type State = u64;
    type Key = u32;

    #[inline(always)]
    fn key(&self, state: u64) -> u32 {
        let places = (place(state, 2) * self.places + place(state, 1)) * self.places + place(state, 0);
        state as u32 & 0xffff | places << trio::BITS | ((state >> TURN) as u32) << 30
    }

    /// Every combination of places has nearly the same number of states, because the grid looks the same from everywhere
    /// but for the few places that are too far to be seen. So each gets the same part of the table, and messages, which
    /// are most steps, stay within it.
    #[inline(always)]
    fn hash(&self, key: u32) -> u64 {
        let places = u64::from(key >> trio::BITS & 0x3fff);
        places * self.share + ((u128::from(key.hash()) * u128::from(self.share)) >> 64) as u64
    }

    fn initial(&self, found: &mut impl FnMut(u64)) {
        let n = u64::from(self.places);
        // In the order of their parts of the table.
        for number in 0..n.pow(AGENTS as u32) {
            let places = [number % n, number / n % n, number / n / n];
            let places = places[0] | places[1] << PLACE | places[2] << (2 * PLACE);
            for directions in 0..1 << (2 * AGENTS) {
                let tuple = self.trio.initial([directions & 3, directions >> 2 & 3, directions >> 4]);
                found(u64::from(tuple) | places << trio::BITS);
            }
        }
    }

    #[inline(always)]
    fn successors(&self, state: u64, found: &mut impl FnMut(u64)) {
        let tuple = state as u16;
        let with = |tuple: u16| state & !0xffff | u64::from(tuple);
        let (propagating, confirming) = (trio::propagating(tuple), trio::confirming(tuple));
        let places = [place(state, 0), place(state, 1), place(state, 2)];
        let turn = (state >> TURN) as usize;
        for (bird, here) in places.iter().enumerate() {
            let one = 1 << bird;
            if (propagating | confirming) & one == 0 {
                if !self.fair || turn == bird {
                    found(self.fly(with(self.trio.read(tuple, bird)), bird, *here));
                }
                continue;
            }
            let sight = self.sight[*here as usize];
            let seen = |bird: usize| (sight >> places[bird] & 1) << bird;
            let linked = (seen(0) | seen(1) | seen(2)) as u16;
            if propagating & one != 0 {
                found(with(self.trio.send(tuple, Message::Propagate, bird, linked)));
            }
            if confirming & one != 0 {
                found(with(self.trio.send(tuple, Message::Confirm, bird, linked)));
            }
        }
    }

    /// All fly in one direction.
    #[inline(always)]
    fn goal(&self, state: u64) -> bool {
        trio::agree(state as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Expected, check};
    use super::*;

    #[test]
    fn small_grids_are_searched_as_the_rules_say() {
        for (grid, delta) in [(1, 0), (2, 0), (2, 1)] {
            for fair in [true, false] {
                let parameters = format!("birds=3 grid={grid} delta={delta}");
                let expected = Expected::search("flock/flock.labs", &parameters, fair, "ConsensusAgain");
                check(&Flock::new(grid, delta, fair).unwrap(), expected);
            }
        }
    }
}
