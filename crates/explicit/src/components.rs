//! Strongly connected components, for cycles.

use crate::graph::Graph;
use crate::store::Id;
use std::sync::atomic::{AtomicBool, Ordering};

/// A state being visited: which of its steps comes next.
struct Visit {
    id: Id,
    next: u32,
}

/// Of the components with a cycle and a wanted state, among the expanded states that are inside: the states of the one
/// with the wanted state that is reached first in breadth-first order, that state first. Tarjan's algorithm without recursion; components without a cycle are
/// forgotten at once.
pub fn first_cyclic(
    graph: &Graph,
    inside: impl Fn(Id) -> bool,
    wanted: impl Fn(Id) -> bool,
    depth_of: impl Fn(Id) -> u32,
    stop: &AtomicBool,
) -> Option<Vec<Id>> {
    const NEW: u32 = 0;
    const CLOSED: u32 = u32::MAX;
    // The number of a state in the order of visits, or NEW or CLOSED; then the least number it can get back to.
    let mut low = vec![NEW; graph.numbers()];
    let mut next = 1;
    let mut best: Option<((u32, Id), Vec<Id>)> = None;
    let mut visits: Vec<Visit> = vec![];
    let mut numbers: Vec<u32> = vec![];
    let mut open: Vec<Id> = vec![];
    let mut rounds: u32 = 0;
    for (root, _) in graph.states() {
        if low[root.0 as usize] != NEW || !inside(root) {
            continue;
        }
        visits.push(Visit { id: root, next: 0 });
        while let Some(visit) = visits.last_mut() {
            rounds = rounds.wrapping_add(1);
            if rounds.is_multiple_of(1 << 16) && stop.load(Ordering::Relaxed) {
                return best.map(|(_, component)| component);
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
                    NEW | CLOSED => {}
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
                let cyclic = component.len() > 1 || graph.targets(id).contains(&id.0);
                if cyclic {
                    consider(component, &wanted, &depth_of, &mut best);
                }
            }
        }
    }
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
