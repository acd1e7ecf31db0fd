//! What a sample says of the distribution that it comes from: intervals for probabilities, means and quantiles, rules that say
//! when there are enough runs, tests of hypotheses, splitting for rare events.
//!
//! Architecture invariant: only numbers here. Nothing knows what a run is, and nothing draws random numbers but tests.

mod binomial;
mod clopper_pearson;
mod gamma;
mod interval;
pub mod massart;
pub mod mean;
pub mod sample;
pub mod splitting;
mod student;
pub mod wald;

pub use clopper_pearson::clopper_pearson;
pub use interval::{Interval, Refused};
