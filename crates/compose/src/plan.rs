//! How a network is put together, and when that stops.

use crate::refused::Refused;
use std::sync::Mutex;
use std::thread::Builder;
use swarmcheck_engine::{Control, Phase, Reductions, Snapshot, Task};

/// In which order processes are put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// By what the result promises to be.
    #[default]
    Smart,
    /// One after the other, as the program has them.
    Given,
}

/// What is done to keep processes small, and by how many threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Who is put together with whom.
    pub order: Order,
    /// Whether processes are restricted to what others let them do, before they are reduced.
    pub interfaces: bool,
    /// Whether processes that are alike are explored and reduced once.
    pub symmetry: bool,
    /// The number of threads, at least 1. It changes nothing but the time.
    pub threads: usize,
}

impl Plan {
    /// With these reductions.
    pub fn new(reductions: &Reductions, threads: usize) -> Plan {
        let order = if reductions.smart_order { Order::Smart } else { Order::Given };
        Plan { order, interfaces: reductions.interfaces, symmetry: reductions.symmetry, threads }
    }

    /// As a task asks for.
    pub fn of(task: &Task) -> Plan {
        Plan::new(&task.reductions, task.threads)
    }
}

/// Why there is no result.
pub enum NoWhole {
    /// It was stopped by the caller.
    Stopped,
    /// More bytes than allowed.
    Memory,
    /// It cannot be made, or is too large.
    Refused(Refused),
}

impl From<Refused> for NoWhole {
    fn from(refused: Refused) -> NoWhole {
        NoWhole::Refused(refused)
    }
}

/// When to stop.
#[derive(Clone, Copy)]
pub struct Limits<'a>(pub &'a Control<'a>);

impl Limits<'_> {
    /// Whether so many bytes are too many.
    fn full(self, bytes: u64) -> bool {
        self.0.budget.memory.is_some_and(|most| bytes > most)
    }

    /// Whether to stop, where so many bytes are in use.
    pub fn reached(self, bytes: u64) -> bool {
        self.0.stopped() || self.full(bytes)
    }

    /// The same, and tells whoever waits how far it is.
    pub fn reached_at(self, states: u32, memory: u64) -> bool {
        let (phase, done) = (Phase::Searching, states.into());
        self.0.progress.report(Snapshot { phase, done, memory, ..Snapshot::default() });
        self.reached(memory)
    }

    /// Why it was stopped at so many bytes.
    pub fn why(self, bytes: u64) -> NoWhole {
        if self.full(bytes) { NoWhole::Memory } else { NoWhole::Stopped }
    }
}

/// Terms are evaluated recursively, and may be deep.
const STACK: usize = 64 << 20;

/// Works on all items by several threads. The results are in the order of the items.
pub fn each<T: Send, R: Send>(threads: usize, items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    if threads < 2 || items.len() < 2 {
        return items.into_iter().map(work).collect();
    }
    let threads = threads.min(items.len());
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let queue = Mutex::new(items.into_iter().zip(&results));
    let take = || queue.lock().expect("nobody panics while taking an item").next();
    let run = || {
        while let Some((item, result)) = take() {
            let done = work(item);
            *result.lock().expect("each result is written once") = Some(done);
        }
    };
    std::thread::scope(|scope| {
        // What no further thread does, this one does.
        (1..threads).for_each(|_| drop(Builder::new().stack_size(STACK).spawn_scoped(scope, run)));
        run();
    });
    let done =
        |result: Mutex<Option<R>>| result.into_inner().ok().flatten().expect("every item was worked on");
    results.into_iter().map(done).collect()
}
