//! Compares a proof with small members of the family, by plain search.
//!
//! A proof does not need this. It guards against defects: every reachable state of a small member must be described by the counter system,
//! every step by one of its transitions, and the claim must be true there. The search shares nothing with the rest of the method but the
//! interpreter of programs.

use super::anonymous::identity_cells;
use super::context::SizeConstraint;
use super::proof::{Claim, ClaimModality};
use super::system::{ControlState, Place, PlaceId, System, Transition};
use crate::family::Family;
use std::collections::HashMap;
use swarmcheck_engine::system::{initial_states, successors};
use swarmcheck_ir::flat::{Flat, Machine};
use swarmcheck_ir::{Value, VarId};

/// Members with up to so many agents are looked at.
const MOST_AGENTS: u32 = 4;
/// Members with more states are not looked at.
const MOST_STATES: usize = 3_000;

/// Searches small members.
pub fn check(
    system: &System,
    family: &Family,
    claim: Claim<'_>,
    sizes: &[SizeConstraint],
) -> Result<(), String> {
    let smallest: u32 = family.smallest().iter().sum();
    for counts in family.sizes(MOST_AGENTS.max(smallest)) {
        let member = family.at(&counts);
        let number = |kind: swarmcheck_ir::KindId| i64::from(member.kind(kind).count);
        if member.agents() > MOST_AGENTS.max(smallest) || !sizes.iter().all(|c| c.holds(number)) {
            continue;
        }
        let sample = Sample { system, flat: Flat::new(member), identities: identity_cells(family.base()) };
        sample.check(claim).map_err(|why| format!("with {counts:?} agents, {why}"))?;
    }
    Ok(())
}

struct Sample<'a> {
    system: &'a System,
    flat: Flat,
    identities: Vec<VarId>,
}

impl Sample<'_> {
    fn check(&self, claim: Claim<'_>) -> Result<(), String> {
        let flat = &self.flat;
        let mut machine = Machine::new(flat);
        let mut numbers: HashMap<Vec<Value>, usize> = HashMap::new();
        let mut states: Vec<Vec<Value>> = vec![];
        let initial = initial_states(flat, &mut machine, &mut |state| {
            if !numbers.contains_key(state) {
                numbers.insert(state.to_vec(), states.len());
                states.push(state.to_vec());
            }
            states.len() <= MOST_STATES
        });
        initial.map_err(|fault| fault.to_string())?;
        let code = flat.compile(claim.predicate);
        let mut edges: Vec<Vec<usize>> = vec![];
        while edges.len() < states.len() {
            if states.len() > MOST_STATES {
                return Ok(());
            }
            let state = states[edges.len()].clone();
            let before = self.image(&state).ok_or("a state is missing from the counter system")?;
            // `fairly` is about states that are reached without the predicate.
            let ends = claim.modality == ClaimModality::Fairly;
            if ends && machine.test(flat, &code, &state).map_err(|fault| fault.to_string())? {
                edges.push(vec![]);
                continue;
            }
            let mut next = vec![];
            let mut images = vec![];
            for step in successors(flat, &mut machine, &state) {
                let after = step.result.map_err(|fault| fault.to_string())?;
                let image = self.image(&after).ok_or("a state is missing from the counter system")?;
                if !self.is_explained(&before, &image) {
                    return Err("a step is missing from the counter system".to_string());
                }
                images.push(image);
                let fresh = states.len();
                let number = *numbers.entry(after.clone()).or_insert(fresh);
                if number == fresh {
                    states.push(after);
                }
                next.push(number);
            }
            for t in self.system.transitions.iter().filter(|t| t.monotone) {
                if fire(t, &before).is_some_and(|after| !images.contains(&after)) {
                    return Err("the counter system has a step that the member does not have".to_string());
                }
            }
            edges.push(next);
        }
        let mut holds = vec![];
        for state in &states {
            holds.push(machine.test(flat, &code, state).map_err(|fault| fault.to_string())?);
        }
        if claim.modality != ClaimModality::Always {
            // Whatever leads to a state from which the predicate can be reached.
            loop {
                let more: Vec<usize> = (0..states.len())
                    .filter(|at| !holds[*at] && edges[*at].iter().any(|to| holds[*to]))
                    .collect();
                if more.is_empty() {
                    break;
                }
                more.into_iter().for_each(|at| holds[at] = true);
            }
        }
        match holds.iter().all(|holds| *holds) {
            true => Ok(()),
            false => Err("the claim is false".to_string()),
        }
    }

    /// The control state of a state, and the places of all agents that are not named, sorted.
    fn image(&self, state: &[Value]) -> Option<Image> {
        let agents = self.flat.program.agents() as usize;
        let mut cells: Vec<Vec<Value>> = vec![vec![]; agents];
        let mut globals: Vec<Value> = vec![];
        let mut named: Vec<usize> = vec![];
        for (slot, cell) in self.flat.layout.cells() {
            let value = state[slot as usize];
            match cell.agent {
                Some(agent) => cells[agent as usize].push(value),
                None if self.identities.contains(&cell.var) && (0..agents as i64).contains(&value) => {
                    let agent = value as usize;
                    if !named.contains(&agent) {
                        named.push(agent);
                    }
                    globals.push(named.iter().position(|a| *a == agent)? as Value);
                }
                None => globals.push(value),
            }
        }
        let mut places = vec![];
        for (agent, cells) in (0..).zip(cells) {
            let place = Place { kind: self.flat.program.kind_of(agent), cells };
            places.push(self.system.places.iter().position(|known| *known == place)?);
        }
        let free = |agent: &usize| !named.contains(agent) && self.system.scarce.contains(&places[*agent]);
        let mut scarce: Vec<usize> = (0..agents).filter(free).collect();
        scarce.sort_by_key(|agent| places[*agent]);
        named.extend(scarce);
        let control = ControlState { globals, named: named.iter().map(|agent| places[*agent]).collect() };
        let control = self.system.controls.iter().position(|known| *known == control)?;
        let others = (0..agents).filter(|agent| !named.contains(agent));
        let mut others: Vec<PlaceId> = others.map(|agent| places[agent]).collect();
        others.sort_unstable();
        let together = &self.system.together[control];
        others.iter().all(|place| together.contains(place)).then_some((control, others))
    }

    fn is_explained(&self, before: &Image, after: &Image) -> bool {
        before == after || self.system.transitions.iter().any(|t| fire(t, before).as_ref() == Some(after))
    }
}

/// A control state, and the places of agents that are not named, sorted.
type Image = (usize, Vec<PlaceId>);

/// What a transition leads to, if it can be fired.
fn fire(t: &Transition, before: &Image) -> Option<Image> {
    if t.from != before.0 {
        return None;
    }
    let mut places = before.1.clone();
    for place in &t.pre {
        let at = places.iter().position(|p| p == place)?;
        places.remove(at);
    }
    places.extend(&t.post);
    places.sort_unstable();
    Some((t.to, places))
}
