//! Pictures of trees of compositions: single parts stand at the left, below each other, and what they were put together to
//! follows to the right, with the whole at the end.

use crate::graph::svg::{begin, number};
use crate::graph::text;
use crate::svg::Svg;

/// A tree. Nodes are named by their place in the list; the last one is the root.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tree {
    /// Parts come before what they are parts of.
    pub nodes: Vec<TreeNode>,
}

/// A node of a tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TreeNode {
    /// What is written first, in bold; nothing for a node that needs no name.
    pub name: String,
    /// What is written below it.
    pub lines: Vec<String>,
    /// The nodes that it was put together from.
    pub parts: Vec<usize>,
}

const MARGIN: f64 = 12.0;
const HEADING: f64 = 28.0;
/// The space between two columns, and between two rows.
const BESIDE: f64 = 36.0;
const BELOW: f64 = 10.0;
const INSIDE: f64 = 8.0;
/// Longer names are cut.
const MOST_COLUMNS: usize = 48;

/// A node with its place: the middle of its left side.
struct Placed {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    lines: Vec<String>,
}

/// A document with several trees below each other, each with its name above it.
pub fn sheet(title: &str, trees: &[(String, Tree)]) -> String {
    let placed: Vec<Vec<Placed>> = trees.iter().map(|(_, tree)| place(tree)).collect();
    let bottom = |nodes: &[Placed]| nodes.iter().map(|node| node.y + node.height / 2.0).fold(0.0, f64::max);
    let right = |nodes: &[Placed]| nodes.iter().map(|node| node.x + node.width).fold(0.0, f64::max);
    let named = trees.iter().map(|(name, _)| text::width(name) * 1.3 + 2.0 * MARGIN);
    let width = placed.iter().map(|nodes| right(nodes) + MARGIN).chain(named).fold(0.0, f64::max);
    let height: f64 = placed.iter().map(|nodes| HEADING + bottom(nodes) + MARGIN).sum();
    let mut svg = begin(title, width, height);
    let mut top = 0.0;
    for ((name, tree), nodes) in trees.iter().zip(&placed) {
        let at = number(top + 20.0);
        let bold = [("x", "12"), ("y", at.as_str()), ("font-size", "14"), ("font-weight", "bold")];
        svg.text("text", &bold, name);
        svg.open("g", &[("transform", &format!("translate(0 {})", number(top + HEADING)))]);
        draw(&mut svg, tree, nodes);
        svg.close();
        top += HEADING + bottom(nodes) + MARGIN;
    }
    svg.finish()
}

fn place(tree: &Tree) -> Vec<Placed> {
    let mut nodes: Vec<Placed> = vec![];
    let mut level: Vec<usize> = vec![];
    for node in &tree.nodes {
        let name = text::wrapped(&node.name, MOST_COLUMNS, 1);
        let lines: Vec<String> = name.into_iter().chain(node.lines.iter().cloned()).collect();
        let width = text::width_of(&lines) + 2.0 * INSIDE;
        let height = lines.len() as f64 * text::LINE + INSIDE;
        let above = node.parts.iter().filter_map(|part| level.get(*part)).max().map_or(0, |level| level + 1);
        level.push(above);
        nodes.push(Placed { x: 0.0, y: 0.0, width, height, lines });
    }
    let tallest = nodes.iter().map(|node| node.height).fold(0.0, f64::max);
    let mut x = MARGIN;
    for column in 0..=level.iter().copied().max().unwrap_or(0) {
        let own = |(at, _): &(usize, &mut Placed)| level[*at] == column;
        let mut widest: f64 = 0.0;
        for (_, node) in nodes.iter_mut().enumerate().filter(own) {
            node.x = x;
            widest = widest.max(node.width);
        }
        x += widest + BESIDE;
    }
    // Single parts get rows in the order in which a walk from the root meets them, so that no lines cross.
    let mut open: Vec<usize> = tree.nodes.len().checked_sub(1).into_iter().collect();
    let mut rows = 0;
    while let Some(at) = open.pop() {
        if tree.nodes[at].parts.is_empty() {
            nodes[at].y = tallest / 2.0 + f64::from(rows) * (tallest + BELOW);
            rows += 1;
        }
        // Whoever names a later node would go round for ever.
        open.extend(tree.nodes[at].parts.iter().rev().copied().filter(|part| *part < at));
    }
    for at in 0..nodes.len() {
        let heights = tree.nodes[at].parts.iter().filter(|part| **part < at).map(|part| nodes[*part].y);
        let (least, most) =
            heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
        if least <= most {
            nodes[at].y = f64::midpoint(least, most);
        }
    }
    nodes
}

fn draw(svg: &mut Svg, tree: &Tree, nodes: &[Placed]) {
    svg.open("g", &[("fill", "none"), ("stroke", "black"), ("stroke-width", "1")]);
    for (at, node) in tree.nodes.iter().enumerate() {
        let to = &nodes[at];
        for from in node.parts.iter().filter(|part| **part < at).map(|part| &nodes[*part]) {
            let (x, turn) = (from.x + from.width, to.x - BESIDE / 2.0);
            let points = [x, from.y, turn, to.y, to.x].map(number);
            let [x, y, turn, end, last] = &points;
            svg.element("path", &[("d", &format!("M{x} {y} H{turn} V{end} H{last}"))]);
        }
    }
    for node in nodes {
        svg.element(
            "rect",
            &[
                ("x", &number(node.x)),
                ("y", &number(node.y - node.height / 2.0)),
                ("width", &number(node.width)),
                ("height", &number(node.height)),
                ("rx", "4"),
                ("fill", "white"),
            ],
        );
    }
    svg.close();
    for (node, of) in nodes.iter().zip(&tree.nodes) {
        let first = node.y - (node.lines.len() as f64 - 1.0) * text::LINE / 2.0 + text::SIZE * 0.35;
        for (at, line) in node.lines.iter().enumerate() {
            let (x, y) = (number(node.x + INSIDE), number(first + at as f64 * text::LINE));
            let weight = if at == 0 && !of.name.is_empty() { "bold" } else { "normal" };
            svg.text("text", &[("x", &x), ("y", &y), ("font-weight", weight)], line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Tree {
        let node = |name: &str, parts: &[usize]| TreeNode {
            name: name.to_string(),
            lines: vec!["9 states".to_string(), "12 transitions".to_string()],
            parts: parts.to_vec(),
        };
        // The first and the third are joined first: rows are in another order than the list.
        Tree {
            nodes: vec![
                node("A", &[]),
                node("<B>", &[]),
                node("C", &[]),
                node("", &[0, 2]),
                node("all", &[3, 1]),
            ],
        }
    }

    #[test]
    fn no_boxes_overlap_and_parts_are_at_the_left() {
        let (tree, nodes) = (tree(), place(&tree()));
        for (a, one) in nodes.iter().enumerate() {
            for other in &nodes[a + 1..] {
                let beside = one.x + one.width < other.x || other.x + other.width < one.x;
                let below = (one.y - other.y).abs() >= f64::midpoint(one.height, other.height);
                assert!(beside || below);
            }
            for part in &tree.nodes[a].parts {
                assert!(nodes[*part].x + nodes[*part].width < one.x);
            }
        }
        assert!(nodes[0].y < nodes[2].y && nodes[2].y < nodes[1].y);
    }

    #[test]
    fn names_are_no_markup() {
        let text = sheet("t", &[("P".to_string(), tree()), ("none".to_string(), Tree::default())]);
        assert!(text.contains("&lt;B&gt;") && !text.contains("<B>"));
        assert_eq!(text.matches("<rect").count(), 6);
    }
}
