//! A model in other shapes: triples, a drawing, the emulation program.

use crate::open::Prepared;
use std::convert::Infallible;
use swarmcheck_calculi::lower::Described;
use swarmcheck_triples::Structure;

/// What to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// The triple structures of all behaviors.
    Triples,
    /// The same as a Graphviz drawing.
    Dot,
    /// The emulation program.
    Emulation,
    /// What each peer of a choreography does.
    Peers,
}

impl Shape {
    /// The shapes with the words that `--as` takes.
    pub const TABLE: &[(Shape, &str)] = &[
        (Shape::Triples, "triples"),
        (Shape::Dot, "dot"),
        (Shape::Emulation, "emulation"),
        (Shape::Peers, "peers"),
    ];
}

/// Renders a shape as text; `None` if the model has no such shape.
pub fn show(prepared: &Prepared, shape: Shape) -> Option<String> {
    match shape {
        Shape::Emulation => return Some(swarmcheck_ir::print::print(&prepared.flat.program)),
        Shape::Peers => return prepared.model.peers(),
        Shape::Triples | Shape::Dot => {}
    }
    let out = prepared.model.triples(&prepared.file, prepared.options.choice, shape);
    Some(if shape == Shape::Dot { format!("digraph triples {{\n  rankdir=LR;\n{out}}}\n") } else { out })
}

/// The triples of a calculus: one structure for the whole system.
pub(crate) fn calculus<A>(
    structure: &Structure<A, Infallible>,
    title: &str,
    shape: Shape,
    describe: impl Fn(&A) -> Described,
) -> String {
    let words = |action: &A| {
        let Described { label, remark, .. } = describe(action);
        if remark.is_empty() { label } else { format!("{label} {remark}") }
    };
    match shape {
        Shape::Dot => swarmcheck_triples::dot(structure, title, title, |_, a| words(a)),
        _ => swarmcheck_triples::print(structure, words, |guard| match *guard {}),
    }
}
