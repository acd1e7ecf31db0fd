//! From instances and conditions to code for packed states.

mod message;

use super::message::Message;
use super::ranks::{Ranked, by_word};
use super::table::{self, Table};
use super::{Code, Ins, Spot};
use crate::codec::Codec;
use std::collections::HashMap;
use swarmcheck_ir::BinaryOp;
use swarmcheck_ir::ground::{Act, Routine, Term};

/// An instance, guard and body; `None` if it makes choices, can fault, or reads too much at once.
pub(super) fn instance(routine: &Routine, codec: &Codec) -> Option<Code> {
    swarmcheck_ir::cancel::check();
    let mut out = Compiler::new(codec);
    let mut holes = vec![];
    for &(slot, value) in routine.tests() {
        out.unless_is(slot, value, &mut holes)?;
    }
    out.branch(routine.guard(), false, &mut holes)?;
    out.block(routine.body(), &mut holes)?;
    out.finish(holes)
}

/// Translates a condition; `None` where there are no instructions for it.
pub(super) fn condition(condition: &Term, codec: &Codec) -> Option<Code> {
    let mut out = Compiler::new(codec);
    let mut holes = vec![];
    out.branch(condition, false, &mut holes)?;
    out.finish(holes)
}

/// Instructions whose jumps do not know yet where to.
type Holes = Vec<usize>;

struct Compiler<'a> {
    codec: &'a Codec,
    instructions: Vec<Ins>,
    tables: Vec<Table>,
    lists: Vec<Box<[Ranked]>>,
    messages: Vec<Message>,
    /// What locals stand for: a term without locals whose slots have not been written since.
    locals: HashMap<u32, Term>,
    /// How many conditions what is translated depends on.
    depth: u32,
    /// Somebody jumps here: what comes next must not be joined with what came before.
    landed: usize,
}

