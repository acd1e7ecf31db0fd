//! Processes that are the same under other names: what is left of one is what is left of the other.

use crate::label::{LabelId, Members, TAU};
use crate::leaf::Leaf;
use crate::process::{Process, Quotient};
use std::collections::HashMap;
use std::hash::Hash;

/// How a process is another one under other names.
pub struct Renaming {
    /// The number of the other one.
    pub of: usize,
    labels: HashMap<LabelId, LabelId>,
    classes: HashMap<u32, u32>,
}

impl Renaming {
    /// The renaming of the process that was explored in the place of this one, if it is one to one: then both have the same
    /// bisimulations. Every transition is compared.
    pub fn new(leaf: &Leaf, all: &[Leaf]) -> Option<Renaming> {
        let (of, labels) = leaf.like.as_ref()?;
        let (theirs, own) = (&all[*of].process, &leaf.process);
        if theirs.offsets != own.offsets {
            return None;
        }
        let labels = one_to_one(labels.iter().copied().chain([(TAU, TAU)]))?;
        let classes = one_to_one(theirs.classes.iter().copied().zip(own.classes.iter().copied()))?;
        let renaming = Renaming { of: *of, labels, classes };
        (renaming.process(theirs, &own.members).edges == own.edges).then_some(renaming)
    }

    /// What is left of this process, where so much is left of the other.
    pub fn copy(&self, other: &Quotient, members: &Members) -> Quotient {
        Quotient { process: self.process(&other.process, members), blocks: other.blocks.clone() }
    }

    fn process(&self, other: &Process, members: &Members) -> Process {
        let mut out = Process::new(members.clone());
        for state in 0..other.states() {
            let renamed = |(label, target): &(LabelId, u32)| Some((*self.labels.get(label)?, *target));
            out.edges.extend(other.steps(state).iter().filter_map(renamed));
            out.end_state(self.classes[&other.classes[state as usize]]);
        }
        out
    }
}

/// Pairs as a map, if no two differ on one side only.
fn one_to_one<T: Copy + Eq + Hash>(pairs: impl Iterator<Item = (T, T)>) -> Option<HashMap<T, T>> {
    let (mut there, mut back) = (HashMap::new(), HashMap::new());
    for (one, other) in pairs {
        if *there.entry(one).or_insert(other) != other || *back.entry(other).or_insert(one) != one {
            return None;
        }
    }
    Some(there)
}
