//! What can be reached from where, and executions that go on for ever.

use crate::model::Model;
use crate::reach::{rings, rings_from, way};
use crate::space::{Failure, Set};

/// The states, among these, from which a target among them can be reached through them.
pub fn can_reach(model: &Model<'_>, within: &Set, target: &Set) -> Result<Set, Failure> {
    let space = &model.space;
    let mut known = space.and(within, target)?;
    for round in 1.. {
        space.report(round);
        let before = known.clone();
        for part in (0..model.parts()).rev() {
            let more = space.and(&model.before(part, &known)?, within)?;
            known = space.or(&known, &more)?;
        }
        if known == before {
            break;
        }
    }
    Ok(known)
}

/// The states, among these, from which an execution goes on for ever through them.
pub fn lasting(model: &Model<'_>, within: &Set) -> Result<Set, Failure> {
    let mut left = within.clone();
    for round in 1.. {
        model.space.report(round);
        let next = model.space.and(&model.preimage(&left)?, &left)?;
        if next == left {
            break;
        }
        left = next;
    }
    Ok(left)
}

/// The states, among these, from which an execution goes on for ever through them and meets `again` infinitely often: the
/// greatest set from each state of which at least one step leads, inside it, to a state of `again` (Emerson and Lei,
/// "Efficient model checking in fragments of the propositional mu-calculus", 1986).
pub fn recurring(model: &Model<'_>, within: &Set, again: &Set) -> Result<Set, Failure> {
    let space = &model.space;
    let mut left = lasting(model, within)?;
    loop {
        let reach = can_reach(model, &left, again)?;
        let next = space.and(&model.preimage(&reach)?, &left)?;
        if next == left {
            return Ok(left);
        }
        left = lasting(model, &next)?;
    }
}

/// An infinite execution: a path that ends in one of its own states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    /// The states. The last is the same as one before.
    pub states: Vec<Vec<bool>>,
    /// The index of the state that the last one equals.
    pub back_to: usize,
}

/// An execution to a state of `again` on a cycle through states of `left`: no shorter one leads to that state, and no
/// shorter cycle leads back to it. `left` must be what [`recurring`] found among reachable states, and not empty. The state
/// that is closest is tried first; if it is not on a cycle, one behind it is, since what is left goes on for ever.
pub fn lasso(model: &Model<'_>, left: &Set, again: &Set) -> Result<Lasso, Failure> {
    let space = &model.space;
    let lost = Failure::Internal("there is no way to a cycle");
    let mut wanted = space.and(left, again)?;
    loop {
        let near = rings(model, &wanted, usize::MAX)?;
        let prefix = way(model, &near.rings, &wanted)?;
        let start = model.single(prefix.last().ok_or(lost)?)?;
        let after = space.and(&model.image(&start)?, left)?;
        let back = rings_from(model, &after, left, &start, usize::MAX)?;
        if back.found {
            let cycle = way(model, &back.rings, &start)?;
            let back_to = prefix.len() - 1;
            return Ok(Lasso { states: prefix.into_iter().chain(cycle).collect(), back_to });
        }
        wanted = space.and(&back.known, again)?;
        if wanted.is_empty() {
            return Err(lost);
        }
    }
}
