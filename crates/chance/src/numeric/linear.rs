//! Approximate solutions of `x = c + P·x` where no decision is left: component by component, those first that others lead to.
//!
//! Small components are solved by elimination with pivots, others by sparse elimination (`sparse.rs`) unless too many entries come up, then by the stabilised bi-conjugate gradient method (van der Vorst 1992),
//! then by Gauss–Seidel sweeps. Whether the result is any good is found out by those who prove bounds for it.

use super::sparse::Equations;
use super::system::{Floats, System};
use swarmcheck_graphs::{Components, Digraph};

/// The largest component that is solved by elimination.
const DENSE: usize = 256;
/// The largest one for which sparse elimination is tried.
const SPARSE: usize = 200_000;
/// The most entries that iterations of each kind look at, and the most iterations.
const WORK: usize = 500_000_000;
const ROUNDS: usize = 20_000;

/// How far off a solution may be: what is left of an equation is at most this, absolutely, or in relation to the largest constant.
#[derive(Clone, Copy)]
pub(crate) struct Tolerance {
    pub(crate) absolute: f64,
    pub(crate) relative: f64,
}

impl Tolerance {
    /// For a first guess, which is corrected later.
    pub(crate) const FINE: Tolerance = Tolerance { absolute: 0.0, relative: 1e-9 };
    /// For corrections, which are made again and again.
    pub(crate) const COARSE: Tolerance = Tolerance { absolute: 0.0, relative: 1e-5 };
    /// For numbers of steps that need not be known well.
    pub(crate) const STEPS: Tolerance = Tolerance { absolute: 0.1, relative: 0.0 };

    fn wanted(self, constants: &[f64]) -> f64 {
        self.absolute.max(self.relative * largest(constants))
    }
}

/// The largest size of a number.
pub(crate) fn largest(list: &[f64]) -> f64 {
    list.iter().fold(f64::MIN_POSITIVE, |most, value| most.max(value.abs()))
}

/// The rows that a policy chooses, in an order in which they can be solved.
pub(crate) struct Chosen<'s> {
    system: &'s System,
    floats: &'s Floats,
    policy: &'s [u32],
    /// Components one after the other, and where each ends.
    order: Vec<u32>,
    end: Vec<usize>,
}

struct Graph<'a>(&'a System, &'a [u32]);

impl Digraph for Graph<'_> {
    type Edge = u32;
    fn numbers(&self) -> usize {
        self.1.len()
    }
    fn edges(&self, node: u32) -> &[u32] {
        &self.0.column[self.0.entries(self.1[node as usize] as usize)]
    }
    fn target(edge: &u32) -> u32 {
        *edge
    }
}

