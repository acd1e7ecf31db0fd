//! Places whose agent or index is computed, and ranks.

use crate::operate;
use crate::run::{Machine, State};
use crate::word::{Word, any};
use swarmcheck_aig::Lit;
use swarmcheck_ir::flat::Layout;
use swarmcheck_ir::ground::Dynamic;
use swarmcheck_ir::{BinaryOp, FaultKind, Value};

/// Where a place is: the slot, depending on the valuation.
pub(crate) struct Located {
    /// Slots with the conditions under which they are meant. At most one of these, `undefined` and `missing` is true.
    pub(crate) slots: Vec<(Lit, u32)>,
    /// The agent or an index is ⊥.
    pub(crate) undefined: Lit,
    /// The place does not exist.
    pub(crate) missing: Lit,
}

impl Machine<'_> {
    /// For each number below `count`, whether the value is that number; and whether it is an integer that is not.
    pub(crate) fn cases(&mut self, word: &Word, count: u32) -> (Vec<(Lit, u32)>, Lit) {
        let cases = (0..count).map(|i| (word.is(self.g, i64::from(i)), i));
        let cases: Vec<(Lit, u32)> = cases.filter(|(lit, _)| *lit != Lit::FALSE).collect();
        let inside = |v: Value| (0..i64::from(count)).contains(&v);
        let outside = match word.among(self.g, |v| !inside(v)) {
            Some(lit) => lit,
            None => {
                let (zero, top) = (Word::constant(0), Word::constant(i64::from(count)));
                let below = operate::compare(self.g, BinaryOp::Lt, word, &zero);
                let above = operate::compare(self.g, BinaryOp::Ge, word, &top);
                self.g.or(below, above)
            }
        };
        (cases, outside)
    }

    /// The first slot of the copy that an agent has of a variable; and the agents that do not exist, or have none.
    pub(crate) fn copies(&mut self, agent: &Word, copies: &[u32]) -> (Vec<(Lit, u32)>, Lit, Lit) {
        let (cases, nobody) = self.cases(agent, copies.len() as u32);
        let (absent, present): (Vec<_>, Vec<_>) = cases
            .into_iter()
            .map(|(lit, a)| (lit, copies[a as usize]))
            .partition(|(_, s)| *s == Layout::ABSENT);
        let without = any(self.g, absent.into_iter().map(|(lit, _)| lit).collect());
        (present, nobody, without)
    }

    /// Where a place is; that it does not exist is noted as an error.
    pub(crate) fn locate(&mut self, place: &Dynamic, state: &State) -> Located {
        let agent = place.agent.as_ref().map(|term| self.eval(term, state));
        let indices: Vec<Word> = place.index.iter().map(|term| self.eval(term, state)).collect();
        let undefs = agent.iter().chain(&indices).map(|word| word.undef).collect();
        let undefined = any(self.g, undefs);
        let (mut slots, nobody, without) = match &agent {
            None => (vec![(Lit::TRUE, place.copies.first().copied().unwrap_or(0))], Lit::FALSE, Lit::FALSE),
            Some(agent) => self.copies(agent, &place.copies),
        };
        let mut outside = vec![];
        let mut offsets = vec![(Lit::TRUE, 0)];
        for (index, &dimension) in indices.iter().zip(&place.dimensions) {
            let (cases, beyond) = self.cases(index, dimension);
            outside.push(beyond);
            let pairs = offsets.iter().flat_map(|o| cases.iter().map(move |c| (*o, *c)));
            let pairs: Vec<_> = pairs.collect();
            offsets = pairs
                .into_iter()
                .map(|((lit, offset), (case, i))| (self.g.and(lit, case), offset * dimension + i))
                .collect();
        }
        let outside = any(self.g, outside);
        // An agent without the variable comes before an index that does not exist.
        let known = self.g.and(!undefined, !nobody);
        for (lit, kind) in [(nobody, FaultKind::NoAgent), (without, FaultKind::NoVariable)] {
            let lit = self.g.and(lit, !undefined);
            self.fail(lit, kind, place.span);
        }
        let known = self.g.and(known, !without);
        let index = self.g.and(known, outside);
        self.fail(index, FaultKind::Index, place.span);
        let missing = any(self.g, vec![nobody, without, outside]);
        let missing = self.g.and(missing, !undefined);
        let pairs: Vec<_> = slots.drain(..).flat_map(|s| offsets.iter().map(move |o| (s, *o))).collect();
        let slots = pairs.into_iter().map(|((a, first), (b, offset))| (self.g.and(a, b), first + offset));
        let slots = slots.filter(|(lit, _)| *lit != Lit::FALSE).collect();
        Located { slots, undefined, missing }
    }

    /// Replaces the values of some cells by their dense ranks: the number of different smaller values among them.
    /// `None` if a cell has too many values.
    pub(crate) fn ranks(&mut self, words: &[Word]) -> Option<Vec<Word>> {
        let spread: Option<Vec<_>> = words.iter().map(|word| word.spread(self.g, 4096)).collect();
        let spread = spread?;
        let mut values: Vec<Value> = spread.iter().flatten().map(|(v, _)| *v).collect();
        values.sort_unstable();
        values.dedup();
        // How many of the values below are present, for each value.
        let mut counts = vec![Lit::TRUE];
        let mut below: Vec<Vec<Lit>> = vec![];
        for value in &values {
            // With a hundred cells each round of these loops makes ten thousands of gates.
            swarmcheck_ir::cancel::check_now();
            below.push(counts.clone());
            let is = spread.iter().flatten().filter(|(v, _)| v == value).map(|(_, lit)| *lit).collect();
            let present = any(self.g, is);
            // No more than one value for each cell can be present.
            if counts.len() < words.len() {
                counts.push(Lit::FALSE);
            }
            for k in (0..counts.len()).rev() {
                let less = if k == 0 { Lit::FALSE } else { counts[k - 1] };
                counts[k] = self.g.choose(present, less, counts[k]);
            }
        }
        let mut out = vec![];
        for list in &spread {
            swarmcheck_ir::cancel::check_now();
            let mut alternatives = vec![];
            for (value, lit) in list {
                let at = values.binary_search(value).ok()?;
                for (rank, count) in below[at].iter().enumerate() {
                    alternatives.push((rank as i64, self.g.and(*lit, *count)));
                }
            }
            out.push(Word::few(self.g, alternatives));
        }
        Some(out)
    }
}
