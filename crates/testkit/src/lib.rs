//! Random systems, a comparison of the emulation program with the reference interpreter, a shrinker for what they
//! find, and a naive search whose verdicts the clever engines must reproduce.
//!
//! Nothing in the product depends on this crate. What it knows twice, it knows from two places that share no code:
//! a rule of the semantics is one function of `reference` and one emulation function of `labs::lower`.

pub mod compare;
pub mod coverage;
pub mod features;
pub mod generate;
pub mod literal;
pub mod long;
pub mod lts;
pub mod oracle;
pub mod read;
mod report;
pub mod search;
pub mod shrink;
pub mod sides;
pub mod solvers;
pub mod verify;
pub mod wide;

pub use compare::{Limits, Mismatch, Summary, compare};
pub use read::{read, stored};
