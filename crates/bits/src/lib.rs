//! Programs as systems of bits.
//!
//! * [`word`], [`circuit`], [`operate`]: values that depend on bits, and arithmetic on them.
//! * [`hard`]: how hard the arithmetic of a translation is, because no solver ends on some of it.
//! * [`code`], `listed`: the bits of the state that hold a cell, and which values those of small systems have.
//! * [`run`], [`draw`], [`term`]: what a block of a ground program does, for all states and choices at once.
//! * [`encode`]: a ground program as a [`swarmcheck_aig::System`].
//! * [`actions`]: the steps of such a system, instance by instance.
//!
//! Architecture invariant: nothing here knows an engine, a solver or what is asked of a program. So those who search for proofs
//! and those who check them start from the same bits. Nothing here knows a source language either.

pub mod actions;
pub mod circuit;
pub mod code;
pub mod draw;
pub mod encode;
pub mod hard;
mod lemmas;
mod listed;
pub mod operate;
mod place;
mod quantify;
pub mod run;
mod select;
pub mod term;
pub mod word;