impl<'s> Chosen<'s> {
    pub(crate) fn new(system: &'s System, floats: &'s Floats, policy: &'s [u32]) -> Chosen<'s> {
        let graph = Graph(system, policy);
        let (mut order, mut end) = (vec![], vec![]);
        Components::new(&graph).search(&graph, 0..policy.len() as u32, None, |component| {
            order.extend_from_slice(component);
            end.push(order.len());
        });
        Chosen { system, floats, policy, order, end }
    }

    /// Solves with one constant for each unknown. `None` if the caller stops it.
    pub(crate) fn solve(
        &self,
        constant: &[f64],
        tolerance: Tolerance,
        stopped: &dyn Fn() -> bool,
    ) -> Option<Vec<f64>> {
        let mut x = vec![0.0; constant.len()];
        let mut local = vec![u32::MAX; constant.len()];
        let mut start = 0;
        for (round, end) in self.end.iter().enumerate() {
            let part = &self.order[start..*end];
            start = *end;
            if let [one] = part {
                x[*one as usize] = constant[*one as usize] + self.inner(*one, &x);
                if round.is_multiple_of(1 << 16) && stopped() {
                    return None;
                }
                continue;
            }
            if stopped() {
                return None;
            }
            // What leads out of the component is known by now, and x is still 0 inside.
            let known: Vec<f64> = part.iter().map(|u| constant[*u as usize] + self.inner(*u, &x)).collect();
            part.iter().enumerate().for_each(|(i, u)| local[*u as usize] = i as u32);
            let values = match part.len() {
                ..=DENSE => self.eliminate(part, &local, &known),
                _ => match self.sparse(part, &local, &known) {
                    Some(values) => values,
                    None => self.iterate(part, &local, &known, tolerance.wanted(&known), stopped)?,
                },
            };
            part.iter().zip(values).for_each(|(u, value)| {
                x[*u as usize] = value;
                local[*u as usize] = u32::MAX;
            });
        }
        Some(x)
    }

    fn inner(&self, unknown: u32, x: &[f64]) -> f64 {
        let entries = self.system.entries(self.policy[unknown as usize] as usize);
        entries.map(|at| self.floats.share[at] * x[self.system.column[at] as usize]).sum()
    }

    /// The entries of a row inside the component.
    fn inside<'a>(&'a self, unknown: u32, local: &'a [u32]) -> impl Iterator<Item = (usize, f64)> + 'a {
        let entries = self.system.entries(self.policy[unknown as usize] as usize);
        entries
            .map(|at| (local[self.system.column[at] as usize], self.floats.share[at]))
            .filter(|(to, _)| *to != u32::MAX)
            .map(|(to, share)| (to as usize, share))
    }

    /// Gaussian elimination with partial pivoting.
    fn eliminate(&self, part: &[u32], local: &[u32], known: &[f64]) -> Vec<f64> {
        let n = part.len();
        let mut a = vec![0.0; n * n];
        let mut b = known.to_vec();
        for (i, unknown) in part.iter().enumerate() {
            a[i * n + i] = 1.0;
            self.inside(*unknown, local).for_each(|(j, share)| a[i * n + j] -= share);
        }
        for k in 0..n {
            let size = |row: usize| a[row * n + k].abs();
            let pivot = (k..n).max_by(|i, j| size(*i).total_cmp(&size(*j))).unwrap_or(k);
            if pivot != k {
                (0..n).for_each(|j| a.swap(k * n + j, pivot * n + j));
                b.swap(k, pivot);
            }
            let head = a[k * n + k];
            if head == 0.0 {
                continue;
            }
            let (above, below) = a.split_at_mut((k + 1) * n);
            let row = &above[k * n..];
            for (i, other) in below.chunks_exact_mut(n).enumerate() {
                let factor = other[k] / head;
                if factor != 0.0 {
                    other[k..].iter_mut().zip(&row[k..]).for_each(|(x, y)| *x -= factor * y);
                    b[k + 1 + i] -= factor * b[k];
                }
            }
        }
        for k in (0..n).rev() {
            let rest: f64 = (k + 1..n).map(|j| a[k * n + j] * b[j]).sum();
            let head = a[k * n + k];
            b[k] = if head == 0.0 { 0.0 } else { (b[k] - rest) / head };
        }
        b
    }

    fn sparse(&self, part: &[u32], local: &[u32], known: &[f64]) -> Option<Vec<f64>> {
        if part.len() > SPARSE || self.floats.dense.get() {
            return None;
        }
        let row = |unknown: &u32| {
            let mut row: Vec<(u32, f64)> =
                self.inside(*unknown, local).map(|(to, share)| (to as u32, share)).collect();
            row.sort_unstable_by_key(|(to, _)| *to);
            row
        };
        let solved = Equations { constant: known.to_vec(), of: part.iter().map(row).collect() }.solve();
        self.floats.dense.set(solved.is_none());
        let values = solved?;
        values.iter().all(|value| value.is_finite()).then_some(values)
    }

    fn iterate(
        &self,
        part: &[u32],
        local: &[u32],
        known: &[f64],
        wanted: f64,
        stopped: &dyn Fn() -> bool,
    ) -> Option<Vec<f64>> {
        let apply = |x: &[f64]| -> Vec<f64> {
            let row =
                |(i, u): (usize, &u32)| x[i] - self.inside(*u, local).map(|(j, s)| s * x[j]).sum::<f64>();
            part.iter().enumerate().map(row).collect()
        };
        let entries: usize =
            part.iter().map(|u| self.system.entries(self.policy[*u as usize] as usize).len() + 4).sum();
        let rounds = (WORK / entries).clamp(10, ROUNDS);
        let mut x = gradients(&apply, known, wanted, rounds / 4, stopped)?;
        if x.iter().any(|v| !v.is_finite()) {
            x = vec![0.0; known.len()];
        }
        for sweep in 0..rounds {
            let mut change = 0.0_f64;
            for (i, u) in part.iter().enumerate() {
                let value = known[i] + self.inside(*u, local).map(|(j, s)| s * x[j]).sum::<f64>();
                change = change.max((value - x[i]).abs());
                x[i] = value;
            }
            if change <= wanted.max(1e-15 * largest(&x)) {
                break;
            }
            if sweep.is_multiple_of(16) && stopped() {
                return None;
            }
        }
        Some(x)
    }
}

/// The stabilised bi-conjugate gradient method; gives the best that it has seen.
fn gradients(
    apply: &dyn Fn(&[f64]) -> Vec<f64>,
    b: &[f64],
    wanted: f64,
    rounds: usize,
    stopped: &dyn Fn() -> bool,
) -> Option<Vec<f64>> {
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let n = b.len();
    let mut x = vec![0.0; n];
    let mut r = b.to_vec();
    let first = r.clone();
    let (mut rho, mut alpha, mut omega) = (1.0, 1.0, 1.0);
    let (mut v, mut p) = (vec![0.0; n], vec![0.0; n]);
    let mut best = (largest(&r), x.clone());
    let mut since = 0;
    for round in 0..rounds {
        // It does not get better steadily, but in the long run.
        if best.0 <= wanted.max(1e-15 * largest(&best.1)) || since > 500 {
            break;
        }
        if round.is_multiple_of(16) && stopped() {
            return None;
        }
        let next = dot(&first, &r);
        let beta = next / rho * (alpha / omega);
        if next == 0.0 || !beta.is_finite() {
            break;
        }
        rho = next;
        for i in 0..n {
            p[i] = r[i] + beta * (p[i] - omega * v[i]);
        }
        v = apply(&p);
        alpha = rho / dot(&first, &v);
        if !alpha.is_finite() {
            break;
        }
        let s: Vec<f64> = r.iter().zip(&v).map(|(r, v)| r - alpha * v).collect();
        let t = apply(&s);
        let square = dot(&t, &t);
        omega = if square == 0.0 { 0.0 } else { dot(&t, &s) / square };
        for i in 0..n {
            x[i] += alpha * p[i] + omega * s[i];
            r[i] = s[i] - omega * t[i];
        }
        let size = largest(&r);
        since += 1;
        if size < best.0 {
            best.0 = size;
            best.1.copy_from_slice(&x);
            since = 0;
        }
        if omega == 0.0 || !size.is_finite() {
            break;
        }
    }
    Some(best.1)
}
