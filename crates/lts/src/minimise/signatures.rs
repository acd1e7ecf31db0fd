//! Signatures, each stored once and numbered in the order in which they came.
//!
//! A hash only finds candidates; whether two signatures are equal is decided by comparing them.

use std::collections::HashMap;

/// A pair of a label and a block.
pub type Entry = (u32, u32);

const NONE: u32 = u32::MAX;

/// A set of signatures.
pub struct Signatures {
    entries: Vec<Entry>,
    /// Where each signature ends.
    ends: Vec<usize>,
    /// The signature before it with the same hash, or `NONE`.
    older: Vec<u32>,
    /// The newest signature of each hash. It is only looked into, so its order does not matter.
    newest: HashMap<u64, u32>,
    hash: fn(&[Entry]) -> u64,
}

impl Signatures {
    /// No signatures.
    pub fn new() -> Signatures {
        Signatures::with_hash(hash)
    }

    fn with_hash(hash: fn(&[Entry]) -> u64) -> Signatures {
        Signatures { entries: vec![], ends: vec![], older: vec![], newest: HashMap::new(), hash }
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        self.ends.clear();
        self.older.clear();
        // A map that was large once would be slow to clear each time.
        if self.newest.capacity() > 64 {
            self.newest = HashMap::new();
        }
        self.newest.clear();
    }

    /// How many entries they have together.
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    /// The number of signatures.
    pub fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// The signature with a number.
    pub fn get(&self, number: u32) -> &[Entry] {
        let at = number as usize;
        let from = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.entries[from..self.ends[at]]
    }

    /// The number of a signature, which is sorted and has no entry twice.
    pub fn number(&mut self, signature: &[Entry]) -> u32 {
        let hash = (self.hash)(signature);
        let newest = self.newest.get(&hash).copied().unwrap_or(NONE);
        let mut at = newest;
        while at != NONE {
            if self.get(at) == signature {
                return at;
            }
            at = self.older[at as usize];
        }
        let number = self.len();
        self.entries.extend_from_slice(signature);
        self.ends.push(self.entries.len());
        self.older.push(newest);
        self.newest.insert(hash, number);
        number
    }
}

/// Mixes in one entry after another, with the multiplier and the shift of SplitMix64.
fn hash(signature: &[Entry]) -> u64 {
    signature.iter().fold(signature.len() as u64, |hash, &(label, block)| {
        let mixed = (hash.rotate_left(25) ^ (u64::from(label) << 32 | u64::from(block)))
            .wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 31)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(mut signatures: Signatures) {
        let samples: [&[Entry]; 5] = [&[(0, 1)], &[], &[(0, 1), (1, 0)], &[(1, 0)], &[(0, 2)]];
        for (number, sample) in (0..).zip(samples) {
            assert_eq!(signatures.number(sample), number);
        }
        for (number, sample) in (0..).zip(samples) {
            assert_eq!((signatures.number(sample), signatures.get(number)), (number, sample));
        }
        assert_eq!(signatures.len(), 5);
        signatures.clear();
        assert_eq!((signatures.number(&[(7, 7)]), signatures.len()), (0, 1));
    }

    #[test]
    fn equal_signatures_have_equal_numbers() {
        check(Signatures::new());
    }

    #[test]
    fn equal_hashes_do_no_harm() {
        check(Signatures::with_hash(|_| 0));
        check(Signatures::with_hash(|signature| signature.len() as u64));
    }
}
