//! What is known of all reachable states: linear constraints for a control state and an initial control state.
//!
//! Variables are the counters of places now, the counters initially, and the numbers of agents of all kinds. The constraints hold in every
//! reachable state of every member: initial agents are in initial places and as many as there are; linear invariants have the value that
//! they had initially; traps that were marked initially are marked. Where linear invariants are not enough, the *marking equation* takes
//! their place (Murata, section IV.B): the counters now are the counters initially plus the sum of the changes of all transitions that
//! were fired, each a number of times that is at least 0. It implies all linear invariants, and also weights that never decrease.

use super::invariants::Invariant;
use super::simplex::{Constraint, Farkas};
use super::system::{ControlId, PlaceId, System};
use crate::family::Family;
use std::collections::BTreeSet;
use swarmcheck_ir::KindId;

/// `Σ coefficient · number of agents of a kind ≥ least`: what the user says of open numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SizeConstraint {
    /// Kinds with coefficients.
    pub terms: Vec<(KindId, i64)>,
    /// The bound.
    pub least: i64,
}

impl SizeConstraint {
    /// Fewer agents of one kind than of another.
    pub fn fewer(one: KindId, other: KindId) -> SizeConstraint {
        SizeConstraint { terms: vec![(other, 1), (one, -1)], least: 1 }
    }

    /// Whether numbers of agents, by kind, satisfy it.
    pub fn holds(&self, counts: impl Fn(KindId) -> i64) -> bool {
        self.terms.iter().map(|(kind, factor)| factor.saturating_mul(counts(*kind))).sum::<i64>()
            >= self.least
    }
}

/// Places and control states of which one is always marked: each transition that takes a token out puts one in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trap {
    /// The places.
    pub places: BTreeSet<PlaceId>,
    /// The control states.
    pub controls: BTreeSet<ControlId>,
    /// For each initial control state outside of the trap: why an initial place in it has an agent.
    pub marked: Vec<Option<Farkas>>,
}

/// What relates counters to those of initial states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Equation {
    /// Linear invariants.
    Invariants,
    /// The marking equation.
    Marking,
}

/// All that proofs about one family and its sizes need.
pub struct Context<'a> {
    /// The counter system.
    pub system: &'a System,
    /// By kind: the smallest number of agents, and whether it is the only one.
    pub kinds: Vec<(i64, bool)>,
    /// What the user says of the numbers.
    pub sizes: &'a [SizeConstraint],
    /// Linear invariants.
    pub invariants: Vec<Invariant>,
}

