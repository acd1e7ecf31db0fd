//! Messages on packed states: everybody who is behind gets a copy, all at once.

use super::Spot;
use std::ops::IndexMut;

/// A message: what it does to each receiver depends on who has the newer data. Everybody's code is compared with that of
/// the sender, and those who are behind get a copy of some cells of the sender, which lie side by side.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Message {
    pub(super) sender: Spot,
    pub(super) copied: Spot,
    /// By the word that they change. None of them changes what another one reads or changes, so the new word is put together
    /// from what the old one says about each: they need not wait for each other.
    pub(super) receivers: Vec<(u16, Vec<Receiver>)>,
}

/// One change of a word if the receiver's code is less than that of the sender, another if it is greater. Which of them
/// happens is chosen without a jump: whether somebody has older data cannot be predicted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Receiver {
    pub(super) own: Spot,
    /// Where the copy goes.
    pub(super) shift: u16,
    /// Which bits of the copy stay: constants may be written over it.
    pub(super) copied: u64,
    pub(super) less: Change,
    pub(super) more: Change,
}

/// Some cells of a word get constants.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Change {
    pub(super) keep: u64,
    pub(super) bits: u64,
}

impl Message {
    #[inline]
    pub(super) fn run<W: IndexMut<usize, Output = u64> + ?Sized>(&self, words: &mut W) {
        let (sent, copy) = (self.sender.get(words), self.copied.get(words));
        for (word, receivers) in &self.receivers {
            let (mut keep, mut bits) = (u64::MAX, 0);
            for r in receivers {
                let own = r.own.get(words);
                let behind = (r.less.keep, r.less.bits | copy << r.shift & r.copied);
                let ahead = (r.more.keep, r.more.bits);
                let other = if own > sent { ahead } else { (u64::MAX, 0) };
                let change = if own < sent { behind } else { other };
                keep &= change.0;
                bits |= change.1;
            }
            let word = &mut words[*word as usize];
            *word = *word & keep | bits;
        }
    }
}

/// What a message does to one receiver.
#[derive(Clone, Copy)]
pub(super) struct Delivery {
    pub(super) sender: Spot,
    pub(super) copied: Spot,
    /// The word that is changed.
    pub(super) word: u16,
    pub(super) receiver: Receiver,
}

impl Delivery {
    /// Whether it can be made together with those of a message, in any order.
    pub(super) fn joins(&self, message: &Message) -> bool {
        let alone = |word: u16, other: &Receiver| {
            let kept = [message.sender, message.copied, self.receiver.own];
            kept.iter().all(|spot| !other.changes(word, *spot))
                && !self.receiver.changes(self.word, other.own)
                && (word != self.word || self.receiver.changed() & other.changed() == 0)
        };
        self.sender == message.sender
            && self.copied == message.copied
            && message.receivers.iter().all(|(word, others)| others.iter().all(|o| alone(*word, o)))
    }
}

impl Receiver {
    /// Which bits of its word it may change.
    fn changed(&self) -> u64 {
        !self.less.keep | !self.more.keep
    }

    /// Whether it may change a cell.
    pub(super) fn changes(&self, word: u16, spot: Spot) -> bool {
        word == spot.word && self.changed() & u64::from(spot.mask) << spot.shift != 0
    }
}
