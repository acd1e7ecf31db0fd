//! The automata of a system and where agents are in them: `crate::process` draws them for all languages.

use crate::open::Prepared;
use crate::process;
use swarmcheck_ir::Value;
use swarmcheck_picture::data::{Automaton, Place};

/// The automata, laid out. Those with more than 400 locations or 1,500 edges are left out.
pub(super) fn automata(prepared: &Prepared) -> Vec<Automaton> {
    process::automata(prepared)
}

/// Where agents are; `states[k]` is the state after `k` steps.
pub(super) fn places(prepared: &Prepared, states: &[Vec<Value>]) -> Vec<Place> {
    process::places(prepared, states)
}
