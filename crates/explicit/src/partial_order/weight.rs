//! Weights of locations: first steps only go down, so they cannot go round.
//!
//! Each value of each location variable has a weight, the same for all agents. A step that changes a location from one
//! constant leads from there to all constants that it may give to locations: edges of a graph. As many steps as possible,
//! in the given order, make an acyclic graph; the weight of a value is the length of the longest way from it. All other
//! values weigh nothing.
//!
//! A state has as many weights as there are locations. It goes down if, with its weights in descending order, it becomes
//! smaller in the order of a dictionary. That is the order of multisets: a weight is replaced by any number of smaller
//! ones, as when the last of several parallel branches ends and all locations change. There is no infinite way down, and
//! whether a step goes down can be seen from the locations that it writes. It is checked when a step is run, so weights
//! cannot be wrong, only useless.

use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_ir::ground::{Act, Ground, Routine, Term};
use swarmcheck_ir::program::{Program, Role};
use swarmcheck_ir::{Value, VarId};

/// The weights of the values of all location variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Weights {
    /// By variable: the smallest value that weighs something, and the weights from there on.
    tables: Vec<(Value, Vec<u32>)>,
}

/// A location slot with its variable.
pub(super) type Location = (u32, VarId);

/// A value of a location variable.
type Node = (VarId, Value);

/// A change from one to another.
type Edge = (Node, Node);

/// Edges without a cycle.
type Graph = BTreeMap<Node, BTreeSet<Node>>;

/// The weights of some locations, in descending order: compared as a whole.
pub(super) type Heights = [u32; MOST];

/// Instances that write more locations do not go first.
pub(super) const MOST: usize = 16;

/// Values farther from one another weigh nothing.
const WIDEST: Value = 1 << 16;

/// The location slots among some slots.
pub(super) fn locations(program: &Program, ground: &Ground, slots: &[u32]) -> Vec<Location> {
    let var = |slot: u32| ground.layout.cell(slot).var;
    let all = slots.iter().map(|&slot| (slot, var(slot)));
    all.filter(|(_, var)| program.var(*var).role == Role::Location).collect()
}

impl Weights {
    /// Weights such that many of these instances go down, the first ones rather than the last.
    pub fn new<'a>(program: &Program, runs: impl Iterator<Item = (&'a Routine, &'a [Location])>) -> Weights {
        let mut graph = Graph::new();
        let mut bounds: BTreeMap<VarId, (Value, Value)> = BTreeMap::new();
        for (routine, locations) in runs {
            let edges = edges(routine, locations);
            let mut wider = bounds.clone();
            for (var, value) in edges.iter().flat_map(|(from, to)| [*from, *to]) {
                let (low, high) = wider.entry(var).or_insert((value, value));
                (*low, *high) = (value.min(*low), value.max(*high));
            }
            let is_narrow = wider.values().all(|(low, high)| high.saturating_sub(*low) < WIDEST);
            if is_narrow && insert(&mut graph, &edges) {
                bounds = wider;
            }
        }
        let mut weights = Weights { tables: vec![(0, vec![]); program.vars.len()] };
        for (var, (low, high)) in bounds {
            weights.tables[var.0 as usize] = (low, vec![0; (high - low) as usize + 1]);
        }
        for ((var, value), longest) in longest(&graph) {
            let (low, table) = &mut weights.tables[var.0 as usize];
            if let Some(weight) = table.get_mut(offset(value, *low)) {
                *weight = longest;
            }
        }
        weights
    }

    fn weight(&self, (var, value): Node) -> u32 {
        let (low, weights) = &self.tables[var.0 as usize];
        weights.get(offset(value, *low)).copied().unwrap_or(0)
    }

    /// The weights of some locations in a state.
    pub fn heights(&self, locations: &[Location], state: &[Value]) -> Heights {
        let mut out = [0; MOST];
        for (height, &(slot, var)) in out.iter_mut().zip(locations) {
            *height = self.weight((var, state[slot as usize]));
        }
        out[..locations.len().min(MOST)].sort_unstable_by(|a, b| b.cmp(a));
        out
    }

    /// Whether an instance may go down at all.
    pub fn may_sink(&self, routine: &Routine, locations: &[Location]) -> bool {
        let sinks = |&(from, to): &Edge| self.weight(to) < self.weight(from);
        let is_known = |slot: u32| routine.tests().iter().any(|(tested, _)| *tested == slot);
        edges(routine, locations).iter().any(sinks) || locations.iter().any(|&(slot, _)| !is_known(slot))
    }
}

/// The place of a value in a table that begins with another; beyond any table if it is smaller.
fn offset(value: Value, low: Value) -> usize {
    usize::try_from(value.wrapping_sub(low)).unwrap_or(usize::MAX)
}

/// The changes of locations that can be read from the text of an instance.
fn edges(routine: &Routine, locations: &[Location]) -> Vec<Edge> {
    let mut targets = vec![];
    for &(slot, var) in locations {
        constants(routine.body(), slot, &mut |to| targets.push((var, to)));
    }
    let mut out = vec![];
    for &(slot, var) in locations {
        let Some((_, from)) = routine.tests().iter().find(|(tested, _)| *tested == slot) else { continue };
        let from = (var, *from);
        out.extend(targets.iter().filter(|to| **to != from).map(|to| (from, *to)));
    }
    out
}

/// The constants that a slot may be set to.
fn constants(acts: &[Act], slot: u32, note: &mut dyn FnMut(Value)) {
    for act in acts {
        match act {
            Act::Set(to, Term::Const(value)) if *to == slot => note(*value),
            Act::If(_, yes, no) => {
                constants(yes, slot, note);
                constants(no, slot, note);
            }
            Act::Choose(branches) => branches.iter().for_each(|(_, body)| constants(body, slot, note)),
            _ => {}
        }
    }
}

/// Adds edges, or none of them if there were a cycle with them; whether it did.
fn insert(graph: &mut Graph, edges: &[Edge]) -> bool {
    let mut added = vec![];
    for &(from, to) in edges {
        if leads(graph, to, from) {
            for (from, to) in added {
                graph.entry(from).or_default().remove(&to);
            }
            return false;
        }
        if graph.entry(from).or_default().insert(to) {
            added.push((from, to));
        }
    }
    true
}

/// Whether there is a way from one value to another.
fn leads(graph: &Graph, from: Node, to: Node) -> bool {
    let mut seen = BTreeSet::from([from]);
    let mut left = vec![from];
    while let Some(node) = left.pop() {
        if node == to {
            return true;
        }
        for &successor in graph.get(&node).into_iter().flatten() {
            if seen.insert(successor) {
                left.push(successor);
            }
        }
    }
    false
}

/// The longest ways in an acyclic graph.
fn longest(graph: &Graph) -> BTreeMap<Node, u32> {
    let mut out: BTreeMap<Node, u32> = BTreeMap::new();
    loop {
        let mut changed = false;
        // Most edges go up, so most ways are found at once.
        for (from, successors) in graph.iter().rev() {
            let longest = successors.iter().map(|to| out.get(to).map_or(1, |way| way + 1)).max().unwrap_or(0);
            changed |= out.insert(*from, longest) != Some(longest);
        }
        if !changed {
            return out;
        }
    }
}
