//! Initial states by several threads, in the order of one.
//!
//! The choices of the initial block form a tree, and initial states are its leaves from left to right. The tree is cut:
//! what lies below one sequence of first choices is a *share*. Shares come in order, the states of a share do, and so
//! whoever takes in one share after the other finds the states in the order in which a single thread finds them.
//!
//! Assumptions are tested as early as possible (`swarmcheck_ir::initial`), so a run may end after few choices: then nothing
//! lies below them, and there is no share. That no initial state exists at all is looked for before the first share.

use swarmcheck_ir::Value;
use swarmcheck_ir::flat::{Enumerate, Outcome};
use swarmcheck_ir::ground::{Ground, Runner};

/// A share should have no more leaves than this. One run tells how many there are if every run has the same choices.
const LEAVES: u64 = 1024;

/// So many refused beginnings are passed over at a time.
const PASSED: u64 = 4096;

/// Some consecutive ways to choose an initial state.
#[derive(Clone)]
pub(crate) struct Share {
    /// The next of them.
    pub(crate) choices: Enumerate,
    /// How many first choices they have in common.
    fixed: usize,
    /// How many have been tried.
    runs: u64,
    done: bool,
}

impl Share {
    /// One way has been tried: moves to the next, if there is any.
    #[inline]
    pub(crate) fn advance(&mut self) -> bool {
        self.runs += 1;
        self.done = !self.choices.advance_after(self.fixed);
        !self.done
    }

    /// Whether all have been tried.
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// How many have been tried.
    pub(crate) fn runs(&self) -> u64 {
        self.runs
    }
}

/// All shares, in order.
pub(crate) struct Shares<'a> {
    ground: &'a Ground,
    runner: Runner,
    state: Vec<Value>,
    /// The first choices of the next share.
    choices: Enumerate,
    /// How many choices are first ones: as many as any run has asked for.
    depth: usize,
    over: bool,
}

impl<'a> Shares<'a> {
    /// The shares of a program.
    pub(crate) fn new(ground: &'a Ground) -> Shares<'a> {
        Shares {
            ground,
            runner: Runner::default(),
            state: vec![0; ground.width()],
            choices: Enumerate::default(),
            depth: 0,
            over: false,
        }
    }

    /// Goes on with what is left of a share, whatever came after it.
    pub(crate) fn resume(&mut self, share: Share) {
        self.choices = share.choices;
        self.over = false;
    }
}

impl Iterator for Shares<'_> {
    type Item = Share;

    fn next(&mut self) -> Option<Share> {
        if self.over {
            return None;
        }
        // The first run of the share shows which choices there are. What comes of it is left to whoever gets the share.
        let mut passed = 0;
        let given = loop {
            let given = self.choices.alternatives().len();
            let outcome = self.runner.initialise(self.ground, &mut self.state, &mut self.choices);
            // A run that is refused among its first choices is all that there is below them.
            let refused = outcome == Outcome::Disabled && self.choices.alternatives().len() <= self.depth;
            if !refused || passed == PASSED {
                break given;
            }
            passed += 1;
            if !self.choices.advance() {
                self.over = true;
                return None;
            }
        };
        // Runs that end early have few choices, and say little about the others.
        self.depth = self.depth.max(cut(&self.choices));
        let fixed = self.depth.min(self.choices.alternatives().len());
        // What is resumed does not begin with the first of the later choices.
        let choices = self.choices.beginning(fixed.max(given));
        self.choices = self.choices.beginning(fixed);
        self.over = !self.choices.advance();
        Some(Share { choices, fixed, runs: passed, done: false })
    }
}

/// How many choices come before those that have at most [`LEAVES`] ends together.
fn cut(choices: &Enumerate) -> usize {
    let mut leaves: u64 = 1;
    let within = choices.alternatives().rev().take_while(|n| {
        leaves = leaves.saturating_mul(*n);
        leaves <= LEAVES
    });
    let last = within.count();
    choices.alternatives().len() - last
}
