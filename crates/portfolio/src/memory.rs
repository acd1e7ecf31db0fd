//! What all engines together may use.
//!
//! The explicit engine counts what it stores. Solvers do not, so the whole process is looked at, where the caller can tell
//! how much that is ([`Progress::memory`](swarmcheck_engine::Progress::memory)).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use swarmcheck_engine::{Control, Engine, Finding, Progress, Reason, Task, Verdict};

/// How long to wait between two looks at what engines do.
pub(crate) const WAIT: Duration = Duration::from_millis(10);

/// Stacks of threads are as large as one could wish for: deep expressions are followed by recursion. Only what is used
/// takes memory.
pub(crate) const STACK: usize = 64 << 20;

/// Compares what the process uses with what it may use.
pub(crate) struct Meter<'a> {
    progress: &'a dyn Progress,
    before: u64,
    limit: u64,
}

impl<'a> Meter<'a> {
    /// From now on; `None` if there is no limit, or no way to tell.
    pub(crate) fn new(control: &Control<'a>) -> Option<Meter<'a>> {
        let (limit, before) = (control.budget.memory?, control.progress.memory()?);
        Some(Meter { progress: control.progress, before, limit })
    }

    /// Whether the engines use more than they may.
    pub(crate) fn is_over(&self) -> bool {
        self.progress.memory().is_some_and(|now| now.saturating_sub(self.before) > self.limit)
    }

    /// Whether this alone would be most of what they may use.
    pub(crate) fn is_most(&self, bytes: u64) -> bool {
        bytes >= self.limit / 2
    }
}

/// An engine that was stopped because of its memory did not stop because somebody wanted it to.
pub(crate) fn blame(finding: &mut Finding) {
    if let Verdict::Unknown(reason @ Reason::Interrupted) = &mut finding.verdict {
        *reason = Reason::Memory;
    }
}

/// Runs an engine that does not count what it uses within the limits on memory.
pub fn guarded(engine: &(dyn Engine + Send + Sync), task: &Task<'_>, control: &Control<'_>) -> Vec<Finding> {
    let Some(meter) = Meter::new(control) else { return engine.run(task, control) };
    let stop = AtomicBool::new(false);
    let mut full = false;
    let found = std::thread::scope(|scope| {
        // Nothing is ever sent: that the sender is gone says that the engine is.
        let (sender, receiver) = mpsc::channel::<()>();
        let (budget, progress, stop) = (control.budget, control.progress, &stop);
        let work = move || {
            let _sender = sender;
            engine.run(task, &Control { stop, budget, progress })
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()?;
        while receiver.recv_timeout(WAIT) == Err(RecvTimeoutError::Timeout) {
            full |= meter.is_over();
            if full || control.stopped() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        Some(thread.join())
    });
    match found {
        // Without threads there is nobody to look.
        None => engine.run(task, control),
        Some(Err(panic)) => std::panic::resume_unwind(panic),
        Some(Ok(mut findings)) => {
            if full {
                findings.iter_mut().for_each(blame);
            }
            findings
        }
    }
}
