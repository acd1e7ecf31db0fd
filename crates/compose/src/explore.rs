//! One process on its own, against what the others have provided so far.

use crate::alike::{Alike, Role};
use crate::gates::{Participant, Source};
use crate::label::{Known, Labels};
use crate::plan::{Limits, NoWhole};
use crate::refused::Refused;
use crate::split::Part;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use swarmcheck_ir::interval::Bounds;
use swarmcheck_ir::{UNDEF, Value};
use swarmcheck_steps::terms::{Leaves, Missing};

/// Processes with more states are refused.
const MOST_STATES: u32 = 1 << 20;

/// So are processes with more ways to make their steps: each value of each field is looked at in each state.
const MOST_WAYS: u64 = 4_000_000;

/// How often the caller is asked whether to stop, in ways.
const WAYS_BETWEEN: u64 = 1 << 10;

/// The values of a process's cells.
pub type Cells = Box<[Value]>;

/// What processes have provided: the values of the fields that a role provides, in its order, for each class of roles.
#[derive(Default)]
pub struct Interface {
    tuples: HashMap<u32, Tuples>,
}

#[derive(Default)]
struct Tuples {
    list: Vec<Vec<Value>>,
    known: HashSet<Vec<Value>>,
}

impl Interface {
    /// Adds values. Whether they are new.
    pub fn provide(&mut self, class: u32, tuple: Vec<Value>) -> bool {
        let tuples = self.tuples.entry(class).or_default();
        let new = tuples.known.insert(tuple.clone());
        if new {
            tuples.list.push(tuple);
        }
        new
    }

    fn count(&self, class: u32) -> usize {
        self.tuples.get(&class).map_or(0, |tuples| tuples.list.len())
    }

    /// The values that a field may have beside others of the same role that are known.
    fn values(&self, role: &Role, field: u32, known: &Known) -> Vec<Value> {
        let Some(tuples) = self.tuples.get(&role.class) else { return vec![] };
        let at = |wanted: u32| role.provides.iter().position(|field| *field == wanted);
        let Some(place) = at(field) else { return vec![] };
        let others: Vec<(usize, Value)> = known.iter().filter_map(|(f, v)| Some((at(*f)?, *v))).collect();
        let fits = |tuple: &&Vec<Value>| others.iter().all(|(at, value)| tuple[*at] == *value);
        let mut values: Vec<Value> = tuples.list.iter().filter(fits).map(|tuple| tuple[place]).collect();
        values.sort_unstable();
        values.dedup();
        values
    }
}

/// What all processes share while they are explored. Nobody changes it in a round.
pub struct World<'a> {
    /// The processes.
    pub parts: &'a [Part],
    /// Gates, terms and what is observed.
    pub labels: &'a Labels,
    /// Who is like whom.
    pub alike: &'a Alike,
    /// What was provided in earlier rounds.
    pub interface: &'a Interface,
    /// The values of choices.
    pub choices: &'a [Vec<Value>],
    /// The bounds of cells.
    pub bounds: &'a [Bounds],
    /// The process of each cell, and its place there.
    pub place: &'a [(usize, usize)],
    /// When to stop.
    pub limits: Limits<'a>,
    /// The bytes of all processes.
    pub bytes: &'a AtomicU64,
}

impl World<'_> {
    /// Whether to stop, where so many bytes more are in use.
    fn stopped(&self, more: u64) -> Result<(), NoWhole> {
        let bytes = self.bytes.fetch_add(more, Ordering::Relaxed) + more;
        if self.limits.reached(bytes) { Err(self.limits.why(bytes)) } else { Ok(()) }
    }
}

/// One process while it is explored.
pub struct Explorer {
    /// The number of the process.
    pub process: usize,
    /// The values of its cells in each state; none before the initial block.
    pub states: Vec<Option<Cells>>,
    /// The states, by the values of its cells.
    pub index: HashMap<Cells, u32>,
    /// The transitions of each state in each of its roles: the way, and where it leads.
    pub steps: Vec<Vec<Vec<(u32, u32)>>>,
    /// The ways to make steps: the place of the role, and the values of the fields that matter.
    pub ways: Vec<(usize, Known)>,
    /// Their numbers; none where the values violate a condition of the gate.
    numbers: HashMap<(usize, Known), Option<u32>>,
    /// What it has provided in each role, in the order of the gate.
    provided: Vec<HashSet<Vec<Value>>>,
    /// The same, as far as it is new: the class of the role, and the values in its order.
    pub told: Vec<(u32, Vec<Value>)>,
    /// How much had been provided by others in each role when its states were explored there.
    received: Vec<usize>,
    /// How many states were explored in each role.
    done: Vec<u32>,
    /// In how many ways steps were tried.
    pub tried: u64,
    /// Seconds that it took.
    pub seconds: f64,
}

