//! Exact solutions of small systems: the rows of a policy are solved with fractions, then it is checked that no row is better. If one is, because the
//! guess has taken two rows for equally good, policy iteration goes on with fractions.
//!
//! Unknowns are eliminated one after the other, those first that occur in few equations (Markowitz 1957), as states are eliminated in parametric
//! model checking (Daws 2004). Fractions may get very long. The work is counted, and given up when there is too much of it.

use super::system::System;
use num_rational::BigRational;
use num_traits::{One, Zero};
use std::collections::BTreeMap;

/// The most work, in squares of 64-bit words: a second or so, because fractions are reduced each time.
pub(crate) const WORK: u64 = 300_000;

struct Equation {
    constant: BigRational,
    of: BTreeMap<u32, BigRational>,
}

/// The solution, unless it is too much work.
pub(crate) fn solve(
    system: &System,
    policy: &[u32],
    maximise: bool,
    stopped: &dyn Fn() -> bool,
) -> Option<Vec<BigRational>> {
    let constants = system.exact.as_ref()?;
    let equation = |row: usize| {
        let total = BigRational::from_integer(system.total[row].into());
        let share =
            |(to, weight): (u32, u64)| (to, BigRational::new(weight.into(), system.total[row].into()));
        Equation { constant: &constants[row] / &total, of: system.weights(row).map(share).collect() }
    };
    let mut policy = policy.to_vec();
    let mut work = 0;
    loop {
        let equations = policy.iter().map(|row| equation(*row as usize)).collect();
        let values = eliminate(equations, &mut work, stopped)?;
        let mut optimal = true;
        for (unknown, chosen) in policy.iter_mut().enumerate() {
            let mut best = values[unknown].clone();
            for row in system.rows_of(unknown) {
                if *chosen as usize == row {
                    continue;
                }
                let Equation { constant, of } = equation(row);
                work += of.values().map(|share| 2 * length(share) * length(&best)).sum::<u64>();
                let other = of.iter().fold(constant, |sum, (to, share)| sum + share * &values[*to as usize]);
                if (maximise && other > best) || (!maximise && other < best) {
                    (best, *chosen, optimal) = (other, row as u32, false);
                }
            }
        }
        if optimal {
            return Some(values);
        }
    }
}

fn eliminate(
    mut equations: Vec<Equation>,
    work: &mut u64,
    stopped: &dyn Fn() -> bool,
) -> Option<Vec<BigRational>> {
    let mut uses: Vec<std::collections::BTreeSet<u32>> = vec![Default::default(); equations.len()];
    for (from, equation) in equations.iter().enumerate() {
        equation.of.keys().for_each(|to| {
            uses[*to as usize].insert(from as u32);
        });
    }
    let mut open: Vec<bool> = vec![true; equations.len()];
    let mut order = vec![];
    for _ in 0..equations.len() {
        let cost = |at: &usize| uses[*at].len() * (equations[*at].of.len() + 1);
        let next = (0..equations.len()).filter(|at| open[*at]).min_by_key(cost)?;
        open[next] = false;
        order.push(next);
        let taken = std::mem::replace(
            &mut equations[next],
            Equation { constant: BigRational::zero(), of: BTreeMap::new() },
        );
        taken.of.keys().for_each(|to| {
            uses[*to as usize].remove(&(next as u32));
        });
        for from in std::mem::take(&mut uses[next]) {
            let at = from as usize;
            let Some(factor) = equations[at].of.remove(&(next as u32)) else { continue };
            *work += length(&factor) * (length(&taken.constant) + 2);
            let more = &factor * &taken.constant;
            equations[at].constant += more;
            for (to, share) in &taken.of {
                *work += length(&factor) * (length(share) + 2);
                let more = &factor * share;
                *equations[at].of.entry(*to).or_insert_with(BigRational::zero) += more;
                uses[*to as usize].insert(from);
            }
            // x = c + w·x + … is x = (c + …) / (1 - w).
            if let Some(own) = equations[at].of.remove(&from) {
                uses[at].remove(&from);
                let rest = BigRational::one() - own;
                if rest.is_zero() {
                    return None;
                }
                *work += length(&rest)
                    * (length(&equations[at].constant) + 2)
                    * (equations[at].of.len() as u64 + 1);
                equations[at].constant /= &rest;
                equations[at].of.values_mut().for_each(|share| *share /= &rest);
            }
            if *work > WORK || stopped() {
                return None;
            }
        }
        equations[next] = taken;
    }
    let mut values = vec![BigRational::zero(); equations.len()];
    for at in order.into_iter().rev() {
        let equation = &equations[at];
        let mut sum = equation.constant.clone();
        for (to, share) in &equation.of {
            *work += length(share) * (length(&values[*to as usize]) + 2);
            sum += share * &values[*to as usize];
        }
        if *work > WORK {
            return None;
        }
        values[at] = sum;
    }
    Some(values)
}

/// In words.
pub(crate) fn length(number: &BigRational) -> u64 {
    (number.numer().bits() + number.denom().bits()) / 64 + 1
}
