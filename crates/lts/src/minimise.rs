//! Bisimulation minimisation: the smallest system equivalent to a given one, and whether two systems are equivalent.
//!
//! States are equivalent if they are related by the largest relation of a kind:
//!
//! * **strong bisimulation** (Park 1981, Milner 1989): what one state can do the other can do, to related states; the
//!   invisible label is a label like any other.
//! * **branching bisimulation** (van Glabbeek and Weijland, *Branching time and abstraction in bisimulation
//!   semantics*, JACM 1996): the other state may first make invisible steps to a state that is still related, and an
//!   invisible step to a state that is still related need not be matched.
//! * **divergence-preserving branching bisimulation**, also called branching bisimulation with explicit divergence (van
//!   Glabbeek, Luttik and Trčka, *Fundamenta Informaticae* 2009): moreover, if one state has an infinite sequence of
//!   invisible steps between related states, so can the other.
//!
//! None of them treats the initial state apart: after an invisible first step to an equivalent state the two *are*
//! equivalent, as usual for comparing systems, though not for putting them into a choice.
//!
//! The algorithm is partition refinement: it starts with all states of a class in one block and cuts blocks until they
//! are stable. There are two ways, which are compared in tests and work together, see `minimise/both.rs`:
//!
//! * by *bunches* of transitions, in time O(m log n) for m transitions and n states (Jansen, Groote, Keiren and Wijs,
//!   TACAS 2020), see `minimise/bunches.rs`;
//! * by *signatures*: the pairs of a label and a block that a state offers, after invisible steps inside the block (Blom
//!   and Orzan, *Distributed branching bisimulation reduction of state spaces*, 2003), see `minimise/refine.rs`. States whose
//!   signatures may have changed are looked at anew, which may happen as often as there are blocks.
//!
//! In both, strongly connected components of invisible steps are made one state beforehand.

mod both;
mod bunches;
mod graph;
mod partition;
mod raw;
mod refine;
mod signatures;

use crate::builder::Builder;
use crate::stop::{Stop, Stopped, go_on};
use crate::system::Lts;
use both::Both;
use graph::Graph;

pub use raw::{Raw, partition, partition_by_bunches, partition_by_signatures};

/// A notion of equivalence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Equivalence {
    /// Strong bisimilarity.
    Strong,
    /// Branching bisimilarity.
    Branching,
    /// Divergence-preserving branching bisimilarity.
    DivergenceBranching,
}

/// The smallest equivalent system.
///
/// Its states are numbered in the order of a breadth-first search that takes the transitions of a state by label and
/// then by the number of the first state of the target's class in `lts`; its labels are those of `lts` that are still
/// used, in the same order. States that cannot be reached are left out. For [`Equivalence::Branching`] no state has an
/// invisible transition to itself; for [`Equivalence::DivergenceBranching`] those that can diverge have.
pub fn minimise(lts: &Lts, equivalence: Equivalence) -> Lts {
    // It is never stopped, so there is a result.
    minimise_unless(lts, equivalence, &|_| false).unwrap_or_else(|Stopped| lts.clone())
}

/// The smallest equivalent system, unless it is given up before it is found.
pub fn minimise_unless(lts: &Lts, equivalence: Equivalence, stop: Stop<'_>) -> Result<Lts, Stopped> {
    let graph = Graph::reachable(&lts.raw(), &[lts.initial()], equivalence);
    let block = Both::new(&graph, stop)?.finish(stop)?;
    go_on(stop, 0)?;
    Ok(quotient(lts, &graph, &block))
}

/// Whether the initial states of two systems are equivalent. Labels are compared by their texts.
///
/// # Panics
/// If the systems have more states together than a `u32` can count.
pub fn equivalent(a: &Lts, b: &Lts, equivalence: Equivalence) -> bool {
    // It is never stopped, so there is an answer.
    equivalent_unless(a, b, equivalence, &|_| false).unwrap_or(false)
}

/// The same, unless it is given up.
pub(crate) fn equivalent_unless(
    a: &Lts,
    b: &Lts,
    equivalence: Equivalence,
    stop: Stop<'_>,
) -> Result<bool, Stopped> {
    let (both, second) = a.beside(b);
    let roots = [both.initial(), second.start + b.initial()];
    let graph = Graph::reachable(&both.raw(), &roots, equivalence);
    let block = Both::new(&graph, stop)?.finish(stop)?;
    let [a, b] = roots.map(|root| block[graph.node_of(root) as usize]);
    Ok(a == b)
}

/// The system of the blocks.
fn quotient(lts: &Lts, graph: &Graph, block: &[u32]) -> Lts {
    let count = block.iter().max().map_or(0, |last| *last as usize + 1);
    const NONE: u32 = u32::MAX;
    // The first node of a block offers everything that the block offers: invisible steps lead to smaller nodes, so it
    // has none inside the block, and all nodes of a block have the same signature.
    let mut first = vec![NONE; count];
    for (node, &block) in (0..).zip(block) {
        let first = &mut first[block as usize];
        *first = (*first).min(node);
    }
    // The first state of each block, which makes the order of the search independent of how blocks came about.
    let mut leader = vec![NONE; count];
    for state in 0..lts.states() {
        if let Some(node) = graph.node_of_reached(state) {
            let leader = &mut leader[block[node as usize] as usize];
            *leader = (*leader).min(state);
        }
    }

    let mut number = vec![NONE; count];
    let root = block[graph.node_of(lts.initial()) as usize];
    number[root as usize] = 0;
    let mut order = vec![root];
    let mut edges: Vec<(u32, u32, u32)> = vec![];
    let mut at = 0;
    while at < order.len() {
        let node = first[order[at] as usize];
        let blocks = graph.steps(node).iter().map(|&(label, target)| (label, block[target as usize]));
        let mut steps: Vec<(u32, u32)> = blocks.collect();
        steps.sort_unstable_by_key(|&(label, block)| (label, leader[block as usize]));
        steps.dedup();
        for (label, block) in steps {
            let number = &mut number[block as usize];
            if *number == NONE {
                *number = order.len() as u32;
                order.push(block);
            }
            edges.push((at as u32, label, *number));
        }
        if let Some(tau) = graph.tau().filter(|_| graph.diverges(node)) {
            edges.push((at as u32, tau, at as u32));
        }
        at += 1;
    }
    with_used_labels(lts, order.len() as u32, &edges)
}

fn with_used_labels(lts: &Lts, states: u32, edges: &[(u32, u32, u32)]) -> Lts {
    let mut used = vec![false; lts.labels().len()];
    edges.iter().for_each(|&(_, label, _)| used[label as usize] = true);
    let mut builder = Builder::new();
    builder.at_least(states);
    let new: Vec<u32> = lts
        .labels()
        .iter()
        .zip(used)
        .map(|(text, used)| if used { builder.label(text) } else { u32::MAX })
        .collect();
    for &(source, label, target) in edges {
        builder.transition(source, new[label as usize], target);
    }
    builder.finish(0)
}
