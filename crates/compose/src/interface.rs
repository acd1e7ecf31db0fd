//! Processes restricted to what their neighbours let them do, before they are reduced.
//!
//! A process was explored against sets of values that others may provide at some time. In which order they do is not in these sets. So a
//! process is put together with what one neighbour does at the gates that both share, everything else that the neighbour
//! does being invisible and reduced away; what the process never does there, it never does in the system, and is left out. This
//! is *semi-composition* (Krimm and Mounier, *Compositional state space generation from Lotos programs*, TACAS 1997, after
//! Graf, Steffen and Lüttgen, *Compositional minimisation of finite state systems using interface specifications*, Formal
//! Aspects of Computing 1996), with an interface that is computed and therefore right, instead of one that somebody guesses.
//!
//! Why nothing is lost: an execution of the system, looked at by the process and one neighbour, is an execution of these two in
//! which all others agree with everything, and branching bisimulation of the neighbour preserves which of those there
//! are. A process that has become smaller is a better interface for its neighbours, so this is repeated while it pays.

use crate::label::{LabelId, Labels, TAU};
use crate::leaf::Leaf;
use crate::plan::{Limits, NoWhole};
use crate::process::{INITIAL, Process};
use crate::product::Joint;
use crate::quick::QuickMap;
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use swarmcheck_lts::Equivalence;

/// Two processes with more to look at are not compared.
const MOST: u64 = 400_000;

/// How much is looked at in all.
const MOST_IN_ALL: u64 = 4_000_000;

/// A round that leaves out fewer than one in so many transitions is the last one.
const PAYS: u64 = 20;

/// More rounds are not made.
const ROUNDS: usize = 8;

/// How often the caller is asked whether to stop, in pairs of states.
const PAIRS_BETWEEN: usize = 1 << 10;

/// Restricts all processes by their neighbours, as long as it pays.
pub fn restrict(leaves: &mut [Leaf], labels: &mut Labels, limits: Limits<'_>) -> Result<(), NoWhole> {
    let neighbours = neighbours(leaves, labels);
    let mut effort = 0;
    // Who has become smaller in the last round; at first everybody is news to everybody.
    let mut changed = vec![true; leaves.len()];
    for _ in 0..ROUNDS {
        let mut smaller = vec![false; leaves.len()];
        let (before, mut lost) = (transitions(leaves), 0);
        for &(process, by) in neighbours.iter().filter(|(_, by)| changed[*by]) {
            let began = limits.0.progress.seconds();
            let cost = cost(&leaves[process].process, &leaves[by].process, labels);
            if cost > MOST || effort + cost > MOST_IN_ALL {
                continue;
            }
            effort += cost;
            let seen = seen_by(&leaves[by].process, &leaves[process].process, labels, limits)?;
            let used = used(&leaves[process].process, &seen, labels, limits)?;
            let unused = used.iter().filter(|used| !**used).count() as u64;
            if unused > 0 {
                let offsets = leaves[process].process.offsets.clone();
                leaves[process].restrict(|state, place| used[offsets[state as usize] + place]);
                smaller[process] = true;
                lost += unused;
            }
            leaves[process].seconds += limits.0.progress.seconds() - began;
        }
        if lost * PAYS < before.max(1) {
            break;
        }
        changed = smaller;
    }
    Ok(())
}

fn transitions(leaves: &[Leaf]) -> u64 {
    leaves.iter().map(|leaf| leaf.process.edges.len() as u64).sum()
}

/// Pairs of processes that meet at some gate besides the initial block: whom to restrict, and by whom.
fn neighbours(leaves: &[Leaf], labels: &Labels) -> BTreeSet<(usize, usize)> {
    let mut found = BTreeSet::new();
    let mut met = vec![false; labels.gates.len()];
    for (label, _) in leaves.iter().flat_map(|leaf| &leaf.process.edges) {
        if let Some(gate) = labels.gate_of(*label) {
            met[gate as usize] = true;
        }
    }
    let gates = labels.gates.iter().zip(met).filter(|(gate, met)| *met && gate.instance.is_some());
    for (gate, _) in gates {
        let who = || gate.participants.iter().map(|participant| participant.process);
        who().for_each(|one| found.extend(who().filter(|other| *other != one).map(|other| (one, other))));
    }
    found
}

/// How many pairs of steps there are to look at.
fn cost(process: &Process, by: &Process, labels: &Labels) -> u64 {
    let count = |process: &Process| {
        let mut steps: HashMap<Option<u32>, u64> = HashMap::new();
        for (label, _) in &process.edges {
            *steps.entry(labels.gate_of(*label)).or_default() += 1;
        }
        steps
    };
    let (own, theirs) = (count(process), count(by));
    let together = |(gate, steps): (&Option<u32>, &u64)| {
        let others = gate.and_then(|_| theirs.get(gate)).copied();
        steps * others.unwrap_or_else(|| by.states().into())
    };
    let alone = |(_, steps): (&Option<u32>, &u64)| steps * u64::from(process.states());
    let apart = theirs.iter().filter(|(gate, _)| gate.is_none() || !own.contains_key(gate));
    own.iter().map(together).sum::<u64>() + apart.map(alone).sum::<u64>()
}

/// What a process sees of another one: what it does at the gates that both share.
fn seen_by(
    other: &Process,
    process: &Process,
    labels: &Labels,
    limits: Limits<'_>,
) -> Result<Process, NoWhole> {
    let mut seen = Process::new(other.members.clone());
    let shared = |label: LabelId| {
        labels.gate_of(label).is_some_and(|gate| {
            let mut participants = labels.gates[gate as usize].participants.iter();
            participants.any(|participant| process.members.contains(participant.process))
        })
    };
    for state in 0..other.states() {
        let visible = |label: LabelId| if shared(label) { label } else { TAU };
        seen.edges.extend(other.steps(state).iter().map(|(label, target)| (visible(*label), *target)));
        // Nobody looks at what holds in its states, except whether it has begun.
        seen.end_state(u32::from(state != INITIAL));
    }
    let most = Cell::new(0);
    let stop = |bytes: u64| {
        most.set(bytes);
        limits.reached(bytes)
    };
    Ok(seen.reduced(Equivalence::Branching, &stop).map_err(|_| limits.why(most.get()))?.process)
}

/// The transitions of a process that it makes beside another one.
fn used(
    process: &Process,
    by: &Process,
    labels: &mut Labels,
    limits: Limits<'_>,
) -> Result<Vec<bool>, NoWhole> {
    let mut used = vec![false; process.edges.len()];
    let mut met: QuickMap<(u32, u32), ()> = QuickMap::default();
    let mut open = vec![(INITIAL, INITIAL)];
    met.insert((INITIAL, INITIAL), ());
    let mut joint = Joint::new(labels, process, by);
    while let Some((x, y)) = open.pop() {
        if met.len().is_multiple_of(PAIRS_BETWEEN) && limits.reached(met.len() as u64 * 16) {
            return Err(limits.why(met.len() as u64 * 16));
        }
        joint.each(x, y, |_, own, theirs| {
            if let Some(own) = own
                && let Ok(place) = process.steps(x).binary_search(&own)
            {
                used[process.offsets[x as usize] + place] = true;
            }
            let pair = (own.map_or(x, |own| own.1), theirs.map_or(y, |theirs| theirs.1));
            if met.insert(pair, ()).is_none() {
                open.push(pair);
            }
        });
    }
    Ok(used)
}
