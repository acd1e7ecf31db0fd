//! A process: the transition system of some processes of the network together.

use crate::label::{LabelId, Members, TAU};
use crate::quick::sort_end;
use swarmcheck_lts::{Equivalence, Raw, Stop, Stopped, partition};

/// The initial state of every process: nothing has happened yet, not even the initial block.
pub const INITIAL: u32 = 0;

/// A transition system with labels and classes of states.
#[derive(Clone, Debug, Default)]
pub struct Process {
    /// Who is in it.
    pub members: Members,
    /// Where the transitions of each state begin; one entry more than there are states.
    pub offsets: Vec<usize>,
    /// Label and target, sorted for each state, each once.
    pub edges: Vec<(LabelId, u32)>,
    /// The class of each state.
    pub classes: Vec<u32>,
}

/// A smaller process, and the state of it that stands for each state.
pub struct Quotient {
    /// The smaller process.
    pub process: Process,
    /// The state of it for each state of the process before.
    pub blocks: Vec<u32>,
}

impl Process {
    /// A process without states.
    pub fn new(members: Members) -> Process {
        Process { members, offsets: vec![0], ..Process::default() }
    }

    /// The number of states.
    pub fn states(&self) -> u32 {
        self.classes.len() as u32
    }

    /// The transitions of a state.
    pub fn steps(&self, state: u32) -> &[(LabelId, u32)] {
        &self.edges[self.offsets[state as usize]..self.offsets[state as usize + 1]]
    }

    /// Ends the transitions of the next state, which were pushed to the edges.
    pub fn end_state(&mut self, class: u32) {
        let from = self.offsets[self.offsets.len() - 1];
        sort_end(&mut self.edges, from);
        self.offsets.push(self.edges.len());
        self.classes.push(class);
    }

    /// The bits that a state needs.
    pub fn bits(&self) -> u32 {
        u32::BITS - (self.states().max(1) - 1).leading_zeros()
    }

    /// The bytes that it takes.
    pub fn bytes(&self) -> u64 {
        (self.offsets.len() * 8 + self.edges.len() * 8 + self.classes.len() * 4) as u64
    }

    /// The smallest equivalent process.
    ///
    /// Parallel composition with synchronisation preserves all three equivalences, also with classes of states, so that
    /// what a smaller part is put together with sees no difference (van Glabbeek, Luttik and Trčka 2009).
    pub fn reduced(&self, equivalence: Equivalence, stop: Stop<'_>) -> Result<Quotient, Stopped> {
        let raw = Raw { offsets: &self.offsets, edges: &self.edges, tau: Some(TAU), classes: &self.classes };
        let blocks = partition(&raw, equivalence, stop)?;
        let count = blocks.iter().max().map_or(0, |last| *last as usize + 1);
        // Blocks are numbered in the order of their first states, so the initial state keeps its number.
        let mut steps: Vec<(u32, LabelId, u32)> = vec![];
        // A block diverges if every state of it has an invisible step inside: then, and only then, there is a cycle.
        let mut diverges = vec![true; count];
        let mut classes = vec![0; count];
        for state in 0..self.states() {
            let block = blocks[state as usize];
            classes[block as usize] = self.classes[state as usize];
            let mut inside = false;
            for &(label, target) in self.steps(state) {
                let target = blocks[target as usize];
                match label == TAU && target == block && equivalence != Equivalence::Strong {
                    true => inside = true,
                    false => steps.push((block, label, target)),
                }
            }
            diverges[block as usize] &= inside;
        }
        if equivalence == Equivalence::DivergenceBranching {
            let looping = (0..count as u32).filter(|block| diverges[*block as usize]);
            steps.extend(looping.map(|block| (block, TAU, block)));
        }
        steps.sort_unstable();
        steps.dedup();
        let mut process = Process::new(self.members.clone());
        let mut at = 0;
        for block in 0..count as u32 {
            while let Some(&(_, label, target)) = steps.get(at).filter(|step| step.0 == block) {
                process.edges.push((label, target));
                at += 1;
            }
            process.end_state(classes[block as usize]);
        }
        Ok(Quotient { process, blocks })
    }
}
