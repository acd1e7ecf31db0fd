//! Cutting a block into the nodes that reach a slice by inert steps and those that do not, and what follows from that for
//! slices and bunches.

use super::slices::{ALONE, INERT};
use super::{NONE, Poll, Refinement};
use crate::stop::Stopped;

/// Two slices of a block that the caller keeps in sight while the block is cut, or `NONE`.
pub type Watched = [u32; 2];

/// A block that was cut.
pub struct Cut {
    /// The block of the nodes that reach the slice.
    pub reaching: u32,
    /// The slice of the steps from this block to the other that were inert, or `NONE`. A block with one node has none.
    pub fresh: u32,
    /// What became of the watched slices in the block that reaches the slice, and in the other.
    pub watched: [Watched; 2],
}

impl Refinement {
    /// Cuts the block of a slice, whose first `marked` nodes are those bottom nodes that have a step of it. There is
    /// another bottom node, and the slice is not empty, so neither part is empty.
    pub fn cut(
        &mut self,
        slice: u32,
        marked: u32,
        watched: Watched,
        poll: &mut Poll<'_>,
    ) -> Result<Cut, Stopped> {
        let old = self.slices.block(slice);
        let scene = (&self.steps, &mut self.blocks, &self.slices);
        let found = self.search.run(scene, slice, marked, poll)?;
        let new = self.blocks.cut(old, marked, found.border, found.reaching_is_small);
        self.slices.add_block();
        poll.work(self.blocks.range(new).len() as u32)?;

        let [in_old, in_new] = self.divide_slices(old, new, watched);
        self.divide_sets(new);
        if self.slices.pending(new).is_some() {
            self.unstable.push(new);
        }
        let (reaching, watched) = match found.reaching_is_small {
            true => (new, [in_new, in_old]),
            false => (old, [in_old, in_new]),
        };
        let fresh = self.no_longer_inert(reaching, new);
        Ok(Cut { reaching, fresh, watched })
    }

    /// Cuts the slices of a block of which some nodes have become a new block. Returns the watched slices of both.
    fn divide_slices(&mut self, old: u32, new: u32, watched: Watched) -> [Watched; 2] {
        let alone = self.blocks.is_single(new);
        for place in self.blocks.range(new) {
            let node = self.blocks.at(place);
            let bottom = self.blocks.is_bottom(node);
            for step in self.steps.out(node) {
                if self.slices.of(step) == INERT {
                    continue;
                }
                if alone {
                    self.slices.leave_alone(step, bottom);
                    self.counters.leave(step);
                } else {
                    self.slices.split_off(step, bottom, new);
                }
            }
        }
        let mut after = [watched, [NONE; 2]];
        let parts = self.slices.take_parts();
        for &(slice, twin) in &parts {
            let empty = self.slices.is_empty(slice);
            for at in (0..watched.len()).filter(|&at| watched[at] == slice) {
                after[1][at] = if twin == ALONE { NONE } else { twin };
                after[0][at] = if empty { NONE } else { slice };
            }
            if empty {
                self.slices.remove(slice);
            }
        }
        self.slices.reuse(parts);
        if self.blocks.is_single(old) {
            self.slices.remove_all(old);
            for step in self.steps.out(self.blocks.at(self.blocks.range(old).start)) {
                if self.slices.of(step) != INERT {
                    self.slices.set_alone(step);
                    self.counters.leave(step);
                }
            }
            after[0] = [NONE; 2];
        }
        after
    }

    /// Cuts the sets of steps by their target blocks.
    fn divide_sets(&mut self, new: u32) {
        for place in self.blocks.range(new) {
            for &step in self.steps.incoming(self.blocks.at(place)) {
                self.actions.mark(step);
            }
        }
        self.actions.cut();
    }

    /// Makes a bunch of the steps that were inert and now lead from the nodes that reach the slice to the others. Returns
    /// its slice, which is `NONE` if there are no such steps or if they start in a block with one node.
    fn no_longer_inert(&mut self, reaching: u32, new: u32) -> u32 {
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.clear();
        // Only the new block is gone through. No inert step leads back to the nodes that reach the slice.
        for place in self.blocks.range(new) {
            let node = self.blocks.at(place);
            let inert = |step: &u32| self.slices.of(*step) == INERT;
            if reaching == new {
                let leaving = |step: &u32| self.blocks.of(self.steps.target[*step as usize]) != new;
                fresh.extend(self.steps.silent_out(node).filter(|step| inert(step) && leaving(step)));
            } else {
                let entering = |step: &u32| self.blocks.of(self.steps.source[*step as usize]) != new;
                let steps = self.steps.silent_incoming(node).iter().copied();
                fresh.extend(steps.filter(|step| inert(step) && entering(step)));
            }
        }
        let mut slice = NONE;
        if self.blocks.is_single(reaching) {
            for &step in &fresh {
                self.slices.set_alone(step);
                self.blocks.lose_inert(self.steps.source[step as usize]);
            }
        } else if !fresh.is_empty() {
            slice = self.slices.add(reaching, false);
            self.add_bunch(&fresh, slice);
        }
        self.fresh = fresh;
        slice
    }

    fn add_bunch(&mut self, fresh: &[u32], slice: u32) {
        self.actions.add(fresh);
        for &step in fresh {
            let source = self.steps.source[step as usize];
            self.slices.link(step, slice, false);
            self.counters.enter(step, source);
        }
        for &step in fresh {
            let source = self.steps.source[step as usize];
            self.counters.entered(source);
            if self.blocks.lose_inert(source) {
                // All steps of a bottom node are in slices.
                self.steps.out(source).for_each(|step| self.slices.set_bottom(step));
            }
        }
    }
}
