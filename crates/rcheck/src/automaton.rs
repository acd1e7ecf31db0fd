//! Structure automata (definition 3), as triple structures with one component.
//!
//! The function ⟨·⟩ of the article gives edges between two given states. A choice begins where its alternatives
//! begin, and `rep` loops at the state where it begins: so `C + rep P` can still do `C` after some rounds of `P`,
//! unlike a process term would. That is why the edges are made here, and not by the translation of process terms.

use crate::model::{Agent, Process};
use swarmcheck_triples::{Exit, Location, Pc, Structure, Triple};

/// An edge (s₁, σ, s₂); the command by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// s₁.
    pub from: u32,
    /// σ.
    pub command: usize,
    /// s₂.
    pub to: u32,
}

/// The automaton of an agent type. The initial state is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// The number of states.
    pub states: u32,
    pub edges: Vec<Edge>,
}

/// ⟨P⟩ from the initial state back to it.
pub fn automaton(agent: &Agent) -> Automaton {
    let mut out = Automaton { states: 1, edges: vec![] };
    out.add(&agent.repeat, 0, 0);
    out
}

impl Automaton {
    fn add(&mut self, process: &Process, from: u32, to: u32) {
        match process {
            Process::Sequence(parts) => {
                let mut at = from;
                for (number, part) in parts.iter().enumerate() {
                    let next = if number + 1 == parts.len() {
                        to
                    } else {
                        self.states += 1;
                        self.states - 1
                    };
                    self.add(part, at, next);
                    at = next;
                }
            }
            Process::Choice(parts) => parts.iter().for_each(|part| self.add(part, from, to)),
            Process::Repeat(body) => self.add(body, from, from),
            Process::Command(command) => self.edges.push(Edge { from, command: *command, to }),
        }
    }

    /// The same as a triple structure, for people. States are counted from 1 there, because 0 is the end, which a process
    /// under `repeat` does not have.
    pub fn structure(&self) -> Structure<usize, std::convert::Infallible> {
        let place = |state: u32| vec![(Pc(0), Location(state + 1))];
        let triples = self.edges.iter().map(|edge| Triple {
            entry: place(edge.from),
            guards: vec![],
            action: edge.command,
            exit: Exit::to(place(edge.to)),
            began: vec![],
        });
        Structure {
            locations: vec![self.states],
            start: Exit::to(place(0)),
            triples: triples.collect(),
            joins: vec![],
        }
    }
}
