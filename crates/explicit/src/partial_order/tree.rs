//! Candidates by what they ask for: a tree of switches, so that few are looked at in a state.
//!
//! What many ask for comes first: a lock that is free, say, before the location of each agent. A candidate is found only
//! in states that pass the tests on the way to it, all of which are part of its guard; the others are left to whoever
//! looks at the candidate.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use swarmcheck_ir::Value;
use swarmcheck_ir::ground::{Routine, Term, is_safe};

/// Values farther apart are not worth a table.
const WIDEST: u64 = 4096;

/// Candidates, by tests that the state must pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// Candidates without further tests.
    here: Box<[u32]>,
    switches: Box<[Switch]>,
}

/// Trees by the value of a slot.
#[derive(Clone, Debug)]
struct Switch {
    slot: u32,
    low: Value,
    branches: Box<[Tree]>,
}

/// The tests of a candidate that are not yet switched on, and the number of the candidate.
type Item = (Vec<(u32, Value)>, u32);

/// Slots that must have certain values for an instance to run, or to fault; those of which tables can be made.
pub(super) fn tests(routine: &Routine) -> Vec<(u32, Value)> {
    let mut out = routine.tests().to_vec();
    let parts = match routine.guard() {
        Term::And(parts) => parts,
        guard => std::slice::from_ref(guard),
    };
    for part in parts {
        match part {
            Term::Is(slot, value) => out.push((*slot, *value)),
            part if is_safe(part) => {}
            // What comes after a fault is not looked at.
            _ => break,
        }
    }
    out.retain(|(_, value)| value.unsigned_abs() < WIDEST);
    out
}

impl Tree {
    pub fn new(items: Vec<Item>) -> Tree {
        let (here, mut rest): (Vec<Item>, Vec<Item>) =
            items.into_iter().partition(|(tests, _)| tests.is_empty());
        let mut wanted: BTreeMap<u32, usize> = BTreeMap::new();
        rest.iter().flat_map(|(tests, _)| tests).for_each(|(slot, _)| *wanted.entry(*slot).or_default() += 1);
        // The slot that most ask for among those that it asks for; the first of several.
        let first = |(tests, _): &Item| {
            tests.iter().map(|(slot, _)| (Reverse(wanted.get(slot).copied()), *slot)).min()
        };
        rest.sort_by_cached_key(first);
        let same = rest.chunk_by(|a, b| first(a) == first(b));
        let switches = same.filter_map(|some| Some(Switch::new(first(&some[0])?.1, some.to_vec()))).collect();
        Tree { here: here.into_iter().map(|(_, thing)| thing).collect(), switches }
    }

    /// The first thing that is accepted among those whose tests the state passes.
    pub fn find(
        &self,
        state: &mut [Value],
        accept: &mut impl FnMut(u32, &mut [Value]) -> bool,
    ) -> Option<u32> {
        for &thing in &self.here {
            if accept(thing, state) {
                return Some(thing);
            }
        }
        for switch in &self.switches {
            let offset = state[switch.slot as usize].wrapping_sub(switch.low);
            if let Some(branch) = switch.branches.get(offset as usize)
                && let Some(found) = branch.find(state, accept)
            {
                return Some(found);
            }
        }
        None
    }
}

impl Switch {
    /// Sorts things that ask for values of a slot which are not too far apart.
    fn new(slot: u32, items: Vec<Item>) -> Switch {
        let mut by_value: BTreeMap<Value, Vec<Item>> = BTreeMap::new();
        for (mut tests, thing) in items {
            let at = tests.iter().position(|(s, _)| *s == slot);
            if let Some((_, value)) = at.map(|at| tests.remove(at)) {
                by_value.entry(value).or_default().push((tests, thing));
            }
        }
        let low = by_value.keys().next().copied().unwrap_or(0);
        let high = by_value.keys().next_back().copied().unwrap_or(0);
        let branches = (low..=high).map(|v| Tree::new(by_value.remove(&v).unwrap_or_default())).collect();
        Switch { slot, low, branches }
    }
}
