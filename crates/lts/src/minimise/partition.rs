//! A partition of nodes into blocks, some of whose nodes are marked.
//!
//! The nodes of a block lie together in one array, the marked ones first, so that marking a node, going through the
//! marked ones and cutting a block into pieces take time for the nodes concerned only.

use std::collections::VecDeque;
use std::ops::Range;

pub struct Partition {
    /// The nodes, block by block.
    nodes: Vec<u32>,
    /// Where each node is in `nodes`.
    place: Vec<u32>,
    /// The block of each node.
    block: Vec<u32>,
    blocks: Vec<Block>,
    /// The blocks with marked nodes, each once, in the order in which they got the first.
    queue: VecDeque<u32>,
}

struct Block {
    from: u32,
    to: u32,
    marked: u32,
}

impl Partition {
    /// The nodes of each class in one block, and all marked. Without classes, all nodes are in one block.
    pub fn new(nodes: u32, classes: &[u32]) -> Partition {
        let mut list: Vec<u32> = (0..nodes).collect();
        // Stable: the nodes of a block are in their order.
        list.sort_by_key(|&node| classes.get(node as usize));
        let mut place = vec![0; nodes as usize];
        let mut block = vec![0; nodes as usize];
        let mut blocks: Vec<Block> = vec![];
        let mut last = None;
        for (at, &node) in (0..).zip(&list) {
            let class = Some(classes.get(node as usize));
            if class != last {
                last = class;
                blocks.push(Block { from: at, to: at, marked: 0 });
            }
            let number = blocks.len() - 1;
            blocks[number].to += 1;
            blocks[number].marked += 1;
            place[node as usize] = at;
            block[node as usize] = number as u32;
        }
        let queue = (0..blocks.len() as u32).collect();
        Partition { nodes: list, place, block, blocks, queue }
    }

    /// The block of each node.
    pub fn into_blocks(self) -> Vec<u32> {
        self.block
    }

    pub fn block(&self, node: u32) -> u32 {
        self.block[node as usize]
    }

    /// Marks a node; if it is marked already, nothing changes.
    pub fn mark(&mut self, node: u32) {
        let number = self.block[node as usize];
        let block = &mut self.blocks[number as usize];
        let (place, border) = (self.place[node as usize], block.from + block.marked);
        if place < border {
            return;
        }
        if block.marked == 0 {
            self.queue.push_back(number);
        }
        block.marked += 1;
        let other = self.nodes[border as usize];
        self.put(border, node);
        self.put(place, other);
    }

    fn put(&mut self, place: u32, node: u32) {
        self.nodes[place as usize] = node;
        self.place[node as usize] = place;
    }

    /// Whether a node is marked.
    pub fn is_marked(&self, node: u32) -> bool {
        let block = &self.blocks[self.block(node) as usize];
        self.place[node as usize] < block.from + block.marked
    }

    /// All nodes of a block.
    pub fn members(&self, block: u32) -> &[u32] {
        let block = &self.blocks[block as usize];
        &self.nodes[block.from as usize..block.to as usize]
    }

    /// The marked nodes of a block; marking more adds them at the end.
    pub fn marked(&self, block: u32) -> &[u32] {
        let block = &self.blocks[block as usize];
        &self.nodes[block.from as usize..(block.from + block.marked) as usize]
    }

    /// The nodes of a block that are not marked.
    pub fn unmarked(&self, block: u32) -> &[u32] {
        let block = &self.blocks[block as usize];
        &self.nodes[(block.from + block.marked) as usize..block.to as usize]
    }

    /// A block with marked nodes, which the caller is going to cut.
    pub fn take(&mut self) -> Option<u32> {
        self.queue.pop_front()
    }

    /// Cuts a block that was taken into groups and removes its marks. The groups are given for the marked nodes, by
    /// number below `groups`; the others are in group 0. No group is empty. The largest group keeps the block's number,
    /// so that a node changes its block at most as often as the number of nodes can be halved. Returns the new blocks.
    pub fn cut(&mut self, block: u32, groups: u32, group: impl Fn(u32) -> u32) -> Range<u32> {
        let Block { from, to, marked } = self.blocks[block as usize];
        let next = self.blocks.len() as u32;
        self.blocks[block as usize].marked = 0;
        if groups < 2 {
            return next..next;
        }
        // Group 0 comes last, where its unmarked nodes are.
        let rank = |node: u32| (group(node) + groups - 1) % groups;
        let mut sorted = self.nodes[from as usize..(from + marked) as usize].to_vec();
        sorted.sort_unstable_by_key(|&node| (rank(node), node));
        let mut sizes = vec![0; groups as usize];
        for (place, node) in (from..).zip(sorted) {
            sizes[rank(node) as usize] += 1;
            self.put(place, node);
        }
        sizes[groups as usize - 1] += to - from - marked;

        let mut largest = 0;
        for (rank, size) in sizes.iter().enumerate() {
            largest = if *size > sizes[largest] { rank } else { largest };
        }
        let mut from = from;
        for (rank, size) in sizes.iter().enumerate() {
            let part = Block { from, to: from + size, marked: 0 };
            from += size;
            if rank == largest {
                self.blocks[block as usize] = part;
            } else {
                let number = self.blocks.len() as u32;
                for place in part.from..part.to {
                    self.block[self.nodes[place as usize] as usize] = number;
                }
                self.blocks.push(part);
            }
        }
        next..self.blocks.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cutting() {
        let mut p = Partition::new(6, &[]);
        assert_eq!(p.take(), Some(0));
        assert_eq!(p.cut(0, 2, |node| node % 2), 1..2);
        let blocks = |p: &Partition| (0..6).map(|node| p.block(node)).collect::<Vec<_>>();
        assert_eq!(blocks(&p), [1, 0, 1, 0, 1, 0]);
        assert_eq!(p.take(), None);

        p.mark(4);
        p.mark(4);
        assert_eq!(p.take(), Some(1));
        assert_eq!(
            (p.marked(1), p.unmarked(1).len(), p.is_marked(4), p.is_marked(2)),
            (&[4][..], 2, true, false)
        );
        assert_eq!(p.cut(1, 2, |_| 1), 2..3);
        assert_eq!(blocks(&p), [1, 0, 1, 0, 2, 0]);

        // The marked group is larger than the rest, so the rest gets the new number.
        p.mark(5);
        p.mark(1);
        assert_eq!(p.cut(0, 2, |_| 1), 3..4);
        assert_eq!(blocks(&p), [1, 0, 1, 3, 2, 0]);
        assert_eq!(p.members(3), [3]);
    }

    #[test]
    fn classes_are_blocks() {
        let mut p = Partition::new(5, &[3, 1, 3, 1, 9]);
        assert_eq!((p.members(0), p.members(1), p.members(2)), (&[1, 3][..], &[0, 2][..], &[4][..]));
        assert_eq!((p.marked(1).len(), p.block(4), p.is_marked(4)), (2, 2, true));
        assert_eq!([p.take(), p.take(), p.take(), p.take()], [Some(0), Some(1), Some(2), None]);
        assert_eq!(Partition::new(0, &[]).take(), None);
    }

    #[test]
    fn one_group_is_no_cut() {
        let mut p = Partition::new(3, &[]);
        assert_eq!(p.take(), Some(0));
        assert_eq!(p.cut(0, 1, |_| 0), 1..1);
        assert!(p.marked(0).is_empty());
    }
}