impl Explorer {
    /// Before the initial block.
    pub fn new(process: usize, alike: &Alike) -> Explorer {
        let count = alike.roles[process].len();
        Explorer {
            process,
            states: vec![None],
            index: HashMap::new(),
            steps: vec![vec![vec![]; count]],
            ways: vec![],
            numbers: HashMap::new(),
            provided: vec![HashSet::new(); count],
            told: vec![],
            received: vec![0; count],
            done: vec![0; count],
            tried: 0,
            seconds: 0.0,
        }
    }

    /// Explores everything that can be reached with what was provided in earlier rounds.
    pub fn round(&mut self, world: &World<'_>) -> Result<(), NoWhole> {
        let began = world.limits.0.progress.seconds();
        let roles = &world.alike.roles[self.process];
        for (at, role) in roles.iter().enumerate() {
            let received = self.sources(role, world).map(|class| world.interface.count(class)).sum();
            if std::mem::replace(&mut self.received[at], received) != received {
                self.done[at] = 0;
            }
        }
        loop {
            let mut more = false;
            for at in 0..roles.len() {
                while self.done[at] < self.states.len() as u32 {
                    self.expand(at, self.done[at], world)?;
                    self.done[at] += 1;
                    more = true;
                }
            }
            if !more {
                break;
            }
        }
        self.seconds += world.limits.0.progress.seconds() - began;
        Ok(())
    }

    /// The classes of roles from which a role receives.
    fn sources<'a>(&self, role: &'a Role, world: &'a World<'_>) -> impl Iterator<Item = u32> + use<'a> {
        let fields = &world.labels.gates[role.gate as usize].fields;
        let own = self.process;
        let mut from: Vec<usize> = vec![];
        for field in &role.fields {
            if let Source::Provided { process } = fields[*field as usize]
                && process != own
                && !from.contains(&process)
            {
                from.push(process);
            }
        }
        from.into_iter().filter_map(|process| world.alike.role(role.gate, process)).map(|role| role.class)
    }

    /// The transitions of a state in a role.
    fn expand(&mut self, at: usize, state: u32, world: &World<'_>) -> Result<(), NoWhole> {
        let role = &world.alike.roles[self.process][at];
        let gate = &world.labels.gates[role.gate as usize];
        if gate.instance.is_none() != self.states[state as usize].is_none() {
            return Ok(());
        }
        let Some(own) = gate.participant(self.process) else { return Ok(()) };
        let mut attempt = Attempt {
            world,
            gate: role.gate,
            own,
            process: self.process,
            state: self.states[state as usize].as_deref().unwrap_or(&[]),
            choices: vec![],
            fields: vec![],
            found: vec![],
            provided: vec![],
            tried: self.tried,
        };
        attempt.run()?;
        let Attempt { found, provided, tried, .. } = attempt;
        self.tried = tried;
        for tuple in provided {
            if !self.provided[at].contains(&tuple) {
                let place = |field: &u32| own.provides.iter().position(|(own, _)| own == field);
                let ordered = role.provides.iter().filter_map(|field| Some(tuple[place(field)?])).collect();
                self.told.push((role.class, ordered));
                self.provided[at].insert(tuple);
            }
        }
        let mut steps = vec![];
        for way in found {
            let Some(target) = self.target(state, &way.updates, world) else { continue };
            // Its own values may already violate a condition. What it would lead to is not reached this way, then.
            let Some(number) = self.way(at, way.fields, world) else { continue };
            let target = match target {
                Target::Known(target) => target,
                Target::New(values) => self.state(values, world)?,
            };
            steps.push((number, target));
        }
        steps.sort_unstable();
        steps.dedup();
        // Others have provided more if a state is expanded again, so there are not fewer steps than before.
        let before = std::mem::replace(&mut self.steps[state as usize][at], steps).len();
        let more = self.steps[state as usize][at].len().saturating_sub(before);
        world.stopped(more as u64 * 8)?;
        Ok(())
    }

    /// Where a step leads; none if that is outside the bounds of cells.
    fn target(&self, state: u32, updates: &[(u32, Value)], world: &World<'_>) -> Option<Target> {
        let inside = |(slot, value): &(u32, Value)| {
            let bounds = world.bounds[*slot as usize];
            if *value == UNDEF { bounds.undef } else { bounds.contains((*value).into()) }
        };
        if !updates.iter().all(inside) {
            return None;
        }
        let mut values: Cells = match &self.states[state as usize] {
            Some(values) => values.clone(),
            None => vec![0; world.parts[self.process].slots.len()].into(),
        };
        for (slot, value) in updates {
            values[world.place[*slot as usize].1] = *value;
        }
        Some(match self.index.get(&values) {
            Some(known) => Target::Known(*known),
            None => Target::New(values),
        })
    }

    /// The number of a way to make a step; none if its values violate a condition of the gate.
    fn way(&mut self, at: usize, fields: Known, world: &World<'_>) -> Option<u32> {
        let key = (at, fields);
        if let Some(known) = self.numbers.get(&key) {
            return *known;
        }
        let gate = world.alike.roles[self.process][at].gate;
        let conditions = &world.labels.gates[gate as usize].conditions;
        let leaves = Fields(&key.1);
        let violates = |term| world.labels.terms.evaluate(term, &leaves) == Ok(0);
        let number = match conditions.iter().any(|joint| violates(joint.term)) {
            true => None,
            false => {
                self.ways.push(key.clone());
                Some(self.ways.len() as u32 - 1)
            }
        };
        self.numbers.insert(key, number);
        number
    }

    fn state(&mut self, values: Cells, world: &World<'_>) -> Result<u32, NoWhole> {
        let number = self.states.len() as u32;
        if number >= MOST_STATES {
            let process = world.parts[self.process].name.clone();
            return Err(Refused::ProcessTooLarge { process, states: MOST_STATES }.into());
        }
        let roles = self.provided.len();
        // Twice the values, with what tables and lists need beside them.
        world.stopped((values.len() * 16 + roles * size_of::<Vec<u32>>() + 96) as u64)?;
        self.states.push(Some(values.clone()));
        self.steps.push(vec![vec![]; roles]);
        self.index.insert(values, number);
        Ok(number)
    }
}

