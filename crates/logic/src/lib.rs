//! Temporal properties and their meaning: the part of ATLAS that no front end and no engine should do twice.
//!
//! * [`mod@expand`]: quantifiers over agents become conjunctions, disjunctions and sums.
//! * [`mod@nnf`]: negations move down to where they mean something, with ⊥ in mind ([`defined`]).
//! * [`linear`]: LTL formulas as Büchi automata, and on lassos.
//! * [`watch`]: follows a property along one run, state by state.
//! * [`mod@describe`]: says in plain words when a property must hold.
//!
//! What a property says of all runs together is the business of the engines; `docs/labs.md`, items 17 to 21,
//! fixes it.
//!
//! Architecture invariant: nothing here runs a program, and nothing knows the language a property was written in.

pub mod defined;
pub mod describe;
pub mod expand;
pub mod linear;
pub mod nnf;
pub mod watch;

#[cfg(test)]
mod small;

pub use describe::describe;
pub use expand::expand;
pub use nnf::nnf;
pub use watch::{Event, Status, Truth, Watch};
