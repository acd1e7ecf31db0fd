//! One stigmergic variable that everybody sends to everybody (`link = true`), for all agents at once.
//!
//! A word has a lane for each agent: from low to high its copy's *age* (0 is the newest; agents whose copies have the same
//! timestamp have the same age; ages have no gaps), its value, and whether it has to confirm and to propagate. With ages
//! a delivery is simple: whoever is older than the sender gets the sender's lane, and no age has to be recomputed.
//!
//! Sets of agents are words with the highest bit of their lanes, where `propagate` is, or with all bits of their lanes.

use super::table::Key;
use std::ops::{Add, BitAnd, BitOr, BitOrAssign, BitXor, Mul, Shl, Shr, Sub};

/// A whole number of 64 or 128 bits.
pub trait Word:
    Key
    + From<u8>
    + From<u32>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitOrAssign
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The lowest bits.
    fn low(self) -> u32;
    /// The number of the lowest bit that is set.
    fn lowest(self) -> u32;
}

impl Word for u64 {
    fn low(self) -> u32 {
        self as u32
    }
    fn lowest(self) -> u32 {
        self.trailing_zeros()
    }
}

impl Word for u128 {
    fn low(self) -> u32 {
        self as u32
    }
    fn lowest(self) -> u32 {
        self.trailing_zeros()
    }
}

/// The shape of the lanes.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<W> {
    /// Bits of an age, and of a value.
    pub bits: u32,
    /// Bits of a lane.
    pub width: u32,
    /// The lowest bit of every lane.
    ones: W,
    /// The highest bit of every lane.
    tops: W,
    /// All bits of all ages.
    ages: W,
}

impl<W: Word> Lanes<W> {
    /// For so many agents, with ages and values of so many bits. All lanes have to fit the word.
    pub fn new(agents: u32, bits: u32) -> Lanes<W> {
        let width = 2 * bits + 2;
        let each = |lane: u32| (0..agents).fold(W::default(), |all, a| all | W::from(lane) << (a * width));
        Lanes { bits, width, ones: each(1), tops: each(1 << (width - 1)), ages: each((1 << bits) - 1) }
    }

    /// All bits of all values.
    pub fn values(&self) -> W {
        self.ages << self.bits
    }

    /// A lane at its place.
    pub fn lane(&self, agent: u32, age: u32, value: u32, pending: u32) -> W {
        W::from(age | value << self.bits | pending << (2 * self.bits)) << (agent * self.width)
    }

    /// What an agent's lane holds.
    #[inline(always)]
    pub fn of(&self, word: W, agent: u32) -> u32 {
        self.at(word, agent * self.width)
    }

    /// What the lane holds that begins at this bit.
    #[inline(always)]
    fn at(&self, word: W, place: u32) -> u32 {
        (word >> place).low() & ((1 << self.width) - 1)
    }

    /// The value in a lane.
    #[inline(always)]
    pub fn value(&self, lane: u32) -> u32 {
        lane >> self.bits & ((1 << self.bits) - 1)
    }

    /// Whether an agent's lane says that something is pending.
    #[inline(always)]
    pub fn busy(&self, lane: u32) -> bool {
        lane >> (2 * self.bits) != 0
    }

    /// Agents whose copy is at least as old as that.
    #[inline(always)]
    fn at_least(&self, word: W, age: u32) -> W {
        // The highest bit of a lane is borrowed from exactly if its age is less.
        ((word & self.ages | self.tops) - W::from(age) * self.ones) & self.tops
    }

    /// All bits of the lanes of these agents.
    #[inline(always)]
    fn whole(&self, agents: W) -> W {
        agents | (agents - (agents >> (self.width - 1)))
    }

    /// Agents whose lanes are the same in two words.
    #[inline(always)]
    pub fn same(&self, one: W, other: W) -> W {
        let (differ, rest) = (one ^ other, self.tops - self.ones);
        // Adding all but the highest bit carries into it if anything is set.
        !(((differ & rest) + rest) | differ) & self.tops
    }

    /// Calls `found` with the result of every possible delivery. Agents of `older` have nothing to send, their copies are
    /// older than all others, and what their lanes hold does not matter.
    #[inline(always)]
    pub fn deliver(&self, word: W, older: W, found: &mut impl FnMut(W)) {
        let mut senders = word & self.tops & !older;
        while senders != W::default() {
            found(self.propagate(word, senders.lowest() - (self.width - 1), older));
            senders = senders & (senders - W::from(1_u8));
        }
        let mut askers = word & (self.tops & !older) >> 1;
        while askers != W::default() {
            found(self.confirm(word, askers.lowest() - (self.width - 2), older));
            askers = askers & (askers - W::from(1_u8));
        }
    }

    /// The agent whose lane begins at this bit propagates [T 3.8, PROPAGATE, PUT].
    #[inline(always)]
    fn propagate(&self, word: W, place: u32, older: W) -> W {
        self.send(word ^ W::from(1_u8) << (place + self.width - 1), self.at(word, place), older)
    }

    /// The agent whose lane begins at this bit confirms [T 3.8, CONFIRM, QRY1, QRY2].
    #[inline(always)]
    fn confirm(&self, word: W, place: u32, older: W) -> W {
        let lane = self.at(word, place);
        let asked = word ^ W::from(1_u8) << (place + self.width - 2);
        let newer = !(self.at_least(word, lane & ((1 << self.bits) - 1)) | older) & self.tops;
        self.send(asked | newer, lane, older)
    }

