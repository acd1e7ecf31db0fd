//! The group that some symmetries generate by composition.

use super::{DataSymmetry, VarImage};
use std::collections::BTreeSet;

/// Larger groups are not made: every image costs time wherever a state is stored.
const LARGEST: usize = 64;

/// The group of the generators, the identity included, in a fixed order. A generator that would make them too many
/// is left out.
pub(super) fn generate(identity: DataSymmetry, generators: &[DataSymmetry]) -> BTreeSet<DataSymmetry> {
    let mut group = BTreeSet::from([identity.clone()]);
    let mut taken: Vec<&DataSymmetry> = vec![];
    for generator in generators {
        taken.push(generator);
        match closure(&identity, &taken) {
            Some(larger) => group = larger,
            None => _ = taken.pop(),
        }
    }
    group
}

fn closure(identity: &DataSymmetry, generators: &[&DataSymmetry]) -> Option<BTreeSet<DataSymmetry>> {
    let mut group = BTreeSet::from([identity.clone()]);
    let mut todo = vec![identity.clone()];
    while let Some(symmetry) = todo.pop() {
        for generator in generators {
            let next = after(&symmetry, generator);
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

/// The composition of two symmetries. Variables that are exchanged have the same values, so their centres of
/// reflection are the same, and two reflections cancel.
fn after(first: &DataSymmetry, second: &DataSymmetry) -> DataSymmetry {
    let image = |image: &VarImage| {
        let next = second.images[image.to.0 as usize];
        let sum = match (image.sum, next.sum) {
            (Some(_), Some(_)) => None,
            (one, other) => one.or(other),
        };
        VarImage { to: next.to, sum }
    };
    DataSymmetry { images: first.images.iter().map(image).collect() }
}
