//! The automata of a system and where agents are in them.

use crate::open::Prepared;
use swarmcheck_ir::Value;
use swarmcheck_picture::data::{Automaton, Place};

/// The automata, laid out.
pub(super) fn automata(_: &Prepared) -> Vec<Automaton> {
    vec![]
}

/// Where agents are; `states[k]` is the state after `k` steps.
pub(super) fn places(_: &Prepared, _: &[Vec<Value>]) -> Vec<Place> {
    vec![]
}
