//! `examples/leader/leader.labs`, by hand.
//!
//! A node that has neither written nor received anything still has its initial value, which is older than everything that
//! was ever written, and among several such nodes the order of their timestamps is that of their numbers. So one
//! code for a lane is enough for them, and 64 bits for 8 nodes. The code is one that no other node can have: a node has to
//! confirm only from its own write until it hears of something newer, so while it has, its value is its own number.
//! Not all bits of a word are set, as tables want it: if a node has the greatest age there is, all ages are different.

use super::lanes::{Lanes, Word};
use super::search::ByHand;

/// Both bits of what is pending.
const BOTH: u32 = 3;
/// To confirm, and nothing else.
const CONFIRM: u32 = 1;

/// The model, in words of 64 bits for up to 8 nodes, of 128 bits for up to 10.
pub struct Leader<W> {
    size: u32,
    lanes: Lanes<W>,
    /// Nobody has done anything.
    untouched: W,
}

impl<W: Word> Leader<W> {
    /// So many nodes. Ages and values have so many bits: 3 for up to 8 nodes, else 4.
    fn with_bits(size: u32, bits: u32) -> Leader<W> {
        let lanes = Lanes::new(size, bits);
        let code = |node| lanes.lane(node, 0, node ^ 1, CONFIRM);
        let untouched = (0..size).fold(W::default(), |all, node| all | code(node));
        Leader { size, lanes, untouched }
    }
}

impl Leader<u64> {
    /// 1 to 8 nodes.
    pub fn new(size: usize) -> Option<Leader<u64>> {
        (1..=8).contains(&size).then(|| Leader::with_bits(size as u32, 3))
    }
}

impl Leader<u128> {
    /// 1 to 10 nodes.
    pub fn large(size: usize) -> Option<Leader<u128>> {
        (1..=10).contains(&size).then(|| Leader::with_bits(size as u32, 4))
    }
}

impl<W: Word> ByHand for Leader<W> {
    type State = W;
    type Key = W;

    fn key(&self, state: W) -> W {
        state
    }

    fn initial(&self, found: &mut impl FnMut(W)) {
        found(self.untouched);
    }

    #[inline(always)]
    fn successors(&self, state: W, found: &mut impl FnMut(W)) {
        let lanes = &self.lanes;
        let older = lanes.same(state, self.untouched);
        for node in 0..self.size {
            let lane = lanes.of(state, node);
            let untouched = lane == lanes.of(self.untouched, node);
            if untouched || !lanes.busy(lane) && lanes.value(lane) > node {
                found(lanes.write(state, node, node, BOTH, older));
            }
        }
        lanes.deliver(state, older, found);
    }

    fn goal(&self, state: W) -> bool {
        state & self.lanes.values() == W::default() && self.lanes.same(state, self.untouched) == W::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use super::super::tests::{Expected, check};
    use super::*;

    #[test]
    fn counts_are_those_of_the_tables() {
        for size in 3..=6 {
            let expected = Expected::of(Model::Leader(size));
            check(&Leader::new(size).unwrap(), expected);
            check(&Leader::large(size).unwrap(), expected);
        }
    }

    #[test]
    fn one_node_elects_itself() {
        // It writes once; then its two messages, which nobody receives, are sent in either order.
        let expected = Expected { states: 5, transitions: 5, settles: Some(true) };
        check(&Leader::new(1).unwrap(), expected);
    }
}
