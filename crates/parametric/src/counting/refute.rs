//! Safety by linear invariants and traps: no state that the constraints allow violates the property.
//!
//! For every control state, the negation of the property is a Boolean combination of inequalities over counters ([`super::translate`]). It
//! is split into cases, an inequality or its negation, until it is false, or the inequalities of the case contradict the constraints on
//! reachable states ([`super::context`]) over non-negative rationals. Every reachable state satisfies the constraints and one of the
//! cases, so if all cases are contradictory, no reachable state violates the property, whatever the number of agents. The tree of cases is
//! the proof; [`super::check`] reads it without this file.
//!
//! Where a solution is left, a trap may exclude it: the largest trap without a token in the solution, if initial states always mark it.
//! The scheme is that of J. Esparza, R. Ledesma-Garza, R. Majumdar, P. Meyer, F. Niksic, *An SMT-based Approach to Coverability Analysis*,
//! CAV 2014, and of Peregrine (M. Blondin, J. Esparza, S. Jaax, CAV 2018; M. Blondin et al., *Towards Efficient Verification of Population
//! Protocols*, PODC 2017), there with an SMT solver; here the solver is [`super::simplex`]. Linear invariants are tried first, because
//! they are easier to read; then the marking equation.

use super::context::{Context, Equation, Trap};
use super::formula::{Atom, Formula, Known};
use super::rational::Rational;
use super::simplex::{Constraint, Farkas, Feasible, feasible};
use super::system::{ControlId, PlaceId, System};
use std::collections::BTreeSet;
use swarmcheck_engine::Control;

/// More cases are not looked at.
const MOST_CASES: usize = 20_000;
/// More traps are not added.
const MOST_TRAPS: usize = 64;

/// Why a condition contradicts constraints.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refutation {
    /// The condition is false in this case.
    False,
    /// The constraints and the inequalities of this case, in this order, have no solution.
    Linear(Farkas),
    /// Either the inequality does not hold, or it does.
    Split(Atom, Box<Refutation>, Box<Refutation>),
}

/// One part of a proof of safety.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The control state.
    pub control: ControlId,
    /// The initial control state.
    pub initial: usize,
    /// How many traps were used.
    pub traps: usize,
    /// Which equation was used.
    pub equation: Equation,
    /// Why the negation of the property contradicts the constraints.
    pub refutation: Refutation,
}

/// Why there is no refutation.
pub enum NoRefutation {
    /// The constraints have this solution.
    Solution(Vec<Rational>),
    /// Too many cases, too large numbers, or interrupted.
    GaveUp,
}

/// Refutes a condition in one control state.
pub fn refute(
    variables: usize,
    base: &[Constraint],
    formula: &Formula,
    control: &Control<'_>,
) -> Result<Refutation, NoRefutation> {
    let mut search = Search { variables, constraints: base.to_vec(), cases: 0, control };
    search.case(formula, &Known::default())
}

struct Search<'a> {
    variables: usize,
    constraints: Vec<Constraint>,
    cases: usize,
    control: &'a Control<'a>,
}

impl Search<'_> {
    fn case(&mut self, formula: &Formula, known: &Known) -> Result<Refutation, NoRefutation> {
        self.cases += 1;
        if self.cases > MOST_CASES || self.control.stopped() {
            return Err(NoRefutation::GaveUp);
        }
        let left = formula.under(known);
        if left == Formula::False {
            return Ok(Refutation::False);
        }
        // What must hold in this case is assumed one after the other before solutions are looked for.
        let forced = match &left {
            Formula::Atom(atom) => Some(atom.clone()),
            Formula::And(parts) => parts.iter().find_map(|part| match part {
                Formula::Atom(atom) => Some(atom.clone()),
                _ => None,
            }),
            _ => None,
        };
        if let Some(atom) = forced {
            let with = self.assuming(&left, known, &atom)?;
            return Ok(Refutation::Split(atom, Box::new(Refutation::False), Box::new(with)));
        }
        match feasible(self.variables, &self.constraints) {
            Feasible::No(farkas) => return Ok(Refutation::Linear(farkas)),
            Feasible::Unknown => return Err(NoRefutation::GaveUp),
            Feasible::Yes(solution) if left == Formula::True => return Err(NoRefutation::Solution(solution)),
            Feasible::Yes(_) => {}
        }
        let Some(atom) = left.first().cloned() else { return Err(NoRefutation::GaveUp) };
        let without = self.assuming(&left, known, &atom.negated())?;
        let with = self.assuming(&left, known, &atom)?;
        Ok(Refutation::Split(atom, Box::new(without), Box::new(with)))
    }

    fn assuming(
        &mut self,
        formula: &Formula,
        known: &Known,
        atom: &Atom,
    ) -> Result<Refutation, NoRefutation> {
        let mut known = known.clone();
        known.assume(atom);
        self.constraints.push(Constraint { terms: atom.terms.clone(), equal: false, bound: atom.least });
        let result = self.case(formula, &known);
        self.constraints.pop();
        result
    }
}

