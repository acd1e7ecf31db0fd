//! Weights of locations: first steps only go down, so they cannot go round.
//!
//! Each value of each location variable has a weight, the same for all agents. A step that sets a location from one
//! constant to another is an edge between the two. As many edges as possible, in the order of the program, make an
//! acyclic graph; the weight of a value is the length of the longest way from it. All other values weigh nothing. Whether
//! a step really goes down is checked when it is run, so weights cannot be wrong, only useless.

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

/// A change of a location from one value to another.
type Edge = (VarId, Value, Value);

/// The edges of one variable; they have no cycle.
type Graph = BTreeMap<Value, BTreeSet<Value>>;

/// Values farther from one another weigh nothing.
const WIDEST: Value = 1 << 16;

/// The location slots among some slots.
pub(super) fn locations(program: &Program, ground: &Ground, slots: &[u32]) -> Vec<Location> {
    let var = |slot: u32| ground.layout.cell(slot).var;
    let all = slots.iter().map(|&slot| (slot, var(slot)));
    all.filter(|(_, var)| program.var(*var).role == Role::Location).collect()
}

impl Weights {
    /// Weights such that many of these instances go down.
    pub fn new<'a>(program: &Program, runs: impl Iterator<Item = (&'a Routine, &'a [Location])>) -> Weights {
        let mut graphs: BTreeMap<VarId, Graph> = BTreeMap::new();
        for (var, from, to) in runs.flat_map(|(routine, locations)| edges(routine, locations)) {
            let graph = graphs.entry(var).or_default();
            let low = graph.keys().next().copied().unwrap_or(from).min(from).min(to);
            let high = graph.keys().last().copied().unwrap_or(from).max(from).max(to);
            let known = graph.get(&from).is_some_and(|successors| successors.contains(&to));
            if !known && high.saturating_sub(low) < WIDEST && !leads(graph, to, from) {
                graph.entry(from).or_default().insert(to);
                graph.entry(to).or_default();
            }
        }
        let mut weights = Weights { tables: vec![(0, vec![]); program.vars.len()] };
        for (var, graph) in graphs {
            weights.tables[var.0 as usize] = table(&graph);
        }
        weights
    }

    fn weight(&self, var: VarId, value: Value) -> u64 {
        let (low, weights) = &self.tables[var.0 as usize];
        let offset = usize::try_from(value.wrapping_sub(*low)).unwrap_or(usize::MAX);
        weights.get(offset).map_or(0, |&weight| u64::from(weight))
    }

    /// The weight of some locations in a state.
    pub fn sum(&self, locations: &[Location], state: &[Value]) -> u64 {
        locations.iter().map(|&(slot, var)| self.weight(var, state[slot as usize])).sum()
    }

    /// Whether an instance may go down at all.
    pub fn may_sink(&self, routine: &Routine, locations: &[Location]) -> bool {
        let known = edges(routine, locations);
        let sinks = |&(var, from, to): &Edge| self.weight(var, to) < self.weight(var, from);
        let is_known = |slot: u32| routine.tests().iter().any(|(tested, _)| *tested == slot);
        known.iter().any(sinks) || locations.iter().any(|&(slot, _)| !is_known(slot))
    }
}

/// The changes of location that can be read from the text of an instance.
fn edges(routine: &Routine, locations: &[Location]) -> Vec<Edge> {
    let mut out = vec![];
    for &(slot, var) in locations {
        let Some((_, from)) = routine.tests().iter().find(|(tested, _)| *tested == slot) else { continue };
        targets(routine.body(), slot, &mut |to| out.push((var, *from, to)));
    }
    out.retain(|(_, from, to)| from != to);
    out
}

/// The constants that a slot may be set to.
fn targets(acts: &[Act], slot: u32, note: &mut dyn FnMut(Value)) {
    for act in acts {
        match act {
            Act::Set(to, Term::Const(value)) if *to == slot => note(*value),
            Act::If(_, yes, no) => {
                targets(yes, slot, note);
                targets(no, slot, note);
            }
            Act::Choose(branches) => branches.iter().for_each(|(_, body)| targets(body, slot, note)),
            _ => {}
        }
    }
}

/// Whether there is a way from one value to another.
fn leads(graph: &Graph, from: Value, to: Value) -> bool {
    let mut seen = BTreeSet::from([from]);
    let mut left = vec![from];
    while let Some(value) = left.pop() {
        if value == to {
            return true;
        }
        for &successor in graph.get(&value).into_iter().flatten() {
            if seen.insert(successor) {
                left.push(successor);
            }
        }
    }
    false
}

/// The longest ways in an acyclic graph.
fn table(graph: &Graph) -> (Value, Vec<u32>) {
    let (Some((&low, _)), Some((&high, _))) = (graph.first_key_value(), graph.last_key_value()) else {
        return (0, vec![]);
    };
    let mut weights = vec![0; (high - low) as usize + 1];
    loop {
        let mut changed = false;
        // Most edges go up, so most ways are found at once.
        for (from, successors) in graph.iter().rev() {
            let longest = successors.iter().map(|to| weights[(to - low) as usize] + 1).max().unwrap_or(0);
            changed |= std::mem::replace(&mut weights[(from - low) as usize], longest) != longest;
        }
        if !changed {
            return (low, weights);
        }
    }
}
