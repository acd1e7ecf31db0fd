//! What can be said without numbers: which states reach a goal certainly or never, and end components.

use crate::bits::Bits;
use crate::process::Process;

/// A set of states in which a scheduler can stay for ever, and see all of them again and again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndComponent {
    /// Its states, in order.
    pub states: Vec<u32>,
    /// The rows that stay in it, in order.
    pub rows: Vec<u32>,
}

/// The maximal end components among some states. (In a chain: the closed components of what never leaves them.)
pub fn end_components(_process: &Process, _inside: &Bits) -> Vec<EndComponent> {
    vec![]
}
