//! Policy iteration (Howard 1960): solve for the rows that are chosen, choose better rows, until there are none.
//!
//! Where every choice of rows leads out of the unknowns with certainty, any rows may come first. Where some do not, and staying costs (the
//! least expected number of steps), the first choice must lead out: rows on shortest ways do. Policy iteration then never comes to one that does
//! not (Bertsekas and Tsitsiklis, "An analysis of stochastic shortest path problems", 1991).

use super::certify::Kind;
use super::linear::{Chosen, Tolerance, largest};
use super::system::{Floats, System};

const ROUNDS: usize = 1000;
/// A row is better if it is by this much, in relation to the value.
const BETTER: f64 = 1e-12;
/// Where a number of steps need not be known well, a row is better if it takes this much longer. Twice the result is still a
/// vector `y ≥ 1 + P·y` if equations are solved to within a tenth.
const LONGER: f64 = 0.25;
/// Values that change by less, in relation to the largest, show that rows were exchanged because of roundings. Corrections of the guess, which know
/// exactly by how much it is off, choose among such rows.
const NOISE: f64 = 1e-7;

/// A guess.
pub(crate) struct Guess {
    pub(crate) values: Vec<f64>,
    /// The row of each unknown.
    pub(crate) policy: Vec<u32>,
}

/// Guesses a solution, with these constants for rows. `None` if the caller stops it.
pub(crate) fn optimise(
    system: &System,
    floats: &Floats,
    constant: &[f64],
    kind: Kind,
    maximise: bool,
    tolerance: Tolerance,
    stopped: &dyn Fn() -> bool,
) -> Option<Guess> {
    let mut policy = match kind {
        Kind::Leaves => system.first_row[..system.unknowns()].to_vec(),
        Kind::Costs => shortest(system),
    };
    let sign = if maximise { 1.0 } else { -1.0 };
    let chain = system.unknowns() == system.total.len();
    if !chain && kind == Kind::Leaves {
        // A few sweeps from below: most rows that they prefer stay.
        let mut x = vec![0.0; system.unknowns()];
        for _ in 0..32 {
            improve(system, floats, constant, sign, &mut policy, &x, 0.0);
            for unknown in 0..x.len() {
                x[unknown] = value(system, floats, constant, policy[unknown] as usize, &x);
            }
            if stopped() {
                return None;
            }
        }
    }
    let better = if tolerance.absolute > 0.0 { LONGER } else { 0.0 };
    let mut values: Vec<f64> = vec![];
    for _ in 0..ROUNDS {
        let chosen: Vec<f64> = policy.iter().map(|row| constant[*row as usize]).collect();
        let next = Chosen::new(system, floats, &policy).solve(&chosen, tolerance, stopped)?;
        let change = next.iter().zip(&values).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        let settled = !values.is_empty() && better == 0.0 && change <= NOISE * largest(&next);
        values = next;
        if chain || settled || !improve(system, floats, constant, sign, &mut policy, &values, better) {
            break;
        }
    }
    Some(Guess { values, policy })
}

fn value(system: &System, floats: &Floats, constant: &[f64], row: usize, x: &[f64]) -> f64 {
    let inner = system.entries(row).map(|at| floats.share[at] * x[system.column[at] as usize]);
    constant[row] + inner.sum::<f64>()
}

/// Chooses better rows where there are some.
fn improve(
    system: &System,
    floats: &Floats,
    constant: &[f64],
    sign: f64,
    policy: &mut [u32],
    x: &[f64],
    better: f64,
) -> bool {
    let mut changed = false;
    for (unknown, chosen) in policy.iter_mut().enumerate() {
        let rows = system.rows_of(unknown);
        if rows.len() == 1 {
            continue;
        }
        let mut best = sign * value(system, floats, constant, *chosen as usize, x);
        for row in rows {
            let other = sign * value(system, floats, constant, row, x);
            if other > best + better.max(BETTER * best.abs()) {
                (best, *chosen, changed) = (other, row as u32, true);
            }
        }
    }
    changed
}

/// For each unknown a row on a shortest way out.
fn shortest(system: &System) -> Vec<u32> {
    let unknowns = system.unknowns();
    let mut policy = system.first_row[..unknowns].to_vec();
    let mut before: Vec<Vec<(u32, u32)>> = vec![vec![]; unknowns];
    let mut seen = vec![false; unknowns];
    let mut queue = std::collections::VecDeque::new();
    for unknown in 0..unknowns {
        for row in system.rows_of(unknown) {
            if system.leaves(row) && !seen[unknown] {
                seen[unknown] = true;
                policy[unknown] = row as u32;
                queue.push_back(unknown);
            }
            system.weights(row).for_each(|(to, _)| before[to as usize].push((unknown as u32, row as u32)));
        }
    }
    while let Some(unknown) = queue.pop_front() {
        for (from, row) in std::mem::take(&mut before[unknown]) {
            if !std::mem::replace(&mut seen[from as usize], true) {
                policy[from as usize] = row;
                queue.push_back(from as usize);
            }
        }
    }
    policy
}
