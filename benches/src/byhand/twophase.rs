//! `examples/twophase/twophase.labs`, by hand.
//!
//! Only the coordinator writes `vote` and `disagree`, and only when it has nothing to send. Everybody hears it at once, so
//! their timestamps are in one of four situations (`Spread`). `agree` is written by all and has a lane for each agent.
//! Workers always agree, so `disagree` stays 0, nobody asks for it, and `rollback` and the second branch are never
//! reached. What `vote` is follows from the coordinator's location and from who has heard of it.
//!
//! From low to high: the lanes, who has to propagate `vote`, to confirm `vote`, to propagate `disagree`, the spread of
//! `vote` and of `disagree`, the coordinator's location from 0 to 3, and `commit`.

use super::lanes::{Lanes, Word};
use super::search::ByHand;

/// How far the newest value of a tuple has come that only the coordinator writes.
mod spread {
    /// Nobody has written. The coordinator, agent 0, has the oldest timestamp.
    pub const START: u32 = 0;
    /// The coordinator has written for the first time; the workers still have different timestamps.
    pub const FIRST: u32 = 1;
    /// Everybody has the same.
    pub const SAME: u32 = 2;
    /// The coordinator has written again; all workers have the same older value.
    pub const AGAIN: u32 = 3;
}

/// The bits of an agent's lane that say to confirm and to propagate `agree`.
const BOTH: u32 = 3;

/// The model, in words of 64 bits for up to 4 workers, of 128 bits for up to 7.
pub struct Twophase<W> {
    agents: u32,
    lanes: Lanes<W>,
}

/// A state without its lanes.
#[derive(Clone, Copy)]
struct Rest {
    propagate_vote: u32,
    confirm_vote: u32,
    propagate_disagree: u32,
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
        Twophase { agents: workers + 1, lanes: Lanes::new(workers + 1, 3) }
    }

    /// The bits of all lanes.
    fn lane_bits(&self) -> u32 {
        self.agents * self.lanes.width
    }

    #[inline(always)]
    fn unpack(&self, state: W) -> (W, Rest) {
        let above = (state >> self.lane_bits()).low();
        let (n, all) = (self.agents, (1 << self.agents) - 1);
        let rest = Rest {
            propagate_vote: above & all,
            confirm_vote: above >> n & all,
            propagate_disagree: above >> (2 * n) & all,
            vote: above >> (3 * n) & 3,
            disagree: above >> (3 * n + 2) & 3,
            location: above >> (3 * n + 4) & 3,
            commit: above >> (3 * n + 6) & 1,
        };
        (state & ((W::from(1_u8) << self.lane_bits()) - W::from(1_u8)), rest)
    }

    #[inline(always)]
    fn pack(&self, lanes: W, rest: Rest) -> W {
        let n = self.agents;
        let above = rest.propagate_vote
            | rest.confirm_vote << n
            | rest.propagate_disagree << (2 * n)
            | rest.vote << (3 * n)
            | rest.disagree << (3 * n + 2)
            | rest.location << (3 * n + 4)
            | rest.commit << (3 * n + 6);
        lanes | W::from(above) << self.lane_bits()
    }

    /// What the coordinator does next, if it can.
    #[inline(always)]
    fn coordinate(&self, lanes: W, rest: Rest) -> Option<W> {
        let location = (rest.location + 1) & 3;
        let written = |before: u32| if before == spread::START { spread::FIRST } else { spread::AGAIN };
        match rest.location {
            0 => Some(self.pack(lanes, Rest { commit: 0, location, ..rest })),
            1 => {
                let vote = written(rest.vote);
                let propagate_vote = rest.propagate_vote | 1;
                Some(self.pack(lanes, Rest { vote, propagate_vote, location, ..rest }))
            }
            2 if self.lanes.value(self.lanes.of(lanes, 0)) != self.agents - 1 => None,
            2 => {
                let closed = Rest {
                    vote: written(rest.vote),
                    disagree: written(rest.disagree),
                    propagate_vote: rest.propagate_vote | 1,
                    propagate_disagree: rest.propagate_disagree | 1,
                    location,
                    ..rest
                };
                Some(self.pack(self.lanes.write(lanes, 0, 0, BOTH, W::default()), closed))
            }
            _ => Some(self.pack(lanes, Rest { commit: 1, location, ..rest })),
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

    fn successors(&self, state: W, found: &mut impl FnMut(W)) {
        let (lanes, rest) = self.unpack(state);
        let nobody = W::default();
        let workers = (1 << self.agents) - 2;
        let pending = rest.propagate_vote | rest.confirm_vote | rest.propagate_disagree;
        if pending & 1 == 0
            && !self.lanes.busy(self.lanes.of(lanes, 0))
            && let Some(after) = self.coordinate(lanes, rest)
        {
            found(after);
        }
        // The coordinator has written 1 exactly while it waits at location 2, and writes 1 and 0 in turn.
        let undelivered = rest.vote & 1 == 1;
        let workers_know_of_vote = (rest.location == 2) != undelivered;
        for agent in 0..self.agents {
            let (one, lane) = (1 << agent, self.lanes.of(lanes, agent));
            if agent > 0
                && workers_know_of_vote
                && pending & one == 0
                && !self.lanes.busy(lane)
                && self.lanes.value(lane) == agent - 1
            {
                let confirm_vote = rest.confirm_vote | one;
                found(self.pack(
                    self.lanes.write(lanes, agent, agent, BOTH, nobody),
                    Rest { confirm_vote, ..rest },
                ));
            }
            if rest.propagate_vote & one != 0 {
                let propagate_vote = rest.propagate_vote ^ one;
                found(self.pack(
                    lanes,
                    match agent == 0 && undelivered {
                        true => Rest {
                            propagate_vote: propagate_vote | workers,
                            confirm_vote: rest.confirm_vote & !workers,
                            vote: spread::SAME,
                            ..rest
                        },
                        false => Rest { propagate_vote, ..rest },
                    },
                ));
            }
            if rest.confirm_vote & one != 0 {
                // Only workers ask. The coordinator answers if its value is newer.
                let propagate_vote = rest.propagate_vote | u32::from(undelivered);
                let confirm_vote = rest.confirm_vote ^ one;
                found(self.pack(lanes, Rest { propagate_vote, confirm_vote, ..rest }));
            }
            if rest.propagate_disagree & one != 0 {
                let propagate_disagree = rest.propagate_disagree ^ one;
                found(self.pack(
                    lanes,
                    match agent == 0 && rest.disagree & 1 == 1 {
                        true => Rest {
                            propagate_disagree: propagate_disagree | workers,
                            disagree: spread::SAME,
                            ..rest
                        },
                        false => Rest { propagate_disagree, ..rest },
                    },
                ));
            }
        }
        let mut senders = lanes & self.lanes.tops();
        while senders != nobody {
            let agent = senders.lowest() / self.lanes.width;
            senders = senders & (senders - W::from(1_u8));
            found(self.pack(self.lanes.propagate(lanes, agent, nobody), rest));
        }
        let mut askers = lanes & self.lanes.confirming();
        while askers != nobody {
            let agent = askers.lowest() / self.lanes.width;
            askers = askers & (askers - W::from(1_u8));
            found(self.pack(self.lanes.confirm(lanes, agent, nobody), rest));
        }
    }

    fn goal(&self, state: W) -> bool {
        self.unpack(state).1.commit == 1
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
