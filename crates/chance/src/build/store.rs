//! States that have been seen, each with its number.
//!
//! A state is kept as bytes: values of variables are small numbers, so most of them take one byte. Numbers are found by a hash
//! table with open addressing that holds nothing but numbers of states.

use swarmcheck_ir::Value;

const EMPTY: u32 = u32::MAX;

/// The states, numbered in the order in which they were seen.
pub(crate) struct Store {
    bytes: Vec<u8>,
    /// Where each state ends.
    end: Vec<usize>,
    table: Vec<u32>,
    scratch: Vec<u8>,
}

impl Store {
    pub(crate) fn new() -> Store {
        Store { bytes: vec![], end: vec![], table: vec![EMPTY; 1024], scratch: vec![] }
    }

    pub(crate) fn len(&self) -> usize {
        self.end.len()
    }

    /// The number of a state: that which it has, or the next.
    pub(crate) fn number(&mut self, state: &[Value]) -> u32 {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        state.iter().for_each(|value| encode(*value, &mut scratch));
        let mut at = self.place(&scratch);
        if self.table[at] == EMPTY {
            if 2 * self.end.len() >= self.table.len() {
                self.grow();
                at = self.place(&scratch);
            }
            self.table[at] = self.end.len() as u32;
            self.bytes.extend_from_slice(&scratch);
            self.end.push(self.bytes.len());
        }
        self.scratch = scratch;
        self.table[at]
    }

    /// Writes a state that has been seen.
    pub(crate) fn state(&self, number: u32, state: &mut [Value]) {
        let mut rest = self.stored(number);
        state.iter_mut().for_each(|value| *value = decode(&mut rest));
    }

    fn stored(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let from = if number == 0 { 0 } else { self.end[number - 1] };
        &self.bytes[from..self.end[number]]
    }

    /// Where a state is in the table, or would be.
    fn place(&self, bytes: &[u8]) -> usize {
        let mask = self.table.len() - 1;
        let mut at = hash(bytes) as usize & mask;
        while self.table[at] != EMPTY && self.stored(self.table[at]) != bytes {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let length = 2 * self.table.len();
        self.table.clear();
        self.table.resize(length, EMPTY);
        for number in 0..self.end.len() as u32 {
            let mut at = hash(self.stored(number)) as usize & (length - 1);
            while self.table[at] != EMPTY {
                at = (at + 1) & (length - 1);
            }
            self.table[at] = number;
        }
    }
}

/// Small numbers of either sign in one byte, others in more.
fn encode(value: Value, out: &mut Vec<u8>) {
    let mut rest = ((value << 1) ^ (value >> 63)) as u64;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

fn decode(bytes: &mut &[u8]) -> Value {
    let (mut value, mut shift) = (0_u64, 0);
    while let Some((byte, rest)) = bytes.split_first() {
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            break;
        }
    }
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// Mixes eight bytes at a time (the finaliser of splitmix64).
fn hash(bytes: &[u8]) -> u64 {
    let mut hash = bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash ^= hash >> 29;
    }
    hash = hash.wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_keep_their_numbers() {
        let mut store = Store::new();
        let state = |n: i64| [n % 7, -n, i64::MIN + n, i64::MAX - n * n];
        for n in 0..5000 {
            assert_eq!(store.number(&state(n)), n as u32);
        }
        let mut out = [0; 4];
        for n in 0..5000 {
            assert_eq!(store.number(&state(n)), n as u32);
            store.state(n as u32, &mut out);
            assert_eq!(out, state(n));
        }
        assert_eq!(store.len(), 5000);
    }
}
