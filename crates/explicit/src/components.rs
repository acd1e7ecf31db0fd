//! Strongly connected components, for cycles.

use crate::graph::Graph;
use crate::store::Id;
use std::sync::atomic::{AtomicBool, Ordering};

/// A state being visited: which of its steps comes next.
struct Visit {
    id: Id,
    next: u32,
}

const NEW: u32 = 0;
const CLOSED: u32 = u32::MAX;

/// Tarjan's algorithm without recursion; components without a cycle are forgotten at once.
pub struct Components<'a> {
    graph: &'a Graph,
    /// The number of a state in the order of visits, or NEW or CLOSED; then the least number it can get back to.
    low: Vec<u32>,
    stop: &'a AtomicBool,
    rounds: u32,
}

impl<'a> Components<'a> {
    pub fn new(graph: &'a Graph, stop: &'a AtomicBool) -> Components<'a> {
        Components { graph, low: vec![NEW; graph.numbers()], stop, rounds: 0 }
    }

    /// Tells of every component with a cycle among the expanded states that are inside. `None` if it is told to stop.
    pub fn cyclic(&mut self, inside: impl Fn(Id) -> bool, mut each: impl FnMut(Vec<Id>)) -> Option<()> {
        let graph = self.graph;
        self.among(graph.states().map(|(id, _)| id), inside, &mut each)
    }

    /// The same among states of components that were told of before, or states that are outside otherwise.
    pub fn cyclic_within(&mut self, states: &[Id], mut each: impl FnMut(Vec<Id>)) -> Option<()> {
        // All others are closed, so they are outside.
        states.iter().for_each(|id| self.low[id.0 as usize] = NEW);
        self.among(states.iter().copied(), |_| true, &mut each)
    }

    fn among(
        &mut self,
        roots: impl Iterator<Item = Id>,
        inside: impl Fn(Id) -> bool,
        each: &mut impl FnMut(Vec<Id>),
    ) -> Option<()> {
        let (graph, low) = (self.graph, &mut self.low);
        let mut next = 1;
        let mut visits: Vec<Visit> = vec![];
        let mut numbers: Vec<u32> = vec![];
        let mut open: Vec<Id> = vec![];
        for root in roots {
            if low[root.0 as usize] != NEW {
                continue;
            }
            if !inside(root) {
                low[root.0 as usize] = CLOSED;
                continue;
            }
            visits.push(Visit { id: root, next: 0 });
            while let Some(visit) = visits.last_mut() {
                self.rounds = self.rounds.wrapping_add(1);
                if self.rounds.is_multiple_of(1 << 16) && self.stop.load(Ordering::Relaxed) {
                    return None;
                }
                let id = visit.id;
                let at = id.0 as usize;
                if visit.next == 0 && low[at] == NEW {
                    low[at] = next;
                    numbers.push(next);
                    next += 1;
                    open.push(id);
                }
                let targets = graph.targets(id);
                let mut deeper = None;
                while (visit.next as usize) < targets.len() {
                    let target = Id(targets[visit.next as usize]);
                    if !graph.is_expanded(target) {
                        visit.next += 1;
                        continue;
                    }
                    match low[target.0 as usize] {
                        NEW if inside(target) => {
                            deeper = Some(target);
                            break;
                        }
                        NEW => low[target.0 as usize] = CLOSED,
                        CLOSED => {}
                        reached => low[at] = low[at].min(reached),
                    }
                    visit.next += 1;
                }
                if let Some(target) = deeper {
                    visits.push(Visit { id: target, next: 0 });
                    continue;
                }
                visits.pop();
                let (mine, number) = (low[at], numbers.pop().unwrap_or(NEW));
                if let Some(parent) = visits.last() {
                    let parent = parent.id.0 as usize;
                    low[parent] = low[parent].min(mine);
                }
                if mine == number {
                    let from = open.iter().rposition(|&o| o == id).unwrap_or(0);
                    let component = open.split_off(from);
                    component.iter().for_each(|c| low[c.0 as usize] = CLOSED);
                    if component.len() > 1 || graph.targets(id).contains(&id.0) {
                        each(component);
                    }
                }
            }
        }
        Some(())
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
    let _ = Components::new(graph, stop).cyclic(inside, each);
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