/// What makes a proof of safety.
#[derive(Clone, Debug)]
pub struct Safety {
    /// Traps that are marked.
    pub traps: Vec<Trap>,
    /// All control states.
    pub cases: Vec<Case>,
}

/// Proves that conditions, one for each control state, hold in no reachable state.
pub fn never(context: &Context<'_>, bad: &[Formula], control: &Control<'_>) -> Option<Safety> {
    let mut safety = Safety { traps: vec![], cases: vec![] };
    for (at, formula) in bad.iter().enumerate() {
        for initial in 0..context.system.initial.len() {
            let case = exclude(context, at, initial, formula, &mut safety.traps, control)?;
            safety.cases.push(case);
        }
    }
    Some(safety)
}

/// Refutes a condition in one control state, with as many traps as that needs.
pub fn exclude(
    context: &Context<'_>,
    at: ControlId,
    initial: usize,
    formula: &Formula,
    traps: &mut Vec<Trap>,
    control: &Control<'_>,
) -> Option<Case> {
    // What is easier to read first: without new traps, then with them.
    for (equation, new_traps) in [
        (Equation::Invariants, false),
        (Equation::Marking, false),
        (Equation::Invariants, true),
        (Equation::Marking, true),
    ] {
        loop {
            let base = context.reachable(at, initial, traps, equation);
            match refute(context.variables(), &base, formula, control) {
                Ok(refutation) => {
                    return Some(Case { control: at, initial, traps: traps.len(), equation, refutation });
                }
                Err(NoRefutation::GaveUp) => return None,
                Err(NoRefutation::Solution(_)) if !new_traps || traps.len() >= MOST_TRAPS => break,
                Err(NoRefutation::Solution(solution)) => match trap(context, at, &solution) {
                    Some(trap) => traps.push(trap),
                    None => break,
                },
            }
        }
    }
    None
}

/// A trap that is marked initially, but not in a solution.
fn trap(context: &Context<'_>, at: ControlId, solution: &[Rational]) -> Option<Trap> {
    let system = context.system;
    let places = (0..system.places.len()).filter(|place| solution[*place].is_zero()).collect();
    let controls = (0..system.controls.len()).filter(|control| *control != at).collect();
    let (places, controls) = largest_trap(system, places, controls);
    if places.is_empty() && controls.is_empty() {
        return None;
    }
    let mut marked = vec![];
    for (number, initial) in system.initial.iter().enumerate() {
        if controls.contains(&initial.control) {
            marked.push(None);
            continue;
        }
        match feasible(context.variables(), &unmarked(context, number, &places)) {
            Feasible::No(farkas) => marked.push(Some(farkas)),
            Feasible::Yes(_) | Feasible::Unknown => return None,
        }
    }
    Some(Trap { places, controls, marked })
}

/// Initial states without an agent in these places.
pub fn unmarked(context: &Context<'_>, initial: usize, places: &BTreeSet<PlaceId>) -> Vec<Constraint> {
    let mut out = context.initial(initial);
    let inside = context.system.initial[initial].places.iter().filter(|place| places.contains(place));
    let terms = inside.map(|place| (context.initially(*place), -1)).collect();
    out.push(Constraint { terms, equal: false, bound: 0 });
    out
}

fn largest_trap(
    system: &System,
    mut places: BTreeSet<PlaceId>,
    mut controls: BTreeSet<ControlId>,
) -> (BTreeSet<PlaceId>, BTreeSet<ControlId>) {
    loop {
        let before = (places.len(), controls.len());
        for t in &system.transitions {
            if controls.contains(&t.to) || t.post.iter().any(|place| places.contains(place)) {
                continue;
            }
            controls.remove(&t.from);
            t.pre.iter().for_each(|place| {
                places.remove(place);
            });
        }
        if before == (places.len(), controls.len()) {
            return (places, controls);
        }
    }
}
