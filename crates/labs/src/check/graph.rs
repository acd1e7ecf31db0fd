//! Two algorithms on small directed graphs given as lists of successors.

use std::collections::VecDeque;

/// The strongly connected component of every node, by a number smaller than the number of nodes.
///
/// Tarjan's algorithm (SIAM J. Comput. 1, 1972) with its own stack instead of recursion: a file may define one
/// process per line, each calling the next.
pub(super) fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let count = edges.len();
    let (mut order, mut low, mut component) = (vec![NONE; count], vec![0; count], vec![NONE; count]);
    let (mut stack, mut path) = (vec![], vec![]);
    let (mut visited, mut found) = (0, 0);
    for root in 0..count {
        if order[root] == NONE {
            path.push((root, 0));
        }
        while let Some((node, next)) = path.pop() {
            if next == 0 {
                (order[node], low[node]) = (visited, visited);
                visited += 1;
                stack.push(node);
            } else {
                // Back from a child: what it reaches, the node reaches.
                let child = edges[node][next - 1];
                if component[child] == NONE {
                    low[node] = low[node].min(low[child]);
                }
            }
            let open = |to: &usize| order[*to] == NONE;
            let back = edges[node][next..].iter().take_while(|to| !open(to)).count();
            for to in &edges[node][next..next + back] {
                if component[*to] == NONE {
                    low[node] = low[node].min(order[*to]);
                }
            }
            if let Some(child) = edges[node].get(next + back) {
                path.push((node, next + back + 1));
                path.push((*child, 0));
                continue;
            }
            if low[node] == order[node] {
                while let Some(member) = stack.pop() {
                    component[member] = found;
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    component
}

/// A shortest cycle through a node that lies on one, inside its component: the nodes on it, that node first.
pub(super) fn cycle(edges: &[Vec<usize>], component: &[usize], start: usize) -> Vec<usize> {
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

    /// Whether two nodes reach each other, the slow way.
    fn together(edges: &[Vec<usize>], a: usize, b: usize) -> bool {
        let reaches = |from: usize, to: usize| {
            let (mut seen, mut todo) = (vec![false; edges.len()], vec![from]);
            while let Some(node) = todo.pop() {
                if !std::mem::replace(&mut seen[node], true) {
                    todo.extend(&edges[node]);
                }
            }
            seen[to]
        };
        reaches(a, b) && reaches(b, a)
    }

    #[test]
    fn components_are_right_on_all_graphs_of_four_nodes() {
        for bits in 0..1u32 << 16 {
            let edges: Vec<Vec<usize>> =
                (0..4).map(|a| (0..4).filter(|b| bits >> (4 * a + b) & 1 == 1).collect()).collect();
            let component = components(&edges);
            for a in 0..4 {
                assert!(component[a] < 4);
                for b in 0..a {
                    assert_eq!(component[a] == component[b], together(&edges, a, b), "{edges:?}");
                }
            }
        }
    }

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
