//! Sets of states as bits.

/// A set of numbers below a length.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
    length: usize,
}

impl Bits {
    /// Empty.
    pub fn new(length: usize) -> Bits {
        Bits { words: vec![0; length.div_ceil(64)], length }
    }

    /// Everything.
    pub fn full(length: usize) -> Bits {
        Bits::new(length).complement()
    }

    /// The numbers for which something holds.
    pub fn from_fn(length: usize, holds: impl Fn(usize) -> bool) -> Bits {
        let mut out = Bits::new(length);
        (0..length).filter(|at| holds(*at)).for_each(|at| out.insert(at));
        out
    }

    /// One more than the largest number that could be in it.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|w| *w == 0)
    }

    /// How many are in it.
    pub fn count(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether a number is in it; what is too large is not.
    #[inline]
    pub fn contains(&self, at: usize) -> bool {
        self.words.get(at / 64).is_some_and(|w| w >> (at % 64) & 1 == 1)
    }

    /// Adds a number below the length.
    #[inline]
    pub fn insert(&mut self, at: usize) {
        debug_assert!(at < self.length);
        self.words[at / 64] |= 1 << (at % 64);
    }

    /// Removes a number below the length.
    #[inline]
    pub fn remove(&mut self, at: usize) {
        debug_assert!(at < self.length);
        self.words[at / 64] &= !(1 << (at % 64));
    }

    /// Adds one more place at the end.
    pub fn push(&mut self, on: bool) {
        if self.length.is_multiple_of(64) {
            self.words.push(0);
        }
        self.length += 1;
        if on {
            self.insert(self.length - 1);
        }
    }

    /// All that is not in it.
    pub fn complement(&self) -> Bits {
        let mut words: Vec<u64> = self.words.iter().map(|w| !w).collect();
        if let Some(last) = words.last_mut()
            && !self.length.is_multiple_of(64)
        {
            *last &= (1 << (self.length % 64)) - 1;
        }
        Bits { words, length: self.length }
    }

    /// What is in both. The lengths must be equal.
    pub fn and(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a & b)
    }

    /// What is in one of them or in both. The lengths must be equal.
    pub fn or(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a | b)
    }

    /// What is in this one only. The lengths must be equal.
    pub fn without(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a & !b)
    }

    fn zip(&self, other: &Bits, join: impl Fn(u64, u64) -> u64) -> Bits {
        debug_assert_eq!(self.length, other.length);
        let words = self.words.iter().zip(&other.words).map(|(a, b)| join(*a, *b)).collect();
        Bits { words, length: self.length }
    }

    /// The numbers in it, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(i, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let at = rest.trailing_zeros() as usize;
                rest &= rest.wrapping_sub(1);
                (at < 64).then_some(i * 64 + at)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_numbers() {
        let threes = Bits::from_fn(130, |n| n % 3 == 0);
        assert_eq!(threes.iter().collect::<Vec<_>>(), (0..130).step_by(3).collect::<Vec<_>>());
        assert_eq!(threes.count() + threes.complement().count(), 130);
        assert!(threes.and(&threes.complement()).is_empty());
        assert_eq!(threes.or(&threes.complement()), Bits::full(130));
        assert!(!Bits::full(130).contains(130));
        let mut pushed = Bits::new(0);
        (0..130).for_each(|n| pushed.push(n % 3 == 0));
        assert_eq!(pushed, threes);
        assert_eq!(Bits::full(64).count(), 64);
    }
}
