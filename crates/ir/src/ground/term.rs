//! Expressions and statements of the ground program.

use super::table::Table;
use crate::arith::{self, UNDEF, Value};
use crate::expr::{BinaryOp, UnaryOp};
use crate::flat::Layout;
use std::sync::Arc;
use swarmcheck_source::Span;

/// An expression. The short forms of the most common comparisons keep guards fast.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// A number, or ⊥.
    Const(Value),
    /// A cell of the state.
    Slot(u32),
    Local(u32),
    /// A cell of a local array.
    LocalCell {
        /// Its first cell.
        first: u32,
        length: u32,
        /// Which cell.
        index: Box<Term>,
        /// Blamed for an index out of bounds.
        span: Span,
    },
    /// A cell that is known only when it is read.
    Cell(Box<Dynamic>),
    /// `op e`.
    Unary(UnaryOp, Box<Term>),
    /// `a op b`.
    Binary(BinaryOp, Box<(Term, Term)>, Span),
    /// The slot has this value, which is not ⊥.
    Is(u32, Value),
    /// The slot has another value than this, and neither is ⊥.
    IsNot(u32, Value),
    /// Two slots compare so.
    Compare(BinaryOp, u32, u32),
    /// Left to right, stopping at the first that is false.
    And(Box<[Term]>),
    /// Left to right, stopping at the first that is true.
    Or(Box<[Term]>),
    /// Only one branch is evaluated.
    If(Box<(Term, Term, Term)>),
    /// Whether it is not ⊥; a fault inside counts as defined.
    Defined(Box<Term>),
    /// How many of these conditions hold.
    Count(Box<[Term]>),
    /// A term whose results are known.
    Table(Box<Table>),
}

/// A place whose agent or index is computed, or that does not exist.
#[derive(Clone, Debug, PartialEq)]
pub struct Dynamic {
    /// Whose copy, and the first slot of each agent's copy; without an agent the copy is that of a global variable.
    pub agent: Option<Term>,
    /// The first slot of each agent's copy, or of the only one.
    pub copies: Arc<[u32]>,
    /// The indices.
    pub index: Box<[Term]>,
    /// The sizes of the array.
    pub dimensions: Box<[u32]>,
    /// Blamed for an index out of bounds.
    pub span: Span,
}

impl Dynamic {
    /// The first slot of the whole variable, if it is known whose copy is meant.
    pub(crate) fn known(&self) -> Option<u32> {
        match self.agent {
            None => self.copies.first().copied(),
            Some(Term::Const(agent)) => Layout::copy_of(&self.copies, agent).ok(),
            Some(_) => None,
        }
    }
}

/// A statement; see [`crate::Stmt`] for meanings.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    Set(u32, Term),
    SetCell(Box<Dynamic>, Term),
    Fill { place: Box<Dynamic>, cells: u32, set: Draw },
    Let(u32, Term),
    Havoc(u32, Draw),
    Pick { first: u32, length: u32, candidates: Box<[(u32, Term)]> },
    Assume(Term),
    Check(Box<Dynamic>),
    If(Term, Box<[Act]>, Box<[Act]>),
    Choose(Box<[(Term, Box<[Act]>)]>),
    Copy { to: u32, from: u32, cells: u32 },
    CopyBetween { copies: Arc<[u32]>, cells: u32, to: Term, from: Term },
    Rank(Box<[u32]>),
}

impl Act {
    /// Marks the slots that the statement may write.
    pub(super) fn note_writes(&self, written: &mut [bool]) {
        match self {
            Act::Set(slot, _) => written[*slot as usize] = true,
            Act::Copy { to, cells, .. } => written[*to as usize..(to + cells) as usize].fill(true),
            Act::Rank(slots) => slots.iter().for_each(|&slot| written[slot as usize] = true),
            Act::Fill { place, cells, .. } => match place.known() {
                Some(first) => written[first as usize..(first + cells) as usize].fill(true),
                None => written.fill(true),
            },
            Act::SetCell(..) | Act::CopyBetween { .. } => written.fill(true),
            Act::If(_, yes, no) => yes.iter().chain(no).for_each(|act| act.note_writes(written)),
            Act::Choose(branches) => {
                branches.iter().flat_map(|(_, body)| body).for_each(|act| act.note_writes(written));
            }
            Act::Let(..) | Act::Havoc(..) | Act::Pick { .. } | Act::Assume(_) | Act::Check(_) => {}
        }
    }
}

/// A set to draw from.
#[derive(Clone, Debug, PartialEq)]
pub enum Draw {
    Values(Box<[Term]>),
    Range(Term, Term),
}

impl Term {
    /// The slots it reads, each once; `None` if it reads anything else, or very many.
    pub fn reads(&self) -> Option<Vec<u32>> {
        let mut slots = vec![];
        super::table::reads(self, &mut slots).then_some(slots)
    }

    pub(super) const TRUE: Term = Term::Const(1);

    /// `a op b`, folded where nothing can go wrong, in its short form where there is one.
    pub(super) fn binary(op: BinaryOp, a: Term, b: Term, span: Span) -> Term {
        match (op, &a, &b) {
            (_, Term::Const(x), Term::Const(y)) => {
                if let Some(value) = arith::binary(op, *x, *y) {
                    return Term::Const(value);
                }
            }
            (BinaryOp::Eq, Term::Slot(slot), Term::Const(c))
            | (BinaryOp::Eq, Term::Const(c), Term::Slot(slot)) => {
                return if *c == UNDEF { Term::Const(0) } else { Term::Is(*slot, *c) };
            }
            (BinaryOp::Ne, Term::Slot(slot), Term::Const(c))
            | (BinaryOp::Ne, Term::Const(c), Term::Slot(slot)) => {
                return if *c == UNDEF { Term::Const(0) } else { Term::IsNot(*slot, *c) };
            }
            (op, Term::Slot(x), Term::Slot(y)) if op.is_comparison() => return Term::Compare(op, *x, *y),
            _ => {}
        }
        Term::Binary(op, Box::new((a, b)), span)
    }

    /// A conjunction (`neutral` is 1) or disjunction (0): what does not matter is left out, what comes after a
    /// constant that decides is never evaluated.
    pub(super) fn junction(neutral: Value, parts: impl IntoIterator<Item = Term>) -> Term {
        let mut out = vec![];
        for part in parts {
            match part {
                Term::Const(v) if (v != 0) == (neutral != 0) => {}
                Term::And(inner) if neutral == 1 => out.extend(inner),
                Term::Or(inner) if neutral == 0 => out.extend(inner),
                part => out.push(part),
            }
            if matches!(out.last(), Some(Term::Const(_))) {
                break;
            }
        }
        match out.len() {
            0 => Term::Const(neutral),
            1 => out.remove(0),
            _ if neutral == 1 => Term::And(out.into()),
            _ => Term::Or(out.into()),
        }
    }
}
