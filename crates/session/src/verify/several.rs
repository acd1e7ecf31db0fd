//! Several executions that violate the same invariant, or reach the same predicate, or deadlock.
//!
//! Two executions count as different if they differ in what matters (`explain` says what that is): some agent makes some
//! action in the causal cone of the violation more often in one of them than in the other, or some cell that has
//! influence on the cone has another initial value. So executions that differ in the order of their steps only are one, and
//! those that differ in steps that do not matter, too.
//!
//! A part of the state graph is stored, breadth-first and with all its edges; states that violate are not expanded. Then
//! executions are put together backwards from them, the shortest first: a suffix of an execution is extended in the order of
//! its length plus the distance of its first state from an initial one, which is exact (A*, Hart et al. 1968). A suffix from a
//! state is followed once for each multiset of its actions, because the executions that it belongs to would not be
//! different. All limits are numbers of states and suffixes.

use crate::explain::cone_of;
use crate::open::Prepared;
use crate::start::each_initial;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::rc::Rc;
use swarmcheck_engine::Control;
use swarmcheck_engine::trace::{End, Trace, TraceStep};
use swarmcheck_ir::Value;
use swarmcheck_ir::flat::{Enumerate, Flat, Instance, Machine, Outcome};

/// So many states are stored.
const STATES: usize = 20_000;

/// So many suffixes are looked at.
const SUFFIXES: usize = 20_000;

/// Suffixes with more steps are not.
const LONGEST: usize = 300;

/// Of a step with many ways to make it, so many are looked at.
const WAYS: usize = 1_000;

/// So many executions are compared.
const EXECUTIONS: usize = 2_000;

/// What tells executions apart: initial values that matter, and who does what that matters, in order of numbers.
type Story = (Vec<(u32, Value)>, Vec<Instance>);

fn story(flat: &Flat, property: Option<usize>, trace: &Trace) -> Story {
    let cone = cone_of(flat, property, trace);
    let kept = trace.steps.iter().zip(&cone.matters).filter(|(_, matters)| **matters);
    let mut acts: Vec<Instance> = kept.map(|(step, _)| step.instance).collect();
    acts.sort_unstable();
    (cone.initial.into_iter().map(|slot| (slot, trace.initial[slot as usize])).collect(), acts)
}

/// An edge to a state: where it comes from, and how.
struct Edge {
    from: usize,
    instance: Instance,
    choices: Vec<u64>,
}

struct Node {
    state: Vec<Value>,
    distance: usize,
    edges: Vec<Edge>,
    violates: bool,
}

/// A part of the state graph.
struct Graph<'a> {
    flat: &'a Flat,
    /// The number of the property that is violated; none for deadlocks.
    property: Option<usize>,
    machine: Machine,
    nodes: Vec<Node>,
    numbers: HashMap<Vec<Value>, usize>,
}

impl Graph<'_> {
    /// The number of a state, unless there are too many.
    fn number(&mut self, state: &[Value], distance: usize) -> Option<usize> {
        if let Some(known) = self.numbers.get(state) {
            return Some(*known);
        }
        if self.nodes.len() >= STATES {
            return None;
        }
        let violates = match self.property {
            Some(number) => self.flat.holds(&mut self.machine, number, state) == Ok(false),
            None => false,
        };
        let number = self.nodes.len();
        self.nodes.push(Node { state: state.to_vec(), distance, edges: vec![], violates });
        self.numbers.insert(state.to_vec(), number);
        Some(number)
    }

    fn expand(&mut self, at: usize) {
        let (from, distance) = (self.nodes[at].state.clone(), self.nodes[at].distance);
        let mut moved = false;
        for number in 0..self.flat.instances() {
            let instance = self.flat.instance(number);
            let mut ways = Enumerate::default();
            for _ in 0..WAYS {
                let mut state = from.clone();
                let outcome = self.machine.step(self.flat, instance, &mut state, &mut ways);
                moved |= outcome != Outcome::Disabled;
                if outcome == Outcome::Done
                    && let Some(to) = self.number(&state, distance + 1)
                {
                    let choices = ways.choices().collect();
                    self.nodes[to].edges.push(Edge { from: at, instance, choices });
                }
                if !ways.advance() {
                    break;
                }
            }
        }
        if !moved && self.property.is_none() {
            self.nodes[at].violates = true;
        }
    }
}

