//! The set of visited states: exact, shared, divided into shards.
//!
//! A state belongs to the shard that its hash names. A shard keeps its states one after the other in the order in which
//! they were found, so that the states of one breadth-first layer are a range, and an open-addressing table of their
//! places. States are compared in full: a collision costs time, never an answer. Each shard is filled by one thread at a
//! time, in an order that does not depend on how many threads there are; so neither do the numbers of the states.

use std::hint::select_unpredictable;

/// How many shards there are. Also the reason why a shard's table stays small enough for a cache.
pub const SHARDS: usize = 64;
/// How many states are looked up at the same time.
pub const TOGETHER: usize = 16;
/// How many slots of the table a first look takes in. Nearly all states that are known are in one of the first four.
const WINDOW: usize = 4;
const SHARD_BITS: u32 = SHARDS.trailing_zeros();
/// Bits for the place of a state in its shard.
const PLACE_BITS: u32 = 32 - SHARD_BITS;
/// The most states a shard can hold; the table stores a place plus one.
const MOST: usize = (1 << PLACE_BITS) - 1;

/// The number of a state: its shard in the low bits, its place in the shard above.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Id(pub u32);

impl Id {
    /// Stands for "no state": the parent of initial states.
    pub const NONE: Id = Id(u32::MAX);

    /// From a shard and a place in it.
    #[inline]
    pub fn new(shard: usize, place: usize) -> Id {
        Id((place << SHARD_BITS | shard) as u32)
    }

    #[inline]
    pub fn shard(self) -> usize {
        self.0 as usize & (SHARDS - 1)
    }

    /// Its place in the shard.
    #[inline]
    pub fn place(self) -> usize {
        (self.0 >> SHARD_BITS) as usize
    }
}

/// A 64-bit hash of a packed state; cut to 16 bits by tests that want collisions.
#[inline]
pub fn hash(words: &[u64], mask: u64) -> u64 {
    let mut h: u64 = 0x9e37_79b9_7f4a_7c15;
    for &word in words {
        let product = u128::from(h ^ word) * 0xd6e8_feb8_6659_fd93;
        h = (product as u64) ^ (product >> 64) as u64;
        h = h.wrapping_add(word.rotate_left(32));
    }
    h ^= h >> 32;
    h = h.wrapping_mul(0xe703_7ed1_a0b4_28db);
    (h ^ h >> 29) & mask
}

/// The shard that a hash names.
#[inline]
pub fn shard_of(hash: u64) -> usize {
    hash as usize & (SHARDS - 1)
}

/// One part of the set. Neighbours are filled by different threads at the same time, and each new state changes its shard:
/// if two of them shared a line of the cache, or two lines that are fetched together, the threads would wait for each other.
#[derive(Clone, Debug)]
#[repr(align(128))]
pub struct Shard {
    words: usize,
    mask: u64,
    states: Vec<u64>,
    /// Where each state was first reached from.
    parents: Vec<u32>,
    /// Place plus one, with some bits of the hash on top; 0 is empty.
    table: Vec<u32>,
    /// States before this place are no longer in the table.
    base: usize,
}

/// What a first look for several states has shown.
pub struct Look {
    pub hashes: [u64; TOGETHER],
    /// The places of those that were seen.
    pub places: [u32; TOGETHER],
    /// A bit for each that was not seen. It may be there all the same.
    pub unseen: u32,
}

/// The shard is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

impl Shard {
    fn new(words: usize, mask: u64) -> Shard {
        Shard { words, mask, states: vec![], parents: vec![], table: vec![0; 16], base: 0 }
    }

    /// How many states it holds.
    #[inline]
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// A state, packed.
    #[inline]
    pub fn state(&self, place: usize) -> &[u64] {
        &self.states[place * self.words..(place + 1) * self.words]
    }

    /// Where a state was first reached from; [`Id::NONE`] for an initial state.
    pub fn parent(&self, place: usize) -> Id {
        Id(self.parents[place])
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        (self.states.capacity() * 8 + self.parents.capacity() * 4 + self.table.capacity() * 4) as u64
    }

