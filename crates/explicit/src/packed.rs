//! Steps on packed states, without unpacking them.
//!
//! Most of what programs do to a state is comparing cells, setting them to constants, copying them, looking up the result
//! of a little arithmetic, and ranking timestamps. All of that can be done to the packed words themselves: several tests of
//! one word are one comparison, several assignments to it one `and` and one `or`. An instance (or a condition) that does
//! nothing else is translated (`packed/compile.rs`); the others are run by [`swarmcheck_ir::ground::Runner`] as ever.
//!
//! The meaning is the same, step by step: only instances that make no choice and cannot fault are translated, a value that
//! does not fit its field is noticed, and the random tests compare searches with and without (`Reductions::packed`).

mod compile;
mod message;
mod ranks;
mod table;

use crate::codec::Codec;
use crate::dispatch::Dispatch;
use message::{Change, Message};
use ranks::{Ranked, rank};
use std::ops::IndexMut;
use swarmcheck_ir::ground::{Ground, Term};
use table::Table;

/// Where a cell is: its word, how far it is shifted there, and its bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Spot {
    /// The bits, not shifted.
    pub(crate) mask: u32,
    /// The index of the word.
    pub(crate) word: u16,
    /// How far the bits are shifted.
    pub(crate) shift: u16,
}

impl Spot {
    #[inline]
    pub(crate) fn get<W: IndexMut<usize, Output = u64> + ?Sized>(self, words: &W) -> u64 {
        words[self.word as usize] >> self.shift & u64::from(self.mask)
    }

    #[inline]
    fn set<W: IndexMut<usize, Output = u64> + ?Sized>(self, words: &mut W, code: u64) {
        let word = &mut words[self.word as usize];
        *word = *word & !(u64::from(self.mask) << self.shift) | code << self.shift;
    }
}

/// One instruction. Jumps go forward only.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Ins {
    /// Jumps in any case.
    Jump(u16),
    /// Jumps unless the masked word is this.
    UnlessBits { mask: u64, bits: u64, word: u16, to: u16 },
    /// Jumps if the masked word is this.
    IfBits { mask: u64, bits: u64, word: u16, to: u16 },
    /// Jumps unless the code of the first is less than that of the second.
    UnlessLess { a: Spot, b: Spot, to: u16 },
    /// Jumps if the code of the first is less than that of the second.
    IfLess { a: Spot, b: Spot, to: u16 },
    /// Jumps unless the codes are equal.
    UnlessEqual { a: Spot, b: Spot, to: u16 },
    /// Jumps if the codes are equal.
    IfEqual { a: Spot, b: Spot, to: u16 },
    /// Jumps unless the table says 1.
    UnlessTable { table: u16, to: u16 },
    /// Jumps if the table says 1.
    IfTable { table: u16, to: u16 },
    /// Sets several cells of a word to constants.
    SetBits { keep: u64, bits: u64, word: u16 },
    /// Copies cells that lie side by side, together.
    Copy { to: Spot, from: Spot },
    /// Sets a cell to what a table says.
    SetTable { to: Spot, table: u16 },
    /// Replaces the timestamps in a list of cells by their ranks.
    Rank { list: u16 },
    /// A message to several receivers.
    Message { number: u16 },
    /// The step is not possible.
    Disabled,
    /// A value does not fit.
    Overflow,
}

/// Code that does no more than test some bits of one word and set some of it: the commonest, and the quickest to run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Fixed {
    mask: u64,
    bits: u64,
    change: Change,
    word: usize,
}

impl Fixed {
    /// The word it changes and what that becomes, if the step is possible.
    #[inline]
    pub(crate) fn run(&self, words: &[u64]) -> Option<(usize, u64)> {
        let word = words[self.word];
        (word & self.mask == self.bits).then_some((self.word, word & self.change.keep | self.change.bits))
    }
}

/// What came of running code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ran {
    /// The words are those of the successor; or the condition holds.
    Done,
    /// There is no such step; or the condition does not hold.
    Disabled,
    /// A value does not fit its field.
    Overflow,
}

/// An instance or a condition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    instructions: Box<[Ins]>,
    tables: Box<[Table]>,
    lists: Box<[Box<[Ranked]>]>,
    messages: Box<[Message]>,
}

impl Code {
    /// The same as one test and one change, if it is no more than that.
    fn fixed(&self) -> Option<Fixed> {
        let (mask, bits, change, word) = match self.instructions[..] {
            [
                Ins::UnlessBits { mask, bits, word, to: 3 },
                Ins::SetBits { keep, bits: set, word: changed },
                Ins::Jump(4),
                Ins::Disabled,
            ] if changed == word => (mask, bits, Change { keep, bits: set }, word),
            [Ins::SetBits { keep, bits, word }] => (0, 0, Change { keep, bits }, word),
            _ => return None,
        };
        Some(Fixed { mask, bits, change, word: word.into() })
    }

