//! A system copied once per moment, into one graph.
//!
//! Copies are made node by node, when they are asked for. The new graph simplifies as it grows, so what the start fixes
//! is folded into later moments as far as it reaches.

use swarmcheck_aig::{Graph, Lit, Node, System};

/// What a variable of the system is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Latch(u32),
    Free,
}

/// How the first moment looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum First {
    /// A start of the system.
    Start,
    /// Any state, reachable or not.
    Any,
}

/// Copies of a system, one per step.
pub struct Unrolling<'a> {
    system: &'a System,
    /// The graph of all moments.
    pub graph: Graph,
    first: First,
    roles: Vec<Role>,
    /// For each moment the copy of each node: one more than its code, 0 if it has not been made.
    moments: Vec<Vec<u32>>,
    stack: Vec<(usize, u32)>,
}

impl<'a> Unrolling<'a> {
    pub fn new(system: &'a System, first: First) -> Unrolling<'a> {
        let mut roles = vec![Role::Free; system.graph.nodes().len()];
        for (i, latch) in system.latches.iter().enumerate() {
            roles[latch.variable.node() as usize] = Role::Latch(i as u32);
        }
        Unrolling { system, graph: Graph::new(), first, roles, moments: vec![], stack: vec![] }
    }

    pub fn system(&self) -> &'a System {
        self.system
    }

    /// The copy of a function at a moment. At moment 0 the functions over start inputs are copied too.
    pub fn at(&mut self, moment: usize, lit: Lit) -> Lit {
        while self.moments.len() <= moment {
            self.moments.push(vec![0; self.roles.len()]);
        }
        self.stack.push((moment, lit.node()));
        while let Some(&(time, node)) = self.stack.last() {
            if self.moments[time][node as usize] != 0 {
                self.stack.pop();
                continue;
            }
            if let Some(copy) = self.copy(time, node) {
                self.moments[time][node as usize] = copy.code() + 1;
                self.stack.pop();
            }
        }
        self.copied(moment, lit).unwrap_or(Lit::FALSE)
    }

    /// The copy of a function at a moment, if there is one.
    #[inline]
    pub fn copied(&self, moment: usize, lit: Lit) -> Option<Lit> {
        let code = self.moments.get(moment)?.get(lit.node() as usize)?.checked_sub(1)?;
        Some(Lit::new(code >> 1, code & 1 != 0).negate_if(lit.negated()))
    }

    /// A copy, if those it needs are there; puts one that is missing on the stack otherwise.
    fn copy(&mut self, time: usize, node: u32) -> Option<Lit> {
        let (from, function) = match self.system.graph.node(node) {
            Node::False => return Some(Lit::FALSE),
            Node::And(a, b) => {
                let (x, y) = (self.needed(time, a)?, self.needed(time, b)?);
                return Some(self.graph.and(x, y));
            }
            Node::Variable => match self.roles[node as usize] {
                Role::Latch(i) if time > 0 => (time - 1, self.system.latches[i as usize].next),
                Role::Latch(i) if self.first == First::Start => (0, self.system.latches[i as usize].start),
                _ => return Some(self.graph.variable()),
            },
        };
        self.needed(from, function)
    }

    fn needed(&mut self, time: usize, lit: Lit) -> Option<Lit> {
        let copy = self.copied(time, lit);
        if copy.is_none() {
            self.stack.push((time, lit.node()));
        }
        copy
    }

    /// Whether the states at two moments are the same.
    pub fn same(&mut self, one: usize, other: usize) -> Lit {
        let system = self.system;
        let mut equal = Vec::with_capacity(system.latches.len());
        for latch in &system.latches {
            let (a, b) = (self.at(one, latch.variable), self.at(other, latch.variable));
            equal.push(self.graph.iff(a, b));
        }
        self.graph.all(&equal)
    }
}
