//! The transition systems of single processes.
//!
//! A process alone does not know what it may receive. The least set of values is found that is closed under what all
//! processes do with it: at first nobody has provided anything; each process is explored with what the others have provided so
//! far, and provides more, until nothing changes. What a process provides depends on its own cells and choices only, and it
//! provides it before it knows what it receives in the same step: two processes may each wait for the other's. So, by
//! induction over the steps of the system, every step of it is among what was explored: what a process receives there, another
//! one has provided, in a state that was explored before. This is
//! the interface that the authors of ISoLA 2021 (section 5) wrote by hand as `where` clauses, made of sets of values instead of
//! intervals. Ranges that the analysis of the program has found limit it further.
//!
//! Values that one process provides together are received together, gate by gate.

use crate::gates::{Gate, Participant, Source};
use crate::label::{Known, LabelId, Labels, Members, START};
use crate::process::Process;
use crate::refused::Refused;
use crate::split::Part;
use crate::terms::{Leaves, Missing};
use std::collections::{HashMap, HashSet};
use swarmcheck_ir::interval::Bounds;
use swarmcheck_ir::{UNDEF, Value};

/// Processes with more states are refused.
pub const MOST_STATES: u32 = 1 << 20;

/// So are those that can be surprised in more ways: each value of each field is looked at in each state.
pub const MOST_WAYS: u64 = 8_000_000;

/// How often the caller is asked whether to stop, in ways.
const WAYS_BETWEEN: u64 = 1 << 10;

/// A process, explored alone.
pub struct Leaf {
    /// Its name and its cells.
    pub part: Part,
    /// The transition system.
    pub process: Process,
    /// The number of the state with these values of its cells.
    pub index: HashMap<Box<[Value]>, u32>,
}

/// Explores all processes.
pub fn leaves(
    parts: &[Part],
    labels: &mut Labels,
    choices: &[Vec<Value>],
    bounds: &[Bounds],
    stop: &dyn Fn() -> bool,
) -> Result<Option<Vec<Leaf>>, Refused> {
    let mut place = vec![(usize::MAX, 0); bounds.len()];
    for (process, part) in parts.iter().enumerate() {
        part.slots.iter().enumerate().for_each(|(at, slot)| place[*slot as usize] = (process, at));
    }
    let mut interface = Interface::default();
    let mut explorers: Vec<Explorer> =
        (0..parts.len()).map(|number| Explorer::new(number, parts, labels)).collect();
    loop {
        let mut changed = false;
        for explorer in &mut explorers {
            let mut world = World { labels, interface: &mut interface, choices, bounds, place: &place, stop };
            match explorer.explore(parts, &mut world)? {
                Explored::More => changed = true,
                Explored::Same => {}
                Explored::Stopped => return Ok(None),
            }
        }
        if !changed {
            break;
        }
    }
    // A step that was tried while the caller wanted to stop may not have been tried in all ways.
    if stop() {
        return Ok(None);
    }
    // A gate at which somebody never makes a step is closed for all.
    let closed = |gate: &Gate, number: u32| {
        gate.participants.iter().any(|participant| !explorers[participant.process].offers.contains(&number))
    };
    let open: Vec<bool> = (0..).zip(&labels.gates).map(|(number, gate)| !closed(gate, number)).collect();
    let leaf = |explorer: Explorer, part: &Part| {
        let process = explorer.process(labels);
        let process = process.without_gates(labels, &|gate| open[gate as usize]);
        Leaf { part: part.clone(), process, index: explorer.index }
    };
    Ok(Some(explorers.into_iter().zip(parts).map(|(explorer, part)| leaf(explorer, part)).collect()))
}

/// What processes have provided: for each gate and process the values of its fields, in their order.
#[derive(Default)]
struct Interface {
    tuples: HashMap<(u32, usize), Tuples>,
}

#[derive(Default)]
struct Tuples {
    list: Vec<Vec<Value>>,
    known: HashSet<Vec<Value>>,
}

