//! Which slots and locals code may read and write, whatever the state.

use super::Routine;
use super::term::{Act, Draw, Dynamic, Term};
use crate::expr::BinaryOp;
use crate::flat::Layout;

/// The slots and locals that code may touch, in ascending order, each once.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    /// Read by the guard or the body.
    pub reads: Vec<u32>,
    /// Written by the body.
    pub writes: Vec<u32>,
    pub local_reads: Vec<u32>,
    /// Locals that are written.
    pub local_writes: Vec<u32>,
    /// The number of slots there are.
    width: u32,
}

impl Touched {
    /// The slots and locals that an instance may read or write.
    pub fn by(routine: &Routine, width: usize) -> Touched {
        let mut out = Touched { width: width as u32, ..Touched::default() };
        out.reads.extend(routine.tests().iter().map(|(slot, _)| *slot));
        out.term(routine.guard());
        out.block(routine.body());
        out.tidy()
    }

    /// What evaluating some terms and running some code may touch.
    pub fn by_code(terms: &[Term], code: &[Act], width: usize) -> Touched {
        let mut out = Touched { width: width as u32, ..Touched::default() };
        out.terms(terms);
        out.block(code);
        out.tidy()
    }

    fn tidy(mut self) -> Touched {
        let all = [&mut self.reads, &mut self.writes, &mut self.local_reads, &mut self.local_writes];
        for slots in all {
            slots.sort_unstable();
            slots.dedup();
        }
        self
    }

    fn terms<'a>(&mut self, terms: impl IntoIterator<Item = &'a Term>) {
        terms.into_iter().for_each(|t| self.term(t));
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Const(_) => {}
            Term::Local(local) => self.local_reads.push(*local),
            Term::Slot(slot) | Term::Is(slot, _) | Term::IsNot(slot, _) => self.reads.push(*slot),
            Term::Compare(_, a, b) => self.reads.extend([a, b]),
            Term::LocalCell { first, length, index, .. } => {
                self.local_reads.extend(*first..first + length);
                self.term(index);
            }
            Term::Cell(place) => {
                self.place(place);
                self.reads.extend(slots(place));
            }
            // Its slots are its own secret.
            Term::Table(_) => self.reads.extend(0..self.width),
            _ => self.terms(parts(term)),
        }
    }

    /// What is read to find a place.
    fn place(&mut self, place: &Dynamic) {
        self.terms(place.agent.iter().chain(&place.index));
    }

    fn block(&mut self, acts: &[Act]) {
        acts.iter().for_each(|a| self.act(a));
    }

    fn act(&mut self, act: &Act) {
        match act {
            Act::Set(slot, value) => {
                self.term(value);
                self.writes.push(*slot);
            }
            Act::SetCell(place, value) => {
                self.term(value);
                self.place(place);
                self.writes.extend(slots(place));
            }
            Act::Fill { place, set, .. } => {
                self.place(place);
                self.draw(set);
                self.writes.extend(slots(place));
            }
            Act::Havoc(local, set) => {
                self.draw(set);
                self.local_writes.push(*local);
            }
            Act::Let(local, term) => {
                self.term(term);
                self.local_writes.push(*local);
            }
            Act::Assume(term) => self.term(term),
            Act::Pick { first, length, candidates } => {
                self.terms(candidates.iter().map(|(_, condition)| condition));
                self.local_writes.extend(*first..first + length);
            }
            Act::Check(place) => self.place(place),
            Act::If(condition, yes, no) => {
                self.term(condition);
                self.block(yes);
                self.block(no);
            }
            Act::Choose(branches) => {
                for (condition, body) in branches {
                    self.term(condition);
                    self.block(body);
                }
            }
            Act::Copy { to, from, cells } => {
                self.reads.extend(*from..from + cells);
                self.writes.extend(*to..to + cells);
            }
            Act::CopyBetween { copies, cells, to, from } => {
                self.terms([to, from]);
                let all = copies.iter().filter(|&&first| first != Layout::ABSENT);
                for slot in all.flat_map(|&first| first..first + cells) {
                    self.reads.push(slot);
                    self.writes.push(slot);
                }
            }
            Act::Rank(slots) => {
                self.reads.extend(slots);
                self.writes.extend(slots);
            }
        }
    }

    fn draw(&mut self, set: &Draw) {
        match set {
            Draw::Values(values) => self.terms(values),
            Draw::Range(lo, hi) => self.terms([lo, hi]),
        }
    }
}

/// The slots that evaluating a term may read, in ascending order, each once.
pub fn reads(term: &Term, width: usize) -> Vec<u32> {
    let mut out = Touched { width: width as u32, ..Touched::default() };
    out.term(term);
    out.tidy().reads
}

/// The terms directly below one that combines others.
pub fn parts(term: &Term) -> Vec<&Term> {
    match term {
        Term::Unary(_, e) | Term::Defined(e) => vec![e],
        Term::Binary(_, sides, _) => vec![&sides.0, &sides.1],
        Term::If(parts) => vec![&parts.0, &parts.1, &parts.2],
        Term::And(parts) | Term::Or(parts) | Term::Count(parts) => parts.iter().collect(),
        _ => vec![],
    }
}

/// All cells that a place may be.
fn slots(place: &Dynamic) -> impl Iterator<Item = u32> {
    let cells: u32 = place.dimensions.iter().product();
    let one = match place.agent {
        Some(Term::Const(agent)) => Some(usize::try_from(agent).unwrap_or(usize::MAX)),
        _ => None,
    };
    let copies = place.copies.iter().enumerate().filter(move |(at, _)| one.is_none_or(|one| one == *at));
    copies.filter(|(_, first)| **first != Layout::ABSENT).flat_map(move |(_, first)| *first..first + cells)
}

/// Whether evaluating a term cannot fault, whatever the state.
pub fn is_safe(term: &Term) -> bool {
    match term {
        Term::Cell(_) | Term::LocalCell { .. } | Term::Table(_) => false,
        // A fault inside only makes it true.
        Term::Defined(_) => true,
        Term::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..) => false,
        _ => parts(term).into_iter().all(is_safe),
    }
}
