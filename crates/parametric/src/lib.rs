//! Proofs for every number of agents.
//!
//! * [`premise`]: what a system must satisfy, and which of it fails where.
//! * [`sorts`], [`deletion`]: the class of systems, and the lemma that an agent on which a step does not depend can be deleted.
//! * [`keep`], [`errors`]: how many agents must stay for a condition to keep its truth value, and for an error to be met again.
//! * [`family`]: a program with another number of agents.
//! * [`observe`], [`clause`]: candidates for invariants, from reachable states of small members.
//! * [`obligation`]: what has to be checked at one size, as questions to ordinary engines.
//! * [`mod@check`]: checking a proof, wherever it comes from; [`stored`]: proofs as data.
//! * [`mod@prove`]: the theorem, and the search for an invariant.
//! * [`ring`]: token rings, and a cutoff theorem for them.
//! * [`counting`]: anonymous agents as counters: linear invariants, coverability, rankings.
//!
//! Architecture invariant: nothing here knows a source language. That the number of agents occurs nowhere but in the kinds is for the
//! language to say.

#![warn(missing_docs)]

pub mod check;
pub mod clause;
pub mod counting;
pub mod deletion;
pub mod errors;
pub mod family;
pub mod keep;
pub mod obligation;
pub mod observe;
pub mod premise;
pub mod prove;
pub mod ring;
pub mod sorts;
pub mod stored;

pub use check::{Extent, Invariant, Obligation, Part};
pub use family::{Family, Sizes};
pub use premise::{Broken, Premise};
pub use prove::{Bound, NotProved, Proof, prove};
