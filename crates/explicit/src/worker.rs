//! Expanding states: one worker per thread, with its own scratch memory.

use crate::codec::{Codec, Overflow};
use crate::data_symmetry::{DataCanon, least};
use crate::graph::STUCK;
use crate::initial::Share;
use crate::packed::{Packed, Ran};
use crate::search::{Chunk, Edges, Setup, bucket_of, tail};
use crate::store::{Id, SHARDS, Store};
use std::ops::IndexMut;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use swarmcheck_ir::flat::{Enumerate, Outcome};
use swarmcheck_ir::ground::{Routine, Runner};
use swarmcheck_ir::{Fault, Value};
use swarmcheck_passes::symmetry::Canon;

/// So many initial states are stored before more are enumerated.
const MOST_INITIAL: usize = 4096;

/// What expanding a chunk gave. Kept from block to block, so that its room is used again. Outputs lie side by side and are
/// written by different threads: none shares a line of the cache with the next.
#[repr(align(128))]
pub struct Output {
    /// For each target shard: packed states, each followed by its parent and its edge.
    pub buckets: Vec<Vec<u64>>,
    /// The first edge of each state, and the end.
    pub offsets: Vec<u32>,
    /// Targets, once the shards have numbered them.
    pub edges: Edges,
    /// Which conditions hold in each state.
    pub flags: Vec<u8>,
    pub transitions: u64,
    /// How many states have no steps.
    pub deadlocks: u64,
    /// The first place at which each condition is false and should not be.
    pub alarms: Vec<Option<usize>>,
    /// The first place without steps.
    pub stuck: Option<usize>,
    /// The first fault: where, and by which instance.
    pub fault: Option<(usize, Option<usize>, Fault)>,
    /// A value did not fit its field.
    pub overflow: bool,
    /// How many states meet the goal.
    pub goals: u64,
    /// One step has more results than there is room for.
    pub too_large: bool,
}

impl Output {
    pub(crate) fn new() -> Output {
        Output {
            buckets: apart(SHARDS, vec![]),
            offsets: vec![],
            edges: vec![],
            flags: vec![],
            transitions: 0,
            deadlocks: 0,
            alarms: vec![],
            stuck: None,
            fault: None,
            overflow: false,
            goals: 0,
            too_large: false,
        }
    }

    fn clear(&mut self, conditions: usize) {
        self.buckets.iter_mut().for_each(Vec::clear);
        self.offsets.clear();
        self.edges.clear();
        self.flags.clear();
        self.transitions = 0;
        self.deadlocks = 0;
        self.alarms.clear();
        self.alarms.resize(conditions, None);
        self.stuck = None;
        self.fault = None;
        self.overflow = false;
        self.goals = 0;
        self.too_large = false;
    }

    /// Bytes allocated.
    pub(crate) fn memory(&self) -> u64 {
        let buckets: usize = self.buckets.iter().map(|b| b.capacity() * 8).sum();
        (buckets + self.offsets.capacity() * 4 + self.edges.capacity() * 4 + self.flags.capacity()) as u64
    }
}

/// The words of one state: as many as are known when the program is compiled, or as many as there are.
trait Words: IndexMut<usize, Output = u64> + AsMut<[u64]> {}

impl<W: IndexMut<usize, Output = u64> + AsMut<[u64]> + ?Sized> Words for W {}

/// When the expansion of a chunk is given up.
#[derive(Clone, Copy)]
pub(crate) struct ExpansionLimits<'a> {
    pub(crate) stop: &'a AtomicBool,
    /// Bytes that the results may take.
    pub(crate) room: u64,
}

