//! Processes as drawings, and where agents are in them.
//!
//! Locations are nodes and triples are edges. A triple that concerns several components, as the beginning and the join of a parallel
//! composition do, is a small square with several edges, as transitions of Petri nets are.
//!
//! A location is a number for each component of the program counter. In drawings it is one number: locations of the second
//! component follow those of the first, and so on.

use super::{Act, Process};
use crate::open::Prepared;
use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Value, VarId};
use swarmcheck_picture::data::{Automaton, Place};
use swarmcheck_picture::graph::{Graph, GraphEdge, GraphNode, draw};
use swarmcheck_triples::{Exit, Location, Pc, Structure};

/// Larger automata help nobody.
const MOST_NODES: usize = 400;
const MOST_EDGES: usize = 1500;

/// An automaton, or the reason why there is none.
pub(crate) enum Drawn {
    Automaton(Automaton),
    /// It is too large: its name and how many triples it has.
    TooLarge(String, usize),
}

/// The automata of a system, laid out. Those that are too large for a drawing are left out.
pub(crate) fn automata(prepared: &Prepared) -> Vec<Automaton> {
    let only = |one| match one {
        Drawn::Automaton(automaton) => Some(automaton),
        Drawn::TooLarge(..) => None,
    };
    drawn(prepared).into_iter().filter_map(only).collect()
}

/// All automata of a system.
pub(crate) fn drawn(prepared: &Prepared) -> Vec<Drawn> {
    let one = |process: Process| {
        let program = &prepared.flat.program;
        let agent = process.agents.first().copied().unwrap_or(0);
        let own = || program.kinds.get(program.kind_of(agent).0 as usize).map(|kind| kind.name.clone());
        let name = process.name.clone().or_else(own).unwrap_or_default();
        let triples = process.structure.triples.len();
        if triples > MOST_EDGES {
            return Drawn::TooLarge(name, triples);
        }
        let graph = graph(&process);
        if graph.nodes.len() > MOST_NODES || graph.edges.len() > MOST_EDGES {
            return Drawn::TooLarge(name, triples);
        }
        Drawn::Automaton(Automaton { name, agents: process.agents, drawing: draw(&graph) })
    };
    prepared.model.processes(&prepared.file, prepared.options.choice).into_iter().map(one).collect()
}

/// Where agents are in their automata: first the places in the initial state, then every change. `states[k]` is the state
/// after `k` steps.
pub(crate) fn places(prepared: &Prepared, states: &[Vec<Value>]) -> Vec<Place> {
    let processes = prepared.model.processes(&prepared.file, prepared.options.choice);
    let mut agents: BTreeMap<u32, (&Process, Vec<u32>)> = BTreeMap::new();
    for process in &processes {
        for &agent in &process.agents {
            agents.insert(agent, (process, slots(prepared, agent, process.structure.locations.len())));
        }
    }
    let mut out: Vec<Place> = vec![];
    let mut last: BTreeMap<u32, Vec<i64>> = BTreeMap::new();
    for (step, state) in (0..).zip(states) {
        for (&agent, (process, slots)) in &agents {
            let values =
                slots.iter().filter_map(|slot| state.get(*slot as usize).copied()).collect::<Vec<_>>();
            let at = current(process, &values);
            if last.get(&agent) != Some(&at) {
                out.push(Place { step, agent, at: at.clone() });
                last.insert(agent, at);
            }
        }
    }
    out
}

/// Where the state has the components of an agent.
fn slots(prepared: &Prepared, agent: u32, components: usize) -> Vec<u32> {
    let vars = (0..).zip(&prepared.flat.program.vars);
    let locations = vars.filter(|(_, var)| var.role == Role::Location && var.owners.is_some());
    locations.filter_map(|(at, _)| prepared.flat.layout.copy(VarId(at), agent)).take(components).collect()
}

/// The locations that are current, given the value of each component. A component whose branch has not begun is nowhere.
fn current(process: &Process, values: &[Value]) -> Vec<i64> {
    let structure = &process.structure;
    let location =
        |value: Value| u32::try_from(value + i64::from(process.from_zero)).map_or(Location::ENDED, Location);
    let at = |pc: Pc| values.get(pc.0 as usize).map_or(Location::ENDED, |value| location(*value));
    let runs = |pc: Pc| {
        structure.joins.iter().any(|join| join.branches.contains(&pc) && at(join.parent.0) == join.parent.1)
    };
    let components = (0..values.len() as u32).map(Pc);
    let somewhere = components.filter(|&pc| pc == Pc(0) || at(pc) != Location::ENDED || runs(pc));
    somewhere.map(|pc| numbered(process, (pc, at(pc)))).collect()
}

