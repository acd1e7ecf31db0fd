//! Partition refinement in time O(m log n) for m steps and n nodes, for all three equivalences (Jansen, Groote, Keiren
//! and Wijs, *An O(m log n) algorithm for branching bisimilarity on labelled transition systems*, TACAS 2020).
//!
//! The nodes are partitioned into blocks and the steps that are not inert into *bunches*; *inert* are the invisible steps
//! inside a block. The nodes of a block that have no inert steps are its *bottom* nodes. The steps of a bunch that leave
//! a block are a *slice*. The invariant is that the blocks are stable under the bunches: if a slice is not empty, each
//! bottom node of the block has a step of it. Every node reaches a bottom node by inert steps, so it then reaches a step
//! of the slice.
//!
//! In the beginning there is one bunch. As long as there is a bunch with steps of different labels or to different blocks,
//! those of one label and to one block, at most half of the bunch, become a bunch of their own. Where both halves leave
//! a block, it is cut for the smaller half and then for the larger. In the end all bunches have one label and one target
//! block, and the partition of the nodes is the coarsest that is stable.
//!
//! A cut makes steps non-inert, and a node that loses its last inert step becomes a bottom node. It has not been looked at
//! as one, so all nodes from which such steps are reached are cut off, and that block is then cut for all of its slices
//! anew. A node becomes a bottom node once, so this costs no more than its steps.
//!
//! The time for a cut is in proportion to the steps from and to its smaller part, see [`search`]. Strong bisimilarity is
//! the case without inert steps, and a divergence is a step with a label of its own, see [`steps`].

mod actions;
mod blocks;
mod counters;
mod cut;
mod search;
mod slices;
mod steps;

use super::graph::Graph;
use crate::stop::{Stop, Stopped, go_on};
use actions::Actions;
use blocks::Blocks;
use counters::Counters;
use cut::Watched;
use search::Search;
use slices::{ALONE, Slices};
use std::collections::HashMap;
use steps::{Steps, sort_by_small_key};

const NONE: u32 = u32::MAX;

/// The stop request is polled once per so much work.
const WORK_BETWEEN: u32 = 1 << 14;

/// More steps cannot be numbered: two numbers have a meaning of their own.
const MOST_STEPS: usize = u32::MAX as usize - 2;

/// Polls the stop request now and then.
pub struct Poll<'a> {
    stop: Stop<'a>,
    done: u32,
}

impl Poll<'_> {
    fn work(&mut self, amount: u32) -> Result<(), Stopped> {
        self.done = self.done.saturating_add(amount);
        if self.done < WORK_BETWEEN {
            return Ok(());
        }
        self.done = 0;
        go_on(self.stop, 0)
    }
}

pub struct Refinement {
    steps: Steps,
    blocks: Blocks,
    actions: Actions,
    slices: Slices,
    counters: Counters,
    search: Search,
    /// Blocks that may have pending slices.
    unstable: Vec<u32>,
    /// Room for steps that are no longer inert.
    fresh: Vec<u32>,
}

impl Refinement {
    /// What is to be refined, with classes of the nodes; the graph is not needed any more. `None` if it has more steps
    /// than can be numbered.
    pub fn new(graph: &Graph, classes: &[u32]) -> Option<Refinement> {
        // Each node may have a divergence, which is a step, too.
        if graph.all_steps() + graph.nodes() as usize > MOST_STEPS {
            return None;
        }
        let (steps, labels) = Steps::new(graph, classes);
        let block = first_blocks(classes, &steps);
        let inside = |step: u32| {
            block[steps.source[step as usize] as usize] == block[steps.target[step as usize] as usize]
        };
        let mut inert = vec![0; steps.nodes()];
        let mut visible: Vec<u32> = vec![];
        for node in 0..steps.nodes() as u32 {
            let silent = steps.silent_out(node);
            for step in steps.out(node) {
                if silent.contains(&step) && inside(step) {
                    inert[node as usize] += 1;
                } else {
                    visible.push(step);
                }
            }
        }
        let target = |step: u32| u64::from(block[steps.target[step as usize] as usize]);
        sort_by_small_key(&mut visible, target);
        // A divergence has a label that no other step has.
        let label = |step: u32| match steps.is_last(step) && graph.diverges(steps.source[step as usize]) {
            true => 0,
            false => u64::from(labels[step as usize]) + 1,
        };
        sort_by_small_key(&mut visible, label);
        let border = |a: u32, b: u32| label(a) != label(b) || target(a) != target(b);
        let actions = Actions::new(steps.len(), visible, border);
        drop(labels);

        let blocks = Blocks::new(block, inert);
        let count = blocks.count();
        let mut slices = Slices::new(steps.len(), count);
        let mut counters = Counters::new(steps.len(), steps.nodes());
        let mut slice = vec![NONE; count];
        for &step in actions.steps() {
            let source = steps.source[step as usize];
            let block = blocks.of(source);
            if blocks.is_single(block) {
                slices.set_alone(step);
                continue;
            }
            let slice = &mut slice[block as usize];
            if *slice == NONE {
                *slice = slices.add(block, false);
            }
            slices.link(step, *slice, blocks.is_bottom(source));
            counters.enter(step, source);
        }
        actions.steps().iter().for_each(|&step| counters.entered(steps.source[step as usize]));
        let search = Search::new(steps.nodes());
        let (unstable, fresh) = (vec![], vec![]);
        Some(Refinement { steps, blocks, actions, slices, counters, search, unstable, fresh })
    }

