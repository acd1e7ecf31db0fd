//! Slices: the steps of a bunch that leave a block.
//!
//! A slice has two lists of steps: of those whose source is a bottom node, and of the others. Slices themselves are in
//! one of two lists of their block: of those under which the block is stable, and of those under which it may not be.

use super::NONE;

/// The slice of an inert step, which is in no bunch.
pub const INERT: u32 = NONE;
/// The slice of a step from a block with one node only: such a block is never cut again.
pub const ALONE: u32 = NONE - 1;

struct Slice {
    block: u32,
    /// The first of the other steps, and the first of those from bottom nodes.
    first: [u32; 2],
    pending: bool,
    /// Neighbours in the list of the block.
    next: u32,
    before: u32,
    /// The slice that steps are being moved to.
    twin: u32,
}

pub struct Slices {
    /// The slice of each step.
    of: Vec<u32>,
    next: Vec<u32>,
    before: Vec<u32>,
    list: Vec<Slice>,
    free: Vec<u32>,
    /// For each block, the first stable slice and the first pending one.
    blocks: Vec<[u32; 2]>,
    /// The slices that steps were moved from, and where to.
    parts: Vec<(u32, u32)>,
}

impl Slices {
    /// All steps inert, and blocks without slices.
    pub fn new(steps: usize, blocks: usize) -> Slices {
        Slices {
            of: vec![INERT; steps],
            next: vec![NONE; steps],
            before: vec![NONE; steps],
            list: vec![],
            free: vec![],
            blocks: vec![[NONE; 2]; blocks],
            parts: vec![],
        }
    }

    pub fn add_block(&mut self) {
        self.blocks.push([NONE; 2]);
    }

    /// The slice of a step, `INERT` or `ALONE`.
    pub fn of(&self, step: u32) -> u32 {
        self.of[step as usize]
    }

    pub fn block(&self, slice: u32) -> u32 {
        self.list[slice as usize].block
    }

    /// The first step of a list.
    pub fn first(&self, slice: u32, bottom: bool) -> u32 {
        self.list[slice as usize].first[usize::from(bottom)]
    }

    /// The next step of the same list.
    pub fn after(&self, step: u32) -> u32 {
        self.next[step as usize]
    }

    pub fn is_empty(&self, slice: u32) -> bool {
        self.list[slice as usize].first == [NONE; 2]
    }

    /// An empty slice.
    pub fn add(&mut self, block: u32, pending: bool) -> u32 {
        let slice = Slice { block, first: [NONE; 2], pending, next: NONE, before: NONE, twin: NONE };
        let number = match self.free.pop() {
            Some(number) => {
                self.list[number as usize] = slice;
                number
            }
            None => {
                self.list.push(slice);
                self.list.len() as u32 - 1
            }
        };
        self.enlist(number);
        number
    }

    fn enlist(&mut self, number: u32) {
        let slice = &mut self.list[number as usize];
        let first = &mut self.blocks[slice.block as usize][usize::from(slice.pending)];
        (slice.before, slice.next) = (NONE, *first);
        let next = std::mem::replace(first, number);
        if next != NONE {
            self.list[next as usize].before = number;
        }
    }

    fn delist(&mut self, number: u32) {
        let Slice { block, pending, next, before, .. } = self.list[number as usize];
        match before {
            NONE => self.blocks[block as usize][usize::from(pending)] = next,
            before => self.list[before as usize].next = next,
        }
        if next != NONE {
            self.list[next as usize].before = before;
        }
    }

    /// Removes a slice whose steps are gone or do not matter any more.
    pub fn remove(&mut self, number: u32) {
        self.delist(number);
        self.free.push(number);
    }

    /// Removes all slices of a block.
    pub fn remove_all(&mut self, block: u32) {
        for pending in [false, true] {
            while self.blocks[block as usize][usize::from(pending)] != NONE {
                self.remove(self.blocks[block as usize][usize::from(pending)]);
            }
        }
    }

    /// A slice under which the block may not be stable.
    pub fn pending(&self, block: u32) -> Option<u32> {
        Some(self.blocks[block as usize][1]).filter(|slice| *slice != NONE)
    }

    pub fn set_stable(&mut self, number: u32) {
        self.delist(number);
        self.list[number as usize].pending = false;
        self.enlist(number);
    }

    /// The block may not be stable under any of its slices.
    pub fn set_all_pending(&mut self, block: u32) {
        while self.blocks[block as usize][0] != NONE {
            let number = self.blocks[block as usize][0];
            self.delist(number);
            self.list[number as usize].pending = true;
            self.enlist(number);
        }
    }

    /// Puts a step that is in no list into one of a slice.
    pub fn link(&mut self, step: u32, slice: u32, bottom: bool) {
        self.of[step as usize] = slice;
        let first = &mut self.list[slice as usize].first[usize::from(bottom)];
        let next = std::mem::replace(first, step);
        (self.before[step as usize], self.next[step as usize]) = (NONE, next);
        if next != NONE {
            self.before[next as usize] = step;
        }
    }

    fn unlink(&mut self, step: u32, bottom: bool) {
        let (before, next) = (self.before[step as usize], self.next[step as usize]);
        match before {
            NONE => self.list[self.of[step as usize] as usize].first[usize::from(bottom)] = next,
            before => self.next[before as usize] = next,
        }
        if next != NONE {
            self.before[next as usize] = before;
        }
    }

    /// Moves a step to the list of steps from bottom nodes.
    pub fn set_bottom(&mut self, step: u32) {
        let slice = self.of[step as usize];
        self.unlink(step, false);
        self.link(step, slice, true);
    }

    /// Moves a step to the twin of its slice, which is made if there is none yet; its block is as given. Whether the
    /// block may be unstable under it is as with the slice itself.
    pub fn split_off(&mut self, step: u32, bottom: bool, block: u32) {
        let old = self.of[step as usize];
        let twin = match self.list[old as usize].twin {
            NONE => {
                let twin = self.add(block, self.list[old as usize].pending);
                self.list[old as usize].twin = twin;
                self.parts.push((old, twin));
                twin
            }
            twin => twin,
        };
        self.unlink(step, bottom);
        self.link(step, twin, bottom);
    }

    /// Takes a step out of its slice, because its block has one node only.
    pub fn leave_alone(&mut self, step: u32, bottom: bool) {
        let old = self.of[step as usize];
        if self.list[old as usize].twin == NONE {
            self.list[old as usize].twin = ALONE;
            self.parts.push((old, ALONE));
        }
        self.unlink(step, bottom);
        self.of[step as usize] = ALONE;
    }

    /// Marks a step as one of a block with one node, whose slices are removed as a whole or never were.
    pub fn set_alone(&mut self, step: u32) {
        self.of[step as usize] = ALONE;
    }

    /// The slices that steps were moved from since the last time, and their twins, which are `ALONE` where steps went
    /// nowhere.
    pub fn take_parts(&mut self) -> Vec<(u32, u32)> {
        let parts = std::mem::take(&mut self.parts);
        parts.iter().for_each(|&(old, _)| self.list[old as usize].twin = NONE);
        parts
    }

    /// Gives the room of the parts back.
    pub fn reuse(&mut self, mut parts: Vec<(u32, u32)>) {
        parts.clear();
        self.parts = parts;
    }
}
