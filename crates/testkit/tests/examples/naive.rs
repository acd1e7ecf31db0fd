//! Claims decided by a search that knows no tricks, and small state spaces counted by the reference interpreter too.

use crate::claims::{Claim, Instance};
use std::sync::atomic::{AtomicUsize, Ordering};
use swarmcheck_ir::flat::Flat;
use swarmcheck_labs::lower::Choice;
use swarmcheck_reference::{self as reference, Interpreter};
use swarmcheck_testkit::search::{Space, Verdict, decide};

/// Larger state spaces are left to the engines.
pub const STATES_MAX: usize = 300_000;
/// As above, where nobody says how large it is.
const UNKNOWN_MAX: usize = 30_000;
/// Up to here the reference interpreter counts too.
const REFERENCE_MAX: usize = 3_000;

/// How many of the claims about an instance could be decided.
pub fn check(instance: &Instance, claims: &[Claim], counted: &AtomicUsize) -> Result<usize, String> {
    let flat = instance.flat()?;
    let most = if instance.states.is_some() { STATES_MAX + 1 } else { UNKNOWN_MAX };
    let space = Space::explore(&flat, most);
    if space.complete && space.states.len() <= REFERENCE_MAX {
        compare_with_reference(instance, &flat, &space)?;
        counted.fetch_add(1, Ordering::Relaxed);
    }
    if let Some(states) = instance.states.filter(|states| *states != space.states.len()) {
        return Err(format!("{} states, not {states}", space.states.len()));
    }
    let mut decided = 0;
    for claim in claims {
        let property = flat.program.properties.iter().position(|p| p.name == claim.property);
        let property = property.ok_or_else(|| format!("no such property: {claim}"))?;
        let verdict = decide(&flat, property, &space, 100_000);
        let words = match &verdict {
            Verdict::Unknown => continue,
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Invalid(_) => "invalid",
        };
        if words != claim.verdict {
            return Err(format!("{claim}: {verdict:?}, not {}", claim.verdict));
        }
        decided += 1;
    }
    Ok(decided)
}

fn compare_with_reference(instance: &Instance, flat: &Flat, space: &Space) -> Result<(), String> {
    let choice = match instance.reading().choice {
        Choice::Late => reference::Choice::Late,
        Choice::Early => reference::Choice::Early,
    };
    let options = reference::Options { fair: instance.fair, choice, ..reference::Options::default() };
    let (_, model) = instance.read()?;
    let found = reference::explore(&Interpreter::new(&model, options), REFERENCE_MAX + 1);
    assert!(found.complete && found.errors.is_empty());
    assert_eq!(
        (found.initial, found.states, found.transitions, found.deadlocks),
        (space.initial, space.states.len(), space.labelled_transitions(flat), space.deadlocks.len())
    );
    Ok(())
}
