//! Draws: a few words around the project's reproducible generator.

use swarmcheck_simulate::Rng;

/// A source of draws. The same seed gives the same draws forever.
pub(super) struct Random(Rng);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(Rng::for_run(0x5EED, seed))
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.below(n as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in this percentage of cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// One of these, if there are any.
    pub fn any<T: Clone>(&mut self, list: &[T]) -> Option<T> {
        if list.is_empty() { None } else { Some(list[self.below(list.len())].clone()) }
    }

    /// One of these, by weight. At least one weight is not 0.
    pub fn weighted<T: Copy>(&mut self, list: &[(usize, T)]) -> T {
        let mut left = self.below(list.iter().map(|(weight, _)| weight).sum());
        for &(weight, item) in list {
            if left < weight {
                return item;
            }
            left -= weight;
        }
        unreachable!("the draw is below the sum of the weights")
    }
}
