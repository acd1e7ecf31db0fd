//! What is expected after a number of steps: value iteration, as many rounds as there are steps.
//!
//! Numbers are whole multiples of a unit, and every round rounds down by less than a unit. Averages, minima and maxima do not make
//! differences larger. So after `n` rounds the true value is at least what was computed, and at most `n` units above.
//!
//! Where there are few states and steps the same rounds are made with fractions.

use crate::answer::{Answer, Bounds, Fraction, Settings, SolveError};
use crate::bits::Bits;
use crate::graph::Backwards;
use crate::numeric::fixed::{ONE, SCALE, to_f64_down, to_f64_up};
use crate::numeric::fraction::{WORK, length};
use crate::path::{Optimum, Path, about, probability};
use crate::process::Process;
use num_rational::BigRational;
use num_traits::Zero;
use swarmcheck_ir::{UNDEF, Value};

/// The expected value of an expression after exactly this many steps. A run that has stopped rests.
pub fn value_after(
    process: &Process,
    values: &[Value],
    steps: u64,
    optimum: Optimum,
    settings: &Settings,
    stopped: &dyn Fn() -> bool,
) -> Result<Answer, SolveError> {
    let maximise = optimum.maximise(process)?;
    if values.len() != process.states() {
        return Err(SolveError::OtherStates);
    }
    let undefined = Bits::from_fn(values.len(), |state| values[state] == UNDEF);
    if !undefined.is_empty() && possible_after(process, undefined, steps, stopped)? {
        return Err(SolveError::Undefined);
    }
    let defined = || values.iter().copied().filter(|value| *value != UNDEF);
    let (least, most) = (defined().min().unwrap_or(0), defined().max().unwrap_or(0));
    let range = u128::from(most.abs_diff(least));
    // Below 2⁷², so that sums fit.
    let scale = (0..=SCALE).rev().find(|scale| range << scale < 1 << 71).unwrap_or(0);
    let offset = |value: Value| if value == UNDEF { 0 } else { u128::from(value.abs_diff(least)) << scale };
    let x: Vec<u128> = values.iter().map(|value| offset(*value)).collect();
    let every: Vec<u32> = (0..process.states() as u32).collect();
    let x = iterate(process, x, &every, steps, maximise, stopped)?;
    let (low, high) = initially(process, &x, steps);
    // Exact as whole numbers: |least| · 2^scale is below 2^(63 + 70), so it may not fit, and then the scale is made coarser.
    let coarser = scale.saturating_sub(62);
    let (low, high) = (low >> coarser, (high >> coarser) + u128::from(coarser > 0));
    let scale = scale - coarser;
    let least = i128::from(least) << scale;
    let bounds = Bounds {
        low: signed(low as i128 + least, scale, false),
        high: signed(high as i128 + least, scale, true),
    };
    // Rounds add up; the average is no greater than the greatest value.
    let high = bounds.high.min((most as f64).next_up());
    let exact = |state: usize| {
        BigRational::from_integer(if values[state] == UNDEF { 0 } else { values[state] }.into())
    };
    let fraction = fractions(process, &exact, &every, steps, maximise, settings);
    Ok(Answer { bounds: Bounds { high, ..bounds }, fraction })
}

/// The probability that a condition holds after exactly this many steps.
pub fn probability_after(
    process: &Process,
    label: &Bits,
    steps: u64,
    optimum: Optimum,
    settings: &Settings,
    stopped: &dyn Fn() -> bool,
) -> Result<Answer, SolveError> {
    about(process, &[label])?;
    let maximise = optimum.maximise(process)?;
    let x: Vec<u128> = (0..process.states()).map(|s| if label.contains(s) { ONE } else { 0 }).collect();
    let every: Vec<u32> = (0..process.states() as u32).collect();
    let x = iterate(process, x, &every, steps, maximise, stopped)?;
    let exact = |state: usize| BigRational::from_integer(i64::from(label.contains(state)).into());
    let fraction = fractions(process, &exact, &every, steps, maximise, settings);
    Ok(Answer { fraction, ..between(initially(process, &x, steps)) })
}

/// The probability of `hold until goal` within some steps.
pub(crate) fn until(
    process: &Process,
    hold: &Bits,
    goal: &Bits,
    steps: u64,
    maximise: bool,
    settings: &Settings,
    stopped: &dyn Fn() -> bool,
) -> Result<Answer, SolveError> {
    let x: Vec<u128> = (0..process.states()).map(|s| if goal.contains(s) { ONE } else { 0 }).collect();
    let open = Backwards::new(process).some_way(hold, goal).without(goal);
    let open: Vec<u32> = open.iter().map(|s| s as u32).collect();
    let x = iterate(process, x, &open, steps, maximise, stopped)?;
    let exact = |state: usize| BigRational::from_integer(i64::from(goal.contains(state)).into());
    let fraction = fractions(process, &exact, &open, steps, maximise, settings);
    let mut answer = Answer { fraction, ..between(initially(process, &x, steps)) };
    if !answer.is_within(settings.error) {
        // So many steps that roundings add up. Without a bound on steps the probability is at least as high.
        let optimum = if maximise { Optimum::Max } else { Optimum::Min };
        let path = Path::Until { hold: hold.clone(), goal: goal.clone(), within: None };
        let whole = probability(process, &path, optimum, settings, stopped)?;
        answer.bounds.high = answer.bounds.high.min(whole.bounds.high);
    }
    Ok(answer)
}

