//! What can be said without numbers: which states reach a goal certainly or never, and end components.
//!
//! The sets are those of Baier and Katoen, "Principles of Model Checking", section 10.6 (de Alfaro 1997): states where the minimal or maximal
//! probability of `hold until goal` is 0 or 1. They depend on which transitions there are, not on how likely these are. So
//! nothing is rounded here, and what is left has values strictly between 0 and 1.
//!
//! * `Pmax = 0`: no way leads to the goal.
//! * `Pmin = 0`: a scheduler can avoid the goal for ever with certainty. The others are found backwards: from the goal, states all rows of
//!   which have a successor that was found.
//! * `Pmin = 1`: no way that avoids the goal leads to a state with `Pmin = 0`.
//! * `Pmax = 1`: the greatest set from which the goal can be reached by rows that stay in the set.
//!
//! *Maximal end components* are found as in de Alfaro's thesis (1997), algorithm 3.2: take away rows that leave, then states without rows, take what is
//! left apart into strongly connected components, and begin again.

use crate::bits::Bits;
use crate::process::Process;
use swarmcheck_graphs::{Components, Digraph};

/// A set of states in which a scheduler can stay for ever, and see all of them again and again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndComponent {
    /// Its states, in order.
    pub states: Vec<u32>,
    /// The rows that stay in it, in order.
    pub rows: Vec<u32>,
}

/// A process read backwards.
pub(crate) struct Backwards {
    /// The state of each row.
    pub(crate) owner: Vec<u32>,
    first: Vec<usize>,
    rows: Vec<u32>,
}

impl Backwards {
    pub(crate) fn new(process: &Process) -> Backwards {
        let states = process.states();
        let mut owner = vec![0; process.rows()];
        let mut first = vec![0_usize; states + 1];
        for state in 0..states {
            for row in process.rows_of(state) {
                owner[row] = state as u32;
                process.row(row).targets.iter().for_each(|t| first[*t as usize + 1] += 1);
            }
        }
        for state in 0..states {
            first[state + 1] += first[state];
        }
        let mut next = first.clone();
        let mut rows = vec![0; process.transitions()];
        for row in 0..process.rows() {
            for target in process.row(row).targets {
                let at = &mut next[*target as usize];
                rows[*at] = row as u32;
                *at += 1;
            }
        }
        Backwards { owner, first, rows }
    }

    /// The rows that lead to a state.
    pub(crate) fn rows_to(&self, state: usize) -> &[u32] {
        &self.rows[self.first[state]..self.first[state + 1]]
    }

    /// The goal, and all states of `through` from which some way through such states leads to it.
    pub(crate) fn some_way(&self, through: &Bits, goal: &Bits) -> Bits {
        let mut found = goal.clone();
        let mut todo: Vec<u32> = goal.iter().map(|s| s as u32).collect();
        while let Some(state) = todo.pop() {
            for row in self.rows_to(state as usize) {
                let owner = self.owner[*row as usize];
                if through.contains(owner as usize) && !found.contains(owner as usize) {
                    found.insert(owner as usize);
                    todo.push(owner);
                }
            }
        }
        found
    }

    /// The goal, and all states of `through` that have a positive probability to reach it whatever the scheduler does.
    pub(crate) fn all_ways(&self, process: &Process, through: &Bits, goal: &Bits) -> Bits {
        let mut found = goal.clone();
        let mut todo: Vec<u32> = goal.iter().map(|s| s as u32).collect();
        let mut open: Vec<u32> =
            (0..process.states()).map(|state| process.rows_of(state).len() as u32).collect();
        let mut touched = Bits::new(process.rows());
        while let Some(state) = todo.pop() {
            for row in self.rows_to(state as usize) {
                let row = *row as usize;
                let owner = self.owner[row] as usize;
                if touched.contains(row) || found.contains(owner) || !through.contains(owner) {
                    continue;
                }
                touched.insert(row);
                open[owner] -= 1;
                if open[owner] == 0 {
                    found.insert(owner);
                    todo.push(owner as u32);
                }
            }
        }
        found
    }

