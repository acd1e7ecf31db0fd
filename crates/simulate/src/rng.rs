//! A small reproducible random generator: SplitMix64 (Steele, Lea and Flood, 2014).
//!
//! Its quality is ample for choosing steps, its state is one word, and its output is fixed by its definition, which
//! the libraries' default generators do not promise.

use swarmcheck_ir::flat::Chooser;

/// The generator.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Rng {
        Rng { state: seed }
    }

    /// An independent generator for the run with this number.
    pub fn for_run(seed: u64, run: u64) -> Rng {
        let mut mix = Rng::new(seed ^ run.wrapping_mul(0xD1B5_4A32_D192_ED03));
        Rng::new(mix.next())
    }

    /// The next 64 bits.
    #[allow(clippy::should_implement_trait)]
    #[inline]
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A uniform number below `n`, without bias: draws that would favour small results are repeated (Lemire, 2019).
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        debug_assert!(n > 0);
        loop {
            let product = u128::from(self.next()) * u128::from(n);
            let low = product as u64;
            if low >= n || low >= n.wrapping_neg() % n {
                return (product >> 64) as u64;
            }
        }
    }

    /// One of the 2⁵³ numbers k / 2⁵³ from 0 to below 1.
    #[inline]
    pub fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

impl Chooser for Rng {
    #[inline]
    fn choose(&mut self, n: u64) -> u64 {
        self.below(n)
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    /// Reference output of SplitMix64 from seed 1234567, as published with the algorithm's test vectors.
    #[test]
    fn is_splitmix64() {
        let mut rng = Rng::new(1_234_567);
        let drawn: Vec<u64> = (0..3).map(|_| rng.next()).collect();
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn is_uniform_enough_and_in_range() {
        let mut rng = Rng::new(7);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[rng.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| (9_500..10_500).contains(&n)), "{seen:?}");
        assert!((0..100).all(|_| rng.below(1) == 0));
    }
}
