//! Cycles that fair executions can stay in.
//!
//! The states that an infinite execution visits infinitely often are strongly connected. It is *weakly* fair if they satisfy
//! each of some conditions somewhere (generalised Büchi), and *strongly* fair if, for each of some pairs of conditions, they
//! satisfy the second somewhere or the first nowhere (Streett). Conversely an execution can visit all states of a strongly
//! connected set for ever. So a fair cycle exists if and only if there is such a set.
//!
//! What a strongly connected set must contain can be read off the component it is in: if the component has no state for a
//! condition, no set in it has. If it lacks the second condition of a pair, the states with the first are in no fair set, and
//! the rest is decomposed again (Emerson and Lei, "Modalities for model checking: branching time logic strikes back", 1987,
//! section 4). Each time states are lost, so there are at most as many rounds as pairs on each branch.
//!
//! There are two conditions per agent or more, so they are not among the conditions of the search, whose truth is kept for
//! all states. They are evaluated here, in the states of components with a cycle.

use crate::codec::Codec;
use crate::components::CyclicComponents;
use crate::graph::Graph;
use crate::store::{Id, Store};
use std::sync::atomic::{AtomicBool, Ordering};
use swarmcheck_ir::ground::{Ground, Runner, Term};
use swarmcheck_ir::{Fault, Program};
use swarmcheck_question::FairConditions;

/// How many conditions there are of each kind. They are numbered: first those that must hold again and again, then for each
/// pair the first and the second.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Demands {
    /// Conditions that must hold again and again.
    pub again: usize,
    /// Pairs: if the first holds again and again, so must the second.
    pub pairs: usize,
}

impl Demands {
    /// How many words the truth of all conditions takes.
    pub fn words(self) -> usize {
        (self.again + 2 * self.pairs).div_ceil(64)
    }

    /// The conditions that are missing where these hold somewhere, and those whose states are in no fair set then.
    fn missing(self, somewhere: &[u64]) -> (Vec<usize>, Vec<usize>) {
        let has = |bit: usize| somewhere[bit / 64] >> (bit % 64) & 1 != 0;
        let mut missing: Vec<usize> = (0..self.again).filter(|&bit| !has(bit)).collect();
        let pairs = (0..self.pairs).map(|pair| self.again + 2 * pair);
        let unmet: Vec<usize> = pairs.filter(|&first| has(first) && !has(first + 1)).collect();
        missing.extend(unmet.iter().map(|first| first + 1));
        (missing, unmet)
    }
}

/// The conditions themselves, in the order of their numbers.
#[derive(Clone, Debug, Default)]
pub struct FairTerms {
    pub demands: Demands,
    terms: Vec<Term>,
}

impl FairTerms {
    /// What questions say, in the program that is searched.
    pub fn new(fair: &FairConditions, program: &Program, ground: &Ground) -> FairTerms {
        let term = |property: usize| ground.condition(program, &program.properties[property].predicate);
        let demands = Demands { again: fair.again.len(), pairs: fair.pairs.len() };
        FairTerms { demands, terms: fair.properties().map(term).collect() }
    }

    /// Whether all infinite executions count.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// A fair cycle of a finished or unfinished search, through states with flags that are inside and one with flags that are
    /// wanted, see [`FairSearch::cycle`].
    pub fn cycle(
        &self,
        found: &Found<'_>,
        inside: impl Fn(u8) -> bool,
        wanted: impl Fn(u8) -> bool,
        depth_of: impl Fn(Id) -> u32,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<Id>>, NoResult> {
        let Found { graph, store, codec } = *found;
        let mut runner = Runner::default();
        let mut state = vec![0; codec.cells()];
        let search = FairSearch {
            graph,
            inside: |id| inside(graph.flags(id)),
            wanted: |id| wanted(graph.flags(id)),
            demands: self.demands,
            evaluate: |id, marks: &mut [u64]| {
                codec.unpack(store.state(id), &mut state);
                for (bit, term) in self.terms.iter().enumerate() {
                    marks[bit / 64] |= u64::from(runner.test(term, &state)?) << (bit % 64);
                }
                Ok(())
            },
            stop,
        };
        search.cycle(depth_of)
    }
}

/// What a search has found.
#[derive(Clone, Copy)]
pub struct Found<'a> {
    pub graph: &'a Graph,
    pub store: &'a Store,
    pub codec: &'a Codec,
}

/// Why a search for a fair cycle has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoResult {
    /// It was told to stop.
    Interrupted,
    /// A condition cannot be evaluated.
    Fault(Fault),
}

/// Where to look for fair cycles.
pub struct FairSearch<'a, I, W, E> {
    pub graph: &'a Graph,
    /// Which states a cycle may go through.
    pub inside: I,
    /// One such state must be on the cycle.
    pub wanted: W,
    pub demands: Demands,
    /// Sets the bits of the conditions that hold in a state; all are zero before.
    pub evaluate: E,
    pub stop: &'a AtomicBool,
}

