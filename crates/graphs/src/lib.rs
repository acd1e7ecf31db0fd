//! Algorithms on directed graphs, whatever the nodes stand for.
//!
//! * [`components`]: strongly connected components.
//!
//! Architecture invariant: nothing here knows programs, systems or drawings. A graph is what implements [`Digraph`].

pub mod components;

pub use components::{Components, has_cycle, numbered};

/// A directed graph whose nodes are numbers.
pub trait Digraph {
    /// What is stored for an edge.
    type Edge;

    /// One more than the largest number of a node.
    fn numbers(&self) -> usize;

    /// The edges that leave a node.
    fn edges(&self, node: u32) -> &[Self::Edge];

    /// Where an edge leads. Edges to numbers that are too large lead out of the graph.
    fn target(edge: &Self::Edge) -> u32;

    /// Whether the node and its edges belong to the part that is looked at.
    fn inside(&self, _node: u32) -> bool {
        true
    }
}

/// A graph as lists of successors.
impl Digraph for [Vec<usize>] {
    type Edge = usize;

    fn numbers(&self) -> usize {
        self.len()
    }

    fn edges(&self, node: u32) -> &[usize] {
        &self[node as usize]
    }

    fn target(edge: &usize) -> u32 {
        u32::try_from(*edge).unwrap_or(u32::MAX)
    }
}
