//! The whole system: all parts that are left, put together at once.
//!
//! Nobody else takes part any more, so every step is complete, and neither labels nor guesses about others are kept: a state is
//! a tuple of states of the parts, packed into a word, and a step is where it leads.

use crate::label::{LabelId, Labels, Members};
use crate::process::{INITIAL, Process};
use crate::quick::QuickMap;

/// The transition system of the whole.
pub struct Root {
    /// Where the steps of each state begin; one entry more than there are states.
    offsets: Vec<u32>,
    targets: Vec<u32>,
    /// The watched conditions of each state, as bits.
    flags: Vec<u8>,
    packing: Packing,
    table: Table,
}

/// Why there is no root.
pub enum NoRoot {
    /// The caller wanted it to stop.
    Stopped,
    /// There are more states or steps than can be numbered.
    TooLarge,
}

/// The state before the initial block.
pub const START: u32 = 0;

/// How often the caller is asked whether to stop, in states.
const STATES_BETWEEN: usize = 1 << 12;

impl Root {
    /// Puts parts together. `stop` is told how many states and bytes there are.
    pub fn new(parts: &[&Process], labels: &mut Labels, stop: &dyn Fn(u32, u64) -> bool) -> Result<Root, NoRoot> {
        let packing = Packing::new(parts).ok_or(NoRoot::TooLarge)?;
        let mut joint = Joint::new(parts, labels);
        let initial = vec![INITIAL; parts.len()];
        let mut out =
            Root { offsets: vec![0], targets: vec![], flags: vec![], table: Table::default(), packing };
        out.table.insert(out.packing.pack(&initial));
        let (mut states, mut found) = (initial, vec![]);
        let mut at = 0;
        while at < out.table.keys.len() {
            if at.is_multiple_of(STATES_BETWEEN) && stop(out.table.keys.len() as u32, out.bytes()) {
                return Err(NoRoot::Stopped);
            }
            out.packing.unpack(out.table.keys[at], &mut states);
            out.flags.push(joint.flags(&states));
            found.clear();
            joint.steps(&states, &out.packing, &mut found);
            let from = out.targets.len();
            for &key in &found {
                let target = out.table.insert(key);
                out.targets.push(target);
            }
            out.targets[from..].sort_unstable();
            let mut kept = from;
            for next in from..out.targets.len() {
                if next == from || out.targets[next] != out.targets[kept - 1] {
                    out.targets[kept] = out.targets[next];
                    kept += 1;
                }
            }
            out.targets.truncate(kept);
            out.offsets.push(u32::try_from(kept).map_err(|_| NoRoot::TooLarge)?);
            if out.table.keys.len() >= MOST {
                return Err(NoRoot::TooLarge);
            }
            at += 1;
        }
        Ok(out)
    }

    /// The number of states, with the one before the initial block.
    pub fn states(&self) -> u32 {
        self.flags.len() as u32
    }

    /// The number of steps.
    pub fn transitions(&self) -> usize {
        self.targets.len()
    }

    /// Where the steps of a state lead.
    pub fn steps(&self, state: u32) -> &[u32] {
        &self.targets[self.offsets[state as usize] as usize..self.offsets[state as usize + 1] as usize]
    }

    /// Whether a watched condition holds in a state.
    pub fn flag(&self, state: u32, condition: usize) -> bool {
        self.flags[state as usize] >> condition & 1 != 0
    }

    /// The state for states of the parts, if it was reached.
    pub fn state(&self, parts: &[u32]) -> Option<u32> {
        self.table.find(self.packing.pack(parts))
    }

    /// The bytes that it takes.
    pub fn bytes(&self) -> u64 {
        let table = self.table.slots.len() * 4 + self.table.keys.capacity() * 8;
        (self.offsets.capacity() * 4 + self.targets.capacity() * 4 + self.flags.capacity() + table) as u64
    }
}

/// How states of parts share a word.
struct Packing {
    shifts: Vec<u32>,
    masks: Vec<u64>,
}

