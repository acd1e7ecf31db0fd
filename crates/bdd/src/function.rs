//! Functions of a graph as diagrams.

use std::collections::HashMap;

use swarmcheck_aig::{Graph, Lit, Node};

use crate::space::{Failure, Set, Space};

/// Turns functions of one graph into sets. Each node is turned once.
pub struct Functions<'a, 's> {
    graph: &'a Graph,
    space: &'a Space<'s>,
    known: HashMap<u32, Set>,
}

impl<'a, 's> Functions<'a, 's> {
    /// For a graph, with what its variables stand for. Variables without a meaning are false.
    pub fn new(graph: &'a Graph, space: &'a Space<'s>, variables: HashMap<u32, Set>) -> Functions<'a, 's> {
        Functions { graph, space, known: variables }
    }

    /// Where a function is true.
    pub fn set(&mut self, root: Lit) -> Result<Set, Failure> {
        let mut stack = vec![root.node()];
        while let Some(&node) = stack.last() {
            if !self.known.contains_key(&node) {
                let made = match self.graph.node(node) {
                    Node::And(a, b) => match (self.known(a)?, self.known(b)?) {
                        (Some(a), _) if a.is_empty() => a,
                        (_, Some(b)) if b.is_empty() => b,
                        (Some(a), Some(b)) if a.is_everything() => b,
                        (Some(a), Some(b)) if b.is_everything() => a,
                        (Some(a), Some(b)) => self.space.and(&a, &b)?,
                        (None, _) => {
                            stack.push(a.node());
                            continue;
                        }
                        (_, None) => {
                            stack.push(b.node());
                            continue;
                        }
                    },
                    Node::Variable | Node::False => self.space.constant(false),
                };
                self.known.insert(node, made);
            }
            stack.pop();
        }
        self.known(root)?.ok_or(Failure::Internal("a node was not turned into a diagram"))
    }

    fn known(&self, lit: Lit) -> Result<Option<Set>, Failure> {
        match self.known.get(&lit.node()) {
            Some(set) if lit.negated() => self.space.not(set).map(Some),
            Some(set) => Ok(Some(set.clone())),
            None => Ok(None),
        }
    }
}
