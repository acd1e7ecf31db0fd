//! Attacks on proofs for every number of agents: a second opinion, random systems, thresholds, mutants.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests that read examples and clocks, and say what they found"
)]

mod attacks;
mod examples;
mod forged;
mod formula;
mod harness;
mod lemma;
mod mutants;
mod random;
mod recheck;
mod second;
mod sorts;
mod sweep;
mod systems;
