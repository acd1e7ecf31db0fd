//! Which two parts are put together next.
//!
//! *Smart* composition (Crouzen and Lang, *Smart reduction*, FASE 2011) takes the two parts that promise the smallest result: few
//! states, many transitions that need nobody else any more (they become invisible, and the reduction can remove them), and few
//! that interleave without meeting. An estimate is often wrong about what a reduction removes. Where both parts are small,
//! nothing is estimated: all compositions of parts that meet are made, and the one that is the smallest compared with its parts
//! is taken. So cells of a chain become complete before they are joined, and what meets both ends of the chain waits.

use crate::assemble::{Assembled, Assembly, Composed, Part, SMALL};
use crate::label::{Labels, TAU};
use crate::plan::{NoWhole, Order};
use crate::process::Process;
use std::collections::{BTreeSet, HashMap};

/// How much larger a composition of parts that never meet is taken to be.
const APART: f64 = 100.0;

/// Parts with more states together, if they never wait for each other, are not tried.
const LOOK: u64 = 4_000;

/// Gates at which more parts meet do not tell who belongs together.
const CROWD: usize = 6;

/// After so many transitions that were made in vain, nothing is tried any more.
const IN_VAIN: usize = 2_000_000;

/// Compositions of small parts that were made to see how large they are, by the numbers of their parts. None where one is too
/// large.
#[derive(Default)]
pub struct Trials {
    known: HashMap<(u32, u32), Option<Composed>>,
    transitions: usize,
}

impl Assembly<'_> {
    /// The two small parts whose composition is the smallest compared with them, and that composition; none if no small parts
    /// meet.
    pub fn smallest(
        &mut self,
        all: &Assembled,
        trials: &mut Trials,
    ) -> Result<Option<(usize, usize, Composed)>, NoWhole> {
        if self.plan.order == Order::Given {
            return Ok(None);
        }
        let mut best = None;
        let mut least = f64::INFINITY;
        for (a, b) in self.meeting(&all.parts) {
            let (first, second) = (&all.parts[a], &all.parts[b]);
            let (x, y) = (u64::from(first.process.states()), u64::from(second.process.states()));
            if x * y > LOOK {
                continue;
            }
            let key = (first.number, second.number);
            if !trials.known.contains_key(&key) {
                if trials.transitions > IN_VAIN {
                    continue;
                }
                let composed = self.composed(first, second, all, SMALL)?;
                trials.transitions +=
                    composed.as_ref().map_or(SMALL, |made| made.quotient.process.edges.len());
                trials.known.insert(key, composed);
            }
            if let Some(Some(composed)) = trials.known.get(&key) {
                let growth = f64::from(composed.quotient.process.states()) / (x + y) as f64;
                if growth < least {
                    (least, best) = (growth, Some((a, b)));
                }
            }
        }
        let Some((a, b)) = best else { return Ok(None) };
        let (first, second) = (all.parts[a].number, all.parts[b].number);
        let composed = trials.known.remove(&(first, second)).flatten();
        let gone = |number: u32| number == first || number == second;
        trials.known.retain(|(one, other), _| !gone(*one) && !gone(*other));
        Ok(composed.map(|composed| {
            trials.transitions -= composed.quotient.process.edges.len().min(trials.transitions);
            (a, b, composed)
        }))
    }

    /// Pairs of parts that meet at some gate where few do, by their places.
    fn meeting(&self, parts: &[Part]) -> BTreeSet<(usize, usize)> {
        let mut at: HashMap<u32, Vec<usize>> = HashMap::new();
        for (place, part) in parts.iter().enumerate() {
            for (gate, _) in &part.weight.gates {
                if self.labels.gates[*gate as usize].instance.is_some() {
                    at.entry(*gate).or_default().push(place);
                }
            }
        }
        let few = at.into_values().filter(|who| who.len() <= CROWD);
        let pairs = |who: Vec<usize>| {
            let after = |first: usize| who[first + 1..].iter().map(move |b| (first, *b));
            let pairs: Vec<(usize, usize)> =
                (0..who.len()).flat_map(after).map(|(first, b)| (who[first], b)).collect();
            pairs
        };
        few.flat_map(pairs).collect()
    }

    /// The two parts that promise the smallest result, the smaller number first.
    pub fn promising(&self, parts: &[Part], may: &dyn Fn(u32, u32) -> bool) -> Option<(usize, usize)> {
        if self.plan.order == Order::Given {
            return (parts.len() > 1 && may(parts[0].number, parts[1].number)).then_some((0, 1));
        }
        let mut best = None;
        let mut least = f64::INFINITY;
        for a in 0..parts.len() {
            for b in (a + 1..parts.len()).filter(|b| may(parts[a].number, parts[*b].number)) {
                let promise = self.promise(&parts[a], &parts[b]);
                if promise < least {
                    (least, best) = (promise, Some((a, b)));
                }
            }
        }
        best
    }

    /// An estimate of how large two parts are together, after the reduction.
    fn promise(&self, a: &Part, b: &Part) -> f64 {
        let all = (a.weight.all + b.weight.all).max(1) as f64;
        let (mut met, mut hidden) = (0, 0);
        for (own, other) in [(a, b), (b, a)] {
            let (own, other, weight) = (&own.process, &other.process, &own.weight);
            for &(gate, count) in &weight.gates {
                let participants = &self.labels.gates[gate as usize].participants;
                // Everybody meets at the beginning.
                if self.labels.gates[gate as usize].instance.is_none() {
                    continue;
                }
                if participants.iter().any(|p| other.members.contains(p.process)) {
                    met += count;
                    let inside = |process| own.members.contains(process) || other.members.contains(process);
                    if participants.iter().all(|p| inside(p.process)) {
                        hidden += count;
                    }
                }
            }
        }
        let states = f64::from(a.process.states()) * f64::from(b.process.states());
        // Parts that never meet are only multiplied; what is hidden can be reduced.
        let apart = if met == 0 { APART } else { 2.0 - met as f64 / all };
        states * apart * (1.0 - 0.9 * hidden as f64 / all)
    }
}

/// How many transitions of a part wait at which gates.
pub struct Weight {
    /// All transitions.
    all: usize,
    /// Gates, with how many wait there.
    gates: Vec<(u32, usize)>,
}

impl Weight {
    /// Counts them.
    pub fn new(process: &Process, labels: &Labels) -> Weight {
        let mut gates: HashMap<u32, usize> = HashMap::new();
        for (label, _) in process.edges.iter().filter(|(label, _)| *label != TAU) {
            if let Some(gate) = labels.gate_of(*label) {
                *gates.entry(gate).or_default() += 1;
            }
        }
        let mut gates: Vec<(u32, usize)> = gates.into_iter().collect();
        gates.sort_unstable();
        Weight { all: process.edges.len(), gates }
    }
}