impl Interface {
    fn provide(&mut self, gate: u32, process: usize, tuple: Vec<Value>) -> bool {
        let tuples = self.tuples.entry((gate, process)).or_default();
        let new = tuples.known.insert(tuple.clone());
        if new {
            tuples.list.push(tuple);
        }
        new
    }

    fn count(&self, gate: u32, process: usize) -> usize {
        self.tuples.get(&(gate, process)).map_or(0, |tuples| tuples.list.len())
    }

    /// The values that a field may have beside others of the same process that are known.
    fn values(&self, gate: u32, participant: &Participant, field: u32, known: &Known) -> Vec<Value> {
        let Some(tuples) = self.tuples.get(&(gate, participant.process)) else { return vec![] };
        let at = |wanted: u32| participant.provides.iter().position(|(field, _)| *field == wanted);
        let Some(place) = at(field) else { return vec![] };
        let others: Vec<(usize, Value)> = known.iter().filter_map(|(f, v)| Some((at(*f)?, *v))).collect();
        let fits = |tuple: &&Vec<Value>| others.iter().all(|(at, value)| tuple[*at] == *value);
        let mut values: Vec<Value> = tuples.list.iter().filter(fits).map(|tuple| tuple[place]).collect();
        values.sort_unstable();
        values.dedup();
        values
    }
}

/// What all processes share while they are explored.
struct World<'a> {
    labels: &'a mut Labels,
    interface: &'a mut Interface,
    choices: &'a [Vec<Value>],
    bounds: &'a [Bounds],
    /// The process of each cell, and its place there.
    place: &'a [(usize, usize)],
    stop: &'a dyn Fn() -> bool,
}

enum Explored {
    More,
    Same,
    Stopped,
}

/// One process while it is explored.
struct Explorer {
    number: usize,
    members: Members,
    /// The gates at which it takes part, and on whom it depends there.
    gates: Vec<(u32, Vec<usize>)>,
    /// The values of its cells in each state; none before the initial block.
    states: Vec<Option<Box<[Value]>>>,
    index: HashMap<Box<[Value]>, u32>,
    classes: Vec<u32>,
    /// The transitions of each state at each of its gates.
    steps: Vec<Vec<Vec<(LabelId, u32)>>>,
    /// How much had been provided by others at each of its gates when its states were explored there.
    provided: Vec<usize>,
    /// How many states were explored at each of its gates.
    done: Vec<u32>,
    /// The gates at which it makes a step in some state.
    offers: HashSet<u32>,
    /// The labels for fields at a gate; none where its own values violate a condition.
    labels: HashMap<(u32, Known), Option<LabelId>>,
    /// In how many ways steps were tried.
    ways: u64,
}

impl Explorer {
    fn new(number: usize, parts: &[Part], labels: &Labels) -> Explorer {
        let mut gates = vec![];
        for (at, gate) in (0..).zip(&labels.gates) {
            let Some(own) = gate.participant(number) else { continue };
            let from = own.mentions.iter().filter_map(|field| match gate.fields[*field as usize] {
                Source::Provided { process } if process != number => Some(process),
                _ => None,
            });
            let mut from: Vec<usize> = from.collect();
            from.sort_unstable();
            from.dedup();
            gates.push((at, from));
        }
        let count = gates.len();
        Explorer {
            number,
            members: Members::one(number, parts.len()),
            gates,
            states: vec![None],
            index: HashMap::new(),
            classes: vec![START],
            steps: vec![vec![vec![]; count]],
            provided: vec![0; count],
            done: vec![0; count],
            offers: HashSet::new(),
            labels: HashMap::new(),
            ways: 0,
        }
    }

    /// Explores what is new: states, and states at gates where others have provided more.
    fn explore(&mut self, parts: &[Part], world: &mut World<'_>) -> Result<Explored, Refused> {
        let mut changed = false;
        loop {
            let mut more = false;
            for at in 0..self.gates.len() {
                let (gate, from) = &self.gates[at];
                let gate = *gate;
                let provided = from.iter().map(|process| world.interface.count(gate, *process)).sum();
                if provided != self.provided[at] {
                    self.provided[at] = provided;
                    self.done[at] = 0;
                }
                while self.done[at] < self.states.len() as u32 {
                    if (world.stop)() {
                        return Ok(Explored::Stopped);
                    }
                    more |= self.expand(at, self.done[at], parts, world)?;
                    self.done[at] += 1;
                }
            }
            changed |= more;
            if !more {
                break;
            }
        }
        Ok(if changed { Explored::More } else { Explored::Same })
    }

