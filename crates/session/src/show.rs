//! A model in other shapes: triples, a drawing, the emulation program.

use crate::open::Prepared;
use crate::process::Drawn;
use std::convert::Infallible;
use swarmcheck_calculi::lower::Described;
use swarmcheck_picture::data::{Automaton, Drawing};
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
    /// The automata of all agents as a picture (SVG).
    Svg,
    /// The reachable state space as a picture (SVG).
    States,
    /// The processes that the system is put together from, and who makes steps with whom, as a picture (SVG).
    Network,
}

impl Shape {
    /// The shapes with the words that `--as` takes.
    pub const TABLE: &[(Shape, &str)] = &[
        (Shape::Triples, "triples"),
        (Shape::Dot, "dot"),
        (Shape::Emulation, "emulation"),
        (Shape::Peers, "peers"),
        (Shape::Svg, "svg"),
        (Shape::States, "states"),
        (Shape::Network, "network"),
    ];
}

/// Renders a shape as text; `None` if the model has no such shape. A state space must be explored, which
/// [`state_space_svg`](crate::statespace::state_space_svg) does, and a network may be refused:
/// [`network_svg`](crate::network::network_svg).
pub fn show(prepared: &Prepared, shape: Shape) -> Option<String> {
    match shape {
        Shape::Emulation => return Some(swarmcheck_ir::print::print(&prepared.flat.program)),
        Shape::Peers => return prepared.model.peers(),
        Shape::Svg => return Some(svg(prepared)),
        Shape::States | Shape::Network => return None,
        Shape::Triples | Shape::Dot => {}
    }
    let out = prepared.model.triples(&prepared.file, prepared.options.choice, shape);
    Some(if shape == Shape::Dot { format!("digraph triples {{\n  rankdir=LR;\n{out}}}\n") } else { out })
}

/// All automata of a model below each other.
fn svg(prepared: &Prepared) -> String {
    let drawn = crate::process::drawn(prepared).into_iter().map(|one| match one {
        Drawn::Automaton(Automaton { name, agents, drawing }) => {
            let list =
                |numbers: &[u32]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            let who = match &agents[..] {
                [] => " (no agents)".to_string(),
                [agent] => format!(" (agent {agent})"),
                [first, .., last] if agents.len() > 4 => format!(" (agents {first} to {last})"),
                several => format!(" (agents {})", list(several)),
            };
            (name + &who, drawing)
        }
        Drawn::TooLarge(name, triples) => {
            (format!("{name}: {triples} triples are too many to draw"), Drawing::default())
        }
    });
    let drawn: Vec<(String, Drawing)> = drawn.collect();
    swarmcheck_picture::graph::svg::sheet(prepared.file.name(), &drawn)
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
