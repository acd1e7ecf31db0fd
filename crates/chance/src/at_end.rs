//! What is expected where a run stops.
//!
//! Values are moved and stretched to lie between 0 and 1. Then the expected value is a probability: of stopping in a state and being
//! lucky there, with the value of the state as probability. If runs stop with certainty, whatever the scheduler does, there are no end components but deadlocks, and the
//! equations have one solution.

use crate::answer::{Answer, Bounds, Fraction, Settings, SolveError};
use crate::bits::Bits;
use crate::graph::Backwards;
use crate::numeric::certify::Kind;
use crate::numeric::fixed::SCALE;
use crate::numeric::system::{Exact, NONE, Parts, System, Units};
use crate::numeric::{Place, average, solve};
use crate::path::{Optimum, numbered, visited};
use crate::process::Process;
use num_rational::BigRational;
use num_traits::Zero;
use swarmcheck_ir::{UNDEF, Value};

/// The expected value of an expression in the state where a run stops; `None` if runs go on for ever with positive probability (by
/// some scheduler).
pub fn value_at_end(
    process: &Process,
    values: &[Value],
    optimum: Optimum,
    settings: &Settings,
    stopped: &dyn Fn() -> bool,
) -> Result<Option<Answer>, SolveError> {
    let maximise = optimum.maximise(process)?;
    if values.len() != process.states() {
        return Err(SolveError::OtherStates);
    }
    let all = Bits::full(process.states());
    let ends = visited(process, &all).and(process.deadlocks());
    let sure = Backwards::new(process).surely(process, &all, &ends);
    if process.initial().iter().any(|(state, _)| !sure.contains(*state as usize)) {
        return Ok(None);
    }
    if ends.iter().any(|state| values[state] == UNDEF) {
        return Err(SolveError::Undefined);
    }
    let least = ends.iter().map(|state| values[state]).min().unwrap_or(0);
    let most = ends.iter().map(|state| values[state]).max().unwrap_or(0);
    let range = most.abs_diff(least).max(1);
    let above = |state: usize| if ends.contains(state) { values[state].abs_diff(least) } else { 0 };
    let worth = |state: usize| stretched(above(state), range);
    let fraction = |state: usize| Some(BigRational::new(above(state).into(), range.into()));
    let (unknown, count) = numbered(&visited(process, &ends.complement()));
    let exact = Exact { worth: &fraction, pays: &|_| Some(BigRational::zero()) };
    let parts = Parts {
        process,
        unknown: &unknown,
        count,
        row: &|_| true,
        worth: &worth,
        pays: &|_| (0, 0),
        exact: (count <= settings.fraction_states).then_some(exact),
    };
    let system = System::new(&parts).ok_or(SolveError::Failed)?;
    let solution = solve(&system, Kind::Leaves, maximise, settings, stopped)?;
    let place = |state: u32| match unknown[state as usize] {
        NONE => {
            let (low, high) = worth(state as usize);
            Place::Known(low, high, fraction(state as usize))
        }
        at => Place::Unknown(at as usize),
    };
    let share = average(&solution, process.initial().iter().map(|(s, weight)| (place(*s), *weight)))?;
    let number = |n: i128| BigRational::from_integer(n.into());
    let exact = share.fraction.map(|Fraction(share)| share * number(range.into()) + number(least.into()));
    // Three roundings each: of the range, of the product and of the sum, with two more of the least value.
    let wide = (range as f64).next_up();
    let low =
        (share.bounds.low * (range as f64).next_down().max(0.0)).next_down() + (least as f64).next_down();
    let high = (share.bounds.high.min(1.0) * wide).next_up() + (least as f64).next_up();
    let bounds = Bounds { low: low.next_down(), high: high.next_up() };
    Ok(Some(Answer { bounds, fraction: exact.map(Fraction) }))
}

/// A number divided by one that is at least as large, in units.
fn stretched(value: u64, range: u64) -> Units {
    // 2⁶⁴ · 2⁶⁴ at a time, so that products fit.
    let (value, range) = (u128::from(value), u128::from(range));
    let first = (value << 64) / range;
    let rest = (value << 64) % range;
    let low = (first << (SCALE - 64)) + (rest << (SCALE - 64)) / range;
    let exact = (rest << (SCALE - 64)).is_multiple_of(range);
    (low, low + u128::from(!exact))
}
