//! The transition systems of single processes.
//!
//! A process alone does not know what it may receive. The least set of values is found that is closed under what all
//! processes do with it: at first nobody has provided anything; in each round every process is explored with what all have
//! provided before, and provides more, until nothing changes. What a process provides depends on its own cells and choices
//! only, and it provides it before it knows what it receives in the same step: two processes may each wait for the other's. So,
//! by induction over the steps of the system, every step of it is among what was explored: what a process receives there,
//! another one has provided, in a state that was explored before. This is the interface that the authors of ISoLA 2021
//! (section 5) wrote by hand as `where` clauses, made of sets of values instead of intervals. Ranges that the analysis of the
//! program has found limit it further, and so does what neighbours do (`crate::interface`).
//!
//! Values that one process provides together are received together, gate by gate. Processes are explored by several threads;
//! what is found in a round depends on earlier rounds only, and labels get their numbers afterwards, so the number of threads
//! changes nothing. Of processes that are alike (`crate::alike`) one is explored, and the others get what it did, under their own
//! names.

use crate::alike::{Alike, Described, Role};
use crate::explore::{Cells, Explorer, Interface, Own, World};
use crate::label::{Known, LabelId, Labels, Members, START};
use crate::plan::{Limits, NoWhole, Plan, each};
use crate::process::{INITIAL, Process};
use crate::refused::Refused;
use crate::split::Part;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::AtomicU64;
use swarmcheck_ir::interval::Bounds;
use swarmcheck_ir::{UNDEF, Value};

/// Networks with more ways to make the steps of single processes are refused.
const MOST_WAYS: u64 = 16_000_000;

/// A process, explored alone.
pub struct Leaf {
    /// Its name and its cells.
    pub part: Part,
    /// The transition system.
    pub process: Process,
    /// The number of the state with these values of its cells.
    pub index: HashMap<Cells, u32>,
    /// The values of its cells in each state; none before the initial block.
    pub values: Vec<Option<Cells>>,
    /// The process that was explored in its place, and the labels of that one with its own.
    pub like: Option<(usize, Vec<(LabelId, LabelId)>)>,
    /// Seconds for exploring it.
    pub seconds: f64,
    /// States and transitions before it was restricted to what others let it do.
    pub alone: (u32, u64),
}

impl Leaf {
    /// Leaves out transitions, by state and place, and the states that cannot be reached any more.
    pub fn restrict(&mut self, stays: impl Fn(u32, usize) -> bool) {
        let whole = &self.process;
        let mut reached = vec![false; whole.states() as usize];
        reached[INITIAL as usize] = true;
        let mut open = vec![INITIAL];
        while let Some(state) = open.pop() {
            for (place, (_, target)) in whole.steps(state).iter().enumerate() {
                if stays(state, place) && !std::mem::replace(&mut reached[*target as usize], true) {
                    open.push(*target);
                }
            }
        }
        let mut numbers = vec![u32::MAX; reached.len()];
        let kept = (0..whole.states()).filter(|state| reached[*state as usize]);
        (0..).zip(kept).for_each(|(number, state)| numbers[state as usize] = number);
        let mut left = Process::new(whole.members.clone());
        let mut values = vec![];
        for state in (0..whole.states()).filter(|state| reached[*state as usize]) {
            let steps = whole.steps(state).iter().enumerate().filter(|(place, _)| stays(state, *place));
            left.edges.extend(steps.map(|(_, (label, target))| (*label, numbers[*target as usize])));
            left.end_state(whole.classes[state as usize]);
            values.push(self.values[state as usize].take());
        }
        self.index.retain(|_, state| reached[*state as usize]);
        self.index.values_mut().for_each(|state| *state = numbers[*state as usize]);
        (self.process, self.values) = (left, values);
    }
}

/// Explores all processes.
pub fn leaves(
    parts: &[Part],
    labels: &mut Labels,
    choices: &[Vec<Value>],
    bounds: &[Bounds],
    plan: Plan,
    limits: Limits<'_>,
) -> Result<Vec<Leaf>, NoWhole> {
    let mut place = vec![(usize::MAX, 0); bounds.len()];
    for (process, part) in parts.iter().enumerate() {
        part.slots.iter().enumerate().for_each(|(at, slot)| place[*slot as usize] = (process, at));
    }
    let described = Described { terms: &labels.terms, gates: &labels.gates, parts, choices, bounds };
    let alike = Alike::new(&described, plan.symmetry);
    let firsts = (0..parts.len()).filter(|process| alike.first[*process] == *process);
    let mut explorers: Vec<Explorer> = firsts.map(|process| Explorer::new(process, &alike)).collect();
    let (mut interface, bytes) = (Interface::default(), AtomicU64::new(0));
    loop {
        let world = World {
            parts,
            labels,
            alike: &alike,
            interface: &interface,
            choices,
            bounds,
            place: &place,
            limits,
            bytes: &bytes,
        };
        let done = each(plan.threads, explorers.iter_mut().collect(), |explorer| explorer.round(&world));
        done.into_iter().collect::<Result<(), NoWhole>>()?;
        let mut more = false;
        for explorer in &mut explorers {
            for (class, tuple) in explorer.told.drain(..) {
                more |= interface.provide(class, tuple);
            }
        }
        if !more {
            break;
        }
        if explorers.iter().map(|explorer| explorer.tried).sum::<u64>() > MOST_WAYS {
            let most = explorers.iter().max_by_key(|explorer| explorer.tried).map_or(0, |most| most.process);
            return Err(Refused::ProcessTooCoupled { process: parts[most].name.clone() }.into());
        }
    }
    let named = Naming { parts, alike: &alike, explorers: &explorers, place: &place };
    Ok(named.leaves(labels))
}

