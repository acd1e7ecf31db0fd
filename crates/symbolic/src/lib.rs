//! Programs as systems of bits, and the symbolic engines.
//!
//! * [`word`], [`circuit`], [`operate`]: values that depend on bits, and arithmetic on them.
//! * [`code`]: the bits of the state that hold a cell.
//! * [`run`], [`draw`], [`term`]: what a block of a ground program does, for all states and choices at once.
//! * [`encode`]: a ground program as a [`swarmcheck_aig::System`].
//!
//! Architecture invariant: nothing here knows a source language, and nothing here solves anything.

pub mod circuit;
pub mod code;
pub mod draw;
pub mod encode;
pub mod operate;
mod quantify;
pub mod run;
pub mod term;
pub mod word;