    /// The states from which some scheduler reaches the goal through `through` with probability 1.
    pub(crate) fn surely_possible(&self, process: &Process, through: &Bits, goal: &Bits) -> Bits {
        let mut within = self.some_way(through, goal);
        loop {
            let stays = Bits::from_fn(process.rows(), |row| {
                process.row(row).targets.iter().all(|t| within.contains(*t as usize))
            });
            let mut found = goal.clone();
            let mut todo: Vec<u32> = goal.iter().map(|s| s as u32).collect();
            while let Some(state) = todo.pop() {
                for row in self.rows_to(state as usize).iter().filter(|row| stays.contains(**row as usize)) {
                    let owner = self.owner[*row as usize];
                    if through.contains(owner as usize) && !found.contains(owner as usize) {
                        found.insert(owner as usize);
                        todo.push(owner);
                    }
                }
            }
            if found == within {
                return found;
            }
            within = found;
        }
    }

    /// The states from which every scheduler reaches the goal through `through` with probability 1.
    pub(crate) fn surely(&self, process: &Process, through: &Bits, goal: &Bits) -> Bits {
        let avoidable = self.all_ways(process, through, goal).complement();
        let open = through.without(goal);
        self.some_way(&open, &avoidable).complement()
    }
}

/// The graph of some states and the rows that stay among them.
struct Part {
    first: Vec<usize>,
    edges: Vec<u32>,
}

impl Digraph for Part {
    type Edge = u32;
    fn numbers(&self) -> usize {
        self.first.len() - 1
    }
    fn edges(&self, node: u32) -> &[u32] {
        &self.edges[self.first[node as usize]..self.first[node as usize + 1]]
    }
    fn target(edge: &u32) -> u32 {
        *edge
    }
}

/// The maximal end components among some states. (In a chain: the closed components of what never leaves them.)
pub fn end_components(process: &Process, inside: &Bits) -> Vec<EndComponent> {
    const OUT: u32 = u32::MAX;
    let back = Backwards::new(process);
    // Which candidate each state belongs to, and how many of its rows stay there.
    let mut member = vec![OUT; process.states()];
    let mut local = vec![OUT; process.states()];
    let mut next = 0;
    let mut found = vec![];
    let mut todo: Vec<Vec<u32>> = vec![inside.iter().map(|s| s as u32).collect()];
    while let Some(mut states) = todo.pop() {
        next += 1;
        states.iter().for_each(|s| member[*s as usize] = next);
        let stays =
            |member: &[u32], row: usize| process.row(row).targets.iter().all(|t| member[*t as usize] == next);
        // States without rows that stay are taken away, until every state has one.
        let mut check: Vec<u32> = states.clone();
        while let Some(state) = check.pop() {
            let at = state as usize;
            if member[at] == next && !process.rows_of(at).any(|row| stays(&member, row)) {
                member[at] = OUT;
                let before = back.rows_to(at).iter().map(|row| back.owner[*row as usize]);
                check.extend(before.filter(|s| member[*s as usize] == next));
            }
        }
        states.retain(|s| member[*s as usize] == next);
        if states.is_empty() {
            continue;
        }
        states.iter().enumerate().for_each(|(i, s)| local[*s as usize] = i as u32);
        let mut part = Part { first: vec![0], edges: vec![] };
        for state in &states {
            for row in process.rows_of(*state as usize).filter(|row| stays(&member, *row)) {
                part.edges.extend(process.row(row).targets.iter().map(|t| local[*t as usize]));
            }
            part.first.push(part.edges.len());
        }
        let mut components: Vec<Vec<u32>> = vec![];
        Components::new(&part).search(&part, 0..states.len() as u32, None, |c| components.push(c.to_vec()));
        if components.len() == 1 {
            states.sort_unstable();
            let rows = states
                .iter()
                .flat_map(|s| process.rows_of(*s as usize))
                .filter(|row| stays(&member, *row))
                .map(|row| row as u32)
                .collect();
            found.push(EndComponent { states, rows });
        } else {
            todo.extend(components.iter().map(|c| c.iter().map(|l| states[*l as usize]).collect()));
        }
    }
    found.sort_unstable_by(|a, b| a.states.cmp(&b.states));
    found
}