/// What was explored, and whose it is.
struct Naming<'a> {
    parts: &'a [Part],
    alike: &'a Alike,
    explorers: &'a [Explorer],
    place: &'a [(usize, usize)],
}

impl Naming<'_> {
    fn explorer(&self, process: usize) -> &Explorer {
        let first = self.alike.first[process];
        let at = self.explorers.partition_point(|explorer| explorer.process < first);
        &self.explorers[at]
    }

    fn leaves(&self, labels: &mut Labels) -> Vec<Leaf> {
        // A gate at which somebody never makes a step is closed for all.
        let mut offered: HashSet<u32> = HashSet::new();
        for explorer in self.explorers {
            let roles = &self.alike.roles[explorer.process];
            let offers = |at: usize| explorer.steps.iter().any(|roles| !roles[at].is_empty());
            offered
                .extend(roles.iter().enumerate().filter(|(at, _)| offers(*at)).map(|(_, role)| role.class));
        }
        let mut open = vec![true; labels.gates.len()];
        for role in self.alike.roles.iter().flatten().filter(|role| !offered.contains(&role.class)) {
            open[role.gate as usize] = false;
        }
        let mut names: Vec<Vec<Option<LabelId>>> = vec![];
        let mut leaves = vec![];
        for process in 0..self.parts.len() {
            let own = self.names(process, labels);
            let first = self.alike.first[process];
            let like = (first != process).then(|| {
                let both = |(a, b): (&Option<LabelId>, &Option<LabelId>)| Some(((*a)?, (*b)?));
                (first, names[first].iter().zip(&own).filter_map(both).collect())
            });
            leaves.push(self.leaf(process, &own, &open, like, labels));
            names.push(own);
        }
        leaves
    }

    /// The labels of the ways in which a process makes its steps.
    fn names(&self, process: usize, labels: &mut Labels) -> Vec<Option<LabelId>> {
        let explorer = self.explorer(process);
        let (theirs, own) = (&self.alike.roles[explorer.process], &self.alike.roles[process]);
        let members = Members::one(process, self.parts.len());
        let name = |(at, fields): &(usize, Known)| {
            labels.of_values(own[*at].gate, &members, &renamed(fields, &theirs[*at], &own[*at]))
        };
        explorer.ways.iter().map(name).collect()
    }

    fn leaf(
        &self,
        process: usize,
        names: &[Option<LabelId>],
        open: &[bool],
        like: Option<(usize, Vec<(LabelId, LabelId)>)>,
        labels: &mut Labels,
    ) -> Leaf {
        let explorer = self.explorer(process);
        let roles = &self.alike.roles[process];
        let mut whole = Process::new(Members::one(process, self.parts.len()));
        for (state, steps) in explorer.steps.iter().enumerate() {
            for (_, steps) in roles.iter().zip(steps).filter(|(role, _)| open[role.gate as usize]) {
                let named = |(way, target): &(u32, u32)| Some((names[*way as usize]?, *target));
                whole.edges.extend(steps.iter().filter_map(named));
            }
            whole.end_state(self.class(process, explorer.states[state].as_deref(), labels));
        }
        let mut leaf = Leaf {
            part: self.parts[process].clone(),
            process: whole,
            index: explorer.index.clone(),
            values: explorer.states.clone(),
            seconds: if like.is_some() { 0.0 } else { explorer.seconds },
            like,
            alone: (0, 0),
        };
        leaf.restrict(|_, _| true);
        leaf.alone = (leaf.process.states(), leaf.process.edges.len() as u64);
        leaf
    }

    /// The class of a state: what is observed of it.
    fn class(&self, process: usize, state: Option<&[Value]>, labels: &mut Labels) -> u32 {
        let Some(state) = state else { return START };
        // Processes that are alike have their cells in the same order.
        let leaves = Own { process, state, place: self.place };
        let provides = &labels.observed.provides[process];
        let value = |(field, term): &(u32, u32)| {
            // Its own cells are all that is asked for.
            (*field, labels.terms.evaluate(*term, &leaves).unwrap_or(UNDEF))
        };
        let mut observed: Known = provides.iter().map(value).collect();
        observed.sort_unstable();
        labels.class_of_values(&observed)
    }
}

/// Values of fields of a role, as those of one that is like it.
fn renamed(fields: &Known, from: &Role, to: &Role) -> Known {
    let name = |(field, value): &(u32, Value)| {
        let place = from.fields.iter().position(|own| own == field)?;
        Some((to.fields[place], *value))
    };
    let mut out: Known = fields.iter().filter_map(name).collect();
    out.sort_unstable();
    out
}
