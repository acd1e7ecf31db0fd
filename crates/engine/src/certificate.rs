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
    /// A quantified invariant, for every number of agents. It is not about bits.
    Every(EveryProof),
    /// The states themselves. It is not about bits.
    States(StatesProof),
    /// That no execution of a number of steps violates the property.
    Bounded(BoundedProof),
}

/// A refutation of the formula that says that some execution of a number of steps violates the property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BoundedProof {
    /// Only executions of at most this many steps are considered; absent if the property says how many, or if all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u32>,
    /// No execution makes this many steps, or none does without the goal: so all are considered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<u32>,
    /// The number of variables of the formula. Whoever checks the proof makes the formula from the model.
    pub variables: u32,
    /// The number of its clauses.
    pub clauses: u64,
    /// The refutation in the format LRAT.
    pub lrat: String,
}

/// A set of states of the program without reductions that contains the initial ones and that no step leaves, each with a rank.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StatesProof {
    /// Only executions of at most this many steps are considered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u32>,
    /// The number of states. Where steps are counted, a state counts once for each number of steps.
    pub states: u64,
    /// The set as a diagram. A path from the last node to a leaf spells the number of steps, the cells of a state and its rank. An
    /// edge has a value and the number of a node that comes earlier; edges of a node have ascending values. Node 0 is the leaf.
    pub nodes: Vec<Vec<(i64, u32)>>,
}

/// Why there is no proof that can be checked again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Uncertified {
    /// It holds for fair executions only, and sets of states are proofs about all executions.
    OnlyFair,
    /// The program without reductions has more states than are listed.
    ManyStates {
        /// How many were found before it was given up.
        states: u64,
    },
    /// More memory would be needed than is allowed.
    NoMemory,
    /// There was no time.
    NoTime,
    /// The question cannot be asked of a set of states.
    NotAsked {
        /// Why not, as a sentence.
        because: String,
    },
    /// What was decided is the negation of what the file says, or a formula that can be read in several ways.
    NotAsWritten,
}

/// An invariant that is inductive at every size that the small-model bound asks for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EveryProof {
    /// Combinations of facts that never occur. The property is a part of the invariant, too.
    pub clauses: Vec<EveryClause>,
    /// The values that variables have.
    pub values: Vec<EveryValues>,
}

/// For all different agents of these kinds, not all facts hold.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EveryClause {
    /// The names of the kinds of up to two agents, which have the numbers 0 and 1 here.
    pub kinds: Vec<String>,
    /// What never occurs together.
    pub never: Vec<EveryLiteral>,
}

/// A fact or its negation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EveryLiteral {
    /// The fact.
    #[serde(flatten)]
    pub fact: EveryFact,
    /// Not negated.
    pub holds: bool,
}

/// A fact about a state and up to two agents.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EveryFact {
    /// A cell has this value; none is the undefined one.
    Is(EveryCell, Option<i64>),
    /// Two cells have the same value.
    Same(EveryCell, EveryCell),
    /// The first has the smaller value.
    Less(EveryCell, EveryCell),
    /// A cell holds the identity of this agent.
    Names(EveryCell, u8),
    /// The first agent has the smaller number.
    Earlier(bool),
    /// Some agent of this kind has this value in a cell.
    Some(String, EveryCell, Option<i64>),
}

/// A cell of the emulation program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EveryCell {
    /// The name of the variable.
    pub variable: String,
    /// Which cell of an array, from 0.
    pub index: u32,
    /// The agent that has it; none for a global variable.
    pub agent: Option<u8>,
}

/// The values that a variable has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EveryValues {
    /// The name of the variable.
    pub variable: String,
    /// The kind of agents that have it; none for a global variable.
    pub kind: Option<String>,
    /// All values; none is the undefined one.
    pub values: Vec<Option<i64>>,
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
