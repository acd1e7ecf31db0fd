//! Choices: values drawn from a set, and agents picked.
//!
//! A choice is made by variables of its own. Where a fixed number of things can be chosen every valuation chooses one;
//! elsewhere a valuation that chooses something impossible stops the run.

use crate::circuit::{self, Bits};
use crate::operate;
use crate::run::{Machine, State};
use crate::word::{MOST, Word, any, bits_for, cases};
use swarmcheck_aig::Lit;
use swarmcheck_ir::ground::{Draw, Term};
use swarmcheck_ir::{BinaryOp, UNDEF};

impl Machine<'_> {
    /// Any element of the set. An empty set stops the run.
    pub(crate) fn draw(&mut self, set: &Draw, state: &mut State) -> Word {
        match set {
            Draw::Values(values) => {
                if values.is_empty() {
                    state.live = Lit::FALSE;
                    return Word::constant(0);
                }
                let bits = self.fresh(bits_for(values.len() as u64));
                let chosen = cases(self.g, &bits, values.len() as u64);
                // Only what is chosen is evaluated.
                let alternatives: Vec<(Lit, Word)> = chosen
                    .into_iter()
                    .zip(values)
                    .map(|(lit, term)| (lit, self.under(lit, |me| me.eval(term, state))))
                    .collect();
                self.settle(state);
                Word::select(self.g, &alternatives)
            }
            Draw::Range(low, high) => {
                let (low, high) = (self.eval(low, state), self.eval(high, state));
                self.settle(state);
                self.between(&low, &high, state)
            }
        }
    }

    /// Any number from the first on and below the second.
    fn between(&mut self, low: &Word, high: &Word, state: &mut State) -> Word {
        let (Some((from, _)), Some((_, to))) = (low.bounds(), high.bounds()) else {
            state.live = Lit::FALSE;
            return Word::constant(0);
        };
        if from >= to {
            state.live = Lit::FALSE;
            return Word::constant(0);
        }
        let count = to - from;
        let word = if count <= MOST as i128 {
            let bits = self.fresh(bits_for(count as u64));
            let chosen = cases(self.g, &bits, count as u64);
            Word::few(self.g, chosen.into_iter().enumerate().map(|(i, lit)| (from as i64 + i as i64, lit)))
        } else {
            let width = circuit::width(from, to - 1);
            let bits = self.fresh(width);
            let half = 1i128 << (width - 1);
            let number = Bits::new(bits, -half, half - 1);
            let above = circuit::less(self.g, &Bits::constant(to - 1), &number);
            let below = circuit::less(self.g, &number, &Bits::constant(from));
            let outside = self.g.or(above, below);
            self.assume(!outside, state);
            Word::many(number.within(from, to - 1))
        };
        if low.known().is_none_or(|v| v == UNDEF) || high.known().is_none_or(|v| v == UNDEF) {
            let enough = operate::compare(self.g, BinaryOp::Le, low, &word);
            let not_too_much = operate::compare(self.g, BinaryOp::Lt, &word, high);
            self.assume(enough, state);
            self.assume(not_too_much, state);
        }
        word
    }

    /// Different agents, one after the other, each of which satisfies its condition.
    pub(crate) fn pick(&mut self, first: u32, length: u32, candidates: &[(u32, Term)], state: &mut State) {
        let mut taken = vec![Lit::FALSE; candidates.len()];
        for number in 0..length {
            if candidates.len() <= number as usize {
                state.live = Lit::FALSE;
                return;
            }
            let bits = self.fresh(bits_for(candidates.len() as u64));
            let chosen = cases(self.g, &bits, candidates.len() as u64);
            let again: Vec<Lit> = chosen.iter().zip(&taken).map(|(c, t)| self.g.and(*c, *t)).collect();
            let again = any(self.g, again);
            self.assume(!again, state);
            let mut fits = vec![];
            for (lit, (_, condition)) in chosen.iter().zip(candidates) {
                let holds = self.under(*lit, |me| me.test(condition, state));
                fits.push(self.g.and(*lit, holds));
            }
            self.settle(state);
            let fits = any(self.g, fits);
            self.assume(fits, state);
            for (taken, lit) in taken.iter_mut().zip(&chosen) {
                *taken = self.g.or(*taken, *lit);
            }
            let agents = chosen.iter().zip(candidates).map(|(lit, (agent, _))| (i64::from(*agent), *lit));
            let agents: Vec<_> = agents.collect();
            let word = Word::few(self.g, agents);
            state.set_local(first + number, word);
        }
    }
}
