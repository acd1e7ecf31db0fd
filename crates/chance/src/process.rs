//! A Markov chain or Markov decision process in compact form.
//!
//! A state has one row for each decision: one in a chain, one for each step that can be made in a decision process. A
//! row is a distribution over states. Probabilities are exact: a row has whole numbers as weights, and their sum; the
//! probability of an entry is its weight divided by the sum. Sums are at most 2⁵³, so that weights and sums are exact as
//! floating-point numbers, too, and a quotient is off by one rounding only.
//!
//! A state without steps is a deadlock: it is marked, and has one row that leads back to it. So every row is a
//! distribution, and every state has a row.

use crate::bits::Bits;

/// The largest sum of weights: all numbers up to it are exact as `f64`.
pub const LARGEST_TOTAL: u64 = 1 << 53;

/// No step in particular: the row of a chain, or of a deadlock.
pub const NO_ACTION: u32 = u32::MAX;

/// A chain or decision process.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Process {
    /// The first row of each state, and the number of rows.
    first_row: Vec<u32>,
    /// The first entry of each row, and the number of entries.
    first_entry: Vec<usize>,
    target: Vec<u32>,
    weight: Vec<u64>,
    /// The sum of the weights of each row.
    total: Vec<u64>,
    /// Which step each row is.
    action: Vec<u32>,
    initial: Vec<(u32, u64)>,
    deadlock: Bits,
    exit: Option<Vec<Exit>>,
}

/// The rate at which a state is left, as a fraction; 0 for a deadlock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Exit {
    /// Numerator, at most 2⁵³.
    pub numerator: u64,
    /// Denominator, between 1 and 2⁵³.
    pub denominator: u64,
}

/// A row of a state.
#[derive(Clone, Copy, Debug)]
pub struct Row<'p> {
    /// The states that it leads to, each once, in order of their numbers.
    pub targets: &'p [u32],
    /// Their weights, at least 1.
    pub weights: &'p [u64],
    /// The sum of the weights.
    pub total: u64,
}

impl<'p> Row<'p> {
    /// Targets with weights.
    pub fn entries(self) -> impl Iterator<Item = (u32, u64)> + 'p {
        self.targets.iter().copied().zip(self.weights.iter().copied())
    }

    /// Targets with probabilities, each correctly rounded.
    pub fn probabilities(self) -> impl Iterator<Item = (u32, f64)> + 'p {
        self.entries().map(move |(target, weight)| (target, weight as f64 / self.total as f64))
    }
}

impl Process {
    /// The number of states.
    pub fn states(&self) -> usize {
        self.first_row.len().saturating_sub(1)
    }

    /// The number of rows of all states together.
    pub fn rows(&self) -> usize {
        self.total.len()
    }

    /// The number of entries of all rows together.
    pub fn transitions(&self) -> usize {
        self.target.len()
    }

    /// The numbers of a state's rows.
    #[inline]
    pub fn rows_of(&self, state: usize) -> std::ops::Range<usize> {
        self.first_row[state] as usize..self.first_row[state + 1] as usize
    }

    /// A row by its number.
    #[inline]
    pub fn row(&self, row: usize) -> Row<'_> {
        let entries = self.first_entry[row]..self.first_entry[row + 1];
        Row { targets: &self.target[entries.clone()], weights: &self.weight[entries], total: self.total[row] }
    }

    /// Which step a row is: the number of an instance of the program, or [`NO_ACTION`].
    pub fn action(&self, row: usize) -> u32 {
        self.action[row]
    }

    /// Initial states, each once, in order, with their weights.
    pub fn initial(&self) -> &[(u32, u64)] {
        &self.initial
    }

    /// The sum of the weights of initial states.
    pub fn initial_total(&self) -> u64 {
        self.initial.iter().map(|(_, weight)| weight).sum()
    }

    /// States without steps.
    pub fn deadlocks(&self) -> &Bits {
        &self.deadlock
    }

    /// For continuous time: the rate at which each state is left.
    pub fn exits(&self) -> Option<&[Exit]> {
        self.exit.as_deref()
    }

    /// Whether every state has one row only.
    pub fn is_chain(&self) -> bool {
        self.rows() == self.states()
    }
}

/// Makes a process state by state.
#[derive(Clone, Debug, Default)]
pub struct ProcessBuilder {
    process: Process,
    /// The entries of the row in progress.
    row: Vec<(u32, u64)>,
    /// Whether rates are given.
    timed: bool,
}

/// A process that cannot be: see [`ProcessBuilder::finish`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// The weights of a row have no sum between 1 and 2⁵³, even with common factors removed.
    TooFine,
    /// A row leads to, or the process begins in, a state that there is not.
    NoState,
    /// Rates are given for some states only.
    SomeRates,
    /// More than 2³² states or rows.
    TooLarge,
}

impl ProcessBuilder {
    /// Without states.
    pub fn new() -> ProcessBuilder {
        let process = Process { first_row: vec![0], first_entry: vec![0], ..Process::default() };
        ProcessBuilder { process, ..ProcessBuilder::default() }
    }