    /// The place of a state.
    pub fn find(&self, state: &[u64]) -> Option<usize> {
        let hash = hash(state, self.mask);
        self.probe::<0>(state, hash).ok()
    }

    /// Words per state. Where the caller knows, the compiler does.
    #[inline]
    fn words<const N: usize>(&self) -> usize {
        if N == 0 { self.words } else { N }
    }

    /// Looks for some states at the same time, so that the memory of one is fetched while that of the others is still on
    /// its way, and without a jump that depends on what is found. `entries` are packed states, each followed by one more
    /// word. `N` is the number of words, or 0.
    ///
    /// What has to be fetched is fetched in loops that do nothing else: the fewer instructions lie between two of them, the
    /// more are on their way together.
    #[inline]
    pub fn look<const N: usize>(&self, entries: &[u64]) -> Look {
        let words = self.words::<N>();
        let mut look = Look { hashes: [0; TOGETHER], places: [0; TOGETHER], unseen: 0 };
        for (hash, entry) in look.hashes.iter_mut().zip(entries.chunks_exact(words + 1)) {
            *hash = self::hash(&entry[..words], self.mask);
        }
        let count = (entries.len() / (words + 1)).min(TOGETHER);
        let Some(last) = self.len().checked_sub(1) else {
            look.unseen = (1 << count) - 1;
            return look;
        };
        // A window at the end of the table begins a little earlier: what lies beyond is found by those who look again.
        let (size, latest) = (self.table.len(), self.table.len() - WINDOW);
        let slots = look.hashes.map(|hash| first_slot(hash, size).min(latest));
        let mut windows = [[0; WINDOW]; TOGETHER];
        for (window, &slot) in windows.iter_mut().zip(&slots).take(count) {
            window.copy_from_slice(&self.table[slot..slot + WINDOW]);
        }
        // An empty slot has no place: any will do, because the whole state is compared.
        for ((place, window), &hash) in look.places.iter_mut().zip(&windows).zip(&look.hashes) {
            let mut found = window[WINDOW - 1];
            for &other in window[..WINDOW - 1].iter().rev() {
                found = select_unpredictable(other >> PLACE_BITS == tag(hash), other, found);
            }
            *place = (found & MOST as u32).wrapping_sub(1).min(last as u32);
        }
        for (i, entry) in entries.chunks_exact(words + 1).take(TOGETHER).enumerate() {
            let place = look.places[i] as usize;
            // What was forgotten is not to be found again.
            let seen = (place >= self.base)
                & equal(&self.states[place * words..(place + 1) * words], &entry[..words]);
            look.unseen |= u32::from(!seen) << i;
        }
        look
    }

    /// Adds a state if it is new; its place, and whether it was.
    #[inline]
    pub fn insert(&mut self, state: &[u64], parent: Id) -> Result<(usize, bool), Full> {
        self.insert_hashed::<0>(state, hash(state, self.mask), parent)
    }

    /// The same, for a state whose hash is known. `N` is the number of words, or 0.
    #[inline]
    pub fn insert_hashed<const N: usize>(
        &mut self,
        state: &[u64],
        hash: u64,
        parent: Id,
    ) -> Result<(usize, bool), Full> {
        match self.probe::<N>(state, hash) {
            Ok(place) => Ok((place, false)),
            Err(slot) => {
                let place = self.len();
                if place >= MOST {
                    return Err(Full);
                }
                self.table[slot] = entry(place, hash);
                let words = self.words::<N>();
                grow_gently(&mut self.states, words);
                self.states.extend_from_slice(state);
                grow_gently(&mut self.parents, 1);
                self.parents.push(parent.0);
                if (self.len() - self.base + 1) * 8 > self.table.len() * 5 {
                    self.rehash();
                }
                Ok((place, true))
            }
        }
    }

    /// The place of a state, or the free slot where it belongs.
    #[inline]
    fn probe<const N: usize>(&self, state: &[u64], hash: u64) -> Result<usize, usize> {
        let words = self.words::<N>();
        let mut slot = first_slot(hash, self.table.len());
        loop {
            let found = self.table[slot];
            if found == 0 {
                return Err(slot);
            }
            if found >> PLACE_BITS == tag(hash) {
                let place = (found as usize & MOST) - 1;
                let known = &self.states[place * words..(place + 1) * words];
                if equal(known, state) {
                    return Ok(place);
                }
            }
            slot += 1;
            if slot == self.table.len() {
                slot = 0;
            }
        }
    }

