//! Strongly connected components.
//!
//! Tarjan's algorithm (R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1(2), 1972) with a stack of
//! its own instead of recursion: paths may be as long as there are nodes. It keeps one number for each node. The number in the
//! order of visits is needed only while a node is on the path, so it lies on the stack; nodes of finished components are
//! marked in the same place.

use crate::Digraph;
use std::sync::atomic::{AtomicBool, Ordering};

/// Not visited yet.
const NEW: u32 = 0;
/// In a component that is finished, or outside.
const CLOSED: u32 = u32::MAX;
/// The flag that ends a search is looked at once in so many rounds.
const ROUNDS: u32 = 1 << 16;

/// A node on the path.
struct Visit {
    node: u32,
    /// Its number in the order of visits.
    number: u32,
    /// Which of its edges comes next.
    next: usize,
}

/// A search for components. What it has visited it does not visit again.
pub struct Components {
    /// `NEW`, `CLOSED`, or the least number of a visit that the node is known to get back to.
    low: Vec<u32>,
    rounds: u32,
}

impl Components {
    /// Nothing is visited at first.
    pub fn new(graph: &(impl Digraph + ?Sized)) -> Components {
        Components { low: vec![NEW; graph.numbers()], rounds: 0 }
    }

    /// Calls `each` with every component of what can be reached from the roots inside the graph. A component comes after all
    /// that it leads to, and its nodes come in the order of visits. `false` if the flag has ended it before.
    pub fn search<G: Digraph + ?Sized>(
        &mut self,
        graph: &G,
        roots: impl IntoIterator<Item = u32>,
        stop: Option<&AtomicBool>,
        mut each: impl FnMut(&[u32]),
    ) -> bool {
        let low = &mut self.low;
        let mut visited = NEW;
        let mut path: Vec<Visit> = vec![];
        let mut open: Vec<u32> = vec![];
        for root in roots {
            if low[root as usize] != NEW {
                continue;
            }
            if !graph.inside(root) {
                low[root as usize] = CLOSED;
                continue;
            }
            let mut deeper = Some(root);
            loop {
                if let Some(node) = deeper.take() {
                    visited += 1;
                    low[node as usize] = visited;
                    path.push(Visit { node, number: visited, next: 0 });
                    open.push(node);
                }
                let Some(visit) = path.last_mut() else { break };
                self.rounds = self.rounds.wrapping_add(1);
                if self.rounds.is_multiple_of(ROUNDS) && stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
                {
                    return false;
                }
                let (node, number) = (visit.node, visit.number);
                let at = node as usize;
                let mut least = low[at];
                for edge in &graph.edges(node)[visit.next..] {
                    visit.next += 1;
                    let target = G::target(edge);
                    match low.get(target as usize).copied() {
                        Some(NEW) if graph.inside(target) => {
                            deeper = Some(target);
                            break;
                        }
                        Some(NEW) => low[target as usize] = CLOSED,
                        Some(CLOSED) | None => {}
                        Some(reached) => least = least.min(reached),
                    }
                }
                low[at] = least;
                if deeper.is_some() {
                    continue;
                }
                path.pop();
                if let Some(parent) = path.last() {
                    let parent = &mut low[parent.node as usize];
                    *parent = least.min(*parent);
                }
                if least == number {
                    let from = open.iter().rposition(|&other| other == node).unwrap_or(0);
                    open[from..].iter().for_each(|&member| low[member as usize] = CLOSED);
                    each(&open[from..]);
                    open.truncate(from);
                }
            }
        }
        true
    }

    /// Forgets the visits of these nodes. If they were all that was ever visited or are a component, or a part of one, the next
    /// search from them stays among them.
    pub fn reopen(&mut self, nodes: &[u32]) {
        nodes.iter().for_each(|&node| self.low[node as usize] = NEW);
    }
}

/// Whether a component has a cycle: more than one node, or an edge from its only node to itself.
pub fn has_cycle<G: Digraph + ?Sized>(graph: &G, component: &[u32]) -> bool {
    match component {
        [node] => graph.edges(*node).iter().any(|edge| G::target(edge) == *node),
        _ => !component.is_empty(),
    }
}

