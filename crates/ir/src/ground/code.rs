//! Blocks as straight code with jumps. Most of what programs do is comparing slots, setting them to constants and
//! copying them; those have short instructions of their own, everything else is left to the tree.

use super::term::{Act, Term};
use crate::expr::BinaryOp;

/// One instruction. Jumps go forward only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ins {
    Jump(u32),
    /// Goes on elsewhere unless the slot has this value.
    UnlessIs {
        slot: u32,
        value: i32,
        to: u32,
    },
    /// Goes on elsewhere unless the slot has another value than this, and neither is ⊥.
    UnlessIsNot {
        slot: u32,
        value: i32,
        to: u32,
    },
    /// Goes on elsewhere unless the first slot is less than the second. Ranks are never ⊥, but other slots may be.
    UnlessLess {
        a: u32,
        b: u32,
        to: u32,
    },
    /// Goes on elsewhere unless the condition holds.
    Unless {
        term: u32,
        to: u32,
    },
    SetConst {
        slot: u32,
        value: i32,
    },
    /// Copies a slot.
    CopySlot {
        to: u32,
        from: u32,
    },
    /// Sets a slot to the value of a term.
    Set {
        slot: u32,
        term: u32,
    },
    /// Ranks these slots.
    Rank {
        act: u32,
    },
    Other {
        act: u32,
    },
}

/// A block as code.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) instructions: Box<[Ins]>,
    pub(super) terms: Box<[Term]>,
    pub(super) others: Box<[Act]>,
}

#[derive(Default)]
struct Assembler {
    instructions: Vec<Ins>,
    terms: Vec<Term>,
    others: Vec<Act>,
}

impl Code {
    pub(super) fn new(acts: &[Act]) -> Code {
        let mut out = Assembler::default();
        out.block(acts);
        Code { instructions: out.instructions.into(), terms: out.terms.into(), others: out.others.into() }
    }
}

impl Assembler {
    fn block(&mut self, acts: &[Act]) {
        acts.iter().for_each(|act| self.act(act));
    }

    fn act(&mut self, act: &Act) {
        crate::cancel::check();
        match act {
            Act::Set(slot, Term::Const(c)) if i32::try_from(*c).is_ok() => {
                self.instructions.push(Ins::SetConst { slot: *slot, value: *c as i32 });
            }
            Act::Set(slot, Term::Slot(from)) => {
                self.instructions.push(Ins::CopySlot { to: *slot, from: *from });
            }
            Act::Set(slot, term) => {
                let term = self.term(term);
                self.instructions.push(Ins::Set { slot: *slot, term });
            }
            Act::Copy { to, from, cells } => {
                for cell in 0..*cells {
                    self.instructions.push(Ins::CopySlot { to: to + cell, from: from + cell });
                }
            }
            Act::If(condition, yes, no) => {
                let holes = self.unless(condition);
                self.block(yes);
                if no.is_empty() {
                    self.land(&holes);
                } else {
                    let end = self.instructions.len();
                    self.instructions.push(Ins::Jump(0));
                    self.land(&holes);
                    self.block(no);
                    self.land(&[end]);
                }
            }
            Act::Rank(_) => {
                self.others.push(act.clone());
                self.instructions.push(Ins::Rank { act: self.others.len() as u32 - 1 });
            }
            _ => {
                self.others.push(act.clone());
                self.instructions.push(Ins::Other { act: self.others.len() as u32 - 1 });
            }
        }
    }

    fn term(&mut self, term: &Term) -> u32 {
        self.terms.push(term.clone());
        self.terms.len() as u32 - 1
    }

    /// Jumps away unless the condition holds; the jumps still have to be told where to.
    fn unless(&mut self, condition: &Term) -> Vec<usize> {
        let parts = match condition {
            Term::And(parts) => &parts[..],
            other => std::slice::from_ref(other),
        };
        let mut holes = vec![];
        for part in parts {
            holes.push(self.instructions.len());
            let fits = |v: &i64| i32::try_from(*v).is_ok();
            let ins = match part {
                Term::Is(slot, v) if fits(v) => Ins::UnlessIs { slot: *slot, value: *v as i32, to: 0 },
                Term::IsNot(slot, v) if fits(v) => Ins::UnlessIsNot { slot: *slot, value: *v as i32, to: 0 },
                Term::Compare(BinaryOp::Lt, a, b) => Ins::UnlessLess { a: *a, b: *b, to: 0 },
                Term::Compare(BinaryOp::Gt, a, b) => Ins::UnlessLess { a: *b, b: *a, to: 0 },
                part => Ins::Unless { term: self.term(part), to: 0 },
            };
            self.instructions.push(ins);
        }
        holes
    }

    /// These jumps lead to what comes next.
    fn land(&mut self, holes: &[usize]) {
        let here = self.instructions.len() as u32;
        for &hole in holes {
            match &mut self.instructions[hole] {
                Ins::Jump(to)
                | Ins::UnlessIs { to, .. }
                | Ins::UnlessIsNot { to, .. }
                | Ins::UnlessLess { to, .. }
                | Ins::Unless { to, .. } => *to = here,
                _ => {}
            }
        }
    }
}
