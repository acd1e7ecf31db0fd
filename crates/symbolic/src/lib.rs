//! Programs as systems of bits, and the symbolic engines.
//!
//! * [`word`], [`circuit`], [`operate`]: values that depend on bits, and arithmetic on them.
//! * `hard`: arithmetic that is refused, because no solver ends on it.
//! * [`code`]: the bits of the state that hold a cell.
//! * [`run`], [`draw`], [`term`]: what a block of a ground program does, for all states and choices at once.
//! * [`encode`]: a ground program as a [`swarmcheck_aig::System`].
//! * [`initial`]: an initial state, or the proof that there is none.
//! * [`elsewhere`]: questions for other model checkers, and their answers.
//! * [`certificate`]: proofs as data, and checking them.
//! * [`engine`]: the engines; how a question is put to the bits, and what the answer means for the program, is next to it.
//!
//! Architecture invariant: nothing here knows a source language. What solves is in `swarmcheck_prove` and
//! `swarmcheck_bdd`.

mod actions;
mod ask;
pub mod certificate;
pub mod circuit;
pub mod code;
mod diagrams;
pub mod draw;
pub mod elsewhere;
pub mod encode;
pub mod engine;
mod hard;
pub mod initial;
mod lemmas;
mod obligation;
pub mod operate;
mod place;
mod quantify;
pub mod readable;
pub mod run;
mod search;
mod select;
pub mod term;
pub mod word;

pub use elsewhere::Elsewhere;
pub use engine::{Method, Symbolic};
