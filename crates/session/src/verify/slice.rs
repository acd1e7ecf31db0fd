//! A part of the time, or of the states, for a part of the questions. Formulas over actions and the properties of the program
//! are decided one after the other, by different code; neither may starve the other.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use swarmcheck_engine::{Budget, Control, Progress, Snapshot, Subject};

/// Stops when its share is used up, or when whoever gave it says so.
pub(crate) struct Slice<'a> {
    whole: &'a Control<'a>,
    stop: AtomicBool,
    /// The end, on the clock of the whole.
    until: Option<f64>,
    /// So many states may be visited.
    states: u64,
    seen: AtomicU64,
    /// What happens is passed on to whoever gave it.
    heard: bool,
}

impl<'a> Slice<'a> {
    /// As long as it visits few states.
    pub(super) fn of_states(whole: &'a Control<'a>, states: u64) -> Slice<'a> {
        let (stop, seen) = (AtomicBool::new(false), AtomicU64::new(0));
        Slice { whole, stop, until: None, states, seen, heard: true }
    }

    /// The same, for a question that nobody has asked: its progress is not that of the work.
    pub(crate) fn unheard(whole: &'a Control<'a>, states: u64) -> Slice<'a> {
        Slice { heard: false, ..Slice::of_states(whole, states) }
    }

    /// `part` of `all` questions, where there is a deadline.
    pub(super) fn of_time(whole: &'a Control<'a>, part: usize, all: usize) -> Slice<'a> {
        let now = whole.progress.seconds();
        let share = |end: f64| now + (end - now).max(0.0) * part as f64 / all.max(1) as f64;
        Slice { until: whole.budget.seconds.map(share), ..Slice::of_states(whole, u64::MAX) }
    }

    /// What an engine consults.
    pub(crate) fn control(&self) -> Control<'_> {
        let budget = Budget { seconds: self.until.or(self.whole.budget.seconds), ..self.whole.budget };
        Control { stop: &self.stop, budget, progress: self }
    }

    fn look(&self) {
        let late = self.until.is_some_and(|end| self.whole.progress.seconds() >= end);
        let many = self.seen.load(Ordering::Relaxed) > self.states;
        if late || many || self.whole.stopped() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Progress for Slice<'_> {
    fn report(&self, snapshot: Snapshot) {
        self.seen.store(snapshot.done, Ordering::Relaxed);
        self.look();
        if self.heard {
            self.whole.progress.report(snapshot);
        }
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

    fn started(&self, subject: Subject, engine: &'static str) {
        if self.heard {
            self.whole.progress.started(subject, engine);
        }
    }

    fn ended(&self, subject: Subject, engine: &'static str) {
        if self.heard {
            self.whole.progress.ended(subject, engine);
        }
    }
}