    /// Keeps the states, for the ways to them, but takes them for new if they are found again.
    pub fn forget(&mut self) {
        self.base = self.len();
        self.table.fill(0);
    }

    fn rehash(&mut self) {
        let size = self.table.len() * 3 / 2 + 16;
        self.table.clear();
        self.table.shrink_to_fit();
        // Written once from end to end: memory that the system gives as zeros on request, and that is read before it is
        // written, takes two faults per page, and the second one interrupts all other threads.
        self.table.resize(size, 0);
        for place in self.base..self.len() {
            let hash = hash(self.state(place), self.mask);
            let mut slot = first_slot(hash, size);
            while self.table[slot] != 0 {
                slot += 1;
                if slot == size {
                    slot = 0;
                }
            }
            self.table[slot] = entry(place, hash);
        }
    }
}

/// Short states are compared here: calling out takes longer than comparing.
#[inline]
fn equal(known: &[u64], state: &[u64]) -> bool {
    match (known, state) {
        ([a], [b]) => a == b,
        ([a, c], [b, d]) => (a ^ b) | (c ^ d) == 0,
        (a, b) => a == b,
    }
}

/// The upper bits choose the slot: the lowest have chosen the shard. A hash that was cut short has its bits below, so
/// they are spread first.
#[inline]
fn first_slot(hash: u64, size: usize) -> usize {
    let spread = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    (spread as usize * size) >> 32
}

#[inline]
fn tag(hash: u64) -> u32 {
    (hash >> SHARD_BITS) as u32 & ((1 << SHARD_BITS) - 1)
}

#[inline]
fn entry(place: usize, hash: u64) -> u32 {
    (place + 1) as u32 | tag(hash) << PLACE_BITS
}

/// All shards grow at about the same time: doubling each would double the memory of the whole search.
#[inline]
fn grow_gently<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(more.max(list.len() / 4).max(16));
    }
}

/// The states, divided among shards by their hashes.
#[derive(Clone, Debug)]
pub struct Store {
    pub shards: Vec<Shard>,
    mask: u64,
}

impl Store {
    /// An empty set of states of so many words; `bits` of the hash are used.
    pub fn new(words: usize, bits: u32) -> Store {
        let mask = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        Store { shards: vec![Shard::new(words, mask); SHARDS], mask }
    }

    /// Which bits of hashes are used.
    pub fn mask(&self) -> u64 {
        self.mask
    }

    /// How many states there are.
    pub fn len(&self) -> u64 {
        self.shards.iter().map(|s| s.len() as u64).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.shards.iter().all(Shard::is_empty)
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.shards.iter().map(Shard::memory).sum()
    }

    /// Bytes that are in use for a moment when so many shards grow at the same time: what is copied is there twice.
    pub fn growing(&self, shards: usize) -> u64 {
        self.shards.iter().map(Shard::memory).max().unwrap_or(0) * shards as u64
    }

    /// A state, packed.
    pub fn state(&self, id: Id) -> &[u64] {
        self.shards[id.shard()].state(id.place())
    }

    /// Adds a state if it is new.
    pub fn insert(&mut self, state: &[u64], parent: Id) -> Result<(Id, bool), Full> {
        let shard = shard_of(hash(state, self.mask));
        let (place, new) = self.shards[shard].insert(state, parent)?;
        Ok((Id::new(shard, place), new))
    }

    /// The number of a state that was found.
    pub fn find(&self, state: &[u64]) -> Option<Id> {
        let shard = shard_of(hash(state, self.mask));
        self.shards[shard].find(state).map(|place| Id::new(shard, place))
    }

    /// The way to a state from an initial one, both included.
    pub fn path(&self, to: Id) -> Vec<Id> {
        let mut path = vec![to];
        let mut at = to;
        loop {
            let parent = self.shards[at.shard()].parent(at.place());
            if parent == Id::NONE {
                break;
            }
            path.push(parent);
            at = parent;
        }
        path.reverse();
        path
    }

