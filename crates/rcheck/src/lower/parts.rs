//! The parts of a specification as properties of a program.
//!
//! A part that is replaced may change what must be observed (`[M = 1]` becomes `[true]`), so the properties belong to a
//! program of their own. It behaves like that of the script.

use crate::Precedence;
use crate::check::parts::{Replaced, parts as replaced};
use swarmcheck_ir as ir;
use swarmcheck_ir::parts::Part;

/// All parts of a specification.
pub struct Parts {
    /// The program that the properties are about.
    pub program: ir::Program,
    pub parts: Vec<Part>,
    /// Of so many parts there is no property.
    pub left_off: u32,
}

/// The parts of a specification of a script without errors, by its number.
pub fn parts(text: &str, precedence: Option<Precedence>, number: usize) -> Option<Parts> {
    let found = replaced(text, precedence, number)?;
    let program = super::lower(&found.specification, true).program;
    let parts = found.parts.iter().filter_map(|part| with_property(part, &program.properties)).collect();
    Some(Parts { program, parts, left_off: found.left_off })
}

fn with_property(part: &Replaced, properties: &[ir::Property]) -> Option<Part> {
    let Replaced { span, by, spec, parts } = part;
    let property = properties.get(*spec)?.clone();
    let parts = parts.iter().filter_map(|part| with_property(part, properties)).collect();
    Some(Part { span: *span, by: *by, property, parts })
}
