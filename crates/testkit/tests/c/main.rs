//! Programs in C, compiled and run: what they do is what the reference interpreter does.
//!
//! The C compiler is the one that building the SAT solver needs anyway. Where there is a second one, `clang`, the
//! executable programs go through it too.

mod build;
mod examples;
mod follow;
mod languages;
mod random;
mod replay;
mod size;
mod verifiers;
