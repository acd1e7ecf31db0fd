//! What several tests need.

#[allow(dead_code)]
pub mod systems;

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

/// Random systems.
#[allow(dead_code)]
pub struct Random(fastrand::Rng);

#[allow(dead_code)]
impl Random {
    /// The same for the same seed, on every machine.
    pub fn new(seed: u64) -> Random {
        Random(fastrand::Rng::with_seed(seed))
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u32) -> u32 {
        self.0.u32(..n)
    }

    /// A system with at most this many states and with labels from the list, where repetitions make one more frequent.
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
