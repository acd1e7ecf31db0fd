//! Breadth-first search over one shared table, by any number of threads, with the same result for any number.
//!
//! A layer is cut into chunks, and chunks are taken in blocks. First the states of a block are expanded, each chunk by
//! whichever thread is free: successors go into one bucket per chunk and target shard. Then the shards take in what is
//! meant for them, each by one thread, going through the chunks in their order. So a state's number depends on the
//! model alone. Nothing is locked while states are expanded or stored.

use crate::codec::Codec;
use crate::data_symmetry::DataCanon;
use crate::dispatch::Dispatch;
use crate::fair::{FairTerms, Found};
use crate::graph::Graph;
use crate::initial::{Share, Shares};
use crate::packed::Packed;
use crate::partial_order::PartialOrder;
use crate::store::{Id, SHARDS, Shard, Store, TOGETHER, hash, shard_of};
use crate::worker::{ExpansionLimits, Output, Worker};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use swarmcheck_engine::{Control, Phase, Snapshot};
use swarmcheck_ir::Fault;
use swarmcheck_ir::ground::{Ground, Term};
use swarmcheck_passes::symmetry::Canon;
use swarmcheck_question::initial::is_impossible;

/// States per chunk, and chunks per block.
const CHUNK: usize = 1024;
const BLOCK: usize = 64;
/// How many shares of the initial states are enumerated at a time.
const ROUND: usize = 32;
/// Trying a way to begin takes about half of the time that a state takes.
const RUNS_PER_STATE: u64 = 2;
/// Blocks with fewer states are not worth waking threads for.
const FEW: usize = 2048;

/// What to explore and what to look for.
pub struct Setup<'a> {
    pub ground: &'a Ground,
    /// Its instances by what they test first.
    pub dispatch: Dispatch,
    /// What can be done to packed states.
    pub packed: Option<Packed>,
    /// How its states are packed.
    pub codec: &'a Codec,
    /// Conditions whose truth is wanted in every state; the graph remembers that of the first seven.
    pub conditions: Vec<Term>,
    /// Which of the conditions must never be false.
    pub alarms: u32,
    /// Which of the conditions must not be false in a state without steps: what is not true there never will be.
    pub last_chances: u32,
    /// States in which this condition holds are not expanded.
    pub goal: Option<usize>,
    /// Keep the steps, for questions about what can be reached.
    pub edges: bool,
    /// A state without steps is an alarm.
    pub stuck_alarm: bool,
    /// A cycle through states without the first condition is an alarm: looked for now and then.
    pub cycle_alarm: bool,
    /// Such a cycle has to be fair.
    pub fair: FairTerms,
    /// Go on when all alarms have been raised.
    pub exhaustive: bool,
    /// At most so many steps.
    pub depth: Option<u32>,
    /// Layers are the states after exactly so many steps, seen before or not; conditions are looked at in the last.
    pub exact: bool,
    /// Stop when there are more states than this.
    pub enough: Option<u64>,
    /// Agent symmetry: one state for all that differ by a permutation of agents.
    pub canon: Option<Canon>,
    /// Data symmetry: one state for all that differ by mirrored values or exchanged variables.
    pub data_canon: Option<DataCanon>,
    /// Partial-order reduction.
    pub partial_order: Option<PartialOrder>,
    pub threads: usize,
    /// How many bits of hashes are used.
    pub hash_bits: u32,
}

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// All reachable states were visited, up to the goal.
    Complete,
    /// Everything within the number of steps was seen, and there is more.
    Depth,
    /// There was nothing more to look for.
    Answered,
    /// As many states as were wanted.
    Enough,
    /// The model is invalid.
    Faulty,
    Interrupted,
    /// The memory limit was reached.
    Memory,
    /// There are more states than 32-bit ids.
    Full,
    /// A value did not fit its field.
    Overflow,
}

/// What made the model invalid, and where.
#[derive(Clone, Copy, Debug)]
pub struct Faulty {
    /// The state; `None` if the initial block met the fault.
    pub state: Option<Id>,
    /// The instance that was run; `None` if a condition met the fault.
    pub instance: Option<usize>,
    pub fault: Fault,
}

