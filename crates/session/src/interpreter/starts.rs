//! The initial states of a model, each once.

use crate::open::Prepared;
use std::collections::BTreeSet;
use swarmcheck_engine::system::initial_states;
use swarmcheck_ir::Value;
use swarmcheck_ir::flat::Machine;

/// Different choices may lead to the same initial state. So many states are told apart; memory would not suffice for all.
const MOST_TOLD_APART: usize = 100_000;

/// Calls `visit` with the initial states, each once as long as they are few, until it returns `false`.
pub(super) fn each_start(prepared: &Prepared, visit: &mut dyn FnMut(&[Value]) -> bool) {
    let mut seen: BTreeSet<Vec<Value>> = BTreeSet::new();
    let mut machine = Machine::new(&prepared.flat);
    // A model whose initial block is in error is refused before anybody can ask for its initial states.
    let _ = initial_states(&prepared.flat, &mut machine, &mut |state| {
        !(seen.len() > MOST_TOLD_APART || seen.insert(state.to_vec())) || visit(state)
    });
}

/// The initial state with this number, from 0.
pub(super) fn nth_start(prepared: &Prepared, number: usize) -> Option<Vec<Value>> {
    let (mut count, mut found) = (0, None);
    each_start(prepared, &mut |state| {
        if count == number {
            found = Some(state.to_vec());
        }
        count += 1;
        found.is_none()
    });
    found
}
