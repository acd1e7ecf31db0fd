//! Processes that do the same under other names, so that one of them is explored for all.
//!
//! A *role* is a process at a gate. Two roles are alike if the process does the same there with its cells, counted from the
//! first, and if what it receives comes from roles that are alike, and what is from one process for the one is from one process
//! for the other: such values are received together. Two processes are alike if they have as many roles of each
//! sort and the same bounds of cells. The coarsest such classes are found by refinement: roles are told apart by their terms
//! alone at first, and then by the classes of those that they belong to and receive from, until nothing changes.
//!
//! Processes that are alike have the same states, and provide the same values at corresponding gates. This follows by induction
//! over the rounds in which they are explored (`crate::leaf`): what a process does in a round depends on the terms of its
//! roles, on bounds, and on what was provided before in the roles that it receives from. All of that is the same. So it does
//! not matter which of several roles of one sort correspond to each other. Who else takes part at a gate does not matter either,
//! unless something is received from there: whether others let a process make its step is looked at afterwards, for each.
//!
//! Classes are compared by everything that they stand for, never by hashes. Hashes only choose the order in which the fields of
//! a role are counted; a bad order makes processes differ that could have been alike.

use crate::gates::{Gate, Participant, Source};
use crate::split::Part;
use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use swarmcheck_ir::interval::Bounds;
use swarmcheck_ir::{BinaryOp, Value};
use swarmcheck_steps::terms::{Node, TermId, Terms};

/// A process at a gate.
#[derive(Clone, Debug)]
pub struct Role {
    /// The gate.
    pub gate: u32,
    /// Roles with the same number are alike.
    pub class: u32,
    /// The fields that the process may have a say about, in an order in which those of roles that are alike correspond.
    pub fields: Vec<u32>,
    /// Those of them that it provides.
    pub provides: Vec<u32>,
}

/// Which processes are alike.
#[derive(Debug)]
pub struct Alike {
    /// For each process the first one that is like it.
    pub first: Vec<usize>,
    /// The roles of each process, in an order in which those of processes that are alike correspond.
    pub roles: Vec<Vec<Role>>,
    /// The place of the role of a process at a gate.
    places: HashMap<(u32, usize), usize>,
}

/// What is known about a network before its processes are explored.
pub struct Described<'a> {
    /// The terms of all gates.
    pub terms: &'a Terms,
    /// The gates.
    pub gates: &'a [Gate],
    /// The processes.
    pub parts: &'a [Part],
    /// The values of choices.
    pub choices: &'a [Vec<Value>],
    /// The bounds of cells.
    pub bounds: &'a [Bounds],
}

/// Networks with more to compare are taken to have no processes that are alike.
const MOST: f64 = 5_000_000.0;

impl Alike {
    /// Finds processes that are alike, if it is asked for and does not take long.
    pub fn new(network: &Described<'_>, wanted: bool) -> Alike {
        let mut sorting = Sorting::new(network);
        let mut roles = sorting.roles();
        let compared = wanted && sorting.effort() <= MOST;
        if compared {
            sorting.refine(&mut roles);
        } else {
            (0..).zip(roles.iter_mut().flatten()).for_each(|(class, role)| role.class = class);
        }
        let mut first: Vec<usize> = (0..network.parts.len()).collect();
        for own in &mut roles {
            own.sort_by_key(|role| (role.class, role.gate));
        }
        if compared {
            let mut known = HashMap::new();
            for process in 0..first.len() {
                let key = sorting.process(process, &roles[process]);
                first[process] = *known.entry(key).or_insert(process);
            }
        }
        let mut places = HashMap::new();
        for (process, own) in roles.iter().enumerate() {
            places.extend(own.iter().enumerate().map(|(place, role)| ((role.gate, process), place)));
        }
        Alike { first, roles, places }
    }

