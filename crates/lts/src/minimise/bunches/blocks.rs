//! Blocks of nodes, in each of which the bottom nodes come first: those without inert steps.

use std::ops::Range;

struct Block {
    from: u32,
    to: u32,
    bottoms: u32,
}

pub struct Blocks {
    /// The nodes, block by block.
    nodes: Vec<u32>,
    /// Where each node is in `nodes`.
    place: Vec<u32>,
    /// The block of each node.
    block: Vec<u32>,
    /// How many inert steps each node has.
    inert: Vec<u32>,
    blocks: Vec<Block>,
}

impl Blocks {
    /// The blocks of the nodes, numbered from 0 without gaps, and how many inert steps the nodes have.
    pub fn new(block: Vec<u32>, inert: Vec<u32>) -> Blocks {
        let count = block.iter().max().map_or(0, |last| last + 1);
        let mut nodes: Vec<u32> = (0..block.len() as u32).collect();
        let key = |node: u32| 2 * u64::from(block[node as usize]) + u64::from(inert[node as usize] > 0);
        super::steps::sort_by_small_key(&mut nodes, key);
        let mut blocks: Vec<Block> =
            (0..count).map(|_| Block { from: u32::MAX, to: 0, bottoms: 0 }).collect();
        let mut place = vec![0; nodes.len()];
        for (at, &node) in (0..).zip(&nodes) {
            place[node as usize] = at;
            let block = &mut blocks[block[node as usize] as usize];
            (block.from, block.to) = (block.from.min(at), at + 1);
            block.bottoms += u32::from(inert[node as usize] == 0);
        }
        Blocks { nodes, place, block, inert, blocks }
    }

    /// The block of each node.
    pub fn into_blocks(self) -> Vec<u32> {
        self.block
    }

    /// The number of blocks.
    pub fn count(&self) -> usize {
        self.blocks.len()
    }

    pub fn of(&self, node: u32) -> u32 {
        self.block[node as usize]
    }

    pub fn is_bottom(&self, node: u32) -> bool {
        self.inert[node as usize] == 0
    }

    /// The number of inert steps of a node.
    pub fn inert(&self, node: u32) -> u32 {
        self.inert[node as usize]
    }

    /// The places of the nodes of a block.
    pub fn range(&self, block: u32) -> Range<u32> {
        let Block { from, to, .. } = self.blocks[block as usize];
        from..to
    }

    /// The number of bottom nodes of a block.
    pub fn bottoms(&self, block: u32) -> u32 {
        self.blocks[block as usize].bottoms
    }

    pub fn is_single(&self, block: u32) -> bool {
        self.range(block).len() == 1
    }

    pub fn at(&self, place: u32) -> u32 {
        self.nodes[place as usize]
    }

    pub fn place(&self, node: u32) -> u32 {
        self.place[node as usize]
    }

    /// Exchanges a node with the one at a place.
    pub fn put(&mut self, node: u32, place: u32) {
        let (old, other) = (self.place[node as usize], self.nodes[place as usize]);
        self.nodes.swap(old as usize, place as usize);
        self.place[node as usize] = place;
        self.place[other as usize] = old;
    }

    /// Marks a bottom node of a block whose first `marked` nodes are marked.
    pub fn mark(&mut self, block: u32, marked: &mut u32, node: u32) {
        let border = self.blocks[block as usize].from + *marked;
        if self.place[node as usize] >= border {
            self.put(node, border);
            *marked += 1;
        }
    }

    /// Takes away an inert step. If it was the last, the node becomes a bottom node, and the answer is true.
    pub fn lose_inert(&mut self, node: u32) -> bool {
        self.inert[node as usize] -= 1;
        if self.inert[node as usize] > 0 {
            return false;
        }
        let block = &mut self.blocks[self.block[node as usize] as usize];
        block.bottoms += 1;
        let place = block.from + block.bottoms - 1;
        self.put(node, place);
        true
    }

    /// Cuts a block in two. Its first `marked` nodes, which are bottom nodes, and the nodes from place `border` on,
    /// which are none, become one part; the nodes between them the other. The part that `marked_is_new` says gets a
    /// new number, which is returned. The time is in proportion to the smaller part.
    pub fn cut(&mut self, block: u32, marked: u32, border: u32, marked_is_new: bool) -> u32 {
        let Block { from, to, bottoms } = self.blocks[block as usize];
        let rest_bottoms = bottoms - marked;
        self.exchange(from, from + marked, from + bottoms);
        self.exchange(from + rest_bottoms, from + bottoms, border);
        let middle = border - marked;
        let rest = Block { from, to: middle, bottoms: rest_bottoms };
        let part = Block { from: middle, to, bottoms: marked };
        let number = self.blocks.len() as u32;
        let (new, old) = if marked_is_new { (part, rest) } else { (rest, part) };
        for place in new.from..new.to {
            self.block[self.nodes[place as usize] as usize] = number;
        }
        self.blocks[block as usize] = old;
        self.blocks.push(new);
        number
    }

    /// Makes two neighbouring segments of nodes change places; the order inside them does not matter.
    fn exchange(&mut self, from: u32, middle: u32, to: u32) {
        let count = (middle - from).min(to - middle);
        for at in 0..count {
            self.put(self.at(from + at), to - count + at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(blocks: &Blocks, block: u32) -> (Vec<u32>, u32) {
        let mut nodes: Vec<u32> = blocks.range(block).map(|at| blocks.at(at)).collect();
        let bottoms = blocks.bottoms(block) as usize;
        assert!(nodes[..bottoms].iter().all(|&node| blocks.is_bottom(node)));
        assert!(nodes[bottoms..].iter().all(|&node| !blocks.is_bottom(node)));
        assert!(nodes.iter().all(|&node| blocks.of(node) == block && blocks.at(blocks.place(node)) == node));
        nodes.sort_unstable();
        (nodes, bottoms as u32)
    }

    /// All ways to cut a block of five bottom nodes and five others.
    #[test]
    fn cutting() {
        for marked in 0..=5 {
            for others in 0..=5 {
                for marked_is_new in [false, true] {
                    let inert = (0..12).map(|node| u32::from(node % 2 == 1 && node != 11)).collect();
                    let mut blocks = Blocks::new((0..12).map(|node| u32::from(node > 9)).collect(), inert);
                    assert_eq!(members(&blocks, 0).1, 5);
                    let range = blocks.range(0);
                    let border = range.end - others;
                    let in_part = |at: u32| at < range.start + marked || at >= border;
                    let mut part: Vec<u32> =
                        range.clone().filter(|&at| in_part(at)).map(|at| blocks.at(at)).collect();
                    part.sort_unstable();
                    let new = blocks.cut(0, marked, border, marked_is_new);
                    let [first, second] = if marked_is_new { [new, 0] } else { [0, new] };
                    assert_eq!(members(&blocks, first), (part, marked));
                    assert_eq!(members(&blocks, second).1, 5 - marked);
                    assert_eq!(members(&blocks, 1), (vec![10, 11], 2));
                }
            }
        }
    }

    #[test]
    fn bottom_nodes_are_made() {
        let mut blocks = Blocks::new(vec![0; 4], vec![1, 2, 0, 1]);
        assert!(!blocks.lose_inert(1));
        assert!(blocks.lose_inert(3));
        assert_eq!(members(&blocks, 0), (vec![0, 1, 2, 3], 2));
        let mut marked = 0;
        blocks.mark(0, &mut marked, 3);
        blocks.mark(0, &mut marked, 3);
        assert_eq!((marked, blocks.at(0)), (1, 3));
    }
}
