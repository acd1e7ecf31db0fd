//! Counting: properties of anonymous agents, for every number of them.
//!
//! A family in which agents cannot be told apart is a system of counters: how many agents are in each place. Safety is proved by linear
//! invariants and traps, or by backward coverability; that a goal can always be reached, by a ranking on counts.
//!
//! * [`anonymous`]: the premises.
//! * [`system`], [`extract`], [`scarce`]: the counter system, complete for every number of agents.
//! * [`formula`], [`translate`]: predicates as conditions on counters.
//! * [`rational`], [`simplex`]: exact arithmetic, and linear constraints.
//! * [`invariants`], [`context`], [`refute`]: place invariants, traps, and what they exclude.
//! * [`coverability`]: backwards from an upward-closed set.
//! * [`crowd`], [`ranking`]: counters up to a cap, and strategies on them.
//! * [`check`], [`sample`]: check proofs without the searches, and compare them with small members.

pub mod anonymous;
pub mod check;
pub mod context;
pub mod coverability;
pub mod crowd;
pub mod extract;
pub mod formula;
pub mod invariants;
pub mod proof;
pub mod ranking;
pub mod rational;
pub mod refute;
pub mod sample;
pub mod scarce;
pub mod simplex;
pub mod system;
pub mod translate;

pub use context::SizeConstraint;
pub use proof::{Claim, ClaimModality, CountingProof, Method, prove};
