//! Budgets, interruption and progress. Engines do not look at clocks or signals: whoever calls them does.

use std::sync::atomic::{AtomicBool, Ordering};

/// How much an engine may use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// Bytes of memory.
    pub memory: Option<u64>,
}

/// Numbers for a progress line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Snapshot {
    /// States or steps so far.
    pub done: u64,
    /// Waiting to be explored, if the engine knows.
    pub waiting: u64,
    /// How deep the search is.
    pub depth: u64,
    /// Bytes in use, if the engine knows.
    pub memory: u64,
}

/// Receives progress, now and then. Engines may run in several threads, and each reports.
pub trait Progress: Sync {
    /// Called from the engine's loop; must be cheap.
    fn report(&self, snapshot: Snapshot);

    /// Seconds since some moment in the past, if there is a clock.
    fn seconds(&self) -> f64 {
        0.0
    }

    /// The bytes that the whole process uses, if the caller can tell.
    fn memory(&self) -> Option<u64> {
        None
    }

    /// Called where an engine looks whether to stop: returns when it is its turn, where engines take turns.
    fn turn(&self) {}
}

/// Progress that nobody wants to see.
pub struct Silent;

impl Progress for Silent {
    fn report(&self, _: Snapshot) {}
}

/// What an engine consults while it runs.
pub struct Control<'a> {
    /// Set from outside, by Ctrl-C or a time limit: stop soon and say what was found.
    pub stop: &'a AtomicBool,
    /// The limits.
    pub budget: Budget,
    /// Where to report.
    pub progress: &'a dyn Progress,
}

impl Control<'_> {
    /// Whether to stop. Where engines take turns, it is also where an engine waits.
    pub fn stopped(&self) -> bool {
        self.progress.turn();
        self.stop.load(Ordering::Relaxed)
    }
}
