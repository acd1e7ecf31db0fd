//! What all engines together may use.
//!
//! The limit holds for the whole process, with all that was there before. The explicit engine counts what it stores.
//! Solvers do not, so the process is looked at, where the caller can tell how much it has ([`Progress::memory`]).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::Builder;
use std::time::Duration;
use swarmcheck_engine::control::{AtWork, Labelled};
use swarmcheck_engine::{Budget, Control, Engine, Finding, Progress, Reason, Task, Verdict};
use swarmcheck_ir::cancel;

/// How long to wait between two looks at what engines do.
pub(crate) const WAIT: Duration = Duration::from_millis(10);

/// Stacks of threads are as large as one could wish for: deep expressions are followed by recursion. Only what is used
/// takes memory.
pub(crate) const STACK: usize = 64 << 20;

/// Compares what the process uses with what it may use.
pub(crate) struct Meter<'a> {
    progress: &'a dyn Progress,
    limit: u64,
}

impl<'a> Meter<'a> {
    /// `None` if there is no limit, or no way to tell.
    pub(crate) fn new(control: &Control<'a>) -> Option<Meter<'a>> {
        let limit = control.budget.memory?;
        control.progress.memory()?;
        Some(Meter { progress: control.progress, limit })
    }

    /// The bytes that the process uses.
    pub(crate) fn used(&self) -> u64 {
        self.progress.memory().unwrap_or(0)
    }

    /// Whether that is more than it may.
    pub(crate) fn is_over(&self) -> bool {
        self.used() > self.limit
    }
}

/// What engines may use of a budget: what the process has already is not for them.
pub(crate) fn left(control: &Control<'_>) -> Budget {
    let before = control.progress.memory().unwrap_or(0);
    Budget { memory: control.budget.memory.map(|limit| limit.saturating_sub(before)), ..control.budget }
}

/// Says why an engine was stopped that only knows that it was.
pub(crate) fn blame(finding: &mut Finding, why: &Reason) {
    if let Verdict::Unknown(reason @ Reason::Interrupted) = &mut finding.verdict {
        *reason = why.clone();
    }
}

/// Does something in a thread of its own that may not look whether to stop: a look now and then does, and asks `over`, which gets the
/// number of looks. `None` if there are no threads; nothing in it if the work was ended.
fn watched<T: Send>(
    control: &Control<'_>,
    mut over: impl FnMut(u64) -> bool,
    work: impl FnOnce(&Control<'_>) -> T + Send,
) -> Option<Option<T>> {
    let stop = Arc::new(AtomicBool::new(false));
    std::thread::scope(|scope| {
        // Nothing is ever sent: that the sender is gone says that the work is done.
        let (sender, receiver) = mpsc::channel::<()>();
        let (flag, progress, budget) = (Arc::clone(&stop), control.progress, left(control));
        let work = move || {
            let _sender = sender;
            let again = Arc::clone(&flag);
            let own = Control { stop: &flag, budget, progress };
            cancel::until(Arc::new(move || again.load(Ordering::Relaxed)), || work(&own))
        };
        let thread = Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()?;
        let mut waits = 0;
        while receiver.recv_timeout(WAIT) == Err(RecvTimeoutError::Timeout) {
            waits += 1;
            if over(waits) || control.stopped() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        Some(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Runs an engine that does not count what it uses within the limits on memory, and for so many waits at most.
pub fn guarded(
    engine: &(dyn Engine + Send + Sync),
    task: &Task,
    control: &Control<'_>,
    patience: Option<Patience>,
) -> Vec<Finding> {
    let _at_work = AtWork::new(control.progress, engine.name(), task.subjects());
    let mut subjects = task.subjects();
    let subject = subjects.next().filter(|_| subjects.next().is_none());
    let labelled = Labelled { inner: control.progress, engine: engine.name(), subject };
    let control = &Control { stop: control.stop, budget: control.budget, progress: &labelled };
    let meter = Meter::new(control);
    let mut why = None;
    let over = |waits: u64| {
        if why.is_none() {
            let full = meter.as_ref().is_some_and(Meter::is_over);
            let late = patience.filter(|patience| waits >= patience.waits()).map(Patience::reason);
            why = full.then_some(Reason::Memory).or(late);
        }
        why.is_some()
    };
    let interrupted = || task.subjects().map(|s| Finding::unknown(s, Reason::Interrupted)).collect();
    let found = watched(control, over, |own| engine.run(task, own));
    // Without threads there is nobody to look.
    let Some(found) = found else { return engine.run(task, control) };
    let mut findings = found.unwrap_or_else(interrupted);
    if let Some(why) = why.filter(|_| !control.stopped()) {
        findings.iter_mut().for_each(|finding| blame(finding, &why));
    }
    findings
}

/// Does something that does not look whether to stop, in a thread of its own; nothing if it is time to stop.
pub(crate) fn cancellable<T: Send>(control: &Control<'_>, work: impl FnOnce() -> T + Send) -> Option<T> {
    watched(control, |_| false, |_| work()).flatten()
}

/// Does something that counts only a part of what it uses, within the limits on memory. It gets limits of its own, so what it takes for an
/// interruption is none if `control` was not stopped: there was too little memory.
///
/// Writing the steps of a program out for each agent may take far more than what is stored of states, and does not look at limits.
pub fn limited<T: Send>(
    control: &Control<'_>,
    work: impl FnOnce(&Control<'_>) -> T + Send,
) -> Result<T, Reason> {
    let meter = Meter::new(control);
    let mut full = false;
    let over = |_| {
        full |= meter.as_ref().is_some_and(Meter::is_over);
        full
    };
    // Where there are no threads, nothing can be looked at from outside.
    let done = watched(control, over, work).ok_or(Reason::Memory)?;
    done.ok_or(if full { Reason::Memory } else { Reason::Interrupted })
}

/// How long to wait for an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
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
