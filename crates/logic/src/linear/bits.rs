//! Sets of small numbers.

/// A set of numbers. The last word is not 0, so that equal sets are the same.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Bits(Vec<u64>);

/// Every second bit.
const EVEN: u64 = 0x5555_5555_5555_5555;

impl Bits {
    pub fn of(numbers: impl IntoIterator<Item = usize>) -> Bits {
        let mut out = Bits::default();
        numbers.into_iter().for_each(|number| out.insert(number));
        out
    }

    pub fn insert(&mut self, number: usize) {
        let word = number / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    pub fn contains(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    pub fn is_subset(&self, other: &Bits) -> bool {
        self.0.len() <= other.0.len() && self.0.iter().zip(&other.0).all(|(one, other)| one & !other == 0)
    }

    pub fn union(&self, other: &Bits) -> Bits {
        let (long, short) = if self.0.len() < other.0.len() { (other, self) } else { (self, other) };
        let mut out = long.clone();
        out.0.iter_mut().zip(&short.0).for_each(|(word, more)| *word |= more);
        out
    }

    /// Whether an even number and the next one are both in it.
    pub fn has_pair(&self) -> bool {
        self.0.iter().any(|word| word & (word >> 1) & EVEN != 0)
    }

    /// The numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let of = |(at, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * at + bit)
        };
        self.0.iter().enumerate().flat_map(of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Against sets of the standard library, for all pairs of some random sets.
    #[test]
    fn they_are_sets() {
        let mut seed = 1_u64;
        let mut draw = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize
        };
        let sets: Vec<BTreeSet<usize>> = (0..60)
            .map(|number| (0..draw() % 9).map(|_| draw() % [8, 70, 200][number % 3]).collect())
            .collect();
        let mut pairs = 0;
        for one in &sets {
            let bits = Bits::of(one.iter().copied());
            assert!(bits.iter().eq(one.iter().copied()), "{one:?}");
            assert!((0..300).all(|number| bits.contains(number) == one.contains(&number)), "{one:?}");
            let pair = one.iter().any(|number| number % 2 == 0 && one.contains(&(number + 1)));
            assert_eq!(bits.has_pair(), pair, "{one:?}");
            pairs += usize::from(pair);
            for other in &sets {
                let also = Bits::of(other.iter().copied());
                assert_eq!(bits == also, one == other);
                assert_eq!(bits.is_subset(&also), one.is_subset(other), "{one:?} {other:?}");
                assert!(bits.union(&also).iter().eq(one.union(other).copied()), "{one:?} {other:?}");
            }
        }
        assert!(pairs > 5, "{pairs}");
    }
}
