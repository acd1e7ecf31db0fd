//! Linear temporal logic over what happens: whether a transition system has an execution that satisfies a formula.
//!
//! The formula is read along the executions by a tableau; the product of both is explored, and an execution is found
//! where a strongly connected part of it puts off no until for ever: for each until, some step inside does not. A state
//! without steps stutters: its letter is the absence of a step.

use crate::labelled::Labelled;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use swarmcheck_engine::Control;
use swarmcheck_ir::flat::Instance;
use swarmcheck_logic::ltl::{Formula, Obligations, Tableau};

/// An execution: steps, and then either these steps again and again, or none, because there are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The steps before the loop.
    pub prefix: Vec<Instance>,
    /// The steps of the loop; empty if the execution stops.
    pub cycle: Vec<Instance>,
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoAnswer {
    Interrupted,
    /// The formula is too complex.
    TooComplex,
}

/// A step of the product: its target, the step of the system (if it is one), and the untils that it puts off.
type Edge = (usize, Option<Instance>, u64);

/// An execution that satisfies the formula, if there is one. `satisfies` says what is true of a step, or of none.
pub fn satisfying<P: Clone + Eq + Hash>(
    system: &Labelled,
    formula: &Formula<P>,
    satisfies: &dyn Fn(Option<Instance>, &P) -> bool,
    control: &Control<'_>,
) -> Result<Option<Lasso>, NoAnswer> {
    let (mut tableau, start) = Tableau::new(formula);
    let mut numbers: HashMap<(u32, Obligations), usize> = HashMap::new();
    let mut nodes: Vec<(u32, Obligations)> = vec![];
    let mut edges: Vec<Vec<Edge>> = vec![];
    // The node before each node, and the step between them, on a shortest way from the beginning.
    let mut before: Vec<Option<(usize, Option<Instance>)>> = vec![];
    for initial in 0..system.initial {
        numbers.insert((initial, start.clone()), nodes.len());
        nodes.push((initial, start.clone()));
        before.push(None);
    }
    while let Some((state, now)) = nodes.get(edges.len()).cloned() {
        if edges.len().is_multiple_of(1024) && control.stopped() {
            return Err(NoAnswer::Interrupted);
        }
        let from = system.steps.partition_point(|(s, ..)| *s < state);
        let to = system.steps.partition_point(|(s, ..)| *s <= state);
        let mut steps: Vec<(Option<Instance>, u32)> =
            system.steps[from..to].iter().map(|(_, instance, end)| (Some(*instance), *end)).collect();
        if steps.is_empty() {
            steps.push((None, state));
        }
        let mut out = vec![];
        for (instance, end) in steps {
            let readings =
                tableau.read(&now, &|p| satisfies(instance, p)).map_err(|_| NoAnswer::TooComplex)?;
            for reading in readings {
                let node = (end, reading.next);
                let number = *numbers.entry(node.clone()).or_insert(nodes.len());
                if number == nodes.len() {
                    nodes.push(node);
                    before.push(Some((edges.len(), instance)));
                }
                out.push((number, instance, reading.put_off));
            }
        }
        edges.push(out);
    }
    let all = tableau.untils();
    let component = components(&edges);
    let mut kept: HashMap<usize, u64> = HashMap::new();
    for (node, out) in edges.iter().enumerate() {
        for (.., put_off) in out.iter().filter(|(to, ..)| component[*to] == component[node]) {
            *kept.entry(component[node]).or_default() |= all & !put_off;
        }
    }
    // The first node in breadth-first order that lies in such a part.
    let Some(entry) = (0..nodes.len()).find(|node| kept.get(&component[*node]) == Some(&all)) else {
        return Ok(None);
    };
    let mut prefix = vec![];
    let mut at = entry;
    while let Some((earlier, step)) = before[at] {
        prefix.extend(step);
        at = earlier;
    }
    prefix.reverse();
    let cycle = cycle(&edges, &component, entry, all);
    Ok(Some(Lasso { prefix, cycle }))
}

/// A way from a node back to itself, with at least one step, that puts off no until throughout.
fn cycle(edges: &[Vec<Edge>], component: &[usize], entry: usize, all: u64) -> Vec<Instance> {
    let mut out = vec![];
    let mut at = entry;
    let mut missing = all;
    loop {
        let last = missing == 0;
        // To any step that does not put off something that is missing; when nothing is, back to the entry.
        let mut known: HashMap<usize, (usize, Edge)> = HashMap::new();
        let mut todo = VecDeque::from([at]);
        let mut found = None;
        'search: while let Some(node) = todo.pop_front() {
            for edge in edges[node].iter().filter(|(to, ..)| component[*to] == component[entry]) {
                if if last { edge.0 == entry } else { missing & !edge.2 != 0 } {
                    found = Some((node, *edge));
                    break 'search;
                }
                if edge.0 != at && !known.contains_key(&edge.0) {
                    known.insert(edge.0, (node, *edge));
                    todo.push_back(edge.0);
                }
            }
        }
        // The component is strongly connected and has all the steps that are looked for.
        let Some((mut node, edge)) = found else { return out };
        let mut way = vec![edge];
        while node != at {
            let Some((earlier, edge)) = known.get(&node) else { return out };
            way.push(*edge);
            node = *earlier;
        }
        for (to, instance, put_off) in way.into_iter().rev() {
            out.extend(instance);
            missing &= put_off;
            at = to;
        }
        if last || (missing == 0 && at == entry) {
            return out;
        }
    }
}

/// The number of the strongly connected component of each node: Tarjan's algorithm without recursion.
fn components(edges: &[Vec<Edge>]) -> Vec<usize> {
    const NEW: usize = usize::MAX;
    let (mut index, mut low) = (vec![NEW; edges.len()], vec![0; edges.len()]);
    let mut component = vec![NEW; edges.len()];
    let (mut next, mut count) = (0, 0);
    let mut open = vec![];
    for root in 0..edges.len() {
        if index[root] != NEW {
            continue;
        }
        let mut visits = vec![(root, 0)];
        while let Some((node, at)) = visits.pop() {
            if at == 0 {
                (index[node], low[node]) = (next, next);
                next += 1;
                open.push(node);
            } else {
                let (child, ..) = edges[node][at - 1];
                if component[child] == NEW {
                    low[node] = low[node].min(low[child]);
                }
            }
            match edges[node].get(at) {
                Some((child, ..)) => {
                    visits.push((node, at + 1));
                    if index[*child] == NEW {
                        visits.push((*child, 0));
                    } else if component[*child] == NEW {
                        low[node] = low[node].min(index[*child]);
                    }
                }
                None if low[node] == index[node] => {
                    while let Some(member) = open.pop() {
                        component[member] = count;
                        if member == node {
                            break;
                        }
                    }
                    count += 1;
                }
                None => {}
            }
        }
    }
    component
}
