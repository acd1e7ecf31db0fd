//! What must hold for every command and phase: signals end it within a second and lose nothing, limits hold, nothing is left
//! behind.
//!
//! `cargo test` runs a pairwise selection. The whole matrix, and the table of limits:
//!
//! ```text
//! cargo test --release -p swarmcheck-cli --test supervision -- --ignored --nocapture --test-threads=1
//! ```

#[path = "../common/mod.rs"]
mod common;
mod files;
mod limits;
mod process;
mod signals;
mod workers;
