//! Values that must differ and are too few.
//!
//! Seventeen agents cannot stand on different cells of sixteen, but a search finds that out only by trying factorially
//! many arrangements. Here agents (or single cells) form a graph: two are linked if some condition refuses every state in
//! which both have the same values. Within a set of pairwise linked ones, each needs values of its own: a matching of
//! agents to values exists or there is no initial state (Hall's theorem; Régin, "A filtering algorithm for constraints of
//! difference in CSPs", 1994).
//!
//! Links are found by evaluation, so it does not matter how an assumption is written.

use super::problem::Problem;
use super::search::Search;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Nodes with more combinations of values than this are left out.
const COMBINATIONS: usize = 4096;
/// So many evaluations may be spent.
const EFFORT: u64 = 4_000_000;

/// Which variables of the program a node is made of, by variable and cell: nodes can only be compared if they agree in it.
type Kind = Vec<(u32, u32)>;

/// A cell of an agent, by variable and cell, and the variable of the problem that it is.
type OwnCell = ((u32, u32), usize);

/// An agent's cells, or one cell: the variables of the problem, in the order of their kinds.
type Node = Vec<usize>;

/// Whether some values must differ and there are too few of them. Says nothing otherwise.
pub(super) fn too_few(problem: &Problem, search: &mut Search<'_, '_>) -> bool {
    let mut graphs: BTreeMap<Kind, Graph> = BTreeMap::new();
    let mut known: BTreeMap<(Node, Node), bool> = BTreeMap::new();
    let before = search.effort;
    for (number, condition) in problem.conditions.iter().enumerate() {
        let Some((kind, a, b)) = sides(problem, &condition.variables) else { continue };
        if search.is_stopped() || search.effort - before > EFFORT {
            return false;
        }
        if known.get(&(a.clone(), b.clone())) == Some(&true) {
            continue;
        }
        let differ = must_differ(search, number, &a, &b);
        known.insert((a.clone(), b.clone()), differ);
        if differ {
            graphs.entry(kind).or_default().link(a, b);
        }
    }
    graphs.values().any(|graph| graph.is_short(problem, search))
}

/// The two nodes that a condition is about, if it is about two of the same kind.
fn sides(problem: &Problem, variables: &[usize]) -> Option<(Kind, Node, Node)> {
    if let [a, b] = variables {
        return Some((vec![], vec![*a], vec![*b]));
    }
    let mut agents: BTreeMap<Option<u32>, Vec<OwnCell>> = BTreeMap::new();
    for &v in variables {
        let cell = problem.variables[v].cell;
        agents.entry(cell.agent).or_default().push(((cell.var.0, cell.index), v));
    }
    let mut nodes = agents.into_values().map(|mut cells| {
        cells.sort_unstable();
        cells.into_iter().unzip::<_, _, Kind, Node>()
    });
    let ((kind, a), (other, b)) = (nodes.next()?, nodes.next()?);
    (nodes.next().is_none() && kind == other).then_some((kind, a, b))
}

/// Whether a condition refuses all states in which both sides have the same values.
fn must_differ(search: &mut Search<'_, '_>, number: usize, a: &Node, b: &Node) -> bool {
    let Some(combinations) = search.combinations(a) else { return false };
    combinations.iter().all(|values| {
        let same: Option<Vec<u64>> =
            b.iter().zip(values).map(|(v, value)| search.choice(*v, *value)).collect();
        // A combination that the other side does not have is no clash.
        let Some(same) = same else { return true };
        let mine = a.iter().zip(values).map(|(v, value)| search.choice(*v, *value));
        let Some(mine) = mine.collect::<Option<Vec<u64>>>() else { return true };
        let all: Vec<(usize, u64)> = a.iter().copied().zip(mine).chain(b.iter().copied().zip(same)).collect();
        !search.holds_for(number, &all)
    })
}

/// Nodes that must differ pairwise where they are linked.
#[derive(Default)]
struct Graph {
    numbers: BTreeMap<Node, usize>,
    nodes: Vec<Node>,
    links: Vec<BTreeSet<usize>>,
}

