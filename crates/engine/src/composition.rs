//! How a system was put together from processes: the data behind a table like table 2 of De Nicola, Di Stefano, Inverso and
//! Lang's paper at ISoLA 2021 (section 5).

use serde::{Deserialize, Serialize};

/// All processes, and how they were put together.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Composition {
    /// The equivalence up to which processes were reduced.
    pub equivalence: String,
    /// Why the equivalence preserves what was asked.
    pub preserves: String,
    /// Single processes first, then compositions; the last one is the whole system, unless it is not finished.
    pub nodes: Vec<CompositionNode>,
    /// It was given up, and this is what was made before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unfinished: bool,
}

/// A process, or a composition of two.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CompositionNode {
    /// The name of the process; of a composition, those of all its processes.
    pub name: String,
    /// The two nodes that were put together; none for a single process.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<u32>,
    /// States of a process before it was restricted to what others let it do; none if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alone_states: Option<u32>,
    /// Transitions before that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alone_transitions: Option<u64>,
    /// States before the reduction.
    pub states: u32,
    /// Transitions before the reduction.
    pub transitions: u64,
    /// States after it; none if the node was not reduced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduced_states: Option<u32>,
    /// Transitions after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduced_transitions: Option<u64>,
    /// Seconds for making and reducing it.
    pub seconds: f64,
    /// Bytes that it took.
    pub memory: u64,
    /// A node that it is a copy of, with other names: it was made and reduced once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy_of: Option<u32>,
}

impl CompositionNode {
    /// The states that are left.
    pub fn left(&self) -> u32 {
        self.reduced_states.unwrap_or(self.states)
    }
}
