//! From which states can the goal be reached? Asked while the states are found, answered at the end.
//!
//! A state that is a goal, or has a step to one that is known to reach it, needs no more thought, so only the steps of the
//! others are kept. They are looked at again from the last to the first until nothing changes: most steps
//! lead to later states, so few rounds are needed, and what is read at random is one bit for each state.

use super::table::Full;

/// Which states are known to reach the goal, and what has to be looked at again. States are numbers.
pub struct Reach {
    /// A bit for each state.
    marked: Vec<u64>,
    /// States that are not marked, and where their steps begin in `steps`.
    open: Vec<(u32, u32)>,
    /// For each open state the number of its steps, then where they lead.
    steps: Vec<u32>,
}

impl Reach {
    /// Nothing is known of states below a number.
    pub fn new(size: usize) -> Reach {
        Reach { marked: vec![0; size.div_ceil(64)], open: vec![], steps: vec![] }
    }

    /// This state reaches the goal.
    pub fn mark(&mut self, state: u32) {
        self.marked[state as usize / 64] |= 1 << (state % 64);
    }

    fn marked(&self, state: u32) -> bool {
        self.marked[state as usize / 64] >> (state % 64) & 1 == 1
    }

    /// All steps of a state; `Full` if there are more than can be numbered with 32 bits.
    pub fn step(&mut self, state: u32, targets: &[u32]) -> Result<(), Full> {
        if self.marked(state) {
        } else if targets.iter().any(|t| self.marked(*t)) {
            self.mark(state);
        } else {
            let begin = u32::try_from(self.steps.len()).map_err(|_| Full)?;
            self.open.push((state, begin));
            self.steps.push(targets.len() as u32);
            self.steps.extend_from_slice(targets);
        }
        Ok(())
    }

    /// The number of states from which the goal cannot be reached.
    pub fn lost(mut self) -> u64 {
        let mut open = std::mem::take(&mut self.open);
        open.reverse();
        loop {
            let before = open.len();
            open.retain(|(state, begin)| {
                let begin = *begin as usize;
                let end = begin + 1 + self.steps[begin] as usize;
                let found = self.steps[begin + 1..end].iter().any(|t| self.marked(*t));
                if found {
                    self.mark(*state);
                }
                !found
            });
            if open.len() == before {
                return before as u64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many states of a graph cannot reach the marked ones.
    fn lost(marked: &[u32], steps: &[&[u32]]) -> u64 {
        let mut reach = Reach::new(steps.len());
        marked.iter().for_each(|m| reach.mark(*m));
        for (state, targets) in steps.iter().enumerate() {
            reach.step(state as u32, targets).unwrap();
        }
        reach.lost()
    }

    #[test]
    fn steps_are_followed_in_both_directions() {
        assert_eq!(lost(&[3], &[&[1], &[2], &[3], &[]]), 0);
        assert_eq!(lost(&[0], &[&[], &[0], &[1], &[2]]), 0);
        assert_eq!(lost(&[0], &[&[], &[4], &[0], &[2], &[3]]), 0);
        assert_eq!(lost(&[1], &[&[1, 2], &[], &[2, 3], &[2], &[0]]), 2);
        assert_eq!(lost(&[], &[&[1], &[0]]), 2);
    }
}
