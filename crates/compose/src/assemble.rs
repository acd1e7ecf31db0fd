//! Putting processes together, two at a time, and reducing what comes out.
//!
//! The order decides how large the intermediate systems are. *Smart* composition (Crouzen and Lang, *Smart reduction*, FASE
//! 2011) takes the two parts that promise the smallest result: few states, many transitions that need nobody else any more
//! (they become invisible, and the reduction can remove them), and few that interleave without meeting.

use crate::label::{Labels, TAU};
use crate::leaf::Leaf;
use crate::process::Process;
use crate::product::{self, NoProduct};
use crate::refused::Refused;
use std::collections::HashMap;
use swarmcheck_engine::{Composition, CompositionNode, Control, Phase, Snapshot};
use swarmcheck_lts::{Equivalence, Stopped};

/// In which order processes are put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// By what the result promises to be.
    #[default]
    Smart,
    /// One after the other, as the program has them.
    Given,
}

/// A part of the tree of compositions.
pub struct Part {
    /// The transition system that stands for it.
    pub process: Process,
    made: Made,
    /// The state of the smaller system for each state; none if it was not reduced.
    blocks: Option<Vec<u32>>,
    /// Its number in the report.
    number: u32,
}

enum Made {
    /// The process with this number.
    Leaf(usize),
    /// Two parts, and the numbers of pairs of their states.
    Pair(Box<Part>, Box<Part>, HashMap<(u32, u32), u32>),
}

impl Part {
    /// The state of the part for states of the single processes; none if it was never reached.
    pub fn state(&self, leaves: &[u32]) -> Option<u32> {
        let state = match &self.made {
            Made::Leaf(process) => leaves[*process],
            Made::Pair(a, b, index) => *index.get(&(a.state(leaves)?, b.state(leaves)?))?,
        };
        Some(self.blocks.as_ref().map_or(state, |blocks| blocks[state as usize]))
    }
}

/// Why there is no whole.
pub enum NoWhole {
    /// It was stopped, by the caller or because of memory.
    Stopped,
    /// More bytes than allowed.
    Memory,
    /// It is too large.
    Refused(Refused),
}

impl From<Stopped> for NoWhole {
    fn from(_: Stopped) -> NoWhole {
        NoWhole::Stopped
    }
}

/// How parts are made.
pub struct Assembly<'a> {
    pub labels: &'a mut Labels,
    pub equivalence: Equivalence,
    pub order: Order,
    pub control: &'a Control<'a>,
    /// A whole with more transitions than this is not reduced.
    pub most_reduced: usize,
}

/// The whole system, and how it was made.
pub struct Whole {
    pub part: Part,
    pub report: Composition,
    /// Of all systems that were made.
    pub states: u64,
    pub transitions: u64,
    /// The most bytes at one time.
    pub memory: u64,
}

