//! The choices inside a step, conditional on the step not getting stuck.
//!
//! Choices are drawn one after the other, and all of them again if the step gets stuck: whatever runs to the end is a draw from the
//! law of [`crate::law`]. If many draws in a row are stuck, all sequences of choices are enumerated, each with the product of its 1/n as
//! its weight, and one of those that run to the end is drawn in proportion to their weights as they come (reservoir sampling with
//! weights: Chao, "A general purpose unequal probability sampling plan", 1982, for a sample of one). That is the same law. If none runs to the end the step is
//! disabled. If there are too many sequences nobody knows, and that is what is said.
//!
//! A sequence that meets an error of the model counts as one that runs to the end: drawing it ends the run.

use crate::plan::Plan;
use crate::walk::Walk;
use swarmcheck_ir::Fault;
use swarmcheck_ir::flat::{Chooser, Enumerate, Outcome};

/// How many draws, and then how many sequences, are tried; the second time for instances that are rarely completed and hard to enumerate.
const PATIENCE: [(u32, u64); 2] = [(64, 1 << 12), (1 << 16, 1 << 22)];
/// So many sequences are tried between two looks whether to stop.
const LOOK: u64 = 1 << 12;

/// What became of an instance.
pub(crate) enum Tried {
    Done,
    Fault(Fault),
    /// No way to choose runs to the end.
    Disabled,
    /// It got stuck with the choices that were drawn.
    Stuck,
    TooMany,
    Stopped,
}

impl Walk {
    /// Goes on with an instance that got stuck, until it is done or known to be disabled.
    #[cold]
    pub(crate) fn resolve(&mut self, plan: &Plan<'_>, number: u32, stopped: &dyn Fn() -> bool) -> Tried {
        for (draws, sequences) in PATIENCE {
            for draw in 1..=draws {
                match self.attempt(plan, number) {
                    Tried::Stuck => {}
                    other => return other,
                }
                if u64::from(draw).is_multiple_of(LOOK) && stopped() {
                    return Tried::Stopped;
                }
            }
            match self.sample(plan, number, sequences, stopped) {
                Tried::TooMany => {}
                other => return other,
            }
        }
        Tried::TooMany
    }

    /// Draws one of all sequences of choices that run to the end, if there are not too many sequences.
    fn sample(&mut self, plan: &Plan<'_>, number: u32, most: u64, stopped: &dyn Fn() -> bool) -> Tried {
        let mut all = Enumerate::default();
        // The sequence that was drawn so far, how many alternatives the first one found had, and the sum of all weights, in terms of its weight.
        let mut drawn: Vec<u64> = vec![];
        let mut first: Vec<u64> = vec![];
        let mut sum = 0.0;
        for tried in 1.. {
            let outcome = self.execute(plan, number, &mut all);
            if outcome == Outcome::Done {
                self.take_back(plan);
            }
            if outcome != Outcome::Disabled {
                if sum == 0.0 {
                    first = all.alternatives().collect();
                }
                let weight = relative(&first, all.alternatives());
                sum += weight;
                if sum == weight || self.rng.fraction() * sum < weight {
                    drawn.clear();
                    drawn.extend(all.choices());
                }
            }
            if !all.advance() {
                break;
            }
            if tried >= most {
                return Tried::TooMany;
            }
            if tried.is_multiple_of(LOOK) && stopped() {
                return Tried::Stopped;
            }
        }
        if sum == 0.0 {
            return Tried::Disabled;
        }
        let outcome = self.execute(plan, number, &mut Script::new(&drawn));
        self.choices = drawn;
        match outcome {
            Outcome::Fault(fault) => Tried::Fault(fault),
            _ => Tried::Done,
        }
    }
}

/// The weight of a sequence of choices divided by that of the first one. Both are products of many small factors, so factors are cancelled
/// before anything can become too small.
pub(crate) fn relative(first: &[u64], alternatives: impl Iterator<Item = u64>) -> f64 {
    let mut ratio = 1.0;
    let mut first = first.iter();
    for n in alternatives {
        let base = first.next().copied().unwrap_or(1);
        if base != n {
            ratio = ratio * base as f64 / n as f64;
        }
    }
    first.for_each(|n| ratio *= *n as f64);
    ratio.clamp(1e-200, 1e200)
}

/// Choices made beforehand; 0 where there are not enough, and never out of range.
pub(crate) struct Script<'a> {
    choices: &'a [u64],
    at: usize,
}

impl<'a> Script<'a> {
    pub(crate) fn new(choices: &'a [u64]) -> Script<'a> {
        Script { choices, at: 0 }
    }
}

impl Chooser for Script<'_> {
    fn choose(&mut self, n: u64) -> u64 {
        let made = self.choices.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        made.min(n - 1)
    }
}
