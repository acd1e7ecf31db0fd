//! Probabilities of until, eventually and always, with and without a bound on steps.
//!
//! Without a bound, states with probability 0 or 1 are found in the graph (`graph.rs`), end components among the others are collapsed for the
//! maximum, and the equations of what is left have one solution (`numeric.rs`). `always p` is the complement of `eventually not p`, with
//! the minimum for the maximum.

use crate::after;
use crate::answer::{Answer, Bounds, Fraction, Settings, SolveError};
use crate::bits::Bits;
use crate::graph::{Backwards, end_components};
use crate::numeric::certify::Kind;
use crate::numeric::fixed::ONE;
use crate::numeric::system::{Exact, NONE, Parts, System, zero_or_one};
use crate::numeric::{Place, average, solve};
use crate::process::Process;
use num_rational::BigRational;
use num_traits::{One, Zero};

/// Which runs are meant.
#[derive(Clone, PartialEq, Debug)]
pub enum Path {
    /// A goal state is visited, and before it only states of `hold`.
    Until {
        /// Where one may be before the goal.
        hold: Bits,
        /// The goal.
        goal: Bits,
        /// In one of the states after 0 to this many steps.
        within: Option<u64>,
    },
    /// Only these states are visited: all of those after 0 to `within` steps.
    Always {
        /// Where one has to be.
        hold: Bits,
        /// For how many steps.
        within: Option<u64>,
    },
}

impl Path {
    /// A goal state is visited.
    pub fn eventually(goal: Bits, within: Option<u64>) -> Path {
        Path::Until { hold: Bits::full(goal.len()), goal, within }
    }
}

/// Which value is meant where there are decisions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Optimum {
    /// There are no decisions.
    Chain,
    /// The least over all schedulers.
    Min,
    /// The greatest over all schedulers.
    Max,
}

impl Optimum {
    /// The optimum of the complement.
    pub fn opposite(self) -> Optimum {
        match self {
            Optimum::Chain => Optimum::Chain,
            Optimum::Min => Optimum::Max,
            Optimum::Max => Optimum::Min,
        }
    }

    /// Whether it is the greatest; refuses decisions where there should be none.
    pub(crate) fn maximise(self, process: &Process) -> Result<bool, SolveError> {
        match self {
            Optimum::Chain if !process.is_chain() => Err(SolveError::NotAChain),
            Optimum::Chain | Optimum::Max => Ok(true),
            // One row each: maximum and minimum are the same, and the former is simpler.
            Optimum::Min => Ok(process.is_chain()),
        }
    }
}

/// The probability of a path, from the initial distribution.
pub fn probability(
    process: &Process,
    path: &Path,
    optimum: Optimum,
    settings: &Settings,
    stopped: &dyn Fn() -> bool,
) -> Result<Answer, SolveError> {
    match path {
        Path::Until { hold, goal, within: None } => {
            about(process, &[hold, goal])?;
            unbounded(process, hold, goal, optimum.maximise(process)?, settings, stopped)
        }
        Path::Until { hold, goal, within: Some(steps) } => {
            about(process, &[hold, goal])?;
            after::until(process, hold, goal, *steps, optimum.maximise(process)?, settings, stopped)
        }
        Path::Always { hold, within } => {
            about(process, &[hold])?;
            let path = Path::eventually(hold.complement(), *within);
            probability(process, &path, optimum.opposite(), settings, stopped).map(complement)
        }
    }
}

/// Whether sets are about the states of a process.
pub(crate) fn about(process: &Process, sets: &[&Bits]) -> Result<(), SolveError> {
    match sets.iter().all(|set| set.len() == process.states()) {
        true => Ok(()),
        false => Err(SolveError::OtherStates),
    }
}