impl Assembly<'_> {
    /// Reduces all processes and puts them together.
    pub fn whole(&mut self, leaves: Vec<Leaf>, names: &[String]) -> Result<Whole, NoWhole> {
        let mut report = Composition::default();
        let mut parts: Vec<Part> = vec![];
        for (number, leaf) in leaves.into_iter().enumerate() {
            let node = CompositionNode { name: names[number].clone(), ..CompositionNode::default() };
            parts.push(self.finish(leaf.process, Made::Leaf(number), node, &mut report)?);
        }
        let mut memory = 0;
        while parts.len() > 1 {
            let (a, b) = match self.order {
                Order::Given => (0, 1),
                Order::Smart => self.promising(&parts),
            };
            let second = parts.remove(b);
            let first = parts.remove(a);
            let held: u64 = parts.iter().map(|part| part.process.bytes()).sum();
            let (states, largest) = (std::cell::Cell::new(0u64), std::cell::Cell::new(0u64));
            let control = self.control;
            let stop = |count: u32, _transitions: usize, bytes: u64| {
                states.set(count.into());
                largest.set(largest.get().max(held + bytes));
                let phase = Phase::Searching;
                control.progress.report(Snapshot {
                    phase,
                    done: count.into(),
                    memory: held + bytes,
                    ..Snapshot::default()
                });
                control.stopped() || control.budget.memory.is_some_and(|most| held + bytes > most)
            };
            let began = control.progress.seconds();
            let made = product::product(&first.process, &second.process, self.labels, &stop);
            memory = memory.max(largest.get());
            let product = match made {
                Ok(product) => product,
                Err(NoProduct::Refused(refused)) => return Err(NoWhole::Refused(refused)),
                Err(NoProduct::Stopped) => {
                    let full = control.budget.memory.is_some_and(|most| largest.get() > most);
                    return Err(if full { NoWhole::Memory } else { NoWhole::Stopped });
                }
            };
            let name = |part: &Part| report.nodes[part.number as usize].name.clone();
            let node = CompositionNode {
                name: format!("{}, {}", name(&first), name(&second)),
                parts: vec![first.number, second.number],
                seconds: control.progress.seconds() - began,
                memory: largest.get() - held.min(largest.get()),
                ..CompositionNode::default()
            };
            let made = Made::Pair(Box::new(first), Box::new(second), product.index);
            let part = self.finish(product.process, made, node, &mut report)?;
            parts.insert(a, part);
        }
        let part = parts.pop().ok_or(NoWhole::Stopped)?;
        let states = report.nodes.iter().map(|node| u64::from(node.states)).sum();
        let transitions = report.nodes.iter().map(|node| node.transitions).sum();
        Ok(Whole { part, report, states, transitions, memory })
    }

    /// Reduces a part and enters it into the report.
    fn finish(
        &mut self,
        process: Process,
        made: Made,
        node: CompositionNode,
        report: &mut Composition,
    ) -> Result<Part, NoWhole> {
        let control = self.control;
        let began = control.progress.seconds();
        let number = report.nodes.len() as u32;
        let (states, transitions) = (process.states(), process.edges.len());
        let mut node = CompositionNode { states, transitions: transitions as u64, ..node };
        node.memory = node.memory.max(process.bytes());
        let part = if transitions > self.most_reduced {
            Part { process, made, blocks: None, number }
        } else {
            let stop =
                |bytes: u64| control.stopped() || control.budget.memory.is_some_and(|most| bytes > most);
            let quotient = process.reduced(self.equivalence, &stop)?;
            node.reduced_states = Some(quotient.process.states());
            node.reduced_transitions = Some(quotient.process.edges.len() as u64);
            Part { process: quotient.process, made, blocks: Some(quotient.blocks), number }
        };
        node.seconds += control.progress.seconds() - began;
        report.nodes.push(node);
        Ok(part)
    }

    /// The two parts that promise the smallest result, the smaller number first.
    fn promising(&self, parts: &[Part]) -> (usize, usize) {
        let weights: Vec<Weight> = parts.iter().map(|part| Weight::new(&part.process, self.labels)).collect();
        let mut best = (0, 1);
        let mut least = f64::INFINITY;
        for a in 0..parts.len() {
            for b in a + 1..parts.len() {
                let promise = self.promise(&parts[a].process, &weights[a], &parts[b].process, &weights[b]);
                if promise < least {
                    (least, best) = (promise, (a, b));
                }
            }
        }
        best
    }

    /// An estimate of how large two parts are together, after the reduction.
    fn promise(&self, a: &Process, a_weight: &Weight, b: &Process, b_weight: &Weight) -> f64 {
        let all = (a_weight.all + b_weight.all).max(1) as f64;
        let (mut met, mut hidden) = (0, 0);
        for (own, other, weight) in [(a, b, a_weight), (b, a, b_weight)] {
            for &(gate, count) in &weight.gates {
                let participants = &self.labels.gates[gate as usize].participants;
                if participants.iter().any(|p| other.members.contains(p.process)) {
                    met += count;
                    let inside = |process| own.members.contains(process) || other.members.contains(process);
                    if participants.iter().all(|p| inside(p.process)) {
                        hidden += count;
                    }
                }
            }
        }
        let states = f64::from(a.states()) * f64::from(b.states());
        // Parts that never meet are only multiplied; what is hidden can be reduced.
        states * (2.0 - met as f64 / all) * (1.0 - 0.9 * hidden as f64 / all)
    }
}

/// How many transitions wait at which gates.
struct Weight {
    all: usize,
    gates: Vec<(u32, usize)>,
}

impl Weight {
    fn new(process: &Process, labels: &Labels) -> Weight {
        let mut gates: HashMap<u32, usize> = HashMap::new();
        for (label, _) in process.edges.iter().filter(|(label, _)| *label != TAU) {
            if let Some(gate) = labels.gate_of(*label) {
                *gates.entry(gate).or_default() += 1;
            }
        }
        let mut gates: Vec<(u32, usize)> = gates.into_iter().collect();
        gates.sort_unstable();
        Weight { all: process.edges.len(), gates }
    }
}