    /// One more than the largest number of a state.
    pub fn numbers(&self) -> usize {
        let longest = self.shards.iter().map(Shard::len).max().unwrap_or(0);
        longest << SHARD_BITS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Every state once, whatever the hash does.
    #[test]
    fn exact_with_good_and_bad_hashes() {
        for bits in [64, 16, 3, 0] {
            let mut store = Store::new(2, bits);
            let mut known: HashMap<[u64; 2], Id> = HashMap::new();
            for i in 0..6000u64 {
                let state = [(i * i) % 701, i % 7];
                let (id, new) = store.insert(&state, Id::NONE).expect("there is room");
                assert_eq!(new, !known.contains_key(&state), "{bits} bits, {state:?}");
                assert_eq!(*known.entry(state).or_insert(id), id);
                assert_eq!(store.state(id), state);
            }
            assert_eq!(store.len(), known.len() as u64);
            for (state, id) in &known {
                assert_eq!(store.find(state), Some(*id));
            }
            assert_eq!(store.find(&[702, 0]), None);
        }
    }

    /// Whatever the hash does: what is seen is there, at that place; what is not there is not seen. With a good hash most
    /// of what is there is seen: four slots of a table that is five eighths full at most are looked at.
    #[test]
    fn a_first_look_does_not_err() {
        for bits in [64, 16, 3, 0] {
            let mut store = Store::new(2, bits);
            let (mut seen, mut known) = (0, 0);
            for round in 0..400u64 {
                let states: Vec<[u64; 2]> =
                    (0..TOGETHER as u64 - round % 3).map(|i| [(round * i) % 1009, i % 5]).collect();
                for shard in 0..SHARDS {
                    let here = |state: &&[u64; 2]| shard_of(hash(&state[..], store.mask())) == shard;
                    let mine: Vec<_> = states.iter().filter(here).collect();
                    let entries: Vec<u64> = mine.iter().flat_map(|s| [s[0], s[1], 7]).collect();
                    let look = store.shards[shard].look::<2>(&entries);
                    assert_eq!(look.unseen >> mine.len(), 0);
                    for (i, state) in mine.into_iter().enumerate() {
                        let place = store.shards[shard].find(state);
                        known += u32::from(place.is_some());
                        if look.unseen >> i & 1 == 0 {
                            assert_eq!(place, Some(look.places[i] as usize), "{bits} bits, {state:?}");
                            seen += 1;
                        }
                    }
                }
                for state in &states {
                    store.insert(state, Id::NONE).expect("there is room");
                }
            }
            assert!(bits != 64 || seen * 20 > known * 19, "{seen} of {known}");
            // What is forgotten is not seen, although it is still stored.
            for shard in &mut store.shards {
                shard.forget();
                let entries: Vec<u64> =
                    (0..shard.len()).flat_map(|p| [shard.state(p), &[7]].concat()).collect();
                for some in entries.chunks(3 * TOGETHER) {
                    assert_eq!(shard.look::<2>(some).unseen, (1 << (some.len() / 3)) - 1, "{bits} bits");
                }
                // Those that come again are seen at their new places; the others stay forgotten.
                let old = shard.len();
                for place in (0..old).step_by(2) {
                    let state = shard.state(place).to_vec();
                    assert_eq!(shard.insert(&state, Id::NONE), Ok((old + place / 2, true)));
                }
                for (place, entry) in entries.chunks(3).enumerate() {
                    let look = shard.look::<2>(entry);
                    let again = (look.unseen == 0).then_some(look.places[0] as usize);
                    assert!(again.is_none_or(|new| place % 2 == 0 && new == old + place / 2), "{bits} bits");
                }
            }
        }
    }

    #[test]
    fn paths_lead_from_the_first_state() {
        let mut store = Store::new(1, 64);
        let mut last = Id::NONE;
        for i in 0..100 {
            last = store.insert(&[i], last).expect("there is room").0;
        }
        let path: Vec<u64> = store.path(last).into_iter().map(|id| store.state(id)[0]).collect();
        assert_eq!(path, (0..100).collect::<Vec<_>>());
    }
}
