//! Cycles are broken and nodes get layers.
//!
//! An edge of a depth-first search that leads back to a node on the way to it closes a cycle, so it is turned round; that breaks
//! all cycles and turns no edge of a graph without cycles. The search begins at initial nodes, so the edges that are turned are
//! those that a reader takes to lead back. Dense graphs have very long paths of a depth-first search, and long edges cost much; there
//! the nodes of a strongly connected part are ordered by breadth-first search instead.
//!
//! Layers are those of longest paths from the left. Then nodes move to the right as long as that shortens more edges than it
//! lengthens.

use std::collections::VecDeque;
use swarmcheck_graphs::numbered;

/// More crossings of edges and layers than this make a drawing slow.
const MOST_CROSSED: usize = 12_000;

/// The layer of every node, from 0. `first` marks the nodes to begin with. Every edge leads to another layer: to the right, or to the
/// left if it was turned round.
pub(super) fn ranks(first: &[bool], edges: &[(usize, usize)]) -> Vec<usize> {
    let crossed = |ranks: &[usize]| edges.iter().map(|&(a, b)| ranks[a].abs_diff(ranks[b])).sum::<usize>();
    let deep = layered(first.len(), &depth_first(first, edges));
    if crossed(&deep) <= MOST_CROSSED {
        return deep;
    }
    let broad = layered(first.len(), &breadth_first(first, edges));
    if crossed(&broad) < crossed(&deep) { broad } else { deep }
}

/// The nodes to begin searches with: initial ones, then those that no edge enters, then the others.
fn beginnings(first: &[bool], edges: &[(usize, usize)]) -> Vec<usize> {
    let mut entered = vec![false; first.len()];
    edges.iter().for_each(|edge| entered[edge.1] = true);
    let mut order: Vec<usize> = (0..first.len()).collect();
    order.sort_by_key(|&node| (!first[node], entered[node]));
    order
}

fn successors(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut next = vec![vec![]; count];
    edges.iter().for_each(|edge| next[edge.0].push(edge.1));
    next
}

/// The edges without cycles: those of a depth-first search that lead back are turned round.
fn depth_first(first: &[bool], edges: &[(usize, usize)]) -> Vec<(usize, usize)> {
    #[derive(Clone, Copy, PartialEq)]
    enum Colour {
        New,
        Open,
        Closed,
    }
    let next = successors(first.len(), edges);
    let mut colour = vec![Colour::New; first.len()];
    let mut back = std::collections::BTreeSet::new();
    for root in beginnings(first, edges) {
        if colour[root] != Colour::New {
            continue;
        }
        colour[root] = Colour::Open;
        let mut stack = vec![(root, 0)];
        while let Some((node, at)) = stack.pop() {
            let Some(&other) = next[node].get(at) else {
                colour[node] = Colour::Closed;
                continue;
            };
            stack.push((node, at + 1));
            match colour[other] {
                Colour::New => {
                    colour[other] = Colour::Open;
                    stack.push((other, 0));
                }
                Colour::Open => {
                    back.insert((node, other));
                }
                Colour::Closed => {}
            }
        }
    }
    edges.iter().map(|&(a, b)| if back.contains(&(a, b)) { (b, a) } else { (a, b) }).collect()
}

/// The edges without cycles: inside a strongly connected part, those against the order of a breadth-first search are turned round.
fn breadth_first(first: &[bool], edges: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let count = first.len();
    let next = successors(count, edges);
    let mut number = vec![usize::MAX; count];
    let mut reached = 0;
    for root in beginnings(first, edges) {
        let mut queue = VecDeque::from([root]);
        while let Some(node) = queue.pop_front() {
            if number[node] == usize::MAX {
                number[node] = reached;
                reached += 1;
                queue.extend(next[node].iter().copied());
            }
        }
    }
    let (part, _) = numbered(&*next, 0..u32::try_from(count).unwrap_or(u32::MAX));
    let turned = |&(a, b): &(usize, usize)| part[a] == part[b] && number[a] > number[b];
    edges.iter().map(|edge| if turned(edge) { (edge.1, edge.0) } else { *edge }).collect()
}

/// Longest-path layers of a graph without cycles, then balanced.
fn layered(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let next = successors(count, edges);
    let turned: Vec<(usize, usize)> = edges.iter().map(|&(a, b)| (b, a)).collect();
    let before = successors(count, &turned);
    let mut waits: Vec<usize> = before.iter().map(Vec::len).collect();
    let mut order: Vec<usize> = (0..count).filter(|&node| waits[node] == 0).collect();
    let mut rank = vec![0; count];
    let mut at = 0;
    while let Some(&node) = order.get(at) {
        for &other in &next[node] {
            rank[other] = rank[other].max(rank[node] + 1);
            waits[other] -= 1;
            if waits[other] == 0 {
                order.push(other);
            }
        }
        at += 1;
    }
    // A node with more edges to the right than from the left moves as far to the right as it can.
    for _ in 0..4 {
        for &node in order.iter().rev() {
            let room = next[node].iter().map(|&other| rank[other]).min();
            if let Some(room) = room.filter(|_| next[node].len() > before[node].len()) {
                rank[node] = rank[node].max(room - 1);
            }
        }
    }
    let least = rank.iter().min().copied().unwrap_or(0);
    rank.iter_mut().for_each(|rank| *rank -= least);
    rank
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways to break cycles give graphs with layers that all edges respect, and turn nothing where there is no cycle.
    #[test]
    fn layers_respect_edges() {
        let mut cyclic = 0;
        let mut random = fastrand::Rng::with_seed(5);
        for round in 0..300 {
            let count = random.usize(1..30);
            let mut edges: Vec<(usize, usize)> = (0..random.usize(0..70))
                .map(|_| (random.usize(0..count), random.usize(0..count)))
                .filter(|(a, b)| a != b)
                .collect();
            let acyclic = round % 2 == 0;
            if acyclic {
                edges.iter_mut().for_each(|e| *e = (e.0.min(e.1), e.0.max(e.1)));
            }
            let first: Vec<bool> = (0..count).map(|node| node == 0).collect();
            for broken in [depth_first(&first, &edges), breadth_first(&first, &edges)] {
                let turned = broken.iter().zip(&edges).filter(|(a, b)| a != b).count();
                assert!(!acyclic || turned == 0, "{edges:?}");
                cyclic += usize::from(turned > 0);
                let rank = layered(count, &broken);
                assert!(broken.iter().all(|&(a, b)| rank[a] < rank[b]), "{broken:?}: {rank:?}");
            }
            let rank = ranks(&first, &edges);
            assert!(edges.iter().all(|&(a, b)| rank[a] != rank[b]));
        }
        assert!(cyclic > 150, "{cyclic}");
    }
}
