//! A graph of states, and what the definitions of the modalities ask about it.

use crate::search::Space;
use std::collections::BTreeSet;

/// A finite graph. Sets of states are lists of truth values where they are given, and sets where they are found.
pub struct Graph {
    /// Where executions start.
    pub initial: BTreeSet<usize>,
    /// Where each state can go.
    pub next: Vec<Vec<usize>>,
    /// Whether each state is a deadlock.
    pub stuck: Vec<bool>,
}

impl Graph {
    /// The graph of a complete space without faults.
    pub fn of(space: &Space) -> Graph {
        let targets = |steps: &Vec<(_, usize)>| steps.iter().map(|(_, target)| *target).collect();
        let next: Vec<Vec<usize>> = space.steps.iter().map(targets).collect();
        let mut stuck = vec![false; next.len()];
        space.deadlocks.iter().for_each(|at| stuck[*at] = true);
        Graph { initial: (0..space.initial).collect(), next, stuck }
    }

    /// A set as a list of truth values.
    pub fn only(&self, states: &BTreeSet<usize>) -> Vec<bool> {
        (0..self.next.len()).map(|at| states.contains(&at)).collect()
    }

    /// The states reached by executions that stay inside, from the very start.
    pub fn reached(&self, inside: &[bool]) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut todo: Vec<usize> = self.initial.iter().copied().collect();
        while let Some(at) = todo.pop() {
            if inside[at] && reached.insert(at) {
                todo.extend(&self.next[at]);
            }
        }
        reached
    }

    /// The states reached in exactly this many steps by executions that stay inside, from the very start.
    pub fn after(&self, steps: u32, inside: &[bool]) -> BTreeSet<usize> {
        let inside = |at: &usize| inside[*at];
        let mut layer: BTreeSet<usize> = self.initial.iter().copied().filter(inside).collect();
        for _ in 0..steps {
            let next = layer.iter().flat_map(|at| &self.next[*at]).copied().filter(inside).collect();
            // A layer determines the one after it, so a layer that follows itself does so forever.
            if next == layer {
                break;
            }
            layer = next;
        }
        layer
    }

    /// The states reached in at most this many steps.
    pub fn within(&self, steps: u32) -> BTreeSet<usize> {
        let mut all = self.initial.clone();
        for _ in 0..steps {
            let next: BTreeSet<usize> = all.iter().flat_map(|at| &self.next[*at]).copied().collect();
            if next.is_subset(&all) {
                break;
            }
            all.extend(next);
        }
        all
    }

    /// The states from which a goal can be reached, in no steps or more.
    pub fn can_reach(&self, goal: &[bool]) -> Vec<bool> {
        let mut before: Vec<Vec<usize>> = vec![vec![]; self.next.len()];
        for (at, next) in self.next.iter().enumerate() {
            next.iter().for_each(|target| before[*target].push(at));
        }
        let mut can = vec![false; self.next.len()];
        let mut todo: Vec<usize> = (0..goal.len()).filter(|at| goal[*at]).collect();
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut can[at], true) {
                todo.extend(&before[at]);
            }
        }
        can
    }

    /// Whether, from some state inside, a maximal execution stays inside: because it is stuck there, unless that is not
    /// to count, or because it loops.
    pub fn can_stay(&self, inside: &[bool], ignore_deadlock: bool) -> bool {
        let stuck = (0..inside.len()).any(|at| inside[at] && self.stuck[at]);
        (stuck && !ignore_deadlock) || self.has_cycle(inside)
    }

    /// Whether these states have a cycle among them: then no state of it is ever the next to go when states go whose
    /// successors inside have gone, and otherwise all of them do.
    fn has_cycle(&self, inside: &[bool]) -> bool {
        let mut left = vec![0; inside.len()];
        let mut before: Vec<Vec<usize>> = vec![vec![]; inside.len()];
        for at in (0..inside.len()).filter(|at| inside[*at]) {
            for target in self.next[at].iter().copied().filter(|target| inside[*target]) {
                left[at] += 1;
                before[target].push(at);
            }
        }
        let mut remaining = inside.iter().filter(|inside| **inside).count();
        let mut todo: Vec<usize> = (0..inside.len()).filter(|at| inside[*at] && left[*at] == 0).collect();
        while let Some(at) = todo.pop() {
            remaining -= 1;
            for source in &before[at] {
                left[*source] -= 1;
                if left[*source] == 0 {
                    todo.push(*source);
                }
            }
        }
        remaining > 0
    }
}
