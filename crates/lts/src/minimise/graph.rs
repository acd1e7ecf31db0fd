//! The graph that is refined: for the branching equivalences, the strongly connected components of invisible steps
//! inside a class are one node each.

use super::{Equivalence, Raw};
use crate::system::with_label;
use swarmcheck_graphs::{Digraph, numbered};

const NONE: u32 = u32::MAX;

/// A graph whose invisible steps inside a class, if they are treated as such, lead from larger to smaller nodes.
pub struct Graph {
    /// The node of each state of the system, or `NONE` where it is left out.
    node: Vec<u32>,
    offsets: Vec<usize>,
    /// Label and target, sorted for each node, each once, without invisible steps of a node to itself.
    edges: Vec<(u32, u32)>,
    /// The invisible label; `None` if there is none or it is a label like any other.
    tau: Option<u32>,
    /// The nodes with a divergence that is to be preserved; empty if there are none.
    divergent: Vec<bool>,
    /// The class of each node; empty if all are of one class.
    classes: Vec<u32>,
}

impl Graph {
    /// The graph of what can be reached from these states.
    pub fn reachable(raw: &Raw<'_>, roots: &[u32], equivalence: Equivalence) -> Graph {
        Graph::of(raw, &reach(raw, roots), equivalence)
    }

    /// The graph of all states.
    pub fn whole(raw: &Raw<'_>, equivalence: Equivalence) -> Graph {
        let states: Vec<u32> = (0..raw.states()).collect();
        Graph::of(raw, &states, equivalence)
    }

    /// The graph of these states, which no step leaves.
    fn of(raw: &Raw<'_>, states: &[u32], equivalence: Equivalence) -> Graph {
        let tau = if equivalence == Equivalence::Strong { None } else { raw.tau };
        let (node, count) = match tau {
            None => number(raw, states),
            // Components get their numbers after those that they lead to.
            Some(tau) => numbered(&Invisible::new(raw, tau), states.iter().copied()),
        };
        let count = count as usize;
        let offsets = vec![0; count + 1];
        let mut graph = Graph { node, offsets, edges: vec![], tau, divergent: vec![], classes: vec![] };
        if equivalence == Equivalence::DivergenceBranching {
            graph.divergent = vec![false; count];
        }
        if !raw.classes.is_empty() {
            graph.classes = vec![0; count];
            for &state in states {
                let node = graph.node[state as usize];
                graph.classes[node as usize] = raw.classes[state as usize];
            }
        }
        graph.fill(raw, states, count);
        graph
    }

    fn fill(&mut self, raw: &Raw<'_>, states: &[u32], count: usize) {
        // The states of each node, by counting.
        let mut from = vec![0; count + 1];
        for &state in states {
            from[self.node[state as usize] as usize + 1] += 1;
        }
        for at in 1..from.len() {
            from[at] += from[at - 1];
        }
        let mut members = vec![0; states.len()];
        let mut next = from.clone();
        for &state in states {
            let next = &mut next[self.node[state as usize] as usize];
            members[*next] = state;
            *next += 1;
        }
        let mut steps: Vec<(u32, u32)> = vec![];
        for node in 0..count {
            steps.clear();
            for &state in &members[from[node]..from[node + 1]] {
                let targets = raw.steps(state).iter().map(|&(l, target)| (l, self.node[target as usize]));
                steps.extend(targets);
            }
            steps.sort_unstable();
            steps.dedup();
            let looping = steps.iter().position(|&(l, target)| Some(l) == self.tau && target == node as u32);
            if let Some(at) = looping {
                steps.remove(at);
                if let Some(divergent) = self.divergent.get_mut(node) {
                    *divergent = true;
                }
            }
            self.edges.extend_from_slice(&steps);
            self.offsets[node + 1] = self.edges.len();
        }
    }

    /// The number of nodes.
    pub fn nodes(&self) -> u32 {
        (self.offsets.len() - 1) as u32
    }

    /// How many steps there are.
    pub fn all_steps(&self) -> usize {
        self.edges.len()
    }

    /// The steps of a node, as label and target, sorted.
    pub fn steps(&self, node: u32) -> &[(u32, u32)] {
        let node = node as usize;
        &self.edges[self.offsets[node]..self.offsets[node + 1]]
    }

    /// The invisible steps of a node; none if the invisible label is a label like any other.
    pub fn invisible_steps(&self, node: u32) -> &[(u32, u32)] {
        self.tau.map_or(&[], |tau| with_label(self.steps(node), tau))
    }

    /// The invisible label; `None` if there is none or it is a label like any other.
    pub fn tau(&self) -> Option<u32> {
        self.tau
    }

    /// Whether the node has an infinite sequence of invisible steps inside itself, and the equivalence preserves
    /// divergence.
    pub fn diverges(&self, node: u32) -> bool {
        self.divergent.get(node as usize).is_some_and(|divergent| *divergent)
    }

    /// The class of each node; empty if all are of one class.
    pub fn classes(&self) -> &[u32] {
        &self.classes
    }

    /// The node of a state that is not left out.
    pub fn node_of(&self, state: u32) -> u32 {
        self.node[state as usize]
    }

    /// The node of a state, unless it is left out.
    pub fn node_of_reached(&self, state: u32) -> Option<u32> {
        Some(self.node[state as usize]).filter(|node| *node != NONE)
    }

    /// The node of each state, if none is left out.
    pub fn into_nodes(self) -> Vec<u32> {
        self.node
    }

