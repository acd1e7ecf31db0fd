//! Which nodes of a block can reach a slice by inert steps, and which cannot.
//!
//! Two searches run in turns, one for each part, and a search that has found more than half of the nodes stops. So the
//! one that ends has found at most half of them, and both together have taken time in proportion to the steps from and
//! to these nodes. A node is in such a part at most log n times.
//!
//! While they run, the nodes of the block are arranged as follows: marked bottom nodes, which have a step of the slice;
//! the other bottom nodes; other nodes that were found not to reach the slice; nodes not yet assigned; nodes that were
//! found to reach it.

use super::blocks::Blocks;
use super::slices::{INERT, Slices};
use super::steps::Steps;
use super::{NONE, Poll};
use crate::stop::Stopped;

/// The first turn of each search has so much work; each turn has twice as much as the one before.
const FIRST_TURN: u32 = 16;

/// What the searches remember of nodes.
pub struct Search {
    /// Of how many inert steps it is not yet known whether they lead away from the slice. 0 if none was looked at.
    unknown: Vec<u32>,
    /// Where `unknown` may not be 0.
    touched: Vec<u32>,
}

/// What was found.
pub struct Found {
    /// From this place on are the nodes that reach the slice, apart from marked ones.
    pub border: u32,
    /// Whether the nodes that reach it are the part that may be paid for.
    pub reaching_is_small: bool,
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Running,
    Done,
    /// More than half of the nodes have been found, so the other search will end.
    TooLarge,
}

/// A block in the course of the searches.
struct Scene<'a> {
    steps: &'a Steps,
    blocks: &'a mut Blocks,
    slices: &'a Slices,
    search: &'a mut Search,
    slice: u32,
    half: u32,
    /// Places: the beginning of the block, the end of marked nodes, the end of the nodes that do not reach the slice,
    /// the beginning of those that do, and the end of the block.
    from: u32,
    marked: u32,
    avoiding: u32,
    reaching: u32,
    to: u32,
}

/// The node whose incoming steps are looked at, by its place, and which of them is the next.
struct Cursor {
    place: u32,
    step: usize,
}

impl Search {
    pub fn new(nodes: usize) -> Search {
        Search { unknown: vec![0; nodes], touched: vec![] }
    }

    /// Searches a block, whose first `marked` nodes are those bottom nodes that have a step of the slice. There is
    /// another bottom node, and the slice is not empty.
    pub fn run(
        &mut self,
        (steps, blocks, slices): (&Steps, &mut Blocks, &Slices),
        slice: u32,
        marked: u32,
        poll: &mut Poll<'_>,
    ) -> Result<Found, Stopped> {
        let block = slices.block(slice);
        let (range, bottoms) = (blocks.range(block), blocks.bottoms(block));
        let mut scene = Scene {
            steps,
            slices,
            slice,
            half: range.len() as u32 / 2,
            from: range.start,
            marked: range.start + marked,
            avoiding: range.start + bottoms,
            reaching: range.end,
            to: range.end,
            blocks,
            search: self,
        };
        let found = scene.in_turns(poll);
        while let Some(node) = self.touched.pop() {
            self.unknown[node as usize] = 0;
        }
        found
    }
}

impl Scene<'_> {
    fn in_turns(&mut self, poll: &mut Poll<'_>) -> Result<Found, Stopped> {
        let mut avoid = Cursor { place: self.marked, step: 0 };
        let mut reach = Cursor { place: self.from, step: 0 };
        let mut seed = self.slices.first(self.slice, false);
        let (mut avoiding, mut reaching) = (self.size_avoiding(), self.size_reaching());
        let mut turn = FIRST_TURN;
        loop {
            if avoiding == Progress::Running {
                avoiding = self.avoid(&mut avoid, turn);
            }
            if avoiding == Progress::Done {
                return Ok(Found { border: self.avoiding, reaching_is_small: false });
            }
            if reaching == Progress::Running {
                reaching = self.reach(&mut reach, &mut seed, turn);
            }
            if reaching == Progress::Done {
                return Ok(Found { border: self.reaching, reaching_is_small: true });
            }
            poll.work(turn)?;
            turn = turn.saturating_mul(2).min(1 << 16);
        }
    }

    fn size_avoiding(&self) -> Progress {
        if self.avoiding - self.marked > self.half { Progress::TooLarge } else { Progress::Running }
    }

    fn size_reaching(&self) -> Progress {
        let size = self.marked - self.from + self.to - self.reaching;
        if size > self.half { Progress::TooLarge } else { Progress::Running }
    }

    /// Finds nodes that do not reach the slice: all their inert steps lead to such nodes, and they have no step of it.
    fn avoid(&mut self, cursor: &mut Cursor, mut work: u32) -> Progress {
        while cursor.place < self.avoiding {
            let steps = self.steps.silent_incoming(self.blocks.at(cursor.place));
            while let Some(&step) = steps.get(cursor.step) {
                if work == 0 {
                    return Progress::Running;
                }
                work -= 1;
                cursor.step += 1;
                let source = self.steps.source[step as usize];
                if self.slices.of(step) != INERT || self.blocks.place(source) >= self.reaching {
                    continue;
                }
                let unknown = &mut self.search.unknown[source as usize];
                if *unknown == 0 {
                    *unknown = self.blocks.inert(source);
                    self.search.touched.push(source);
                }
                *unknown -= 1;
                if *unknown > 0 {
                    continue;
                }
                // This is paid for by the smaller part if the node goes there. If it has a step of the slice, it becomes
                // a bottom node, which happens once only.
                let mut out = self.steps.out(source);
                work = work.saturating_sub(out.len() as u32);
                if !out.any(|step| self.slices.of(step) == self.slice) {
                    self.blocks.put(source, self.avoiding);
                    self.avoiding += 1;
                    if self.size_avoiding() == Progress::TooLarge {
                        return Progress::TooLarge;
                    }
                }
            }
            work = work.saturating_sub(1);
            (cursor.place, cursor.step) = (cursor.place + 1, 0);
        }
        Progress::Done
    }

    /// Finds nodes that reach the slice: those with a step of it, and those with an inert step to such a node.
    fn reach(&mut self, cursor: &mut Cursor, seed: &mut u32, mut work: u32) -> Progress {
        while *seed != NONE {
            if work == 0 {
                return Progress::Running;
            }
            work -= 1;
            let source = self.steps.source[*seed as usize];
            *seed = self.slices.after(*seed);
            if self.add_reaching(source) == Progress::TooLarge {
                return Progress::TooLarge;
            }
        }
        loop {
            // The marked nodes upwards, and then the others downwards, as they are found.
            if cursor.place == self.marked {
                cursor.place = self.to;
            }
            let place = match cursor.place {
                place if place < self.marked => place,
                place if place > self.reaching => place - 1,
                _ => return Progress::Done,
            };
            let steps = self.steps.silent_incoming(self.blocks.at(place));
            while let Some(&step) = steps.get(cursor.step) {
                if work == 0 {
                    return Progress::Running;
                }
                work -= 1;
                cursor.step += 1;
                let source = self.steps.source[step as usize];
                if self.slices.of(step) == INERT && self.add_reaching(source) == Progress::TooLarge {
                    return Progress::TooLarge;
                }
            }
            work = work.saturating_sub(1);
            cursor.step = 0;
            cursor.place = if place < self.marked { place + 1 } else { place };
        }
    }

    fn add_reaching(&mut self, node: u32) -> Progress {
        if self.blocks.place(node) >= self.reaching {
            return Progress::Running;
        }
        self.reaching -= 1;
        self.blocks.put(node, self.reaching);
        self.size_reaching()
    }
}
