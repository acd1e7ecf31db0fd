//! The ranges of all variables: a fixpoint by widening and narrowing (Cousot and Cousot, POPL 1977).
//!
//! Blocks are evaluated repeatedly with the ranges found so far, until nothing new is assigned. A variable that
//! keeps growing is widened: first to constants that occur in the program, then to all integers. Narrowing recovers a
//! part of the precision at the end: if all states lie in some ranges, they lie in what the blocks can assign from
//! these ranges, whatever the way the ranges were found.

use super::value::Value;
use super::walk::Effects;
use swarmcheck_ir::VarId;

/// A variable may change so often before it is widened: each of a few values may come alone.
const PATIENCE: u32 = super::value::FEW as u32 + 1;
/// And so often to the next threshold.
const THRESHOLDS: u32 = 24;
/// Rounds that win back precision.
const BACK: usize = 3;

/// A system of equations: what each variable starts with, and blocks that assign to them.
pub(super) struct Equations<'a> {
    pub start: Vec<Value>,
    /// Values to begin with, if they are known to be near the solution: from where they are, it is found in few rounds.
    /// Whatever they are, the result contains the start and all that the blocks assign from it.
    pub near: Option<Vec<Value>>,
    /// For each block, the variables it depends on.
    pub reads: Vec<Vec<VarId>>,
    /// What a block assigns when variables have these values.
    pub run: &'a dyn Fn(usize, &[Value]) -> Effects,
    /// What a variable can have of these values, by declaration.
    pub declared: &'a dyn Fn(VarId, Value) -> Value,
    /// Constants of the program, in ascending order.
    pub thresholds: Vec<i64>,
}

impl Equations<'_> {
    /// Values that contain the start and all that the blocks assign from them.
    pub(super) fn solve(&self) -> Vec<Value> {
        let mut values = match &self.near {
            Some(near) => near.iter().zip(&self.start).map(|(near, start)| near.join(start)).collect(),
            None => self.start.clone(),
        };
        let mut changes = vec![0; values.len()];
        let mut readers = vec![vec![]; values.len()];
        for (block, reads) in self.reads.iter().enumerate() {
            reads.iter().for_each(|v| readers[v.0 as usize].push(block));
        }
        let mut due = vec![true; self.reads.len()];
        while due.contains(&true) {
            let mut next = values.clone();
            for block in (0..due.len()).filter(|b| due[*b]) {
                self.collect(block, &values, &mut next);
            }
            due.fill(false);
            for (v, (old, new)) in values.iter_mut().zip(next).enumerate().filter(|(_, (o, n))| **o != *n) {
                changes[v] += 1;
                let grown = match changes[v] {
                    n if n <= PATIENCE => new,
                    n if n <= PATIENCE + THRESHOLDS => new.widened(old, &self.thresholds),
                    _ => new.widened(old, &[]),
                };
                *old = (self.declared)(VarId(v as u32), grown).join(old);
                readers[v].iter().for_each(|b| due[*b] = true);
            }
        }
        for _ in 0..BACK {
            let mut next = self.start.clone();
            for block in 0..self.reads.len() {
                self.collect(block, &values, &mut next);
            }
            let next: Vec<Value> = next.iter().zip(&values).map(|(n, v)| n.meet(v)).collect();
            if next == values {
                break;
            }
            values = next;
        }
        values
    }

    fn collect(&self, block: usize, values: &[Value], into: &mut [Value]) {
        for (var, value) in (self.run)(block, values).writes {
            let all = &mut into[var.0 as usize];
            *all = all.join(&(self.declared)(var, value));
        }
    }
}
