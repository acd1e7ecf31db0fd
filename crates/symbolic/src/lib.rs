//! The symbolic engines: questions about programs put to systems of bits.
//!
//! * [`initial`]: an initial state, or the proof that there is none.
//! * [`elsewhere`]: questions for other model checkers, and their answers.
//! * [`engine`]: the engines.
//!
//! Architecture invariant: nothing here knows a source language. Programs become bits in `swarmcheck_bits`, and questions are put
//! to them in `swarmcheck_proof`; what solves is in `swarmcheck_prove` and `swarmcheck_bdd`.

mod diagrams;
pub mod elsewhere;
pub mod engine;
pub mod initial;
mod search;

pub use elsewhere::Elsewhere;
pub use engine::{Method, Symbolic};
pub use swarmcheck_bdd::STACK;
