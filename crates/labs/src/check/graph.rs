//! Cycles of small directed graphs given as lists of successors.

use std::collections::VecDeque;
use swarmcheck_graphs::numbered;

/// The strongly connected component of every node, by a number smaller than the number of nodes.
pub(super) fn components(edges: &[Vec<usize>]) -> Vec<u32> {
    numbered(edges, 0..u32::try_from(edges.len()).unwrap_or(u32::MAX)).0
}

/// A shortest cycle through a node that lies on one, inside its component: the nodes on it, that node first.
pub(super) fn cycle(edges: &[Vec<usize>], component: &[u32], start: usize) -> Vec<usize> {
    let mut before = vec![None; edges.len()];
    let mut todo = VecDeque::from([start]);
    while let Some(node) = todo.pop_front() {
        for &to in edges[node].iter().filter(|to| component[**to] == component[start]) {
            if to == start {
                let back = std::iter::successors(Some(node), |at| before[*at]);
                let mut path: Vec<usize> = back.collect();
                path.reverse();
                return path;
            }
            if before[to].is_none() {
                before[to] = Some(node);
                todo.push_back(to);
            }
        }
    }
    vec![start]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_shortest() {
        let edges = vec![vec![1, 3], vec![2], vec![0], vec![0], vec![4]];
        let component = components(&edges);
        assert_eq!(cycle(&edges, &component, 0), [0, 3]);
        assert_eq!(cycle(&edges, &component, 2), [2, 0, 1]);
        assert_eq!(cycle(&edges, &component, 4), [4]);
    }

    #[test]
    fn long_chains_do_not_overflow_the_stack() {
        let edges: Vec<Vec<usize>> = (0..100_000).map(|i| vec![(i + 1) % 100_000]).collect();
        let component = components(&edges);
        assert!(component.iter().all(|c| *c == component[0]));
        assert_eq!(cycle(&edges, &component, 7).len(), 100_000);
    }
}
