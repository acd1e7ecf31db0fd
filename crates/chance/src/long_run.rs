//! Shares in the long run, for chains.
//!
//! A run ends up in a closed component with certainty. There, the share of steps with a condition is the number of such states
//! in a round trip from some state back to it, divided by the length of the trip, each as expected (the renewal theorem; Norris, "Markov Chains", theorem 1.7.6). Both are
//! expected rewards until a goal, for which there are certified bounds. It does not matter whether the component is periodic. The result is the average of the shares over
//! the components, by the probability to end up in them, which is one more system of equations.

use crate::answer::{Answer, Settings, SolveError};
use crate::bits::Bits;
use crate::expected::units;
use crate::graph::{EndComponent, end_components};
use crate::numeric::certify::Kind;
use crate::numeric::fixed::{ONE, SCALE, ceiling, floor};
use crate::numeric::system::{Exact, NONE, Parts, System, Units};
use crate::numeric::{Place, average, solve};
use crate::path::{Optimum, about, numbered, visited};
use crate::process::Process;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

/// A share of what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Share {
    /// Of all steps: of the states after 0 to n steps, n going to infinity. A run that has stopped rests.
    Steps,
    /// Of time, in a chain with rates.
    Time,
}

/// Bounds for a share, and the share.
#[derive(Clone)]
struct Found {
    units: Units,
    exact: Option<BigRational>,
}

impl Found {
    fn sure(holds: bool) -> Found {
        let (units, exact) = match holds {
            true => ((ONE, ONE), BigRational::one()),
            false => ((0, 0), BigRational::zero()),
        };
        Found { units, exact: Some(exact) }
    }
}

/// The expected share of states in which a condition holds, in the long run.
pub fn long_run(
    process: &Process,
    label: &Bits,
    share: Share,
    settings: &Settings,
    stopped: &dyn Fn() -> bool,
) -> Result<Answer, SolveError> {
    about(process, &[label])?;
    Optimum::Chain.maximise(process)?;
    let duration: Box<dyn Fn(usize) -> (u64, u64)> = match (share, process.exits()) {
        (Share::Steps, _) => Box::new(|_| (1, 1)),
        (Share::Time, None) => return Err(SolveError::NoRates),
        (Share::Time, Some(exits)) => Box::new(|state| match exits[state].numerator {
            0 => (1, 1),
            rate => (exits[state].denominator, rate),
        }),
    };
    let all = Bits::full(process.states());
    let reached = visited(process, &all);
    let mut component = vec![NONE; process.states()];
    let mut shares = vec![];
    for closed in end_components(process, &reached) {
        if stopped() {
            return Err(SolveError::Stopped);
        }
        closed.states.iter().for_each(|state| component[*state as usize] = shares.len() as u32);
        shares.push(inside(process, label, &closed, &duration, settings, stopped)?);
    }
    let open = Bits::from_fn(process.states(), |s| reached.contains(s) && component[s] == NONE);
    let (unknown, count) = numbered(&open);
    let none = Found::sure(false);
    let found = |state: usize| shares.get(component[state] as usize).unwrap_or(&none);
    let exact = Exact { worth: &|state| found(state).exact.clone(), pays: &|_| Some(BigRational::zero()) };
    let parts = Parts {
        process,
        unknown: &unknown,
        count,
        row: &|_| true,
        worth: &|state| found(state).units,
        pays: &|_| (0, 0),
        exact: (count <= settings.fraction_states).then_some(exact),
    };
    let system = System::new(&parts).ok_or(SolveError::Failed)?;
    let solution = solve(&system, Kind::Leaves, true, settings, stopped)?;
    let place = |state: u32| match unknown[state as usize] {
        NONE => {
            let Found { units, exact } = found(state as usize);
            Place::Known(units.0, units.1, exact.clone())
        }
        at => Place::Unknown(at as usize),
    };
    let mut answer = average(&solution, process.initial().iter().map(|(s, weight)| (place(*s), *weight)))?;
    answer.bounds.high = answer.bounds.high.min(1.0);
    Ok(answer)
}