/// Expands states. Workers lie side by side, like outputs.
#[repr(align(128))]
pub struct Worker<'a> {
    setup: &'a Setup<'a>,
    runner: Runner,
    choices: Enumerate,
    state: Vec<Value>,
    words: Vec<u64>,
    /// Room for a successor of many words.
    next: Vec<u64>,
    /// The successors by one instance, packed, when it has several.
    several: Vec<Vec<u64>>,
    canon: Option<Canon>,
    data_canon: Option<DataCanon>,
    renamed: Vec<Value>,
    /// Runs what may go first after a step.
    settler: Runner,
    /// Agents who can do what another one can.
    twins: Vec<bool>,
    /// The instances that may run in the current state.
    candidates: Vec<usize>,
    limits: Option<ExpansionLimits<'a>>,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(setup: &'a Setup<'a>) -> Worker<'a> {
        Worker {
            setup,
            runner: Runner::default(),
            choices: Enumerate::default(),
            state: apart(setup.ground.width(), 0),
            words: apart(setup.codec.words(), 0),
            next: vec![],
            several: vec![],
            canon: setup.canon.clone(),
            data_canon: setup.data_canon.clone(),
            renamed: vec![],
            settler: Runner::default(),
            twins: vec![],
            candidates: vec![],
            limits: None,
        }
    }

    /// Enumerates initial states: those of a share that are left, but not too many at a time. Ends early if told to stop,
    /// at a fault, and where a value does not fit.
    pub(crate) fn begin(&mut self, share: &mut Share, mask: u64, stop: &AtomicBool, out: &mut Output) {
        // Shares lie side by side, and so do their choices: other threads write next to them. A copy is this thread's own.
        let mut own = share.clone();
        self.enumerate(&mut own, mask, stop, out);
        *share = own;
    }

    fn enumerate(&mut self, share: &mut Share, mask: u64, stop: &AtomicBool, out: &mut Output) {
        out.clear(self.setup.conditions.len());
        let setup = self.setup;
        for _ in 0..MOST_INITIAL {
            match self.runner.initialise(setup.ground, &mut self.state, &mut share.choices) {
                Outcome::Disabled => {}
                Outcome::Done => {
                    represent(setup, &mut self.runner, &mut self.canon, &mut self.state);
                    if setup.codec.pack(&self.state, &mut self.words).is_err() {
                        out.overflow = true;
                        return;
                    }
                    least(&mut self.data_canon, &mut self.canon, setup.codec, &mut self.words);
                    emit(&self.words, Id::NONE, mask, out);
                }
                Outcome::Fault(fault) => {
                    out.fault = Some((0, None, fault));
                    return;
                }
            }
            if !share.advance() || stop.load(Ordering::Relaxed) {
                return;
            }
        }
    }

    /// Expands the states of a chunk; if it is the last layer, only the conditions are evaluated. Gives up when it is told
    /// to stop, or when the results need more room than there is.
    pub(crate) fn expand(
        &mut self,
        store: &Store,
        chunk: Chunk,
        last: bool,
        limits: ExpansionLimits<'a>,
        out: &mut Output,
    ) {
        out.clear(self.setup.conditions.len());
        if self.setup.edges {
            out.offsets.reserve_exact(chunk.to - chunk.from + 1);
        }
        self.limits = Some(limits);
        let complete = self.setup.packed.as_ref().is_some_and(|p| p.complete);
        let unpack = !complete || self.setup.partial_order.is_some();
        for place in chunk.from..chunk.to {
            // States may be large, and so may chunks of them.
            if out.too_large || limits.stop.load(Ordering::Relaxed) {
                break;
            }
            let packed = store.shards[chunk.shard].state(place);
            if unpack {
                self.setup.codec.unpack(packed, &mut self.state);
            }
            out.offsets.push(out.transitions as u32);
            let truth = self.conditions(place, packed, last || !self.setup.exact, out);
            let goal = self.setup.goal.is_some_and(|goal| truth >> goal & 1 != 0);
            out.goals += u64::from(goal);
            let mut flags = (truth & 0x7f) as u8;
            if !last && !goal && !self.steps(store, chunk.shard, place, packed, out) {
                flags |= STUCK;
                out.deadlocks += 1;
                out.stuck = out.stuck.or(Some(place));
                for (i, alarm) in out.alarms.iter_mut().enumerate() {
                    if self.setup.last_chances & !truth & 1 << i != 0 {
                        *alarm = alarm.or(Some(place));
                    }
                }
            }
            out.flags.push(flags);
        }
        out.offsets.push(out.transitions as u32);
        if self.setup.edges {
            out.edges = (0..out.transitions as usize).map(|_| AtomicU32::new(0)).collect();
        }
    }

    /// Which conditions hold in the current state; if one that should does not, that is noted.
    fn conditions(&mut self, place: usize, packed: &[u64], alarming: bool, out: &mut Output) -> u32 {
        let mut truth = 0;
        for (i, condition) in self.setup.conditions.iter().enumerate() {
            let code = self.setup.packed.as_ref().and_then(|p| p.conditions[i].as_ref());
            let holds = match code {
                Some(code) => {
                    // Conditions change nothing, but code is code.
                    self.words.copy_from_slice(packed);
                    Ok(code.run(&mut self.words[..]) == Ran::Done)
                }
                None => self.runner.test(condition, &self.state),
            };
            match holds {
                Ok(true) => truth |= 1 << i,
                Ok(false) if alarming && self.setup.alarms >> i & 1 != 0 => {
                    out.alarms[i] = out.alarms[i].or(Some(place));
                }
                Ok(false) => {}
                Err(fault) => out.fault = out.fault.or(Some((place, None, fault))),
            }
        }
        truth
    }

    /// All steps of the current state; whether there is any. States are stored after their first steps have been taken
    /// ([`represent`]), so there is none to be taken here.
    fn steps(&mut self, store: &Store, shard: usize, place: usize, packed: &[u64], out: &mut Output) -> bool {
        let parent = Id::new(shard, place);
        let mask = store.mask();
        let setup = self.setup;
        let all = setup.ground.instances();
        let mut any = false;
        if let Some(steps) = &setup.packed {
            return match packed.len() {
                1 => self.packed_steps(steps, &mut [0; 1], parent, mask, packed, out),
                2 => self.packed_steps(steps, &mut [0; 2], parent, mask, packed, out),
                3 => self.packed_steps(steps, &mut [0; 3], parent, mask, packed, out),
                n => {
                    let mut next = std::mem::take(&mut self.next);
                    next.resize(n, 0);
                    let any = self.packed_steps(steps, &mut next[..], parent, mask, packed, out);
                    self.next = next;
                    any
                }
            };
        }
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        setup.dispatch.each(&self.state, |number| candidates.push(number));
        if let Some(canon) = &self.canon {
            canon.twins(&self.state, &mut self.twins);
        }
        for &number in &candidates {
            if self.twins.get(all[number].instance.agent as usize) == Some(&true) {
                continue;
            }
            any |= self.instance(number, &all[number], parent, mask, packed, out);
        }
        self.candidates = candidates;
        any
    }

    /// All steps of the current state, on packed words wherever possible; whether there is any. Compiled once for each
    /// number of words and never into its caller: it needs all registers for itself.
    #[inline(never)]
    fn packed_steps<W: Words + ?Sized>(
        &mut self,
        steps: &Packed,
        next: &mut W,
        parent: Id,
        mask: u64,
        packed: &[u64],
        out: &mut Output,
    ) -> bool {
        let all = self.setup.ground.instances();
        let mut any = false;
        steps.dispatch.each_packed(packed, |number| {
            if let Some(fixed) = &steps.fixed[number] {
                if let Some((word, value)) = fixed.run(packed) {
                    next.as_mut().copy_from_slice(packed);
                    next[word] = value;
                    if let Some(data_canon) = &mut self.data_canon {
                        data_canon.canonical(next.as_mut());
                    }
                    emit(next.as_mut(), parent, mask, out);
                    any = true;
                }
                return;
            }
            let Some(code) = &steps.instances[number] else {
                any |= self.instance(number, &all[number], parent, mask, packed, out);
                return;
            };
            next.as_mut().copy_from_slice(packed);
            match code.run(next) {
                Ran::Disabled => return,
                Ran::Done => {
                    if let Some(data_canon) = &mut self.data_canon {
                        data_canon.canonical(next.as_mut());
                    }
                    emit(next.as_mut(), parent, mask, out);
                }
                Ran::Overflow => out.overflow = true,
            }
            any = true;
        });
        any
    }

    /// All steps of one instance; whether there is any.
    #[inline(never)]
    fn instance(
        &mut self,
        number: usize,
        routine: &Routine,
        parent: Id,
        mask: u64,
        packed: &[u64],
        out: &mut Output,
    ) -> bool {
        if routine.tests().iter().any(|&(slot, value)| self.state[slot as usize] != value) {
            return false;
        }
        self.choices.reset();
        let mut any = false;
        let mut several = 0;
        let mut rounds: u32 = 0;
        loop {
            rounds = rounds.wrapping_add(1);
            if rounds.is_multiple_of(4096) && self.must_give_up(several) {
                out.too_large = true;
                return any;
            }
            let outcome = self.runner.step_tested(routine, &mut self.state, &mut self.choices);
            let more = self.choices.advance();
            match outcome {
                Outcome::Disabled => {}
                Outcome::Done => {
                    any = true;
                    match self.pack_successor(packed) {
                        Ok(()) => {
                            least(&mut self.data_canon, &mut self.canon, self.setup.codec, &mut self.words)
                        }
                        Err(Overflow) => out.overflow = true,
                    }
                    self.runner.undo(&mut self.state);
                    if several == 0 && !more {
                        emit(&self.words, parent, mask, out);
                    } else {
                        if self.several.len() == several {
                            self.several.push(vec![]);
                        }
                        self.several[several].clone_from(&self.words);
                        several += 1;
                    }
                }
                Outcome::Fault(fault) => {
                    any = true;
                    out.fault = out.fault.or(Some((parent.place(), Some(number), fault)));
                }
            }
            if !more {
                break;
            }
        }
        // Different choices may come to the same: that is one step.
        self.several[..several].sort_unstable();
        for i in 0..several {
            if i == 0 || self.several[i] != self.several[i - 1] {
                emit(&self.several[i], parent, mask, out);
            }
        }
        any
    }

    /// One step may have millions of results: whether to go on is asked in between.
    #[cold]
    fn must_give_up(&self, several: usize) -> bool {
        let bytes = several * (size_of::<Vec<u64>>() + self.words.len() * 16);
        self.limits.is_some_and(|limits| limits.stop.load(Ordering::Relaxed) || bytes as u64 > limits.room)
    }

    /// Packs the state after a step: the parent's words with what has changed.
    #[inline]
    fn pack_successor(&mut self, packed: &[u64]) -> Result<(), Overflow> {
        let codec: &Codec = self.setup.codec;
        if self.canon.is_some() || self.setup.partial_order.is_some() {
            self.renamed.clone_from(&self.state);
            let setup = self.setup;
            if represent(setup, &mut self.settler, &mut self.canon, &mut self.renamed) {
                return codec.pack(&self.renamed, &mut self.words);
            }
        }
        match (&mut self.words[..], packed) {
            ([word], [old]) => *word = *old,
            (words, packed) => words.copy_from_slice(packed),
        }
        for &(slot, _) in self.runner.writes() {
            codec.patch(&mut self.words, slot, self.state[slot as usize])?;
        }
        Ok(())
    }
}