impl Packing {
    fn new(parts: &[&Process]) -> Option<Packing> {
        let (mut shifts, mut masks, mut at) = (vec![], vec![], 0);
        for part in parts {
            let bits = u32::BITS - (part.states().max(1) - 1).leading_zeros();
            shifts.push(at);
            masks.push((1u64 << bits) - 1);
            at += bits;
        }
        (at < u64::BITS).then_some(Packing { shifts, masks })
    }

    fn pack(&self, states: &[u32]) -> u64 {
        states.iter().zip(&self.shifts).fold(0, |all, (state, shift)| all | u64::from(*state) << shift)
    }

    fn unpack(&self, key: u64, states: &mut [u32]) {
        for (at, state) in states.iter_mut().enumerate() {
            *state = (key >> self.shifts[at] & self.masks[at]) as u32;
        }
    }
}

/// More states cannot be numbered.
const MOST: usize = u32::MAX as usize - 1;

/// Keys with their numbers: open addressing, so that a key is stored once.
#[derive(Default)]
struct Table {
    keys: Vec<u64>,
    /// The number of a key plus one; 0 is free. Its length is a power of two.
    slots: Vec<u32>,
}

impl Table {
    fn slot(&self, key: u64) -> usize {
        let mixed = (key ^ (key >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut at = (mixed >> 20) as usize & (self.slots.len() - 1);
        while self.slots[at] != 0 && self.keys[self.slots[at] as usize - 1] != key {
            at = (at + 1) & (self.slots.len() - 1);
        }
        at
    }

    fn insert(&mut self, key: u64) -> u32 {
        if self.keys.len() * 5 >= self.slots.len() * 4 {
            self.grow();
        }
        let slot = self.slot(key);
        if self.slots[slot] == 0 {
            self.keys.push(key);
            self.slots[slot] = self.keys.len() as u32;
        }
        self.slots[slot] - 1
    }

    fn find(&self, key: u64) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.slot(key)].checked_sub(1)
    }

    fn grow(&mut self) {
        self.slots = vec![0; (self.slots.len() * 2).max(64)];
        for at in 0..self.keys.len() {
            let slot = self.slot(self.keys[at]);
            self.slots[slot] = at as u32 + 1;
        }
    }
}

/// The steps of a part with those at one gate together.
struct Grouped {
    /// Where the groups of each state begin.
    offsets: Vec<u32>,
    /// The gate, or `ALONE`, and where the steps end; they begin where those of the group before end.
    groups: Vec<(u32, u32)>,
    steps: Vec<(LabelId, u32)>,
}

/// Steps that need nobody else.
const ALONE: u32 = u32::MAX;

impl Grouped {
    fn new(process: &Process, labels: &Labels) -> Grouped {
        let mut out = Grouped { offsets: vec![0], groups: vec![], steps: vec![] };
        let gate = |label: LabelId| labels.gate_of(label).unwrap_or(ALONE);
        for state in 0..process.states() {
            let mut steps: Vec<(u32, LabelId, u32)> =
                process.steps(state).iter().map(|&(label, target)| (gate(label), label, target)).collect();
            steps.sort_unstable();
            for (gate, label, target) in steps {
                let first = self_first(&out);
                match out.groups.last_mut().filter(|group| first && group.0 == gate) {
                    Some(group) => group.1 += 1,
                    None => out.groups.push((gate, out.steps.len() as u32 + 1)),
                }
                out.steps.push((label, target));
            }
            out.offsets.push(out.groups.len() as u32);
        }
        out
    }

    /// The groups of a state: the gate, and its steps.
    fn groups(&self, state: u32) -> impl Iterator<Item = (u32, &[(LabelId, u32)])> {
        let range = self.offsets[state as usize] as usize..self.offsets[state as usize + 1] as usize;
        range.map(|at| {
            let from = if at == 0 { 0 } else { self.groups[at - 1].1 };
            (self.groups[at].0, &self.steps[from as usize..self.groups[at].1 as usize])
        })
    }

    /// The steps of a state at a gate.
    fn at(&self, state: u32, gate: u32) -> &[(LabelId, u32)] {
        self.groups(state).find(|(own, _)| *own == gate).map_or(&[], |(_, steps)| steps)
    }
}

/// Whether the last group belongs to the state at hand.
fn self_first(grouped: &Grouped) -> bool {
    grouped.groups.len() as u32 > grouped.offsets[grouped.offsets.len() - 1]
}

