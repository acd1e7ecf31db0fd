//! How likely, how long: estimates from random runs, and exact values.

mod data;

pub use data::*;