    /// Runs it in place. What is left in the words when it is not done means nothing.
    #[inline]
    pub(crate) fn run<W: IndexMut<usize, Output = u64> + ?Sized>(&self, words: &mut W) -> Ran {
        let mut at = 0;
        while let Some(ins) = self.instructions.get(at) {
            at += 1;
            // Whether to jump, and where to.
            let (jump, to) = match *ins {
                Ins::Jump(to) => (true, to),
                Ins::UnlessBits { mask, bits, word, to } => (words[word as usize] & mask != bits, to),
                Ins::IfBits { mask, bits, word, to } => (words[word as usize] & mask == bits, to),
                Ins::UnlessLess { a, b, to } => (a.get(words) >= b.get(words), to),
                Ins::IfLess { a, b, to } => (a.get(words) < b.get(words), to),
                Ins::UnlessEqual { a, b, to } => (a.get(words) != b.get(words), to),
                Ins::IfEqual { a, b, to } => (a.get(words) == b.get(words), to),
                Ins::UnlessTable { table, to } => (self.tables[table as usize].look_up(words) != 1, to),
                Ins::IfTable { table, to } => (self.tables[table as usize].look_up(words) == 1, to),
                Ins::SetBits { keep, bits, word } => {
                    let word = &mut words[word as usize];
                    *word = *word & keep | bits;
                    continue;
                }
                Ins::Copy { to, from } => {
                    let code = from.get(words);
                    to.set(words, code);
                    continue;
                }
                Ins::SetTable { to, table } => {
                    let code = self.tables[table as usize].look_up(words);
                    if code == table::NOTHING {
                        return Ran::Overflow;
                    }
                    to.set(words, u64::from(code));
                    continue;
                }
                Ins::Rank { list } => {
                    rank(&self.lists[list as usize], words);
                    continue;
                }
                Ins::Message { number } => {
                    self.messages[number as usize].run(words);
                    continue;
                }
                Ins::Disabled => return Ran::Disabled,
                Ins::Overflow => return Ran::Overflow,
            };
            if jump {
                at = to as usize;
            }
        }
        Ran::Done
    }
}

/// What of a program can be run on packed states.
#[derive(Clone, Debug)]
pub struct Packed {
    /// For each instance its code, if it could be translated.
    pub(crate) instances: Vec<Option<Code>>,
    /// For each instance the same once more, if it is as simple as that.
    pub(crate) fixed: Vec<Option<Fixed>>,
    /// For each condition its code, if it could be translated.
    pub(crate) conditions: Vec<Option<Code>>,
    /// Instances by what they test first.
    pub(crate) dispatch: Dispatch<Spot>,
    /// Whether everything could be translated: then nobody needs unpacked states.
    pub(crate) complete: bool,
}

impl Packed {
    /// Translates what can be translated.
    pub fn new(ground: &Ground, conditions: &[Term], codec: &Codec) -> Packed {
        let instances: Vec<_> = ground.instances().iter().map(|r| compile::instance(r, codec)).collect();
        let conditions: Vec<_> = conditions.iter().map(|c| compile::condition(c, codec)).collect();
        Packed {
            complete: instances.iter().chain(&conditions).all(Option::is_some),
            dispatch: Dispatch::packed(ground, codec),
            fixed: instances.iter().map(|code| code.as_ref().and_then(Code::fixed)).collect(),
            instances,
            conditions,
        }
    }

    /// How many instances and conditions are translated, and how many there are.
    pub fn share(&self) -> (usize, usize) {
        let all = || self.instances.iter().chain(&self.conditions);
        (all().flatten().count(), all().count())
    }

    /// The instances that are not translated.
    pub fn untranslated(&self) -> impl Iterator<Item = usize> {
        (0..self.instances.len()).filter(|&i| self.instances[i].is_none())
    }

    /// Runs an instance on packed words, in place: whether it could; `None` if it is not translated or a value does not
    /// fit. For comparisons.
    pub fn step(&self, instance: usize, words: &mut [u64]) -> Option<bool> {
        if let Some(fixed) = &self.fixed[instance] {
            let after = fixed.run(words);
            if let Some((word, value)) = after {
                words[word] = value;
            }
            return Some(after.is_some());
        }
        match self.instances[instance].as_ref()?.run(words) {
            Ran::Done => Some(true),
            Ran::Disabled => Some(false),
            Ran::Overflow => None,
        }
    }
}
