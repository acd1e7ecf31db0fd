//! The answers by brute force: every memoryless deterministic scheduler, every system of equations by Gaussian elimination with
//! fractions. Slow, obvious, and shares no code with the engine.

use num_rational::BigRational;
use num_traits::{One, Zero};
use swarmcheck_chance::{Bits, Process};

/// The matrix of a chain.
pub type Matrix = Vec<Vec<BigRational>>;

fn zero() -> BigRational {
    BigRational::zero()
}

/// The chains of all schedulers.
pub fn chains(process: &Process) -> Vec<Matrix> {
    let mut out: Vec<Matrix> = vec![vec![]];
    for state in 0..process.states() {
        let mut next = vec![];
        for row in process.rows_of(state) {
            let mut line = vec![zero(); process.states()];
            for (to, weight) in process.row(row).entries() {
                line[to as usize] += BigRational::new(weight.into(), process.row(row).total.into());
            }
            for chain in &out {
                let mut chain = chain.clone();
                chain.push(line.clone());
                next.push(chain);
            }
        }
        out = next;
    }
    out
}

/// Solves A·x = b, for A with an inverse.
pub fn gauss(mut a: Matrix, mut b: Vec<BigRational>) -> Vec<BigRational> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).find(|row| !a[*row][k].is_zero()).expect("an inverse");
        a.swap(k, pivot);
        b.swap(k, pivot);
        for row in 0..n {
            if row != k && !a[row][k].is_zero() {
                let factor = &a[row][k] / &a[k][k];
                let head = a[k].clone();
                a[row].iter_mut().zip(&head).for_each(|(entry, head)| *entry -= &factor * head);
                let less = &factor * &b[k];
                b[row] -= less;
            }
        }
    }
    (0..n).map(|k| &b[k] / &a[k][k]).collect()
}

/// Whether one state can be reached from another, by ways through some states.
fn reach(chain: &Matrix, through: &dyn Fn(usize) -> bool) -> Vec<Vec<bool>> {
    let n = chain.len();
    let mut reach: Vec<Vec<bool>> =
        (0..n).map(|a| (0..n).map(|b| a == b || (through(a) && !chain[a][b].is_zero())).collect()).collect();
    for k in 0..n {
        for a in 0..n {
            for b in 0..n {
                reach[a][b] |= reach[a][k] && reach[k][b];
            }
        }
    }
    reach
}

/// The probability of `hold until goal` from every state of a chain.
pub fn until(chain: &Matrix, hold: &Bits, goal: &Bits) -> Vec<BigRational> {
    let n = chain.len();
    let reach = reach(chain, &|s| hold.contains(s) && !goal.contains(s));
    let open =
        |s: usize| !goal.contains(s) && hold.contains(s) && (0..n).any(|g| goal.contains(g) && reach[s][g]);
    let mut a = vec![vec![zero(); n]; n];
    let mut b = vec![zero(); n];
    for s in 0..n {
        a[s][s] = BigRational::one();
        if goal.contains(s) {
            b[s] = BigRational::one();
        } else if open(s) {
            (0..n).for_each(|t| a[s][t] -= &chain[s][t]);
        }
    }
    gauss(a, b)
}

/// The expected number of steps to the goal from every state of a chain; `None` for infinity.
pub fn steps(chain: &Matrix, goal: &Bits) -> Vec<Option<BigRational>> {
    let n = chain.len();
    let sure: Vec<bool> = until(chain, &Bits::full(n), goal).iter().map(BigRational::is_one).collect();
    let mut a = vec![vec![zero(); n]; n];
    let mut b = vec![zero(); n];
    for s in 0..n {
        a[s][s] = BigRational::one();
        if sure[s] && !goal.contains(s) {
            b[s] = BigRational::one();
            (0..n).for_each(|t| a[s][t] -= &chain[s][t]);
        }
    }
    gauss(a, b).into_iter().zip(sure).map(|(x, sure)| sure.then_some(x)).collect()
}

/// The share of a set in the long run, from every state of a chain.
pub fn share(chain: &Matrix, set: &Bits) -> Vec<BigRational> {
    let n = chain.len();
    let reach = reach(chain, &|_| true);
    let closed = |s: usize| (0..n).all(|t| !reach[s][t] || reach[t][s]);
    let mut total = vec![zero(); n];
    for first in (0..n).filter(|s| closed(*s) && (0..*s).all(|t| !(reach[*s][t] && reach[t][*s]))) {
        let members: Vec<usize> = (0..n).filter(|t| reach[first][*t]).collect();
        // π·P = π, with the first equation replaced by Σ π = 1.
        let m = members.len();
        let mut a = vec![vec![zero(); m]; m];
        let mut b = vec![zero(); m];
        for (i, to) in members.iter().enumerate() {
            for (j, from) in members.iter().enumerate() {
                a[i][j] = chain[*from][*to].clone();
            }
            a[i][i] -= BigRational::one();
        }
        a[0] = vec![BigRational::one(); m];
        b[0] = BigRational::one();
        let stationary = gauss(a, b);
        let inside: BigRational =
            members.iter().zip(stationary).filter(|(s, _)| set.contains(**s)).map(|(_, p)| p).sum();
        let goal = Bits::from_fn(n, |s| members.contains(&s));
        for (s, p) in until(chain, &Bits::full(n), &goal).into_iter().enumerate() {
            total[s] += p * &inside;
        }
    }
    total
}

/// Backward induction: what a value is expected to be after some steps, for the best or worst scheduler. States of `rest` keep their value.
pub fn after(
    process: &Process,
    values: &[BigRational],
    rest: &Bits,
    steps: u64,
    max: bool,
) -> Vec<BigRational> {
    let mut x = values.to_vec();
    for _ in 0..steps {
        let value = |state: usize| {
            if rest.contains(state) {
                return x[state].clone();
            }
            let rows = process.rows_of(state).map(|row| {
                let row = process.row(row);
                let sum: BigRational =
                    row.entries().map(|(to, w)| &x[to as usize] * BigRational::from_integer(w.into())).sum();
                sum / BigRational::from_integer(row.total.into())
            });
            if max { rows.max() } else { rows.min() }.expect("a row")
        };
        x = (0..process.states()).map(value).collect();
    }
    x
}
