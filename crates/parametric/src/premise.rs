//! What a family of systems must satisfy for its proofs, and which of it fails where.

use swarmcheck_source::Span;

/// A premise that fails, with its place in the user's file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Premise {
    /// Which premise.
    pub broken: Broken,
    /// Where; empty if the place is not known.
    pub span: Span,
}

/// The ways in which a system is outside the class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Broken {
    /// An identity is used as a number.
    IdentityArithmetic,
    /// An identity is compared with, or replaced by, the number of a certain agent.
    IdentityConstant(i64),
    /// An identity is compared with a number that is none.
    IdentityAsData,
    /// An identity is used as an index.
    IdentityIndex,
    /// Agents store identities of other agents.
    StoredIdentity {
        /// The variable.
        variable: String,
    },
    /// Ranks of timestamps are used otherwise than by comparing them.
    Timestamp {
        /// The variable.
        variable: String,
    },
    /// A step depends on how many agents satisfy a condition.
    Counted,
    /// Whether a condition stays true needs a witness for each agent.
    MixedQuantifiers,
    /// A step that is about all agents writes something that all of them share.
    SharedWrite,
    /// A step that is about all agents asks about all agents again, or draws some.
    NestedLoop,
    /// A local variable carries a value from one agent to the next.
    Accumulator,
    /// A computed index in a step about all agents may be out of bounds for one of them.
    ComputedIndex,
    /// The schedule depends on the numbers of agents.
    RoundRobin,
    /// The program was made without an agent of an open kind, and may lack what such agents begin with.
    NoAgent {
        /// The kind.
        kind: String,
    },
    /// Agents are not alike: identities are compared by their order.
    IdentityOrder,
    /// Counting does not cover timestamps.
    CountedTimestamps {
        /// The variable.
        variable: String,
    },
    /// Counting does not cover a step that changes all agents at once.
    Broadcast,
    /// A predicate says something that is no condition on numbers of agents.
    NotCounted,
}

impl Premise {
    /// A premise that fails at a place.
    pub fn at<T>(span: Span, broken: Broken) -> Result<T, Premise> {
        Err(Premise { broken, span })
    }
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Broken::IdentityArithmetic => f.write_str("arithmetic on identities"),
            Broken::IdentityConstant(value) => {
                write!(f, "an identity is compared with or replaced by the number {value}")
            }
            Broken::IdentityAsData => f.write_str("an identity and a number that is none are mixed"),
            Broken::IdentityIndex => f.write_str("an identity is the index of an array"),
            Broken::StoredIdentity { variable } => {
                write!(f, "agents store identities of other agents in '{variable}'")
            }
            Broken::Timestamp { variable } => {
                write!(f, "timestamps of '{variable}' are used otherwise than by comparing them")
            }
            Broken::Counted => f.write_str("a step depends on how many agents satisfy a condition"),
            Broken::MixedQuantifiers => {
                f.write_str("a condition of the form 'for all there is' needs a witness for each agent")
            }
            Broken::SharedWrite => f.write_str("a step about all agents writes what all of them share"),
            Broken::NestedLoop => f.write_str("a step about all agents asks about all agents again"),
            Broken::Accumulator => {
                f.write_str("a step about all agents carries a value from one agent to the next")
            }
            Broken::ComputedIndex => f.write_str("a step about all agents has a computed index"),
            Broken::NoAgent { kind } => {
                write!(f, "the model was read without an agent '{kind}': give it at least one")
            }
            Broken::RoundRobin => f.write_str("the round-robin schedule depends on the number of agents"),
            Broken::IdentityOrder => {
                f.write_str("identities are compared by their order, so agents cannot be counted")
            }
            Broken::CountedTimestamps { variable } => {
                write!(f, "'{variable}' holds timestamps, so agents cannot be counted")
            }
            Broken::Broadcast => {
                f.write_str("a step changes all agents at once, which counting does not cover")
            }
            Broken::NotCounted => f.write_str("the predicate is not a condition on numbers of agents"),
        }
    }
}
