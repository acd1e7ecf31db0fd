//! Ranks on packed states.

use super::Spot;
use std::ops::IndexMut;

/// Some cells of one word that are ranked, with others, and what else is in the word.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Ranked {
    pub(super) word: u16,
    pub(super) keep: u64,
    pub(super) spots: Box<[Spot]>,
}

impl Ranked {
    /// Gives every cell another rank.
    #[inline]
    pub(super) fn change<W: IndexMut<usize, Output = u64> + ?Sized>(
        &self,
        words: &mut W,
        new: impl Fn(u64) -> u64,
    ) {
        let word = words[self.word as usize];
        let ranks = self.spots.iter().map(|s| new(word >> s.shift & u64::from(s.mask)) << s.shift);
        words[self.word as usize] = word & self.keep | ranks.fold(0, |all, rank| all | rank);
    }
}

/// Dense ranks: as [`swarmcheck_ir::ground::Runner`] does it for few agents. Ranks are stored as they are.
#[inline]
pub(super) fn rank<W: IndexMut<usize, Output = u64> + ?Sized>(ranked: &[Ranked], words: &mut W) {
    let mut present: u64 = 0;
    for part in ranked {
        let word = words[part.word as usize];
        let ranks = part.spots.iter().map(|s| 1 << (word >> s.shift & u64::from(s.mask) & 63));
        present |= ranks.fold(0, |all, rank: u64| all | rank);
    }
    if present & present.wrapping_add(1) == 0 {
        return;
    }
    if present >> 16 != 0 {
        let below = |rank: u64| u64::from((present & ((1 << (rank & 63)) - 1)).count_ones());
        ranked.iter().for_each(|part| part.change(words, below));
        return;
    }
    // Sixteen new ranks fit a word: that is faster than counting bits for everybody.
    let (mut new, mut below, mut shift) = (0, 0, 0);
    while present != 0 {
        new |= below << shift;
        below += present & 1;
        present >>= 1;
        shift += 4;
    }
    ranked.iter().for_each(|part| part.change(words, |rank| new >> (rank * 4) & 15));
}

/// Cells that are ranked together, by the words in which they are.
pub(super) fn by_word(spots: Vec<Spot>) -> Box<[Ranked]> {
    let mut words: Vec<u16> = spots.iter().map(|spot| spot.word).collect();
    words.sort_unstable();
    words.dedup();
    let ranked = words.into_iter().map(|word| {
        let spots: Box<[Spot]> = spots.iter().copied().filter(|spot| spot.word == word).collect();
        let keep = spots.iter().fold(u64::MAX, |keep, spot| keep & !(u64::from(spot.mask) << spot.shift));
        Ranked { word, keep, spots }
    });
    ranked.collect()
}
