//! Gaussian elimination for sparse systems `x = c + P·x`: unknowns that occur in few equations are eliminated first (Markowitz 1957), so that
//! few new entries come up. It is the elimination of states by which regular expressions and parametric chains are computed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The most entries that may be looked at: for each equation, and altogether.
const WORK_EACH: usize = 300;
const WORK: usize = 100_000_000;

/// Equations: for each unknown a constant, and the other unknowns with coefficients, in order.
pub(crate) struct Equations {
    pub(crate) constant: Vec<f64>,
    pub(crate) of: Vec<Vec<(u32, f64)>>,
}

impl Equations {
    /// The solution; `None` if too many entries come up.
    pub(crate) fn solve(mut self) -> Option<Vec<f64>> {
        let n = self.of.len();
        let mut uses: Vec<Vec<u32>> = vec![vec![]; n];
        for (from, of) in self.of.iter().enumerate() {
            of.iter().for_each(|(to, _)| uses[*to as usize].push(from as u32));
        }
        let cost = |of: &[Vec<(u32, f64)>], uses: &[Vec<u32>], at: usize| of[at].len() * uses[at].len();
        let mut heap: BinaryHeap<Reverse<(usize, u32)>> =
            (0..n).map(|at| Reverse((cost(&self.of, &uses, at), at as u32))).collect();
        let mut done = vec![false; n];
        let mut order = vec![];
        let mut work = 0;
        let mut merged = vec![];
        while let Some(Reverse((old, next))) = heap.pop() {
            let at = next as usize;
            if done[at] {
                continue;
            }
            uses[at].retain(|from| !done[*from as usize]);
            uses[at].sort_unstable();
            uses[at].dedup();
            let now = cost(&self.of, &uses, at);
            if now > old {
                heap.push(Reverse((now, next)));
                continue;
            }
            done[at] = true;
            order.push(at);
            let row = std::mem::take(&mut self.of[at]);
            for from in std::mem::take(&mut uses[at]) {
                let into = from as usize;
                let Ok(place) = self.of[into].binary_search_by_key(&next, |(to, _)| *to) else { continue };
                let factor = self.of[into].remove(place).1;
                self.constant[into] += factor * self.constant[at];
                merged.clear();
                work += self.of[into].len() + row.len();
                let mut own = 0.0;
                let mut old = self.of[into].iter().copied().peekable();
                for (to, share) in &row {
                    while let Some(entry) = old.next_if(|(other, _)| other < to) {
                        merged.push(entry);
                    }
                    let known = old.next_if(|(other, _)| other == to);
                    let value = known.map_or(0.0, |(_, value)| value) + factor * share;
                    if *to == from {
                        own = value;
                        continue;
                    }
                    merged.push((*to, value));
                    if known.is_none() {
                        uses[*to as usize].push(from);
                    }
                }
                merged.extend(old);
                let rest = 1.0 - own;
                if rest != 1.0 {
                    self.constant[into] /= rest;
                    merged.iter_mut().for_each(|(_, share)| *share /= rest);
                }
                std::mem::swap(&mut self.of[into], &mut merged);
                heap.push(Reverse((cost(&self.of, &uses, into), from)));
            }
            if work > WORK.min(WORK_EACH * n) {
                return None;
            }
            self.of[at] = row;
        }
        let mut x = vec![0.0; n];
        for at in order.into_iter().rev() {
            let inner: f64 = self.of[at].iter().map(|(to, share)| share * x[*to as usize]).sum();
            x[at] = self.constant[at] + inner;
        }
        Some(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fair walk on 0…n+1 that ends at both ends: from k the upper end is reached with probability k / (n + 1). No entries come up.
    #[test]
    fn walk_on_a_line() {
        let n = 5000_u32;
        let mut equations = Equations { constant: vec![0.0; n as usize], of: vec![] };
        for k in 0..n {
            let near = [k.checked_sub(1), Some(k + 1).filter(|k| *k < n)];
            equations.of.push(near.into_iter().flatten().map(|to| (to, 0.5)).collect());
        }
        equations.constant[n as usize - 1] = 0.5;
        let x = equations.solve().expect("few entries");
        for k in 0..n {
            let wanted = f64::from(k + 1) / f64::from(n + 1);
            assert!((x[k as usize] - wanted).abs() < 1e-9, "{k}");
        }
    }

    /// The result satisfies the equations.
    #[test]
    fn three_equations() {
        let of = vec![vec![(1, 0.5), (2, 0.25)], vec![(0, 0.5), (2, 0.5)], vec![(0, 0.5), (1, 0.25)]];
        let x = Equations { constant: vec![1.0, 0.0, 0.0], of: of.clone() }.solve().expect("small");
        for (at, row) in of.iter().enumerate() {
            let right: f64 = row.iter().map(|(to, share)| share * x[*to as usize]).sum();
            let constant = if at == 0 { 1.0 } else { 0.0 };
            assert!((x[at] - constant - right).abs() < 1e-12);
        }
    }
}
