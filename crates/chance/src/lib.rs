//! The chain or decision process of a program: exact probabilities and expected values with certified bounds.
//!
//! * [`mod@build`]: from a flat program to a [`Process`], its labels and its values.
//! * [`mod@lump`]: states that behave alike become one.
//! * [`graph`]: what is certain or impossible, and end components.
//! * [`path`]: probabilities of until, eventually, always. [`expected`]: steps, rewards and time until a goal.
//!   [`after`]: values after a number of steps. [`at_end`]: values where runs stop. [`mod@long_run`]: shares in the long run. [`timed`]: within a time.
//!   [`automaton`]: formulas of linear time.
//!
//! Architecture invariant: the law of steps is that of `swarmcheck_simulate::law`, and is said in one place only. Everything
//! but `build` and `automaton_program` works on a [`Process`] and knows no programs. Every number that leaves this crate is a pair of bounds
//! that hold in spite of rounding.

#![warn(missing_docs)]

pub mod after;
pub mod answer;
pub mod at_end;
pub mod automaton;
pub mod automaton_program;
pub mod bits;
pub mod build;
pub mod expected;
pub mod graph;
pub mod long_run;
pub mod lump;
mod numeric;
pub mod path;
pub mod process;
pub mod timed;

pub use after::{probability_after, value_after};
pub use answer::{Answer, Bounds, Expected, Fraction, Settings, SolveError};
pub use at_end::value_at_end;
pub use automaton::{FormulaError, FormulaLimits, formula_probability};
pub use automaton_program::{FormulaProcess, formula_process};
pub use bits::Bits;
pub use build::{BuildError, BuildOptions, Built, Control, FaultPlace, Watched, build};
pub use expected::{expected_reward, expected_steps, expected_time};
pub use graph::{EndComponent, end_components};
pub use long_run::{Share, long_run};
pub use lump::{Lumped, lump};
pub use path::{Optimum, Path, probability};
pub use process::{Process, ProcessBuilder};
pub use timed::within_time;
