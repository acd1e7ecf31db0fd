//! What an engine has last said about itself, for the one who looks after the race.

use std::sync::atomic::{AtomicU64, Ordering};
use swarmcheck_engine::{Phase, Snapshot};

/// The last report of an engine.
#[derive(Default)]
pub(crate) struct Watch {
    states: AtomicU64,
    reports: AtomicU64,
    memory: AtomicU64,
}

/// A report stands for this many states when it is asked how far a search has come.
const STATES_PER_REPORT: u64 = 50;

impl Watch {
    /// Takes note of a report.
    pub(crate) fn note(&self, snapshot: &Snapshot) {
        // That another phase begins says nothing about what was found.
        if matches!(snapshot.phase, Phase::Initial | Phase::Searching) {
            self.states.store(snapshot.done, Ordering::Relaxed);
            self.reports.fetch_add(1, Ordering::Relaxed);
            self.memory.store(snapshot.memory, Ordering::Relaxed);
        }
    }

    /// Whether a search has gone on for a while: so many states, or many reports without them, because almost no choice at
    /// the beginning satisfies the assumptions or because layers are small.
    /// How many reports that are is not divided among searches: narrow ones report every few states.
    pub(crate) fn late(&self, share: u64, head_start: u64) -> bool {
        self.states.load(Ordering::Relaxed) >= share
            || self.reports.load(Ordering::Relaxed) >= head_start / STATES_PER_REPORT
    }

    /// The bytes in use, as far as they are counted.
    pub(crate) fn bytes(&self) -> u64 {
        self.memory.load(Ordering::Relaxed)
    }

    pub(crate) fn reset(&self) {
        self.states.store(0, Ordering::Relaxed);
        self.reports.store(0, Ordering::Relaxed);
        self.memory.store(0, Ordering::Relaxed);
    }
}
