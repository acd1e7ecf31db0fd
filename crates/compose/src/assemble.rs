//! Putting processes together, two at a time, and reducing what comes out.
//!
//! The order decides how large the intermediate systems are (`crate::order`).
//!
//! Where parts are tightly coupled, such as birds that all see each other, a composition of some of them has to guess what the
//! others do, and is larger than what it saves. Then the parts that are left are put together at once (`crate::root`).

use crate::copy::Renaming;
use crate::label::Labels;
use crate::leaf::Leaf;
use crate::order::{Trials, Weight};
use crate::plan::{Limits, NoWhole, Plan, each};
use crate::process::{Process, Quotient};
use crate::product::{self, NoProduct, Pairs};
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use swarmcheck_engine::{Composition, CompositionNode, Control};
use swarmcheck_lts::{Equivalence, Stopped};

/// A part of the tree of compositions.
pub struct Part {
    /// The transition system that stands for it.
    pub process: Process,
    /// What it was made of.
    pub made: Made,
    /// The state of the smaller system for each state of the one before.
    pub blocks: Vec<u32>,
    /// At which gates its transitions wait.
    pub weight: Weight,
    /// Its number in the report.
    pub number: u32,
}

/// What a part was made of.
pub enum Made {
    /// The process with this number, as it was explored.
    Leaf(usize, Process),
    /// Two parts, and the numbers of pairs of their states.
    Pair(Box<Part>, Box<Part>, Pairs),
}

impl Part {
    /// The bytes that it takes, with what it was made of.
    pub fn bytes(&self) -> u64 {
        let made = match &self.made {
            Made::Leaf(_, process) => process.bytes(),
            Made::Pair(a, b, pairs) => a.bytes() + b.bytes() + pairs.bytes(),
        };
        self.process.bytes() + self.blocks.len() as u64 * 4 + made
    }

    /// The state of the part for states of the single processes; none if it was never reached.
    pub fn state(&self, leaves: &[u32]) -> Option<u32> {
        Some(self.blocks[self.before(leaves)? as usize])
    }

    /// The same before the part was reduced.
    pub fn before(&self, leaves: &[u32]) -> Option<u32> {
        match &self.made {
            Made::Leaf(process, _) => Some(leaves[*process]),
            Made::Pair(a, b, pairs) => pairs.number((a.state(leaves)?, b.state(leaves)?)),
        }
    }
}

/// How parts are made.
pub struct Assembly<'a> {
    /// Gates and labels.
    pub labels: &'a mut Labels,
    /// Up to what parts are reduced.
    pub equivalence: Equivalence,
    /// How they are put together.
    pub plan: Plan,
    /// When to stop.
    pub control: &'a Control<'a>,
    /// The most bytes that were in use at one time.
    pub memory: u64,
    /// What was made so far, for those who want to know where it did not go on.
    pub so_far: Composition,
}

/// What is left when no two parts are worth putting together, and how it was made.
pub struct Assembled {
    /// The parts.
    pub parts: Vec<Part>,
    /// How they were made.
    pub report: Composition,
}

/// A composition with so few transitions is kept even if it is not smaller than its parts promise.
pub const SMALL: usize = 20_000;
/// A composition that grows beyond this many transitions is given up, if it need not be made.
const TRIAL: usize = 1_000_000;
/// After so many compositions in a row that were not worth it, no more are tried.
const TRIALS: usize = 6;
/// The states of all parts must fit a word.
const MOST_BITS: u32 = 62;

/// Two parts together, reduced.
pub struct Composed {
    /// What is left.
    pub quotient: Quotient,
    pairs: Pairs,
    node: CompositionNode,
}

