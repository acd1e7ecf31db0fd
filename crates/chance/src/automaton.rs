//! Probabilities of formulas of linear time: the product of a process with a deterministic Rabin automaton (C. Baier and J.-P.
//! Katoen, "Principles of Model Checking", MIT Press 2008, sections 10.3 and 10.6.4).
//!
//! A state of the product is a state of the process with the state of the automaton *before* it reads that state. So the letter
//! that is read, and with it what the automaton says of its pairs, belongs to the state of the product, and acceptance
//! on transitions of the automaton is acceptance on states of the product.
//!
//! The automaton is deterministic, so a run of the process is one run of the product, with the same probability, and schedulers
//! correspond to each other. A run of the product stays in an end component in the end and sees all of it again and
//! again, almost surely. A scheduler that can choose gets a pair met for ever from exactly those states that lie in an end component in
//! which the pair holds everywhere and is met somewhere. Hence
//!
//! * the maximum is the maximal probability to reach the union of these components over all pairs;
//! * the minimum of a formula is 1 minus the maximum of its negation, which has an automaton of its own;
//! * in a chain there is nothing to choose, and the end components are the bottom components.
//!
//! Where everything that follows is accepted, or nothing, the process is not followed any more: these states are one
//! each. So formulas that a prefix decides become questions of reachability.
//!
//! A run that stops rests: deadlocks are rows that lead back to them. Where resting changes what is observed (the atoms of steps become
//! false), the program needs the step of resting: see `swarmcheck_passes::linear::resting`.

#[cfg(test)]
mod tests;

use crate::answer::{Answer, Bounds, Fraction, Settings, SolveError};
use crate::bits::Bits;
use crate::graph::end_components;
use crate::path::{Optimum, Path, probability};
use crate::process::{NO_ACTION, Process, ProcessBuilder};
use num_traits::One;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;
use swarmcheck_ir::{Expr, Linear};
use swarmcheck_logic::linear::deterministic::{Edge, Limits, Rabin, TooLarge};

/// How large the product may become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FormulaLimits {
    /// Of the automata.
    pub automaton: Limits,
    /// States of the product.
    pub states: usize,
}

impl Default for FormulaLimits {
    fn default() -> FormulaLimits {
        FormulaLimits { automaton: Limits::default(), states: 20_000_000 }
    }
}

/// Why there is no probability of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormulaError {
    /// The formula has no small automaton.
    Automaton(TooLarge),
    /// The product has more states than this.
    States(usize),
    /// The product is there, but no number.
    Solve(SolveError),
}

impl From<TooLarge> for FormulaError {
    fn from(why: TooLarge) -> FormulaError {
        FormulaError::Automaton(why)
    }
}

impl From<SolveError> for FormulaError {
    fn from(why: SolveError) -> FormulaError {
        FormulaError::Solve(why)
    }
}

impl fmt::Display for FormulaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormulaError::Automaton(TooLarge::Atoms(atoms)) => {
                write!(f, "the formula has {atoms} different conditions, which is too many for an automaton")
            }
            FormulaError::Automaton(TooLarge::Buchi(states)) => {
                write!(f, "the Büchi automaton of the formula has more than {states} states")
            }
            FormulaError::Automaton(TooLarge::States(states)) => {
                write!(f, "the deterministic automaton of the formula has more than {states} states")
            }
            FormulaError::States(states) => {
                write!(f, "the product of process and automaton has more than {states} states")
            }
            FormulaError::Solve(why) => write!(f, "{why}"),
        }
    }
}

/// A formula over numbers, and the condition for each of them.
pub fn numbered(formula: &Linear<Expr>) -> (Linear<usize>, Vec<Expr>) {
    let mut atoms: Vec<Expr> = vec![];
    let formula = formula.map(&mut |e| {
        let known = atoms.iter().position(|a| a == e);
        known.unwrap_or_else(|| {
            atoms.push(e.clone());
            atoms.len() - 1
        })
    });
    (formula, atoms)
}

/// The probability of a formula from the initial distribution. `atoms` has for each atom the states in which it holds.
///
/// # Errors
/// If automaton or product are too large, the process has decisions and the optimum is that of a chain, or no numbers are found.
pub fn formula_probability(
    process: &Process,
    formula: &Linear<usize>,
    atoms: &[Bits],
    optimum: Optimum,
    limits: &FormulaLimits,
    settings: &Settings,
    stopped: &dyn Fn() -> bool,
) -> Result<Answer, FormulaError> {
    if optimum == Optimum::Chain && !process.is_chain() {
        return Err(SolveError::NotAChain.into());
    }
    if optimum == Optimum::Min {
        let opposite = Linear::not(formula.clone());
        let most = formula_probability(process, &opposite, atoms, Optimum::Max, limits, settings, stopped)?;
        return Ok(complement(most));
    }
    let product = formula_product(process, formula, atoms, limits, stopped)?;
    let goal = Path::eventually(product.accepted, None);
    Ok(probability(&product.process, &goal, optimum, settings, stopped)?)
}