impl Graph {
    fn number(&mut self, node: Node) -> usize {
        let next = self.links.len();
        let number = *self.numbers.entry(node.clone()).or_insert(next);
        if number == next {
            self.nodes.push(node);
            self.links.push(Default::default());
        }
        number
    }

    fn link(&mut self, a: Node, b: Node) {
        let (a, b) = (self.number(a), self.number(b));
        self.links[a].insert(b);
        self.links[b].insert(a);
    }

    /// A set of pairwise linked nodes: greedily, those with many links first.
    fn clique(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.links.len()).collect();
        order.sort_by_key(|n| (std::cmp::Reverse(self.links[*n].len()), *n));
        let mut clique: Vec<usize> = vec![];
        for node in order {
            if clique.iter().all(|other| self.links[node].contains(other)) {
                clique.push(node);
            }
        }
        clique
    }

    /// Whether pairwise linked nodes cannot all have values of their own.
    fn is_short(&self, problem: &Problem, search: &mut Search<'_, '_>) -> bool {
        let mut numbers: BTreeMap<Vec<i64>, usize> = BTreeMap::new();
        let mut edges: Vec<Vec<usize>> = vec![];
        for number in self.clique() {
            let node = &self.nodes[number];
            let Some(combinations) = search.combinations(node) else { return false };
            let allowed = combinations.into_iter().filter(|values| search.allows(problem, node, values));
            let allowed: Vec<Vec<i64>> = allowed.collect();
            edges.push(
                allowed
                    .into_iter()
                    .map(|values| {
                        let next = numbers.len();
                        *numbers.entry(values).or_insert(next)
                    })
                    .collect(),
            );
        }
        !matched(&edges, numbers.len())
    }
}

/// Whether every node can have a value of its own: augmenting paths, found without recursion.
fn matched(edges: &[Vec<usize>], values: usize) -> bool {
    let mut owner: Vec<Option<usize>> = vec![None; values];
    for node in 0..edges.len() {
        // Breadth first: which node has led to a value.
        let mut from: Vec<Option<usize>> = vec![None; values];
        let mut queue = VecDeque::from([node]);
        let mut end = None;
        while let (Some(at), None) = (queue.pop_front(), end) {
            for &value in &edges[at] {
                if from[value].is_some() {
                    continue;
                }
                from[value] = Some(at);
                match owner[value] {
                    None => {
                        end = Some(value);
                        break;
                    }
                    Some(other) => queue.push_back(other),
                }
            }
        }
        let Some(mut value) = end else { return false };
        while let Some(at) = from[value] {
            let before = owner.iter().position(|o| *o == Some(at));
            owner[value] = Some(at);
            match before {
                Some(old) if at != node => value = old,
                _ => break,
            }
        }
    }
    true
}

impl Search<'_, '_> {
    /// All combinations of values that are left for these variables, if they are few.
    fn combinations(&self, node: &Node) -> Option<Vec<Vec<i64>>> {
        let mut out: Vec<Vec<i64>> = vec![vec![]];
        for &v in node {
            let choices = self.domains[v].listed()?;
            if out.len() * choices.len() > COMBINATIONS {
                return None;
            }
            let mut values: Vec<i64> = choices.iter().map(|c| self.value(v, (*c).into())).collect();
            values.sort_unstable();
            values.dedup();
            out = out
                .iter()
                .flat_map(|begun| values.iter().map(move |v| begun.iter().copied().chain([*v]).collect()))
                .collect();
        }
        Some(out)
    }

    /// Whether the conditions about this node alone allow these values.
    fn allows(&mut self, problem: &Problem, node: &Node, values: &[i64]) -> bool {
        let choices: Option<Vec<(usize, u64)>> =
            node.iter().zip(values).map(|(v, value)| Some((*v, self.choice(*v, *value)?))).collect();
        let Some(choices) = choices else { return false };
        let mut sorted = node.clone();
        sorted.sort_unstable();
        let own = |variables: &[usize]| {
            !variables.is_empty() && variables.iter().all(|v| sorted.binary_search(v).is_ok())
        };
        let numbers = self.conditions_of(node[0]);
        numbers.into_iter().all(|n| !own(&problem.conditions[n].variables) || self.holds_for(n, &choices))
    }
}
