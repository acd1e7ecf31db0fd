//! What several tests need.

use swarmcheck_lts::{Builder, Lts};

/// The system of these transitions, written `0 a 1, 0 i 2`, with initial state 0.
#[allow(dead_code)]
pub fn lts(text: &str) -> Lts {
    let mut builder = Builder::new();
    for step in text.split(',').map(str::trim).filter(|step| !step.is_empty()) {
        let words: Vec<&str> = step.split(' ').collect();
        builder.step(words[0].parse().unwrap(), words[1], words[2].parse().unwrap());
    }
    builder.finish(0)
}

/// SplitMix64.
#[allow(dead_code)]
pub struct Random(pub u64);

#[allow(dead_code)]
impl Random {
    /// Any number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u32) -> u32 {
        (self.next() % u64::from(n)) as u32
    }

    /// A system with at most so many states and with labels from the list, where repetitions make one more frequent.
    pub fn lts(&mut self, states: u32, labels: &[&str]) -> Lts {
        let states = 1 + self.below(states);
        let mut builder = Builder::new();
        builder.at_least(states);
        for _ in 0..self.below(2 * states + 2) {
            let label = labels[self.below(labels.len() as u32) as usize];
            let (source, target) = (self.below(states), self.below(states));
            builder.step(source, label, target);
        }
        builder.finish(self.below(states))
    }
}
