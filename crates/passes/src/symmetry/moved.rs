//! A candidate group of permutations: which agents it moves, and how.

use super::Moves;
use swarmcheck_ir::{Expr, KindId, Program, Set, UNDEF};

/// All permutations, or all rotations, of the agents of some kinds.
pub(super) struct Moved<'a> {
    pub program: &'a Program,
    pub kinds: Vec<KindId>,
    pub moves: Moves,
}

/// How some kinds relate to those that are moved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    /// None of their agents is moved.
    None,
    /// All agents that are moved are among them.
    All,
    /// Agents among them change places with others.
    Some,
}

impl Moved<'_> {
    /// The agents, in order of their numbers.
    pub fn agents(&self) -> Vec<u32> {
        let mut out: Vec<u32> = self
            .kinds
            .iter()
            .map(|k| self.program.kind(*k))
            .flat_map(|k| k.first..k.first + k.count)
            .collect();
        out.sort();
        out
    }

    /// How many agents there are, if their numbers are 0, 1, 2, …: only then `%` permutes them cyclically.
    pub fn ring(&self) -> Option<i64> {
        let agents = self.agents();
        let ring = agents.iter().enumerate().all(|(i, a)| i as u32 == *a);
        (ring && self.moves == Moves::Rotation).then_some(agents.len() as i64)
    }

    /// Whether a number is one of an agent that is moved.
    pub fn number(&self, value: i64) -> bool {
        value != UNDEF
            && self
                .kinds
                .iter()
                .map(|k| self.program.kind(*k))
                .any(|k| (i64::from(k.first)..i64::from(k.first) + i64::from(k.count)).contains(&value))
    }

    /// Whether all agents that are moved are in `lo..hi`, or none is.
    pub fn whole(&self, lo: i64, hi: i64) -> bool {
        let ranges = || self.kinds.iter().map(|k| self.program.kind(*k)).filter(|k| k.count > 0);
        let inside =
            ranges().all(|k| lo <= i64::from(k.first) && i64::from(k.first) + i64::from(k.count) <= hi);
        let outside =
            ranges().all(|k| hi <= i64::from(k.first) || i64::from(k.first) + i64::from(k.count) <= lo);
        inside || outside || lo >= hi
    }

    /// Whether a set is the same after any of the permutations.
    pub fn closed(&self, set: &Set) -> bool {
        matches!(set, Set::Range(Expr::Const(lo), Expr::Const(hi)) if self.whole(*lo, *hi))
    }

    /// How some kinds relate to those that are moved. Kinds without agents do not count.
    pub fn share(&self, kinds: &[KindId]) -> Share {
        let inhabited = || self.kinds.iter().filter(|k| self.program.kind(**k).count > 0);
        if inhabited().all(|k| kinds.contains(k)) {
            Share::All
        } else if inhabited().any(|k| kinds.contains(k)) {
            Share::Some
        } else {
            Share::None
        }
    }
}
