//! The results of a term for all codes of the cells it reads.

use super::Spot;
use crate::codec::Codec;
use std::ops::IndexMut;
use swarmcheck_ir::Value;
use swarmcheck_ir::ground::{Runner, Term};

/// More results than this are not tabulated: they would not stay in the cache.
const MOST: usize = 8192;

/// The result that has no code.
pub(super) const NOTHING: u16 = u16::MAX;

/// Results by the codes of some cells.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Table {
    axes: Box<[(Spot, u32)]>,
    results: Box<[u16]>,
}

impl Table {
    /// Tabulates a term; `None` if it reads too much, can fault, or has a result that `code` refuses.
    pub(super) fn new(term: &Term, codec: &Codec, code: impl Fn(Value) -> Option<u16>) -> Option<Table> {
        let slots = term.reads()?;
        let mut axes = vec![];
        let mut combinations: usize = 1;
        for &slot in &slots {
            let (spot, codes) = codec.spot(slot)?;
            combinations = combinations.checked_mul(codes as usize).filter(|&c| c <= MOST)?;
            axes.push((spot, codes));
        }
        let width = slots.iter().map(|&slot| slot as usize + 1).max().unwrap_or(0);
        let mut state: Vec<Value> = vec![0; width];
        let mut runner = Runner::default();
        let mut results = Vec::with_capacity(combinations);
        for number in 0..combinations {
            let mut rest = number;
            for (&slot, (_, codes)) in slots.iter().zip(&axes).rev() {
                state[slot as usize] = codec.decode(slot, (rest % *codes as usize) as u64);
                rest /= *codes as usize;
            }
            results.push(code(runner.evaluate(term, &state).ok()?)?);
        }
        Some(Table { axes: axes.into(), results: results.into() })
    }

    /// The result, if it is always the same.
    pub(super) fn constant(&self) -> Option<u16> {
        let first = *self.results.first()?;
        self.results.iter().all(|result| *result == first).then_some(first)
    }

    /// The result for some words. A code that no value has cannot occur; if it did, the result would be nothing.
    #[inline]
    pub(super) fn look_up<W: IndexMut<usize, Output = u64> + ?Sized>(&self, words: &W) -> u16 {
        let mut at = 0;
        for (spot, codes) in &self.axes {
            at = at * *codes as usize + spot.get(words) as usize;
        }
        self.results.get(at).copied().unwrap_or(NOTHING)
    }
}
