//! The leader election of `examples/leader`, with the messages that LAbS sends by itself written out.

use stateright::{Model, Property};

/// The model. Asks whether node 0 is elected, or for something that is true, to see every state.
pub struct Leader<const N: usize> {
    /// Whether to ask for the election.
    pub elected: bool,
}

/// What every node knows, how new that is, and which messages it has to send.
#[derive(Clone, Debug, Hash, PartialEq)]
pub struct Nodes<const N: usize> {
    leader: [u8; N],
    /// The order of the timestamps: equal ranks are equal timestamps, and no rank is left out.
    rank: [u8; N],
    tell: [bool; N],
    ask: [bool; N],
}

/// A step, and whose it is.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The node proposes itself.
    Propose(usize),
    /// It propagates what it knows.
    Tell(usize),
    /// It confirms what it knows.
    Ask(usize),
}

impl<const N: usize> Nodes<N> {
    fn propose(&mut self, i: usize) {
        self.leader[i] = i as u8;
        let old = self.rank[i];
        let shared = (0..N).any(|j| j != i && self.rank[j] == old);
        let mut newest = 0;
        for j in (0..N).filter(|&j| j != i) {
            if self.rank[j] > old && !shared {
                self.rank[j] -= 1;
            }
            newest = newest.max(self.rank[j] + 1);
        }
        self.rank[i] = newest;
        self.tell[i] = true;
        self.ask[i] = true;
    }

    /// Everybody with an older value takes over that of node i. Nothing older is left, so its rank becomes 0.
    fn inform(&mut self, i: usize) {
        let rank = self.rank[i];
        for j in 0..N {
            if self.rank[j] < rank {
                self.leader[j] = self.leader[i];
                self.rank[j] = 0;
                self.ask[j] = false;
                self.tell[j] = true;
            } else {
                self.rank[j] -= rank;
            }
        }
    }
}

impl<const N: usize> Model for Leader<N> {
    type State = Nodes<N>;
    type Action = Step;

    fn init_states(&self) -> Vec<Nodes<N>> {
        let rank = std::array::from_fn(|i| i as u8);
        vec![Nodes { leader: [N as u8; N], rank, tell: [false; N], ask: [false; N] }]
    }

    fn actions(&self, nodes: &Nodes<N>, actions: &mut Vec<Step>) {
        for i in 0..N {
            if nodes.tell[i] {
                actions.push(Step::Tell(i));
            }
            if nodes.ask[i] {
                actions.push(Step::Ask(i));
            }
            if !nodes.tell[i] && !nodes.ask[i] && usize::from(nodes.leader[i]) > i {
                actions.push(Step::Propose(i));
            }
        }
    }

    fn next_state(&self, nodes: &Nodes<N>, step: Step) -> Option<Nodes<N>> {
        let mut after = nodes.clone();
        match step {
            Step::Propose(i) => after.propose(i),
            Step::Tell(i) => {
                after.tell[i] = false;
                after.inform(i);
            }
            Step::Ask(i) => {
                after.ask[i] = false;
                for j in 0..N {
                    after.tell[j] |= nodes.rank[j] > nodes.rank[i];
                }
                after.inform(i);
            }
        }
        Some(after)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![match self.elected {
            true => Property::eventually("LeaderIs0", |_, n: &Nodes<N>| n.leader.iter().all(|l| *l == 0)),
            false => {
                Property::always("KnownLeader", |_, n: &Nodes<N>| n.leader.iter().all(|l| *l as usize <= N))
            }
        }]
    }
}
