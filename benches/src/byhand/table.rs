//! A set of packed states: open addressing, linear probing, one allocation of the right size, exact.
//!
//! States never move, so the place of a state in the table is its number.

use std::ops::Not;

/// Slots for each state: few probes, and a load of 60 %.
const SLOTS_FOR_THREE: usize = 5;

/// What a table can hold: a whole number of which not every bit is set.
pub trait Key: Copy + Eq + Default + Not<Output = Self> {
    /// Well-mixed bits.
    fn hash(self) -> u64;
}

/// Multiplies and folds: every bit of the input reaches the upper bits of the output, which choose the slot.
fn mix(bits: u64) -> u64 {
    let wide = u128::from(bits ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
    let folded = (wide as u64) ^ ((wide >> 64) as u64);
    folded.wrapping_mul(0xa076_1d64_78bd_642f)
}

impl Key for u32 {
    fn hash(self) -> u64 {
        mix(u64::from(self))
    }
}

impl Key for u64 {
    fn hash(self) -> u64 {
        mix(self)
    }
}

impl Key for u128 {
    fn hash(self) -> u64 {
        mix(self as u64 ^ mix((self >> 64) as u64))
    }
}

/// There are more states than the table was made for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Full;

/// The set.
pub struct Table<K> {
    /// Complements of keys, so that an empty slot is 0 and the system's zeroed pages can be used as they come.
    slots: Vec<K>,
    /// How many states there are.
    states: usize,
    /// How many there may be.
    most: usize,
}

impl<K: Key> Table<K> {
    /// A table for so many states; `Full` if slots could not be numbered with 32 bits.
    pub fn new(most: usize) -> Result<Table<K>, Full> {
        let size = most.checked_mul(SLOTS_FOR_THREE).ok_or(Full)? / 3 + 1;
        u32::try_from(size).map_err(|_| Full)?;
        Ok(Table { slots: vec![K::default(); size], states: 0, most })
    }

    /// The number of slots.
    pub fn size(&self) -> usize {
        self.slots.len()
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.states
    }

    /// The slot where the search for a key with this hash begins: slots are in the order of hashes.
    #[inline(always)]
    pub fn home(&self, hash: u64) -> u32 {
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as u32
    }

    /// Loads a slot into the caches. Loads of many slots one after the other overlap; those inside `insert` do not,
    /// because each depends on a comparison that the processor cannot guess.
    #[inline(always)]
    pub fn touch(&self, home: u32) {
        std::hint::black_box(self.slots[home as usize]);
    }

    /// The slot of a key whose home is given, and whether the key is new.
    #[inline(always)]
    pub fn insert(&mut self, key: K, home: u32) -> Result<(u32, bool), Full> {
        let stored = !key;
        let mut slot = home as usize;
        loop {
            let found = self.slots[slot];
            if found == stored {
                return Ok((slot as u32, false));
            }
            if found == K::default() {
                if self.states == self.most {
                    return Err(Full);
                }
                self.states += 1;
                self.slots[slot] = stored;
                return Ok((slot as u32, true));
            }
            slot += 1;
            if slot == self.slots.len() {
                slot = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn put<K: Key>(table: &mut Table<K>, key: K) -> Result<(u32, bool), Full> {
        let home = table.home(key.hash());
        table.insert(key, home)
    }

    #[test]
    fn every_key_is_kept_once_in_a_slot_of_its_own() {
        let mut table = Table::new(1000).unwrap();
        let mut places = HashMap::new();
        for round in 0..2 {
            for key in (0..1000_u64).map(|k| k * 4096) {
                let (slot, new) = put(&mut table, key).unwrap();
                assert_eq!(new, round == 0);
                assert_eq!(*places.entry(key).or_insert(slot), slot);
            }
        }
        let mut slots: Vec<u32> = places.into_values().collect();
        slots.sort_unstable();
        slots.dedup();
        assert_eq!((slots.len(), table.states()), (1000, 1000));
        assert_eq!(put(&mut table, 7), Err(Full));
        assert!(!put(&mut table, 4096).unwrap().1, "known keys are found in a full table");
    }

    #[test]
    fn keys_that_differ_in_any_bit_are_told_apart() {
        let mut table = Table::new(129).unwrap();
        assert!(put(&mut table, 0_u128).unwrap().1);
        for bit in 0..128 {
            assert!(put(&mut table, 1_u128 << bit).unwrap().1);
        }
    }

    #[test]
    fn probes_go_round_the_end() {
        let mut table = Table::new(3).unwrap();
        let last = table.size() as u32 - 1;
        assert_eq!(table.insert(5_u32, last), Ok((last, true)));
        assert_eq!(table.insert(6_u32, last), Ok((0, true)));
        assert_eq!(table.insert(6_u32, last), Ok((0, false)));
    }
}
