//! In which order cells are drawn, so that conditions can be tested early.
//!
//! Greedily: next comes the cell that completes most conditions, then the one that shares most conditions with cells that
//! have been drawn, then the one with the fewest values. Cells that no condition reads come last (they are not among the
//! variables at all): a refused state is never completed in many ways.

use super::problem::Problem;
use crate::ground::Act;

/// With more variables than this they stay in the order of the block, which is linear.
const MOST: usize = 4096;

impl Problem {
    pub(super) fn reorder(&mut self) {
        if self.variables.len() > MOST {
            return;
        }
        let order = self.order();
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, old)| place[*old] = new);
        let old = std::mem::take(&mut self.variables);
        self.variables = order.iter().map(|at| old[*at].clone()).collect();
        for condition in &mut self.conditions {
            condition.variables.iter_mut().for_each(|v| *v = place[*v]);
            condition.variables.sort_unstable();
        }
    }

    fn order(&self) -> Vec<usize> {
        let n = self.variables.len();
        let mut of: Vec<Vec<usize>> = vec![vec![]; n];
        for (number, condition) in self.conditions.iter().enumerate() {
            condition.variables.iter().for_each(|v| of[*v].push(number));
        }
        let mut open: Vec<usize> = self.conditions.iter().map(|c| c.variables.len()).collect();
        let (mut completes, mut shares) = (vec![0_u32; n], vec![0_u32; n]);
        for condition in self.conditions.iter().filter(|c| c.variables.len() == 1) {
            completes[condition.variables[0]] += 1;
        }
        let mut left: Vec<usize> = (0..n).collect();
        let mut order = vec![];
        while !left.is_empty() {
            crate::cancel::check();
            let best = (0..left.len()).min_by_key(|at| {
                let v = left[*at];
                let values = self.variables[v].values.len();
                (std::cmp::Reverse((completes[v], shares[v])), values, v)
            });
            let Some(best) = best else { break };
            let chosen = left.remove(best);
            order.push(chosen);
            for &number in &of[chosen] {
                let condition = &self.conditions[number];
                let first = open[number] == condition.variables.len();
                open[number] -= 1;
                let last = open[number] == 1;
                for &v in condition.variables.iter().filter(|v| **v != chosen) {
                    shares[v] += u32::from(first);
                    completes[v] += u32::from(last);
                }
            }
        }
        order
    }

    /// The draws, each followed by the conditions that can be tested then.
    pub(super) fn interleaved(&self) -> Vec<Act> {
        let mut after: Vec<Vec<usize>> = vec![vec![]; self.variables.len()];
        let mut out = vec![];
        for (number, condition) in self.conditions.iter().enumerate() {
            match condition.variables.last() {
                Some(last) => after[*last].push(number),
                None => out.push(Act::Assume(condition.term.clone())),
            }
        }
        for (variable, conditions) in self.variables.iter().zip(&after) {
            out.push(variable.draw());
            out.extend(conditions.iter().map(|number| Act::Assume(self.conditions[*number].term.clone())));
        }
        out
    }
}
