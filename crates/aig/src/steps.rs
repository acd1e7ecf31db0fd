//! Steps as a list of actions: for those who treat each way to make a step on its own, as decision diagrams do.

use crate::{Latch, Lit, System};

/// One way to make a step. Bits that it does not write stay as they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// Where it is possible, and with which choices; over latches and inputs.
    pub guard: Lit,
    /// The numbers of the latches that it writes, each with what it is afterwards, over latches and inputs.
    pub writes: Vec<(usize, Lit)>,
}

/// All steps of a system: in an open state, those of any action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Steps {
    /// The states that have steps at all; over latches.
    pub open: Lit,
    pub actions: Vec<Action>,
}

impl Steps {
    /// The steps of a system about which nothing more is known: one action.
    pub fn of(system: &System) -> Steps {
        let changing = |(_, latch): &(usize, &Latch)| latch.next != latch.variable;
        let latches = system.latches.iter().enumerate().filter(changing);
        let writes = latches.map(|(number, latch)| (number, latch.next)).collect();
        Steps { open: Lit::TRUE, actions: vec![Action { guard: system.valid, writes }] }
    }
}