    /// The block of each node in the coarsest stable partition.
    pub fn run(mut self, stop: Stop<'_>) -> Result<Vec<u32>, Stopped> {
        let poll = &mut Poll { stop, done: WORK_BETWEEN };
        poll.work(0)?;
        while let Some(places) = self.actions.separate() {
            poll.work(places.len() as u32)?;
            for place in places.clone() {
                let step = self.actions.at(place);
                let slice = self.slices.of(step);
                if slice != ALONE {
                    let source = self.steps.source[step as usize];
                    self.counters.change(step, source);
                    let bottom = self.blocks.is_bottom(source);
                    self.slices.split_off(step, bottom, self.slices.block(slice));
                }
            }
            let source = |step: u32| self.steps.source[step as usize];
            places.clone().for_each(|place| self.counters.entered(source(self.actions.at(place))));
            let parts = self.slices.take_parts();
            for &(larger, smaller) in &parts {
                if self.slices.is_empty(larger) {
                    self.slices.remove(larger);
                } else {
                    self.stabilise_under_both(smaller, larger, poll)?;
                }
            }
            self.slices.reuse(parts);
            for place in places {
                self.counters.forget(self.steps.source[self.actions.at(place) as usize]);
            }
            self.stabilise_under_pending(poll)?;
        }
        Ok(self.blocks.into_blocks())
    }

    /// Cuts a block for two slices that were one.
    fn stabilise_under_both(
        &mut self,
        smaller: u32,
        larger: u32,
        poll: &mut Poll<'_>,
    ) -> Result<(), Stopped> {
        let marked = self.mark_bottoms(smaller, |_, _| true);
        // What does not reach the smaller slice is stable under the larger, because it was stable under both together.
        let [smaller, larger] = self.stabilise(smaller, marked, [smaller, larger], poll)?;
        if smaller != NONE && larger != NONE {
            // All bottom nodes of this block have steps of the smaller slice, so these tell about all of them.
            let marked = self.mark_bottoms(smaller, |counters, node| counters.has_rest(node));
            self.stabilise(larger, marked, [NONE; 2], poll)?;
        }
        Ok(())
    }

    fn stabilise_under_pending(&mut self, poll: &mut Poll<'_>) -> Result<(), Stopped> {
        while let Some(&block) = self.unstable.last() {
            match self.slices.pending(block) {
                None => drop(self.unstable.pop()),
                Some(slice) => {
                    self.slices.set_stable(slice);
                    let marked = self.mark_bottoms(slice, |_, _| true);
                    self.stabilise(slice, marked, [NONE; 2], poll)?;
                }
            }
        }
        Ok(())
    }

    /// Marks the bottom nodes with steps of the slice, if they are wanted, and returns how many there are.
    fn mark_bottoms(&mut self, slice: u32, wanted: impl Fn(&Counters, u32) -> bool) -> u32 {
        let block = self.slices.block(slice);
        let mut marked = 0;
        let mut step = self.slices.first(slice, true);
        while step != NONE {
            let source = self.steps.source[step as usize];
            if wanted(&self.counters, source) {
                self.blocks.mark(block, &mut marked, source);
            }
            step = self.slices.after(step);
        }
        marked
    }

    /// Cuts the block of a slice, whose first `marked` nodes are those bottom nodes that have a step of it. Nodes from
    /// which new bottom nodes are reached become a block whose slices are pending. Returns the watched slices of the
    /// nodes that reach the slice and no new bottom node.
    fn stabilise(
        &mut self,
        slice: u32,
        marked: u32,
        watched: Watched,
        poll: &mut Poll<'_>,
    ) -> Result<Watched, Stopped> {
        if marked == self.blocks.bottoms(self.slices.block(slice)) {
            return Ok(watched);
        }
        let cut = self.cut(slice, marked, watched, poll)?;
        if cut.fresh == NONE {
            return Ok(cut.watched[0]);
        }
        // The bottom nodes that reach a step which is no longer inert have just become bottom nodes.
        let marked = self.mark_bottoms(cut.fresh, |_, _| true);
        let (block, watched) = if marked == self.blocks.bottoms(cut.reaching) {
            (cut.reaching, [NONE; 2])
        } else {
            let again = self.cut(cut.fresh, marked, cut.watched[0], poll)?;
            (again.reaching, again.watched[1])
        };
        self.slices.set_all_pending(block);
        self.unstable.push(block);
        Ok(watched)
    }
}

/// For each class, the nodes that can do something after silent steps inside the class and those that cannot: then all
/// blocks are stable under the bunch of all steps that are not inert.
fn first_blocks(classes: &[u32], steps: &Steps) -> Vec<u32> {
    let mut numbers: HashMap<(u32, bool), u32> = HashMap::new();
    let mut active = vec![false; steps.nodes()];
    let block = (0..steps.nodes() as u32).map(|node| {
        // Silent steps lead to smaller nodes.
        let silent = steps.silent_out(node);
        let acts = silent.end < steps.out(node).end
            || silent.into_iter().any(|step| active[steps.target[step as usize] as usize]);
        active[node as usize] = acts;
        let class = classes.get(node as usize).copied().unwrap_or(0);
        let next = numbers.len() as u32;
        *numbers.entry((class, acts)).or_insert(next)
    });
    block.collect()
}