enum Target {
    Known(u32),
    New(Cells),
}

/// Values of fields only.
struct Fields<'a>(&'a Known);

impl Leaves for Fields<'_> {
    fn slot(&self, _: u32) -> Option<Value> {
        None
    }

    fn choice(&self, _: u32) -> Option<Value> {
        None
    }

    fn field(&self, field: u32) -> Option<Value> {
        among(self.0, field)
    }
}

fn among(known: &Known, wanted: u32) -> Option<Value> {
    known.iter().find(|(number, _)| *number == wanted).map(|(_, value)| *value)
}

/// The cells of one process.
pub struct Own<'a> {
    /// The process.
    pub process: usize,
    /// Their values.
    pub state: &'a [Value],
    /// The process of each cell, and its place there.
    pub place: &'a [(usize, usize)],
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
    world: &'a World<'a>,
    gate: u32,
    own: &'a Participant,
    process: usize,
    state: &'a [Value],
    choices: Known,
    /// Fields that were received, in ascending order.
    fields: Known,
    /// All ways to make the step.
    found: Vec<Way>,
    /// What the process provides, in the order of the gate, whatever it receives.
    provided: Vec<Vec<Value>>,
    tried: u64,
}

/// A step that a process can make.
struct Way {
    updates: Vec<(u32, Value)>,
    /// All fields that matter, in ascending order.
    fields: Known,
}

impl Leaves for Attempt<'_> {
    fn slot(&self, slot: u32) -> Option<Value> {
        Own { process: self.process, state: self.state, place: self.world.place }.slot(slot)
    }

    fn choice(&self, choice: u32) -> Option<Value> {
        among(&self.choices, choice)
    }

    fn field(&self, field: u32) -> Option<Value> {
        among(&self.fields, field)
    }
}

impl Attempt<'_> {
    /// Tries the step in all ways.
    fn run(&mut self) -> Result<(), NoWhole> {
        self.tried += 1;
        if self.tried > MOST_WAYS {
            let process = self.world.parts[self.process].name.clone();
            return Err(Refused::ProcessTooCoupled { process }.into());
        }
        if self.tried.is_multiple_of(WAYS_BETWEEN) {
            self.world.stopped(0)?;
        }
        match self.way() {
            Ok(way) => self.found.extend(way),
            Err(Missing::Choice(choice)) => {
                for &value in &self.world.choices[choice as usize] {
                    self.choices.push((choice, value));
                    self.run()?;
                    self.choices.pop();
                }
            }
            Err(Missing::Field(field)) => {
                let values = match &self.world.labels.gates[self.gate as usize].fields[field as usize] {
                    Source::Derived => vec![0, 1],
                    Source::Provided { process } => {
                        let role = self.world.alike.role(self.gate, *process);
                        let values = |role| self.world.interface.values(role, field, &self.fields);
                        role.map(values).unwrap_or_default()
                    }
                };
                let at = self.fields.partition_point(|(f, _)| *f < field);
                for value in values {
                    self.fields.insert(at, (field, value));
                    self.run()?;
                    self.fields.remove(at);
                }
            }
            // Terms of a process are over its own cells.
            Err(Missing::Slot(_)) => {}
        }
        Ok(())
    }

    /// The step, as far as everything that matters is known; none if it is not possible. Guards and what is provided
    /// depend on the process alone, so they come first.
    fn way(&mut self) -> Result<Option<Way>, Missing> {
        let (terms, own) = (&self.world.labels.terms, self.own);
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
