//! Programs as formulas over mathematical integers, and the engine that asks solvers about them.
//!
//! * [`text`], [`system`], [`horn`]: terms, steps and clauses in the syntax of SMT-LIB.
//! * [`problem`]: a question as conditions over integers.
//! * [`sexp`], [`formula`]: what solvers say; conditions on states, read back.
//! * `solver`, `unroll`, `facts`, `search`: dialogues, executions of growing length, and what is searched for.
//! * [`check`](mod@check): checking what was proved with another solver.
//! * `engine`: the engine.
//!
//! Architecture invariant: no solver is started here. Whoever runs the engine offers a dialogue with one
//! ([`swarmcheck_engine::Solvers`]). No number is too large.

pub mod check;
mod engine;
mod facts;
pub mod formula;
pub mod horn;
mod names;
pub mod problem;
mod search;
pub mod sexp;
mod solver;
pub mod system;
pub mod text;
mod unroll;
mod words;

pub use engine::{Smt, check_integers};
