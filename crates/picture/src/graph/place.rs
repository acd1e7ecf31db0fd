//! Heights of the items of all layers.
//!
//! Every item wants to be at the mean height of its neighbours, and items of a layer must keep their order and their distances.
//! For one layer the heights with the least sum of squared differences are known: with the distances taken out it is isotonic
//! regression, which pooling adjacent violators solves exactly. Layers are visited in turn, to the right and back.
//!
//! Neighbours alone would give a long edge many small bends. So in the second half all pieces of an edge want to be at the same height,
//! which is between theirs and the heights of its nodes.

use super::chain::Net;

/// The space between two items of which one is a node, and between others.
const NODE_GAP: f64 = 14.0;
const EDGE_GAP: f64 = 7.0;

/// How much more a long edge wants to be straight than a node wants to be between its neighbours: nodes give way.
const STRAIGHT: f64 = 60.0;

/// The height of each item's line, from the top of the drawing.
pub(super) fn heights(net: &Net) -> Vec<f64> {
    let mut height = vec![0.0; net.items.len()];
    for layer in &net.layers {
        let mut at = 0.0;
        for pair in layer.windows(2) {
            at += distance(net, pair[0], pair[1]);
            height[pair[1]] = at;
        }
        let half = at / 2.0;
        layer.iter().for_each(|&item| height[item] -= half);
    }
    let rounds = (600_000 / net.pieces().max(1)).clamp(8, 60);
    let count = net.layers.len();
    let mut wanted = vec![None; net.items.len()];
    for round in 0..rounds {
        let both = 2 * round >= rounds;
        if both {
            straighten(net, &height, &mut wanted);
        }
        let to_the_right = round % 2 == 0;
        for step in 0..count {
            let layer = if to_the_right { step } else { count - 1 - step };
            settle(net, &mut height, &wanted, layer, (both || to_the_right, both || !to_the_right));
        }
    }
    let tops = net.items.iter().zip(&height).map(|(item, height)| height - item.above);
    let top = tops.fold(f64::INFINITY, f64::min);
    if top.is_finite() {
        height.iter_mut().for_each(|height| *height -= top);
    }
    height
}

/// The height that all pieces of an edge want to have.
fn straighten(net: &Net, height: &[f64], wanted: &mut [Option<f64>]) {
    for chain in &net.chains {
        let [first, inner @ .., last] = &chain[..] else { continue };
        if inner.len() < 2 {
            continue;
        }
        // A piece that others push away takes the whole edge with it: so the extremes count, and not the mean.
        let lowest = inner.iter().map(|&item| height[item]).fold(f64::INFINITY, f64::min);
        let highest = inner.iter().map(|&item| height[item]).fold(f64::NEG_INFINITY, f64::max);
        let common = 0.485 * (lowest + highest) + 0.015 * (height[*first] + height[*last]);
        inner.iter().for_each(|&item| wanted[item] = Some(common));
    }
}

/// How far the lines of two items that follow each other in a layer must be apart.
fn distance(net: &Net, above: usize, below: usize) -> f64 {
    let (a, b) = (&net.items[above], &net.items[below]);
    let gap = if a.is_node || b.is_node { NODE_GAP } else { EDGE_GAP };
    a.below + gap + b.above
}

/// Moves the items of a layer to the heights that they want, or towards their neighbours on the sides that count.
fn settle(net: &Net, height: &mut [f64], wanted: &[Option<f64>], layer: usize, (left, right): (bool, bool)) {
    let items = &net.layers[layer];
    let mut blocks: Vec<Block> = vec![];
    let mut offset = 0.0;
    for (at, &item) in items.iter().enumerate() {
        if at > 0 {
            offset += distance(net, items[at - 1], item);
        }
        // An item without neighbours there stays where it is, but gives way easily.
        let (mut sum, mut weight) = (0.01 * height[item], 0.01);
        if let Some(wanted) = wanted[item] {
            (sum, weight) = (STRAIGHT * wanted, STRAIGHT);
        }
        let sides = [(left, &net.left[item]), (right, &net.right[item])];
        let free = wanted[item].is_none();
        for &other in sides.into_iter().filter(|side| side.0 && free).flat_map(|side| side.1) {
            let pull = if net.items[item].is_node || net.items[other].is_node { 1.0 } else { 6.0 };
            sum += pull * height[other];
            weight += pull;
        }
        let mut block = Block { weight, sum: sum - weight * offset, items: 1 };
        while let Some(previous) = blocks.pop_if(|previous| previous.mean() >= block.mean()) {
            block = Block {
                weight: previous.weight + block.weight,
                sum: previous.sum + block.sum,
                items: previous.items + block.items,
            };
        }
        blocks.push(block);
    }
    let mut offset = 0.0;
    let means = blocks.iter().flat_map(|block| std::iter::repeat_n(block.mean(), block.items));
    for (at, mean) in means.enumerate() {
        if at > 0 {
            offset += distance(net, items[at - 1], items[at]);
        }
        height[items[at]] = mean + offset;
    }
}

/// Items that touch each other.
struct Block {
    weight: f64,
    sum: f64,
    items: usize,
}

impl Block {
    fn mean(&self) -> f64 {
        self.sum / self.weight
    }
}
