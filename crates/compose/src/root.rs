//! The whole system: all parts that are left, put together at once.
//!
//! Nobody else takes part any more, so every step is complete, and neither labels nor guesses about others are kept: a state is
//! a tuple of states of the parts, packed into a word, and a step is where it leads.

use crate::label::{LabelId, Labels, Members};
use crate::process::{INITIAL, Process};
use crate::quick::{QuickMap, sort_end};
use std::collections::HashMap;

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
    pub fn new(
        parts: &[&Process],
        labels: &mut Labels,
        stop: &dyn Fn(u32, u64) -> bool,
    ) -> Result<Root, NoRoot> {
        let packing = Packing::new(parts).ok_or(NoRoot::TooLarge)?;
        let mut joint = Joint::new(parts, labels).ok_or(NoRoot::TooLarge)?;
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
            let (count, held) = (out.table.keys.len() as u32, out.bytes());
            let enough = |bytes: u64| stop(count, held + bytes);
            if joint.steps(&states, &out.packing, &mut found, &enough).is_none() {
                return Err(if stop(count, held) { NoRoot::Stopped } else { NoRoot::TooLarge });
            }
            let from = out.targets.len();
            for &key in &found {
                let target = out.table.insert(key);
                out.targets.push(target);
            }
            sort_end(&mut out.targets, from);
            out.offsets.push(u32::try_from(out.targets.len()).map_err(|_| NoRoot::TooLarge)?);
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

    /// The states of the parts in a state.
    pub fn parts(&self, state: u32) -> Vec<u32> {
        let mut parts = vec![0; self.packing.shifts.len()];
        self.packing.unpack(self.table.keys[state as usize], &mut parts);
        parts
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
            shifts.push(at);
            masks.push((1u64 << part.bits()) - 1);
            at += part.bits();
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
    groups: Vec<Group>,
    steps: Vec<(LabelId, u32)>,
    /// The lists of labels that groups have.
    lists: Vec<Box<[LabelId]>>,
}

/// The steps of a state at one gate.
#[derive(Clone, Copy)]
struct Group {
    /// The gate, or `ALONE`.
    gate: u32,
    from: u32,
    to: u32,
    /// The list of the labels of its steps.
    list: u32,
}

/// Steps that need nobody else.
const ALONE: u32 = u32::MAX;

impl Grouped {
    fn new(process: &Process, labels: &Labels) -> Grouped {
        let mut out = Grouped { offsets: vec![0], groups: vec![], steps: vec![], lists: vec![] };
        let mut known: HashMap<Box<[LabelId]>, u32> = HashMap::new();
        let gate = |label: LabelId| labels.gate_of(label).unwrap_or(ALONE);
        for state in 0..process.states() {
            let mut steps: Vec<(u32, LabelId, u32)> =
                process.steps(state).iter().map(|&(label, target)| (gate(label), label, target)).collect();
            steps.sort_unstable();
            for group in steps.chunk_by(|a, b| a.0 == b.0) {
                let from = out.steps.len() as u32;
                out.steps.extend(group.iter().map(|(_, label, target)| (*label, *target)));
                let list: Box<[LabelId]> = group.iter().map(|(_, label, _)| *label).collect();
                let next = known.len() as u32;
                let list = *known.entry(list).or_insert_with_key(|list| {
                    out.lists.push(list.clone());
                    next
                });
                out.groups.push(Group { gate: group[0].0, from, to: out.steps.len() as u32, list });
            }
            out.offsets.push(out.groups.len() as u32);
        }
        out
    }

    fn groups(&self, state: u32) -> &[Group] {
        &self.groups[self.offsets[state as usize] as usize..self.offsets[state as usize + 1] as usize]
    }

    /// The steps of a state at a gate, which are sorted by gate.
    fn at(&self, state: u32, gate: u32) -> Option<Group> {
        let groups = self.groups(state);
        groups.binary_search_by_key(&gate, |group| group.gate).ok().map(|at| groups[at])
    }
}

/// The parts at a gate, in the order in which they are asked: those with few steps first.
struct Meeting {
    parts: Vec<usize>,
    /// Who is together when each of them has joined.
    members: Vec<Members>,
    /// Which steps fit together, by the lists of labels of all parts: a range of `fits`.
    known: QuickMap<Box<[u32]>, (u32, u32)>,
    /// The places of steps in their lists, one for each part, one combination after the other.
    fits: Vec<u16>,
}

impl Meeting {
    fn new(gate: u32, labels: &Labels, processes: &[&Process], grouped: &[Grouped]) -> Meeting {
        let takes_part = |process: &Process| {
            let participants = &labels.gates[gate as usize].participants;
            participants.iter().any(|participant| process.members.contains(participant.process))
        };
        let mut parts: Vec<usize> = (0..processes.len()).filter(|at| takes_part(processes[*at])).collect();
        let steps = |part: &usize| {
            let groups = grouped[*part].groups.iter().filter(|group| group.gate == gate);
            let (count, steps) = groups.fold((0, 0), |(n, all), group| (n + 1, all + group.to - group.from));
            (u64::from(steps) * 16 / count.max(1), *part)
        };
        parts.sort_by_cached_key(steps);
        let mut members: Vec<Members> = vec![];
        for &part in &parts {
            let own = &processes[part].members;
            members.push(members.last().map_or_else(|| own.clone(), |before: &Members| before.with(own)));
        }
        Meeting { parts, members, known: QuickMap::default(), fits: vec![] }
    }

    /// The combinations of steps that fit together, for lists of labels; none if there are too many, or it was stopped.
    fn fitting(
        &mut self,
        lists: &[u32],
        grouped: &[Grouped],
        labels: &mut Labels,
        joined: &mut Joined,
        stop: &dyn Fn(u64) -> bool,
    ) -> Option<(u32, u32)> {
        let from = u32::try_from(self.fits.len()).ok()?;
        let of = |at: usize| &grouped[self.parts[at]].lists[lists[at] as usize];
        // The labels so far, and the places of their steps, as many for each as parts have joined.
        let mut front: Vec<LabelId> = of(0).to_vec();
        let mut places: Vec<u16> = (0..front.len() as u16).collect();
        for at in 1..self.parts.len() {
            let (mut next, mut next_places) = (vec![], vec![]);
            for (label, before) in front.iter().zip(places.chunks_exact(at)) {
                if next.len() > MOST_TOGETHER || stop((next.len() * (4 + 2 * at)) as u64) {
                    return None;
                }
                for (place, own) in (0..).zip(of(at)) {
                    let joint = joined.entry((at as u32, *label, *own));
                    if let Some(joint) =
                        *joint.or_insert_with(|| labels.join(*label, *own, &self.members[at]))
                    {
                        next.push(joint);
                        next_places.extend_from_slice(before);
                        next_places.push(place);
                    }
                }
            }
            (front, places) = (next, next_places);
        }
        self.fits.append(&mut places);
        let range = (from, u32::try_from(self.fits.len()).ok()?);
        self.known.insert(lists.into(), range);
        Some(range)
    }
}

/// Labels of steps made together, by how many parts have joined before.
type Joined = QuickMap<(u32, LabelId, LabelId), Option<LabelId>>;

struct Joint<'a> {
    labels: &'a mut Labels,
    grouped: Vec<Grouped>,
    classes: Vec<&'a [u32]>,
    meetings: Vec<Meeting>,
    joined: Joined,
    pairs: QuickMap<(u32, u32), u32>,
    truths: QuickMap<u32, u8>,
    /// The groups of all parts at the gate at hand, and their lists.
    groups: Vec<Group>,
    lists: Vec<u32>,
}

