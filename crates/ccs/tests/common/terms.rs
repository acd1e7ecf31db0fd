//! Random CCS terms.

/// Random terms, the same for the same seed on every machine.
pub struct Random(fastrand::Rng);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Random {
        Random(fastrand::Rng::with_seed(seed))
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0.u64(..n)
    }

    pub fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }

    pub fn action(&mut self) -> &'static str {
        self.pick(&["a", "'a", "b", "'b", "c", "tau"])
    }

    /// A process of at most this size. `loops`: where the constants K0 and K1 may be called.
    fn process(&mut self, size: u64, loops: bool) -> String {
        if size == 0 {
            return if loops && self.below(2) == 0 {
                self.pick(&["K0", "K1"]).to_string()
            } else {
                "0".to_string()
            };
        }
        let half = (size - 1) / 2;
        match self.below(12) {
            0..=4 => format!("{}.{}", self.action(), self.process(size - 1, loops)),
            5 | 6 => format!("({} + {})", self.guarded(half, loops), self.guarded(half, loops)),
            7 | 8 => format!("({} | {})", self.process(half, false), self.process(half, false)),
            9 => format!(
                "({} |[{}]| {})",
                self.process(half, false),
                self.pick(&["a", "b, 'b", "a, b, c", "'a"]),
                self.process(half, false)
            ),
            10 => format!("({}) \\ {}", self.process(size - 1, loops), self.pick(&["a", "{b, c}"])),
            _ => format!("({})[{}]", self.process(size - 1, loops), self.pick(&["b/a", "a/b, b/a", "c/b"])),
        }
    }

    fn guarded(&mut self, size: u64, loops: bool) -> String {
        if self.below(3) == 0 {
            return self.process(size, false);
        }
        format!("{}.{}", self.action(), self.process(size, loops))
    }

    /// Two constants that may call each other, and a system.
    pub fn specification(&mut self) -> String {
        format!(
            "proc K0 = {}\nproc K1 = {}.{}\nsystem = {}",
            format_args!("{}.{}", self.action(), self.process(4, true)),
            self.action(),
            self.process(3, true),
            match self.below(3) {
                0 => format!("(K0 | K1 | {}) \\ {}", self.process(3, false), self.pick(&["a", "{a, b}"])),
                1 => format!("K0 + ({} | K1)", self.process(4, true)),
                _ => self.process(9, true),
            }
        )
    }
}
