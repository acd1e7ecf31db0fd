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

/// Which infinite executions count.
#[derive(Clone, Debug, Default)]
pub struct Fairness {
    /// States each of which sets must be met infinitely often.
    pub again: Vec<Set>,
    /// An execution that meets the first set infinitely often must do so with the second.
    pub pairs: Vec<(Set, Set)>,
}

/// Some of the states, among these, from which an execution goes on for ever through them and counts; all that it can visit
/// infinitely often are among them. It is the greatest set each state of which has, inside it, a step, a way to each set
/// that must be met again, and a way to the second set of each pair whose first it is in (Kesten, Pnueli and Raviv,
/// "Algorithmic verification of linear temporal logic specifications", 1998).
///
/// A component of that set that no step inside it leaves is connected, has a step, and meets whatever its states have a
/// way to: so it is fair, and each state has a way to such a component. Conversely the states of a fair component are
/// never taken away. What leads to it may be: a state in the first set of a pair, from which the second is out of reach.
pub fn fair(model: &Model<'_>, within: &Set, fairness: &Fairness) -> Result<Set, Failure> {
    let space = &model.space;
    let mut left = lasting(model, within)?;
    loop {
        let before = left.clone();
        for again in &fairness.again {
            left = can_reach(model, &left, again)?;
        }
        for (first, second) in &fairness.pairs {
            if !space.disjoint(&left, first)? {
                let reach = can_reach(model, &left, second)?;
                left = space.or(&space.minus(&left, first)?, &reach)?;
            }
        }
        left = lasting(model, &left)?;
        if left == before {
            return Ok(left);
        }
    }
}

/// A fair execution through a component of `left` that no step inside it leaves; `left` must be what [`fair`] found among
/// reachable states, and not empty. The way to the component is a shortest one; the cycle goes to the nearest state that is
/// needed next.
pub fn fair_lasso(model: &Model<'_>, left: &Set, fairness: &Fairness) -> Result<Lasso, Failure> {
    let space = &model.space;
    let lost = Failure::Internal("there is no way to a fair cycle");
    let component = last_component(model, left)?;
    let near = rings(model, &component, usize::MAX)?;
    let prefix = way(model, &near.rings, &component)?;
    let back_to = prefix.len().checked_sub(1).ok_or(lost)?;
    let mut states = prefix;
    loop {
        let (mut tour, mut needed) = (space.constant(false), space.constant(false));
        for state in &states[back_to..] {
            tour = space.or(&tour, &model.single(state)?)?;
        }
        let unmet = |again: &Set| space.disjoint(&tour, again);
        let mut complete = true;
        for again in &fairness.again {
            if unmet(again)? {
                complete = false;
                needed = space.or(&needed, again)?;
            }
        }
        for (first, second) in &fairness.pairs {
            if !unmet(first)? && unmet(second)? {
                complete = false;
                needed = space.or(&needed, second)?;
            }
        }
        let (start, at) = (&states[back_to], states.last().ok_or(lost)?);
        if complete && states.len() > back_to + 1 && at == start {
            return Ok(Lasso { states, back_to });
        }
        let target = if complete { model.single(start)? } else { needed };
        let after = space.and(&model.image(&model.single(at)?)?, &component)?;
        let found = rings_from(model, &after, &component, &target, usize::MAX)?;
        if !found.found {
            return Err(lost);
        }
        states.extend(way(model, &found.rings, &target)?);
    }
}

/// A component of these states, each of which has a step among them, that no step among them leaves: if something can be
/// reached from a state that does not lead back, go on there.
fn last_component(model: &Model<'_>, left: &Set) -> Result<Set, Failure> {
    let space = &model.space;
    let nothing = space.constant(false);
    let lost = Failure::Internal("no state is left for a fair cycle");
    let near = rings(model, left, usize::MAX)?;
    let first = near.rings.last().ok_or(lost)?;
    let mut start = space.and(first, left)?;
    loop {
        let single = model.single(&model.pick(&start).ok_or(lost)?)?;
        let ahead = rings_from(model, &single, left, &nothing, usize::MAX)?.known;
        let component = can_reach(model, &ahead, &single)?;
        start = space.minus(&ahead, &component)?;
        if start.is_empty() {
            return Ok(component);
        }
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
