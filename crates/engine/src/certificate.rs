//! Proofs that can be checked again, as data. The format is documented in `docs/certificates.md`.
//!
//! A proof refers to the bits of the encoded program. A checker encodes the program independently.

use crate::{Reductions, SolverName};
use serde::{Deserialize, Serialize};

/// Why a property holds, for those who want to check it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Certificate {
    /// The reductions that were applied before the program was encoded as bits.
    pub reductions: Reductions,
    /// Which width was assumed for numbers without a known range, from 0: 8, 16, 32 or 64 bits.
    pub widths: usize,
    /// What the bits of a state hold, in order. Questions about infinite executions have more bits after these.
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
        /// In every state of the set each of these has a literal that is true: the number of a bit, from 1, or minus
        /// that.
        clauses: Vec<Vec<i64>>,
        /// Numbers of the facts, from 0, that hold in the set as well.
        lemmas: Vec<usize>,
    },
    /// k-induction (Sheeran, Singh and Stålmarck, FMCAD 2000): the first k states are not bad, and after k states in
    /// a row that are not bad the next one is not bad either.
    Induction {
        /// The number k of states.
        states: usize,
        /// The k states may be assumed to be pairwise different.
        distinct: bool,
        /// Numbers of the facts, from 0, that are assumed of them, and are proved by themselves.
        lemmas: Vec<usize>,
    },
    /// About the formulas of the program over integers: an inductive invariant, and an induction within it.
    Integers {
        /// Holds in every reachable state: a term of SMT-LIB over the variables that the certificate lists.
        invariant: String,
        /// The parts of the invariant as people write them, for readers.
        words: Vec<String>,
        /// The number of states in a row that are not bad, after which comes none that is; 0 if the invariant excludes bad
        /// states itself.
        states: u32,
        /// These states may be assumed to be pairwise different.
        distinct: bool,
        /// For questions about infinite executions: none meets what it must not meet for ever more often than this.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rounds: Option<u32>,
        /// Who has found it.
        solver: SolverName,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_certificates_with_order_are_read() {
        let old = r#"{ "ranges": true, "fold": true, "slice": true, "stale": true, "dead": true, "symmetry": false,
                       "order": true, "packed": true }"#;
        let read: Reductions = serde_json::from_str(old).expect("the name of 0.1 is an alias");
        let later =
            Reductions { data_symmetry: false, interfaces: false, smart_order: false, ..Reductions::ALL };
        assert_eq!(read, Reductions { symmetry: false, ..later });
        let written = serde_json::to_string(&read).expect("plain data");
        assert!(written.contains("\"partial_order\":true"), "{written}");
        assert_eq!(serde_json::from_str::<Reductions>(&written).expect("it was just written"), read);
    }
}
