//! What all engines together may use.
//!
//! The explicit engine counts what it stores. Solvers do not, so the whole process is looked at, where the caller can tell
//! how much that is ([`Progress::memory`]).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::Builder;
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

/// Says why an engine was stopped that only knows that it was.
pub(crate) fn blame(finding: &mut Finding, why: &Reason) {
    if let Verdict::Unknown(reason @ Reason::Interrupted) = &mut finding.verdict {
        *reason = why.clone();
    }
}

/// Runs an engine that does not count what it uses within the limits on memory, and for so many waits at most.
pub fn guarded(
    engine: &(dyn Engine + Send + Sync),
    task: &Task<'_>,
    control: &Control<'_>,
    patience: Option<Patience>,
) -> Vec<Finding> {
    let meter = Meter::new(control);
    if meter.is_none() && patience.is_none() {
        return engine.run(task, control);
    }
    let stop = AtomicBool::new(false);
    let (mut full, mut waits) = (false, 0);
    let late = |waits: u64| patience.is_some_and(|p| waits >= p.waits());
    let found = std::thread::scope(|scope| {
        // Nothing is ever sent: that the sender is gone says that the engine is.
        let (sender, receiver) = mpsc::channel::<()>();
        let (budget, progress, stop) = (control.budget, control.progress, &stop);
        let work = move || {
            let _sender = sender;
            engine.run(task, &Control { stop, budget, progress })
        };
        let thread = Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()?;
        while receiver.recv_timeout(WAIT) == Err(RecvTimeoutError::Timeout) {
            waits += 1;
            full |= meter.as_ref().is_some_and(Meter::is_over);
            if full || late(waits) || control.stopped() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        Some(thread.join())
    });
    let mut findings = match found {
        // Without threads there is nobody to look.
        None => return engine.run(task, control),
        Some(Err(panic)) => std::panic::resume_unwind(panic),
        Some(Ok(findings)) => findings,
    };
    let why = match patience {
        _ if control.stopped() => return findings,
        _ if full => Reason::Memory,
        Some(patience) if late(waits) => patience.reason(),
        _ => return findings,
    };
    findings.iter_mut().for_each(|finding| blame(finding, &why));
    findings
}

/// How long to wait for an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// So many seconds.
    pub seconds: u64,
}

impl Patience {
    fn waits(self) -> u64 {
        self.seconds.saturating_mul(1000) / WAIT.as_millis() as u64
    }

    fn reason(self) -> Reason {
        Reason::Unsupported(format!("no answer within {} seconds", self.seconds))
    }
}