/// The share inside a closed component.
fn inside(
    process: &Process,
    label: &Bits,
    closed: &EndComponent,
    duration: &dyn Fn(usize) -> (u64, u64),
    settings: &Settings,
    stopped: &dyn Fn() -> bool,
) -> Result<Found, SolveError> {
    let holds = |state: &u32| label.contains(*state as usize);
    let Some((first, rest)) = closed.states.split_first() else { return Ok(Found::sure(false)) };
    if rest.iter().all(|state| holds(state) == holds(first)) {
        return Ok(Found::sure(holds(first)));
    }
    // From a state that is visited often, trips are short, and numbers small.
    let first = often(process, &closed.states).unwrap_or(*first);
    let rest: Vec<u32> = closed.states.iter().copied().filter(|state| *state != first).collect();
    let trip = |counts: &dyn Fn(usize) -> bool| {
        let pays = |state: usize| if counts(state) { units(duration(state)) } else { (0, 0) };
        let exact = |state: usize| {
            let (above, below) = duration(state);
            Some(if counts(state) {
                BigRational::new(above.into(), below.into())
            } else {
                BigRational::zero()
            })
        };
        let mut unknown = vec![NONE; process.states()];
        rest.iter().enumerate().for_each(|(i, state)| unknown[*state as usize] = i as u32);
        let small = rest.len() <= settings.fraction_states;
        let parts = Parts {
            process,
            unknown: &unknown,
            count: rest.len(),
            row: &|_| true,
            worth: &|_| (0, 0),
            pays: &pays,
            exact: small.then_some(Exact { worth: &|_| Some(BigRational::zero()), pays: &exact }),
        };
        let system = System::new(&parts).ok_or(SolveError::Failed)?;
        let solution = solve(&system, Kind::Leaves, true, settings, stopped)?;
        // From the first state: what it pays, then what is expected from where the step leads.
        let first = first as usize;
        let row = process.row(process.rows_of(first).start);
        let unit = BigInt::one() << solution.scale;
        let ratio = |units: u128| BigRational::new(units.into(), unit.clone());
        let mut low = exact(first).unwrap_or_default();
        let mut high = low.clone();
        let mut fraction = Some(low.clone());
        for (target, weight) in row.entries().filter(|(t, _)| *t as usize != first) {
            let at = unknown[target as usize] as usize;
            let chance = BigRational::new(weight.into(), row.total.into());
            low += &chance * ratio(solution.low[at]);
            high += &chance * ratio(solution.high[at]);
            let value = solution.exact.as_ref().map(|exact| &exact[at]);
            fraction = fraction.zip(value).map(|(sum, value)| sum + chance * value);
        }
        Ok::<_, SolveError>((low, high, fraction))
    };
    let with = trip(&|state| label.contains(state))?;
    let whole = trip(&|_| true)?;
    if whole.0.is_zero() {
        return Err(SolveError::Failed);
    }
    let low = floor(&(with.0 / &whole.1), SCALE).ok_or(SolveError::Failed)?;
    let high = ceiling(&(with.1 / &whole.0), SCALE).ok_or(SolveError::Failed)?.min(ONE);
    let exact = with.2.zip(whole.2).map(|(with, whole)| with / whole);
    Ok(Found { units: (low, high), exact })
}

/// A state of a closed component that is visited often: the most likely one after a number of steps, from anywhere. Half of the steps
/// are left out, so that periods do not matter. Whether it is the best choice does not matter much.
fn often(process: &Process, states: &[u32]) -> Option<u32> {
    let mut local = vec![NONE; process.states()];
    states.iter().enumerate().for_each(|(i, state)| local[*state as usize] = i as u32);
    let mut now = vec![1.0; states.len()];
    let entries: usize =
        states.iter().map(|s| process.row(process.rows_of(*s as usize).start).targets.len()).sum();
    for _ in 0..(2_000_000 / (entries + 1)).clamp(20, 2000) {
        let mut next: Vec<f64> = now.iter().map(|p| p / 2.0).collect();
        for (state, p) in states.iter().zip(&now) {
            for (to, chance) in process.row(process.rows_of(*state as usize).start).probabilities() {
                next[local[to as usize] as usize] += p * chance / 2.0;
            }
        }
        now = next;
    }
    let best = (0..now.len()).max_by(|a, b| now[*a].total_cmp(&now[*b]))?;
    Some(states[best])
}
