//! The steps of a graph, numbered by source and listed by target. They stay what they are while blocks are cut.

use crate::minimise::graph::Graph;
use std::ops::Range;

/// Steps that stay inside a class and are invisible are *silent*. Those of a node come before its other steps, both
/// among the steps that leave it and among those that lead to it.
pub struct Steps {
    pub source: Vec<u32>,
    pub target: Vec<u32>,
    /// Where the steps of each node begin, and one entry more.
    out: Vec<u32>,
    /// Where the silent steps of each node end.
    silent_out: Vec<u32>,
    /// The steps by target.
    into: Vec<u32>,
    into_from: Vec<u32>,
    silent_into: Vec<u32>,
}

impl Steps {
    /// The steps of a graph and their labels. A divergence is a step of the node to itself, the last of its steps, and
    /// its label means nothing.
    pub fn new(graph: &Graph, classes: &[u32]) -> (Steps, Vec<u32>) {
        let class = |node: u32| classes.get(node as usize);
        let nodes = graph.nodes();
        let room = graph.all_steps() + (0..nodes).filter(|&node| graph.diverges(node)).count();
        let (mut source, mut target) = (Vec::with_capacity(room), Vec::with_capacity(room));
        let mut labels = Vec::with_capacity(room);
        let (mut out, mut silent_out) = (vec![0], vec![]);
        for node in 0..nodes {
            let is_silent = |(l, to): (u32, u32)| Some(l) == graph.tau() && class(node) == class(to);
            for silent in [true, false] {
                for &(label, to) in graph.steps(node).iter().filter(|&&step| is_silent(step) == silent) {
                    target.push(to);
                    labels.push(label);
                }
                if silent {
                    silent_out.push(target.len() as u32);
                }
            }
            if graph.diverges(node) {
                target.push(node);
                labels.push(0);
            }
            source.resize(target.len(), node);
            out.push(target.len() as u32);
        }
        let mut steps =
            Steps { source, target, out, silent_out, into: vec![], into_from: vec![], silent_into: vec![] };
        steps.list_by_target();
        (steps, labels)
    }

    fn list_by_target(&mut self) {
        // At first, where the silent steps and the other steps to each node begin.
        let (mut from, mut others) = (vec![0; self.out.len()], vec![0; self.nodes()]);
        for &target in &self.target {
            from[target as usize + 1] += 1;
        }
        for at in 1..from.len() {
            from[at] += from[at - 1];
        }
        for node in 0..self.nodes() as u32 {
            for step in self.silent_out(node) {
                others[self.target[step as usize] as usize] += 1;
            }
        }
        let mut silent: Vec<u32> = from[..self.nodes()].to_vec();
        others.iter_mut().zip(&from).for_each(|(other, from)| *other += from);
        let mut into = vec![0; self.target.len()];
        for node in 0..self.nodes() as u32 {
            for step in self.out(node) {
                let target = self.target[step as usize] as usize;
                let is_silent = step < self.silent_out[node as usize];
                let at = if is_silent { &mut silent[target] } else { &mut others[target] };
                into[*at as usize] = step;
                *at += 1;
            }
        }
        (self.into, self.into_from, self.silent_into) = (into, from, silent);
    }

    pub fn nodes(&self) -> usize {
        self.silent_out.len()
    }

    pub fn len(&self) -> usize {
        self.target.len()
    }

    /// Whether this is the last step of its source.
    pub fn is_last(&self, step: u32) -> bool {
        self.out(self.source[step as usize]).end == step + 1
    }

    /// The steps of a node.
    pub fn out(&self, node: u32) -> Range<u32> {
        self.out[node as usize]..self.out[node as usize + 1]
    }

    /// The silent steps of a node.
    pub fn silent_out(&self, node: u32) -> Range<u32> {
        self.out[node as usize]..self.silent_out[node as usize]
    }

    /// The steps to a node.
    pub fn incoming(&self, node: u32) -> &[u32] {
        &self.into[self.into_from[node as usize] as usize..self.into_from[node as usize + 1] as usize]
    }

    /// The silent steps to a node.
    pub fn silent_incoming(&self, node: u32) -> &[u32] {
        &self.into[self.into_from[node as usize] as usize..self.silent_into[node as usize] as usize]
    }
}

/// Sorts by a key, and is fast if the keys are not much larger than the number of items. Stable.
pub fn sort_by_small_key(items: &mut Vec<u32>, key: impl Fn(u32) -> u64) {
    let largest = items.iter().map(|&item| key(item)).max().unwrap_or(0);
    if largest > 4 * items.len() as u64 + 1000 {
        return items.sort_by_key(|&item| key(item));
    }
    let mut from = vec![0u32; largest as usize + 2];
    items.iter().for_each(|&item| from[key(item) as usize + 1] += 1);
    for at in 1..from.len() {
        from[at] += from[at - 1];
    }
    let mut sorted = vec![0; items.len()];
    for &item in items.iter() {
        let at = &mut from[key(item) as usize];
        sorted[*at as usize] = item;
        *at += 1;
    }
    *items = sorted;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Equivalence::DivergenceBranching;
    use crate::minimise::Raw;

    #[test]
    fn silent_steps_come_first() {
        // From 0: `0` to 1 and 2, invisible `1` to 1 of the same class and to 2 of another; from 1: invisible to itself.
        let edges = [(0, 1), (0, 2), (1, 1), (1, 2), (1, 1)];
        let raw = Raw { offsets: &[0, 4, 5, 5], edges: &edges, tau: Some(1), classes: &[0, 0, 1] };
        let graph = Graph::whole(&raw, DivergenceBranching);
        let [a, b, c] = [0, 1, 2].map(|state| graph.node_of(state));
        let (steps, labels) = Steps::new(&graph, graph.classes());
        let of = |range: Range<u32>| -> Vec<(u32, u32)> {
            range.map(|step| (steps.target[step as usize], labels[step as usize])).collect()
        };
        assert_eq!(of(steps.out(a)), [(b, 1), (b, 0), (c, 0), (c, 1)]);
        assert_eq!(of(steps.silent_out(a)), [(b, 1)]);
        assert_eq!(of(steps.out(b)), [(b, 0)]);
        assert!(steps.is_last(steps.out(b).start) && !steps.is_last(steps.out(a).start));
        assert_eq!(of(steps.out(c)), []);
        assert_eq!(
            (steps.incoming(b).len(), steps.silent_incoming(b).len(), steps.incoming(c).len()),
            (3, 1, 2)
        );
        assert_eq!(steps.silent_incoming(b)[0], steps.silent_out(a).start);
    }

    #[test]
    fn small_and_large_keys() {
        for factor in [1, 1_000_000_000_000] {
            let mut items: Vec<u32> = (0..100).collect();
            sort_by_small_key(&mut items, |item| u64::from(item % 7) * factor);
            let mut expected: Vec<u32> = (0..100).collect();
            expected.sort_by_key(|item| item % 7);
            assert_eq!(items, expected);
        }
    }
}
