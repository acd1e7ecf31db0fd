//! Drawings of graphs: automata and state spaces, in layers from left to right.
//!
//! The method is that of Sugiyama, Tagawa and Toda ("Methods for visual understanding of hierarchical system structures", 1981),
//! with the usual refinements of Gansner, Koutsofios, North and Vo ("A technique for drawing directed graphs", 1993):
//!
//! 1. `layers`: edges that close cycles are turned round, and nodes get layers so that all edges lead to the right;
//! 2. `chain`: an edge becomes a chain of items, one in each layer that it crosses. Nodes are in even layers only, so every edge
//!    crosses an odd layer, and its label is an item there: labels and nodes never share a layer;
//! 3. `order`: the items of each layer are ordered so that few edges cross;
//! 4. `place`: items get heights so that edges are straight and nothing overlaps;
//! 5. `route`: edges are horizontal inside layers and slanted only between them, so no edge runs through a node or a label.
//!
//! Weakly connected parts are drawn below each other. Nothing is drawn at random: the same graph gives the same drawing.

mod chain;
mod layers;
mod order;
mod place;
mod route;
pub mod svg;
#[cfg(test)]
mod tests;
pub mod text;

use crate::data::{Drawing, Edge, Node};
use std::collections::BTreeMap;

/// A graph to draw. Nodes are named by their place in the list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Graph {
    /// In the order of their names.
    pub nodes: Vec<GraphNode>,
    /// The edges. Those that name a node that does not exist are left out.
    pub edges: Vec<GraphEdge>,
}

/// A node to draw. One without a label is a small square: it joins and forks edges.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphNode {
    /// What is written in it.
    pub label: String,
    /// Where executions begin: an arrow leads to it.
    pub initial: bool,
    /// Where they may end: it has a double border.
    pub last: bool,
    /// The location that it stands for.
    pub location: Option<i64>,
}

/// An edge to draw.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphEdge {
    /// The node it leaves.
    pub from: u32,
    /// The node it enters.
    pub to: u32,
    /// What is written at it, a line each.
    pub label: Vec<String>,
    /// `line:column` in the model, if it is an action of it.
    pub place: Option<String>,
}

/// The space around everything.
const MARGIN: f64 = 12.0;
/// The length of the arrow that leads to an initial node.
pub(crate) const ENTRY: f64 = 26.0;
/// The least width and height of a node with a label.
const NODE: f64 = 30.0;
/// The width and height of a node without one.
const SQUARE: f64 = 8.0;
/// The space between parts that are not connected.
const APART: f64 = 28.0;

/// The width and height of a node.
fn node_size(node: &GraphNode) -> (f64, f64) {
    if node.label.is_empty() && node.location.is_none() {
        return (SQUARE, SQUARE);
    }
    (NODE.max(text::width(&node.label) + 16.0), NODE)
}

/// Draws a graph.
pub fn draw(graph: &Graph) -> Drawing {
    let count = graph.nodes.len();
    let known = |edge: &&GraphEdge| (edge.from as usize) < count && (edge.to as usize) < count;
    let edges: Vec<&GraphEdge> = graph.edges.iter().filter(known).collect();
    let mut drawing = Drawing { width: 0.0, height: MARGIN, nodes: vec![], edges: vec![] };
    let mut nodes: BTreeMap<u32, Node> = BTreeMap::new();
    let mut drawn: BTreeMap<usize, Edge> = BTreeMap::new();
    let parts = components(count, &edges);
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            drawing.height += APART;
        }
        let drawn_part = Part::new(graph, part, &edges).draw();
        let top = drawing.height;
        drawing.width = drawing.width.max(drawn_part.width);
        drawing.height += drawn_part.height;
        for mut node in drawn_part.nodes {
            node.y += top;
            nodes.insert(node.id, node);
        }
        for (at, mut edge) in drawn_part.edges {
            edge.points.iter_mut().for_each(|point| point.1 += top);
            edge.at.1 += top;
            drawn.insert(at, edge);
        }
    }
    drawing.width = rounded(drawing.width + MARGIN);
    drawing.height = rounded(drawing.height + MARGIN);
    drawing.nodes = nodes.into_values().collect();
    drawing.edges = drawn.into_values().collect();
    drawing.nodes.iter_mut().for_each(|node| (node.x, node.y) = (rounded(node.x), rounded(node.y)));
    for edge in &mut drawing.edges {
        edge.points.iter_mut().for_each(|(x, y)| (*x, *y) = (rounded(*x), rounded(*y)));
        edge.at = (rounded(edge.at.0), rounded(edge.at.1));
    }
    drawing
}

/// Hundredths of a pixel are enough, and keep files small.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// The weakly connected parts, each in the order of its nodes; parts with an initial node come first.
fn components(count: usize, edges: &[&GraphEdge]) -> Vec<Vec<usize>> {
    let mut beside = vec![vec![]; count];
    for edge in edges {
        beside[edge.from as usize].push(edge.to as usize);
        beside[edge.to as usize].push(edge.from as usize);
    }
    let mut seen = vec![false; count];
    let mut parts = vec![];
    for first in 0..count {
        if seen[first] {
            continue;
        }
        seen[first] = true;
        let mut part = vec![first];
        let mut next = 0;
        while let Some(&node) = part.get(next) {
            for &other in &beside[node] {
                if !std::mem::replace(&mut seen[other], true) {
                    part.push(other);
                }
            }
            next += 1;
        }
        part.sort_unstable();
        parts.push(part);
    }
    parts
}

/// A weakly connected part. Its nodes are numbered from 0.
struct Part<'g> {
    graph: &'g Graph,
    /// The numbers of the nodes in the graph.
    names: Vec<usize>,
    /// Edges between different nodes, with their ends here and their place in the list of all edges.
    edges: Vec<PartEdge<'g>>,
    /// Edges from a node to itself, by node.
    loops: Vec<Vec<(usize, &'g GraphEdge)>>,
}

/// An edge between different nodes.
struct PartEdge<'g> {
    number: usize,
    from: usize,
    to: usize,
    edge: &'g GraphEdge,
}

/// A part with places for everything. Heights are from its top; widths are from the left of the drawing.
struct DrawnPart {
    width: f64,
    height: f64,
    nodes: Vec<Node>,
    edges: Vec<(usize, Edge)>,
}

impl<'g> Part<'g> {
    fn new(graph: &'g Graph, names: &[usize], all: &[&'g GraphEdge]) -> Part<'g> {
        let own = |name: u32| names.binary_search(&(name as usize)).ok();
        let mut part = Part { graph, names: names.to_vec(), edges: vec![], loops: vec![vec![]; names.len()] };
        for (number, &edge) in all.iter().enumerate() {
            let (Some(from), Some(to)) = (own(edge.from), own(edge.to)) else { continue };
            if from == to {
                part.loops[from].push((number, edge));
            } else {
                part.edges.push(PartEdge { number, from, to, edge });
            }
        }
        part
    }

    fn node(&self, number: usize) -> &'g GraphNode {
        &self.graph.nodes[self.names[number]]
    }

    fn draw(&self) -> DrawnPart {
        let ends: Vec<(usize, usize)> = self.edges.iter().map(|edge| (edge.from, edge.to)).collect();
        let first: Vec<bool> = (0..self.names.len()).map(|number| self.node(number).initial).collect();
        let ranks = layers::ranks(&first, &ends);
        let mut net = chain::Net::new(self, &ranks);
        order::reduce_crossings(&mut net);
        let heights = place::heights(&net);
        route::drawn(self, &net, &heights)
    }
}