/// The result of a search.
pub struct Explored {
    pub store: Store,
    /// Steps between them and what holds in them, if wanted.
    pub graph: Graph,
    /// How many initial states there are.
    pub initial: u64,
    /// How many ways to choose an initial state were tried.
    pub enumerated: u64,
    pub transitions: u64,
    /// How many states were expanded.
    pub expanded: u64,
    /// The number of layers after the first.
    pub depth: u32,
    /// For each layer, how many states it and those before it have.
    pub layers: Vec<u64>,
    /// For each shard, where layers end, and which: only those that have states there.
    ends: Vec<Vec<(u32, u32)>>,
    /// How many states were not expanded because they meet the goal.
    pub goals: u64,
    /// For each condition, the first state in which it is false and should not be.
    pub alarms: Vec<Option<Id>>,
    /// The first state without steps.
    pub stuck: Option<Id>,
    /// How many states have no steps.
    pub deadlocks: u64,
    /// The first fault, in the order in which states are numbered.
    pub faulty: Option<Faulty>,
    pub ended: Ended,
    /// The most bytes that were in use.
    pub memory: u64,
}

impl Explored {
    /// How many steps a state is away from the initial ones.
    pub fn depth_of(&self, id: Id) -> u32 {
        let ends = &self.ends[id.shard()];
        let at = ends.partition_point(|(end, _)| *end as usize <= id.place());
        ends.get(at).map_or(self.layers.len() as u32, |(_, layer)| *layer)
    }
}

/// Runs the search until it is complete, answered or stopped.
pub fn explore(setup: &Setup<'_>, control: &Control<'_>) -> Explored {
    let mut search = Search::new(setup, control);
    let ended = search.run();
    search.finish(ended)
}

struct Search<'a> {
    setup: &'a Setup<'a>,
    control: &'a Control<'a>,
    store: Store,
    graph: Graph,
    workers: Vec<Worker<'a>>,
    outputs: Vec<Output>,
    /// How many states of each shard belong to finished layers.
    done: Vec<usize>,
    layers: Vec<u64>,
    ends: Vec<Vec<(u32, u32)>>,
    goals: u64,
    initial: u64,
    enumerated: u64,
    transitions: u64,
    expanded: u64,
    depth: u32,
    alarms: Vec<Option<Id>>,
    stuck: Option<Id>,
    deadlocks: u64,
    faulty: Option<Faulty>,
    memory: u64,
    /// When there are so many states, cycles are looked for: a space without end has no other moment for it.
    probe: u64,
}

/// A piece of a layer: some consecutive states of one shard.
#[derive(Clone, Copy, Debug)]
pub struct Chunk {
    pub shard: usize,
    /// The first place in the shard.
    pub from: usize,
    /// One after the last.
    pub to: usize,
}