impl Assembly<'_> {
    /// Reduces all processes. Of those that are alike one is reduced.
    fn leaves(&mut self, leaves: Vec<Leaf>, names: &[String]) -> Result<Assembled, NoWhole> {
        let mut out = Assembled { parts: vec![], report: Composition::default() };
        let renamings: Vec<Option<Renaming>> =
            leaves.iter().map(|leaf| Renaming::new(leaf, &leaves)).collect();
        let anew: Vec<usize> = (0..leaves.len()).filter(|at| renamings[*at].is_none()).collect();
        let (this, clock) = (&*self, self.control.progress);
        let reduced = each(this.plan.threads, anew.clone(), |at| {
            let began = clock.seconds();
            let quotient = this.reduced(&leaves[at].process)?;
            Ok((quotient, leaves[at].seconds + clock.seconds() - began))
        });
        let reduced: Result<Vec<(Quotient, f64)>, NoWhole> = reduced.into_iter().collect();
        let mut reduced: HashMap<usize, (Quotient, f64)> = anew.into_iter().zip(reduced?).collect();
        for (number, renaming) in renamings.iter().enumerate() {
            if let Some(renaming) = renaming {
                let copy = renaming.copy(&reduced[&renaming.of].0, &leaves[number].process.members);
                reduced.insert(number, (copy, leaves[number].seconds));
            }
        }
        for (number, leaf) in leaves.into_iter().enumerate() {
            let Some((quotient, seconds)) = reduced.remove(&number) else { continue };
            let restricted = leaf.alone != (leaf.process.states(), leaf.process.edges.len() as u64);
            let node = CompositionNode {
                name: names[number].clone(),
                alone_states: restricted.then_some(leaf.alone.0),
                alone_transitions: restricted.then_some(leaf.alone.1),
                memory: leaf.process.bytes(),
                seconds,
                copy_of: renamings[number].as_ref().map(|renaming| renaming.of as u32),
                ..sizes(&leaf.process, &quotient.process)
            };
            out.add(Made::Leaf(number, leaf.process), quotient, node, self.labels);
        }
        self.so_far.nodes.clone_from(&out.report.nodes);
        Ok(out)
    }

    /// Reduces all processes, and puts them together as long as that pays: as long as the result is much smaller than what its parts
    /// could do together.
    pub fn worthwhile(&mut self, leaves: Vec<Leaf>, names: &[String]) -> Result<Assembled, NoWhole> {
        let mut out = self.leaves(leaves, names)?;
        let mut failed: HashSet<(u32, u32)> = HashSet::new();
        let (mut in_a_row, mut trials) = (0, Trials::default());
        while out.parts.len() > 1 {
            if let Some((a, b, composed)) = self.smallest(&out, &mut trials)? {
                self.join(&mut out, a, b, composed);
                in_a_row = 0;
                continue;
            }
            let forced = out.parts.iter().map(|part| part.process.bits()).sum::<u32>() > MOST_BITS;
            if in_a_row == TRIALS && !forced {
                break;
            }
            let Some((a, b)) = self.promising(&out.parts, &|a, b| forced || !failed.contains(&(a, b))) else {
                break;
            };
            let (first, second) = (&out.parts[a], &out.parts[b]);
            let most = if forced { usize::MAX } else { TRIAL };
            let composed = self.composed(first, second, &out, most)?;
            let pairs = f64::from(first.process.states()) * f64::from(second.process.states());
            let pays = |composed: &Composed| {
                let left = &composed.quotient.process;
                forced || left.edges.len() <= SMALL || 2.0 * f64::from(left.states()) <= pairs
            };
            match composed.filter(pays) {
                Some(composed) => {
                    self.join(&mut out, a, b, composed);
                    in_a_row = 0;
                }
                None => {
                    failed.insert((first.number, second.number));
                    in_a_row += 1;
                }
            }
        }
        Ok(out)
    }

    /// Reduces all processes and puts all of them together.
    pub fn whole(&mut self, leaves: Vec<Leaf>, names: &[String]) -> Result<Assembled, NoWhole> {
        let mut out = self.leaves(leaves, names)?;
        let mut trials = Trials::default();
        loop {
            if let Some((a, b, composed)) = self.smallest(&out, &mut trials)? {
                self.join(&mut out, a, b, composed);
                continue;
            }
            let Some((a, b)) = self.promising(&out.parts, &|_, _| true) else { return Ok(out) };
            let composed = self.composed(&out.parts[a], &out.parts[b], &out, usize::MAX)?;
            match composed {
                Some(composed) => self.join(&mut out, a, b, composed),
                None => return Err(NoWhole::Stopped),
            }
        }
    }

    fn join(&mut self, out: &mut Assembled, a: usize, b: usize, composed: Composed) {
        self.so_far.nodes.push(composed.node.clone());
        out.join(a, b, composed, self.labels);
    }

    fn reduced(&self, process: &Process) -> Result<Quotient, NoWhole> {
        let limits = Limits(self.control);
        let most = AtomicU64::new(0);
        let stop = |bytes: u64| {
            most.store(bytes, Ordering::Relaxed);
            limits.reached(bytes)
        };
        process.reduced(self.equivalence, &stop).map_err(|Stopped| limits.why(most.load(Ordering::Relaxed)))
    }

    /// Two parts together; none if there are more transitions than allowed.
    pub fn composed(
        &mut self,
        a: &Part,
        b: &Part,
        all: &Assembled,
        most: usize,
    ) -> Result<Option<Composed>, NoWhole> {
        let control = self.control;
        let began = control.progress.seconds();
        let held = all.parts.iter().map(Part::bytes).sum::<u64>() + self.labels.bytes();
        let (largest, over) = (Cell::new(held), Cell::new(false));
        let limits = Limits(control);
        let stop = |count: u32, transitions: usize, bytes: u64| {
            let memory = held + bytes;
            largest.set(largest.get().max(memory));
            over.set(transitions > most);
            limits.reached_at(count, memory) || transitions > most
        };
        let made = product::product(&a.process, &b.process, self.labels, &stop);
        self.memory = self.memory.max(largest.get());
        let product = match made {
            Ok(product) => product,
            Err(NoProduct::Refused(refused)) => return Err(NoWhole::Refused(refused)),
            Err(NoProduct::Stopped) if over.get() => return Ok(None),
            Err(NoProduct::Stopped) => return Err(limits.why(largest.get())),
        };
        let quotient = self.reduced(&product.process)?;
        let name = |part: &Part| all.report.nodes[part.number as usize].name.clone();
        let node = CompositionNode {
            name: format!("{}, {}", name(a), name(b)),
            parts: vec![a.number, b.number],
            seconds: control.progress.seconds() - began,
            memory: (largest.get() - held).max(product.process.bytes()),
            ..sizes(&product.process, &quotient.process)
        };
        Ok(Some(Composed { quotient, pairs: product.pairs, node }))
    }
}

