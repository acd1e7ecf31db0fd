//! A model in other shapes: triples, a drawing, the emulation program.

use crate::open::Prepared;
use swarmcheck_labs::lower::{self, Guard};
use swarmcheck_labs::model::ActionId;
use swarmcheck_source::Span;

/// What to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// The triple structures of all behaviors.
    Triples,
    /// The same as a Graphviz drawing.
    Dot,
    /// The emulation program.
    Emulation,
}

impl Shape {
    /// The shapes with the words that `--as` takes.
    pub const TABLE: &[(Shape, &str)] =
        &[(Shape::Triples, "triples"), (Shape::Dot, "dot"), (Shape::Emulation, "emulation")];
}

/// Renders a shape as text.
pub fn show(prepared: &Prepared, shape: Shape) -> String {
    if shape == Shape::Emulation {
        return swarmcheck_ir::print::print(&prepared.flat.program);
    }
    // The model was lowered before, so this cannot fail.
    let structures = lower::structures(&prepared.model, prepared.options.choice).unwrap_or_default();
    let action = |a: &ActionId| words(prepared, prepared.model.action(*a).span);
    let guard = |g: &Guard<'_>| {
        let text = words(prepared, g.cond.span);
        if g.negated { format!("not {text}") } else { text }
    };
    let mut out = String::new();
    for (kind, structure) in prepared.model.kinds.iter().zip(&structures) {
        match shape {
            Shape::Dot => {
                out += &swarmcheck_triples::dot(structure, &kind.name, &kind.name, |guards, a| {
                    let guards: String = guards.iter().map(|g| format!("[{}]\n", guard(g))).collect();
                    guards + &action(a)
                });
            }
            _ => {
                out += &format!("agent {}\n", kind.name);
                for line in swarmcheck_triples::print(structure, action, guard).lines() {
                    out += &format!("  {line}\n");
                }
            }
        }
    }
    if shape == Shape::Dot { format!("digraph triples {{\n  rankdir=LR;\n{out}}}\n") } else { out }
}

/// The text below a span in one line.
fn words(prepared: &Prepared, span: Span) -> String {
    let words: Vec<&str> = prepared.file.slice(span).split_whitespace().collect();
    words.join(" ")
}