impl<'a> Search<'a> {
    fn new(setup: &'a Setup<'a>, control: &'a Control<'a>) -> Search<'a> {
        let threads = setup.threads.max(1);
        Search {
            setup,
            control,
            store: Store::new(setup.codec.words(), setup.hash_bits),
            graph: Graph::new(),
            workers: (0..threads).map(|_| Worker::new(setup)).collect(),
            outputs: (0..BLOCK).map(|_| Output::new()).collect(),
            done: vec![0; SHARDS],
            layers: vec![],
            ends: vec![vec![]; SHARDS],
            goals: 0,
            initial: 0,
            enumerated: 0,
            transitions: 0,
            expanded: 0,
            depth: 0,
            alarms: vec![None; setup.conditions.len()],
            stuck: None,
            deadlocks: 0,
            faulty: None,
            memory: 0,
            probe: 10_000,
        }
    }

    fn run(&mut self) -> Ended {
        if let Err(ended) = self.start() {
            return ended;
        }
        loop {
            let ends: Vec<usize> = self.store.shards.iter().map(Shard::len).collect();
            let chunks = self.layer(&ends);
            if chunks.is_empty() {
                return Ended::Complete;
            }
            self.note_layer(&ends);
            if self.setup.exact {
                self.store.shards.iter_mut().for_each(Shard::forget);
            }
            let last = self.setup.depth == Some(self.depth);
            for block in chunks.chunks(BLOCK) {
                if let Err(ended) = self.block(block, last) {
                    return ended;
                }
            }
            self.done = ends;
            if last {
                return Ended::Depth;
            }
            let more = self.store.shards.iter().zip(&self.done).any(|(s, &done)| s.len() > done);
            self.depth += u32::from(more);
        }
    }

    /// The initial states, some shares at a time: no list of all of them is ever made. Shares are taken in in their order.
    fn start(&mut self) -> Result<(), Ended> {
        let (mask, stop) = (self.store.mask(), self.control.stop);
        if is_impossible(self.setup.ground, &|| self.control.stopped()) {
            return Ok(());
        }
        let mut shares = Shares::new(self.setup.ground);
        loop {
            let mut round: Vec<Share> = shares.by_ref().take(ROUND).collect();
            if round.is_empty() {
                return Ok(());
            }
            let threads = if round.len() == 1 { 1 } else { self.workers.len() };
            in_parallel(
                &mut self.workers[..threads],
                round.iter_mut().zip(&mut self.outputs),
                |worker, (share, out)| worker.begin(share, mask, stop, out),
            );
            // Where a share was too large, the rest of it comes next, and what was found after it is found again.
            let large = round.iter().position(|share| !share.is_done());
            let taken = large.map_or(round.len(), |at| at + 1);
            self.enumerated += round[..taken].iter().map(Share::runs).sum::<u64>();
            self.take_in_initial(taken, threads)?;
            if let Some(at) = large {
                shares.resume(round.swap_remove(at));
            }
        }
    }

    /// Stores the initial states of the first outputs. Only the last of them can have met a fault.
    fn take_in_initial(&mut self, taken: usize, threads: usize) -> Result<(), Ended> {
        self.take_in(taken, threads, false)?;
        self.initial = self.store.len();
        for out in &self.outputs[..taken] {
            if out.overflow {
                return Err(Ended::Overflow);
            }
            if let Some((_, _, fault)) = out.fault {
                self.faulty = Some(Faulty { state: None, instance: None, fault });
                return Err(Ended::Faulty);
            }
        }
        self.check_limits()
    }

    /// The shards take in what the first outputs have for them.
    fn take_in(&mut self, taken: usize, threads: usize, edges: bool) -> Result<(), Ended> {
        let (outputs, words) = (&self.outputs[..taken], self.setup.codec.words());
        let full = AtomicBool::new(false);
        let mut idle = vec![(); threads];
        in_parallel(&mut idle, self.store.shards.iter_mut().enumerate(), |(), (number, shard)| {
            let taken = match words {
                1 => take_in::<1>(shard, number, outputs, words, edges),
                2 => take_in::<2>(shard, number, outputs, words, edges),
                _ => take_in::<0>(shard, number, outputs, words, edges),
            };
            if taken.is_err() {
                full.store(true, Ordering::Relaxed);
            }
        });
        if full.into_inner() { Err(Ended::Full) } else { Ok(()) }
    }

    fn note_layer(&mut self, ends: &[usize]) {
        let number = self.layers.len() as u32;
        self.layers.push(ends.iter().map(|&end| end as u64).sum());
        for ((list, &end), &start) in self.ends.iter_mut().zip(ends).zip(&self.done) {
            if end > start {
                list.push((end as u32, number));
            }
        }
    }

    fn layer(&self, ends: &[usize]) -> Vec<Chunk> {
        let mut chunks = vec![];
        for (shard, (&start, &end)) in self.done.iter().zip(ends).enumerate() {
            let mut from = start;
            while from < end {
                let to = end.min(from + CHUNK);
                chunks.push(Chunk { shard, from, to });
                from = to;
            }
        }
        chunks
    }

    /// Expands some chunks and stores what was found. On the last layer only conditions are looked at.
    fn block(&mut self, block: &[Chunk], last: bool) -> Result<(), Ended> {
        let states: usize = block.iter().map(|c| c.to - c.from).sum();
        let threads = if states < FEW { 1 } else { self.workers.len() };
        let (store, stop, failed) = (&self.store, self.control.stop, AtomicBool::new(false));
        let room = self.control.budget.memory.map_or(u64::MAX, |limit| limit.saturating_sub(self.memory));
        let limits = ExpansionLimits { stop, room };
        let outputs = &mut self.outputs[..block.len()];
        in_parallel(
            &mut self.workers[..threads],
            block.iter().zip(outputs.iter_mut()),
            |worker, (chunk, out)| {
                if stop.load(Ordering::Relaxed) {
                    failed.store(true, Ordering::Relaxed);
                } else {
                    worker.expand(store, *chunk, last, limits, out);
                }
            },
        );
        if failed.into_inner() || self.control.stopped() {
            return Err(Ended::Interrupted);
        }
        if self.outputs[..block.len()].iter().any(|out| out.too_large) {
            return Err(Ended::Memory);
        }
        self.take_note(block)?;
        self.take_in(block.len(), threads, self.setup.edges)?;
        if self.setup.edges {
            for (chunk, out) in block.iter().zip(&mut self.outputs) {
                self.graph.add(*chunk, out);
            }
        }
        if self.setup.cycle_alarm && self.expanded >= self.probe {
            self.probe *= 10;
            if self.has_cycle() {
                return Err(Ended::Answered);
            }
        }
        self.check_limits()
    }

    /// Whether a cycle without the first condition has been found.
    fn has_cycle(&self) -> bool {
        let (inside, stop) = (|flags: u8| flags & 1 == 0, self.control.stop);
        if self.setup.fair.is_empty() {
            return self.graph.cycle(inside, |_| 0, self.workers.len(), stop).is_some();
        }
        let found = Found { graph: &self.graph, store: &self.store, codec: self.setup.codec };
        let cycle = self.setup.fair.cycle(&found, inside, |_| true, |_| 0, stop);
        matches!(cycle, Ok(Some(_)))
    }

    /// What the expanded states say, in their order.
    fn take_note(&mut self, block: &[Chunk]) -> Result<(), Ended> {
        let mut overflow = false;
        for (chunk, out) in block.iter().zip(&self.outputs) {
            let id = |place: usize| Id::new(chunk.shard, place);
            self.transitions += out.transitions;
            self.deadlocks += out.deadlocks;
            self.goals += out.goals;
            self.expanded += (chunk.to - chunk.from) as u64;
            overflow |= out.overflow;
            for (alarm, place) in self.alarms.iter_mut().zip(&out.alarms) {
                *alarm = alarm.or(place.map(id));
            }
            self.stuck = self.stuck.or(out.stuck.map(id));
            if self.faulty.is_none() {
                self.faulty = out.fault.map(|(place, instance, fault)| Faulty {
                    state: Some(id(place)),
                    instance,
                    fault,
                });
            }
        }
        if overflow {
            return Err(Ended::Overflow);
        }
        if self.faulty.is_some() {
            return Err(Ended::Faulty);
        }
        if !self.setup.exhaustive && self.answered() { Err(Ended::Answered) } else { Ok(()) }
    }

    /// Whether every alarm that could be raised has been.
    fn answered(&self) -> bool {
        let alarms = self.setup.alarms | self.setup.last_chances;
        let all = self.alarms.iter().enumerate().all(|(i, a)| alarms >> i & 1 == 0 || a.is_some());
        let some = alarms != 0 || self.setup.stuck_alarm;
        some && all && (!self.setup.stuck_alarm || self.stuck.is_some())
    }

    fn check_limits(&mut self) -> Result<(), Ended> {
        let buffers: u64 = self.outputs.iter().map(Output::memory).sum();
        let layers =
            self.layers.capacity() * 8 + self.ends.iter().map(|list| list.capacity() * 8).sum::<usize>();
        let memory = self.store.memory() + self.graph.memory() + buffers + layers as u64;
        self.memory = self.memory.max(memory);
        let done = self.store.len();
        let beginning = self.layers.is_empty();
        self.control.progress.report(Snapshot {
            phase: if beginning { Phase::Initial } else { Phase::Searching },
            // Ways to begin that give no new state take their time as well.
            done: if beginning { done.max(self.enumerated / RUNS_PER_STATE) } else { done },
            waiting: done - self.expanded,
            depth: u64::from(self.depth),
            memory,
            ..Snapshot::default()
        });
        if self.control.stopped() {
            return Err(Ended::Interrupted);
        }
        if self.setup.enough.is_some_and(|enough| done.max(self.enumerated / RUNS_PER_STATE) > enough) {
            return Err(Ended::Enough);
        }
        // What is copied while it grows counts towards the limit, but is not what the search is said to have used.
        let peak = memory + self.store.growing(self.workers.len());
        if self.control.budget.memory.is_some_and(|limit| peak > limit) {
            return Err(Ended::Memory);
        }
        Ok(())
    }

    fn finish(self, ended: Ended) -> Explored {
        Explored {
            store: self.store,
            graph: self.graph,
            initial: self.initial,
            enumerated: self.enumerated,
            transitions: self.transitions,
            expanded: self.expanded,
            depth: self.depth,
            layers: self.layers,
            ends: self.ends,
            goals: self.goals,
            alarms: self.alarms,
            stuck: self.stuck,
            deadlocks: self.deadlocks,
            faulty: self.faulty,
            ended,
            memory: self.memory,
        }
    }
}