impl Assembled {
    fn add(&mut self, made: Made, quotient: Quotient, node: CompositionNode, labels: &Labels) {
        let number = self.report.nodes.len() as u32;
        let Quotient { process, blocks } = quotient;
        let weight = Weight::new(&process, labels);
        self.parts.push(Part { process, made, blocks, weight, number });
        self.report.nodes.push(node);
    }

    /// Puts a composition in the place of its parts.
    fn join(&mut self, a: usize, b: usize, composed: Composed, labels: &Labels) {
        let second = self.parts.remove(b);
        let first = self.parts.remove(a);
        let made = Made::Pair(Box::new(first), Box::new(second), composed.pairs);
        self.add(made, composed.quotient, composed.node, labels);
        // Where the order is that of the program, what is together stays in front.
        let last = self.parts.len() - 1;
        self.parts[a..=last].rotate_right(1);
    }

    /// What people call the parts that are left, with their numbers in the report.
    pub fn left(&self) -> (String, Vec<u32>) {
        let names: Vec<&str> =
            self.parts.iter().map(|part| self.report.nodes[part.number as usize].name.as_str()).collect();
        (names.join(", "), self.parts.iter().map(|part| part.number).collect())
    }
}

/// The sizes of a system before and after a reduction.
fn sizes(whole: &Process, left: &Process) -> CompositionNode {
    CompositionNode {
        states: whole.states(),
        transitions: whole.edges.len() as u64,
        reduced_states: Some(left.states()),
        reduced_transitions: Some(left.edges.len() as u64),
        ..CompositionNode::default()
    }
}
