//! How many runs an interval of a wanted width needs, found out while running: C. Jegourel, J. Sun and J. S. Dong, "Sequential Schemes for
//! Frequentist Estimation of Properties in Statistical Model Checking", QEST 2017 (and ACM TOMACS 29, 2019): the scheme for an absolute error with
//! Massart's bound and a coverage interval of Clopper and Pearson.
//!
//! **The bound.** Let p̂ be the share of successes in n runs and ε half of the width. With v(x) = (x + ε/3)(1 − x − ε/3), P. Massart ("The tight constant in
//! the Dvoretzky–Kiefer–Wolfowitz inequality", Annals of Probability 18, 1990, theorem 2) shows P(p̂ − p > ε) ≤ exp(−nε² / 2v(p)), and the same with
//! 1 − p for p for the other side. v ≤ ¼, which gives Okamoto's bound (Annals of the Institute of Statistical Mathematics 10, 1958) with its
//! ln(2/δ) / 2ε² runs, whatever p is. If p is near 0 or 1, v is much smaller. p is not known, but an interval I that contains
//! it with probability 1 − α is. With V the largest v on I and on its mirror image, ⌈2V ln(2/(δ−α)) / ε²⌉ runs make the
//! error at most α + (δ − α) = δ. Here α is a tenth of δ.
//!
//! **Why the coverage holds although we look at the data to stop.** The paper computes a new interval I after every run. We differ, so that the
//! following is a proof. (1) We look after fixed numbers of runs only: n₁ is the smallest number that could be enough, each is 5 % more than the one
//! before, and the last is enough for V = ¼. If there are K of them, each interval is made with the error α/K. So with probability 1 − α *all*
//! of them contain p. (2) Let n* be the number of runs that the bound asks for if I is just {p}. If all intervals contain p, the rule stops at some
//! N ≥ n*, since V never falls below v(p). (3) The bound holds for all n ≥ n* at once: p̂ is a reverse martingale in n, so exp(λ p̂) is a
//! reverse submartingale, and by Doob's inequality P(sup_{n ≥ m} p̂ ≥ p + ε) ≤ inf_λ exp(−λ(p + ε)) E exp(λ p̂_m), which is the same Chernoff bound exp(−m KL(p + ε, p)) that holds
//! for m alone, and that Massart's is a bound of. So |p̂_N − p| > ε for the random N has a probability of at most α + (δ − α) = δ. The last
//! look is at ⌈ln(2/(δ−α)) / 2ε²⌉ runs, 3 % more than Okamoto's for δ = 0.05.
//!
//! **Runs without a verdict.** Let s be the probability that a run is satisfied, u that it is undecided. I is made as for Clopper and Pearson and
//! contains s and s + u. The low end is ŝ − ε, the high end ŝ + û + ε, and each is wrong with probability at most (δ − α)/2 by the one-sided bound. The
//! width is then 2ε more than the share of undecided runs, which more runs of the same length do not mend.

use crate::clopper_pearson::with_risk;
use crate::interval::{Interval, Refused, risk};

/// The part of the error that the coverage intervals may use.
const SHARE: f64 = 0.1;
/// Each look is at this many times the runs of the one before.
const GROWTH: f64 = 1.05;

/// The rule.
#[derive(Clone, PartialEq, Debug)]
pub struct Sequential {
    /// Half of the width.
    margin: f64,
    /// 2 ln(2/(δ−α)) / ε².
    factor: f64,
    /// The numbers of runs after which we look, ascending.
    looks: Vec<u64>,
    /// The error of each interval.
    each: f64,
}

