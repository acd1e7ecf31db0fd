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
