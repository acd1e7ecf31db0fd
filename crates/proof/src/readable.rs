//! An invariant over bits as conditions on cells.
//!
//! The literals of one clause that belong to one cell say that its value is in a set. So a clause is a disjunction of such
//! conditions, and a clause about one cell restricts its values. Within these restrictions, clauses become smaller:
//! a condition that every value satisfies makes the clause superfluous, one that no value satisfies is left out. Two
//! clauses that differ in one cell only are one clause with the intersection of the two sets. All this is equivalent to the
//! clauses in the states that use the proper codes of values, which all reachable states do (`code`).
//!
//! A clause about bits that hold no cell, or about numbers with many bits, has no such form. It is only counted.

use crate::certificate::meaningful;
use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_bits::code::{Code, codes};
use swarmcheck_engine::certificate::{Certificate, Proof};
use swarmcheck_engine::{Subject, Task};
use swarmcheck_ir::flat::{Cell, Layout};
use swarmcheck_ir::ground::Ground;
use swarmcheck_ir::{UNDEF, Value};
use swarmcheck_question::reduce::reduce;
use swarmcheck_question::{QuestionKind, SearchShape, questions};

/// Cells with more bits are not listed value by value.
const WIDEST: usize = 10;

/// Merging compares all pairs of clauses: more than this many are left as they are.
const MOST_MERGED: usize = 600;

/// One of these cells has one of its values.
pub type CellClause = BTreeMap<u32, BTreeSet<Value>>;

/// An invariant that can be read.
#[derive(Clone, Debug, Default)]
pub struct ReadableInvariant {
    /// For each slot that is restricted or mentioned: its values in reachable states, and whether that is news.
    pub domains: BTreeMap<u32, (BTreeSet<Value>, bool)>,
    /// Each has at least two cells.
    pub clauses: Vec<CellClause>,
    /// Clauses that have no such form.
    pub unreadable: u32,
    /// What the slots are.
    pub cells: BTreeMap<u32, Cell>,
}

/// The invariant of a certificate about reachable states; none for other questions, and where the program of the bits has
/// other states than that of the task.
pub fn readable(task: &Task, subject: Subject, certificate: &Certificate) -> Option<ReadableInvariant> {
    let questions = questions(&task.setting(), subject).ok()?;
    let kind = questions.only().kind;
    let plain = questions.shape == SearchShape::Whole && questions.hidden.is_empty();
    let reductions = meaningful(&certificate.reductions);
    if !plain || kind != QuestionKind::Always || reductions.dead || reductions.stale {
        return None;
    }
    let [Proof::Invariant { clauses, .. }] = &certificate.proofs[..] else { return None };
    let smaller = reduce(&questions.program, &questions.properties(), questions.needs, &reductions);
    let layout = Layout::new(&smaller.program);
    let codes = codes(&smaller.program, &Ground::new(&smaller.program), certificate.widths);
    let mut bits: Vec<(u32, usize)> = vec![];
    for (slot, code) in (0..).zip(&codes) {
        bits.extend((0..code.width()).map(|bit| (slot, bit)));
    }
    let mut out = Clauses { codes, bits, certificate, out: ReadableInvariant::default() };
    // That a cell has listed values only is a part of the invariant.
    for (slot, code) in (0..).zip(&out.codes) {
        if let (Code::Listed { .. }, Some(values)) = (code, code.numbered()) {
            out.out.domains.insert(slot, (values.into_iter().collect(), true));
        }
    }
    out.read(clauses);
    let mut out = out.out;
    out.simplify();
    out.cells = out.slots().into_iter().map(|slot| (slot, layout.cell(slot))).collect();
    Some(out)
}

struct Clauses<'a> {
    codes: Vec<Code>,
    /// The cell and the place in it of each bit.
    bits: Vec<(u32, usize)>,
    certificate: &'a Certificate,
    out: ReadableInvariant,
}