impl Sequential {
    /// A rule for an interval of this width, from end to end.
    pub fn new(width: f64, confidence: f64) -> Result<Sequential, Refused> {
        let risk = risk(confidence)?;
        if !(width > 0.0 && width < 1.0) {
            return Err(Refused::Width);
        }
        let margin = 0.5 * width;
        // The factor leaves room for the rounding of the logarithm and of what follows.
        let factor = 2.0 * (2.0 / (risk * (1.0 - SHARE))).ln() / (margin * margin) * (1.0 + 1e-12);
        if factor.is_nan() || factor > 1e15 {
            return Err(Refused::TooManyRuns);
        }
        let last = (0.25 * factor).ceil() as u64;
        let mut looks = vec![];
        let mut next = needed(factor, margin, Interval { low: 0.0, high: 0.0 }).clamp(1, last);
        while next < last {
            looks.push(next);
            next = ((next as f64 * GROWTH).ceil() as u64).max(next + 1);
        }
        looks.push(last);
        let each = SHARE * risk / looks.len() as f64;
        Ok(Sequential { margin, factor, looks, each })
    }

    /// How many runs there have to be, in total, when the rule next looks at them; `runs` itself if these are enough. Ask with 0 at first, make as many
    /// runs as the answer says, ask again. What is known in between does not count.
    pub fn runs_needed(&self, satisfied: u64, undecided: u64, runs: u64) -> u64 {
        if self.enough(satisfied, undecided, runs) {
            return runs;
        }
        // Not enough, so there is a later look.
        self.looks.iter().copied().find(|look| *look > runs).unwrap_or(runs)
    }

    /// Whether the rule stops here: only at numbers that [`Sequential::runs_needed`] gave, or at its limit.
    pub fn enough(&self, satisfied: u64, undecided: u64, runs: u64) -> bool {
        if runs >= self.limit() {
            return true;
        }
        if self.looks.binary_search(&runs).is_err() {
            return false;
        }
        let cover = with_risk(satisfied, undecided, runs, self.each);
        needed(self.factor, self.margin, cover) <= runs
    }

    /// The interval when the rule has stopped. Before that it is meaningless: use [`crate::clopper_pearson`] for a number of runs
    /// that does not depend on the results.
    pub fn interval(&self, satisfied: u64, undecided: u64, runs: u64) -> Interval {
        if runs == 0 {
            return Interval::UNIT;
        }
        let (low, high) = (satisfied.min(runs), satisfied.saturating_add(undecided).min(runs));
        let share = |count: u64| count as f64 / runs as f64;
        // Two roundings each, away from the middle.
        let low = (share(low).next_down() - self.margin).next_down().max(0.0);
        let high = (share(high).next_up() + self.margin).next_up().min(1.0);
        Interval { low, high }
    }

    /// The number of runs at which the rule stops at the latest.
    pub fn limit(&self) -> u64 {
        self.looks.last().copied().unwrap_or(1)
    }
}

/// The number of runs that Okamoto's bound asks for, whatever the probability is: ⌈2 ln(2/δ) / width²⌉.
pub fn okamoto(width: f64, confidence: f64) -> Result<u64, Refused> {
    let risk = risk(confidence)?;
    if !(width > 0.0 && width < 1.0) {
        return Err(Refused::Width);
    }
    let runs = (2.0 * (2.0 / risk).ln() / (width * width) * (1.0 + 1e-12)).ceil();
    if runs.is_nan() || runs > 1e15 { Err(Refused::TooManyRuns) } else { Ok(runs as u64) }
}

/// The runs that the bound asks for if p is somewhere in an interval.
fn needed(factor: f64, margin: f64, cover: Interval) -> u64 {
    let third = margin / 3.0;
    // x(1 − x) rises up to ½ and falls after it. Beyond 1, where it is negative, the deviation is impossible.
    let largest = |low: f64, high: f64| {
        let x = if high < 0.5 { high } else { low.max(0.5) };
        x * (1.0 - x)
    };
    let above = largest(cover.low + third, cover.high + third);
    let below = largest(1.0 - cover.high + third, 1.0 - cover.low + third);
    (factor * above.max(below).max(0.0) * (1.0 + 1e-12)).ceil() as u64
}
