//! What every drawing must satisfy, on random graphs: read from the drawing, not from how it was made.

use super::*;

/// A random graph with labels of several lengths.
fn random(random: &mut fastrand::Rng, nodes: usize, edges: usize) -> Graph {
    let word = |random: &mut fastrand::Rng, most: usize| "x".repeat(random.usize(0..=most));
    let node = |random: &mut fastrand::Rng, number: usize| GraphNode {
        label: format!("{number}{}", word(random, 6)),
        initial: number == 0,
        last: random.u8(0..8) == 0,
        location: Some(number as i64),
    };
    let nodes: Vec<GraphNode> = (0..nodes).map(|number| node(random, number)).collect();
    let count = nodes.len() as u32;
    let edge = |random: &mut fastrand::Rng| GraphEdge {
        from: random.u32(0..count),
        to: random.u32(0..count),
        label: (0..random.usize(0..4)).map(|_| format!("y{}", word(random, 30))).collect(),
        place: None,
    };
    let edges = (0..if count == 0 { 0 } else { edges }).map(|_| edge(random)).collect();
    Graph { nodes, edges }
}

/// Left, top, right, bottom.
type Box = (f64, f64, f64, f64);

fn overlap(a: Box, b: Box) -> bool {
    let slack = 0.05;
    a.0 + slack < b.2 && b.0 + slack < a.2 && a.1 + slack < b.3 && b.1 + slack < a.3
}

fn box_of(node: &Node) -> Box {
    let (w, h) = (node.width / 2.0, node.height / 2.0);
    (node.x - w, node.y - h, node.x + w, node.y + h)
}

fn label_box(edge: &Edge) -> Option<Box> {
    let (w, h) = (text::width_of(&edge.label) / 2.0, edge.label.len() as f64 * text::LINE / 2.0);
    (h > 0.0).then_some((edge.at.0 - w, edge.at.1 - h, edge.at.0 + w, edge.at.1 + h))
}

/// A node has round ends: its border is at a fixed distance from the line between their centres.
fn is_at_border(node: &Node, (x, y): (f64, f64)) -> bool {
    let radius = node.width.min(node.height) / 2.0;
    let straight = node.width / 2.0 - radius;
    let beyond = ((x - node.x).abs() - straight).max(0.0);
    (beyond.hypot(y - node.y) - radius).abs() < 0.1
}

/// Whether a straight piece of an edge runs through the inside of a box.
fn runs_through(a: (f64, f64), b: (f64, f64), inside: Box) -> bool {
    (0..=200).any(|at| {
        let t = f64::from(at) / 200.0;
        let (x, y) = (a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1));
        x > inside.0 + 0.3 && x < inside.2 - 0.3 && y > inside.1 + 0.3 && y < inside.3 - 0.3
    })
}

/// Checks everything that must be so in a drawing, and says how many labels and loops it has.
fn check(graph: &Graph) -> (usize, usize) {
    let drawing = draw(graph);
    assert_eq!(drawing.nodes.len(), graph.nodes.len());
    assert_eq!(drawing.edges.len(), graph.edges.len());
    assert!((0..).zip(&drawing.nodes).all(|(number, node)| node.id == number));
    for (edge, drawn) in graph.edges.iter().zip(&drawing.edges) {
        assert_eq!((edge.from, edge.to, &edge.label), (drawn.from, drawn.to, &drawn.label));
    }
    let nodes: Vec<Box> = drawing.nodes.iter().map(box_of).collect();
    let labels: Vec<Box> = drawing.edges.iter().filter_map(label_box).collect();
    let all: Vec<Box> = nodes.iter().chain(&labels).copied().collect();
    for (number, a) in all.iter().enumerate() {
        assert!(
            a.0 >= 0.0 && a.1 >= 0.0 && a.2 <= drawing.width && a.3 <= drawing.height,
            "{a:?} is outside"
        );
        for b in &all[number + 1..] {
            assert!(!overlap(*a, *b), "{a:?} and {b:?} overlap");
        }
    }
    for edge in &drawing.edges {
        let ends = [(edge.points[0], edge.from), (edge.points[edge.points.len() - 1], edge.to)];
        for (point, node) in ends {
            let node = &drawing.nodes[node as usize];
            assert!(is_at_border(node, point), "{point:?} is not at the border of {node:?}");
        }
        for (x, y) in &edge.points {
            assert!(*x >= 0.0 && *y >= 0.0 && *x <= drawing.width && *y <= drawing.height);
        }
        // Edges do not run through other nodes, nor through labels.
        for piece in edge.points.windows(2) {
            for (node, inside) in drawing.nodes.iter().zip(&nodes) {
                let own = node.id == edge.from || node.id == edge.to;
                assert!(own || !runs_through(piece[0], piece[1], *inside), "{edge:?} through {node:?}");
            }
        }
    }
    let loops = drawing.edges.iter().filter(|edge| edge.from == edge.to).count();
    (labels.len(), loops)
}