/// One minus a probability.
fn complement(answer: Answer) -> Answer {
    // For numbers from 0 to 1 the second difference is exact if it matters, so it tells whether the first was.
    let less = |p: f64| (1.0 - p, 1.0 - (1.0 - p));
    let (low, back) = less(answer.bounds.high);
    let low = if back == answer.bounds.high { low } else { low.next_down() };
    let (high, back) = less(answer.bounds.low);
    let high = if back == answer.bounds.low { high } else { high.next_up() };
    let bounds = Bounds { low: low.max(0.0), high: high.min(1.0) };
    let fraction = answer.fraction.map(|Fraction(p)| Fraction(BigRational::one() - p));
    Answer { bounds, fraction }
}

/// The states of a set that can be visited by ways inside it, from the initial states.
pub(crate) fn visited(process: &Process, through: &Bits) -> Bits {
    let mut seen = Bits::new(process.states());
    let starts = process.initial().iter().map(|(state, _)| *state as usize);
    let mut todo: Vec<usize> = starts.filter(|state| through.contains(*state)).collect();
    todo.iter().for_each(|state| seen.insert(*state));
    while let Some(state) = todo.pop() {
        for target in process.rows_of(state).flat_map(|row| process.row(row).targets) {
            let target = *target as usize;
            if through.contains(target) && !seen.contains(target) {
                seen.insert(target);
                todo.push(target);
            }
        }
    }
    seen
}

/// Numbers the states of a set; others have [`NONE`].
pub(crate) fn numbered(set: &Bits) -> (Vec<u32>, usize) {
    let mut unknown = vec![NONE; set.len()];
    let mut count = 0;
    for state in set.iter() {
        unknown[state] = count;
        count += 1;
    }
    (unknown, count as usize)
}

fn unbounded(
    process: &Process,
    hold: &Bits,
    goal: &Bits,
    maximise: bool,
    settings: &Settings,
    stopped: &dyn Fn() -> bool,
) -> Result<Answer, SolveError> {
    let back = Backwards::new(process);
    let (positive, one) = match maximise {
        true => (back.some_way(hold, goal), back.surely_possible(process, hold, goal)),
        false => (back.all_ways(process, hold, goal), back.surely(process, hold, goal)),
    };
    drop(back);
    let open = visited(process, &positive.without(&one));
    let (unknown, count) = match maximise && !process.is_chain() {
        true => collapsed(process, &open),
        false => numbered(&open),
    };
    let fraction =
        |state: usize| Some(if one.contains(state) { BigRational::one() } else { BigRational::zero() });
    let exact = Exact { worth: &fraction, pays: &|_| Some(BigRational::zero()) };
    let parts = Parts {
        process,
        unknown: &unknown,
        count,
        row: &|_| true,
        worth: &|state| zero_or_one(one.contains(state)),
        pays: &|_| (0, 0),
        exact: (count <= settings.fraction_states).then_some(exact),
    };
    let system = System::new(&parts).ok_or(SolveError::Failed)?;
    let solution = solve(&system, Kind::Leaves, maximise, settings, stopped)?;
    let place = |state: u32| match unknown[state as usize] {
        NONE if one.contains(state as usize) => Place::Known(ONE, ONE, Some(BigRational::one())),
        NONE => Place::Known(0, 0, Some(BigRational::zero())),
        at => Place::Unknown(at as usize),
    };
    let mut answer =
        average(&solution, process.initial().iter().map(|(state, weight)| (place(*state), *weight)))?;
    answer.bounds.high = answer.bounds.high.min(1.0);
    Ok(answer)
}

/// Numbers states so that those of an end component share a number.
fn collapsed(process: &Process, open: &Bits) -> (Vec<u32>, usize) {
    let mut unknown = vec![NONE; process.states()];
    let mut count = 0;
    for component in end_components(process, open) {
        component.states.iter().for_each(|state| unknown[*state as usize] = count);
        count += 1;
    }
    for state in open.iter() {
        if unknown[state] == NONE {
            unknown[state] = count;
            count += 1;
        }
    }
    (unknown, count as usize)
}
