//! Which instances may go first in some states, and what to check in a state.

use super::conflict::Conflicts;
use super::stubborn::StubbornSets;
use super::visibility::invisible;
use super::weight::{Location, MOST, Weights, locations};
use swarmcheck_ir::Program;
use swarmcheck_ir::ground::{Act, Draw, Ground, Term};
use swarmcheck_ir::program::Role;

/// An instance that may go first in some states.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The index of the instance in the ground program.
    pub instance: usize,
    /// One condition of each must be false.
    pub blocks: Box<[Box<[Term]>]>,
    /// The location slots that it may write.
    pub locations: Box<[Location]>,
    /// Conditions whose truth must stay the same.
    pub watched: Box<[Term]>,
    /// Slots whose value must stay the same.
    pub still: Box<[u32]>,
}

/// Finds all candidates, with weights under which many of them go down.
pub(super) fn find(program: &Program, ground: &Ground, conditions: &[Term]) -> (Weights, Vec<Candidate>) {
    let instances = ground.instances();
    let conflicts = Conflicts::new(ground);
    let is_location = |slot| program.var(ground.layout.cell(slot).var).role == Role::Location;
    let mut stubborn = StubbornSets::new(ground, (0..ground.width() as u32).map(is_location).collect());
    let mut found = vec![];
    for (number, routine) in instances.iter().enumerate() {
        swarmcheck_ir::cancel::check_now();
        let written = &conflicts.touched[number].writes;
        let locations = locations(program, ground, written);
        let is_tested = !routine.tests().is_empty();
        if !is_tested
            || locations.is_empty()
            || locations.len() > MOST
            || routine.body().iter().any(always_chooses)
        {
            continue;
        }
        let stronger = stubborn.as_mut().and_then(|sets| sets.of(number));
        for conflict in conflicts.of(number).into_iter().chain(stronger) {
            let invisible = invisible(conditions, &conflicts, &conflict, &conflicts.touched[number]);
            let candidate = Candidate {
                instance: number,
                blocks: conflict.blocks.into(),
                locations: locations.clone().into(),
                watched: invisible.watched.into(),
                still: invisible.still.into(),
            };
            found.push(candidate);
        }
    }
    // Somewhere every round has to be broken: rather at a step that needs much to go first, and so rarely does.
    found.sort_by_key(|c| c.blocks.len());
    let runs = found.iter().map(|c| (&instances[c.instance], &*c.locations));
    let weights = Weights::new(program, runs);
    found.retain(|c| weights.may_sink(&instances[c.instance], &c.locations));
    (weights, found)
}

/// Whether running a statement leaves something to choose, whatever the state.
fn always_chooses(act: &Act) -> bool {
    match act {
        Act::Havoc(_, set) | Act::Fill { set, .. } => match set {
            Draw::Values(values) => values.len() > 1,
            Draw::Range(Term::Const(lo), Term::Const(hi)) => hi.saturating_sub(*lo) > 1,
            Draw::Range(..) => false,
        },
        Act::Pick { candidates, length, .. } => *length > 0 && candidates.len() > 1,
        Act::Choose(branches) => branches.iter().filter(|(c, _)| matches!(c, Term::Const(1))).count() > 1,
        _ => false,
    }
}
