//! Passes over the emulation program: each makes it smaller, or easier to search, without changing verdicts. One pass
//! is an over-approximation, [`predicate_abstraction`]: it can only prove.
//!
//! A pass keeps the numbers of kinds, variables and functions, so that a state of the smaller program has the same
//! layout as one of the original: a variable that is not needed stays where it is and is always 0. What a pass does
//! to states it says as a block of statements ([`Reduced::normalise`]): run on a state of the original program it
//! gives the state of the smaller one that stands for it. Searches use it to find, for a counterexample of the smaller
//! program, one of the original.
//!
//! Architecture invariant: nothing here knows a source language or an engine.

pub mod data_symmetry;
pub mod dead;
pub mod fold;
pub mod linear;
pub mod miniscope;
pub mod monitor;
pub mod predicate_abstraction;
pub mod ranges;
pub mod slice;
pub mod stale;
pub mod symmetry;

use swarmcheck_ir::{Program, Stmt};

/// The result of a pass.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The program after the pass.
    pub program: Program,
    /// Turns a state of the program before into the state of the program after that stands for it. No agent runs it.
    pub normalise: Vec<Stmt>,
    /// What was done, one line each, shown to users.
    pub notes: Vec<String>,
}

/// What must survive a pass, besides the values that the properties read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The number of steps matters: `--steps`, `after`. Steps that change no needed variable must stay.
    pub steps: bool,
    /// Whether executions are finite or infinite matters: `eventually`, deadlocks.
    pub endings: bool,
}
