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
        let cover = with_risk(satisfied, undecided, runs, self.each, 1e-4);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// For each look how many runs there are, and for which numbers of successes the rule stops.
    fn stops(rule: &Sequential) -> Vec<(u64, Vec<bool>)> {
        let stop = |runs: u64| (runs, (0..=runs).map(|satisfied| rule.enough(satisfied, 0, runs)).collect());
        rule.looks.iter().map(|runs| stop(*runs)).collect()
    }

    /// The coverage and the expected number of runs of the rule, computed without drawing: the distribution of the number of successes is carried
    /// on from run to run, and what the rule stops is taken out.
    fn exactly(rule: &Sequential, stops: &[(u64, Vec<bool>)], p: f64) -> (f64, f64) {
        let (mut open, mut covered, mut expected) = (vec![1.0_f64], 0.0, 0.0);
        let mut runs = 0;
        for (look, stop) in stops {
            while runs < *look {
                runs += 1;
                open.push(0.0);
                for satisfied in (0..open.len()).rev() {
                    let before = if satisfied > 0 { open[satisfied - 1] } else { 0.0 };
                    open[satisfied] = open[satisfied] * (1.0 - p) + before * p;
                }
            }
            for (satisfied, mass) in open.iter_mut().enumerate() {
                if stop[satisfied] {
                    if rule.interval(satisfied as u64, 0, runs).contains(p) {
                        covered += *mass;
                    }
                    expected += *mass * runs as f64;
                    *mass = 0.0;
                }
            }
        }
        (covered, expected)
    }

    #[test]
    fn coverage_is_at_least_nominal() {
        for (width, confidence) in [(0.2, 0.95), (0.3, 0.8)] {
            let rule = Sequential::new(width, confidence).unwrap();
            let stops = stops(&rule);
            for step in 0..=50 {
                let p = f64::from(step) / 100.0;
                for p in [p, 1.0 - p] {
                    let (covered, _) = exactly(&rule, &stops, p);
                    assert!(covered >= confidence - 1e-12, "{width} {confidence} {p} {covered}");
                }
            }
        }
    }

    /// Near 0 and 1 the rule needs a fraction of Okamoto's number, never much more than it.
    #[test]
    fn few_runs_are_needed_near_the_ends() {
        let rule = Sequential::new(0.1, 0.95).unwrap();
        let most = okamoto(0.1, 0.95).unwrap();
        // 2 ln(40)/0.01 = 737.8.
        assert_eq!(most, 738);
        assert!(rule.limit() as f64 <= 1.04 * most as f64);
        let stops = stops(&rule);
        let (_, rare) = exactly(&rule, &stops, 0.01);
        assert!(rare < 0.4 * most as f64, "{rare}");
        let (_, middle) = exactly(&rule, &stops, 0.5);
        assert!(middle <= rule.limit() as f64 + 1e-6);
    }

    #[test]
    fn the_rule_is_followed_by_asking() {
        let rule = Sequential::new(0.05, 0.99).unwrap();
        // Nothing is ever satisfied: it ends as early as it can.
        let mut runs = 0;
        for asked in 0.. {
            let next = rule.runs_needed(0, 0, runs);
            if next == runs {
                break;
            }
            assert!(next > runs && asked < 200);
            runs = next;
        }
        assert!(rule.enough(0, 0, runs) && runs < rule.limit() / 4);
        let interval = rule.interval(0, 0, runs);
        assert!(interval.low == 0.0 && interval.high >= 0.025 && interval.high < 0.025 + 1e-12);
        // Between looks it never stops.
        assert!(!rule.enough(0, 0, runs + 1));
        assert_eq!(rule.runs_needed(0, 0, runs + 1), *rule.looks.iter().find(|l| **l > runs + 1).unwrap());
        // Undecided runs: it goes on as if they could be anything, and the interval has all they could be.
        assert_eq!(rule.runs_needed(0, rule.limit(), rule.limit()), rule.limit());
        assert_eq!(rule.interval(0, 10, 10), Interval::UNIT);
    }

    #[test]
    fn senseless_numbers_are_refused() {
        for width in [0.0, -0.1, 1.0, f64::NAN] {
            assert_eq!(Sequential::new(width, 0.9), Err(Refused::Width));
            assert_eq!(okamoto(width, 0.9), Err(Refused::Width));
        }
        assert_eq!(Sequential::new(1e-9, 0.9), Err(Refused::TooManyRuns));
        assert_eq!(Sequential::new(1e-200, 0.9), Err(Refused::TooManyRuns));
        assert_eq!(Sequential::new(0.1, 1.0), Err(Refused::Confidence));
        assert_eq!(Sequential::new(0.1, f64::NAN), Err(Refused::Confidence));
        assert!(Sequential::new(0.999, 0.01).is_ok());
    }
}
