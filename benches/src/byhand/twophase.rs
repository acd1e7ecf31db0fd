//! `examples/twophase/twophase.labs`, by hand.
//!
//! Only the coordinator writes `vote` and `disagree`, and only when it has nothing to send. Everybody hears it at once, so
//! the timestamps of these tuples are in one of four situations:
//!
//! 0. Nobody has written. The coordinator, agent 0, has the oldest timestamp.
//! 1. The coordinator has written for the first time; the workers still have different timestamps.
//! 2. Everybody has the same.
//! 3. The coordinator has written again; all workers have the same older value.
//!
//! So a write sets the lower bit, and the coordinator's delivery leads to 2. `agree` is written by all and has a lane for
//! each agent. Workers always agree, so `disagree` stays 0, nobody asks for it, and `rollback` and the second branch are
//! never reached. What `vote` is follows from the coordinator's location and from who has heard of it.
//!
//! From low to high: the lanes; a bit for each agent that has to propagate `vote`, to confirm `vote`, to propagate
//! `disagree`; the situations of `vote` and `disagree`; the coordinator's location from 0 to 3; and `commit`. What is
//! above the lanes fits 32 bits and is changed on its own.

use super::lanes::{Lanes, Word};
use super::search::ByHand;

/// The bits of an agent's lane that say to confirm and to propagate `agree`.
const BOTH: u32 = 3;

/// The model, in words of 64 bits for up to 4 workers, of 128 bits for up to 7.
pub struct Twophase<W> {
    agents: u32,
    lanes: Lanes<W>,
    /// All bits of the lanes, and how many they are.
    below: W,
    shift: u32,
    /// Where the situations, the location and `commit` are, above the lanes.
    vote: u32,
    disagree: u32,
    location: u32,
    commit: u32,
}

impl Twophase<u64> {
    /// 1 to 4 workers.
    pub fn new(workers: usize) -> Option<Twophase<u64>> {
        (1..=4).contains(&workers).then(|| Twophase::with_workers(workers as u32))
    }
}

impl Twophase<u128> {
    /// 1 to 7 workers.
    pub fn large(workers: usize) -> Option<Twophase<u128>> {
        (1..=7).contains(&workers).then(|| Twophase::with_workers(workers as u32))
    }
}

impl<W: Word> Twophase<W> {
    fn with_workers(workers: u32) -> Twophase<W> {
        let agents = workers + 1;
        let lanes = Lanes::new(agents, 3);
        let shift = agents * lanes.width;
        let below = (W::from(1_u8) << shift) - W::from(1_u8);
        let vote = 3 * agents;
        Twophase {
            agents,
            lanes,
            below,
            shift,
            vote,
            disagree: vote + 2,
            location: vote + 4,
            commit: vote + 6,
        }
    }

    /// What is above the lanes.
    #[inline(always)]
    fn above(&self, state: W) -> u32 {
        (state >> self.shift).low()
    }

    /// A state with something else above its lanes.
    #[inline(always)]
    fn with(&self, state: W, above: u32) -> W {
        state & self.below | W::from(above) << self.shift
    }

    /// What the coordinator does next, if it can.
    #[inline(always)]
    fn coordinate(&self, state: W, above: u32) -> Option<W> {
        let (next, commit) = (1 << self.location, 1 << self.commit);
        let vote_written = above | 1 << self.vote | 1;
        match above >> self.location & 3 {
            0 => Some(self.with(state, (above + next) & !commit)),
            1 => Some(self.with(state, vote_written + next)),
            2 if self.lanes.value(self.lanes.of(state, 0)) != self.agents - 1 => None,
            2 => {
                let all_written = vote_written | 1 << self.disagree | 1 << (2 * self.agents);
                let closed = self.with(state, all_written + next);
                Some(self.lanes.write(closed, 0, 0, BOTH, W::default()))
            }
            _ => Some(self.with(state, (above - 3 * next) | commit)),
        }
    }
}

impl<W: Word> ByHand for Twophase<W> {
    type State = W;
    type Key = W;

    fn key(&self, state: W) -> W {
        state
    }

    fn initial(&self, found: &mut impl FnMut(W)) {
        let lane = |agent| self.lanes.lane(agent, self.agents - 1 - agent, 0, 0);
        found((0..self.agents).fold(W::default(), |all, agent| all | lane(agent)));
    }

    #[inline(always)]
    fn successors(&self, state: W, found: &mut impl FnMut(W)) {
        let (n, nobody) = (self.agents, W::default());
        let above = self.above(state);
        let workers = (1 << n) - 2;
        let pending = above | above >> n | above >> (2 * n);
        let vote_undelivered = above >> self.vote & 1;
        let disagree_undelivered = above >> self.disagree & 1;
        // The coordinator has written 1 exactly while it waits at location 2, and writes 1 and 0 in turn.
        let open = (above >> self.location & 3 == 2) != (vote_undelivered == 1);
        for agent in 0..n {
            let (one, lane) = (1 << agent, self.lanes.of(state, agent));
            if pending & one == 0 && !self.lanes.busy(lane) {
                if agent == 0 {
                    if let Some(after) = self.coordinate(state, above) {
                        found(after);
                    }
                } else if open && self.lanes.value(lane) == agent - 1 {
                    let asks = self.with(state, above | one << n);
                    found(self.lanes.write(asks, agent, agent, BOTH, nobody));
                }
                continue;
            }
            if above & one != 0 {
                let sent = above ^ one;
                let heard = (sent | workers) & !(workers << n | 3 << self.vote) | 2 << self.vote;
                found(self.with(state, if agent == 0 && vote_undelivered == 1 { heard } else { sent }));
            }
            if above >> n & one != 0 {
                // Only workers ask. The coordinator answers if its value is newer.
                found(self.with(state, (above ^ one << n) | vote_undelivered));
            }
            if above >> (2 * n) & one != 0 {
                let sent = above ^ one << (2 * n);
                let heard = (sent | workers << (2 * n)) & !(3 << self.disagree) | 2 << self.disagree;
                found(self.with(state, if agent == 0 && disagree_undelivered == 1 { heard } else { sent }));
            }
        }
        self.lanes.deliver(state, nobody, found);
    }

    fn goal(&self, state: W) -> bool {
        self.above(state) >> self.commit == 1
    }
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use super::super::tests::{Expected, check};
    use super::*;

    #[test]
    fn counts_are_those_of_the_tables() {
        for workers in 2..=3 {
            let expected = Expected::of(Model::Twophase(workers));
            check(&Twophase::new(workers).unwrap(), expected);
            check(&Twophase::large(workers).unwrap(), expected);
        }
    }
}
