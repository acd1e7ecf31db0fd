//! Maps and lists for the innermost loops. Keys of maps come from searches, not from users, so nothing has to be kept from them.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map with small keys.
pub type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// Mixes in one number after another: the multiplier is that of SplitMix64.
#[derive(Clone, Copy, Default, Debug)]
pub struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        // The table takes its bits from both ends.
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(25) ^ number).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
}

/// Sorts the end of a list and leaves out what is there twice.
pub fn sort_end<T: Ord + Copy>(list: &mut Vec<T>, from: usize) {
    list[from..].sort_unstable();
    let mut kept = from;
    for at in from..list.len() {
        if at == from || list[at] != list[kept - 1] {
            list[kept] = list[at];
            kept += 1;
        }
    }
    list.truncate(kept);
}