struct Joint<'a> {
    labels: &'a mut Labels,
    parts: Vec<Grouped>,
    classes: Vec<&'a [u32]>,
    /// The parts at each gate, and who is together when each of them has joined.
    gates: Vec<Vec<(usize, Members)>>,
    /// By labels and how many parts have joined before.
    joined: QuickMap<(u32, LabelId, LabelId), Option<LabelId>>,
    pairs: QuickMap<(u32, u32), u32>,
    truths: QuickMap<u32, u8>,
    front: Vec<(LabelId, u64)>,
    next: Vec<(LabelId, u64)>,
}

impl<'a> Joint<'a> {
    fn new(parts: &[&'a Process], labels: &'a mut Labels) -> Joint<'a> {
        let mut gates = vec![];
        for gate in &labels.gates {
            let mut who: Vec<(usize, Members)> = vec![];
            for (number, part) in parts.iter().enumerate() {
                if gate.participants.iter().any(|participant| part.members.contains(participant.process)) {
                    let before = who.last().map(|(_, members)| members.with(&part.members));
                    who.push((number, before.unwrap_or_else(|| part.members.clone())));
                }
            }
            gates.push(who);
        }
        Joint {
            parts: parts.iter().map(|part| Grouped::new(part, labels)).collect(),
            classes: parts.iter().map(|part| &part.classes[..]).collect(),
            labels,
            gates,
            joined: QuickMap::default(),
            pairs: QuickMap::default(),
            truths: QuickMap::default(),
            front: vec![],
            next: vec![],
        }
    }

    fn steps(&mut self, states: &[u32], packing: &Packing, out: &mut Vec<u64>) {
        let Joint { labels, parts, gates, joined, front, next, .. } = self;
        let moved = |key: u64, part: usize, to: u32| {
            key & !(packing.masks[part] << packing.shifts[part]) | u64::from(to) << packing.shifts[part]
        };
        let here = packing.pack(states);
        for (number, part) in parts.iter().enumerate() {
            for (gate, steps) in part.groups(states[number]) {
                if gate == ALONE {
                    out.extend(steps.iter().map(|(_, target)| moved(here, number, *target)));
                    continue;
                }
                let who = &gates[gate as usize];
                if who[0].0 != number {
                    continue;
                }
                front.clear();
                front.extend(steps.iter().map(|&(label, target)| (label, moved(here, number, target))));
                for (at, (other, members)) in (1..).zip(&who[1..]) {
                    let theirs = parts[*other].at(states[*other], gate);
                    next.clear();
                    for &(label, key) in front.iter() {
                        for &(own, target) in theirs {
                            let joint = joined.entry((at, label, own));
                            let joint = *joint.or_insert_with(|| labels.join(label, own, members));
                            next.extend(joint.map(|label| (label, moved(key, *other, target))));
                        }
                    }
                    std::mem::swap(front, next);
                    if front.is_empty() {
                        break;
                    }
                }
                out.extend(front.iter().map(|(_, key)| *key));
            }
        }
    }

    /// The watched conditions in a state of the whole; none before the initial block.
    fn flags(&mut self, states: &[u32]) -> u8 {
        let mut class = self.classes[0][states[0] as usize];
        for (part, state) in self.classes.iter().zip(states).skip(1) {
            let (labels, own) = (&mut *self.labels, part[*state as usize]);
            class = *self.pairs.entry((class, own)).or_insert_with(|| {
                labels.join_classes(class, own).unwrap_or(crate::label::START)
            });
        }
        let labels = &*self.labels;
        *self.truths.entry(class).or_insert_with(|| {
            let truths = labels.truths(class).unwrap_or_default();
            truths.iter().enumerate().fold(0, |all, (at, truth)| all | u8::from(*truth) << at)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_get_numbers_in_order() {
        let mut table = Table::default();
        assert_eq!(table.find(5), None);
        for round in 0..2 {
            for key in 0..1000u64 {
                assert_eq!(table.insert(key * 7919), key as u32, "round {round}");
            }
        }
        assert_eq!((table.find(7919), table.find(1)), (Some(1), None));
    }
}