impl Clauses<'_> {
    fn read(&mut self, clauses: &[Vec<i64>]) {
        for clause in clauses {
            match self.clause(clause) {
                Some(clause) => self.out.clauses.push(clause),
                None if self.is_about_errors(clause) => {}
                None => self.out.unreadable += 1,
            }
        }
    }

    /// That nothing goes wrong is no news.
    fn is_about_errors(&self, clause: &[i64]) -> bool {
        let [literal] = clause else { return false };
        let at = usize::try_from(literal.unsigned_abs()).unwrap_or(0);
        *literal < 0
            && at > self.bits.len()
            && self.certificate.bits.get(at - 1).is_some_and(|b| !b.is_empty())
    }

    fn clause(&mut self, clause: &[i64]) -> Option<CellClause> {
        let mut literals: BTreeMap<u32, Vec<(usize, bool)>> = BTreeMap::new();
        for literal in clause {
            let at = usize::try_from(literal.unsigned_abs()).ok()?.checked_sub(1)?;
            let (slot, bit) = *self.bits.get(at)?;
            literals.entry(slot).or_default().push((bit, *literal > 0));
        }
        let mut out = CellClause::new();
        for (slot, literals) in literals {
            let patterns = patterns(&self.codes[slot as usize])?;
            let all = || patterns.iter().map(|(_, value)| *value).collect();
            self.out.domains.entry(slot).or_insert_with(|| (all(), false));
            let fits = |pattern: u64| literals.iter().any(|(bit, on)| (pattern >> bit & 1 != 0) == *on);
            out.insert(slot, patterns.iter().filter(|(p, _)| fits(*p)).map(|(_, value)| *value).collect());
        }
        Some(out)
    }
}

/// The proper codes of a cell with their values, if they are few.
fn patterns(code: &Code) -> Option<Vec<(u64, Value)>> {
    let width = code.width();
    if width > WIDEST {
        return None;
    }
    if let Some(values) = code.numbered() {
        return Some((0..).zip(values).collect());
    }
    let Code::Integer { low, high, undef, .. } = *code else { return None };
    let digits = width - usize::from(undef);
    let pattern = |value: Value| (value as u64) & ((1 << digits) - 1);
    let numbers = (low..=high).map(|value| (pattern(value), value));
    Some(numbers.chain(undef.then_some((1 << digits, UNDEF))).collect())
}

impl ReadableInvariant {
    fn slots(&self) -> BTreeSet<u32> {
        self.clauses.iter().flat_map(|clause| clause.keys()).chain(self.domains.keys()).copied().collect()
    }

    fn simplify(&mut self) {
        loop {
            let restricted = self.restrict();
            let merged = self.clauses.len() <= MOST_MERGED && self.merge();
            if !restricted && !merged {
                break;
            }
        }
        let all = std::mem::take(&mut self.clauses);
        let implied = |at: usize, clause: &CellClause| {
            let stronger = |other: &CellClause| {
                other.iter().all(|(slot, values)| clause.get(slot).is_some_and(|mine| values.is_subset(mine)))
            };
            let mut others = all.iter().enumerate().filter(|(number, _)| *number != at);
            others.any(|(number, other)| stronger(other) && (other != clause || number < at))
        };
        let kept = all.iter().enumerate().filter(|(at, clause)| !implied(*at, clause));
        self.clauses = kept.map(|(_, clause)| clause.clone()).collect();
    }

    /// Takes clauses about one cell into its domain, and the domains into the clauses. Whether a domain has changed.
    fn restrict(&mut self) -> bool {
        let mut changed = false;
        let mut kept = vec![];
        for mut clause in std::mem::take(&mut self.clauses) {
            let mut is_true = false;
            clause.retain(|slot, values| {
                let Some((domain, _)) = self.domains.get(slot) else { return true };
                values.retain(|value| domain.contains(value));
                is_true |= values.len() == domain.len();
                !values.is_empty()
            });
            match clause.len() {
                _ if is_true => {}
                // No state is reachable: nothing can be said about them.
                0 => {}
                1 => {
                    if let Some((slot, values)) = clause.pop_first() {
                        self.domains.insert(slot, (values, true));
                        changed = true;
                    }
                }
                _ => kept.push(clause),
            }
        }
        self.clauses = kept;
        changed
    }

    /// Makes one clause of two that differ in one cell only. Whether there were any.
    fn merge(&mut self) -> bool {
        let mut changed = false;
        let mut at = 0;
        while at < self.clauses.len() {
            let mut other = at + 1;
            while other < self.clauses.len() {
                match merged(&self.clauses[at], &self.clauses[other]) {
                    Some(one) => {
                        self.clauses[at] = one;
                        self.clauses.swap_remove(other);
                        changed = true;
                        other = at + 1;
                    }
                    None => other += 1,
                }
            }
            at += 1;
        }
        changed
    }
}

fn merged(a: &CellClause, b: &CellClause) -> Option<CellClause> {
    if a.len() != b.len() || !a.keys().eq(b.keys()) {
        return None;
    }
    let mut differ = a.iter().filter(|(slot, values)| b.get(slot) != Some(*values));
    let (slot, values) = differ.next()?;
    if differ.next().is_some() {
        return None;
    }
    let both = values.intersection(b.get(slot)?).copied().collect();
    let mut out = a.clone();
    out.insert(*slot, both);
    Some(out)
}
