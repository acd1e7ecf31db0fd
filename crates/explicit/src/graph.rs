//! The graph of a search, and what can be asked of it: what can reach what, and whether there is a cycle.

use crate::components;
use crate::search::{Chunk, in_parallel};
use crate::store::{Id, SHARDS};
use crate::worker::Output;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// The flag of a state without steps; the lower flags are the conditions of the search.
pub const STUCK: u8 = 0x80;

/// After so many rounds backwards through all steps, the rest is done with lists of predecessors.
const ROUNDS: usize = 12;

/// Steps between states and what holds in them. States are numbered as in the store.
#[derive(Debug, Default)]
pub struct Graph {
    /// In the order in which they were explored.
    segments: Vec<Segment>,
    /// The segments of each shard.
    by_shard: Vec<Vec<u32>>,
    /// The conditions that hold in each state, by shard and place.
    flags: Vec<Vec<u8>>,
    memory: u64,
}

/// Some consecutive states of one shard, with their steps.
#[derive(Debug)]
struct Segment {
    shard: u32,
    first: u32,
    offsets: Box<[u32]>,
    targets: Box<[u32]>,
}

/// A set of states.
#[derive(Debug)]
pub struct Set {
    bits: Vec<AtomicU64>,
}

impl Set {
    /// The empty set, with room for numbers below this.
    pub fn new(numbers: usize) -> Set {
        Set { bits: (0..numbers.div_ceil(64)).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Whether it contains a state.
    #[inline]
    pub fn contains(&self, id: Id) -> bool {
        self.bits[id.0 as usize / 64].load(Ordering::Relaxed) >> (id.0 % 64) & 1 != 0
    }

    #[inline]
    pub fn insert(&self, id: Id) {
        self.bits[id.0 as usize / 64].fetch_or(1 << (id.0 % 64), Ordering::Relaxed);
    }
}

impl Graph {
    pub(crate) fn new() -> Graph {
        Graph { by_shard: vec![vec![]; SHARDS], flags: vec![vec![]; SHARDS], ..Graph::default() }
    }

    /// A graph of the expanded states of one shard: for each its targets, by number.
    #[cfg(test)]
    pub(crate) fn of(targets: &[Vec<usize>]) -> Graph {
        let mut graph = Graph::new();
        let mut offsets = vec![0];
        let mut all = vec![];
        for targets in targets {
            all.extend(targets.iter().map(|&target| Id::new(0, target).0));
            offsets.push(all.len() as u32);
        }
        graph.flags[0] = vec![0; targets.len()];
        graph.by_shard[0].push(0);
        graph.segments.push(Segment { shard: 0, first: 0, offsets: offsets.into(), targets: all.into() });
        graph
    }

    /// Adds the states of a chunk, with the steps that were found. They are not copied: there are too many.
    pub(crate) fn add(&mut self, chunk: Chunk, out: &mut Output) {
        self.flags[chunk.shard].extend_from_slice(&out.flags);
        let offsets: Box<[u32]> = std::mem::take(&mut out.offsets).into();
        let targets: Box<[u32]> =
            std::mem::take(&mut out.edges).into_iter().map(AtomicU32::into_inner).collect();
        self.memory +=
            (offsets.len() * 4 + targets.len() * 4 + size_of::<Segment>() + out.flags.len()) as u64;
        self.by_shard[chunk.shard].push(self.segments.len() as u32);
        let (shard, first) = (chunk.shard as u32, chunk.from as u32);
        self.segments.push(Segment { shard, first, offsets, targets });
    }

    /// Bytes allocated.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// One more than the largest number of an expanded state.
    pub fn numbers(&self) -> usize {
        self.flags.iter().map(Vec::len).max().unwrap_or(0) * SHARDS
    }

    /// The conditions that hold in an expanded state.
    #[inline]
    pub fn flags(&self, id: Id) -> u8 {
        self.flags[id.shard()][id.place()]
    }

    /// Whether the steps of a state are known.
    #[inline]
    pub fn is_expanded(&self, id: Id) -> bool {
        id.place() < self.flags[id.shard()].len()
    }

    /// The targets of a state's steps.
    pub fn targets(&self, id: Id) -> &[u32] {
        let segments = &self.by_shard[id.shard()];
        let place = id.place() as u32;
        let at = segments.partition_point(|&s| self.segments[s as usize].first <= place) - 1;
        let segment = &self.segments[segments[at] as usize];
        segment.targets_of((place - segment.first) as usize)
    }

    /// Every state with its flags, in the order in which they were explored.
    pub fn states(&self) -> impl Iterator<Item = (Id, u8)> {
        self.segments.iter().flat_map(|s| (0..s.len()).map(|at| s.id(at))).map(|id| (id, self.flags(id)))
    }

    /// All states from which one with any of these flags can be reached. States go backwards in the order of
    /// exploration, again and again: most steps lead to a later layer, so a few rounds are enough.
    /// `None` if it is told to stop.
    pub fn can_reach(&self, any_of: u8, threads: usize, stop: &AtomicBool) -> Option<Set> {
        let reach = Set::new(self.numbers());
        let mut idle = vec![(); threads.max(1)];
        in_parallel(&mut idle, self.segments.iter(), |(), segment| {
            let ids = (0..segment.len()).map(|at| segment.id(at));
            ids.filter(|id| self.flags(*id) & any_of != 0).for_each(|id| reach.insert(id));
        });
        for _ in 0..ROUNDS {
            let changed = AtomicBool::new(false);
            in_parallel(&mut idle, self.segments.iter().rev(), |(), segment| {
                if !stop.load(Ordering::Relaxed) && segment.spread(&reach) {
                    changed.store(true, Ordering::Relaxed);
                }
            });
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            if !changed.into_inner() {
                return Some(reach);
            }
        }
        self.spread_by_predecessors(&reach, stop);
        (!stop.load(Ordering::Relaxed)).then_some(reach)
    }

    /// The rest of [`Graph::can_reach`], in time linear in the steps of the states that are left.
    fn spread_by_predecessors(&self, reach: &Set, stop: &AtomicBool) {
        let mut before: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut todo = vec![];
        for segment in &self.segments {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            for at in (0..segment.len()).filter(|&at| !reach.contains(segment.id(at))) {
                for &target in segment.targets_of(at) {
                    if reach.contains(Id(target)) {
                        todo.push(segment.id(at));
                    } else {
                        before.entry(target).or_default().push(segment.id(at).0);
                    }
                }
            }
        }
        let mut rounds: u32 = 0;
        while let Some(id) = todo.pop() {
            rounds = rounds.wrapping_add(1);
            if rounds.is_multiple_of(1 << 16) && stop.load(Ordering::Relaxed) {
                return;
            }
            reach.insert(id);
            todo.extend(before.remove(&id.0).into_iter().flatten().map(Id));
        }
    }

    /// A cycle through states whose flags satisfy a condition: through the earliest state, in breadth-first order, that
    /// is on one, and as short as possible. The first state is at both ends.
    /// If it is told to stop, there may be one all the same.
    pub fn cycle(
        &self,
        inside: impl Fn(u8) -> bool + Sync,
        depth_of: impl Fn(Id) -> u32,
        threads: usize,
        stop: &AtomicBool,
    ) -> Option<Vec<Id>> {
        let outside = self.leads_outside(&inside, threads, stop);
        let component = components::first_cyclic(self, |id| !outside.contains(id), |_| true, depth_of, stop)?;
        let members: HashSet<Id> = component.iter().copied().collect();
        let start = component[0];
        self.way(start, |id| id == start, |id| members.contains(&id))
    }

    /// A cycle through a state whose flags satisfy a condition: the earliest such state in breadth-first order, and as
    /// short as possible. The first state is at both ends.
    /// If it is told to stop, there may be one all the same.
    pub fn recurring(
        &self,
        wanted: impl Fn(u8) -> bool,
        depth_of: impl Fn(Id) -> u32,
        stop: &AtomicBool,
    ) -> Option<Vec<Id>> {
        let component =
            components::first_cyclic(self, |_| true, |id| wanted(self.flags(id)), depth_of, stop)?;
        let members: HashSet<Id> = component.iter().copied().collect();
        let start = component[0];
        self.way(start, |id| id == start, |id| members.contains(&id))
    }

    /// States that are not inside, and most of those from which every way leads there: none of them is on a cycle inside.
    /// The rest is found by looking at components, which takes longer.
    fn leads_outside(&self, inside: impl Fn(u8) -> bool + Sync, threads: usize, stop: &AtomicBool) -> Set {
        let outside = Set::new(self.numbers());
        self.states().filter(|(_, flags)| !inside(*flags)).for_each(|(id, _)| outside.insert(id));
        for _ in 0..2 * ROUNDS {
            let changed = AtomicU64::new(0);
            let mut idle = vec![(); threads.max(1)];
            in_parallel(&mut idle, self.segments.iter().rev(), |(), segment| {
                if !stop.load(Ordering::Relaxed) {
                    let gone = |target| !self.is_expanded(target) || outside.contains(target);
                    changed.fetch_add(segment.retreat(&outside, gone), Ordering::Relaxed);
                }
            });
            if changed.into_inner() <= (self.numbers() / 1000) as u64 {
                break;
            }
        }
        outside
    }

    /// A shortest way of at least one step to an end, through some states only.
    pub(crate) fn way(
        &self,
        start: Id,
        is_end: impl Fn(Id) -> bool,
        through: impl Fn(Id) -> bool,
    ) -> Option<Vec<Id>> {
        let mut from: HashMap<Id, Id> = HashMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(at) = queue.pop_front() {
            for &target in self.targets(at) {
                let target = Id(target);
                if is_end(target) {
                    let mut way = vec![target, at];
                    let mut back = at;
                    while back != start {
                        back = from[&back];
                        way.push(back);
                    }
                    way.reverse();
                    return Some(way);
                }
                if target != start && !from.contains_key(&target) && through(target) {
                    from.insert(target, at);
                    queue.push_back(target);
                }
            }
        }
        None
    }
}

impl Segment {
    fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    #[inline]
    fn id(&self, at: usize) -> Id {
        Id::new(self.shard as usize, self.first as usize + at)
    }

    #[inline]
    fn targets_of(&self, at: usize) -> &[u32] {
        &self.targets[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }

    /// Adds the states all of whose steps lead to states that are gone; how many.
    fn retreat(&self, outside: &Set, gone: impl Fn(Id) -> bool) -> u64 {
        let mut count = 0;
        for at in (0..self.len()).rev() {
            let id = self.id(at);
            if !outside.contains(id) && self.targets_of(at).iter().all(|&t| gone(Id(t))) {
                outside.insert(id);
                count += 1;
            }
        }
        count
    }

    /// Adds the states with a step into the set; whether there was any.
    fn spread(&self, reach: &Set) -> bool {
        let mut changed = false;
        for at in (0..self.len()).rev() {
            let id = self.id(at);
            if !reach.contains(id) && self.targets_of(at).iter().any(|&t| reach.contains(Id(t))) {
                reach.insert(id);
                changed = true;
            }
        }
        changed
    }
}
