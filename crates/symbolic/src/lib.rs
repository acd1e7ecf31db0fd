//! The symbolic engines: questions about programs put to systems of bits.
//!
//! * [`initial`]: an initial state, or the proof that there is none.
//! * [`elsewhere`]: questions for other model checkers, and their answers.
//! * [`certificate`]: proofs as data, and checking them.
//! * [`readable`]: the invariant of a proof as sets of values.
//! * [`engine`]: the engines; how a question is put to the bits, and what the answer means for the program, is next to it.
//!
//! Architecture invariant: nothing here knows a source language. Programs become bits in `swarmcheck_bits`; what solves is in
//! `swarmcheck_prove` and `swarmcheck_bdd`.

mod ask;
pub mod certificate;
mod diagrams;
pub mod elsewhere;
pub mod engine;
pub mod initial;
mod obligation;
pub mod readable;
mod search;

pub use elsewhere::Elsewhere;
pub use engine::{Method, Symbolic};
