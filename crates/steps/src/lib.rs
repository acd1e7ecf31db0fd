//! Steps of programs as terms over the state before them.
//!
//! * [`terms`]: conditions and values, each stored once.
//! * [`execute`]: what a step requires and writes.
//!
//! Architecture invariant: nothing here knows a source language, nor who reads the terms.

#![warn(missing_docs)]

pub mod execute;
mod refused;
pub mod terms;

pub use refused::Refused;
