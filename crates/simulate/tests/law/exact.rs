//! The law in fractions, by going through everything.

use super::State;
use std::collections::BTreeMap;
use swarmcheck_ir::flat::{Chooser, Flat, Machine, Outcome};
use swarmcheck_simulate::Scheduler;

/// A fraction of whole numbers without common factors.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fraction(u128, u128);

impl Fraction {
    pub const ZERO: Fraction = Fraction(0, 1);

    pub fn new(numerator: u128, denominator: u128) -> Fraction {
        let (mut a, mut b) = (numerator, denominator);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Fraction(numerator / a, denominator / a)
    }

    pub fn plus(self, other: Fraction) -> Fraction {
        Fraction::new(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }

    pub fn times(self, other: Fraction) -> Fraction {
        Fraction::new(self.0 * other.0, self.1 * other.1)
    }

    pub fn over(self, other: Fraction) -> Fraction {
        Fraction::new(self.0 * other.1, self.1 * other.0)
    }

    pub fn value(self) -> f64 {
        self.0 as f64 / self.1 as f64
    }
}

/// Takes given alternatives, then the first ones, and notes how many there were.
struct Guided<'g> {
    given: &'g [u64],
    of: Vec<u64>,
}

impl Chooser for Guided<'_> {
    fn choose(&mut self, n: u64) -> u64 {
        self.of.push(n);
        self.given.get(self.of.len() - 1).copied().unwrap_or(0)
    }
}

/// The states that some choices lead to, with their probabilities if stuck ones do not count; empty if all get stuck.
pub fn resolved(
    run: &mut dyn FnMut(&mut State, &mut dyn Chooser) -> Outcome,
    before: &State,
) -> BTreeMap<State, Fraction> {
    let mut found: BTreeMap<State, Fraction> = BTreeMap::new();
    // Beginnings of sequences whose next choices are still to be made.
    let mut open: Vec<Vec<u64>> = vec![vec![]];
    while let Some(given) = open.pop() {
        let mut state = before.clone();
        let mut guided = Guided { given: &given, of: vec![] };
        let outcome = run(&mut state, &mut guided);
        let of = guided.of;
        if of.len() > given.len() {
            // One more choice than was given: each of its alternatives is gone into.
            open.extend((0..of[given.len()]).map(|choice| [&given[..], &[choice]].concat()));
            continue;
        }
        match outcome {
            Outcome::Done => {
                let weight =
                    of.iter().fold(Fraction::new(1, 1), |w, n| w.times(Fraction::new(1, u128::from(*n))));
                let sum = found.entry(state).or_insert(Fraction::ZERO);
                *sum = sum.plus(weight);
            }
            Outcome::Disabled => {}
            Outcome::Fault(fault) => panic!("{fault:?}"),
        }
    }
    let all = found.values().fold(Fraction::ZERO, |sum, weight| sum.plus(*weight));
    found.values_mut().for_each(|weight| *weight = weight.over(all));
    found
}

/// The distribution of the next state, and the sum of the rates of what is enabled.
pub fn next(flat: &Flat, scheduler: &Scheduler, state: &State) -> (BTreeMap<State, Fraction>, Fraction) {
    let mut machine = Machine::new(flat);
    let enabled: Vec<_> = (0..flat.instances())
        .map(|number| flat.instance(number))
        .map(|at| (at, resolved(&mut |state, chooser| machine.step(flat, at, state, chooser), state)))
        .filter(|(_, states)| !states.is_empty())
        .collect();
    let mut agents: BTreeMap<u32, u128> = BTreeMap::new();
    for (at, _) in &enabled {
        *agents.entry(at.agent).or_default() += 1;
    }
    let weight = |at: &swarmcheck_ir::flat::Instance| match scheduler {
        Scheduler::Steps | Scheduler::Any => Fraction::new(1, 1),
        Scheduler::Agents => Fraction::new(1, agents[&at.agent]),
        Scheduler::Rates(rates) => {
            let rate = rates.of[at.function as usize][flat.program.kind_of(at.agent).0 as usize];
            Fraction::new(u128::from(rate.numerator), u128::from(rate.denominator))
        }
    };
    let total = enabled.iter().fold(Fraction::ZERO, |sum, (at, _)| sum.plus(weight(at)));
    let mut all: BTreeMap<State, Fraction> = BTreeMap::new();
    for (at, states) in &enabled {
        for (next, share) in states {
            let sum = all.entry(next.clone()).or_insert(Fraction::ZERO);
            *sum = sum.plus(weight(at).over(total).times(*share));
        }
    }
    (all, total)
}
