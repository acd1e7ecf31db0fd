//! Which states an action relates: conjunctions that are not written out where that would be large.
//!
//! An action relates a state to the next one by several conditions: that it is possible, and for every bit that it writes
//! what that bit becomes. Bits that it does not write appear in none of them, and stay what they are in sets of states. The
//! conditions are put together as long as the result is small; what is left are the *clusters*, which are applied one after
//! the other. A variable is got rid of as soon as no later cluster depends on it.

use std::collections::{BTreeSet, HashMap};

use crate::space::{Failure, Renaming, Set, Space};

/// A cluster is not made larger than this many nodes.
const CLUSTER: usize = 30_000;

/// One condition, with the variables it depends on.
pub struct Conjunct {
    /// Where it is true.
    pub set: Set,
    /// A superset of its variables.
    pub support: BTreeSet<u32>,
}

/// Puts conditions together, in their order, and gets rid of those variables among `hidden` that are in one cluster only.
/// No cluster that can be divided has more nodes than `most`.
pub fn conjoin(
    space: &Space<'_>,
    conjuncts: Vec<Conjunct>,
    hidden: &BTreeSet<u32>,
    most: usize,
) -> Result<Vec<Conjunct>, Failure> {
    let mut first: HashMap<u32, usize> = HashMap::new();
    let mut last: HashMap<u32, usize> = HashMap::new();
    for (at, conjunct) in conjuncts.iter().enumerate() {
        for &v in conjunct.support.intersection(hidden) {
            first.entry(v).or_insert(at);
            last.insert(v, at);
        }
    }
    let mut clusters: Vec<Conjunct> = vec![];
    let mut open: Option<(usize, Conjunct)> = None;
    for (at, next) in conjuncts.into_iter().enumerate() {
        let (began, mut cluster) = match open.take() {
            None => (at, next),
            Some((began, cluster)) => {
                let both = space.and(&cluster.set, &next.set)?;
                if both.nodes() > most {
                    clusters.push(cluster);
                    (at, next)
                } else {
                    (began, Conjunct { set: both, support: &cluster.support | &next.support })
                }
            }
        };
        let done = |v: &&u32| first.get(v).is_some_and(|f| *f >= began) && last.get(v) == Some(&at);
        let done: Vec<u32> = cluster.support.iter().filter(done).copied().collect();
        if !done.is_empty() {
            cluster.set = space.exists(&cluster.set, &space.variables(&done)?)?;
            cluster.support.retain(|v| done.binary_search(v).is_err());
        }
        open = Some((began, cluster));
    }
    clusters.extend(open.map(|(_, cluster)| cluster));
    Ok(clusters)
}

/// The variables of one written bit: before and after the step.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// The variable of the latch before the step.
    pub current: u32,
    /// The variable of the latch after the step.
    pub next: u32,
}

struct Cluster {
    relation: Set,
    /// What to get rid of after this cluster, going forwards.
    forwards: Set,
    /// The same going backwards.
    backwards: Set,
}

/// An action as a relation between states.
pub struct Part {
    clusters: Vec<Cluster>,
    /// From the bits before the step to those after it.
    prime: Renaming,
}

impl Part {
    /// From the conditions of an action: over the variables of the state, those of written bits after the step, and hidden
    /// ones, which choose.
    pub fn new(
        space: &Space<'_>,
        conjuncts: Vec<Conjunct>,
        written: &[Written],
        hidden: &BTreeSet<u32>,
    ) -> Result<Part, Failure> {
        let clusters = conjoin(space, conjuncts, hidden, CLUSTER)?;
        let last_use = |v: u32| clusters.iter().rposition(|c| c.support.contains(&v));
        let mut forwards = vec![vec![]; clusters.len().max(1)];
        let mut backwards = forwards.clone();
        for bit in written {
            forwards[last_use(bit.current).unwrap_or(0)].push(bit.current);
            backwards[last_use(bit.next).unwrap_or(0)].push(bit.next);
        }
        for &v in hidden {
            if let Some(at) = last_use(v) {
                forwards[at].push(v);
                backwards[at].push(v);
            }
        }
        let mut out = vec![];
        for ((cluster, forwards), backwards) in clusters.into_iter().zip(forwards).zip(backwards) {
            let (forwards, backwards) = (space.variables(&forwards)?, space.variables(&backwards)?);
            out.push(Cluster { relation: cluster.set, forwards, backwards });
        }
        let pairs: Vec<(u32, u32)> = written.iter().map(|bit| (bit.current, bit.next)).collect();
        Ok(Part { clusters: out, prime: space.renaming(&pairs)? })
    }

    /// The states after the action, with written bits still in the variables for after the step.
    pub fn forwards(&self, space: &Space<'_>, from: &Set) -> Result<Set, Failure> {
        let mut set = from.clone();
        for cluster in &self.clusters {
            set = space.and_exists(&set, &cluster.relation, &cluster.forwards)?;
        }
        Ok(set)
    }

    /// The states before the action.
    pub fn backwards(&self, space: &Space<'_>, to: &Set) -> Result<Set, Failure> {
        let mut set = space.rename(to, &self.prime)?;
        for cluster in &self.clusters {
            set = space.and_exists(&set, &cluster.relation, &cluster.backwards)?;
        }
        Ok(set)
    }

    /// Leaves out steps from other states than these, if that makes the relation simpler.
    pub fn focus(&mut self, space: &Space<'_>, states: &Set) -> Result<(), Failure> {
        // Every variable is got rid of after this cluster or a later one, so what it depends on may change.
        if let Some(first) = self.clusters.first_mut() {
            let inside = space.and(&first.relation, states)?;
            if inside.nodes() < first.relation.nodes() {
                first.relation = inside;
            }
        }
        Ok(())
    }

    /// Whether it never relates anything.
    pub fn is_empty(&self) -> bool {
        self.clusters.iter().any(|cluster| cluster.relation.is_empty())
    }

    /// The number of nodes of its clusters.
    pub fn nodes(&self) -> usize {
        self.clusters.iter().map(|cluster| cluster.relation.nodes()).sum()
    }
}