    /// The role of a process at a gate, if it takes part there.
    pub fn role(&self, gate: u32, process: usize) -> Option<&Role> {
        self.places.get(&(gate, process)).map(|place| &self.roles[process][*place])
    }
}

/// Everything about something, as numbers.
type Key = Vec<u64>;

/// Numbers for keys.
#[derive(Default)]
struct Numbers(HashMap<Key, u32>);

impl Numbers {
    fn of(&mut self, key: Key) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(key).or_insert(next)
    }
}

struct Sorting<'a> {
    network: &'a Described<'a>,
    /// The process of each cell, and its place there.
    place: Vec<(usize, u32)>,
    terms: Numbers,
    hashes: HashMap<TermId, u64>,
}

impl<'a> Sorting<'a> {
    fn new(network: &'a Described<'a>) -> Sorting<'a> {
        let mut place = vec![(usize::MAX, 0); network.bounds.len()];
        for (process, part) in network.parts.iter().enumerate() {
            (0..).zip(&part.slots).for_each(|(at, slot)| place[*slot as usize] = (process, at));
        }
        Sorting { network, place, terms: Numbers::default(), hashes: HashMap::new() }
    }

    /// How many nodes of terms are looked at: conditions once for each participant.
    fn effort(&self) -> f64 {
        let size = |term: TermId| self.network.terms.size(term);
        let of = |gate: &Gate| {
            let conditions: f64 = gate.conditions.iter().map(|joint| size(joint.term)).sum();
            let own = |participant: &Participant| -> f64 {
                let written = participant.updates.iter().chain(&participant.provides).map(|(_, term)| *term);
                written.chain(participant.guards.iter().copied()).map(size).sum()
            };
            gate.participants.iter().map(|participant| own(participant) + conditions).sum::<f64>()
        };
        self.network.gates.iter().map(of).sum()
    }

    /// The roles of all processes, not sorted yet.
    fn roles(&mut self) -> Vec<Vec<Role>> {
        let mut roles = vec![vec![]; self.network.parts.len()];
        for (number, gate) in (0..).zip(self.network.gates) {
            let hashes = self.field_hashes(gate);
            for participant in &gate.participants {
                let own = |field: u32| participant.provides.iter().any(|(provided, _)| *provided == field);
                let mut fields = participant.mentions.clone();
                fields.sort_by_key(|field| (!own(*field), hashes[*field as usize], *field));
                let provides = fields.iter().copied().filter(|field| own(*field)).collect();
                roles[participant.process].push(Role { gate: number, class: 0, fields, provides });
            }
        }
        roles
    }

    /// What fields are about, whatever agents are called.
    fn field_hashes(&mut self, gate: &Gate) -> Vec<u64> {
        let mut hashes = vec![0; gate.fields.len()];
        for participant in &gate.participants {
            for (field, term) in &participant.provides {
                hashes[*field as usize] = self.hash(*term);
            }
        }
        let provided = hashes.clone();
        for joint in &gate.conditions {
            if let Some(field) = joint.derived {
                hashes[field as usize] = self.hash_over(joint.term, &provided, &mut HashMap::new());
            }
        }
        hashes
    }

    /// The hash of a term without fields.
    fn hash(&mut self, term: TermId) -> u64 {
        let mut known = std::mem::take(&mut self.hashes);
        let hash = self.hash_over(term, &[], &mut known);
        self.hashes = known;
        hash
    }

    fn hash_over(&self, term: TermId, fields: &[u64], known: &mut HashMap<TermId, u64>) -> u64 {
        if let Some(&hash) = known.get(&term) {
            return hash;
        }
        let terms = self.network.terms;
        let mut hasher = DefaultHasher::new();
        let node = terms.node(term);
        shape(node).hash(&mut hasher);
        match node {
            Node::Slot(slot) => self.place[*slot as usize].1.hash(&mut hasher),
            Node::Choice(choice) => self.network.choices[*choice as usize].hash(&mut hasher),
            Node::Field(field) => fields.get(*field as usize).hash(&mut hasher),
            _ => {}
        }
        let mut below: Vec<u64> =
            terms.below(term).into_iter().map(|part| self.hash_over(part, fields, known)).collect();
        if commutes(node) {
            below.sort_unstable();
        }
        below.hash(&mut hasher);
        let hash = hasher.finish();
        known.insert(term, hash);
        hash
    }

    /// Gives all roles their classes.
    fn refine(&mut self, roles: &mut [Vec<Role>]) {
        let mut fixed = vec![];
        for (process, own) in roles.iter_mut().enumerate() {
            let keys: Vec<Key> = own.iter().map(|role| self.fixed(process, role)).collect();
            fixed.push(keys);
        }
        let mut classes = 0;
        loop {
            let at: HashMap<(u32, usize), (u32, Vec<u32>)> = roles
                .iter()
                .enumerate()
                .flat_map(|(process, own)| own.iter().map(move |role| (process, role)))
                .map(|(process, role)| ((role.gate, process), (role.class, role.provides.clone())))
                .collect();
            let mut numbers = Numbers::default();
            let mut next = vec![];
            for (process, own) in roles.iter().enumerate() {
                let owner = self.process(process, own);
                for (role, fixed) in own.iter().zip(&fixed[process]) {
                    let mut key = vec![];
                    [fixed, &owner].into_iter().for_each(|part| add(&mut key, part));
                    let fields = &self.network.gates[role.gate as usize].fields;
                    for field in &role.fields {
                        let Source::Provided { process: from } = fields[*field as usize] else { continue };
                        let (class, provides) = &at[&(role.gate, from)];
                        let place = provides.iter().position(|provided| provided == field);
                        key.extend([(*class).into(), place.map_or(u64::MAX, |place| place as u64)]);
                    }
                    next.push(numbers.of(key));
                }
            }
            roles.iter_mut().flatten().zip(next).for_each(|(role, class)| role.class = class);
            // Classes only become smaller, so as many as before are the same.
            if numbers.0.len() == classes {
                return;
            }
            classes = numbers.0.len();
        }
    }

    /// What a process is, apart from its terms: bounds of its cells, and the classes of its roles.
    fn process(&self, process: usize, roles: &[Role]) -> Key {
        let mut key = vec![];
        for slot in &self.network.parts[process].slots {
            let Bounds { lo, hi, undef, fault } = self.network.bounds[*slot as usize];
            for bound in [lo, hi] {
                key.extend([bound as u64, (bound >> 64) as u64]);
            }
            key.extend([u64::from(undef), u64::from(fault)]);
        }
        let mut classes: Key = roles.iter().map(|role| role.class.into()).collect();
        classes.sort_unstable();
        let mut out = vec![];
        add(&mut out, &key);
        add(&mut out, &classes);
        out
    }

    /// What a process does at a gate, by its own terms.
    fn fixed(&mut self, process: usize, role: &Role) -> Key {
        let network = self.network;
        let gate = &network.gates[role.gate as usize];
        let participant = gate.participant(process).expect("roles are made of participants");
        let written = participant.updates.iter().chain(&participant.provides).map(|(_, term)| *term);
        let own: Vec<TermId> = written.chain(participant.guards.iter().copied()).collect();
        let mut choices = BTreeSet::new();
        own.iter().for_each(|term| choices.extend(network.terms.choices(*term)));
        let choices: Vec<u32> = choices.into_iter().collect();
        let mut view = View { role, choices: &choices, foreign: &[], known: HashMap::new() };
        let mut guards: Key = participant.guards.iter().map(|term| self.number(*term, &mut view)).collect();
        guards.sort_unstable();
        let mut updates = vec![];
        for (slot, term) in &participant.updates {
            updates.extend([self.place[*slot as usize].1.into(), self.number(*term, &mut view)]);
        }
        let mut fields = vec![];
        for field in &role.fields {
            let provided = participant.provides.iter().find(|(own, _)| own == field);
            match (provided, &gate.fields[*field as usize]) {
                (Some((_, term)), _) => fields.extend([0, self.number(*term, &mut view)]),
                (None, Source::Derived) => fields.push(1),
                // Values that come from one process come together, and values of two do not.
                (None, from) => {
                    let same = role.fields.iter().position(|other| gate.fields[*other as usize] == *from);
                    fields.extend([2, same.map_or(u64::MAX, |at| at as u64)]);
                }
            }
        }
        let values: Vec<Key> = choices
            .iter()
            .map(|at| network.choices[*at as usize].iter().map(|v| *v as u64).collect())
            .collect();
        let mut conditions: Key = vec![];
        for joint in &gate.conditions {
            let (own, foreign): (Vec<u32>, Vec<u32>) =
                joint.fields.iter().partition(|field| role.fields.contains(field));
            if !own.is_empty() {
                let mut view = View { role, choices: &[], foreign: &foreign, known: HashMap::new() };
                conditions.push(self.number(joint.term, &mut view));
            }
        }
        conditions.sort_unstable();
        let mut key = vec![gate.instance.is_none().into()];
        [guards, updates, fields, conditions].iter().for_each(|part| add(&mut key, part));
        values.iter().for_each(|part| add(&mut key, part));
        key
    }

    /// The number of a term as a role sees it.
    fn number(&mut self, term: TermId, view: &mut View<'_>) -> u64 {
        if let Some(&known) = view.known.get(&term) {
            return known;
        }
        let terms = self.network.terms;
        let node = terms.node(term);
        let place =
            |list: &[u32], wanted: u32| list.iter().position(|one| *one == wanted).map(|at| at as u64);
        let mut key = shape(node);
        match node {
            Node::Slot(slot) => key.push(self.place[*slot as usize].1.into()),
            Node::Choice(choice) => key.extend(place(view.choices, *choice)),
            Node::Field(field) => match place(&view.role.fields, *field) {
                Some(at) => key.extend([0, at]),
                None => key.extend([1, place(view.foreign, *field).unwrap_or(u64::MAX)]),
            },
            _ => {}
        }
        let mut below: Key = terms.below(term).into_iter().map(|part| self.number(part, view)).collect();
        if commutes(node) {
            below.sort_unstable();
        }
        add(&mut key, &below);
        let number = self.terms.of(key).into();
        view.known.insert(term, number);
        number
    }
}