/// A component that is fair, and what holds in its states.
struct Fair {
    /// Sorted.
    states: Vec<Id>,
    /// For each of them the words of its conditions.
    marks: Vec<u64>,
    /// The state that is reached first in breadth-first order.
    first: (u32, Id),
}

impl<I, W, E> FairSearch<'_, I, W, E>
where
    I: Fn(Id) -> bool,
    W: Fn(Id) -> bool,
    E: FnMut(Id, &mut [u64]) -> Result<(), Fault>,
{
    /// A fair cycle, from the earliest state in breadth-first order that is in a fair component, and short: it goes to the
    /// nearest state that is needed next. The first state is at both ends.
    pub fn cycle(self, depth_of: impl Fn(Id) -> u32) -> Result<Option<Vec<Id>>, NoResult> {
        let FairSearch { graph, inside, wanted, demands, mut evaluate, stop } = self;
        let words = demands.words();
        let mut components = CyclicComponents::new(graph, inside, stop);
        let mut found = vec![];
        components.all(|component| found.push(component)).ok_or(NoResult::Interrupted)?;
        let mut best: Option<Fair> = None;
        let mut place: Vec<u32> = vec![0; graph.numbers()];
        for component in found {
            if !component.iter().any(|&id| wanted(id)) {
                continue;
            }
            let mut marks = vec![0; component.len() * words];
            for (number, &id) in component.iter().enumerate() {
                if number % 4096 == 4095 && stop.load(Ordering::Relaxed) {
                    return Err(NoResult::Interrupted);
                }
                place[id.0 as usize] = number as u32;
                evaluate(id, &mut marks[number * words..][..words]).map_err(NoResult::Fault)?;
            }
            let of = |id: Id| &marks[place[id.0 as usize] as usize * words..][..words];
            let mut todo = vec![component];
            while let Some(mut states) = todo.pop() {
                if !states.iter().any(|&id| wanted(id)) {
                    continue;
                }
                let (missing, unmet) = demands.missing(&union(words, states.iter().map(|&id| of(id))));
                if missing.is_empty() {
                    let first = states.iter().map(|&id| (depth_of(id), id)).min();
                    let Some(first) = first else { continue };
                    if best.as_ref().is_none_or(|best| first < best.first) {
                        states.sort_unstable();
                        let marks = states.iter().flat_map(|&id| of(id)).copied().collect();
                        best = Some(Fair { states, marks, first });
                    }
                } else if missing.len() == unmet.len() {
                    states.retain(|&id| unmet.iter().all(|&bit| of(id)[bit / 64] >> (bit % 64) & 1 == 0));
                    components.within(&states, |part| todo.push(part)).ok_or(NoResult::Interrupted)?;
                }
            }
        }
        best.map(|fair| fair.tour(graph, demands, wanted)).transpose()
    }
}

impl Fair {
    /// A cycle through a fair component that is fair itself.
    fn tour(
        &self,
        graph: &Graph,
        demands: Demands,
        is_wanted: impl Fn(Id) -> bool,
    ) -> Result<Vec<Id>, NoResult> {
        let words = demands.words();
        let place = |id: Id| self.states.binary_search(&id).ok();
        let of = |id: Id| place(id).map_or(&[][..], |at| &self.marks[at * words..][..words]);
        let start = self.first.1;
        let mut tour = vec![start];
        let mut seen = union(words, [of(start)].into_iter());
        let mut wanted = is_wanted(start);
        loop {
            let (missing, _) = demands.missing(&seen);
            let at = tour[tour.len() - 1];
            let complete = missing.is_empty() && wanted;
            if complete && at == start && tour.len() > 1 {
                return Ok(tour);
            }
            let needed = |id: Id| {
                let helps = || missing.iter().any(|&bit| of(id)[bit / 64] >> (bit % 64) & 1 != 0);
                if complete { id == start } else { helps() || (!wanted && is_wanted(id)) }
            };
            let inside = |id: Id| place(id).is_some();
            // A fair component is connected, and has a state for everything that is needed.
            let way = graph.way(at, |id| inside(id) && needed(id), inside);
            let way = way.ok_or(NoResult::Interrupted)?;
            for &id in &way[1..] {
                seen.iter_mut().zip(of(id)).for_each(|(seen, mark)| *seen |= mark);
                wanted |= is_wanted(id);
                tour.push(id);
            }
        }
    }
}

/// The conditions that hold in some state.
fn union<'m>(words: usize, marks: impl Iterator<Item = &'m [u64]>) -> Vec<u64> {
    let mut out = vec![0; words];
    for mark in marks {
        out.iter_mut().zip(mark).for_each(|(all, mark)| *all |= mark);
    }
    out
}

#[cfg(test)]
mod tests;
