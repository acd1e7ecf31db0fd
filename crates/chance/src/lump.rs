//! Lumping: states that behave alike become one.
//!
//! The quotient is by the coarsest strong probabilistic bisimulation (Larsen and Skou 1991; for decision processes Segala and Lynch 1995) that respects labels,
//! values, deadlocks and exit rates: states of a block have the same of these, and the same set of distributions over blocks. For chains that is ordinary
//! lumpability (Kemeny and Snell 1960; Buchholz 1994). It keeps all that is asked here: probabilities of paths, with
//! and without bounds on steps and time, expected values, shares in the long run, minimum and maximum.
//!
//! Blocks are refined by signatures (Blom and Orzan 2003; Wimmer and Becker 2010): the distributions over blocks, exactly, as reduced whole numbers. In a round, signatures are computed for
//! states that lead to one whose block has a new number. When a block is divided, the largest part keeps the number, so that a state gets a new number
//! at most log n times. The states of a block that need no new signature stay together, and apart from all others of it: these lead to a block
//! whose number is new, which no old signature contains.

use crate::bits::Bits;
use crate::graph::Backwards;
use crate::process::{Process, ProcessBuilder, gcd};
use std::collections::HashMap;
use swarmcheck_ir::Value;

/// A smaller process.
#[derive(Clone, PartialEq, Debug)]
pub struct Lumped {
    /// The quotient.
    pub process: Process,
    /// For each state of the original its state in the quotient.
    pub block: Vec<u32>,
}

/// The quotient by the coarsest strong probabilistic bisimulation that respects labels, values, deadlocks and exit rates; `None` if the
/// caller stops it.
pub fn lump(
    process: &Process,
    labels: &[Bits],
    values: &[Vec<Value>],
    stopped: &dyn Fn() -> bool,
) -> Option<Lumped> {
    let mut partition = Partition::new(process, labels, values);
    let back = Backwards::new(process);
    let mut dirty: Vec<u32> = (0..process.states() as u32).collect();
    let mut marked = Bits::new(process.states());
    while !dirty.is_empty() {
        let moved = partition.refine(process, &dirty, stopped)?;
        dirty.clear();
        for state in moved {
            for row in back.rows_to(state as usize) {
                let owner = back.owner[*row as usize];
                if !marked.contains(owner as usize) {
                    marked.insert(owner as usize);
                    dirty.push(owner);
                }
            }
        }
        dirty.iter().for_each(|state| marked.remove(*state as usize));
        dirty.sort_unstable();
    }
    quotient(process, &partition.block)
}

struct Partition {
    block: Vec<u32>,
    members: Vec<Vec<u32>>,
}

impl Partition {
    fn new(process: &Process, labels: &[Bits], values: &[Vec<Value>]) -> Partition {
        let mut known: HashMap<Vec<i64>, u32> = HashMap::new();
        let mut partition = Partition { block: vec![], members: vec![] };
        for state in 0..process.states() {
            let mut key: Vec<i64> = values.iter().map(|v| v.get(state).copied().unwrap_or(0)).collect();
            key.extend(labels.iter().map(|l| i64::from(l.contains(state))));
            key.push(i64::from(process.deadlocks().contains(state)));
            if let Some(exits) = process.exits() {
                key.extend([exits[state].numerator as i64, exits[state].denominator as i64]);
            }
            let next = known.len() as u32;
            let block = *known.entry(key).or_insert(next);
            if block == next {
                partition.members.push(vec![]);
            }
            partition.block.push(block);
            partition.members[block as usize].push(state as u32);
        }
        partition
    }

