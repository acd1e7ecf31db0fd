//! Components of the graph of a search that have a cycle.

use crate::graph::Graph;
use crate::store::Id;
use std::sync::atomic::AtomicBool;
use swarmcheck_graphs::{Components, Digraph, has_cycle};

/// The expanded states of a graph that are inside.
struct Part<'a, I> {
    graph: &'a Graph,
    inside: I,
}

impl<I: Fn(Id) -> bool> Digraph for Part<'_, I> {
    type Edge = u32;

    fn numbers(&self) -> usize {
        self.graph.numbers()
    }

    fn edges(&self, node: u32) -> &[u32] {
        self.graph.targets(Id(node))
    }

    fn target(edge: &u32) -> u32 {
        *edge
    }

    fn inside(&self, node: u32) -> bool {
        self.graph.is_expanded(Id(node)) && (self.inside)(Id(node))
    }
}

/// A search for components, which can be asked again about parts of what it has found.
pub struct CyclicComponents<'a, I> {
    part: Part<'a, I>,
    search: Components,
    stop: &'a AtomicBool,
}

impl<'a, I: Fn(Id) -> bool> CyclicComponents<'a, I> {
    /// For the expanded states that are inside.
    pub fn new(graph: &'a Graph, inside: I, stop: &'a AtomicBool) -> CyclicComponents<'a, I> {
        let part = Part { graph, inside };
        CyclicComponents { search: Components::new(&part), part, stop }
    }

    /// Tells of every component with a cycle. `None` if it is told to stop.
    pub fn all(&mut self, each: impl FnMut(Vec<Id>)) -> Option<()> {
        let graph = self.part.graph;
        self.among(graph.states().map(|(id, _)| id.0), each)
    }

    /// The same among some states of a component that was told of before, once all were.
    pub fn within(&mut self, states: &[Id], each: impl FnMut(Vec<Id>)) -> Option<()> {
        let nodes: Vec<u32> = states.iter().map(|id| id.0).collect();
        self.search.reopen(&nodes);
        self.among(nodes.into_iter(), each)
    }

    fn among(&mut self, roots: impl Iterator<Item = u32>, mut each: impl FnMut(Vec<Id>)) -> Option<()> {
        let CyclicComponents { part, search, stop } = self;
        let finished = search.search(part, roots, Some(stop), |component| {
            if has_cycle(part, component) {
                each(component.iter().map(|&node| Id(node)).collect());
            }
        });
        finished.then_some(())
    }
}

/// Of the components with a cycle and a wanted state, among the expanded states that are inside: the states of the one
/// with the wanted state that is reached first in breadth-first order, that state first.
pub fn first_cyclic(
    graph: &Graph,
    inside: impl Fn(Id) -> bool,
    wanted: impl Fn(Id) -> bool,
    depth_of: impl Fn(Id) -> u32,
    stop: &AtomicBool,
) -> Option<Vec<Id>> {
    let mut best: Option<((u32, Id), Vec<Id>)> = None;
    let each = |component| consider(component, &wanted, &depth_of, &mut best);
    // If it is told to stop, what was found by then is as good.
    let _ = CyclicComponents::new(graph, inside, stop).all(each);
    best.map(|(_, component)| component)
}

/// Keeps the better component, with a wanted state of least depth first.
fn consider(
    mut component: Vec<Id>,
    wanted: &impl Fn(Id) -> bool,
    depth_of: &impl Fn(Id) -> u32,
    best: &mut Option<((u32, Id), Vec<Id>)>,
) {
    let first = component.iter().enumerate().filter(|(_, id)| wanted(**id));
    let first = first.map(|(i, &id)| ((depth_of(id), id), i)).min();
    let Some((key, at)) = first else { return };
    if best.as_ref().is_none_or(|(other, _)| key < *other) {
        component.swap(0, at);
        *best = Some((key, component));
    }
}
