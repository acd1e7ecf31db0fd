//! Partitions of systems without texts: for callers with millions of transitions that need classes of states only.

use super::both::Both;
use super::bunches::Refinement;
use super::graph::Graph;
use super::{Equivalence, refine};
use crate::stop::{Stop, Stopped, go_on};

/// A system whose labels are numbers and whose states may have observations.
///
/// Such systems are also called doubly labelled (De Nicola and Vaandrager, *Three logics for branching bisimulation*,
/// JACM 1995).
#[derive(Clone, Copy, Debug)]
pub struct Raw<'a> {
    /// Where the transitions of each state begin; one entry more than there are states.
    pub offsets: &'a [usize],
    /// Label and target, sorted for each state, each once.
    pub edges: &'a [(u32, u32)],
    /// The invisible label, if there is one.
    pub tau: Option<u32>,
    /// States with different classes are never equivalent (observations of states). Empty: all states are of one class.
    pub classes: &'a [u32],
}

impl Raw<'_> {
    /// How many states there are; they are numbered from 0.
    pub fn states(&self) -> u32 {
        self.offsets.len().saturating_sub(1) as u32
    }

    /// The transitions of a state, as label and target, sorted.
    pub(super) fn steps(&self, state: u32) -> &[(u32, u32)] {
        let state = state as usize;
        &self.edges[self.offsets[state]..self.offsets[state + 1]]
    }

    /// The class of a state; the same for all if there are no classes.
    pub(super) fn class(&self, state: u32) -> u32 {
        if self.classes.is_empty() { 0 } else { self.classes[state as usize] }
    }
}

/// The class of each state in the coarsest partition, numbered in the order of their first states.
///
/// All states count, whether or not they can be reached from some other. An invisible transition between states of
/// different classes is seen, because the observation changes: what [`Equivalence::Branching`] may skip are invisible
/// transitions inside a class. For [`Equivalence::DivergenceBranching`], a divergence is an infinite sequence of
/// invisible transitions between equivalent states.
///
/// # Panics
/// If the system is not as its fields demand.
pub fn partition(raw: &Raw<'_>, equivalence: Equivalence, stop: Stop<'_>) -> Result<Vec<u32>, Stopped> {
    let graph = Graph::whole(raw, equivalence);
    go_on(stop, 0)?;
    let work = Both::new(&graph, stop)?;
    // The graph is dropped: only the nodes of the states are still needed.
    let nodes = graph.into_nodes();
    Ok(in_order(&nodes, &work.finish(stop)?))
}

/// The same by bunches alone, for comparison.
///
/// # Panics
/// If the system is not as its fields demand.
pub fn partition_by_bunches(
    raw: &Raw<'_>,
    equivalence: Equivalence,
    stop: Stop<'_>,
) -> Result<Vec<u32>, Stopped> {
    let graph = Graph::whole(raw, equivalence);
    go_on(stop, 0)?;
    let Some(refinement) = Refinement::new(&graph, graph.classes()) else {
        return partition_by_signatures(raw, equivalence, stop);
    };
    let nodes = graph.into_nodes();
    Ok(in_order(&nodes, &refinement.run(stop)?))
}

/// The same by signatures alone, for comparison. The time may be quadratic.
///
/// # Panics
/// If the system is not as its fields demand.
pub fn partition_by_signatures(
    raw: &Raw<'_>,
    equivalence: Equivalence,
    stop: Stop<'_>,
) -> Result<Vec<u32>, Stopped> {
    let graph = Graph::whole(raw, equivalence);
    go_on(stop, 0)?;
    let block = refine::refine(&graph, stop)?;
    Ok(in_order(&graph.into_nodes(), &block))
}

/// The blocks of the states, renumbered in the order of their first states.
fn in_order(nodes: &[u32], block: &[u32]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let mut number = vec![NONE; block.iter().max().map_or(0, |last| *last as usize + 1)];
    let mut next = 0;
    let states = nodes.iter().map(|&node| {
        let number = &mut number[block[node as usize] as usize];
        if *number == NONE {
            *number = next;
            next += 1;
        }
        *number
    });
    states.collect()
}
