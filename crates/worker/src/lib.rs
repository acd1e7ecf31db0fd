//! The façade in a child process of the same binary, and the parent that looks after it.
//!
//! Limits cannot hold inside one process: a library may allocate gigabytes at once, a C++ exception cannot be caught, a loop
//! may not look at the clock. So the work happens in a child ([`serve`]), which writes events as JSON lines, and the parent
//! ([`Worker`]) owns clock, signals and limits. What was told before the child ends is never lost.
//!
//! Architecture invariant: this crate and the shells above it are the only ones that touch processes and the clock.

pub mod machine;
pub mod protocol;
mod serve;
pub mod solvers;
mod supervise;
mod tools;
mod verify;
mod workplace;

pub use serve::serve;
pub use supervise::{GRACE, Limits, Next, Stop, Worker, WorkerFailure};
pub use verify::{Supervised, verify};
pub use workplace::Workplace;
