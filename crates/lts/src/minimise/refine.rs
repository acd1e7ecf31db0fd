//! Splitting blocks by signatures until nothing changes.
//!
//! A node is *marked* when its signature may have changed. The invariant is that all unmarked nodes of a block from
//! which no marked one can be reached by inert steps have the same signature; *inert* steps are the invisible ones
//! inside a block. So when a block is taken up, the marks are first carried back along inert steps, and then only marked
//! nodes need signatures, and one that stands for all the others.

use super::graph::{Graph, Sources};
use super::partition::Partition;
use super::signatures::{Entry, Signatures};
use crate::stop::{Stop, Stopped, go_on};

/// An entry for a divergence: no label has this number.
const DIVERGENCE: Entry = (u32::MAX, 0);

/// The stop request is polled once per this many nodes.
const NODES_BETWEEN: usize = 1 << 14;

/// The block of each node in the coarsest stable partition.
pub fn refine(graph: &Graph, stop: Stop<'_>) -> Result<Vec<u32>, Stopped> {
    refine_within(graph, usize::MAX, usize::MAX, stop).map(|(block, _)| block)
}

/// The same with a limit on the work, in steps and entries of signatures looked at, and on the entries that are stored
/// at one time. If it is not enough, the answer is false, and the coarsest stable partition is as fine as the one returned
/// or finer.
pub fn refine_within(
    graph: &Graph,
    limit: usize,
    room: usize,
    stop: Stop<'_>,
) -> Result<(Vec<u32>, bool), Stopped> {
    let mut refinement = Refinement {
        graph,
        partition: Partition::new(graph.nodes(), graph.classes()),
        sources: graph.sources(false),
        invisible: graph.tau().map(|_| graph.sources(true)),
        signatures: Signatures::new(),
        group: vec![0; graph.nodes() as usize],
        buffer: vec![],
        inherited: vec![],
        left: limit,
        room,
    };
    // Blocks are of very different sizes: what counts is how many nodes were looked at.
    let mut looked_at = 0;
    while let Some(block) = refinement.partition.take() {
        refinement.carry_back(block);
        looked_at += refinement.partition.marked(block).len() + 1;
        if looked_at > NODES_BETWEEN {
            looked_at = 0;
            go_on(stop, 0)?;
        }
        refinement.group(block, stop)?;
        if refinement.left == 0 {
            return Ok((refinement.partition.into_blocks(), false));
        }
        refinement.cut(block);
    }
    Ok((refinement.partition.into_blocks(), true))
}

struct Refinement<'a> {
    graph: &'a Graph,
    partition: Partition,
    sources: Sources,
    invisible: Option<Sources>,
    /// Those of the block at hand; their numbers are those of its groups.
    signatures: Signatures,
    /// The group of each marked node of the block at hand.
    group: Vec<u32>,
    /// Room for a signature in the making, and for the groups that it takes over.
    buffer: Vec<Entry>,
    inherited: Vec<u32>,
    /// How much work may still be done.
    left: usize,
    /// How many entries may be stored.
    room: usize,
}

impl Refinement<'_> {
    /// Marks all nodes of a block from which marked ones can be reached by inert steps.
    fn carry_back(&mut self, block: u32) {
        let Some(invisible) = &self.invisible else { return };
        let mut at = 0;
        while let Some(&node) = self.partition.marked(block).get(at) {
            for &source in invisible.of(node) {
                if self.partition.block(source) == block {
                    self.partition.mark(source);
                }
            }
            self.left = self.left.saturating_sub(invisible.of(node).len());
            at += 1;
        }
    }

    /// Finds the group of each marked node. If there are others, theirs is group 0.
    fn group(&mut self, block: u32, stop: Stop<'_>) -> Result<(), Stopped> {
        self.signatures.clear();
        if let Some(&node) = self.partition.unmarked(block).first() {
            let bottom = self.bottom(node);
            let group = self.signature(bottom);
            debug_assert_eq!(group, 0);
        }
        let mut marked = self.partition.marked(block).to_vec();
        // Inert steps lead to smaller nodes, whose signatures are thus known when they are needed.
        marked.sort_unstable();
        for (number, node) in marked.into_iter().enumerate() {
            self.group[node as usize] = self.signature(node);
            if self.left == 0 || self.signatures.entries() > self.room {
                self.left = 0;
                return Ok(());
            }
            if number % NODES_BETWEEN == NODES_BETWEEN - 1 {
                go_on(stop, 0)?;
            }
        }
        Ok(())
    }

    /// A node without inert steps that can be reached by inert steps.
    fn bottom(&mut self, mut node: u32) -> u32 {
        loop {
            let next = self.inert(node).next();
            let Some(target) = next else { return node };
            self.left = self.left.saturating_sub(self.graph.invisible_steps(node).len());
            node = target;
        }
    }

    fn inert(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let block = self.partition.block(node);
        let targets = self.graph.invisible_steps(node).iter().map(|&(_, target)| target);
        targets.filter(move |&target| self.partition.block(target) == block)
    }

    /// The number of a node's signature: what it offers itself, and what the targets of its inert steps offer.
    fn signature(&mut self, node: u32) -> u32 {
        let mut inherited = std::mem::take(&mut self.inherited);
        inherited.clear();
        inherited.extend(self.inert(node).map(|target| match self.partition.is_marked(target) {
            true => self.group[target as usize],
            false => 0,
        }));
        inherited.sort_unstable();
        inherited.dedup();

        self.buffer.clear();
        let (own, tau) = (self.partition.block(node), self.graph.tau());
        for &(label, target) in self.graph.steps(node) {
            let entry = (label, self.partition.block(target));
            if Some(label) != tau || entry.1 != own {
                self.buffer.push(entry);
            }
        }
        if self.graph.diverges(node) {
            self.buffer.push(DIVERGENCE);
        }
        // Sorting what was inherited takes longer than looking at it, by a factor that is small in practice.
        self.left = self.left.saturating_sub(self.graph.steps(node).len() + 1);
        let number = match (self.buffer.is_empty(), &inherited[..]) {
            (true, [group]) => *group,
            _ => {
                for group in &inherited {
                    self.buffer.extend_from_slice(self.signatures.get(*group));
                }
                self.left = self.left.saturating_sub(self.buffer.len());
                self.buffer.sort_unstable();
                self.buffer.dedup();
                self.signatures.number(&self.buffer)
            }
        };
        self.inherited = inherited;
        number
    }

    /// Cuts the block into its groups, and marks the nodes whose signatures change by that.
    fn cut(&mut self, block: u32) {
        let group = &self.group;
        let new = self.partition.cut(block, self.signatures.len(), |node| group[node as usize]);
        for part in new {
            // Marking a node of the part moves nodes about in it.
            let moved = self.partition.members(part).to_vec();
            for node in moved {
                self.left = self.left.saturating_sub(self.sources.of(node).len());
                self.sources.of(node).iter().for_each(|&source| self.partition.mark(source));
                // An inert step has become another step also if its source has moved and its target has not.
                let steps = self.graph.invisible_steps(node);
                if steps.iter().any(|&(_, target)| self.partition.block(target) == block) {
                    self.partition.mark(node);
                }
            }
        }
    }
}
