//! Attacks on proofs for every number of agents: a second opinion, random systems, thresholds, mutants.
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "tests that read examples and clocks")]

mod attacks;
mod examples;
mod formula;
mod harness;
mod mutants;
mod random;
mod recheck;
mod second;
mod sorts;
mod systems;