/// The end of an execution: a state, and how it goes on.
struct Suffix {
    node: usize,
    /// The edge to the rest, and the rest.
    next: Option<(usize, Rc<Suffix>)>,
    acts: Vec<Instance>,
}

impl Suffix {
    fn visits(&self, node: usize) -> bool {
        self.node == node || self.next.as_ref().is_some_and(|(_, rest)| rest.visits(node))
    }
}

/// Up to so many other executions than this one, the shortest first.
pub(super) fn others(
    prepared: &Prepared,
    property: Option<usize>,
    first: &Trace,
    most: usize,
    control: &Control<'_>,
) -> Vec<Trace> {
    let flat = &prepared.flat;
    let machine = Machine::new(flat);
    let mut graph = Graph { flat, property, machine, nodes: vec![], numbers: HashMap::new() };
    let initial = each_initial(prepared, None, STATES as u64, &mut |state| graph.number(state, 0).is_some());
    if initial.is_err() {
        return vec![];
    }
    let mut at = 0;
    while at < graph.nodes.len() && !control.stopped() {
        if !graph.nodes[at].violates {
            graph.expand(at);
        }
        at += 1;
    }
    enumerate(&graph, first, most, control)
}

fn enumerate(graph: &Graph<'_>, first: &Trace, most: usize, control: &Control<'_>) -> Vec<Trace> {
    let mut told: HashSet<Story> = HashSet::from([story(graph.flat, graph.property, first)]);
    let mut compared = 0;
    let mut known: HashSet<(usize, Vec<Instance>)> = HashSet::new();
    let mut suffixes: Vec<Rc<Suffix>> = vec![];
    let mut open: BinaryHeap<Reverse<(usize, usize)>> = BinaryHeap::new();
    let mut add = |suffix: Suffix, suffixes: &mut Vec<Rc<Suffix>>, open: &mut BinaryHeap<_>| {
        let few = suffixes.len() < SUFFIXES && suffix.acts.len() <= LONGEST;
        if few && known.insert((suffix.node, suffix.acts.clone())) {
            open.push(Reverse((suffix.acts.len() + graph.nodes[suffix.node].distance, suffixes.len())));
            suffixes.push(Rc::new(suffix));
        }
    };
    for (node, _) in graph.nodes.iter().enumerate().filter(|(_, node)| node.violates) {
        add(Suffix { node, next: None, acts: vec![] }, &mut suffixes, &mut open);
    }
    let mut out = vec![];
    while let Some(Reverse((_, number))) = open.pop() {
        if control.stopped() {
            break;
        }
        let suffix = suffixes[number].clone();
        if graph.nodes[suffix.node].distance == 0 {
            let trace = forwards(graph, &suffix);
            if told.insert(story(graph.flat, graph.property, &trace)) {
                out.push(trace);
            }
            compared += 1;
            if out.len() == most || compared == EXECUTIONS {
                break;
            }
            continue;
        }
        for (edge, Edge { from, instance, .. }) in graph.nodes[suffix.node].edges.iter().enumerate() {
            if suffix.visits(*from) {
                continue;
            }
            let mut acts = suffix.acts.clone();
            let place = acts.partition_point(|act| act < instance);
            acts.insert(place, *instance);
            add(Suffix { node: *from, next: Some((edge, suffix.clone())), acts }, &mut suffixes, &mut open);
        }
    }
    out
}

/// The execution that a suffix from an initial state is.
fn forwards(graph: &Graph<'_>, suffix: &Suffix) -> Trace {
    let end = if graph.property.is_none() { End::Deadlock } else { End::Open };
    let initial = graph.nodes[suffix.node].state.clone();
    let mut trace = Trace { initial, steps: vec![], loop_start: None, end };
    let mut next = suffix.next.as_ref();
    while let Some((edge, rest)) = next {
        let node = &graph.nodes[rest.node];
        let Edge { instance, choices, .. } = &node.edges[*edge];
        let step = TraceStep { instance: *instance, choices: choices.clone(), state: node.state.clone() };
        trace.steps.push(step);
        next = rest.next.as_ref();
    }
    trace
}
