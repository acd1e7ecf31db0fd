//! Both ways together: signatures as long as they are cheap, and bunches for what is left.
//!
//! Signatures are faster by a factor if few rounds suffice, and slower without bound otherwise. So they may look at each
//! of m steps log n times on average, for n nodes, which is the time that bunches take. What they have found by then is a
//! partition that is at most as fine as the result, so its blocks can be taken for classes.

use super::bunches::Refinement;
use super::graph::Graph;
use super::refine::{refine, refine_within};
use crate::stop::{Stop, Stopped};

/// A graph for which the first part of the work is done. It is not needed for the second.
pub enum Both {
    Done(Vec<u32>),
    Left(Box<Refinement>),
}

impl Both {
    /// Does the first part.
    pub fn new(graph: &Graph, stop: Stop<'_>) -> Result<Both, Stopped> {
        let size = graph.all_steps() + graph.nodes() as usize;
        let looks = 1 + graph.nodes().checked_ilog2().unwrap_or(0) as usize;
        // Bunches need more memory than so many entries.
        let room = size.saturating_mul(3);
        Both::within(graph, size.saturating_mul(looks), room, stop)
    }

    fn within(graph: &Graph, limit: usize, room: usize, stop: Stop<'_>) -> Result<Both, Stopped> {
        let (block, done) = refine_within(graph, limit, room, stop)?;
        if done {
            return Ok(Both::Done(block));
        }
        Ok(match Refinement::new(graph, &block) {
            Some(refinement) => Both::Left(Box::new(refinement)),
            None => Both::Done(refine(graph, stop)?),
        })
    }

    /// The block of each node in the coarsest stable partition.
    pub fn finish(self, stop: Stop<'_>) -> Result<Vec<u32>, Stopped> {
        match self {
            Both::Done(block) => Ok(block),
            Both::Left(refinement) => refinement.run(stop),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minimise::{Equivalence, Raw};

    /// Wherever signatures give up, bunches find the same result as signatures would have.
    #[test]
    fn signatures_may_give_up_at_any_time() {
        let mut random = fastrand::Rng::with_seed(3);
        let (mut given_up, mut done) = (0, 0);
        for _ in 0..3_000 {
            let states = random.u32(2..25);
            let mut steps: Vec<(u32, u32, u32)> = (0..random.u32(0..3 * states))
                .map(|_| (random.u32(..states), random.u32(..3) % 2, random.u32(..states)))
                .collect();
            steps.sort_unstable();
            steps.dedup();
            let offsets: Vec<usize> =
                (0..=states).map(|state| steps.partition_point(|step| step.0 < state)).collect();
            let edges: Vec<(u32, u32)> = steps.iter().map(|&(_, label, target)| (label, target)).collect();
            let raw = Raw { offsets: &offsets, edges: &edges, tau: Some(0), classes: &[] };
            let kinds = [Equivalence::Strong, Equivalence::Branching, Equivalence::DivergenceBranching];
            let graph = Graph::whole(&raw, kinds[random.usize(..3)]);
            let never = &|_| false;
            let both = Both::within(&graph, random.usize(1..200), random.usize(1..40), never).unwrap();
            match both {
                Both::Done(_) => done += 1,
                Both::Left(_) => given_up += 1,
            }
            let (found, expected) = (both.finish(never).unwrap(), refine(&graph, never).unwrap());
            let same = |block: &[u32]| -> Vec<usize> {
                block.iter().map(|a| block.iter().position(|b| a == b).unwrap_or(0)).collect()
            };
            assert_eq!(same(&found), same(&expected), "{raw:?}");
        }
        assert!(given_up > 500 && done > 500, "{given_up} given up, {done} done");
    }
}
