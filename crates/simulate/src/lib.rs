//! Random and interactive runs of a flat program.
//!
//! The same seed gives the same run on every machine: the generator ([`rng`]) is ours, uses only integer
//! arithmetic, and nothing depends on time, threads or the order of hash maps.

mod backtrack;
pub mod batch;
mod faults;
pub mod interactive;
pub mod law;
mod plan;
mod race;
mod resolve;
pub mod rng;
pub mod run;
mod size;
mod start;
mod table;
mod walk;

pub use batch::{BatchEnd, Batches, batches};
pub use interactive::{Menu, Offer};
pub use law::{Rate, Rates, Scheduler};
pub use rng::Rng;
pub use run::{Run, Taken};
pub use start::{Start, Starts};
