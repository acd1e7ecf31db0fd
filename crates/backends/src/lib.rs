//! Other people's verifiers as engines: what they are asked, what their answers mean, and the findings that these become.
//!
//! Every back end is a row of [`BACKENDS`] and is asked through one [`Engine`](swarmcheck_engine::Engine), [`OtherVerifier`].
//! The program is written by `export`; a dialogue with the verifier gives a [`Reading`]; what is read is made again, step
//! by step, on the program ([`trail`]).
//!
//! Architecture invariant: nothing is run here. Callers hand over [`Tools`], which starts programs; so everything
//! but that can be tested on stored answers. An answer that is not understood in full is [`Unreadable`], never a verdict.

pub mod c;
pub mod cadp;
mod engine;
pub mod nuxmv;
mod question;
mod reading;
pub mod spin;
mod table;
mod tools;
pub mod trail;
mod verdicts;

pub use engine::{Origin, OtherVerifier, kept};
pub use question::BackendQuestion;
pub use reading::{NoAnswer, Reading, Reply, Size, Trail, Unreadable, Way};
pub use table::{BACKENDS, Backend, Entry};
pub use tools::{Ended, Job, Ran, Tools, printable};
