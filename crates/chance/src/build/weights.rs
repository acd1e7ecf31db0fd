//! Exact probabilities as whole numbers with common denominators.

use crate::process::gcd;

/// What a step leads to: for each sequence of choices that runs to the end, the state and the product of the numbers of
/// alternatives. Its share is one divided by that product.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcomes {
    /// State, product, and how many sequences.
    of: Vec<(u32, u128, u128)>,
    /// How many entries there may be before equal ones are put together.
    room: usize,
}

/// A distribution with whole numbers as weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Weights {
    pub(crate) entries: Vec<(u32, u128)>,
    pub(crate) total: u128,
}

/// A positive factor as a fraction.
pub(crate) type Factor = (u128, u128);

impl Outcomes {
    pub(crate) fn add(&mut self, state: u32, product: u128) {
        if self.of.len() >= self.room.max(1 << 12) {
            self.compact();
            self.room = 2 * self.of.len();
        }
        self.of.push((state, product, 1));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    fn compact(&mut self) {
        self.of.sort_unstable();
        self.of.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 += next.2;
            }
            same
        });
    }

    /// The distribution, conditional on running to the end; forgets what was added. `None` if numbers get too large.
    pub(crate) fn take(&mut self) -> Option<Weights> {
        if let [(state, _, _)] = self.of[..] {
            self.of.clear();
            return Some(Weights { entries: vec![(state, 1)], total: 1 });
        }
        self.compact();
        let mut common: u128 = 1;
        let mut last = 0;
        for (_, product, _) in &self.of {
            if *product != last {
                common = lcm(common, *product)?;
                last = *product;
            }
        }
        let mut entries: Vec<(u32, u128)> = vec![];
        for (state, product, count) in self.of.drain(..) {
            let share = (common / product).checked_mul(count)?;
            match entries.last_mut() {
                Some((known, weight)) if *known == state => *weight = weight.checked_add(share)?,
                _ => entries.push((state, share)),
            }
        }
        let divisor = entries.iter().fold(0, |d, (_, w)| gcd(d, *w)).max(1);
        entries.iter_mut().for_each(|(_, w)| *w /= divisor);
        let total = entries.iter().try_fold(0_u128, |sum, (_, w)| sum.checked_add(*w))?;
        Some(Weights { entries, total })
    }
}

/// The distribution that takes each of the given ones with a probability proportional to its factor.
pub(crate) fn mixture(parts: &[(Factor, Weights)]) -> Option<Vec<(u32, u128)>> {
    let mut common: u128 = 1;
    for ((_, below), weights) in parts {
        common = lcm(common, below.checked_mul(weights.total)?)?;
    }
    let mut out = vec![];
    for ((above, below), weights) in parts {
        let factor = (common / (below * weights.total)).checked_mul(*above)?;
        for (state, weight) in &weights.entries {
            out.push((*state, weight.checked_mul(factor)?));
        }
    }
    Some(out)
}

/// The sum of fractions.
pub(crate) fn sum(factors: impl Iterator<Item = Factor>) -> Option<Factor> {
    let (mut above, mut below) = (0_u128, 1_u128);
    for (a, b) in factors {
        let common = lcm(below, b)?;
        above = above.checked_mul(common / below)?.checked_add(a.checked_mul(common / b)?)?;
        below = common;
        let divisor = gcd(above, below).max(1);
        (above, below) = (above / divisor, below / divisor);
    }
    Some((above, below))
}

fn lcm(a: u128, b: u128) -> Option<u128> {
    (a / gcd(a, b).max(1)).checked_mul(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three ways to the end: 1/2 to state 7, 1/6 to state 7 and 1/6 to state 3. Conditional on the end: 4/5 and 1/5.
    #[test]
    fn conditional_on_running_to_the_end() {
        let mut outcomes = Outcomes::default();
        outcomes.add(7, 2);
        outcomes.add(3, 6);
        outcomes.add(7, 6);
        assert_eq!(outcomes.take(), Some(Weights { entries: vec![(3, 1), (7, 4)], total: 5 }));
        assert!(outcomes.is_empty());
    }

    /// Factors 1/2 and 1/3: 3/5 of the first, 2/5 of the second.
    #[test]
    fn mixtures() {
        let one = Weights { entries: vec![(0, 1)], total: 1 };
        let two = Weights { entries: vec![(0, 1), (1, 1)], total: 2 };
        let mixed = mixture(&[((1, 2), one), ((1, 3), two)]).expect("small");
        assert_eq!(mixed, [(0, 3), (0, 1), (1, 1)]);
        assert_eq!(sum([(1, 2), (1, 3), (1, 6)].into_iter()), Some((1, 1)));
    }
}
