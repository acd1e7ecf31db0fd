//! Edges as chains of items, one in each layer that they cross.

use super::{Part, node_size, text};

/// Something that takes room in a layer: a node, a label, or an edge that passes.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// Its room from left to right.
    pub(super) width: f64,
    /// How far it reaches above its line; a node's line goes through its centre, and a label's below its text.
    pub(super) above: f64,
    /// How far it reaches below its line.
    pub(super) below: f64,
    /// Nodes attract edges less than edges attract each other, so that long edges become straight.
    pub(super) is_node: bool,
}

/// The items in their layers, and how they hang together.
pub(super) struct Net {
    /// First the nodes of the part, then everything else.
    pub(super) items: Vec<Item>,
    /// The layer of each item.
    pub(super) layer: Vec<usize>,
    /// The items of each layer, from the top. Nodes are in even layers, labels in odd ones.
    pub(super) layers: Vec<Vec<usize>>,
    /// The items of each edge of the part, from the left to the right.
    pub(super) chains: Vec<Vec<usize>>,
    /// The item of each edge that has its label.
    pub(super) labels: Vec<usize>,
    /// The neighbours of each item in the layer to the left.
    pub(super) left: Vec<Vec<usize>>,
    /// The neighbours of each item in the layer to the right.
    pub(super) right: Vec<Vec<usize>>,
}

/// The distance of a label from its line.
pub(super) const LABEL_GAP: f64 = 4.0;
/// The least height of the first loop at a node, and what each more adds.
pub(super) const LOOP: f64 = 20.0;
pub(super) const LOOP_MORE: f64 = 7.0;

impl Net {
    /// Nodes have the layers that are given, doubled.
    pub(super) fn new(part: &Part<'_>, ranks: &[usize]) -> Net {
        let mut net = Net {
            items: vec![],
            layer: vec![],
            layers: vec![vec![]; ranks.iter().max().map_or(0, |last| 2 * last + 1)],
            chains: vec![],
            labels: vec![],
            left: vec![],
            right: vec![],
        };
        for (number, rank) in ranks.iter().enumerate() {
            let item = node_item(part, number);
            net.add(item, 2 * rank);
        }
        for edge in &part.edges {
            let (from, to) = (edge.from, edge.to);
            let (start, end) = if ranks[from] < ranks[to] { (from, to) } else { (to, from) };
            let (first, last) = (2 * ranks[start], 2 * ranks[end]);
            // The odd layer that is nearest to the middle, to the left in doubt.
            let middle = (first + last) / 2;
            let labelled = if middle % 2 == 1 { middle } else { middle - 1 };
            let mut chain = vec![start];
            for layer in first + 1..last {
                let label: &[String] = if layer == labelled { &edge.edge.label } else { &[] };
                let item = net.add(edge_item(label), layer);
                if layer == labelled {
                    net.labels.push(item);
                }
                chain.push(item);
            }
            chain.push(end);
            for pair in chain.windows(2) {
                net.right[pair[0]].push(pair[1]);
                net.left[pair[1]].push(pair[0]);
            }
            net.chains.push(chain);
        }
        net
    }

    fn add(&mut self, item: Item, layer: usize) -> usize {
        let number = self.items.len();
        self.items.push(item);
        self.layer.push(layer);
        self.layers[layer].push(number);
        self.left.push(vec![]);
        self.right.push(vec![]);
        number
    }

    /// How many pieces of edges there are.
    pub(super) fn pieces(&self) -> usize {
        self.chains.iter().map(|chain| chain.len() - 1).sum()
    }
}

/// A node with its loops and their labels above it.
fn node_item(part: &Part<'_>, number: usize) -> Item {
    let (width, height) = node_size(part.node(number));
    let loops = &part.loops[number];
    let mut item = Item { width, above: height / 2.0, below: height / 2.0, is_node: true };
    if !loops.is_empty() {
        item.above += LOOP + LOOP_MORE * (loops.len() - 1) as f64;
        for (_, edge) in loops {
            item.above += label_height(&edge.label);
            item.width = item.width.max(text::width_of(&edge.label) + 4.0);
        }
        let arcs = loop_half_width(loops.len() - 1, width);
        item.width = item.width.max(2.0 * arcs + 4.0);
    }
    item
}

/// How far a loop reaches to each side; loops are numbered from the inside.
pub(super) fn loop_half_width(number: usize, node_width: f64) -> f64 {
    (node_width / 2.0 - 3.0).clamp(6.0, 13.0) + 4.0 * number as f64
}

/// The height of a label with its distance from what is below it.
pub(super) fn label_height(label: &[String]) -> f64 {
    if label.is_empty() { 0.0 } else { label.len() as f64 * text::LINE + LABEL_GAP }
}

/// A piece of an edge, perhaps with its label above it.
fn edge_item(label: &[String]) -> Item {
    if label.is_empty() {
        return Item { width: 0.0, above: 2.0, below: 2.0, is_node: false };
    }
    Item { width: text::width_of(label) + 8.0, above: label_height(label) + 1.0, below: 3.0, is_node: false }
}