    /// Divides blocks by the new signatures of some states; the states whose blocks have new numbers.
    fn refine(&mut self, process: &Process, dirty: &[u32], stopped: &dyn Fn() -> bool) -> Option<Vec<u32>> {
        // Signatures first, all in terms of the old numbers.
        let mut groups: HashMap<(u32, Vec<u64>), usize> = HashMap::new();
        let mut grouped: Vec<(u32, Vec<u32>)> = vec![];
        for (at, state) in dirty.iter().enumerate() {
            if at.is_multiple_of(1 << 12) && stopped() {
                return None;
            }
            let block = self.block[*state as usize];
            let group =
                *groups.entry((block, self.signature(process, *state as usize))).or_insert_with(|| {
                    grouped.push((block, vec![]));
                    grouped.len() - 1
                });
            grouped[group].1.push(*state);
        }
        drop(groups);
        // Where every state of a block is in a group, the largest group keeps its number.
        let mut in_groups: HashMap<u32, (usize, usize)> = HashMap::new();
        for (at, (block, states)) in grouped.iter().enumerate() {
            let (count, largest) = in_groups.entry(*block).or_insert((0, at));
            *count += states.len();
            if states.len() > grouped[*largest].1.len() {
                *largest = at;
            }
        }
        let mut moved = vec![];
        let mut shrunk = vec![];
        for (at, (block, states)) in grouped.iter().enumerate() {
            let (count, largest) = in_groups[block];
            if count == self.members[*block as usize].len() && largest == at {
                continue;
            }
            let number = self.members.len() as u32;
            states.iter().for_each(|state| self.block[*state as usize] = number);
            moved.extend_from_slice(states);
            self.members.push(states.clone());
            shrunk.push(*block);
        }
        shrunk.sort_unstable();
        shrunk.dedup();
        for block in shrunk {
            let mut members = std::mem::take(&mut self.members[block as usize]);
            members.retain(|state| self.block[*state as usize] == block);
            self.members[block as usize] = members;
        }
        Some(moved)
    }

    /// The distributions over blocks, each reduced, as a set.
    fn signature(&self, process: &Process, state: usize) -> Vec<u64> {
        let mut rows: Vec<Vec<u64>> = process
            .rows_of(state)
            .map(|row| {
                let mut entries: Vec<(u32, u64)> = process
                    .row(row)
                    .entries()
                    .map(|(to, weight)| (self.block[to as usize], weight))
                    .collect();
                entries.sort_unstable();
                entries.dedup_by(|next, kept| {
                    let same = next.0 == kept.0;
                    if same {
                        kept.1 += next.1;
                    }
                    same
                });
                let divisor = entries.iter().fold(0, |d, (_, w)| gcd(d, u128::from(*w))).max(1) as u64;
                let length = entries.len() as u64;
                let pairs = entries.into_iter().flat_map(|(block, w)| [u64::from(block), w / divisor]);
                std::iter::once(length).chain(pairs).collect()
            })
            .collect();
        rows.sort_unstable();
        rows.dedup();
        rows.concat()
    }
}

fn quotient(process: &Process, block: &[u32]) -> Option<Lumped> {
    // Blocks are numbered by their first states.
    let mut number: HashMap<u32, u32> = HashMap::new();
    let mut first = vec![];
    for (state, old) in block.iter().enumerate() {
        number.entry(*old).or_insert_with(|| {
            first.push(state);
            first.len() as u32 - 1
        });
    }
    let block: Vec<u32> = block.iter().map(|old| number[old]).collect();
    let mut builder = ProcessBuilder::new();
    let mut entries = vec![];
    for state in first {
        for row in process.rows_of(state) {
            entries.clear();
            entries
                .extend(process.row(row).entries().map(|(to, weight)| (block[to as usize], weight.into())));
            builder.row(process.action(row), &entries).ok()?;
        }
        let made = builder.state(process.exits().map(|exits| exits[state])).ok()?;
        if process.deadlocks().contains(state) {
            builder.mark_deadlock(made);
        }
    }
    let initial: Vec<(u32, u128)> =
        process.initial().iter().map(|(s, weight)| (block[*s as usize], (*weight).into())).collect();
    Some(Lumped { process: builder.finish(&initial).ok()?, block })
}
