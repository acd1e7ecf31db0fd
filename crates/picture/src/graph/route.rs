//! From left to right: the places of layers, and the points of edges.
//!
//! An edge leaves a node at its border, runs to the side of the layer, and then from layer to layer: horizontally through each, slanted
//! between two. Several edges at one side of a node leave it at different heights, in the order of where they go.

use super::chain::{LABEL_GAP, LOOP, LOOP_MORE, Net, label_height, loop_half_width};
use super::{DrawnPart, ENTRY, MARGIN, Part, node_size, text};
use crate::data::{Edge, Node};

/// The space between two layers; the steeper the edges between them, the more.
const LEAST_GAP: f64 = 18.0;
const MOST_GAP: f64 = 90.0;

/// Where a layer begins and ends.
#[derive(Clone, Copy)]
struct Column {
    left: f64,
    right: f64,
}

impl Column {
    fn centre(self) -> f64 {
        f64::midpoint(self.left, self.right)
    }
}

/// The drawing of a part.
pub(super) fn drawn(part: &Part<'_>, net: &Net, heights: &[f64]) -> DrawnPart {
    let columns = columns(part, net, heights);
    let width = columns.last().map_or(0.0, |column| column.right);
    let bottoms = net.items.iter().zip(heights).map(|(item, height)| height + item.below);
    let height = bottoms.fold(0.0, f64::max);
    let centre = |number: usize| (columns[net.layer[number]].centre(), heights[number]);
    let nodes = (0..part.names.len()).map(|number| {
        let node = part.node(number);
        let ((x, y), (width, height)) = (centre(number), node_size(node));
        Node {
            id: part.names[number] as u32,
            label: node.label.clone(),
            x,
            y,
            width,
            height,
            initial: node.initial,
            last: node.last,
            location: node.location,
        }
    });
    let nodes: Vec<Node> = nodes.collect();
    let mut edges = vec![];
    let ports = ports(net, heights, &nodes);
    for (at, own) in part.edges.iter().enumerate() {
        let mut points = line(net, heights, &columns, (&net.chains[at], ports[at]), &nodes);
        if net.chains[at].first() != Some(&own.from) {
            points.reverse();
        }
        let item = net.labels[at];
        let label = &own.edge.label;
        let up = label.len() as f64 * text::LINE / 2.0 + LABEL_GAP;
        let at = (columns[net.layer[item]].centre(), heights[item] - if label.is_empty() { 0.0 } else { up });
        edges.push((own.number, edge(own.edge, points, at)));
    }
    for (node, loops) in nodes.iter().zip(&part.loops) {
        let top = LOOP + LOOP_MORE * loops.len().saturating_sub(1) as f64;
        let mut base = node.y - node.height / 2.0 - top;
        for (number, (at, own)) in loops.iter().enumerate() {
            let label = &own.label;
            let middle = base - LABEL_GAP - label.len() as f64 * text::LINE / 2.0;
            base -= label_height(label);
            edges.push((*at, edge(own, arc(node, number), (node.x, middle))));
        }
    }
    DrawnPart { width, height, nodes, edges }
}

fn edge(edge: &super::GraphEdge, points: Vec<(f64, f64)>, at: (f64, f64)) -> Edge {
    Edge { from: edge.from, to: edge.to, label: edge.label.clone(), points, at, place: edge.place.clone() }
}

/// The places of the layers, from left to right.
fn columns(part: &Part<'_>, net: &Net, heights: &[f64]) -> Vec<Column> {
    let mut out: Vec<Column> = vec![];
    let begins = |&item: &usize| item < part.names.len() && part.node(item).initial;
    for layer in &net.layers {
        let left = match out.last() {
            None => MARGIN,
            Some(before) => {
                let steps = layer.iter().flat_map(|&item| {
                    net.left[item].iter().map(move |&other| (heights[item] - heights[other]).abs())
                });
                before.right + (LEAST_GAP + 0.22 * steps.fold(0.0, f64::max)).min(MOST_GAP)
            }
        };
        // The arrow of an initial node has its place in front of it.
        let entry = if layer.iter().any(begins) { ENTRY } else { 0.0 };
        let width = layer.iter().map(|&item| net.items[item].width).fold(0.0, f64::max);
        out.push(Column { left: left + entry, right: left + entry + width });
    }
    out
}