impl<'a> Compiler<'a> {
    fn new(codec: &'a Codec) -> Compiler<'a> {
        Compiler {
            codec,
            instructions: vec![],
            tables: vec![],
            lists: vec![],
            messages: vec![],
            locals: HashMap::new(),
            depth: 0,
            landed: 0,
        }
    }

    /// Jumps that are still open mean that the step is not possible, or the condition false.
    fn finish(mut self, holes: Holes) -> Option<Code> {
        if !holes.is_empty() {
            let end = self.jump(Ins::Jump(0));
            self.land(&holes);
            self.instructions.push(Ins::Disabled);
            self.land(&[end]);
        }
        // Places in the code and in its lists are short numbers.
        let lists = self.tables.len().max(self.lists.len()).max(self.messages.len());
        let longest = self.instructions.len().max(lists);
        (longest < usize::from(u16::MAX)).then(|| Code {
            instructions: self.instructions.into(),
            tables: self.tables.into(),
            lists: self.lists.into(),
            messages: self.messages.into(),
        })
    }

    fn jump(&mut self, ins: Ins) -> usize {
        self.instructions.push(ins);
        self.instructions.len() - 1
    }

    /// These jumps lead to what comes next.
    fn land(&mut self, holes: &[usize]) {
        let here = self.instructions.len();
        self.landed = here;
        for &hole in holes {
            match &mut self.instructions[hole] {
                Ins::Jump(to)
                | Ins::UnlessBits { to, .. }
                | Ins::IfBits { to, .. }
                | Ins::UnlessLess { to, .. }
                | Ins::IfLess { to, .. }
                | Ins::UnlessEqual { to, .. }
                | Ins::IfEqual { to, .. }
                | Ins::UnlessTable { to, .. }
                | Ins::IfTable { to, .. } => *to = here as u16,
                Ins::SetBits { .. }
                | Ins::Copy { .. }
                | Ins::SetTable { .. }
                | Ins::Rank { .. }
                | Ins::Message { .. }
                | Ins::Disabled
                | Ins::Overflow => {}
            }
        }
    }

    /// The cell's spot and the code of a value in it; the code is missing if the value never is in the cell.
    fn coded(&self, slot: u32, value: i64) -> Option<(Spot, Option<u64>)> {
        let (spot, _) = self.codec.spot(slot)?;
        Some((spot, self.codec.encode(slot, value)))
    }

    /// Leaves unless the slot has the value. Tests of one word, one after the other, are one test.
    fn unless_is(&mut self, slot: u32, value: i64, holes: &mut Holes) -> Option<()> {
        let (spot, code) = self.coded(slot, value)?;
        let Some(code) = code else {
            holes.push(self.jump(Ins::Jump(0)));
            return Some(());
        };
        let (more, value) = (u64::from(spot.mask) << spot.shift, code << spot.shift);
        if more == 0 {
            return Some(());
        }
        let last = self.instructions.len().wrapping_sub(1);
        if self.landed <= last
            && holes.contains(&last)
            && let Some(Ins::UnlessBits { mask, bits, word, .. }) = self.instructions.get_mut(last)
            && *word == spot.word
            && *mask & more == 0
        {
            *mask |= more;
            *bits |= value;
            return Some(());
        }
        holes.push(self.jump(Ins::UnlessBits { mask: more, bits: value, word: spot.word, to: 0 }));
        Some(())
    }

    /// Leaves if the truth of a condition is `when`; goes on otherwise.
    fn branch(&mut self, condition: &Term, when: bool, holes: &mut Holes) -> Option<()> {
        match condition {
            Term::Const(v) => {
                if (*v != 0) == when {
                    holes.push(self.jump(Ins::Jump(0)));
                }
                Some(())
            }
            Term::Is(slot, value) if !when => self.unless_is(*slot, *value, holes),
            Term::Is(slot, value) => self.if_is(*slot, *value, holes),
            Term::IsNot(slot, value) => self.is_not(*slot, *value, when, holes),
            Term::Compare(op, a, b) => match self.compare(*op, *a, *b, when) {
                Some(ins) => {
                    holes.push(self.jump(ins));
                    Some(())
                }
                None => self.tabulated(condition, when, holes),
            },
            Term::And(parts) if !when => parts.iter().try_for_each(|part| self.branch(part, false, holes)),
            Term::Or(parts) if when => parts.iter().try_for_each(|part| self.branch(part, true, holes)),
            Term::And(parts) | Term::Or(parts) => {
                // Any part that decides leads past the last, which is where the jump would be.
                let mut past = vec![];
                let (last, first) = parts.split_last()?;
                for part in first {
                    self.branch(part, !when, &mut past)?;
                }
                self.branch(last, when, holes)?;
                self.land(&past);
                Some(())
            }
            _ => self.tabulated(condition, when, holes),
        }
    }

    fn if_is(&mut self, slot: u32, value: i64, holes: &mut Holes) -> Option<()> {
        let (spot, code) = self.coded(slot, value)?;
        if let Some(code) = code {
            let (mask, bits) = (u64::from(spot.mask) << spot.shift, code << spot.shift);
            holes.push(self.jump(Ins::IfBits { mask, bits, word: spot.word, to: 0 }));
        }
        Some(())
    }

    /// Neither the value nor ⊥.
    fn is_not(&mut self, slot: u32, value: i64, when: bool, holes: &mut Holes) -> Option<()> {
        let mut past = vec![];
        let equal = if when { &mut past } else { &mut *holes };
        self.if_is(slot, value, equal)?;
        self.if_is(slot, swarmcheck_ir::UNDEF, equal)?;
        if when {
            holes.push(self.jump(Ins::Jump(0)));
            self.land(&past);
        }
        Some(())
    }

    /// Comparing cells is comparing codes if both count alike and neither can be ⊥.
    fn compare(&self, op: BinaryOp, a: u32, b: u32, when: bool) -> Option<Ins> {
        if !self.codec.alike(a, b) {
            return None;
        }
        let ((a, _), (b, _), to) = (self.codec.spot(a)?, self.codec.spot(b)?, 0);
        let less = |a, b, when| if when { Ins::IfLess { a, b, to } } else { Ins::UnlessLess { a, b, to } };
        let equal = |when| if when { Ins::IfEqual { a, b, to } } else { Ins::UnlessEqual { a, b, to } };
        Some(match op {
            BinaryOp::Lt => less(a, b, when),
            BinaryOp::Gt => less(b, a, when),
            BinaryOp::Le => less(b, a, !when),
            BinaryOp::Ge => less(a, b, !when),
            BinaryOp::Eq => equal(when),
            BinaryOp::Ne => equal(!when),
            _ => return None,
        })
    }

    fn tabulated(&mut self, condition: &Term, when: bool, holes: &mut Holes) -> Option<()> {
        let truth = |value| matches!(value, 0 | 1).then_some(value as u16);
        let table = Table::new(condition, self.codec, truth)?;
        // What the ranges of the cells decide needs no looking.
        if let Some(always) = table.constant() {
            if (always == 1) == when {
                holes.push(self.jump(Ins::Jump(0)));
            }
            return Some(());
        }
        let table = self.table(table);
        let ins = if when { Ins::IfTable { table, to: 0 } } else { Ins::UnlessTable { table, to: 0 } };
        holes.push(self.jump(ins));
        Some(())
    }

    fn table(&mut self, table: Table) -> u16 {
        let at = self.tables.iter().position(|t| *t == table).unwrap_or(self.tables.len());
        if at == self.tables.len() {
            self.tables.push(table);
        }
        at as u16
    }

    fn block(&mut self, acts: &[Act], disabled: &mut Holes) -> Option<()> {
        acts.iter().try_for_each(|act| self.act(act, disabled))
    }

    /// A block that runs under a condition.
    fn branch_block(&mut self, acts: &[Act], disabled: &mut Holes) -> Option<()> {
        self.depth += 1;
        let result = self.block(acts, disabled);
        self.depth -= 1;
        result
    }

    /// A slot is written: locals that were computed from it have no other name for their value any more.
    fn wrote(&mut self, slot: u32) {
        self.locals.retain(|_, term| term.reads().is_some_and(|slots| !slots.contains(&slot)));
    }

    fn act(&mut self, act: &Act, disabled: &mut Holes) -> Option<()> {
        match act {
            Act::Set(slot, Term::Local(local)) => {
                let value = self.locals.get(local)?.clone();
                self.set(*slot, &value)
            }
            Act::Set(slot, value) => self.set(*slot, value),
            Act::Let(local, value) if self.depth == 0 => {
                // Even if nobody looks at it: what faults must be run where that is noticed.
                if !matches!(value, Term::Const(_) | Term::Slot(_)) {
                    Table::new(value, self.codec, |_| Some(0))?;
                }
                value.reads()?;
                self.locals.insert(*local, value.clone());
                Some(())
            }
            Act::Copy { to, from, cells } => (0..*cells).try_for_each(|i| self.copy(to + i, from + i)),
            Act::If(condition, yes, no) => {
                let mut holes = vec![];
                let start = self.instructions.len();
                self.branch(condition, false, &mut holes)?;
                self.branch_block(yes, disabled)?;
                if let Some(message) = self.message(start, &holes) {
                    return self.sent(start, message, no, disabled);
                }
                if !no.is_empty() {
                    let end = self.jump(Ins::Jump(0));
                    self.land(&holes);
                    self.branch_block(no, disabled)?;
                    holes = vec![end];
                }
                self.land(&holes);
                Some(())
            }
            Act::Assume(condition) => self.branch(condition, false, disabled),
            Act::Rank(slots) => {
                let spots = slots.iter().map(|&slot| {
                    let (spot, codes) = self.codec.spot(slot)?;
                    // Ranks are stored as they are, and there are few.
                    (codes <= 64 && self.codec.encode(slot, 0) == Some(0)).then_some(spot)
                });
                self.lists.push(by_word(spots.collect::<Option<_>>()?));
                slots.iter().for_each(|&slot| self.wrote(slot));
                self.instructions.push(Ins::Rank { list: (self.lists.len() - 1) as u16 });
                Some(())
            }
            Act::SetCell(..)
            | Act::Fill { .. }
            | Act::Let(..)
            | Act::Havoc(..)
            | Act::Pick { .. }
            | Act::Check(_)
            | Act::Choose(_)
            | Act::CopyBetween { .. } => None,
        }
    }

    fn set(&mut self, slot: u32, value: &Term) -> Option<()> {
        self.wrote(slot);
        match value {
            Term::Const(value) => {
                let (spot, code) = self.coded(slot, *value)?;
                match code {
                    Some(code) => self.set_bits(spot, code),
                    // Ranges may show that nobody gets here; if somebody does, it must be noticed.
                    None => self.instructions.push(Ins::Overflow),
                }
                Some(())
            }
            Term::Slot(from) => self.copy(slot, *from),
            value => self.set_table(slot, value),
        }
    }

    fn set_table(&mut self, slot: u32, value: &Term) -> Option<()> {
        let (to, codes) = self.codec.spot(slot)?;
        if codes >= u32::from(table::NOTHING) {
            return None;
        }
        let code = |value| Some(self.codec.encode(slot, value).map_or(table::NOTHING, |code| code as u16));
        let table = Table::new(value, self.codec, code)?;
        let table = self.table(table);
        self.instructions.push(Ins::SetTable { to, table });
        Some(())
    }

    /// Assignments to one word, one after the other, are one.
    fn set_bits(&mut self, spot: Spot, code: u64) {
        let (mask, more) = (u64::from(spot.mask) << spot.shift, code << spot.shift);
        if mask == 0 {
            return;
        }
        let last = self.instructions.len().wrapping_sub(1);
        if self.landed <= last
            && let Some(Ins::SetBits { keep, bits, word }) = self.instructions.get_mut(last)
            && *word == spot.word
        {
            *keep &= !mask;
            *bits = *bits & !mask | more;
            return;
        }
        self.instructions.push(Ins::SetBits { keep: !mask, bits: more, word: spot.word });
    }

    fn copy(&mut self, to: u32, from: u32) -> Option<()> {
        if to == from {
            return Some(());
        }
        self.wrote(to);
        if !self.codec.same(to, from) {
            return self.set_table(to, &Term::Slot(from));
        }
        let ((target, _), (source, _)) = (self.codec.spot(to)?, self.codec.spot(from)?);
        if target.mask == 0 {
            return Some(());
        }
        let last = self.instructions.len().wrapping_sub(1);
        if self.landed <= last
            && let Some(Ins::Copy { to, from }) = self.instructions.get_mut(last)
            && let (Some(wide), Some(wide_from)) = (beside(*to, target), beside(*from, source))
            && wide.mask == wide_from.mask
            && (to.shift < target.shift) == (from.shift < source.shift)
            && !overlap(wide, wide_from)
        {
            (*to, *from) = (wide, wide_from);
            return Some(());
        }
        self.instructions.push(Ins::Copy { to: target, from: source });
        Some(())
    }
}

/// Both spots as one, if they lie side by side in one word.
fn beside(a: Spot, b: Spot) -> Option<Spot> {
    let (low, high) = if a.shift < b.shift { (a, b) } else { (b, a) };
    let (width, more) = (low.mask.count_ones(), high.mask.count_ones());
    let adjacent = low.word == high.word && u32::from(low.shift) + width == u32::from(high.shift);
    (adjacent && width + more <= 32).then(|| Spot {
        mask: u32::MAX >> (32 - width - more),
        word: low.word,
        shift: low.shift,
    })
}

fn overlap(a: Spot, b: Spot) -> bool {
    a.word == b.word && (u64::from(a.mask) << a.shift) & (u64::from(b.mask) << b.shift) != 0
}
