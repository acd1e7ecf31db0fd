//! Questions about programs put to their bits, and proofs of the answers.
//!
//! * [`ask`]: a question as states of a system of bits, and what an execution of the bits shows.
//! * [`obligation`]: what has to be proved about the bits so that a property holds.
//! * [`certificate`]: proofs as data, and checking them.
//! * [`readable`]: the invariant of a proof as sets of values.
//! * [`bounded`]: refutations of the formula that an execution of a number of steps violates the property.
//! * [`states`]: sets of states as proofs, which need no bits and no solver.
//!
//! Those who search for a proof and those who check it put the same question to the same bits, because both ask here.
//!
//! Architecture invariant: nothing here searches but `states::build` and `bounded::build`, whose results are checked, and nothing here knows an engine or a source language. Of `swarmcheck_prove` it
//! takes how liveness becomes a question about reachable states, the formulas and refutations of bounded questions, and the check of proofs.

pub mod ask;
pub mod bounded;
pub mod certificate;
pub mod obligation;
pub mod readable;
pub mod states;

pub use ask::{Asked, Conditions, Shown};
pub use certificate::{check_certificate, needed};
pub use obligation::{Posed, ProgramQuestion, bits, pose};
