//! Systems as the files of other model checkers have them, and their executions read back.
//!
//! In such files latches start with constants, and constraints must hold even in the last, bad state. A [`System`] starts
//! as a function of inputs, and its bad states may have no valid step. So a file has two latches more than its system:
//! `started`, false at first, when the latches take the values of a start; and `failed`, true once a choice was made that
//! is not valid. A state is bad in the file if it is bad in the system, something has started and nothing has failed.
//! Moment `t + 1` of the file is the state after `t` steps. Starts and steps use the same inputs, as many as either
//! needs.

use crate::graph::{Graph, Lit, Node};
use crate::simulate::{Simulation, Witness};
use crate::system::System;

/// A system ready to be written: inputs are numbered before latches, and latches before conjunctions.
pub(crate) struct File {
    pub(crate) inputs: usize,
    /// What each latch is next; all start with false.
    pub(crate) next: Vec<Lit>,
    pub(crate) bad: Vec<Lit>,
    /// The graph; its first conjunction comes after the last latch.
    pub(crate) graph: Graph,
}

impl File {
    pub(crate) fn new(system: &System) -> File {
        let mut graph = Graph::new();
        let inputs: Vec<Lit> =
            (0..system.inputs.len().max(system.start_inputs.len())).map(|_| graph.variable()).collect();
        let mut copies = vec![Lit::FALSE; system.graph.nodes().len()];
        for variables in [&system.inputs, &system.start_inputs] {
            for (variable, &input) in variables.iter().zip(&inputs) {
                copies[variable.node() as usize] = input;
            }
        }
        for latch in &system.latches {
            copies[latch.variable.node() as usize] = graph.variable();
        }
        let (started, failed) = (graph.variable(), graph.variable());
        let needed = cone(system);
        for (i, node) in system.graph.nodes().iter().enumerate() {
            if let (Node::And(a, b), true) = (*node, needed[i]) {
                let (a, b) = (copied(&copies, a), copied(&copies, b));
                copies[i] = graph.and(a, b);
            }
        }
        let mut next = vec![];
        for latch in &system.latches {
            let (start, step) = (copied(&copies, latch.start), copied(&copies, latch.next));
            next.push(graph.choose(started, step, start));
        }
        next.push(Lit::TRUE);
        let (start, step) = (copied(&copies, system.start_valid), copied(&copies, system.valid));
        let possible = graph.choose(started, step, start);
        next.push(graph.or(failed, !possible));
        let running = graph.and(started, !failed);
        let bad = system.bad.iter().map(|&bad| graph.and(running, copied(&copies, bad))).collect();
        File { inputs: inputs.len(), next, bad, graph }
    }

    /// Conjunctions are simplified as they are made, so those that remain come after the variables without gaps.
    pub(crate) fn first_gate(&self) -> usize {
        1 + self.inputs + self.next.len()
    }

    /// The conjunctions with their nodes' numbers, in order.
    pub(crate) fn gates(&self) -> impl Iterator<Item = (usize, Lit, Lit)> {
        self.graph.nodes().iter().enumerate().filter_map(|(i, node)| match *node {
            Node::And(a, b) => Some((i, a, b)),
            _ => None,
        })
    }
}

fn copied(copies: &[Lit], lit: Lit) -> Lit {
    copies[lit.node() as usize].negate_if(lit.negated())
}

/// The nodes that some part of the system depends on.
fn cone(system: &System) -> Vec<bool> {
    let mut needed = vec![false; system.graph.nodes().len()];
    let functions = system.latches.iter().flat_map(|latch| [latch.start, latch.next]);
    for lit in functions.chain([system.start_valid, system.valid]).chain(system.bad.iter().copied()) {
        needed[lit.node() as usize] = true;
    }
    for i in (0..needed.len()).rev() {
        if let (Node::And(a, b), true) = (system.graph.node(i as u32), needed[i]) {
            needed[a.node() as usize] = true;
            needed[b.node() as usize] = true;
        }
    }
    needed
}

/// What a model checker said about a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckerAnswer {
    /// The bad states of this number are reached.
    Reached(usize, Witness),
    /// They are not reachable.
    Unreachable(usize),
    /// It does not know.
    Unknown,
}

/// Why an answer cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unusable {
    /// It is not in the format.
    Format(&'static str),
    /// What it describes is not an execution of the system to a state of the set.
    Wrong,
}

impl std::fmt::Display for Unusable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unusable::Format(what) => write!(f, "the answer is not in the format: {what}"),
            Unusable::Wrong => f.write_str("the answer does not describe an execution to a bad state"),
        }
    }
}

impl std::error::Error for Unusable {}

/// How many inputs a file has.
pub(crate) fn inputs(system: &System) -> usize {
    system.inputs.len().max(system.start_inputs.len())
}

/// The functions of a bad set that an answer names.
pub(crate) fn named(system: &System, number: usize) -> Result<Lit, Unusable> {
    system.bad.get(number).copied().ok_or(Unusable::Format("there is no bad set of that number"))
}

/// Replays the inputs of a file, a vector for each moment, up to the first bad state.
pub(crate) fn replayed(
    system: &System,
    bad: Lit,
    mut vector: impl FnMut() -> Result<Option<Vec<bool>>, Unusable>,
) -> Result<Witness, Unusable> {
    let mut start = vector()?.ok_or(Unusable::Wrong)?;
    start.truncate(system.start_inputs.len());
    let mut simulation = Simulation::new(system);
    let mut states = vec![simulation.start(&start).ok_or(Unusable::Wrong)?];
    let mut steps = vec![];
    while !simulation.holds(&states[steps.len()], bad) {
        let mut step = vector()?.ok_or(Unusable::Wrong)?;
        step.truncate(system.inputs.len());
        states.push(simulation.step(&states[steps.len()], &step).ok_or(Unusable::Wrong)?);
        steps.push(step);
    }
    Ok(Witness { start, steps, states, back_to: None })
}