#[test]
fn nothing_overlaps_in_random_drawings() {
    let mut numbers = fastrand::Rng::with_seed(1);
    let (mut labels, mut loops, mut graphs) = (0, 0, 0);
    for nodes in 0..24 {
        for factor in [0, 1, 2, 4] {
            let found = check(&random(&mut numbers, nodes, nodes * factor / 2));
            labels += found.0;
            loops += found.1;
            graphs += 1;
        }
    }
    assert_eq!(graphs, 96);
    assert!(labels > 600 && loops > 60, "{labels} labels, {loops} loops");
}

#[test]
fn special_graphs_are_drawn() {
    let node = |label: &str| GraphNode { label: label.into(), ..GraphNode::default() };
    let edge = |from, to, label: &str| GraphEdge { from, to, label: vec![label.into()], place: None };
    let nothing = draw(&Graph::default());
    assert!(nothing.nodes.is_empty() && nothing.width > 0.0 && nothing.height > 0.0);
    check(&Graph { nodes: vec![node("")], edges: vec![] });
    // Without a label, and with loops.
    check(&Graph {
        nodes: vec![node(""), node("")],
        edges: vec![edge(0, 0, "a"), edge(0, 0, "b"), edge(0, 1, "c")],
    });
    // Disconnected.
    check(&Graph { nodes: vec![node("a"), node("b"), node("c")], edges: vec![edge(2, 2, "x")] });
    // Parallel and opposite edges.
    let nodes = vec![node("a"), node("b")];
    check(&Graph {
        nodes: nodes.clone(),
        edges: (0..20).map(|n| edge(n % 2, 1 - n % 2, "parallel")).collect(),
    });
    // An edge to a node that does not exist.
    let wrong = Graph { nodes, edges: vec![edge(0, 7, "x"), edge(9, 1, "y"), edge(0, 1, "z")] };
    assert_eq!(draw(&wrong).edges.len(), 1);
}

/// A cycle is drawn as a row with one edge back: the graph without that edge is a path, and every edge of a path leads to the right.
#[test]
fn a_cycle_leads_to_the_right_until_it_closes() {
    let nodes =
        (0..6).map(|n| GraphNode { label: n.to_string(), initial: n == 2, ..GraphNode::default() }).collect();
    let edges = (0..6).map(|n| GraphEdge { from: n, to: (n + 1) % 6, ..GraphEdge::default() }).collect();
    let drawing = draw(&Graph { nodes, edges });
    let back: Vec<u32> = drawing
        .edges
        .iter()
        .filter(|e| drawing.nodes[e.from as usize].x > drawing.nodes[e.to as usize].x)
        .map(|e| e.from)
        .collect();
    assert_eq!(back, [1]);
}

#[test]
fn large_graphs_are_drawn_soon() {
    let mut numbers = fastrand::Rng::with_seed(2);
    let large = random(&mut numbers, 200, 1000);
    assert_eq!(draw(&large), draw(&large));
    let larger = random(&mut numbers, 500, 2000);
    assert_eq!(draw(&larger).nodes.len(), 500);
    // The worst case for long edges: a path, and from each of its nodes an edge back to the first.
    let nodes = (0..500).map(|n| GraphNode { label: n.to_string(), ..GraphNode::default() }).collect();
    let on = (0..499).map(|n| GraphEdge { from: n, to: n + 1, ..GraphEdge::default() });
    let back = (1..500).map(|n| GraphEdge { from: n, to: 0, ..GraphEdge::default() });
    assert_eq!(draw(&Graph { nodes, edges: on.chain(back).collect() }).edges.len(), 998);
}

#[test]
fn labels_do_not_become_markup() {
    let evil = "</text><script>alert(1)</script>\" onload=\"";
    let node = GraphNode { label: evil.into(), initial: true, last: true, location: Some(1) };
    let edge = GraphEdge { from: 0, to: 0, label: vec![evil.into()], place: Some(evil.into()) };
    let graph = Graph { nodes: vec![node], edges: vec![edge] };
    let text = svg::sheet(evil, &[(evil.to_string(), draw(&graph))]);
    assert!(!text.contains("<script") && !text.contains("\" onload"), "{text}");
    assert_eq!(
        text.matches("alert(1)").count(),
        6,
        "title, heading, node, edge, and twice in the title of the edge"
    );
    let one = svg::document("A", &draw(&graph));
    assert!(one.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && one.contains("<title>A</title>"));
    // The node has a second border.
    assert_eq!(one.matches("rx=").count(), 2);
}
