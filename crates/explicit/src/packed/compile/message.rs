//! Code that is the delivery of a message.

use super::super::message::{Change, Delivery, Message, Receiver};
use super::super::{Ins, Spot};
use super::{Compiler, Holes};
use swarmcheck_ir::ground::Act;

/// No cell at all.
const NOWHERE: Spot = Spot { mask: 0, word: 0, shift: 0 };

impl Compiler<'_> {
    /// What was written since `start`, as what a message does to one receiver, if it is that: one change of one word that
    /// depends on one comparison.
    pub(super) fn message(&self, start: usize, holes: &Holes) -> Option<Delivery> {
        let [Ins::UnlessLess { a, b, .. }, body @ ..] = &self.instructions[start..] else { return None };
        if holes[..] != [start] {
            return None;
        }
        let (copy, set) = match body {
            [Ins::Copy { to, from }] => (Some((*to, *from)), None),
            [Ins::SetBits { keep, bits, word }] => (None, Some((*keep, *bits, *word))),
            [Ins::Copy { to, from }, Ins::SetBits { keep, bits, word }] => {
                (Some((*to, *from)), Some((*keep, *bits, *word)))
            }
            _ => return None,
        };
        let word = copy.map(|(to, _)| to.word).or(set.map(|(_, _, word)| word))?;
        let (keep, bits, _) = set.unwrap_or((u64::MAX, 0, word));
        if set.is_some_and(|(_, _, other)| other != word) {
            return None;
        }
        let (to, copied) = copy.unwrap_or((NOWHERE, NOWHERE));
        let mask = u64::from(to.mask) << to.shift;
        let receiver = Receiver {
            own: *a,
            shift: to.shift,
            copied: mask & keep,
            less: Change { keep: keep & !mask, bits },
            more: Change { keep: u64::MAX, bits: 0 },
        };
        Some(Delivery { sender: *b, copied, word, receiver })
    }

    /// Puts such a message in the place of what was written since `start`, together with what happens otherwise if that
    /// is the same with the comparison the other way round.
    pub(super) fn sent(
        &mut self,
        start: usize,
        mut message: Delivery,
        no: &[Act],
        disabled: &mut Holes,
    ) -> Option<()> {
        let written = self.instructions.split_off(start);
        if let [Act::If(condition, yes, rest)] = no
            && rest.is_empty()
        {
            // An attempt that may have to be taken back: nothing of it may be joined with what came before.
            let landed = std::mem::replace(&mut self.landed, start);
            let (mut holes, before) = (vec![], disabled.len());
            self.branch(condition, false, &mut holes)?;
            self.branch_block(yes, disabled)?;
            let other = self.message(start, &holes);
            self.instructions.truncate(start);
            self.landed = landed;
            let fits = |o: &Delivery| {
                o.sender == message.receiver.own
                    && o.copied == NOWHERE
                    && o.receiver.own == message.sender
                    && o.word == message.word
            };
            if let Some(other) = other.filter(fits) {
                message.receiver.more = other.receiver.less;
                self.push_message(message);
                return Some(());
            }
            disabled.truncate(before);
        }
        if no.is_empty() {
            self.push_message(message);
            return Some(());
        }
        self.instructions.extend(written);
        let end = self.jump(Ins::Jump(0));
        self.land(&[start]);
        self.branch_block(no, disabled)?;
        self.land(&[end]);
        Some(())
    }

    /// Messages of one sender that copy the same are one, as long as no receiver changes what is sent and none has to do
    /// with another.
    fn push_message(&mut self, message: Delivery) {
        let Delivery { sender, copied, word, receiver } = message;
        if let Some(Ins::Message { number }) = self.instructions.last()
            && self.landed < self.instructions.len()
            && let Some(last) = self.messages.get_mut(usize::from(*number)).filter(|m| message.joins(m))
        {
            match last.receivers.iter_mut().find(|(other, _)| *other == word) {
                Some((_, receivers)) => receivers.push(receiver),
                None => last.receivers.push((word, vec![receiver])),
            }
            return;
        }
        self.messages.push(Message { sender, copied, receivers: vec![(word, vec![receiver])] });
        self.instructions.push(Ins::Message { number: (self.messages.len() - 1) as u16 });
    }
}
