//! One stigmergic tuple of three agents, two bits of data each, with any link predicate: 16 bits and a table of all
//! deliveries.
//!
//! From low to high: who has to propagate, who has to confirm (3 bits each, agent 0 lowest), which of the 13 orders the
//! timestamps are in (4 bits), and the data (2 bits for each agent). A delivery changes the first three as a table says
//! that the rules were written into before the search; the data are then copied to whoever received.

/// The number of agents.
pub const AGENTS: usize = 3;

/// Bits of everything but the data.
const FLAGS: u32 = 10;
/// Bits of a whole tuple.
pub const BITS: u32 = 16;

/// How to deliver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Message {
    /// To propagate.
    Propagate,
    /// To confirm.
    Confirm,
}

/// The rules as tables.
pub struct Trio {
    /// For a message, its sender, whom it is linked to, and the flags before: the flags after, and above them who
    /// received.
    deliveries: Vec<u16>,
    /// For a writer and an order: the order afterwards.
    writes: [[u16; 16]; AGENTS],
    /// The number of the order in which agent 0 is the oldest and agent 2 the newest.
    start: u16,
}

/// Ranks without gaps: 0 is the oldest.
fn dense(ranks: [usize; AGENTS]) -> [usize; AGENTS] {
    let mut known = ranks.to_vec();
    known.sort_unstable();
    known.dedup();
    ranks.map(|rank| known.iter().filter(|k| **k < rank).count())
}

/// The 13 ways in which three timestamps can be ordered.
fn orders() -> Vec<[usize; AGENTS]> {
    let all = (0..27).map(|i| [i / 9, i / 3 % 3, i % 3]);
    all.filter(|ranks| dense(*ranks) == *ranks).collect()
}

/// One delivery as the rules say it [T 3.8]: flags and ranks before, then after, and who received.
fn deliver(
    message: Message,
    sender: usize,
    linked: u16,
    mut ranks: [usize; AGENTS],
    mut confirm: u16,
    mut propagate: u16,
) -> ([usize; AGENTS], u16, u16, u16) {
    match message {
        Message::Propagate => propagate &= !(1 << sender),
        Message::Confirm => confirm &= !(1 << sender),
    }
    let mut received = 0;
    for agent in (0..AGENTS).filter(|a| *a != sender && linked >> a & 1 == 1) {
        if ranks[agent] < ranks[sender] {
            ranks[agent] = ranks[sender];
            confirm &= !(1 << agent);
            propagate |= 1 << agent;
            received |= 1 << agent;
        } else if ranks[agent] > ranks[sender] && message == Message::Confirm {
            propagate |= 1 << agent;
        }
    }
    (dense(ranks), confirm, propagate, received)
}

fn index(message: Message, sender: usize, linked: u16, flags: u16) -> usize {
    ((message as usize * AGENTS + sender) << 3 | linked as usize) << FLAGS | flags as usize
}

impl Trio {
    /// Writes the tables.
    pub fn new() -> Trio {
        let orders = orders();
        let number = |ranks: [usize; AGENTS]| orders.iter().position(|o| *o == ranks).unwrap_or(0) as u16;
        let mut deliveries = vec![0; (2 * AGENTS) << 3 << FLAGS];
        for message in [Message::Propagate, Message::Confirm] {
            for (sender, linked) in (0..AGENTS).flat_map(|s| (0..8).map(move |l| (s, l))) {
                for flags in 0..(orders.len() as u16) << 6 {
                    let ranks = orders[usize::from(flags >> 6)];
                    let (ranks, confirm, propagate, received) =
                        deliver(message, sender, linked, ranks, flags >> 3 & 7, flags & 7);
                    deliveries[index(message, sender, linked, flags)] =
                        received << FLAGS | number(ranks) << 6 | confirm << 3 | propagate;
                }
            }
        }
        let mut writes = [[0; 16]; AGENTS];
        for (writer, after) in writes.iter_mut().enumerate() {
            for (order, ranks) in orders.iter().enumerate() {
                let mut ranks = *ranks;
                ranks[writer] = AGENTS;
                after[order] = number(dense(ranks));
            }
        }
        Trio { deliveries, writes, start: number([0, 1, 2]) }
    }

