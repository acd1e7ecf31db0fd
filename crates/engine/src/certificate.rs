//! Proofs that can be checked again, as data. The format is documented in `docs/certificates.md`.
//!
//! A proof speaks of the bits that a program is written as. Whoever checks it writes the program as bits himself.

use crate::Reductions;
use serde::{Deserialize, Serialize};

/// Why a property holds, for those who want to check it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Certificate {
    /// What was done to the program before it was written as bits.
    pub reductions: Reductions,
    /// Which width was assumed for numbers without a known range, from 0: 8, 16, 32 or 64 bits.
    pub widths: usize,
    /// What the bits of a state hold, in order. Questions about executions that go on for ever have more bits after these.
    pub bits: Vec<String>,
    /// What has to be proved for the property, one after the other.
    pub proofs: Vec<Proof>,
}

/// A proof that no bad state can be reached.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Proof {
    /// A set of states that contains the initial ones, that no step leaves, and that has no bad state.
    Invariant {
        /// In every state of the set each of these has a literal that is true: the number of a bit, from 1, or minus that.
        clauses: Vec<Vec<i64>>,
        /// Numbers of the facts, from 0, that hold in the set as well.
        lemmas: Vec<usize>,
    },
    /// After so many states in a row that are not bad there is none that is, and the first ones are not.
    Induction {
        /// So many.
        states: usize,
        /// They may be taken to differ from one another.
        distinct: bool,
        /// Numbers of the facts, from 0, that are assumed of them, and are proved by themselves.
        lemmas: Vec<usize>,
    },
}
