//! A sequential test of a threshold: A. Wald, "Sequential Tests of Statistical Hypotheses", Annals of Mathematical Statistics 16, 1945;
//! for model checking H. L. S. Younes and R. G. Simmons, "Probabilistic Verification of Discrete Event Systems Using Acceptance Sampling", CAV 2002.
//!
//! To be decided is p ≥ threshold against p < threshold. If p is at least high = threshold + indifference or at most low = threshold − indifference,
//! the answer is wrong with probability at most 1 − confidence, each way; in between either answer will do. The likelihood ratio of high against low is a
//! martingale under low, and its inverse one under high; so the first exceeds 1/α, and falls below α, with probability at most α under
//! the hypothesis that is then wrongly dismissed (Ville's inequality). Wald's own limits, (1−β)/α and β/(1−α), only hold approximately, so these
//! slightly wider ones are used. For p beyond high or low the error is smaller still: the ratio is monotone in the number of successes.
//!
//! **Near 0 and 1** the region is cut off. If it reaches 1, high is 1, and a single violated run refutes it; the promise still holds. A region
//! that contains all probabilities, and thresholds of 0 or 1, are refused.
//!
//! **Runs without a verdict** count as violated for the walk that accepts, and as satisfied for the walk that rejects. Each
//! walk is then a test of a number that bounds p from the right side.

use crate::interval::{Refused, risk};

/// A test that has not ended, or its result.
#[derive(Clone, PartialEq, Debug)]
pub struct Wald {
    /// What a success and a failure add to the logarithm of the likelihood ratio.
    success: f64,
    failure: f64,
    /// The distance from 0 at which the test ends.
    limit: f64,
    /// With undecided runs as violated, and as satisfied.
    pessimistic: f64,
    optimistic: f64,
    decision: Option<bool>,
}

impl Wald {
    /// A test of p ≥ threshold, with a region of indifference that reaches this far to both sides.
    pub fn new(threshold: f64, indifference: f64, confidence: f64) -> Result<Wald, Refused> {
        let risk = risk(confidence)?;
        if !(threshold > 0.0 && threshold < 1.0) {
            return Err(Refused::Threshold);
        }
        let (low, high) = ((threshold - indifference).max(0.0), (threshold + indifference).min(1.0));
        // Not so when the indifference is no number.
        let sensible = indifference > 0.0 && low < threshold && threshold < high && (low > 0.0 || high < 1.0);
        if !sensible {
            return Err(Refused::Indifference);
        }
        Ok(Wald {
            success: (high / low).ln(),
            failure: (-high).ln_1p() - (-low).ln_1p(),
            limit: -risk.ln() * (1.0 + 1e-9),
            pessimistic: 0.0,
            optimistic: 0.0,
            decision: None,
        })
    }

    /// One more run. Nothing changes any more after the decision.
    pub fn record(&mut self, satisfied: bool) {
        let change = if satisfied { self.success } else { self.failure };
        self.advance(change, change);
    }

    /// One more run, of which nothing is known.
    pub fn record_undecided(&mut self) {
        self.advance(self.failure, self.success);
    }

    /// Whether p ≥ threshold, once that is decided.
    pub fn decision(&self) -> Option<bool> {
        self.decision
    }