    /// Whoever has an older copy than that of a lane takes it over, has nothing to ask any more, and has to pass it on.
    #[inline(always)]
    fn send(&self, word: W, lane: u32, older: W) -> W {
        let age = lane & ((1 << self.bits) - 1);
        let receivers = self.whole(self.at_least(word, age + 1) | older);
        let sent = age | lane & ((1 << self.bits) - 1) << self.bits | 1 << (2 * self.bits + 1);
        word & !receivers | (W::from(sent) * self.ones) & receivers
    }

    /// An agent writes a value and gets these pending bits [T 3.11]. Agents of `older` have no age; the writer may be one.
    #[inline(always)]
    pub fn write(&self, word: W, agent: u32, value: u32, pending: u32, older: W) -> W {
        let (place, others) = (agent * self.width, self.tops & !older);
        let age = self.of(word, agent) & ((1 << self.bits) - 1);
        let as_old = self.at_least(word, age) & !self.at_least(word, age + 1) & others;
        // If nobody else has the writer's old timestamp, its age is free, and only newer copies become older by one.
        let alone = as_old == W::from(1_u8) << (place + self.width - 1);
        let aged = if alone { others & !self.at_least(word, age) } else { others };
        let word = word + (aged >> (self.width - 1));
        let cleared = word & !(W::from((1_u32 << self.width) - 1) << place);
        cleared | self.lane(agent, 0, value, pending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Agent = (u32, u32, u32);

    fn pack(lanes: &Lanes<u64>, agents: &[Agent]) -> u64 {
        (0..)
            .zip(agents)
            .fold(0, |all, (a, (age, value, pending))| all | lanes.lane(a, *age, *value, *pending))
    }

    /// Agents are (age, value, pending); pending is 1 for confirm and 2 for propagate.
    fn check(before: &[Agent], step: impl Fn(&Lanes<u64>, u64) -> u64, after: &[Agent]) {
        let lanes = Lanes::new(before.len() as u32, 3);
        assert_eq!(step(&lanes, pack(&lanes, before)), pack(&lanes, after), "{before:?}");
    }

    #[test]
    fn messages_are_delivered_as_the_rules_say() {
        let before = [(2, 4, 0), (1, 5, 3), (0, 6, 0), (1, 5, 0), (3, 7, 1)];
        check(&before, |l, w| l.propagate(w, 8, 0), &[(1, 5, 2), (1, 5, 1), (0, 6, 0), (1, 5, 0), (1, 5, 2)]);
        check(&before, |l, w| l.confirm(w, 8, 0), &[(1, 5, 2), (1, 5, 2), (0, 6, 2), (1, 5, 0), (1, 5, 2)]);
        check(
            &before,
            |l, w| l.confirm(w, 4 * 8, 0),
            &[(2, 4, 2), (1, 5, 3), (0, 6, 2), (1, 5, 2), (3, 7, 0)],
        );
        let third = 1 << (3 * 8 + 7);
        check(
            &before,
            |l, w| l.confirm(w, 4 * 8, third),
            &[(2, 4, 2), (1, 5, 3), (0, 6, 2), (3, 7, 2), (3, 7, 0)],
        );
    }

    #[test]
    fn everything_that_is_pending_can_be_delivered() {
        let lanes = Lanes::<u64>::new(3, 3);
        let word = pack(&lanes, &[(0, 4, 3), (0, 4, 2), (7, 7, 1)]);
        let mut found = vec![];
        lanes.deliver(word, 1 << (2 * 8 + 7), &mut |after| found.push(after));
        let received = (0, 4, 2);
        let after = [
            [(0, 4, 1), (0, 4, 2), received],
            [(0, 4, 3), (0, 4, 0), received],
            [(0, 4, 2), (0, 4, 2), received],
        ];
        assert_eq!(found, after.map(|agents| pack(&lanes, &agents)));
    }

    #[test]
    fn a_write_makes_the_writer_the_newest_and_leaves_no_gap() {
        let before = [(2, 4, 0), (1, 5, 0), (0, 6, 1), (1, 5, 0)];
        check(&before, |l, w| l.write(w, 0, 1, 3, 0), &[(0, 1, 3), (2, 5, 0), (1, 6, 1), (2, 5, 0)]);
        check(&before, |l, w| l.write(w, 1, 1, 2, 0), &[(3, 4, 0), (0, 1, 2), (1, 6, 1), (2, 5, 0)]);
        check(&before, |l, w| l.write(w, 2, 1, 2, 0), &[(2, 4, 0), (1, 5, 0), (0, 1, 2), (1, 5, 0)]);
        // The first agent has no age; its lane is left alone until it writes itself.
        let first = 1 << 7;
        let before = [(7, 7, 1), (1, 5, 0), (0, 6, 1), (1, 5, 0)];
        check(&before, |l, w| l.write(w, 0, 1, 3, first), &[(0, 1, 3), (2, 5, 0), (1, 6, 1), (2, 5, 0)]);
        check(&before, |l, w| l.write(w, 3, 1, 3, first), &[(7, 7, 1), (2, 5, 0), (1, 6, 1), (0, 1, 3)]);
    }

    #[test]
    fn lanes_are_compared_one_by_one() {
        let lanes = Lanes::<u64>::new(3, 3);
        assert_eq!(lanes.same(0x80_01_ff, 0x80_00_ff), 0x80_00_80);
        assert_eq!(lanes.same(0x00_80_7f, 0x80_80_ff), 0x00_80_00);
    }
}