fn between((low, high): (u128, u128)) -> Answer {
    let bounds = Bounds { low: to_f64_down(low, SCALE), high: to_f64_up(high.min(ONE), SCALE) };
    Answer { bounds, fraction: None }
}

/// A number in units as a floating-point number, rounded to a side.
fn signed(value: i128, scale: u32, up: bool) -> f64 {
    let size = value.unsigned_abs();
    match (value < 0, up) {
        (false, false) => to_f64_down(size, scale),
        (false, true) => to_f64_up(size, scale),
        (true, false) => -to_f64_up(size, scale),
        (true, true) => -to_f64_down(size, scale),
    }
}

/// One round after the other; states that are not open keep their values.
pub(crate) fn iterate(
    process: &Process,
    mut x: Vec<u128>,
    open: &[u32],
    steps: u64,
    maximise: bool,
    stopped: &dyn Fn() -> bool,
) -> Result<Vec<u128>, SolveError> {
    let mut next = x.clone();
    let mut work = 0;
    for _ in 0..steps {
        if !round(process, &x, &mut next, open, maximise) {
            // All further rounds are like this one.
            break;
        }
        std::mem::swap(&mut x, &mut next);
        work += open.len() + 1;
        if work >= 1 << 16 {
            work = 0;
            if stopped() {
                return Err(SolveError::Stopped);
            }
        }
    }
    Ok(x)
}

/// One round; whether anything has changed.
pub(crate) fn round(process: &Process, x: &[u128], next: &mut [u128], open: &[u32], maximise: bool) -> bool {
    let mut changed = false;
    for state in open {
        let state = *state as usize;
        let values = process.rows_of(state).map(|row| {
            let row = process.row(row);
            let sum: u128 = row.entries().map(|(to, weight)| x[to as usize] * u128::from(weight)).sum();
            sum / u128::from(row.total)
        });
        let value = if maximise { values.max() } else { values.min() };
        next[state] = value.unwrap_or(0);
        changed |= next[state] != x[state];
    }
    changed
}

/// The same rounds with fractions, unless that is too much work.
fn fractions(
    process: &Process,
    first: &dyn Fn(usize) -> BigRational,
    open: &[u32],
    steps: u64,
    maximise: bool,
    settings: &Settings,
) -> Option<Fraction> {
    if process.states() > settings.fraction_states {
        return None;
    }
    let mut x: Vec<BigRational> = (0..process.states()).map(first).collect();
    let mut work = 0;
    for _ in 0..steps {
        let mut next = x.clone();
        for state in open {
            let values = process.rows_of(*state as usize).map(|row| {
                let row = process.row(row);
                let mut sum = BigRational::zero();
                for (to, weight) in row.entries().filter(|(to, _)| !x[*to as usize].is_zero()) {
                    work += 2 * length(&x[to as usize]).pow(2);
                    sum += &x[to as usize] * BigRational::from_integer(weight.into());
                }
                sum / BigRational::from_integer(row.total.into())
            });
            let value = if maximise { values.max() } else { values.min() };
            next[*state as usize] = value?;
            work += 1;
            if work > WORK {
                return None;
            }
        }
        if next == x {
            break;
        }
        x = next;
    }
    let weight = |weight: u64| BigRational::from_integer(weight.into());
    let sum: BigRational = process.initial().iter().map(|(s, w)| &x[*s as usize] * weight(*w)).sum();
    (process.initial_total() > 0).then(|| Fraction(sum / weight(process.initial_total())))
}

/// Bounds for the average over initial states.
fn initially(process: &Process, x: &[u128], steps: u64) -> (u128, u128) {
    let total = u128::from(process.initial_total()).max(1);
    let sum: u128 = process.initial().iter().map(|(s, weight)| x[*s as usize] * u128::from(*weight)).sum();
    (sum / total, sum.div_ceil(total) + u128::from(steps))
}

/// Whether a state of a set can be the one after so many steps.
fn possible_after(
    process: &Process,
    set: Bits,
    steps: u64,
    stopped: &dyn Fn() -> bool,
) -> Result<bool, SolveError> {
    let mut now = set;
    for _ in 0..steps {
        let leads = |state: usize| {
            process.rows_of(state).flat_map(|row| process.row(row).targets).any(|t| now.contains(*t as usize))
        };
        let before = Bits::from_fn(process.states(), leads);
        if before == now {
            break;
        }
        now = before;
        if stopped() {
            return Err(SolveError::Stopped);
        }
    }
    Ok(process.initial().iter().any(|(state, _)| now.contains(*state as usize)))
}