    fn advance(&mut self, pessimistic: f64, optimistic: f64) {
        if self.decision.is_some() {
            return;
        }
        // With high = 1 and low = 0 excluded together, at most one of the changes is infinite, and it ends the walk it is added to.
        self.pessimistic += pessimistic;
        self.optimistic += optimistic;
        if self.pessimistic >= self.limit {
            self.decision = Some(true);
        } else if self.optimistic <= -self.limit {
            self.decision = Some(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability of each answer, computed without drawing: the distribution over (runs, successes) of walks that go on.
    fn answers(test: &Wald, p: f64, most: usize) -> (f64, f64) {
        let (mut open, mut yes, mut no) = (vec![(test.clone(), 1.0_f64)], 0.0, 0.0);
        for _ in 0..most {
            let mut next: Vec<(Wald, f64)> = vec![];
            for (index, (walk, mass)) in open.iter().enumerate() {
                for (satisfied, share) in [(false, 1.0 - p), (true, p)] {
                    let mut walk = walk.clone();
                    walk.record(satisfied);
                    match walk.decision() {
                        Some(true) => yes += mass * share,
                        Some(false) => no += mass * share,
                        // Sorted by successes: the success of one and the failure of the next are the same place.
                        None if !satisfied && index > 0 && same(next.last(), &walk) => {
                            next.last_mut().unwrap().1 += mass * share;
                        }
                        None => next.push((walk, mass * share)),
                    }
                }
            }
            open = next;
        }
        (yes, no)
    }

    fn same(last: Option<&(Wald, f64)>, walk: &Wald) -> bool {
        last.is_some_and(|(other, _)| (other.pessimistic - walk.pessimistic).abs() < 1e-9)
    }

    #[test]
    fn errors_are_at_most_what_is_promised() {
        for (threshold, indifference, confidence) in [(0.5, 0.1, 0.95), (0.9, 0.05, 0.9), (0.2, 0.1, 0.99)] {
            let test = Wald::new(threshold, indifference, confidence).unwrap();
            for beyond in [0.0, 0.05] {
                let (yes, no) = answers(&test, threshold + indifference + beyond, 2000);
                assert!(no <= 1.0 - confidence && yes > 1.0 - no - 1e-3, "{threshold} {yes} {no}");
                let (yes, no) = answers(&test, threshold - indifference - beyond, 2000);
                assert!(yes <= 1.0 - confidence && no > 1.0 - yes - 1e-3, "{threshold} {yes} {no}");
            }
        }
    }

    #[test]
    fn near_the_ends_the_region_is_cut_off() {
        // high = 1: one violated run decides, and ln(1/0.05)/ln(1/0.98) = 148.3 satisfied ones.
        let mut test = Wald::new(0.99, 0.01, 0.95).unwrap();
        for _ in 0..148 {
            test.record(true);
            assert_eq!(test.decision(), None);
        }
        let mut other = test.clone();
        test.record(true);
        assert_eq!(test.decision(), Some(true));
        test.record(false);
        assert_eq!(test.decision(), Some(true));
        other.record(false);
        assert_eq!(other.decision(), Some(false));
        // low = 0: one satisfied run decides.
        let mut test = Wald::new(0.01, 0.02, 0.95).unwrap();
        test.record(false);
        assert_eq!(test.decision(), None);
        test.record(true);
        assert_eq!(test.decision(), Some(true));
    }

    #[test]
    fn undecided_runs_decide_nothing() {
        let mut test = Wald::new(0.99, 0.01, 0.95).unwrap();
        let mut usual = Wald::new(0.5, 0.1, 0.95).unwrap();
        for _ in 0..10_000 {
            test.record_undecided();
            usual.record_undecided();
        }
        assert_eq!((test.decision(), usual.decision()), (None, None));
        // One in ten is undecided, the others are satisfied: at least 0.9.
        let mut test = Wald::new(0.5, 0.1, 0.95).unwrap();
        for run in 0..1000 {
            if run % 10 == 0 {
                test.record_undecided();
            } else {
                test.record(true);
            }
        }
        assert_eq!(test.decision(), Some(true));
    }

    #[test]
    fn senseless_numbers_are_refused() {
        for threshold in [0.0, 1.0, -1.0, f64::NAN] {
            assert_eq!(Wald::new(threshold, 0.1, 0.9), Err(Refused::Threshold));
        }
        for indifference in [0.0, -0.1, 0.5, 2.0, 1e-300, f64::NAN] {
            assert_eq!(Wald::new(0.5, indifference, 0.9), Err(Refused::Indifference));
        }
        assert_eq!(Wald::new(0.5, 0.1, 1.0), Err(Refused::Confidence));
    }
}
