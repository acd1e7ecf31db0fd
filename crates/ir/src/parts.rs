//! Properties with a part replaced by a constant: what vacuity is about.
//!
//! A property that holds is vacuous in a part if it still holds when the part is replaced by the constant that asks for more:
//! `false`, or `true` below an odd number of negations (Beer, Ben-David, Eisner and Rodeh, CAV 1997; Kupferman and Vardi,
//! STTT 2003). Front ends list the parts, because they know where these stand in the file.

use crate::Property;
use swarmcheck_source::Span;

/// A part of a property.
#[derive(Clone, Debug)]
pub struct Part {
    pub span: Span,
    /// The constant that replaces it.
    pub by: bool,
    /// The property with the part replaced.
    pub property: Property,
    /// The parts of this part.
    pub parts: Vec<Part>,
}
