//! Questions about programs put to their bits, and proofs of the answers.
//!
//! * [`ask`]: a question as states of a system of bits, and what an execution of the bits shows.
//! * [`obligation`]: what has to be proved about the bits so that a property holds.
//! * [`certificate`]: proofs as data, and checking them.
//! * [`readable`]: the invariant of a proof as sets of values.
//!
//! Those who search for a proof and those who check it put the same question to the same bits, because both ask here.
//!
//! Architecture invariant: nothing here searches, and nothing here knows an engine or a source language. Of `swarmcheck_prove` it
//! takes how liveness becomes a question about reachable states, and the check of proofs.

pub mod ask;
pub mod certificate;
pub mod obligation;
pub mod readable;

pub use ask::{Asked, Conditions, Shown};
pub use certificate::{check_certificate, needed};
pub use obligation::{Posed, ProgramQuestion, bits, pose};
