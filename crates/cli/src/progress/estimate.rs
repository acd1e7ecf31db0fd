//! How long it will still take, where that can be said: what is left of a known whole, or of a frontier that shrinks.
//!
//! A search that is past its widest layer has a frontier that becomes smaller. If it goes on shrinking as fast as in the last
//! seconds, the time that is left is its size divided by that speed. While it grows nothing can be said.

use std::collections::VecDeque;

/// Seconds that are looked back.
const WINDOW: f64 = 10.0;
/// Less than this says nothing.
const SHORTEST: f64 = 1.0;
/// The frontier has to have shrunk by this part of its size.
const SHRUNK: f64 = 0.05;

/// The numbers of the last seconds.
#[derive(Default)]
pub struct Estimate {
    /// Elapsed seconds, what is done, what is waiting.
    history: VecDeque<(f64, u64, u64)>,
    whole: Option<u64>,
}

impl Estimate {
    /// So much is done, and so much known to be waiting, of so much in all if that is known.
    pub fn tell(&mut self, elapsed: f64, done: u64, waiting: u64, whole: Option<u64>) {
        // Another engine, or another phase, counts from the beginning.
        if self.history.back().is_some_and(|(_, before, _)| done < *before) {
            self.history.clear();
        }
        self.whole = whole;
        self.history.push_back((elapsed, done, waiting));
        while self.history.front().is_some_and(|(then, ..)| *then < elapsed - WINDOW) {
            self.history.pop_front();
        }
    }

    /// What was done per second, lately.
    pub fn rate(&self) -> Option<f64> {
        let (first, last) = (self.history.front()?, self.history.back()?);
        match last.0 - first.0 >= SHORTEST {
            true => Some((last.1 - first.1) as f64 / (last.0 - first.0)),
            // At the beginning all that there is counts.
            false if last.0 > 0.0 => Some(last.1 as f64 / last.0),
            false => None,
        }
    }

    /// The seconds that are left.
    pub fn remaining(&self) -> Option<f64> {
        let (first, last) = (self.history.front()?, self.history.back()?);
        let span = last.0 - first.0;
        if span < SHORTEST {
            return None;
        }
        if let Some(whole) = self.whole {
            let rate = self.rate().filter(|rate| *rate > 0.0)?;
            return Some(whole.saturating_sub(last.1) as f64 / rate);
        }
        let shrunk = first.2.checked_sub(last.2)? as f64;
        (shrunk > 0.0 && shrunk >= SHRUNK * first.2 as f64).then(|| last.2 as f64 / (shrunk / span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(told: &[(f64, u64, u64)], whole: Option<u64>, expected: Option<f64>) {
        let mut estimate = Estimate::default();
        told.iter().for_each(|&(elapsed, done, waiting)| estimate.tell(elapsed, done, waiting, whole));
        assert_eq!(estimate.remaining(), expected, "{told:?}");
    }

    #[test]
    fn a_frontier_that_shrinks_says_how_long() {
        // 100 in two seconds, so that the other 300 need six.
        check(&[(1.0, 0, 400), (3.0, 1000, 300)], None, Some(6.0));
        // It grows; it hardly shrinks; there is only one number; the second engine counts anew.
        check(&[(1.0, 0, 300), (3.0, 1000, 400)], None, None);
        check(&[(1.0, 0, 400), (3.0, 1000, 399)], None, None);
        check(&[(1.0, 0, 400)], None, None);
        check(&[(1.0, 1000, 400), (3.0, 10, 300)], None, None);
    }

    #[test]
    fn what_is_long_ago_does_not_count() {
        check(&[(0.0, 0, 10), (20.0, 1, 400), (22.0, 2, 300)], None, Some(6.0));
    }

    #[test]
    fn a_known_whole_says_how_long() {
        check(&[(0.0, 0, 0), (2.0, 100, 0)], Some(400), Some(6.0));
        check(&[(0.0, 0, 0), (2.0, 0, 0)], Some(400), None);
    }
}