impl<'a> Context<'a> {
    /// The context of a family.
    pub fn new(
        system: &'a System,
        family: &Family,
        sizes: &'a [SizeConstraint],
        invariants: Vec<Invariant>,
    ) -> Context<'a> {
        let kind = |(number, kind): (u32, &swarmcheck_ir::AgentKind)| {
            let open = family.open.iter().find(|(open, _)| open.0 == number);
            open.map_or((i64::from(kind.count), true), |(_, low)| (i64::from(*low), false))
        };
        let kinds = (0..).zip(&family.base().kinds).map(kind).collect();
        Context { system, kinds, sizes, invariants }
    }

    /// How many variables constraints have.
    pub fn variables(&self) -> usize {
        2 * self.system.places.len() + self.kinds.len() + self.system.transitions.len()
    }

    /// The variable of an initial counter.
    pub fn initially(&self, place: PlaceId) -> usize {
        self.system.places.len() + place
    }

    fn size(&self, kind: usize) -> usize {
        2 * self.system.places.len() + kind
    }

    /// Initial states with this control state.
    pub fn initial(&self, initial: usize) -> Vec<Constraint> {
        let places = &self.system.initial[initial].places;
        let mut out = vec![];
        for (kind, (low, fixed)) in self.kinds.iter().enumerate() {
            let own = places.iter().filter(|p| self.system.places[**p].kind.0 as usize == kind);
            let mut terms: Vec<(usize, i64)> = own.map(|place| (self.initially(*place), 1)).collect();
            terms.push((self.size(kind), -1));
            let split = self.system.named(self.system.initial[initial].control, KindId(kind as u32));
            out.push(Constraint { terms, equal: true, bound: -split });
            out.push(Constraint { terms: vec![(self.size(kind), 1)], equal: *fixed, bound: *low });
        }
        for constraint in self.sizes {
            let terms = constraint.terms.iter().map(|(kind, factor)| (self.size(kind.0 as usize), *factor));
            out.push(Constraint { terms: merged(terms), equal: false, bound: constraint.least });
        }
        out
    }

    fn invariant(&self, number: usize, control: ControlId, initial: usize) -> Constraint {
        let (invariant, from) = (&self.invariants[number], &self.system.initial[initial]);
        let weight = |place: &PlaceId| invariant.places[*place];
        let now = self.system.together[control].iter().map(|place| (*place, weight(place)));
        let before = from.places.iter().map(|place| (self.initially(*place), -weight(place)));
        let terms = now.chain(before).filter(|(_, factor)| *factor != 0).collect();
        let bound = invariant.controls[from.control] - invariant.controls[control];
        Constraint { terms, equal: true, bound }
    }

    /// The numbers of the invariants that say something about these control states.
    pub fn rows(&self, control: ControlId, initial: usize) -> Vec<usize> {
        let says = |number: &usize| {
            let row = self.invariant(*number, control, initial);
            !row.terms.is_empty() || row.bound != 0
        };
        (0..self.invariants.len()).filter(says).collect()
    }

    /// The marking equation: a row for each place, then one for each control state.
    fn marking_equation(&self, control: ControlId, initial: usize, out: &mut Vec<Constraint>) {
        let system = self.system;
        let from = &system.initial[initial];
        let first = 2 * system.places.len() + self.kinds.len();
        let mut places: Vec<Vec<(usize, i64)>> = vec![vec![]; system.places.len()];
        let mut controls: Vec<Vec<(usize, i64)>> = vec![vec![]; system.controls.len()];
        system.together[control].iter().for_each(|place| places[*place].push((*place, 1)));
        from.places.iter().for_each(|place| places[*place].push((self.initially(*place), -1)));
        for (number, t) in system.transitions.iter().enumerate() {
            let fired = first + number;
            for place in t.places() {
                places[place].push((fired, -t.change(place)));
            }
            controls[t.to].push((fired, -1));
            controls[t.from].push((fired, 1));
        }
        let row = |terms, bound| Constraint { terms: merged(terms), equal: true, bound };
        out.extend(places.into_iter().map(|terms| row(terms, 0)));
        for (number, terms) in controls.into_iter().enumerate() {
            let change = i64::from(number == control) - i64::from(number == from.control);
            out.push(row(terms, -change));
        }
    }

    /// Reachable states with this control state, from initial states with that one.
    pub fn reachable(
        &self,
        control: ControlId,
        initial: usize,
        traps: &[Trap],
        equation: Equation,
    ) -> Vec<Constraint> {
        let mut out = self.initial(initial);
        let here = &self.system.together[control];
        match equation {
            Equation::Invariants => {
                for number in self.rows(control, initial) {
                    out.push(self.invariant(number, control, initial));
                }
            }
            Equation::Marking => self.marking_equation(control, initial, &mut out),
        }
        for trap in traps.iter().filter(|trap| !trap.controls.contains(&control)) {
            let inside = here.iter().filter(|place| trap.places.contains(place));
            let terms = inside.map(|place| (*place, 1)).collect();
            out.push(Constraint { terms, equal: false, bound: 1 });
        }
        out
    }
}

/// Terms in which each variable occurs once.
pub fn merged(terms: impl IntoIterator<Item = (usize, i64)>) -> Vec<(usize, i64)> {
    super::formula::Atom::new(terms, 0).terms
}
