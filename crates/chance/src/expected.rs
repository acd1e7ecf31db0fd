//! Expected steps, rewards and time until a goal.
//!
//! An expected value is infinite if the goal is missed with a positive probability: for the maximum by some scheduler, for the
//! minimum by every scheduler. Otherwise the equations `x(s) = reward(s) + opt Σ p · x(t)` over the states that reach the goal with certainty
//! have one solution (Bertsekas and Tsitsiklis 1991); for the minimum, rows that lead to other states do not count.

use crate::answer::{Expected, Settings, SolveError};
use crate::bits::Bits;
use crate::graph::Backwards;
use crate::numeric::certify::Kind;
use crate::numeric::fixed::{ONE, SCALE};
use crate::numeric::system::{Exact, NONE, Parts, System, Units};
use crate::numeric::{Place, average, solve};
use crate::path::{Optimum, about, numbered, visited};
use crate::process::Process;
use num_rational::BigRational;
use num_traits::{One, Zero};

/// The expected number of steps until a goal state is visited for the first time.
pub fn expected_steps(
    process: &Process,
    goal: &Bits,
    optimum: Optimum,
    settings: &Settings,
    stopped: &dyn Fn() -> bool,
) -> Result<Expected, SolveError> {
    let maximise = optimum.maximise(process)?;
    let one = |_: usize| Some(BigRational::one());
    Until { process, goal, maximise, pays: &|_| (ONE, ONE), exact: &one }.solve(settings, stopped)
}

/// The expected sum of what states of a chain pay, from the initial state up to the last one before a goal state. A reward is a numerator
/// and a denominator.
pub fn expected_reward(
    process: &Process,
    goal: &Bits,
    rewards: &[(u64, u64)],
    settings: &Settings,
    stopped: &dyn Fn() -> bool,
) -> Result<Expected, SolveError> {
    let maximise = Optimum::Chain.maximise(process)?;
    let sound = rewards.iter().all(|(above, below)| *above < 1 << 57 && *below > 0);
    if rewards.len() != process.states() || !sound {
        return Err(SolveError::OtherStates);
    }
    let pays = |state: usize| units(rewards[state]);
    let exact = |state: usize| Some(BigRational::new(rewards[state].0.into(), rewards[state].1.into()));
    Until { process, goal, maximise, pays: &pays, exact: &exact }.solve(settings, stopped)
}

/// The expected time until a goal state is visited for the first time, in continuous time.
pub fn expected_time(
    process: &Process,
    goal: &Bits,
    settings: &Settings,
    stopped: &dyn Fn() -> bool,
) -> Result<Expected, SolveError> {
    let exits = process.exits().ok_or(SolveError::NoRates)?;
    // The mean of an exponentially distributed time is one divided by its rate. In a deadlock the goal is missed anyway.
    let mean = |exit: &crate::process::Exit| match exit.numerator {
        0 => (0, 1),
        rate => (exit.denominator, rate),
    };
    let rewards: Vec<(u64, u64)> = exits.iter().map(mean).collect();
    expected_reward(process, goal, &rewards, settings, stopped)
}

/// A fraction in units.
pub(crate) fn units((above, below): (u64, u64)) -> Units {
    let (above, below) = (u128::from(above) << SCALE, u128::from(below));
    (above / below, above.div_ceil(below))
}

struct Until<'a> {
    process: &'a Process,
    goal: &'a Bits,
    maximise: bool,
    pays: &'a dyn Fn(usize) -> Units,
    exact: &'a dyn Fn(usize) -> Option<BigRational>,
}

impl Until<'_> {
    fn solve(&self, settings: &Settings, stopped: &dyn Fn() -> bool) -> Result<Expected, SolveError> {
        let Until { process, goal, maximise, .. } = *self;
        about(process, &[goal])?;
        let all = Bits::full(process.states());
        let back = Backwards::new(process);
        let certain = match maximise {
            true => back.surely(process, &all, goal),
            false => back.surely_possible(process, &all, goal),
        };
        drop(back);
        if process.initial().iter().any(|(state, _)| !certain.contains(*state as usize)) {
            return Ok(Expected::Infinite);
        }
        let (unknown, count) = numbered(&visited(process, &certain.without(goal)));
        let stays = |row: usize| process.row(row).targets.iter().all(|t| certain.contains(*t as usize));
        let zero = |_: usize| Some(BigRational::zero());
        let parts = Parts {
            process,
            unknown: &unknown,
            count,
            row: &stays,
            worth: &|_| (0, 0),
            pays: self.pays,
            exact: (count <= settings.fraction_states).then_some(Exact { worth: &zero, pays: self.exact }),
        };
        let system = System::new(&parts).ok_or(SolveError::Failed)?;
        let kind = if maximise { Kind::Leaves } else { Kind::Costs };
        let solution = solve(&system, kind, maximise, settings, stopped)?;
        let place = |state: u32| match unknown[state as usize] {
            NONE => Place::Known(0, 0, Some(BigRational::zero())),
            at => Place::Unknown(at as usize),
        };
        let places = process.initial().iter().map(|(state, weight)| (place(*state), *weight));
        average(&solution, places).map(Expected::Finite)
    }
}