/// For each edge, how far above or below the centre it leaves its left node and enters its right one.
fn ports(net: &Net, heights: &[f64], nodes: &[Node]) -> Vec<(f64, f64)> {
    let mut out = vec![(0.0, 0.0); net.chains.len()];
    let mut sides: Vec<[Vec<(f64, usize)>; 2]> = vec![[vec![], vec![]]; nodes.len()];
    for (edge, chain) in net.chains.iter().enumerate() {
        let (first, last) = (chain[0], chain[chain.len() - 1]);
        sides[first][0].push((heights[chain[1]], edge));
        sides[last][1].push((heights[chain[chain.len() - 2]], edge));
    }
    for (node, sides) in nodes.iter().zip(sides) {
        for (side, mut edges) in sides.into_iter().enumerate() {
            edges.sort_by(|a, b| a.0.total_cmp(&b.0));
            let room = 0.7 * node.height;
            let step = (room / edges.len() as f64).min(8.0);
            let first = -step * edges.len().saturating_sub(1) as f64 / 2.0;
            for (at, (_, edge)) in edges.into_iter().enumerate() {
                let offset = first + step * at as f64;
                if side == 0 { out[edge].0 = offset } else { out[edge].1 = offset }
            }
        }
    }
    out
}

/// The distance from the centre to the border of a node at so much above or below its centre. Nodes have round ends.
pub(super) fn half_width(node: &Node, offset: f64) -> f64 {
    let radius = node.height.min(node.width) / 2.0;
    node.width / 2.0 - radius + (radius * radius - offset * offset).max(0.0).sqrt()
}

/// The points of an edge from left to right.
fn line(
    net: &Net,
    heights: &[f64],
    columns: &[Column],
    (chain, (leave, enter)): (&[usize], (f64, f64)),
    nodes: &[Node],
) -> Vec<(f64, f64)> {
    let (start, end) = (&nodes[chain[0]], &nodes[chain[chain.len() - 1]]);
    let mut points = vec![
        (start.x + half_width(start, leave), start.y + leave),
        (columns[net.layer[chain[0]]].right, start.y + leave),
    ];
    for &item in &chain[1..chain.len() - 1] {
        let Column { left, right } = columns[net.layer[item]];
        points.extend([(left, heights[item]), (right, heights[item])]);
    }
    points.push((columns[net.layer[chain[chain.len() - 1]]].left, end.y + enter));
    points.push((end.x - half_width(end, enter), end.y + enter));
    simplified(points)
}

/// Without points that a straight line goes through anyway. The first and the last stay.
fn simplified(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let mut out: Vec<(f64, f64)> = vec![];
    let last = points.len() - 1;
    for (at, point) in points.into_iter().enumerate() {
        let near = |a: (f64, f64)| (a.0 - point.0).abs() + (a.1 - point.1).abs() < 0.5;
        if at > 0 && at < last && out.last().is_some_and(|&before| near(before)) {
            continue;
        }
        while let [.., a, b] = out[..] {
            let turn = (b.0 - a.0) * (point.1 - b.1) - (b.1 - a.1) * (point.0 - b.0);
            if turn.abs() >= 0.01 {
                break;
            }
            out.pop();
        }
        out.push(point);
    }
    out
}

/// The points of a loop above a node; loops are numbered from the inside.
fn arc(node: &Node, number: usize) -> Vec<(f64, f64)> {
    let wide = loop_half_width(number, node.width);
    let radius = node.height.min(node.width) / 2.0;
    let straight = node.width / 2.0 - radius;
    // The ends are on the border, nearer to the middle than the loop is wide.
    let foot = (wide * 0.7).min(node.width / 2.0 - 1.0);
    let beyond = (foot - straight).max(0.0);
    let up = (radius * radius - beyond * beyond).max(0.0).sqrt();
    let top = node.y - node.height / 2.0 - LOOP - LOOP_MORE * number as f64;
    vec![
        (node.x - foot, node.y - up),
        (node.x - wide, top + 6.0),
        (node.x - wide + 5.0, top + 1.0),
        (node.x + wide - 5.0, top + 1.0),
        (node.x + wide, top + 6.0),
        (node.x + foot, node.y - up),
    ]
}