/// More combinations of steps at one gate are refused. The initial block has one for each initial state.
const MOST_TOGETHER: usize = 20_000_000;

/// Longer lists of labels are refused.
const MOST_FITTING: usize = u16::MAX as usize;

impl<'a> Joint<'a> {
    fn new(parts: &[&'a Process], labels: &'a mut Labels) -> Option<Joint<'a>> {
        let grouped: Vec<Grouped> = parts.iter().map(|part| Grouped::new(part, labels)).collect();
        let longest = grouped.iter().flat_map(|part| &part.lists).map(|list| list.len()).max();
        if longest.is_some_and(|longest| longest > MOST_FITTING) {
            return None;
        }
        let gates = 0..labels.gates.len() as u32;
        Some(Joint {
            meetings: gates.map(|gate| Meeting::new(gate, labels, parts, &grouped)).collect(),
            grouped,
            classes: parts.iter().map(|part| &part.classes[..]).collect(),
            labels,
            joined: QuickMap::default(),
            pairs: QuickMap::default(),
            truths: QuickMap::default(),
            groups: vec![],
            lists: vec![],
        })
    }

    /// The steps of a state; none if they are too many, or it was stopped.
    fn steps(
        &mut self,
        states: &[u32],
        packing: &Packing,
        out: &mut Vec<u64>,
        stop: &dyn Fn(u64) -> bool,
    ) -> Option<()> {
        let Joint { labels, grouped, meetings, joined, groups, lists, .. } = self;
        let moved = |key: u64, part: usize, to: u32| {
            key & !(packing.masks[part] << packing.shifts[part]) | u64::from(to) << packing.shifts[part]
        };
        let here = packing.pack(states);
        for (number, part) in grouped.iter().enumerate() {
            for group in part.groups(states[number]) {
                let steps = &part.steps[group.from as usize..group.to as usize];
                if group.gate == ALONE {
                    out.extend(steps.iter().map(|(_, target)| moved(here, number, *target)));
                    continue;
                }
                let meeting = &mut meetings[group.gate as usize];
                if meeting.parts[0] != number {
                    continue;
                }
                groups.clear();
                lists.clear();
                for &other in &meeting.parts {
                    let Some(theirs) = grouped[other].at(states[other], group.gate) else { break };
                    groups.push(theirs);
                    lists.push(theirs.list);
                }
                if groups.len() < meeting.parts.len() {
                    continue;
                }
                let range = match meeting.known.get(&lists[..]) {
                    Some(&range) => range,
                    None => meeting.fitting(lists, grouped, labels, joined, stop)?,
                };
                let fits = &meeting.fits[range.0 as usize..range.1 as usize];
                for places in fits.chunks_exact(meeting.parts.len()) {
                    let mut key = here;
                    for ((&other, group), &place) in meeting.parts.iter().zip(groups.iter()).zip(places) {
                        let (_, target) = grouped[other].steps[group.from as usize + place as usize];
                        key = moved(key, other, target);
                    }
                    out.push(key);
                }
            }
        }
        Some(())
    }

    /// The watched conditions in a state of the whole; none before the initial block.
    fn flags(&mut self, states: &[u32]) -> u8 {
        let mut class = self.classes[0][states[0] as usize];
        for (part, state) in self.classes.iter().zip(states).skip(1) {
            let (labels, own) = (&mut *self.labels, part[*state as usize]);
            class = *self
                .pairs
                .entry((class, own))
                .or_insert_with(|| labels.join_classes(class, own).unwrap_or(crate::label::START));
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
