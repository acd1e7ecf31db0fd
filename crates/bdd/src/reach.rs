//! What is reachable, and how far away it is.

use crate::model::Model;
use crate::space::{Failure, Set};

/// The reachable states; or, if one of `enough` is among them, some reachable states with one of those.
///
/// Kinds of steps take turns, each from all that is known so far (*chaining*): a round takes an execution further than one
/// step, and sets on the way are smaller than those of breadth-first search. What a kind of step has been applied to before is
/// left out where that makes the set simpler.
pub fn reachable(model: &Model<'_>, enough: &Set) -> Result<Set, Failure> {
    let space = &model.space;
    let mut known = model.initial.clone();
    let mut done = vec![space.constant(false); model.parts()];
    for round in 1.. {
        space.report(round);
        if !space.disjoint(&known, enough)? {
            return Ok(known);
        }
        let before = known.clone();
        for (part, done) in done.iter_mut().enumerate() {
            let new = space.minus(&known, done)?;
            let from = if new.nodes() < known.nodes() { new } else { known.clone() };
            *done = known.clone();
            known = space.or(&known, &model.after(part, &from)?)?;
        }
        if known == before {
            break;
        }
    }
    model.confirm(&known)?;
    Ok(known)
}

/// States by their distance from others.
pub struct Rings {
    /// The states whose distance is 0, 1, 2, …; up to the first ring that meets the target, if one does.
    pub rings: Vec<Set>,
    /// The union of the rings.
    pub known: Set,
    /// Whether the last ring meets the target.
    pub found: bool,
}

/// Looks for a target by its distance from the initial states, within so many steps.
pub fn rings(model: &Model<'_>, target: &Set, most: usize) -> Result<Rings, Failure> {
    rings_from(model, &model.initial, &model.space.constant(true), target, most)
}

/// The same from any states, going through some states only.
pub(crate) fn rings_from(
    model: &Model<'_>,
    from: &Set,
    within: &Set,
    target: &Set,
    most: usize,
) -> Result<Rings, Failure> {
    let space = &model.space;
    let mut rings = Rings { rings: vec![], known: from.clone(), found: false };
    let mut last = from.clone();
    while !last.is_empty() {
        space.report(rings.rings.len());
        rings.found = !space.disjoint(&last, target)?;
        rings.rings.push(last.clone());
        if rings.found || rings.rings.len() > most {
            break;
        }
        let next = space.and(&model.image(&last)?, within)?;
        last = space.minus(&next, &rings.known)?;
        rings.known = space.or(&rings.known, &last)?;
    }
    model.confirm(&rings.known)?;
    Ok(rings)
}

/// The states that are reached by exactly 0, 1, 2, …, `steps` steps. There are fewer layers if the last is empty.
pub fn layers(model: &Model<'_>, steps: usize) -> Result<Vec<Set>, Failure> {
    let mut layers = vec![model.initial.clone()];
    while layers.len() <= steps {
        model.space.report(layers.len());
        let Some(last) = layers.last() else { break };
        if last.is_empty() {
            break;
        }
        let next = model.image(last)?;
        model.confirm(&next)?;
        layers.push(next);
    }
    Ok(layers)
}

/// A way through rings or layers, from the first to a state of the target in the last.
pub fn way(model: &Model<'_>, rings: &[Set], target: &Set) -> Result<Vec<Vec<bool>>, Failure> {
    let lost = Failure::Internal("there is no way through the rings of a search");
    let (last, earlier) = rings.split_last().ok_or(lost)?;
    let mut way = vec![model.pick(&model.space.and(last, target)?).ok_or(lost)?];
    for ring in earlier.iter().rev() {
        let Some(at) = way.last() else { return Err(lost) };
        let before = model.preimage(&model.single(at)?)?;
        way.push(model.pick(&model.space.and(&before, ring)?).ok_or(lost)?);
    }
    way.reverse();
    Ok(way)
}
