//! The initial states of a model, each once.

use crate::open::Prepared;
use crate::start::each_initial;
use std::collections::BTreeSet;
use swarmcheck_ir::Value;

/// Different choices may lead to the same initial state. So many states are told apart; memory would not suffice for all.
const MOST_TOLD_APART: usize = 100_000;

/// So many ways to choose are tried before the list ends.
const TRIES: u64 = 5_000_000;

/// Calls `visit` with the initial states, each once as long as they are few, until it returns `false`. Says whether it has
/// seen all of them.
pub(super) fn each_start(prepared: &Prepared, visit: &mut dyn FnMut(&[Value]) -> bool) -> bool {
    each_start_within(prepared, TRIES, visit)
}

/// The same with so many ways to choose.
pub(super) fn each_start_within(
    prepared: &Prepared,
    tries: u64,
    visit: &mut dyn FnMut(&[Value]) -> bool,
) -> bool {
    let mut seen: BTreeSet<Vec<Value>> = BTreeSet::new();
    let all = each_initial(prepared, None, tries, &mut |state| {
        !(seen.len() > MOST_TOLD_APART || seen.insert(state.to_vec())) || visit(state)
    });
    // An error of the model ends the enumeration: there may be more.
    all.unwrap_or(false)
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
