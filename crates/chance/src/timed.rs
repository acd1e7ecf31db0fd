//! Probabilities within a time, for chains with rates: uniformisation (Jensen 1953; Grassmann 1977).
//!
//! All states are left at the highest rate `q`, some of them to themselves. Then the number of steps up to time `t` has the Poisson distribution with
//! mean `q·t`, whatever is visited. So the probability is the average, by that distribution, of the probabilities within `k` steps.
//!
//! *Rounding.* The probabilities within `k` steps are bounded as in `after.rs`; weights of rows are exact. Poisson probabilities are not computed one by
//! one: weights in proportion to them are, from the most likely number of steps outwards (Fox and Glynn 1988), then the sum is divided by the
//! sum of the weights. A weight comes from its neighbour by two operations, so that all of them, and sums of them, are off by a
//! factor of at most `(1 ± 2⁻⁵³)` to the power of a few times their number. What lies outside of the window is bounded by geometric series.
//! The average grows with `q·t`, because the probability within `k` steps grows with `k`. So rounding the mean down and up gives bounds.

use crate::after::round;
use crate::answer::{Answer, Bounds, Settings, SolveError};
use crate::bits::Bits;
use crate::graph::Backwards;
use crate::numeric::fixed::{ONE, SCALE, to_f64_down, to_f64_up};
use crate::path::{Optimum, about};
use crate::process::{NO_ACTION, Process, ProcessBuilder};

/// The most steps that are looked at.
const LARGEST_MEAN: f64 = 1e9;

/// The probability that a goal state is visited at a time up to `time`, and before it only states of `hold`.
pub fn within_time(
    process: &Process,
    hold: &Bits,
    goal: &Bits,
    time: f64,
    _settings: &Settings,
    stopped: &dyn Fn() -> bool,
) -> Result<Answer, SolveError> {
    about(process, &[hold, goal])?;
    Optimum::Chain.maximise(process)?;
    let open = Backwards::new(process).some_way(hold, goal).without(goal);
    let (uniform, (above, below)) = uniformised(process, &open)?;
    let time = if time.is_nan() { 0.0 } else { time.max(0.0) };
    // Three operations, each off by one rounding at most.
    let mean = above as f64 / below as f64 * time;
    let down = mean.next_down().next_down().next_down().max(0.0);
    let up = if time == 0.0 { 0.0 } else { mean.next_up().next_up().next_up() };
    if up > LARGEST_MEAN {
        return Err(SolveError::Failed);
    }
    let window = Window::new(up);
    let open: Vec<u32> = open.iter().map(|s| s as u32).collect();
    let mut x: Vec<u128> = (0..process.states()).map(|s| if goal.contains(s) { ONE } else { 0 }).collect();
    let mut next = x.clone();
    let mut within = vec![];
    let mut settled = false;
    for step in 0..=window.last {
        let total = u128::from(process.initial_total()).max(1);
        let sum: u128 = process.initial().iter().map(|(s, w)| x[*s as usize] * u128::from(*w)).sum();
        let high = (sum.div_ceil(total) + u128::from(step)).min(ONE);
        within.push((to_f64_down(sum / total, SCALE), to_f64_up(high, SCALE)));
        if !settled {
            settled = !round(&uniform, &x, &mut next, &open, true);
            std::mem::swap(&mut x, &mut next);
        }
        if step.is_multiple_of(16) && stopped() {
            return Err(SolveError::Stopped);
        }
    }
    let low = Window { mean: down, ..window }.average(|k| within[k].0).0;
    let high = window.average(|k| within[k].1).1;
    Ok(Answer { bounds: Bounds { low: low.max(0.0), high: high.min(1.0) }, fraction: None })
}

/// The chain in which all open states are left at the highest rate, and that rate.
fn uniformised(process: &Process, open: &Bits) -> Result<(Process, (u64, u64)), SolveError> {
    let exits = process.exits().ok_or(SolveError::NoRates)?;
    let rate = |state: usize| (u128::from(exits[state].numerator), u128::from(exits[state].denominator));
    let highest = open.iter().map(rate).max_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1))).unwrap_or((1, 1));
    let mut builder = ProcessBuilder::new();
    for state in 0..process.states() {
        let row = process.row(process.rows_of(state).start);
        let mut entries: Vec<(u32, u128)> = row.entries().map(|(to, w)| (to, w.into())).collect();
        if open.contains(state) {
            let (above, below) = rate(state);
            // Left with probability rate / highest.
            let leave = (above * highest.1, below * highest.0);
            let divisor = crate::process::gcd(leave.0, leave.1).max(1);
            let leave = (leave.0 / divisor, leave.1 / divisor);
            for (_, weight) in &mut entries {
                *weight = weight.checked_mul(leave.0).ok_or(SolveError::Failed)?;
            }
            let stay = (leave.1 - leave.0).checked_mul(row.total.into()).ok_or(SolveError::Failed)?;
            entries.push((state as u32, stay));
        }
        builder.row(NO_ACTION, &entries).map_err(|_| SolveError::Failed)?;
        builder.state(None).map_err(|_| SolveError::Failed)?;
    }
    let initial: Vec<(u32, u128)> = process.initial().iter().map(|(s, w)| (*s, (*w).into())).collect();
    let uniform = builder.finish(&initial).map_err(|_| SolveError::Failed)?;
    Ok((uniform, (highest.0 as u64, highest.1 as u64)))
}

/// The numbers of steps that are likely.
#[derive(Clone, Copy)]
struct Window {
    mean: f64,
    first: u64,
    last: u64,
}

impl Window {
    fn new(mean: f64) -> Window {
        // Twelve standard deviations, and enough where there are few.
        let wide = 12.0 * mean.sqrt() + 60.0;
        Window { mean, first: (mean - wide).max(0.0) as u64, last: (mean + wide) as u64 }
    }

    /// Bounds for the average of a function that grows from 0 to 1, by the Poisson distribution.
    fn average(self, of: impl Fn(usize) -> f64) -> (f64, f64) {
        let Window { mean, first, last } = self;
        if mean == 0.0 {
            return (of(0), of(0));
        }
        let middle = (mean as u64).clamp(first, last);
        let (mut sum, mut weights) = (0.0, 0.0);
        let mut weight = 1.0;
        for k in middle..=last {
            sum += weight * of(k as usize);
            weights += weight;
            weight *= mean / (k + 1) as f64;
        }
        // Ratios of neighbours fall, so what is outside is below a geometric series.
        let ratio = mean / (last + 1) as f64;
        let mut outside = if ratio < 1.0 { weight / (1.0 - ratio) } else { f64::INFINITY };
        weight = 1.0;
        for k in (first..middle).rev() {
            weight *= (k + 1) as f64 / mean;
            sum += weight * of(k as usize);
            weights += weight;
        }
        if first > 0 {
            let ratio = first as f64 / mean;
            outside += if ratio < 1.0 { weight * ratio / (1.0 - ratio) } else { f64::INFINITY };
        }
        // Every weight, product and sum is off by fewer than four roundings for each number in the window.
        let slack = (4 * (last - first) + 64) as f64 * f64::EPSILON;
        let low = sum / (weights + outside) * (1.0 - slack);
        let high = (sum + outside) / weights * (1.0 + slack);
        (low, high)
    }
}
