//! Nondeterminism: how choices are resolved, and how all sequences of choices are enumerated.

use crate::arith::Value;

/// Resolves nondeterminism: `choose(n)` returns a number below `n`. Asked only when `n` is at least 2.
pub trait Chooser {
    /// Picks one of `n`.
    fn choose(&mut self, n: u64) -> u64;

    /// Picks one of the `n` numbers from `lo` on; returns how far it is from `lo`.
    #[inline]
    fn number(&mut self, _lo: Value, n: u64) -> u64 {
        self.choose(n)
    }
}

impl<C: Chooser + ?Sized> Chooser for &mut C {
    fn choose(&mut self, n: u64) -> u64 {
        (**self).choose(n)
    }

    fn number(&mut self, lo: Value, n: u64) -> u64 {
        (**self).number(lo, n)
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

/// From a range of at most so many numbers all are drawn.
const FEW: u64 = 1000;

/// Goes through sequences of choices like [`Enumerate`], but draws from a range of very many numbers only those that are
/// likely: somebody who looks for a step to a known state expects its values. If there are none, the least is drawn.
#[derive(Clone, Debug)]
pub struct Expect<'a> {
    kept: Enumerate,
    /// The numbers that are likely, in order; none if all are.
    likely: Option<&'a [Value]>,
    /// The choices of the current run, among all alternatives.
    made: Vec<u64>,
    has_left_out: bool,
}

impl<'a> Expect<'a> {
    /// With the numbers that are likely, in order; with none, all sequences of choices.
    pub fn new(likely: Option<&'a [Value]>) -> Expect<'a> {
        Expect { kept: Enumerate::default(), likely, made: vec![], has_left_out: false }
    }

    pub fn reset(&mut self) {
        self.kept.reset();
        self.made.clear();
    }

    /// Moves to the next sequence of choices; `false` when all have been seen.
    pub fn advance(&mut self) -> bool {
        self.made.clear();
        self.kept.advance()
    }

    /// The choices of the current run.
    pub fn choices(&self) -> Vec<u64> {
        self.made.clone()
    }

    /// Whether numbers were left out.
    pub fn has_left_out(&self) -> bool {
        self.has_left_out
    }
}

impl Chooser for Expect<'_> {
    fn choose(&mut self, n: u64) -> u64 {
        let chosen = self.kept.choose(n);
        self.made.push(chosen);
        chosen
    }

    fn number(&mut self, lo: Value, n: u64) -> u64 {
        let Some(likely) = self.likely.filter(|_| n > FEW) else { return self.choose(n) };
        self.has_left_out = true;
        let from = likely.partition_point(|number| *number < lo);
        let inside = &likely[from..];
        let inside = &inside[..inside.partition_point(|number| number.abs_diff(lo) < n)];
        let offset = match inside.len() {
            0 => 0,
            many => inside[self.kept.choose(many as u64) as usize].abs_diff(lo),
        };
        self.made.push(offset);
        offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All runs of a draw from this range and a choice among two.
    fn runs(likely: Option<&[Value]>, lo: Value, n: u64) -> (Vec<(u64, u64)>, bool) {
        let mut choices = Expect::new(likely);
        let mut all = vec![];
        loop {
            let run = (choices.number(lo, n), choices.choose(2));
            assert_eq!(choices.choices(), [run.0, run.1]);
            all.push(run);
            if !choices.advance() {
                return (all, choices.has_left_out());
            }
        }
    }

    #[test]
    fn of_very_many_numbers_the_likely_ones_are_drawn() {
        let all = |offsets: &[u64]| offsets.iter().flat_map(|o| [(*o, 0), (*o, 1)]).collect::<Vec<_>>();
        let likely: &[Value] = &[Value::MIN, -7, 3, 5000, Value::MAX];
        assert_eq!(runs(Some(likely), -10, 2000), (all(&[3, 13]), true));
        assert_eq!(runs(Some(likely), -10, 5010), (all(&[3, 13]), true), "the end is not drawn");
        assert_eq!(runs(Some(likely), -10, 5011), (all(&[3, 13, 5010]), true));
        assert_eq!(runs(Some(likely), 6000, 2000), (all(&[0]), true), "nothing is likely");
        let whole = runs(Some(likely), Value::MIN, u64::MAX);
        assert_eq!(whole.0.len(), 8, "all but the greatest");
        assert_eq!(whole.0[0], (0, 0));
    }

    #[test]
    fn of_few_numbers_or_with_nothing_known_all_are_drawn() {
        assert_eq!(runs(Some(&[3]), 0, FEW).0.len(), 2 * FEW as usize);
        let (all, has_left_out) = runs(None, 0, 2 * FEW);
        assert!(all.len() == 4 * FEW as usize && !has_left_out);
    }
}
