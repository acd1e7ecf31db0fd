//! Drawings of graphs as SVG: black on white, so that they can be printed; no scripts, no styles, no fonts of their own.

use super::{ENTRY, text};
use crate::data::{Drawing, Edge, Node};
use crate::svg::Svg;
use std::fmt::Write;

/// How far corners of edges are rounded, in pixels.
const ROUND: f64 = 14.0;
const HEADING: f64 = 26.0;

/// A document with one drawing.
pub fn document(title: &str, drawing: &Drawing) -> String {
    let mut svg = begin(title, drawing.width, drawing.height);
    graph(&mut svg, drawing);
    svg.finish()
}

/// A document with several drawings below each other, each with its name above it.
pub fn sheet(title: &str, drawings: &[(String, Drawing)]) -> String {
    let named = |name: &str| text::width(name) * 1.3 + 24.0;
    let width = drawings.iter().map(|(name, drawing)| drawing.width.max(named(name))).fold(0.0, f64::max);
    let height = drawings.iter().map(|(_, drawing)| drawing.height + HEADING).sum();
    let mut svg = begin(title, width, height);
    let mut top = 0.0;
    for (name, drawing) in drawings {
        svg.text(
            "text",
            &[("x", "12"), ("y", &number(top + 20.0)), ("font-size", "14"), ("font-weight", "bold")],
            name,
        );
        svg.open("g", &[("transform", &format!("translate(0 {})", number(top + HEADING)))]);
        graph(&mut svg, drawing);
        svg.close();
        top += HEADING + drawing.height;
    }
    svg.finish()
}

/// The beginning of a document: its size, and a white ground.
pub(crate) fn begin(title: &str, width: f64, height: f64) -> Svg {
    let mut svg = Svg::default();
    let (width, height) = (number(width.max(1.0).ceil()), number(height.max(1.0).ceil()));
    svg.open(
        "svg",
        &[
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("width", &width),
            ("height", &height),
            ("viewBox", &format!("0 0 {width} {height}")),
            ("font-family", "DejaVu Sans Mono, Menlo, Consolas, monospace"),
            ("font-size", &number(text::SIZE)),
        ],
    );
    svg.text("title", &[], title);
    svg.element("rect", &[("width", &width), ("height", &height), ("fill", "white")]);
    svg
}

/// The elements of one drawing.
fn graph(svg: &mut Svg, drawing: &Drawing) {
    svg.open("g", &[("fill", "none"), ("stroke", "black"), ("stroke-width", "1")]);
    for edge in &drawing.edges {
        line(svg, edge);
    }
    for node in drawing.nodes.iter().filter(|node| node.initial) {
        let (x, y) = (node.x - node.width / 2.0, node.y);
        let from = x - ENTRY + 4.0;
        svg.element("path", &[("d", &format!("M{} {} H{}", number(from), number(y), number(x - 6.0)))]);
        head(svg, (from, y), (x, y));
    }
    for node in &drawing.nodes {
        shape(svg, node);
    }
    svg.close();
    svg.open("g", &[("text-anchor", "middle")]);
    for edge in &drawing.edges {
        // A white outline keeps text readable where something passes below it.
        let outline = [("paint-order", "stroke"), ("stroke", "white"), ("stroke-width", "3")];
        lines(svg, &edge.label, edge.at, &outline);
    }
    for node in &drawing.nodes {
        lines(svg, std::slice::from_ref(&node.label), (node.x, node.y), &[]);
    }
    svg.close();
}

fn shape(svg: &mut Svg, node: &Node) {
    let round = if node.label.is_empty() && node.location.is_none() { 0.0 } else { 1.0 };
    let mut outline = |inset: f64| {
        let (width, height) = (node.width - 2.0 * inset, node.height - 2.0 * inset);
        svg.element(
            "rect",
            &[
                ("x", &number(node.x - width / 2.0)),
                ("y", &number(node.y - height / 2.0)),
                ("width", &number(width)),
                ("height", &number(height)),
                ("rx", &number(round * height.min(width) / 2.0)),
                ("fill", if round > 0.0 { "white" } else { "black" }),
            ],
        );
    };
    outline(0.0);
    if node.last {
        outline(3.0);
    }
}

fn lines(svg: &mut Svg, label: &[String], (x, y): (f64, f64), more: &[(&str, &str)]) {
    let first = y - (label.len() as f64 - 1.0) * text::LINE / 2.0 + text::SIZE * 0.35;
    for (at, line) in label.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        let (x, y) = (number(x), number(first + at as f64 * text::LINE));
        let attributes: Vec<_> =
            [("x", x.as_str()), ("y", y.as_str())].into_iter().chain(more.iter().copied()).collect();
        svg.text("text", &attributes, line);
    }
}

fn line(svg: &mut Svg, edge: &Edge) {
    let [.., before, last] = edge.points[..] else { return };
    svg.open("g", &[]);
    let place = edge.place.as_ref().map(|place| format!(" ({place})"));
    svg.text("title", &[], &(edge.label.join(" ") + &place.unwrap_or_default()));
    svg.element("path", &[("d", &rounded(&edge.points))]);
    head(svg, before, last);
    svg.close();
}

/// The tip of an arrow.
fn head(svg: &mut Svg, from: (f64, f64), to: (f64, f64)) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1e-6);
    let (ux, uy) = (dx / length, dy / length);
    let back = (to.0 - 8.0 * ux, to.1 - 8.0 * uy);
    let corner = |side: f64| format!("{} {}", number(back.0 - side * uy), number(back.1 + side * ux));
    let path = format!("M{} {} L{} L{} Z", number(to.0), number(to.1), corner(3.2), corner(-3.2));
    svg.element("path", &[("d", &path), ("fill", "black"), ("stroke", "none")]);
}

/// A line through points with rounded corners.
fn rounded(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (at, &(x, y)) in points.iter().enumerate() {
        let (before, after) = (at.checked_sub(1).map(|at| points[at]), points.get(at + 1));
        // Writing to a string cannot fail.
        let _ = match (before, after) {
            (None, _) => write!(path, "M{} {}", number(x), number(y)),
            (Some(_), None) => write!(path, " L{} {}", number(x), number(y)),
            (Some(before), Some(&after)) => {
                let near = |other: (f64, f64)| {
                    let (dx, dy) = (other.0 - x, other.1 - y);
                    let part = (ROUND / dx.hypot(dy).max(1e-6)).min(0.5);
                    format!("{} {}", number(x + part * dx), number(y + part * dy))
                };
                write!(path, " L{} Q{} {} {}", near(before), number(x), number(y), near(after))
            }
        };
    }
    path
}

/// With at most one digit behind the point.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}