/// A shard takes in what was found for it, in the order of the chunks. `N` is the number of words, or 0.
fn take_in<const N: usize>(
    shard: &mut Shard,
    number: usize,
    outputs: &[Output],
    words: usize,
    edges: bool,
) -> Result<(), crate::store::Full> {
    let words = if N == 0 { words } else { N };
    for out in outputs {
        for entries in out.buckets[number].chunks((words + 1) * TOGETHER) {
            let mut look = shard.look::<N>(entries);
            while look.unseen != 0 {
                let i = look.unseen.trailing_zeros() as usize;
                look.unseen &= look.unseen - 1;
                let entry = &entries[i * (words + 1)..(i + 1) * (words + 1)];
                let parent = Id((entry[words] >> 32) as u32);
                let (place, _) = shard.insert_hashed::<N>(&entry[..words], look.hashes[i], parent)?;
                look.places[i] = place as u32;
            }
            if edges {
                for (entry, &place) in entries.chunks_exact(words + 1).zip(&look.places) {
                    let id = Id::new(number, place as usize);
                    out.edges[entry[words] as u32 as usize].store(id.0, Ordering::Relaxed);
                }
            }
        }
    }
    Ok(())
}

/// Hands out items to workers until there are none left.
pub(crate) fn in_parallel<W: Send, T: Send>(
    workers: &mut [W],
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(&mut W, T) + Sync,
) {
    let Some((own, others)) = workers.split_first_mut() else { return };
    if others.is_empty() {
        items.for_each(|item| work(own, item));
        return;
    }
    let items = Mutex::new(items);
    let take = || items.lock().map_or(None, |mut items| items.next());
    let work_on = |worker: &mut W| {
        while let Some(item) = take() {
            work(worker, item);
        }
    };
    // This thread works as well: one less has to be started.
    std::thread::scope(|scope| {
        for worker in others {
            scope.spawn(|| work_on(worker));
        }
        work_on(own);
    });
}

/// Where an expanded state goes in a bucket: after its words, who its parent is and which edge leads to it.
#[inline]
pub(crate) fn tail(parent: Id, edge: usize) -> u64 {
    u64::from(parent.0) << 32 | edge as u64
}

/// The bucket of a packed state.
#[inline]
pub(crate) fn bucket_of(words: &[u64], mask: u64) -> usize {
    shard_of(hash(words, mask))
}

/// Room for edges, to be filled by the shards.
pub(crate) type Edges = Vec<AtomicU32>;