/// How the leaves of a term are counted in a role.
struct View<'a> {
    role: &'a Role,
    choices: &'a [u32],
    /// Fields that the role does not mention.
    foreign: &'a [u32],
    known: HashMap<TermId, u64>,
}

/// Adds a part to a key so that its end can be told.
fn add(key: &mut Key, part: &[u64]) {
    key.push(part.len() as u64);
    key.extend_from_slice(part);
}

/// What a node is, without what is below it and without the numbers of leaves.
fn shape(node: &Node) -> Key {
    match node {
        Node::Const(value) => vec![0, *value as u64],
        Node::Slot(_) => vec![1],
        Node::Choice(_) => vec![2],
        Node::Field(_) => vec![3],
        Node::Unary(op, _) => vec![4, *op as u64],
        Node::Binary(op, ..) => vec![5, *op as u64],
        Node::And(_) => vec![6],
        Node::Or(_) => vec![7],
        Node::If(..) => vec![8],
        Node::Defined(_) => vec![9],
        Node::Count(_) => vec![10],
        Node::Rank(at, _) => vec![11, (*at).into()],
    }
}

/// Whether the order of what is below does not matter.
fn commutes(node: &Node) -> bool {
    match node {
        Node::And(_) | Node::Or(_) | Node::Count(_) => true,
        Node::Binary(op, ..) => matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Add | BinaryOp::Mul),
        _ => false,
    }
}
