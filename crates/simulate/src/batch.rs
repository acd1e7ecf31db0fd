//! Many runs on several threads, put together in the order of their numbers.
//!
//! A run depends on the seed and its own number only, so it does not matter who makes it. What is made of the runs is folded by
//! one thread, run after run, and the fold alone says when there are enough: so results do not depend on the number of threads,
//! although some runs are made that nobody asks for any more.
//!
//! Threads take runs in chunks, small ones first: the lock is taken once per chunk, and a few long runs are shared evenly. Nobody begins a
//! chunk more than [`WINDOW`] runs ahead of the fold, so a slow fold, or one long run among short ones, does not let results pile up.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The most runs that are begun and not yet folded, unless there are more threads than that.
pub const WINDOW: u64 = 4096;
/// The most runs of a chunk.
const LARGEST: u64 = 64;

/// How [`batches`] ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BatchEnd {
    /// All runs were folded.
    Complete,
    /// The fold said that there are enough.
    Enough,
    /// A run was not made to its end, because the caller wants to stop.
    Stopped,
}

/// What is known after [`batches`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Batches {
    /// The first run that was not folded: all before it were.
    pub next: u64,
    pub end: BatchEnd,
}

/// Makes runs on some threads, at least one, and folds them in the order of their numbers on the thread of the caller.
///
/// `worker` is called once on each thread; what it returns makes the run with a number, and may keep memory from run to run, but
/// no information. It returns nothing if it was stopped; then nothing is folded from that run on.
pub fn batches<R, M>(
    threads: usize,
    runs: Range<u64>,
    worker: impl Fn() -> M + Sync,
    mut fold: impl FnMut(u64, R) -> ControlFlow<()>,
) -> Batches
where
    R: Send,
    M: FnMut(u64) -> Option<R>,
{
    if threads <= 1 {
        let mut make = worker();
        for number in runs.clone() {
            let Some(made) = make(number) else { return Batches { next: number, end: BatchEnd::Stopped } };
            if fold(number, made).is_break() {
                return Batches { next: number + 1, end: BatchEnd::Enough };
            }
        }
        return Batches { next: runs.end.max(runs.start), end: BatchEnd::Complete };
    }
    let shared = Shared {
        board: Mutex::new(Board {
            begun: runs.start,
            folded: runs.start,
            closed: false,
            at_work: threads,
            made: BTreeMap::new(),
        }),
        changed: Condvar::new(),
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let _leaving = Leaving(&shared);
                shared.work(&runs, threads as u64, &mut worker());
            });
        }
        let folded = shared.fold(&runs, &mut fold);
        shared.lock().closed = true;
        shared.changed.notify_all();
        folded
    })
}

/// What threads know of each other.
struct Board<R> {
    /// The first run that nobody has taken.
    begun: u64,
    folded: u64,
    /// No more runs are wanted.
    closed: bool,
    /// Threads that may still make runs.
    at_work: usize,
    /// Chunks that wait to be folded, by their first run.
    made: BTreeMap<u64, Chunk<R>>,
}

struct Chunk<R> {
    runs: Vec<R>,
    /// The run after these was not made to its end.
    stopped: bool,
}

struct Shared<R> {
    board: Mutex<Board<R>>,
    changed: Condvar,
}

impl<R: Send> Shared<R> {
    fn lock(&self) -> MutexGuard<'_, Board<R>> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, board: MutexGuard<'g, Board<R>>) -> MutexGuard<'g, Board<R>> {
        self.changed.wait(board).unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes chunks until there are none left.
    fn work(&self, runs: &Range<u64>, threads: u64, make: &mut dyn FnMut(u64) -> Option<R>) {
        while let Some(chunk) = self.take(runs, threads) {
            let mut made = Vec::with_capacity((chunk.end - chunk.start) as usize);
            for number in chunk.clone() {
                match make(number) {
                    Some(one) => made.push(one),
                    None => break,
                }
            }
            let stopped = (made.len() as u64) < chunk.end - chunk.start;
            self.lock().made.insert(chunk.start, Chunk { runs: made, stopped });
            self.changed.notify_all();
            if stopped {
                return;
            }
        }
    }

    /// The next chunk, as soon as it is not too far ahead of the fold.
    fn take(&self, runs: &Range<u64>, threads: u64) -> Option<Range<u64>> {
        let mut board = self.lock();
        loop {
            if board.closed || board.begun >= runs.end {
                return None;
            }
            if board.begun - board.folded < WINDOW.max(threads) {
                let size = ((board.begun - runs.start) / (8 * threads)).clamp(1, LARGEST);
                let chunk = board.begun..runs.end.min(board.begun.saturating_add(size));
                board.begun = chunk.end;
                return Some(chunk);
            }
            board = self.wait(board);
        }
    }

    fn fold(&self, runs: &Range<u64>, fold: &mut dyn FnMut(u64, R) -> ControlFlow<()>) -> Batches {
        let mut next = runs.start;
        while next < runs.end {
            let mut board = self.lock();
            board.folded = next;
            self.changed.notify_all();
            let chunk = loop {
                if let Some(chunk) = board.made.remove(&next) {
                    break chunk;
                }
                // A thread that panics hands nothing in.
                if board.closed || board.at_work == 0 {
                    return Batches { next, end: BatchEnd::Stopped };
                }
                board = self.wait(board);
            };
            drop(board);
            for one in chunk.runs {
                next += 1;
                if fold(next - 1, one).is_break() {
                    return Batches { next, end: BatchEnd::Enough };
                }
            }
            if chunk.stopped {
                return Batches { next, end: BatchEnd::Stopped };
            }
        }
        Batches { next, end: BatchEnd::Complete }
    }
}

/// Tells the others that a thread has ended. If it panics they end as well, and the panic goes on where the threads were started.
struct Leaving<'s, R: Send>(&'s Shared<R>);

impl<R: Send> Drop for Leaving<'_, R> {
    fn drop(&mut self) {
        let mut board = self.0.lock();
        board.at_work -= 1;
        board.closed |= std::thread::panicking();
        drop(board);
        self.0.changed.notify_all();
    }
}
