//! Finds equal things by their hash, without storing them twice.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Numbers by hash. Things with the same hash are in a chain.
#[derive(Default)]
pub(super) struct Index {
    last: HashMap<u64, u32>,
    /// Of each number the one before it in its chain; of the first one, itself.
    before: Vec<u32>,
}

impl Index {
    /// The number with this hash that is the same as what is looked for.
    pub(super) fn find(&self, hash: u64, same: impl Fn(u32) -> bool) -> Option<u32> {
        let mut number = *self.last.get(&hash)?;
        loop {
            if same(number) {
                return Some(number);
            }
            let before = self.before[number as usize];
            if before == number {
                return None;
            }
            number = before;
        }
    }

    /// Adds the next number: they come in order, from 0.
    pub(super) fn add(&mut self, hash: u64, number: u32) {
        self.before.push(self.last.insert(hash, number).unwrap_or(number));
    }
}

/// The same in every run.
pub(super) fn hash(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}