    /// Adds a row to the state in progress. Entries may be in any order, and a target may occur several times; weights of 0 are left
    /// out. A row that the state has already is not added again.
    pub fn row(&mut self, action: u32, entries: &[(u32, u128)]) -> Result<(), Malformed> {
        let mut sorted: Vec<(u32, u128)> = entries.iter().copied().filter(|(_, w)| *w > 0).collect();
        sorted.sort_unstable_by_key(|(target, _)| *target);
        self.row.clear();
        let divisor = merge(&mut sorted).ok_or(Malformed::TooFine)?;
        let mut total: u64 = 0;
        for (target, weight) in sorted {
            let weight = u64::try_from(weight / divisor).map_err(|_| Malformed::TooFine)?;
            total = total.checked_add(weight).filter(|t| *t <= LARGEST_TOTAL).ok_or(Malformed::TooFine)?;
            self.row.push((target, weight));
        }
        if total == 0 {
            return Err(Malformed::TooFine);
        }
        let p = &mut self.process;
        let first = *p.first_row.last().unwrap_or(&0) as usize;
        let known = (first..p.total.len()).any(|row| {
            let row = p.row(row);
            row.total == total && row.entries().eq(self.row.iter().copied())
        });
        if !known {
            p.target.extend(self.row.iter().map(|(target, _)| *target));
            p.weight.extend(self.row.iter().map(|(_, weight)| *weight));
            p.total.push(total);
            p.action.push(action);
            p.first_entry.push(p.target.len());
        }
        Ok(())
    }

    /// Ends the state in progress. One without rows becomes a deadlock. `exit` is the rate at which it is left, in continuous
    /// time; that of a deadlock is 0 whatever is said.
    pub fn state(&mut self, exit: Option<Exit>) -> Result<u32, Malformed> {
        let number = u32::try_from(self.process.states()).map_err(|_| Malformed::TooLarge)?;
        let first = *self.process.first_row.last().unwrap_or(&0) as usize;
        let dead = first == self.process.total.len();
        if dead {
            self.row(NO_ACTION, &[(number, 1)])?;
        }
        let p = &mut self.process;
        p.first_row.push(u32::try_from(p.total.len()).map_err(|_| Malformed::TooLarge)?);
        p.deadlock.push(dead);
        if number == 0 {
            self.timed = exit.is_some();
        }
        match (exit, self.timed) {
            (Some(exit), true) => {
                let exit = if dead { Exit { numerator: 0, denominator: 1 } } else { exit };
                p.exit.get_or_insert_default().push(exit);
            }
            (None, false) => {}
            _ => return Err(Malformed::SomeRates),
        }
        Ok(number)
    }

    /// Marks a state that has rows as a deadlock: what is made of a process keeps the marks of it.
    pub fn mark_deadlock(&mut self, state: u32) {
        if (state as usize) < self.process.deadlock.len() {
            self.process.deadlock.insert(state as usize);
        }
    }

    /// The number of states so far.
    pub fn states(&self) -> usize {
        self.process.states()
    }

    /// The number of entries so far.
    pub fn transitions(&self) -> usize {
        self.process.transitions()
    }

    /// The process, if its rows and initial states are states of it.
    pub fn finish(mut self, initial: &[(u32, u128)]) -> Result<Process, Malformed> {
        let states = self.process.states();
        let mut sorted: Vec<(u32, u128)> = initial.iter().copied().filter(|(_, w)| *w > 0).collect();
        sorted.sort_unstable_by_key(|(state, _)| *state);
        let divisor = merge(&mut sorted).ok_or(Malformed::TooFine)?;
        let mut total: u64 = 0;
        for (state, weight) in sorted {
            let weight = u64::try_from(weight / divisor).map_err(|_| Malformed::TooFine)?;
            total = total.checked_add(weight).filter(|t| *t <= LARGEST_TOTAL).ok_or(Malformed::TooFine)?;
            self.process.initial.push((state, weight));
        }
        let starts = self.process.initial.iter().map(|(state, _)| state);
        if starts.chain(&self.process.target).any(|state| *state as usize >= states) {
            return Err(Malformed::NoState);
        }
        self.process.target.shrink_to_fit();
        self.process.weight.shrink_to_fit();
        Ok(self.process)
    }
}

/// Adds up the weights of equal targets, which stand side by side, and gives the greatest common divisor.
fn merge(sorted: &mut Vec<(u32, u128)>) -> Option<u128> {
    let mut kept = 0;
    for at in 0..sorted.len() {
        let (target, weight) = sorted[at];
        if kept > 0 && sorted[kept - 1].0 == target {
            sorted[kept - 1].1 = sorted[kept - 1].1.checked_add(weight)?;
        } else {
            sorted[kept] = (target, weight);
            kept += 1;
        }
    }
    sorted.truncate(kept);
    Some(sorted.iter().fold(0, |divisor, (_, weight)| gcd(divisor, *weight)).max(1))
}

/// The greatest common divisor.
pub(crate) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_merged_and_reduced() {
        let mut builder = ProcessBuilder::new();
        builder.row(3, &[(1, 4), (0, 2), (1, 2), (2, 0)]).expect("fits");
        builder.row(4, &[(0, 10), (1, 30)]).expect("fits");
        builder.row(5, &[(1, 7)]).expect("fits");
        builder.state(None).expect("a state");
        builder.state(None).expect("a state");
        let process = builder.finish(&[(0, 6), (1, 3), (0, 3)]).expect("a process");
        assert_eq!((process.states(), process.rows(), process.transitions()), (2, 3, 4));
        assert_eq!(process.row(0).entries().collect::<Vec<_>>(), [(0, 1), (1, 3)]);
        assert_eq!((process.row(0).total, process.action(1)), (4, 5));
        assert_eq!(process.initial(), [(0, 3), (1, 1)]);
        assert!(process.deadlocks().contains(1) && !process.deadlocks().contains(0));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let mut builder = ProcessBuilder::new();
        assert_eq!(builder.row(0, &[(0, 1 << 53), (1, 1)]), Err(Malformed::TooFine));
        assert_eq!(builder.row(0, &[(0, 1 << 100), (1, 1 << 99)]), Ok(()));
        builder.state(None).expect("a state");
        assert_eq!(builder.clone().finish(&[(0, 1)]), Err(Malformed::NoState));
        assert_eq!(builder.state(Some(Exit { numerator: 1, denominator: 1 })), Err(Malformed::SomeRates));
    }
}