/// The number of a location in drawings.
fn numbered(process: &Process, (pc, at): (Pc, Location)) -> i64 {
    let before: i64 =
        process.structure.locations.iter().take(pc.0 as usize).map(|count| i64::from(*count) + 1).sum();
    before + i64::from(at.0) - i64::from(process.from_zero)
}

/// The graph of a process.
fn graph(process: &Process) -> Graph {
    let mut net = Net { process, graph: Graph::default(), known: BTreeMap::new(), edges: BTreeSet::new() };
    let Structure { start, triples, joins, .. } = &process.structure;
    for place in start.begins() {
        let node = net.node(place) as usize;
        net.graph.nodes[node].initial = true;
    }
    for triple in triples {
        net.triple(&triple.entry, Some(&triple.action), &triple.exit);
    }
    for join in joins {
        let ended = join.branches.iter().map(|pc| (*pc, Location::ENDED));
        let entry: Vec<_> = std::iter::once(join.parent).chain(ended).collect();
        // A composition that never ends has no join: nobody leads to its end.
        if entry.iter().all(|place| net.known.contains_key(place)) {
            net.triple(&entry, None, &join.exit);
        }
    }
    net.graph
}

struct Net<'p> {
    process: &'p Process,
    graph: Graph,
    known: BTreeMap<(Pc, Location), u32>,
    edges: BTreeSet<(u32, u32, Vec<String>, Option<String>)>,
}

impl Net<'_> {
    fn node(&mut self, place: (Pc, Location)) -> u32 {
        if let Some(known) = self.known.get(&place) {
            return *known;
        }
        let (pc, at) = place;
        let shown = at.0.saturating_sub(u32::from(self.process.from_zero));
        let one = self.process.structure.locations.len() == 1;
        let label = if one { shown.to_string() } else { format!("pc{}={shown}", pc.0) };
        let last = place == (Pc(0), Location::ENDED);
        let location = Some(numbered(self.process, place));
        let number = self.graph.nodes.len() as u32;
        self.graph.nodes.push(GraphNode { label, initial: false, last, location });
        self.known.insert(place, number);
        number
    }

    fn edge(&mut self, from: u32, to: u32, label: Vec<String>, place: Option<String>) {
        if self.edges.insert((from, to, label.clone(), place.clone())) {
            self.graph.edges.push(GraphEdge { from, to, label, place });
        }
    }

    fn triple(&mut self, entry: &[(Pc, Location)], action: Option<&Act>, exit: &Exit) {
        let (label, place) = action.map_or((vec![], None), |act| (act.words.clone(), act.place.clone()));
        let targets = targets(exit);
        if let ([from], Some(ways)) = (entry, single(exit)) {
            let from = self.node(*from);
            for to in ways {
                let to = self.node(to);
                self.edge(from, to, label.clone(), place.clone());
            }
            return;
        }
        let from: Vec<u32> = entry.iter().map(|place| self.node(*place)).collect();
        let square = self.graph.nodes.len() as u32;
        self.graph.nodes.push(GraphNode::default());
        for (at, from) in from.into_iter().enumerate() {
            // One of the edges has the words.
            self.edge(from, square, if at == 0 { label.clone() } else { vec![] }, place.clone());
        }
        for to in targets {
            let to = self.node(to);
            self.edge(square, to, vec![], None);
        }
    }
}

/// All that an exit sets or may pick.
fn targets(exit: &Exit) -> Vec<(Pc, Location)> {
    let picked = exit.picks.iter().flatten().flat_map(Exit::begins);
    let mut all: Vec<_> = exit.set.iter().copied().chain(picked).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The locations that an exit leads to if it sets one component only: one, or several to pick from.
fn single(exit: &Exit) -> Option<Vec<(Pc, Location)>> {
    match (&exit.set[..], &exit.picks[..]) {
        ([to], []) => Some(vec![*to]),
        ([], [ways]) => {
            let one = |way: &Exit| (way.set.len() == 1 && way.picks.is_empty()).then(|| way.set[0]);
            ways.iter().map(one).collect()
        }
        _ => None,
    }
}
