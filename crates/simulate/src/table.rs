//! All initial states of a program, to draw from where assumptions refuse almost everything that is drawn.
//!
//! Sequences of choices are enumerated once. Where the initial block was taken apart (`swarmcheck_ir::initial`) and what is left after the
//! assumptions cannot fail, only the choices that assumptions read are enumerated, and all that satisfy them are equally likely, because each is one of
//! the same number of alternatives; the rest is drawn. Otherwise whole sequences are kept, each with the product of its 1/n as its weight. A
//! sequence that meets an error of the model is kept as well: drawing it is an error.

use crate::resolve::relative;
use crate::rng::Rng;
use swarmcheck_ir::Value;
use swarmcheck_ir::flat::{Chooser, Enumerate, Flat, Machine, Outcome};
use swarmcheck_ir::ground::{Ground, Runner};

/// The most sequences that are tried, and the most choices that are kept in all: 64 megabytes.
const SEQUENCES: u64 = 1 << 20;
const CHOICES: usize = 1 << 24;
/// So many sequences are tried between two looks whether to stop.
const LOOK: u64 = 1 << 10;

/// Sequences of choices that give an initial state.
#[derive(Default)]
pub(crate) struct Table {
    /// One sequence after the other. None was tried as often as a choice in it is large, so they fit.
    choices: Vec<u32>,
    /// Where each sequence ends.
    ends: Vec<u32>,
    /// The sum of the weights up to and including each, in terms of the first one.
    sums: Vec<f64>,
    /// All weights are the same.
    even: bool,
}

/// What an enumeration came to.
pub(crate) enum Listed {
    All(Table),
    TooMany,
    Stopped,
}

/// The initial block of a program, in its two forms. Both draw by the same law.
pub(crate) struct Block<'f> {
    flat: &'f Flat,
    ground: Option<&'f Ground>,
    machine: Machine,
    runner: Runner,
}

impl<'f> Block<'f> {
    pub(crate) fn new(flat: &'f Flat, ground: Option<&'f Ground>) -> Block<'f> {
        Block { flat, ground, machine: Machine::new(flat), runner: Runner::default() }
    }

    /// Runs it: with assumptions tested early, if it could be taken apart.
    pub(crate) fn run<C: Chooser>(&mut self, state: &mut [Value], chooser: &mut C) -> Outcome {
        match self.ground {
            Some(ground) => self.runner.initialise(ground, state, chooser),
            None => self.machine.initialise(self.flat, state, chooser),
        }
    }

    /// How many choices come first, after which every way to go on ends in an initial state.
    fn decisive(&self) -> Option<usize> {
        let problem = self.ground?.problem()?;
        // The script leaves out what has one value only.
        problem.is_complete().then(|| problem.script(&vec![0; problem.variables()]).len())
    }

    pub(crate) fn list(&mut self, effort: &mut u64, stopped: &dyn Fn() -> bool) -> Listed {
        let mut state = vec![0; self.flat.width()];
        let decisive = self.decisive();
        let mut all = Enumerate::default();
        let mut table = Table { even: true, ..Table::default() };
        let mut first: Vec<u64> = vec![];
        for tried in 1.. {
            *effort += 1;
            if self.run(&mut state, &mut all) != Outcome::Disabled {
                if let Some(decisive) = decisive {
                    all = all.beginning(decisive);
                }
                if table.ends.is_empty() {
                    first = all.alternatives().collect();
                }
                let weight = relative(&first, all.alternatives());
                table.choices.extend(all.choices().map(|choice| choice as u32));
                table.ends.push(table.choices.len() as u32);
                table.even &= weight == 1.0;
                table.sums.push(table.sums.last().copied().unwrap_or(0.0) + weight);
            }
            if !all.advance() {
                return Listed::All(table);
            }
            if tried >= SEQUENCES || table.choices.len() >= CHOICES {
                return Listed::TooMany;
            }
            if tried.is_multiple_of(LOOK) && stopped() {
                return Listed::Stopped;
            }
        }
        Listed::TooMany
    }
}

impl Table {
    /// There is no initial state.
    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Draws a sequence, by its share. It may be the beginning of one: what comes after it is drawn.
    pub(crate) fn draw(&self, rng: &mut Rng) -> Vec<u64> {
        let all = self.ends.len();
        let at = if self.even {
            rng.below(all as u64) as usize
        } else {
            let at = rng.fraction() * self.sums[all - 1];
            self.sums.partition_point(|sum| *sum <= at).min(all - 1)
        };
        let begin = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        self.choices[begin..self.ends[at] as usize].iter().map(|choice| u64::from(*choice)).collect()
    }
}
