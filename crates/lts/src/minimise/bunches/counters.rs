//! How many steps each node has in each bunch (as in Paige and Tarjan, *Three partition refinement algorithms*, 1987):
//! when steps are taken out of a bunch, this tells which nodes have others in it.

use super::NONE;

pub struct Counters {
    /// The counter of each step: that of its source and its bunch.
    of: Vec<u32>,
    counts: Vec<u32>,
    free: Vec<u32>,
    /// For nodes whose steps are being put into a bunch, the counter for it.
    new: Vec<u32>,
    /// For nodes with steps that were moved to another bunch, the counter for the steps that were not.
    rest: Vec<u32>,
}

impl Counters {
    pub fn new(steps: usize, nodes: usize) -> Counters {
        Counters {
            of: vec![NONE; steps],
            counts: vec![],
            free: vec![],
            new: vec![NONE; nodes],
            rest: vec![NONE; nodes],
        }
    }

    /// Counts a step of a node for a bunch that gets steps at the moment. It is counted for no other.
    pub fn enter(&mut self, step: u32, source: u32) {
        if self.new[source as usize] == NONE {
            self.new[source as usize] = match self.free.pop() {
                Some(number) => number,
                None => {
                    self.counts.push(0);
                    self.counts.len() as u32 - 1
                }
            };
        }
        let number = self.new[source as usize];
        self.counts[number as usize] += 1;
        self.of[step as usize] = number;
    }

    /// No more steps of this node are put into the bunch.
    pub fn entered(&mut self, source: u32) {
        self.new[source as usize] = NONE;
    }

    /// The step is not counted any more.
    pub fn leave(&mut self, step: u32) {
        let number = self.of[step as usize];
        self.counts[number as usize] -= 1;
        if self.counts[number as usize] == 0 {
            self.free.push(number);
        }
    }

    /// Moves a step to the bunch that gets steps at the moment, from one that is the same for all of them.
    pub fn change(&mut self, step: u32, source: u32) {
        let old = self.of[step as usize];
        self.leave(step);
        self.rest[source as usize] = if self.counts[old as usize] == 0 { NONE } else { old };
        self.enter(step, source);
    }

    /// Whether the node had other steps in the bunch that steps were moved from last.
    pub fn has_rest(&self, node: u32) -> bool {
        self.rest[node as usize] != NONE
    }

    /// Forgets about steps that were moved.
    pub fn forget(&mut self, node: u32) {
        self.rest[node as usize] = NONE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_counted() {
        let mut counters = Counters::new(4, 2);
        for (step, node) in [(0, 0), (1, 0), (2, 0), (3, 1)] {
            counters.enter(step, node);
        }
        [0, 1].into_iter().for_each(|node| counters.entered(node));
        counters.change(1, 0);
        counters.change(3, 1);
        assert!(counters.has_rest(0) && !counters.has_rest(1));
        counters.change(2, 0);
        assert!(counters.has_rest(0));
        counters.change(0, 0);
        assert!(!counters.has_rest(0));
        assert_eq!(counters.counts.iter().sum::<u32>(), 4);
    }
}
