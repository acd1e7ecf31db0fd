//! Fair executions, by definition. An execution is a way to a loop, and the loop visits some moments again and again.
//!
//! * Weakly fair: no unit can move at all of these moments and moves at none.
//! * Strongly fair: no unit can move at one of these moments and moves at none.
//!
//! An execution that stops is fair: nobody can move.

use super::graph::Graph;

/// A part of a system that a scheduler can treat unfairly: at which moments it can move, and at which it does.
pub struct Unit {
    pub can: Vec<bool>,
    pub moves: Vec<bool>,
}

impl Unit {
    /// The unit that makes such steps.
    pub fn new<S, T>(graph: &Graph<S, T>, makes: impl Fn(&T) -> bool) -> Unit {
        let moves = |moment: &super::Moment<T>| moment.step.as_ref().is_some_and(&makes);
        Unit {
            can: graph.moments.iter().map(|moment| graph.can(moment.state, &makes)).collect(),
            moves: graph.moments.iter().map(moves).collect(),
        }
    }
}

/// Which executions count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fairness {
    All,
    Weak,
    Strong,
}

impl Fairness {
    /// The units that a loop through exactly these moments treats unfairly.
    pub fn wronged<'u>(self, units: &'u [Unit], moments: &[usize]) -> Vec<&'u Unit> {
        let unfair = |unit: &&Unit| {
            let moves = moments.iter().any(|&moment| unit.moves[moment]);
            let waits = match self {
                Fairness::All => false,
                Fairness::Weak => moments.iter().all(|&moment| unit.can[moment]),
                Fairness::Strong => moments.iter().any(|&moment| unit.can[moment]),
            };
            waits && !moves
        };
        units.iter().filter(unfair).collect()
    }
}

/// A directed graph: for each node, those that follow.
pub type Edges = Vec<Vec<usize>>;

/// Whether a loop can go through nodes among these that keep all promises, and be fair. `moment` is the moment of a node.
///
/// A loop visits a strongly connected set of nodes, and a larger set keeps more promises and is fairer to units that move. So
/// a component is enough if it treats nobody unfairly. A unit that moves nowhere in it, but can, is treated unfairly by weak
/// fairness however the loop goes, since a part of the component has no moment where the unit cannot move if the whole has
/// none. By strong fairness, the loop must avoid all moments where it can move: what is left is divided again.
pub fn loops(
    edges: &Edges,
    nodes: Vec<usize>,
    fairness: Fairness,
    units: &[Unit],
    moment: &dyn Fn(usize) -> usize,
    keeps: &dyn Fn(&[usize]) -> bool,
) -> bool {
    components(edges, nodes).into_iter().any(|component| {
        let cyclic = component.len() > 1 || edges[component[0]].contains(&component[0]);
        if !cyclic || !keeps(&component) {
            return false;
        }
        let moments: Vec<usize> = component.iter().map(|&node| moment(node)).collect();
        let wronged = fairness.wronged(units, &moments);
        if wronged.is_empty() {
            return true;
        }
        let avoids = |node: &usize| wronged.iter().all(|unit| !unit.can[moment(*node)]);
        fairness == Fairness::Strong && {
            let rest: Vec<usize> = component.into_iter().filter(avoids).collect();
            loops(edges, rest, fairness, units, moment, keeps)
        }
    })
}

/// Strongly connected components of the part of a graph with these nodes, by two searches: forwards for an order, then
/// backwards in it.
pub fn components(edges: &Edges, nodes: Vec<usize>) -> Vec<Vec<usize>> {
    let mut known = vec![false; edges.len()];
    nodes.iter().for_each(|&node| known[node] = true);
    let mut back: Edges = vec![vec![]; edges.len()];
    for &from in &nodes {
        edges[from].iter().filter(|&&to| known[to]).for_each(|&to| back[to].push(from));
    }
    let mut order = vec![];
    let mut seen = vec![false; edges.len()];
    for &root in &nodes {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some((node, at)) = stack.pop() {
            match edges[node].get(at) {
                Some(&target) => {
                    stack.push((node, at + 1));
                    if known[target] && !std::mem::replace(&mut seen[target], true) {
                        stack.push((target, 0));
                    }
                }
                None => order.push(node),
            }
        }
    }
    let mut done = vec![false; edges.len()];
    let mut out = vec![];
    for root in order.into_iter().rev() {
        if std::mem::replace(&mut done[root], true) {
            continue;
        }
        let mut component = vec![root];
        let mut at = 0;
        while at < component.len() {
            for &before in &back[component[at]] {
                if !std::mem::replace(&mut done[before], true) {
                    component.push(before);
                }
            }
            at += 1;
        }
        out.push(component);
    }
    out
}
