//! Proofs by evaluation: a term or a piece of code is run for all values of all that it touches, in a state and in its
//! image.

use super::axes::{Axes, Known, Map};
use super::families::Families;
use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_ir::Value;
use swarmcheck_ir::flat::{Enumerate, Outcome};
use swarmcheck_ir::ground::{Act, Block, Ground, Runner, Term, Touched, is_safe, parts, reads};

/// Pieces with more results in one state than this are not looked into.
const MOST_RESULTS: usize = 512;
/// More values of a local than this are not remembered.
const MOST_LOCAL: usize = 256;

/// A result of running a piece: the values of the slots it touches and of the locals that matter; `None` is an error.
type Ended = Option<Vec<Value>>;

/// Runs code on all values.
pub(super) struct Prover<'a> {
    pub families: &'a Families,
    pub ground: &'a Ground,
    runner: Runner,
    choices: Enumerate,
    /// A state and its image.
    here: Vec<Value>,
    there: Vec<Value>,
    /// How many runs there were, for all proofs together.
    runs: u64,
    /// How many there may be.
    budget: u64,
}

impl<'a> Prover<'a> {
    pub fn new(families: &'a Families, ground: &'a Ground, budget: u64) -> Prover<'a> {
        Prover {
            families,
            ground,
            runner: Runner::default(),
            choices: Enumerate::default(),
            here: vec![0; ground.width()],
            there: vec![0; ground.width()],
            runs: 0,
            budget,
        }
    }

    /// Whether the budget of runs is spent: then nothing is proved any more.
    pub fn exhausted(&self) -> bool {
        self.runs > self.budget
    }

    /// Whether a term has the same value, or an error, in every state and in its image.
    pub fn invariant(&mut self, map: &Map, term: &Term, known: &Known) -> bool {
        if !reads(term, self.ground.width()).iter().any(|&slot| map.moves(slot)) {
            return true;
        }
        let below = parts(term);
        if !below.is_empty() && below.iter().all(|part| self.invariant(map, part, known)) {
            return true;
        }
        self.same_value(map, term, known) || self.same_in_groups(map, term, known)
    }

    /// The same by evaluation.
    fn same_value(&mut self, map: &Map, term: &Term, known: &Known) -> bool {
        let touched = Touched::by_code(std::slice::from_ref(term), &[], self.ground.width());
        let Some(mut axes) = Axes::new(self.families, self.ground, map, &touched, known, &[]) else {
            return false;
        };
        loop {
            axes.place(map, &mut self.here, &mut self.there);
            axes.place_locals(self.runner.locals());
            let here = self.runner.evaluate(term, &self.here);
            let there = self.runner.evaluate(term, &self.there);
            self.runs += 1;
            if here.ok() != there.ok() || self.exhausted() {
                return false;
            }
            if !axes.advance() {
                return true;
            }
        }
    }

    /// Many conditions of which each must hold, or one, or which are counted, fall into groups that the map keeps
    /// together: those about the headings of two agents, say. Where there are no errors their order does not matter,
    /// so it is enough that what each group says stays the same.
    fn same_in_groups(&mut self, map: &Map, term: &Term, known: &Known) -> bool {
        let (Term::And(all) | Term::Or(all) | Term::Count(all)) = term else { return false };
        if !all.iter().all(is_safe) {
            return false;
        }
        let mut groups: BTreeMap<Vec<u32>, Vec<Term>> = BTreeMap::new();
        for part in all {
            let slots = map.closed(reads(part, self.ground.width()));
            groups.entry(slots).or_default().push(part.clone());
        }
        // A single group is the term again.
        groups.len() > 1
            && groups.into_values().all(|group| {
                let group = match term {
                    Term::And(_) => Term::And(group.into()),
                    Term::Or(_) => Term::Or(group.into()),
                    _ => Term::Count(group.into()),
                };
                self.invariant(map, &group, known)
            })
    }

    /// Whether a piece of code does in every image what it does in the state, mapped; by evaluation. If so, notes what is
    /// known afterwards of the locals that it writes. `later` are those that are read after it: they must be the same.
    pub fn same_results(
        &mut self,
        map: &Map,
        acts: &[Act],
        touched: &Touched,
        known: &mut Known,
        later: &BTreeSet<u32>,
    ) -> bool {
        if acts.iter().any(is_delicate) {
            return false;
        }
        let kept: Vec<u32> = touched.local_writes.iter().filter(|l| later.contains(l)).copied().collect();
        let Some(mut axes) = Axes::new(self.families, self.ground, map, touched, known, &kept) else {
            return false;
        };
        let all = touched.local_reads.iter().chain(&touched.local_writes);
        let block = Block::of(acts, all.max().map_or(0, |local| local + 1));
        let mut seen: Vec<BTreeSet<Value>> = vec![BTreeSet::new(); kept.len()];
        loop {
            axes.place(map, &mut self.here, &mut self.there);
            let Some(here) = self.results(&block, &axes, &kept, false) else { return false };
            let Some(there) = self.results(&block, &axes, &kept, true) else { return false };
            let image = |values: &Vec<Value>| {
                let mut out = values.clone();
                for (&slot, &value) in axes.slots.iter().zip(values) {
                    let (to, value) = map.image(slot, value);
                    if let Ok(at) = axes.slots.binary_search(&to) {
                        out[at] = value;
                    }
                }
                out
            };
            let mapped: BTreeSet<Ended> = here.iter().map(|ended| ended.as_ref().map(image)).collect();
            if mapped != there {
                return false;
            }
            for values in here.iter().flatten() {
                let locals = seen.iter_mut().zip(&values[axes.slots.len()..]);
                locals.for_each(|(seen, value)| _ = seen.insert(*value));
            }
            if !axes.advance() {
                break;
            }
        }
        touched.local_writes.iter().for_each(|local| _ = known.insert(*local, None));
        for (local, values) in kept.into_iter().zip(seen) {
            known.insert(local, Some(values).filter(|values| values.len() <= MOST_LOCAL));
        }
        true
    }

    /// All results of running a block in the current state, or in its image; `None` if they are too many.
    fn results(
        &mut self,
        block: &Block,
        axes: &Axes,
        kept: &[u32],
        in_image: bool,
    ) -> Option<BTreeSet<Ended>> {
        let mut out = BTreeSet::new();
        let state = if in_image { &mut self.there } else { &mut self.here };
        self.choices.reset();
        for _ in 0..MOST_RESULTS {
            swarmcheck_ir::cancel::check();
            // A run may overwrite the locals that it found, and must not find those of the run before it.
            self.runner.locals().fill(0);
            axes.place_locals(self.runner.locals());
            match self.runner.run(block, state, &mut self.choices) {
                Outcome::Disabled => {}
                Outcome::Fault(_) => _ = out.insert(None),
                Outcome::Done => {
                    let mut values: Vec<Value> =
                        axes.slots.iter().map(|&slot| state[slot as usize]).collect();
                    let locals = self.runner.locals();
                    values.extend(kept.iter().filter_map(|&local| locals.get(local as usize)));
                    out.insert(Some(values));
                }
            }
            self.runner.undo(state);
            self.runs += 1;
            if self.runs > self.budget {
                return None;
            }
            if !self.choices.advance() {
                return Some(out);
            }
        }
        None
    }
}

/// Code that must not be run on unreachable values: copies between agents that may not exist, ranks that are not dense.
fn is_delicate(act: &Act) -> bool {
    match act {
        Act::CopyBetween { .. } | Act::Rank(_) => true,
        Act::If(_, yes, no) => yes.iter().chain(no).any(is_delicate),
        Act::Choose(branches) => branches.iter().flat_map(|(_, body)| body).any(is_delicate),
        _ => false,
    }
}
