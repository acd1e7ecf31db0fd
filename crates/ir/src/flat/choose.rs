//! Nondeterminism: how choices are resolved, and how all sequences of choices are enumerated.

/// Resolves nondeterminism: `choose(n)` returns a number below `n`. Asked only when `n` is at least 2.
pub trait Chooser {
    /// Picks one of `n`.
    fn choose(&mut self, n: u64) -> u64;
}

impl<C: Chooser + ?Sized> Chooser for &mut C {
    fn choose(&mut self, n: u64) -> u64 {
        (**self).choose(n)
    }
}

/// Goes through all sequences of choices by repeated runs: each run repeats the choices made so far and
/// takes the next alternative at the last place that has one. Needs memory only for one sequence.
#[derive(Clone, Debug, Default)]
pub struct Enumerate {
    made: Vec<(u64, u64)>,
    position: usize,
}

impl Enumerate {
    pub fn reset(&mut self) {
        self.made.clear();
        self.position = 0;
    }

    /// Moves to the next sequence of choices; `false` when all have been seen.
    #[inline]
    pub fn advance(&mut self) -> bool {
        self.advance_after(0)
    }

    /// Moves to the next sequence of choices that begins with the same `fixed` ones; `false` when all have been seen.
    #[inline]
    pub fn advance_after(&mut self, fixed: usize) -> bool {
        self.position = 0;
        while self.made.len() > fixed
            && let Some((chosen, n)) = self.made.last_mut()
        {
            *chosen += 1;
            if chosen < n {
                return true;
            }
            self.made.pop();
        }
        false
    }

    /// The sequences of choices that share a prefix of this length with the current run, from the first of them on.
    pub fn beginning(&self, first: usize) -> Enumerate {
        Enumerate { made: self.made.iter().take(first).copied().collect(), position: 0 }
    }

    /// How many alternatives each choice of the current run had.
    pub fn alternatives(&self) -> impl DoubleEndedIterator<Item = u64> + ExactSizeIterator {
        self.made.iter().map(|(_, n)| *n)
    }

    /// The choices of the current run.
    pub fn choices(&self) -> impl Iterator<Item = u64> {
        self.made.iter().map(|(chosen, _)| *chosen)
    }
}

impl Chooser for Enumerate {
    fn choose(&mut self, n: u64) -> u64 {
        if self.position == self.made.len() {
            self.made.push((0, n));
        }
        self.position += 1;
        self.made[self.position - 1].0
    }
}