    /// Initial data, written in the order of the agents; nothing is pending.
    pub fn initial(&self, data: [u16; AGENTS]) -> u16 {
        (data[0] | data[1] << 2 | data[2] << 4) << FLAGS | self.start << 6
    }

    /// A sender's message reaches those of the linked agents whom it concerns.
    #[inline(always)]
    pub fn send(&self, tuple: u16, message: Message, sender: usize, linked: u16) -> u16 {
        let flags = tuple & ((1 << FLAGS) - 1);
        let after = self.deliveries[index(message, sender, linked, flags)];
        let data = tuple >> FLAGS;
        let received = after >> FLAGS;
        // Two bits for each receiver.
        let copied = (received & 1 | (received & 2) << 1 | (received & 4) << 2) * 3;
        let sent = (data >> (2 * sender) & 3) * 0b01_01_01;
        (data & !copied | sent & copied) << FLAGS | after & ((1 << FLAGS) - 1)
    }

    /// An agent writes two bits and has to propagate them.
    #[inline(always)]
    pub fn write(&self, tuple: u16, writer: usize, data: u16) -> u16 {
        let order = self.writes[writer][usize::from(tuple >> 6 & 15)];
        let place = FLAGS as usize + 2 * writer;
        tuple & !(15 << 6) & !(3 << place) | order << 6 | data << place | 1 << writer
    }

    /// An agent has read, and has to confirm.
    #[inline(always)]
    pub fn read(&self, tuple: u16, reader: usize) -> u16 {
        tuple | 8 << reader
    }
}

impl Default for Trio {
    fn default() -> Trio {
        Trio::new()
    }
}

/// Who has to propagate.
#[inline(always)]
pub fn propagating(tuple: u16) -> u16 {
    tuple & 7
}

/// Who has to confirm.
#[inline(always)]
pub fn confirming(tuple: u16) -> u16 {
    tuple >> 3 & 7
}

/// An agent's data.
#[inline(always)]
pub fn data(tuple: u16, agent: usize) -> u16 {
    tuple >> (FLAGS as usize + 2 * agent) & 3
}

/// Whether all agents have the same data.
#[inline(always)]
pub fn agree(tuple: u16) -> bool {
    let all = tuple >> FLAGS;
    all == (all & 3) * 0b01_01_01
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_thirteen_orders() {
        // One with a single timestamp, three choices of the odd one out, older or newer than the others, six permutations.
        assert_eq!(orders().len(), 1 + 6 + 6);
    }

    #[test]
    fn messages_are_delivered_as_the_rules_say() {
        let trio = Trio::new();
        let start = trio.initial([1, 2, 3]);
        assert_eq!([0, 1, 2].map(|a| data(start, a)), [1, 2, 3]);
        // Agent 1 asks both: agent 0 is older and takes over, agent 2 is newer and will answer.
        let asked = trio.send(trio.read(start, 1), Message::Confirm, 1, 0b101);
        assert_eq!([0, 1, 2].map(|a| data(asked, a)), [2, 2, 3]);
        assert_eq!((propagating(asked), confirming(asked)), (0b101, 0));
        // The answer reaches agent 0 only.
        let answered = trio.send(asked, Message::Propagate, 2, 0b001);
        assert_eq!([0, 1, 2].map(|a| data(answered, a)), [3, 2, 3]);
        assert_eq!((propagating(answered), confirming(answered)), (0b001, 0));
        // Agent 0 passes it on to both; agent 2 has the same timestamp.
        let passed = trio.send(answered, Message::Propagate, 0, 0b110);
        assert!(agree(passed) && !agree(answered));
        assert_eq!(propagating(passed), 0b010);
    }

    #[test]
    fn a_write_is_the_newest() {
        let trio = Trio::new();
        let written = trio.write(trio.initial([0, 1, 2]), 0, 3);
        assert_eq!(propagating(written), 1);
        let sent = trio.send(written, Message::Propagate, 0, 0b110);
        assert_eq!([0, 1, 2].map(|a| data(sent, a)), [3, 3, 3]);
    }
}
