//! Arithmetic over few values as a table.
//!
//! A term that reads a few slots with small domains has few results: they are computed once, when the program is
//! instantiated. A slot that holds a value outside its domain (or ⊥) makes the term be evaluated as it stands, so a table
//! is never wrong, only useless.

use super::run::Runner;
use super::term::Term;
use crate::arith::Value;

/// More results than this are not tabulated.
const MOST: usize = 4096;
/// Smaller terms are as fast without.
const SMALLEST: usize = 4;

/// The results of a term.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    slots: Box<[Axis]>,
    results: Box<[i8]>,
    /// What the results are results of.
    pub(super) term: Term,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Axis {
    slot: u32,
    low: Value,
    size: u32,
}

impl Table {
    /// What the results are results of.
    pub fn term(&self) -> &Term {
        &self.term
    }

    /// The result, if every slot has a value of its domain.
    #[inline]
    pub(super) fn look_up(&self, state: &[Value]) -> Option<Value> {
        let mut at = 0;
        for axis in &self.slots {
            let offset = state[axis.slot as usize].wrapping_sub(axis.low) as u64;
            if offset >= u64::from(axis.size) {
                return None;
            }
            at = at * axis.size as usize + offset as usize;
        }
        Some(i64::from(self.results[at]))
    }
}

/// Replaces the largest parts of a term that have few results by tables. `domain` gives the values a slot can have.
pub(super) fn tabulate(term: Term, domain: &dyn Fn(u32) -> Option<(Value, Value)>) -> Term {
    if size(&term) < SMALLEST {
        return term;
    }
    if let Some(table) = table(&term, domain) {
        return Term::Table(Box::new(table));
    }
    let each = |parts: Box<[Term]>| parts.into_iter().map(|p| tabulate(p, domain)).collect();
    match term {
        Term::And(parts) => Term::And(each(parts)),
        Term::Or(parts) => Term::Or(each(parts)),
        Term::Count(parts) => Term::Count(each(parts)),
        Term::Unary(op, e) => Term::Unary(op, Box::new(tabulate(*e, domain))),
        Term::Defined(e) => Term::Defined(Box::new(tabulate(*e, domain))),
        Term::Binary(op, sides, span) => {
            let (a, b) = *sides;
            Term::Binary(op, Box::new((tabulate(a, domain), tabulate(b, domain))), span)
        }
        Term::If(parts) => {
            let (c, a, b) = *parts;
            Term::If(Box::new((tabulate(c, domain), tabulate(a, domain), tabulate(b, domain))))
        }
        other => other,
    }
}

/// How much there is to evaluate.
fn size(term: &Term) -> usize {
    match term {
        Term::And(parts) | Term::Or(parts) | Term::Count(parts) => parts.iter().map(size).sum::<usize>() + 1,
        Term::Unary(_, e) | Term::Defined(e) => size(e) + 1,
        Term::Binary(_, sides, _) => size(&sides.0) + size(&sides.1) + 1,
        Term::If(parts) => size(&parts.0) + size(&parts.1) + size(&parts.2) + 1,
        _ => 1,
    }
}

fn table(term: &Term, domain: &dyn Fn(u32) -> Option<(Value, Value)>) -> Option<Table> {
    let mut slots = vec![];
    if !reads(term, &mut slots) || slots.is_empty() {
        return None;
    }
    let mut axes: Vec<Axis> = vec![];
    let mut combinations: usize = 1;
    for slot in slots {
        let (low, high) = domain(slot)?;
        let size = u32::try_from(high.checked_sub(low)?.checked_add(1)?).ok()?;
        combinations = combinations.checked_mul(size as usize).filter(|&c| c <= MOST)?;
        axes.push(Axis { slot, low, size });
    }
    let width = axes.iter().map(|a| a.slot as usize + 1).max()?;
    let mut state = vec![0; width];
    let mut runner = Runner::default();
    let mut results = Vec::with_capacity(combinations);
    for number in 0..combinations {
        let mut rest = number;
        for axis in axes.iter().rev() {
            state[axis.slot as usize] = axis.low + (rest % axis.size as usize) as i64;
            rest /= axis.size as usize;
        }
        results.push(i8::try_from(runner.value(term, &state).ok()?).ok()?);
    }
    Some(Table { slots: axes.into(), results: results.into(), term: term.clone() })
}

/// Collects the slots a term reads, each once; whether it reads nothing else, and not too many.
pub(super) fn reads(term: &Term, slots: &mut Vec<u32>) -> bool {
    let mut note = |slot: u32| {
        if !slots.contains(&slot) {
            slots.push(slot);
        }
        slots.len() <= 12
    };
    match term {
        Term::Const(_) => true,
        Term::Slot(slot) | Term::Is(slot, _) | Term::IsNot(slot, _) => note(*slot),
        Term::Compare(_, a, b) => note(*a) && note(*b),
        Term::Unary(_, e) | Term::Defined(e) => reads(e, slots),
        Term::Binary(_, sides, _) => reads(&sides.0, slots) && reads(&sides.1, slots),
        Term::And(parts) | Term::Or(parts) | Term::Count(parts) => parts.iter().all(|p| reads(p, slots)),
        Term::If(parts) => [&parts.0, &parts.1, &parts.2].into_iter().all(|p| reads(p, slots)),
        Term::Table(table) => reads(&table.term, slots),
        Term::Local(_) | Term::LocalCell { .. } | Term::Cell(_) => false,
    }
}