/// A list for one thread, with so much room at its end that what is allocated next, for another thread, does not share a line
/// of the cache with it.
pub(crate) fn apart<T: Clone>(length: usize, value: T) -> Vec<T> {
    let mut list = Vec::with_capacity(length + 128 / size_of::<T>().clamp(1, 128));
    list.resize(length, value);
    list
}

/// Replaces a state by the one that is stored for it; whether it may differ.
pub(crate) fn represent(
    setup: &Setup<'_>,
    runner: &mut Runner,
    canon: &mut Option<Canon>,
    state: &mut [Value],
) -> bool {
    let settled =
        setup.partial_order.as_ref().is_some_and(|reduction| reduction.settle(setup.ground, runner, state));
    if let Some(canon) = canon {
        canon.canonical(state);
    }
    settled || canon.is_some()
}

/// Puts a successor into its bucket.
#[inline]
fn emit(words: &[u64], parent: Id, mask: u64, out: &mut Output) {
    let bucket = &mut out.buckets[bucket_of(words, mask)];
    let tail = tail(parent, out.transitions as usize);
    match words {
        [a] => bucket.extend_from_slice(&[*a, tail]),
        [a, b] => bucket.extend_from_slice(&[*a, *b, tail]),
        words => {
            bucket.extend_from_slice(words);
            bucket.push(tail);
        }
    }
    out.transitions += 1;
}
