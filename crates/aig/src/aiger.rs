//! Systems as AIGER files, for other model checkers, and their witnesses read back.
//!
//! AIGER latches start with constants, and its constraints must hold even in the last, bad state. A [`System`] starts as a
//! function of inputs, and its bad states may have no valid step. So a file has two latches more than its system:
//! `started`, false at first, when the latches take the values of a start; and `failed`, true once a choice was made that
//! is not valid. A state is bad in the file if it is bad in the system, something has started and nothing has failed.
//! Moment `t + 1` of the file is the state after `t` steps. Starts and steps use the same inputs, as many as either needs.

use std::fmt::Write;

use crate::graph::{Graph, Lit, Node};
use crate::simulate::{Simulation, Witness};
use crate::system::System;

/// A system ready to be written: nodes are numbered as AIGER wants them, inputs before latches before conjunctions.
struct File {
    inputs: usize,
    /// What each latch is next; all start with false.
    next: Vec<Lit>,
    bad: Vec<Lit>,
    /// The graph; its first conjunction comes after the last latch.
    graph: Graph,
}

impl File {
    fn new(system: &System) -> File {
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

    fn header(&self, format: &str) -> String {
        let first = self.first_gate();
        let gates = self.graph.nodes().len() - first;
        let (inputs, latches, bad) = (self.inputs, self.next.len(), self.bad.len());
        format!("{format} {} {inputs} {latches} 0 {gates} {bad}\n", first - 1 + gates)
    }

    /// Conjunctions are simplified as they are made, so those that remain come after the variables without gaps.
    fn first_gate(&self) -> usize {
        1 + self.inputs + self.next.len()
    }

    fn gates(&self) -> impl Iterator<Item = (usize, Lit, Lit)> {
        self.graph.nodes().iter().enumerate().filter_map(|(i, node)| match *node {
            Node::And(a, b) => Some((2 * i, a, b)),
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

/// The system in the ASCII format. Lemmas are not part of it.
pub fn ascii(system: &System) -> String {
    let file = File::new(system);
    let mut text = file.header("aag");
    // Writing to a string does not fail.
    for i in 1..=file.inputs {
        let _ = writeln!(text, "{}", 2 * i);
    }
    for (i, next) in file.next.iter().enumerate() {
        let _ = writeln!(text, "{} {}", 2 * (1 + file.inputs + i), next.code());
    }
    for bad in &file.bad {
        let _ = writeln!(text, "{}", bad.code());
    }
    for (gate, a, b) in file.gates() {
        let _ = writeln!(text, "{gate} {} {}", b.code(), a.code());
    }
    text
}

/// The system in the binary format. Lemmas are not part of it.
pub fn binary(system: &System) -> Vec<u8> {
    let file = File::new(system);
    let mut text = file.header("aig");
    for next in &file.next {
        let _ = writeln!(text, "{}", next.code());
    }
    for bad in &file.bad {
        let _ = writeln!(text, "{}", bad.code());
    }
    let mut bytes = text.into_bytes();
    for (gate, a, b) in file.gates() {
        // Parts of a gate are ordered, the smaller first; the format wants the larger first.
        push_number(&mut bytes, gate as u32 - b.code());
        push_number(&mut bytes, b.code() - a.code());
    }
    bytes
}

/// Seven bits at a time, the lowest first; all but the last have the highest bit set.
fn push_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// What a model checker said about a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
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
            Unusable::Format(what) => write!(f, "the answer is not in the AIGER format: {what}"),
            Unusable::Wrong => f.write_str("the answer does not describe an execution to a bad state"),
        }
    }
}

impl std::error::Error for Unusable {}

/// Reads an answer in the AIGER witness format. Executions are replayed, and cut at their first bad state.
pub fn answer(system: &System, text: &str) -> Result<Answer, Unusable> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.starts_with('c'));
    let mut line = || lines.next().ok_or(Unusable::Format("it ends too early"));
    let verdict = loop {
        match line()? {
            "" => {}
            other => break other,
        }
    };
    if verdict == "2" {
        return Ok(Answer::Unknown);
    }
    let number = line()?.strip_prefix('b').and_then(|digits| digits.parse().ok());
    let number: usize = number.ok_or(Unusable::Format("the second line should be b and a number"))?;
    let &bad = system.bad.get(number).ok_or(Unusable::Format("there is no bad set of that number"))?;
    match verdict {
        "0" => return Ok(Answer::Unreachable(number)),
        "1" => {}
        _ => return Err(Unusable::Format("the first line should be 0, 1 or 2")),
    }
    let first = line()?;
    if first.len() != system.latches.len() + 2 || first.contains('1') {
        return Err(Unusable::Format("the third line should be a zero for each latch of the file"));
    }
    let inputs = system.inputs.len().max(system.start_inputs.len());
    let mut vector = || -> Result<Option<Vec<bool>>, Unusable> {
        let text = line()?;
        if text == "." {
            return Ok(None);
        }
        if text.len() != inputs || !text.bytes().all(|b| matches!(b, b'0' | b'1' | b'x')) {
            return Err(Unusable::Format("an input line should have a digit for each input"));
        }
        // Inputs that do not matter are written x.
        Ok(Some(text.bytes().map(|b| b == b'1').collect()))
    };
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
    Ok(Answer::Reached(number, Witness { start, steps, states, back_to: None }))
}
