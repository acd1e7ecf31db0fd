//! Proving and refuting on finite systems of bits.
//!
//! Architecture invariant: nothing here knows programs, properties or languages. Questions are functions of the bits of
//! a [`System`](swarmcheck_aig::System); answers are executions of it or invariants of it, both of which can be checked
//! without trusting the search that found them.

pub mod bmc;
pub mod check;
pub mod cnf;
pub mod formula;
pub mod ic3;
pub mod k_induction;
pub mod lemmas;
pub mod liveness;
pub mod lrat;
pub mod refute;
pub mod sat;
pub mod unroll;
pub mod within;

pub use bmc::{Bmc, Lasso};
pub use check::{Induction, Invariant, Refusal};
pub use k_induction::ProofVerdict;
pub use sat::{Failure, Limits};
