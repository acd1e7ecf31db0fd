//! Random choreographies.

/// Random choreographies, the same for the same seed on every machine.
pub struct Random(fastrand::Rng);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Random {
        Random(fastrand::Rng::with_seed(seed))
    }

    fn below(&mut self, n: u64) -> u64 {
        self.0.u64(..n)
    }

    /// A choreography of at most this size.
    pub fn chor(&mut self, size: u64) -> String {
        if size == 0 {
            let all = ["a@p", "b@q", "c@r", "m[p,q]", "n[q,r]", "k[p,r]", "m[p,q]", "skip"];
            return all[self.below(8) as usize].to_string();
        }
        let half = (size - 1) / 2;
        match self.below(8) {
            0..=3 => format!("({}; {})", self.chor(half), self.chor(size - 1 - half)),
            4 | 5 => format!("({} + {})", self.chor(half), self.chor(half)),
            6 => format!("({} || {})", self.chor(half), self.chor(half)),
            _ => format!("*({})", self.chor(size - 1)),
        }
    }
}
