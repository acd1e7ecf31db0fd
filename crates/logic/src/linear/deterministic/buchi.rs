//! The Büchi automaton as determinisation wants it: transitions as masks, and as few states as is cheap.
//!
//! None of the simplifications changes the language of a state:
//!
//! * a state from which no cycle with an accepting state can be reached accepts nothing, and goes;
//! * a state on no cycle is seen at most once, so it need not accept;
//! * in a component whose cycles all have an accepting state, all states may accept;
//! * states with the same transitions that agree on acceptance are one (bisimulation);
//! * a state that accepts and can stay where it is whatever is read accepts everything, and is called a sink.

use super::super::automaton::{Automaton, Transition};
use std::collections::{BTreeSet, HashMap};

pub(super) struct BuchiState {
    pub accepting: bool,
    /// Everything is accepted from here.
    pub sink: bool,
    /// The atoms that must be true, those that must be false, and the state after it.
    next: Vec<(u64, u64, u32)>,
}

pub(super) struct Buchi {
    pub states: Vec<BuchiState>,
    /// The state in which nothing has been read.
    pub first: u32,
    /// The atoms that some transition looks at.
    pub atoms: u64,
}

type Next = Vec<(u64, u64, usize)>;
/// The same in order, to states or to classes of them.
type Targets = BTreeSet<(u64, u64, usize)>;

impl Buchi {
    /// Atoms have numbers below 64.
    pub fn new(automaton: &Automaton) -> Buchi {
        let mut next: Vec<Next> = automaton.states.iter().map(|state| masks(&state.next)).collect();
        let mut accepting: Vec<bool> = automaton.states.iter().map(|state| state.accepting).collect();
        next.push(masks(&automaton.initial));
        accepting.push(false);
        let first = next.len() - 1;
        let reached = reached(&next);
        acceptance(&next, &reached, &mut accepting);
        let live = live(&reached, &accepting);
        next.iter_mut().for_each(|next| next.retain(|(_, _, to)| live[*to]));
        let class = classes(&next, &accepting);
        let count = class.iter().max().map_or(0, |most| most + 1);
        let mut states: Vec<BuchiState> = vec![];
        for number in 0..count {
            let at = class.iter().position(|c| *c == number).unwrap_or(first);
            let targets: BTreeSet<(u64, u64, u32)> =
                next[at].iter().map(|(yes, no, to)| (*yes, *no, class[*to] as u32)).collect();
            let stays = targets.contains(&(0, 0, number as u32));
            let next = targets.into_iter().collect();
            states.push(BuchiState { accepting: accepting[at], sink: accepting[at] && stays, next });
        }
        let looked = states.iter().flat_map(|state| &state.next);
        let atoms = looked.fold(0, |atoms, (yes, no, _)| atoms | yes | no);
        Buchi { states, first: class[first] as u32, atoms }
    }

    /// The states that some of these lead to.
    pub fn after(&self, states: &[u32], letter: u64) -> Vec<u32> {
        let next = states.iter().flat_map(|state| &self.states[*state as usize].next);
        let fits = |(yes, no, _): &&(u64, u64, u32)| letter & yes == *yes && letter & no == 0;
        let mut out: Vec<u32> = next.filter(fits).map(|(_, _, to)| *to).collect();
        out.sort_unstable();
        out.dedup();
        out
    }
}

fn masks(transitions: &[Transition]) -> Next {
    let mask = |t: &Transition, wanted: bool| {
        t.when.iter().filter(|(_, positive)| *positive == wanted).fold(0, |mask, (atom, _)| mask | 1 << atom)
    };
    transitions.iter().map(|t| (mask(t, true), mask(t, false), t.to)).collect()
}

/// For each state, what can be reached from it by one step or more.
fn reached(next: &[Next]) -> Vec<Vec<bool>> {
    let from = |from: usize| {
        let (mut seen, mut todo) = (vec![false; next.len()], vec![from]);
        while let Some(at) = todo.pop() {
            for (_, _, to) in &next[at] {
                if !std::mem::replace(&mut seen[*to], true) {
                    todo.push(*to);
                }
            }
        }
        seen
    };
    (0..next.len()).map(from).collect()
}

/// Makes states accept, or not, where that does not matter.
fn acceptance(next: &[Next], reached: &[Vec<bool>], accepting: &mut [bool]) {
    let given = accepting.to_vec();
    let mut done = vec![false; next.len()];
    for at in 0..next.len() {
        if done[at] {
            continue;
        }
        if !reached[at][at] {
            accepting[at] = false;
            continue;
        }
        let component: Vec<usize> = (0..next.len()).filter(|b| reached[at][*b] && reached[*b][at]).collect();
        component.iter().for_each(|member| done[*member] = true);
        // Without the accepting states: is there a cycle? States without a next one are taken away again and again.
        let mut left: BTreeSet<usize> = component.iter().copied().filter(|member| !given[*member]).collect();
        loop {
            let ends = |member: &usize| !next[*member].iter().any(|(_, _, to)| left.contains(to));
            let ended: Vec<usize> = left.iter().copied().filter(ends).collect();
            if ended.is_empty() {
                break;
            }
            ended.iter().for_each(|member| _ = left.remove(member));
        }
        if left.is_empty() {
            component.iter().for_each(|member| accepting[*member] = true);
        }
    }
}

/// The states from which something is accepted.
fn live(reached: &[Vec<bool>], accepting: &[bool]) -> Vec<bool> {
    let again: Vec<usize> = (0..accepting.len()).filter(|at| accepting[*at] && reached[*at][*at]).collect();
    reached.iter().map(|reached| again.iter().any(|at| reached[*at])).collect()
}

/// The number of the class of each state: the coarsest partition in which states of a class agree on acceptance and on the
/// classes that their transitions lead to.
fn classes(next: &[Next], accepting: &[bool]) -> Vec<usize> {
    let mut class: Vec<usize> = accepting.iter().map(|a| usize::from(*a)).collect();
    let mut count = 0;
    loop {
        let mut known: HashMap<(usize, Targets), usize> = HashMap::new();
        let refined: Vec<usize> = (0..next.len())
            .map(|at| {
                let targets: Targets = next[at].iter().map(|(yes, no, to)| (*yes, *no, class[*to])).collect();
                let number = known.len();
                *known.entry((class[at], targets)).or_insert(number)
            })
            .collect();
        class = refined;
        if known.len() == count {
            return class;
        }
        count = known.len();
    }
}
