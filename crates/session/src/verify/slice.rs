//! A part of the states for a question that nobody has asked: another one than the user's, or one for a shorter trace.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use swarmcheck_engine::{Budget, Control, Progress, Snapshot};

/// Stops when its share is used up, or when whoever gave it says so. Its progress is not that of the work.
pub(crate) struct Slice<'a> {
    whole: &'a Control<'a>,
    stop: AtomicBool,
    /// So many states may be visited.
    states: u64,
    seen: AtomicU64,
}

/// A state may have billions of successors, so few states may take much memory and time. They may have so many bytes.
const LITTLE: u64 = 256 << 20;

impl<'a> Slice<'a> {
    /// As long as it visits few states.
    pub(crate) fn unheard(whole: &'a Control<'a>, states: u64) -> Slice<'a> {
        Slice { whole, stop: AtomicBool::new(false), states, seen: AtomicU64::new(0) }
    }

    /// What an engine consults.
    pub(crate) fn control(&self) -> Control<'_> {
        let most = self.whole.progress.memory().unwrap_or(0).saturating_add(LITTLE);
        let memory = self.whole.budget.memory.map_or(most, |memory| memory.min(most));
        let budget = Budget { memory: Some(memory), ..self.whole.budget };
        Control { stop: &self.stop, budget, progress: self }
    }

    fn look(&self) {
        if self.seen.load(Ordering::Relaxed) > self.states || self.whole.stopped() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Progress for Slice<'_> {
    fn report(&self, snapshot: Snapshot) {
        self.seen.store(snapshot.done, Ordering::Relaxed);
        self.look();
    }

    fn seconds(&self) -> f64 {
        self.whole.progress.seconds()
    }

    fn memory(&self) -> Option<u64> {
        self.whole.progress.memory()
    }

    fn turn(&self) {
        self.look();
    }
}