    /// The transitions of a state at a gate. Whether anything is new.
    fn expand(
        &mut self,
        at: usize,
        state: u32,
        parts: &[Part],
        world: &mut World<'_>,
    ) -> Result<bool, Refused> {
        let gate = self.gates[at].0;
        let initial = world.labels.gates[gate as usize].instance.is_none();
        if initial != self.states[state as usize].is_none() {
            return Ok(false);
        }
        let mut attempt = Attempt {
            process: self.number,
            state: self.states[state as usize].as_deref().unwrap_or(&[]),
            place: world.place,
            choices: vec![],
            fields: vec![],
            found: vec![],
            provided: vec![],
            ways: self.ways,
            stopped: false,
        };
        attempt.run(gate, world);
        let Attempt { found, provided, ways, stopped, .. } = attempt;
        self.ways = ways;
        if stopped && ways > MOST_WAYS {
            let process = parts[self.number].name.clone();
            return Err(Refused::ProcessTooCoupled { process });
        }
        let mut new = false;
        for tuple in provided {
            new |= world.interface.provide(gate, self.number, tuple);
        }
        let mut steps = vec![];
        let part = &parts[self.number];
        for way in found {
            let mut values: Box<[Value]> = match &self.states[state as usize] {
                Some(values) => values.clone(),
                None => vec![0; part.slots.len()].into(),
            };
            let inside = |(slot, value): &(u32, Value)| {
                let bounds = world.bounds[*slot as usize];
                if *value == UNDEF { bounds.undef } else { bounds.contains((*value).into()) }
            };
            if !way.updates.iter().all(inside) {
                continue;
            }
            for (slot, value) in &way.updates {
                values[world.place[*slot as usize].1] = *value;
            }
            let members = &self.members;
            let label = self.labels.entry((gate, way.fields));
            let label =
                label.or_insert_with_key(|(gate, fields)| world.labels.of_values(*gate, members, fields));
            let Some(label) = *label else { continue };
            let known = self.index.len();
            let target = self.state(values, world);
            if self.states.len() as u32 > MOST_STATES {
                let (process, states) = (part.name.clone(), MOST_STATES);
                return Err(Refused::ProcessTooLarge { process, states });
            }
            new |= self.index.len() > known;
            steps.push((label, target));
        }
        if !steps.is_empty() {
            new |= self.offers.insert(gate);
        }
        steps.sort_unstable();
        steps.dedup();
        let before = &mut self.steps[state as usize][at];
        new |= before.len() != steps.len();
        *before = steps;
        Ok(new)
    }

    fn state(&mut self, values: Box<[Value]>, world: &mut World<'_>) -> u32 {
        if let Some(&known) = self.index.get(&values) {
            return known;
        }
        let number = self.states.len() as u32;
        let leaves = Own { process: self.number, state: &values, place: world.place };
        let provides = &world.labels.observed.provides[self.number];
        let value = |(field, term): &(u32, u32)| {
            // Its own cells are all that is asked for.
            (*field, world.labels.terms.evaluate(*term, &leaves).unwrap_or(UNDEF))
        };
        let mut observed: Known = provides.iter().map(value).collect();
        observed.sort_unstable();
        self.classes.push(world.labels.class_of_values(&observed));
        self.states.push(Some(values.clone()));
        self.steps.push(vec![vec![]; self.gates.len()]);
        self.index.insert(values, number);
        number
    }

    fn process(&self, _: &Labels) -> Process {
        let mut process = Process::new(self.members.clone());
        for (state, steps) in self.steps.iter().enumerate() {
            steps.iter().for_each(|steps| process.edges.extend(steps));
            process.end_state(self.classes[state]);
        }
        process
    }
}

