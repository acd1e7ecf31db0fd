//! Fuzzing: targets, each a function that takes bytes; inputs made of examples and of what their language knows; and a
//! program that runs them in a child process, so that it survives what it finds.
//!
//! * [`targets`]: what is attacked.
//! * [`seeds`]: texts to begin with.
//! * [`mutate`]: how an input is made. It depends on the target, a seed and a number only, so two numbers name it.
//! * [`child`]: executes inputs and watches time and memory. [`parent`] starts children and keeps what killed them.
//! * [`shrink`]: smaller inputs that do the same.
//!
//! `docs/fuzzing.md` has the commands. Nothing in the product depends on this crate.

pub mod child;
pub mod mutate;
pub mod parent;
pub mod seeds;
pub mod shrink;
pub mod targets;

use std::sync::atomic::{AtomicBool, Ordering};

/// Set when an execution has taken a second: targets that can be stopped look at it, and must then end soon.
pub static STOP: AtomicBool = AtomicBool::new(false);

/// Something that is attacked.
pub struct Target {
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Returns for every input, without a panic.
    pub run: fn(&[u8]),
    /// Where seeds come from.
    pub from: seeds::From,
    /// Words and signs that mean something to it.
    pub words: &'static [&'static str],
    /// The usual length of an input, in bytes; some are longer.
    pub usual: usize,
    /// The stack that it has in the product, in bytes.
    pub stack: usize,
}

/// Whether it is time to end.
pub fn is_stopping() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// What an input does not decide by its text, such as a place in it: a number below `n` that depends on all bytes.
pub fn pick(bytes: &[u8], what: u64, n: usize) -> usize {
    let mixed = bytes.iter().fold(what.wrapping_add(0xcbf2_9ce4_8422_2325), |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    ((mixed ^ (mixed >> 31)) % n.max(1) as u64) as usize
}