/// 1 minus a probability, rounded outward.
fn complement(answer: Answer) -> Answer {
    // The difference is exact if nothing is lost by adding again; otherwise the next number is far enough.
    let down =
        |value: f64| if 1.0 - (1.0 - value) == value { 1.0 - value } else { (1.0 - value).next_down() };
    let up = |value: f64| if 1.0 - (1.0 - value) == value { 1.0 - value } else { (1.0 - value).next_up() };
    let bounds =
        Bounds { low: down(answer.bounds.high).clamp(0.0, 1.0), high: up(answer.bounds.low).clamp(0.0, 1.0) };
    let fraction = answer.fraction.map(|Fraction(value)| Fraction(num_rational::BigRational::one() - value));
    Answer { bounds, fraction }
}

/// The product of a process with the automaton of a formula.
#[derive(Clone, PartialEq, Debug)]
pub struct FormulaProduct {
    /// It has the rows of the process, without rates.
    pub process: Process,
    /// The states from which the best scheduler satisfies the formula almost surely because it stays in an accepting end
    /// component. Reaching them is what has to be made likely.
    pub accepted: Bits,
}

/// A state of the product.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum At {
    /// A state of the process and one of the automaton.
    Both(u32, u32),
    /// Everything that follows is accepted.
    Accepted,
    /// Nothing that follows is accepted.
    Rejected,
}

/// How often the flag is looked at.
const ROUNDS: usize = 1 << 12;

/// The product of a process with the automaton of a formula.
///
/// # Errors
/// If automaton or product are too large, or the sets are not about the states of the process.
pub fn formula_product(
    process: &Process,
    formula: &Linear<usize>,
    atoms: &[Bits],
    limits: &FormulaLimits,
    stopped: &dyn Fn() -> bool,
) -> Result<FormulaProduct, FormulaError> {
    let mut automaton = Rabin::new(formula, limits.automaton)?;
    let mut used = vec![];
    formula.atoms(&mut used);
    if used.iter().any(|atom| **atom >= atoms.len()) || atoms.iter().any(|set| set.len() != process.states())
    {
        return Err(SolveError::OtherStates.into());
    }
    used.sort_unstable();
    used.dedup();
    let used: Vec<usize> = used.into_iter().copied().collect();
    let letter = |state: u32| {
        let holds = used.iter().filter(|atom| atoms[**atom].contains(state as usize));
        holds.fold(0, |letter, atom| letter | 1 << atom)
    };
    let mut found: Vec<At> = vec![];
    let mut numbers: HashMap<At, u32> = HashMap::new();
    let mut number = |found: &mut Vec<At>, at: At| -> Result<u32, FormulaError> {
        if let Some(&known) = numbers.get(&at) {
            return Ok(known);
        }
        let new = u32::try_from(found.len()).ok().filter(|new| (*new as usize) < limits.states);
        let new = new.ok_or(FormulaError::States(limits.states))?;
        found.push(at);
        numbers.insert(at, new);
        Ok(new)
    };
    let begin = |automaton: &Rabin, state: u32, reader: u32| match () {
        () if automaton.accepts(reader) => At::Accepted,
        () if automaton.rejects(reader) => At::Rejected,
        () => At::Both(state, reader),
    };
    let mut initial = vec![];
    for (state, weight) in process.initial() {
        let at = number(&mut found, begin(&automaton, *state, Rabin::FIRST))?;
        initial.push((at, u128::from(*weight)));
    }
    let mut builder = ProcessBuilder::new();
    let malformed = |_| FormulaError::Solve(SolveError::Failed);
    // What the automaton says at each state of the product; nothing at those where all is decided.
    let mut edges: Vec<Option<Rc<Edge>>> = vec![];
    let mut row: Vec<(u32, u128)> = vec![];
    while let Some(&at) = found.get(edges.len()) {
        if edges.len().is_multiple_of(ROUNDS) && stopped() {
            return Err(SolveError::Stopped.into());
        }
        let At::Both(state, reader) = at else {
            builder.row(NO_ACTION, &[(edges.len() as u32, 1)]).map_err(malformed)?;
            builder.state(None).map_err(malformed)?;
            edges.push(None);
            continue;
        };
        let edge = automaton.read(reader, letter(state))?;
        for number_of_row in process.rows_of(state as usize) {
            row.clear();
            for (target, weight) in process.row(number_of_row).entries() {
                let target = number(&mut found, begin(&automaton, target, edge.to))?;
                row.push((target, u128::from(weight)));
            }
            builder.row(process.action(number_of_row), &row).map_err(malformed)?;
        }
        builder.state(None).map_err(malformed)?;
        edges.push(Some(edge));
    }
    let product = builder.finish(&initial).map_err(malformed)?;
    let mut accepted = Bits::from_fn(found.len(), |at| found[at] == At::Accepted);
    let mut met: Vec<u32> = edges.iter().flatten().flat_map(|edge| edge.met.iter().copied()).collect();
    met.sort_unstable();
    met.dedup();
    for pair in met {
        if stopped() {
            return Err(SolveError::Stopped.into());
        }
        let says = |at: usize, what: fn(&Edge) -> &Vec<u32>| {
            edges[at].as_ref().is_some_and(|edge| what(edge).binary_search(&pair).is_ok())
        };
        let holds = Bits::from_fn(found.len(), |at| says(at, |edge| &edge.holds));
        for component in end_components(&product, &holds) {
            if component.states.iter().any(|at| says(*at as usize, |edge| &edge.met)) {
                component.states.iter().for_each(|at| accepted.insert(*at as usize));
            }
        }
    }
    Ok(FormulaProduct { process: product, accepted })
}
