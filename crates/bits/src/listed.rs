//! The values that the cells of a small system have: a guess that the encoding checks.
//!
//! Where ranges are unknown, a cell would need 64 bits as soon as one of its numbers does, and circuits for products and quotients of such
//! numbers are out of reach of solvers and diagrams, however few states there are. So a search of a limited number of states notes which values
//! each cell has. The encoding numbers these values and computes with them in tables. Nothing depends on the search being
//! right: a step that writes another value is noticed like a number that does not fit an assumed width, and the widths are tried next.
//!
//! The search depends on the program only, not on time, so that whoever checks a proof finds the same codes.

use std::collections::BTreeSet;
use swarmcheck_ir::ground::{Ground, few_states};
use swarmcheck_ir::{Program, Value};

/// Systems with more states are not listed.
const MOST_STATES: usize = 2_000;
/// Instances are run at most so often, and initial values drawn.
const MOST_RUNS: usize = 300_000;
/// Domains with so many values need circuits that are worth a search.
const WIDE: i128 = 1 << 16;

/// The values of each cell, in order; `None` if no cell is wide, or if there are no states or too many.
pub(crate) fn listed(program: &Program, ground: &Ground) -> Option<Vec<Vec<Value>>> {
    let is_wide = |domain: Option<(Value, Value)>| {
        domain.is_none_or(|(low, high)| i128::from(high) - i128::from(low) >= WIDE)
    };
    if !(0..ground.width() as u32).any(|slot| is_wide(program.var(ground.layout.cell(slot).var).domain)) {
        return None;
    }
    let mut seen = vec![BTreeSet::new(); ground.width()];
    let states = few_states(ground, MOST_STATES, MOST_RUNS).filter(|states| !states.is_empty())?;
    for state in states {
        seen.iter_mut().zip(state).for_each(|(values, value)| {
            values.insert(value);
        });
    }
    Some(seen.into_iter().map(|values| values.into_iter().collect()).collect())
}
