//! Which places have few agents, whatever the number of agents: a guess from small members.
//!
//! Nothing depends on the guess being right ([`super::extract`]); a good one makes the counter system more precise.

use super::system::Place;
use crate::family::Family;
use std::collections::HashSet;
use swarmcheck_engine::Control;
use swarmcheck_engine::system::initial_states;
use swarmcheck_ir::flat::{Flat, Machine};
use swarmcheck_ir::{KindId, Program, Value};

/// Members with up to so many agents are looked at for a guess which places are scarce.
const SMALL: u32 = 4;
/// States of such a member that are looked at.
const SMALL_STATES: usize = 1_000;
/// More agents are not split off in one place.
pub const MOST_ALIKE: usize = 2;
/// In all scarce places together.
pub const MOST_SCARCE: usize = 4;

/// A guess which places have few agents, whatever the number of agents: small members have at most
/// two there, and never initially.
pub fn scarce_places(program: &Program, fixed: &[KindId], control: &Control<'_>) -> HashSet<Place> {
    let family = any_size(program);
    let (mut seen, mut crowded) = (HashSet::new(), HashSet::new());
    for sizes in small_sizes(&family, fixed, SMALL) {
        let looked = std::cell::Cell::new(0);
        let enough = || {
            looked.set(looked.get() + 1);
            looked.get() > SMALL_STATES || control.stopped()
        };
        let reached = crate::observe::reach(family.at(&sizes), &enough);
        let initial = {
            let mut machine = Machine::new(&reached.flat);
            let mut initial: HashSet<Vec<Value>> = HashSet::new();
            // An error of the model is found below.
            let _ = initial_states(&reached.flat, &mut machine, &mut |state| {
                initial.insert(state.to_vec());
                initial.len() < 1000
            });
            initial
        };
        for state in &reached.states {
            let places = places_of(&reached.flat, state);
            for (at, place) in places.iter().enumerate() {
                let alike = places[..=at].iter().filter(|other| *other == place).count();
                if initial.contains(state) || alike > MOST_ALIKE {
                    crowded.insert(place.clone());
                }
                seen.insert(place.clone());
            }
        }
    }
    seen.retain(|place| !crowded.contains(place));
    seen
}

/// The program with any numbers of agents of all kinds.
pub fn any_size(program: &Program) -> Family {
    let all = (0..program.kinds.len() as u32).map(KindId);
    Family::new(program.clone(), all.map(|kind| (kind, 0)).collect())
}

/// All sizes with up to so many agents besides those of fixed kinds.
pub fn small_sizes(family: &Family, fixed: &[KindId], most: u32) -> Vec<Vec<u32>> {
    let kinds = &family.base().kinds;
    let open = |number: usize| !fixed.contains(&KindId(number as u32));
    let mut out = family.sizes(most);
    out.retain(|sizes| (0..sizes.len()).all(|number| open(number) || sizes[number] == 0));
    for sizes in &mut out {
        for number in (0..sizes.len()).filter(|number| !open(*number)) {
            sizes[number] = kinds[number].count;
        }
    }
    out
}

/// The place of each agent.
pub fn places_of(flat: &Flat, state: &[Value]) -> Vec<Place> {
    let mut cells: Vec<Vec<Value>> = vec![vec![]; flat.program.agents() as usize];
    for (slot, cell) in flat.layout.cells() {
        if let Some(agent) = cell.agent {
            cells[agent as usize].push(state[slot as usize]);
        }
    }
    let place = |(agent, cells)| Place { kind: flat.program.kind_of(agent), cells };
    (0..).zip(cells).map(place).collect()
}
