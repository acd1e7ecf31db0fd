//! From some mirrors to all that they give when one is put after the other.

use super::{Mirror, Turn};
use std::collections::BTreeSet;

/// Larger groups are not made: every image costs time wherever a state is stored.
const LARGEST: usize = 64;

/// The mirrors that generators give, the identity included, in a fixed order. A generator that would make them too many
/// is left out.
pub(super) fn generate(identity: Mirror, generators: &[Mirror]) -> BTreeSet<Mirror> {
    let mut group = BTreeSet::from([identity.clone()]);
    let mut taken: Vec<&Mirror> = vec![];
    for generator in generators {
        taken.push(generator);
        match closure(&identity, &taken) {
            Some(larger) => group = larger,
            None => _ = taken.pop(),
        }
    }
    group
}

fn closure(identity: &Mirror, generators: &[&Mirror]) -> Option<BTreeSet<Mirror>> {
    let mut group = BTreeSet::from([identity.clone()]);
    let mut todo = vec![identity.clone()];
    while let Some(mirror) = todo.pop() {
        for generator in generators {
            let next = after(&mirror, generator);
            if group.insert(next.clone()) {
                todo.push(next);
            }
        }
        if group.len() > LARGEST {
            return None;
        }
    }
    Some(group)
}

/// One mirror after another. Variables that are exchanged have the same values, so what they are mirrored at is the same,
/// and mirroring twice is not mirroring.
fn after(first: &Mirror, second: &Mirror) -> Mirror {
    let turn = |turn: &Turn| {
        let next = second.turns[turn.to.0 as usize];
        let sum = match (turn.sum, next.sum) {
            (Some(_), Some(_)) => None,
            (one, other) => one.or(other),
        };
        Turn { to: next.to, sum }
    };
    Mirror { turns: first.turns.iter().map(turn).collect() }
}
