//! Questions put to the transition system of the whole.
//!
//! Its states carry the truth of all watched conditions (their class), and all its steps are complete. What is asked is what
//! the explicit engine asks of its graph, on a system that is smaller.

use crate::root::{Root, START};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use swarmcheck_graphs::{Components, Digraph, has_cycle};

/// A way through the whole, by states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Way {
    /// It ends in its last state.
    Open(Vec<u32>),
    /// It ends in a state without steps.
    Stuck(Vec<u32>),
    /// It goes back from its last state to the one at this place, which is the same.
    Loop(Vec<u32>, usize),
}

/// The whole, ready to be asked.
pub struct Checked<'a> {
    root: &'a Root,
    /// The state before each one, on a shortest way from the beginning; itself for initial states, `NONE` if it is not reached.
    before: Vec<u32>,
    /// The states that are reached, in the order of a breadth-first search.
    order: Vec<u32>,
    initial: usize,
}

const NONE: u32 = u32::MAX;

/// After so many rounds, states that lead to others are looked up instead.
const ROUNDS: usize = 20;

impl<'a> Checked<'a> {
    /// Looks at all states that can be reached, through states with the goal only as far as there.
    pub fn new(root: &'a Root, goal: Option<usize>) -> Checked<'a> {
        let mut out = Checked { root, before: vec![NONE; root.states() as usize], order: vec![], initial: 0 };
        for &state in root.steps(START) {
            if out.before[state as usize] == NONE {
                out.before[state as usize] = state;
                out.order.push(state);
            }
        }
        out.initial = out.order.len();
        let mut at = 0;
        while at < out.order.len() {
            let state = out.order[at];
            at += 1;
            if goal.is_some_and(|goal| out.flag(state, goal)) {
                continue;
            }
            for &target in root.steps(state) {
                if out.before[target as usize] == NONE {
                    out.before[target as usize] = state;
                    out.order.push(target);
                }
            }
        }
        out
    }

    /// How many initial states there are.
    pub fn initial(&self) -> usize {
        self.initial
    }

    /// Whether a watched condition holds in a state.
    pub fn flag(&self, state: u32, condition: usize) -> bool {
        self.root.flag(state, condition)
    }

    /// How many states that are reached satisfy a watched condition.
    pub fn count(&self, condition: usize) -> u64 {
        self.order.iter().filter(|state| self.flag(**state, condition)).count() as u64
    }

    /// Whether a step is possible in a state that is reached.
    pub fn moves(&self) -> bool {
        self.order.iter().any(|state| !self.root.steps(*state).is_empty())
    }

    fn way(&self, to: u32) -> Vec<u32> {
        let mut way = vec![to];
        let mut at = to;
        while self.before[at as usize] != at {
            at = self.before[at as usize];
            way.push(at);
        }
        way.reverse();
        way
    }

    /// A shortest way to a state in which a condition is false.
    pub fn violates(&self, condition: usize) -> Option<Way> {
        let found = self.order.iter().find(|state| !self.flag(**state, condition))?;
        Some(Way::Open(self.way(*found)))
    }

    /// A shortest way to a state without steps among these.
    pub fn stuck(&self, among: &dyn Fn(u32) -> bool) -> Option<Way> {
        let mut states = self.order.iter();
        let found = states.find(|state| among(**state) && self.root.steps(**state).is_empty())?;
        Some(Way::Stuck(self.way(*found)))
    }

    /// How many states without steps are reached.
    pub fn deadlocks(&self) -> u64 {
        self.order.iter().filter(|state| self.root.steps(**state).is_empty()).count() as u64
    }

    /// A shortest way to a state from which the condition cannot be reached. States without steps count as such a goal if they are
    /// excused.
    pub fn out_of_reach(
        &self,
        condition: usize,
        excused: bool,
        stop: &AtomicBool,
    ) -> Result<Option<Way>, Interrupted> {
        let mut reaches = vec![false; self.root.states() as usize];
        for &state in &self.order {
            let goal = self.flag(state, condition) || (excused && self.root.steps(state).is_empty());
            reaches[state as usize] = goal;
        }
        // Steps mostly lead to states that were found later, so most is known after a few rounds backwards, which need no memory.
        let mut changed = true;
        for _ in 0..ROUNDS {
            if stop.load(Ordering::Relaxed) {
                return Err(Interrupted);
            }
            changed = false;
            for &state in self.order.iter().rev().filter(|state| !self.flag(**state, condition)) {
                let leads = self.root.steps(state).iter().any(|target| reaches[*target as usize]);
                changed |= leads && !reaches[state as usize];
                reaches[state as usize] |= leads;
            }
            if !changed {
                break;
            }
        }
        if changed {
            self.spread(&mut reaches);
        }
        let found = self.order.iter().find(|state| !reaches[**state as usize]);
        Ok(found.map(|state| Way::Open(self.way(*state))))
    }

    /// Adds all states that lead to marked ones.
    fn spread(&self, marked: &mut [bool]) {
        let mut before: Vec<Vec<u32>> = vec![vec![]; marked.len()];
        for &state in self.order.iter().filter(|state| !marked[**state as usize]) {
            self.root.steps(state).iter().for_each(|target| before[*target as usize].push(state));
        }
        let mut open: Vec<u32> = self.order.iter().copied().filter(|state| marked[*state as usize]).collect();
        while let Some(state) = open.pop() {
            for &earlier in &before[state as usize] {
                if !std::mem::replace(&mut marked[earlier as usize], true) {
                    open.push(earlier);
                }
            }
        }
    }

    /// A way to a cycle through these states only that meets one of the wanted ones; an error if it was stopped.
    pub fn cycle(
        &self,
        inside: &dyn Fn(u32) -> bool,
        wanted: &dyn Fn(u32) -> bool,
        stop: &AtomicBool,
    ) -> Result<Option<Way>, Interrupted> {
        let graph = Inside { root: self.root, inside };
        let mut rank = vec![NONE; self.root.states() as usize];
        for (at, state) in (0..).zip(&self.order) {
            rank[*state as usize] = at;
        }
        let mut best: Option<(u32, Vec<u32>)> = None;
        let complete =
            Components::new(&graph).search(&graph, self.order.iter().copied(), Some(stop), |component| {
                if !has_cycle(&graph, component) {
                    return;
                }
                let first =
                    component.iter().filter(|state| wanted(**state)).map(|state| rank[*state as usize]).min();
                if let Some(first) = first
                    && best.as_ref().is_none_or(|(rank, _)| first < *rank)
                {
                    best = Some((first, component.to_vec()));
                }
            });
        if !complete {
            return Err(Interrupted);
        }
        let Some((rank, component)) = best else { return Ok(None) };
        let start = self.order[rank as usize];
        let mut member = vec![false; self.root.states() as usize];
        component.iter().for_each(|state| member[*state as usize] = true);
        // Back to the start, by a shortest way inside the component.
        let mut before: Vec<u32> = vec![NONE; self.root.states() as usize];
        let mut open = VecDeque::from([start]);
        while let Some(state) = open.pop_front() {
            for &target in self.root.steps(state) {
                if member[target as usize] && before[target as usize] == NONE {
                    before[target as usize] = state;
                    open.push_back(target);
                }
            }
            if before[start as usize] != NONE {
                break;
            }
        }
        let mut round = vec![start];
        let mut at = before[start as usize];
        while at != start && at != NONE {
            round.push(at);
            at = before[at as usize];
        }
        round.push(start);
        round.reverse();
        let mut way = self.way(start);
        let place = way.len() - 1;
        way.extend(&round[1..]);
        Ok(Some(Way::Loop(way, place)))
    }
}

/// A search was stopped.
pub struct Interrupted;

struct Inside<'a> {
    root: &'a Root,
    inside: &'a dyn Fn(u32) -> bool,
}

impl Digraph for Inside<'_> {
    type Edge = u32;

    fn numbers(&self) -> usize {
        self.root.states() as usize
    }

    fn edges(&self, node: u32) -> &[u32] {
        self.root.steps(node)
    }

    fn target(edge: &u32) -> u32 {
        *edge
    }

    fn inside(&self, node: u32) -> bool {
        (self.inside)(node)
    }
}
