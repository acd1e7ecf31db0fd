//! Properties with a part of their predicate replaced by a constant: what vacuity is about.
//!
//! A property that holds is vacuous in a part of its predicate if it still holds when the part is replaced by the constant
//! that makes the predicate harder to satisfy: `false`, or `true` below an odd number of negations (Beer, Ben-David, Eisner
//! and Rodeh, CAV 1997; Kupferman and Vardi, STTT 2003). Replacing a smaller part demands less, so it is enough to look into
//! parts that the property does depend on.

use super::{Lowerer, Options, structures};
use crate::model::{Cond, CondNode, Inside, Modality, Model, Property};
use swarmcheck_ir as ir;
use swarmcheck_source::Diagnostic;

pub use ir::parts::Part;

/// The parts of the predicate of a property.
pub fn parts(model: &Model, property: usize, options: Options) -> Result<Vec<Part>, Box<Diagnostic>> {
    let structures = structures(model, options.choice)?;
    let low = Lowerer::new(model, options, &structures);
    let Some(property) = model.properties.get(property) else { return Ok(vec![]) };
    if let Modality::Linear(_) = property.modality {
        return Ok(vec![]);
    }
    // What must be preceded by something is the harder to satisfy the more often it is true.
    let positive = !matches!(&property.modality, Modality::Scoped { inside: Inside::Precedes(_), .. });
    let predicate = &property.predicate;
    Ok(Parts { low: &low, property }.below(predicate, positive, &|cond| cond))
}

struct Parts<'a> {
    low: &'a Lowerer<'a>,
    property: &'a Property,
}

impl Parts<'_> {
    /// The parts directly below a condition; `around` puts a condition in its place in the whole predicate.
    fn below(&self, cond: &Cond, positive: bool, around: &dyn Fn(Cond) -> Cond) -> Vec<Part> {
        let again = |node: CondNode| around(Cond { node, span: cond.span });
        let list = |parts: &[Cond], build: fn(Vec<Cond>) -> CondNode| {
            let one = |at: usize| {
                let around = |part: Cond| {
                    let mut all = parts.to_vec();
                    all[at] = part;
                    again(build(all))
                };
                self.part(&parts[at], positive, &around)
            };
            (0..parts.len()).filter_map(one).collect()
        };
        match &cond.node {
            CondNode::Bool(_) | CondNode::NonZero(_) | CondNode::Compare(..) => vec![],
            CondNode::Not(inner) => {
                let around = |part: Cond| again(CondNode::Not(Box::new(part)));
                // Replacing what is negated is replacing the negation.
                self.below(inner, !positive, &around)
            }
            CondNode::And(parts) => list(parts, CondNode::And),
            CondNode::Or(parts) => list(parts, CondNode::Or),
            CondNode::Forall(kind, binder, body) => {
                let around = |part: Cond| again(CondNode::Forall(*kind, *binder, Box::new(part)));
                self.below(body, positive, &around)
            }
            CondNode::Exists(kind, binder, body) => {
                let around = |part: Cond| again(CondNode::Exists(*kind, *binder, Box::new(part)));
                self.below(body, positive, &around)
            }
        }
    }

    fn part(&self, cond: &Cond, positive: bool, around: &dyn Fn(Cond) -> Cond) -> Option<Part> {
        let by = !positive;
        if matches!(cond.node, CondNode::Bool(_)) {
            return None;
        }
        let predicate = around(Cond { node: CondNode::Bool(by), span: cond.span });
        let property = self.low.property(&Property { predicate, ..self.property.clone() }).ok()?;
        let parts = self.below(cond, positive, around);
        Some(Part { span: cond.span, by, property, parts })
    }
}