    /// The sources of the steps to each node, with repetitions; all steps, or only the invisible ones.
    pub fn sources(&self, invisible: bool) -> Sources {
        let wanted = |node: u32| if invisible { self.invisible_steps(node) } else { self.steps(node) };
        let mut offsets = vec![0; self.offsets.len() + 1];
        for node in 0..self.nodes() {
            wanted(node).iter().for_each(|&(_, target)| offsets[target as usize + 2] += 1);
        }
        for at in 1..offsets.len() {
            offsets[at] += offsets[at - 1];
        }
        // Shifted by one, so that filling moves each beginning to its end.
        let mut list = vec![0; offsets[offsets.len() - 1]];
        for node in 0..self.nodes() {
            for &(_, target) in wanted(node) {
                let at = &mut offsets[target as usize + 1];
                list[*at] = node;
                *at += 1;
            }
        }
        offsets.pop();
        Sources { offsets, list }
    }
}

/// Steps backwards.
pub struct Sources {
    offsets: Vec<usize>,
    list: Vec<u32>,
}

impl Sources {
    /// Where the steps to a node come from.
    pub fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.list[self.offsets[node]..self.offsets[node + 1]]
    }
}

/// The states that can be reached, breadth first.
fn reach(raw: &Raw<'_>, roots: &[u32]) -> Vec<u32> {
    let mut seen = vec![false; raw.states() as usize];
    let mut order: Vec<u32> = vec![];
    let visit = |state: u32, order: &mut Vec<u32>, seen: &mut Vec<bool>| {
        if !std::mem::replace(&mut seen[state as usize], true) {
            order.push(state);
        }
    };
    roots.iter().for_each(|&root| visit(root, &mut order, &mut seen));
    let mut at = 0;
    while at < order.len() {
        raw.steps(order[at]).iter().for_each(|&(_, target)| visit(target, &mut order, &mut seen));
        at += 1;
    }
    order
}

fn number(raw: &Raw<'_>, states: &[u32]) -> (Vec<u32>, u32) {
    let mut node = vec![NONE; raw.states() as usize];
    for (number, &state) in (0..).zip(states) {
        node[state as usize] = number;
    }
    (node, states.len() as u32)
}

/// The invisible steps inside classes.
struct Invisible {
    offsets: Vec<usize>,
    targets: Vec<u32>,
}

impl Invisible {
    fn new(raw: &Raw<'_>, tau: u32) -> Invisible {
        let mut invisible = Invisible { offsets: vec![0], targets: vec![] };
        for state in 0..raw.states() {
            let targets = with_label(raw.steps(state), tau).iter().map(|&(_, target)| target);
            invisible.targets.extend(targets.filter(|&target| raw.class(target) == raw.class(state)));
            invisible.offsets.push(invisible.targets.len());
        }
        invisible
    }
}

impl Digraph for Invisible {
    type Edge = u32;

    fn numbers(&self) -> usize {
        self.offsets.len() - 1
    }

    fn edges(&self, state: u32) -> &[u32] {
        let state = state as usize;
        &self.targets[self.offsets[state]..self.offsets[state + 1]]
    }

    fn target(&target: &u32) -> u32 {
        target
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Builder;

    fn graph(equivalence: Equivalence) -> Graph {
        let mut builder = Builder::new();
        for (source, target) in [(0, 1), (1, 2), (2, 1), (2, 3), (0, 3), (3, 3), (5, 0)] {
            builder.step(source, "i", target);
        }
        builder.step(3, "a", 4);
        builder.step(1, "a", 2);
        Graph::reachable(&builder.finish(0).raw(), &[0], equivalence)
    }

    #[test]
    fn components_come_after_those_they_lead_to() {
        let graph = graph(Equivalence::DivergenceBranching);
        assert_eq!(graph.node, [2, 1, 1, 0, 3, NONE]);
        assert_eq!(graph.divergent, [true, true, false, false]);
        assert_eq!(graph.steps(0), [(1, 3)]);
        assert_eq!(graph.steps(1), [(0, 0), (1, 1)]);
        assert_eq!(graph.steps(2), [(0, 0), (0, 1)]);
        assert_eq!(graph.sources(true).of(0), [1, 2]);
        assert_eq!(graph.sources(false).of(1), [1, 2]);
        assert_eq!(graph.sources(false).of(3), [0]);
    }

    /// States 0 and 1 are on a cycle that leaves their class, so they are not the same node, and 1 and 2 are.
    #[test]
    fn components_do_not_leave_classes() {
        let edges = [(0, 1), (0, 0), (0, 2), (0, 1), (0, 3)];
        let raw = Raw { offsets: &[0, 1, 3, 4, 5], edges: &edges, tau: Some(0), classes: &[0, 7, 7, 0] };
        let graph = Graph::whole(&raw, Equivalence::DivergenceBranching);
        assert_eq!(graph.node, [0, 1, 1, 2]);
        assert_eq!(graph.classes, [0, 7, 0]);
        assert_eq!(graph.divergent, [false, true, true]);
        assert_eq!((graph.steps(0), graph.steps(1)), (&[(0, 1)][..], &[(0, 0)][..]));
    }

    #[test]
    fn for_strong_bisimilarity_nothing_is_invisible() {
        let graph = graph(Equivalence::Strong);
        assert_eq!((graph.nodes(), graph.tau()), (5, None));
        assert_eq!(graph.invisible_steps(0), []);
        assert!(!graph.diverges(3));
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let mut builder = Builder::new();
        (0..200_000).for_each(|state| builder.step(state, "i", state + 1));
        let graph = Graph::reachable(&builder.finish(0).raw(), &[0], Equivalence::Branching);
        assert_eq!(graph.nodes(), 200_001);
    }
}