/// The number of the component of every node that can be reached from the roots, `u32::MAX` for the others, and how many
/// components there are. Edges between components lead to smaller numbers.
pub fn numbered<G: Digraph + ?Sized>(graph: &G, roots: impl IntoIterator<Item = u32>) -> (Vec<u32>, u32) {
    let (mut component, mut count) = (vec![u32::MAX; graph.numbers()], 0);
    Components::new(graph).search(graph, roots, None, |members| {
        members.iter().for_each(|&member| component[member as usize] = count);
        count += 1;
    });
    (component, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What can be reached, the slow way.
    fn reached(edges: &[Vec<usize>], from: usize) -> Vec<bool> {
        let (mut seen, mut todo) = (vec![false; edges.len()], vec![from]);
        while let Some(node) = todo.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                todo.extend(&edges[node]);
            }
        }
        seen
    }

    /// Components are the classes of mutual reachability, and have the numbers that are promised.
    fn check(edges: &[Vec<usize>]) {
        let nodes = 0..edges.len();
        let reached: Vec<Vec<bool>> = nodes.clone().map(|node| reached(edges, node)).collect();
        let (component, count) = numbered(edges, nodes.clone().map(|node| node as u32));
        for a in nodes.clone() {
            assert!(component[a] < count);
            for b in nodes.clone() {
                let together = reached[a][b] && reached[b][a];
                assert_eq!(component[a] == component[b], together, "{edges:?}");
                assert!(!reached[a][b] || component[b] <= component[a], "{edges:?}");
            }
        }
    }

    #[test]
    fn all_graphs_of_four_nodes() {
        for bits in 0..1u32 << 16 {
            let edges: Vec<Vec<usize>> =
                (0..4).map(|a| (0..4).filter(|b| bits >> (4 * a + b) & 1 == 1).collect()).collect();
            check(&edges);
        }
    }

    #[test]
    fn random_graphs() {
        let mut random = fastrand::Rng::with_seed(6);
        for _ in 0..300 {
            let count = random.usize(1..14);
            let mut edges = vec![vec![]; count];
            for _ in 0..random.usize(0..24) {
                edges[random.usize(0..count)].push(random.usize(0..count));
            }
            check(&edges);
        }
    }

    #[test]
    fn long_paths_need_no_deep_stack() {
        let edges: Vec<Vec<usize>> = (0..100_000).map(|node| vec![(node + 1) % 100_000]).collect();
        assert_eq!(numbered(&*edges, [7]), (vec![0; 100_000], 1));
    }

    /// 0 → 1 ⇄ 2 → 3, 3 → 3: from 1, node 0 is not seen; inside {0, 1, 3} nothing but 3 has a cycle.
    #[test]
    fn roots_parts_and_cycles() {
        let edges = vec![vec![1], vec![2], vec![1, 3], vec![3]];
        assert_eq!(numbered(&*edges, [1]), (vec![u32::MAX, 1, 1, 0], 2));
        let mut cyclic = vec![];
        let mut search = Components::new(&*edges);
        let each = |c: &[u32]| cyclic.push((c.to_vec(), has_cycle(&*edges, c)));
        assert!(search.search(&*edges, 0..4, None, each));
        assert_eq!(cyclic, [(vec![3], true), (vec![1, 2], true), (vec![0], false)]);
        // All visited.
        assert!(search.search(&*edges, 0..4, None, |_| panic!("nothing is new")));
        search.reopen(&[1]);
        let mut again = vec![];
        assert!(search.search(&*edges, 0..4, None, |c| again.push(c.to_vec())));
        assert_eq!(again, [[1]]);
    }

    struct Odd(Vec<Vec<usize>>);

    impl Digraph for Odd {
        type Edge = usize;
        fn numbers(&self) -> usize {
            self.0.len()
        }
        fn edges(&self, node: u32) -> &[usize] {
            &self.0[node as usize]
        }
        fn target(edge: &usize) -> u32 {
            *edge as u32
        }
        fn inside(&self, node: u32) -> bool {
            node % 2 == 1
        }
    }

    /// A cycle through 1 and 2 does not count where 2 is outside, one through 3 and 5 does; 9 is no node.
    #[test]
    fn what_is_outside_does_not_count() {
        let graph = Odd(vec![vec![1], vec![2], vec![1], vec![9, 5], vec![3], vec![3]]);
        assert_eq!(numbered(&graph, 0..6).0, [u32::MAX, 0, u32::MAX, 1, u32::MAX, 1]);
    }

    #[test]
    fn a_flag_ends_it() {
        let edges: Vec<Vec<usize>> = (0..100_000).map(|node| vec![(node + 1) % 100_000]).collect();
        let stop = AtomicBool::new(true);
        assert!(!Components::new(&*edges).search(&*edges, [0], Some(&stop), |_| panic!("not finished")));
    }
}