/// The cells of one process.
struct Own<'a> {
    process: usize,
    state: &'a [Value],
    place: &'a [(usize, usize)],
}

impl Leaves for Own<'_> {
    fn slot(&self, slot: u32) -> Option<Value> {
        let (process, at) = self.place[slot as usize];
        (process == self.process).then(|| self.state[at])
    }

    fn choice(&self, _: u32) -> Option<Value> {
        None
    }

    fn field(&self, _: u32) -> Option<Value> {
        None
    }
}

/// A step in the making: choices and fields get values when they matter.
struct Attempt<'a> {
    process: usize,
    state: &'a [Value],
    place: &'a [(usize, usize)],
    choices: Known,
    /// Fields that were received, in ascending order.
    fields: Known,
    /// All ways to make the step.
    found: Vec<Way>,
    /// What the process provides, in the order of the gate, whatever it receives.
    provided: Vec<Vec<Value>>,
    ways: u64,
    stopped: bool,
}

/// A step that a process can make.
struct Way {
    updates: Vec<(u32, Value)>,
    /// All fields that matter, in ascending order.
    fields: Known,
}

impl Leaves for Attempt<'_> {
    fn slot(&self, slot: u32) -> Option<Value> {
        let (process, at) = self.place[slot as usize];
        (process == self.process).then(|| self.state[at])
    }

    fn choice(&self, choice: u32) -> Option<Value> {
        self.choices.iter().find(|(c, _)| *c == choice).map(|(_, value)| *value)
    }

    fn field(&self, field: u32) -> Option<Value> {
        self.fields.iter().find(|(f, _)| *f == field).map(|(_, value)| *value)
    }
}

impl Attempt<'_> {
    /// Tries a step at a gate in all ways.
    fn run(&mut self, gate: u32, world: &World<'_>) {
        self.ways += 1;
        self.stopped |= self.ways > MOST_WAYS || (self.ways.is_multiple_of(WAYS_BETWEEN) && (world.stop)());
        if self.stopped {
            return;
        }
        let described = &world.labels.gates[gate as usize];
        let Some(own) = described.participant(self.process) else { return };
        match self.way(own, world) {
            Ok(way) => self.found.extend(way),
            Err(Missing::Choice(choice)) => {
                for &value in &world.choices[choice as usize] {
                    self.choices.push((choice, value));
                    self.run(gate, world);
                    self.choices.pop();
                }
            }
            Err(Missing::Field(field)) => {
                let values = match &described.fields[field as usize] {
                    Source::Derived => vec![0, 1],
                    Source::Provided { process } => {
                        let provider = described.participant(*process);
                        let values = |p| world.interface.values(gate, p, field, &self.fields);
                        provider.map(values).unwrap_or_default()
                    }
                };
                let at = self.fields.partition_point(|(f, _)| *f < field);
                for value in values {
                    self.fields.insert(at, (field, value));
                    self.run(gate, world);
                    self.fields.remove(at);
                }
            }
            // Terms of a process are over its own cells.
            Err(Missing::Slot(_)) => {}
        }
    }

    /// The step, as far as everything that matters is known; none if it is not possible. Guards and what is provided
    /// depend on the process alone, so they come first.
    fn way(&mut self, own: &Participant, world: &World<'_>) -> Result<Option<Way>, Missing> {
        let terms = &world.labels.terms;
        for guard in &own.guards {
            if terms.evaluate(*guard, self)? == 0 {
                return Ok(None);
            }
        }
        let mut tuple = vec![];
        for (_, term) in &own.provides {
            tuple.push(terms.evaluate(*term, self)?);
        }
        if self.provided.last() != Some(&tuple) {
            self.provided.push(tuple.clone());
        }
        let mut updates = vec![];
        for (slot, term) in &own.updates {
            updates.push((*slot, terms.evaluate(*term, self)?));
        }
        let mut fields = self.fields.clone();
        fields.extend(own.provides.iter().map(|(field, _)| *field).zip(tuple));
        fields.sort_unstable();
        Ok(Some(Way { updates, fields }))
    }
}
