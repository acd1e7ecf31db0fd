//! The explicit engine's part in the race: it goes through the searches one after the other, with all its threads.

use crate::race::{Message, Who};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use swarmcheck_engine::trace::End;
use swarmcheck_engine::{Control, Engine, Finding, Progress, Snapshot, Task, Verdict};
use swarmcheck_explicit::Explicit;
use swarmcheck_explicit::decide::Job;

/// Progress on its way to whoever wants to see it, and what was last said.
pub(crate) struct Watch<'a> {
    inner: &'a dyn Progress,
    /// Which search.
    search: AtomicUsize,
    states: AtomicU64,
    reports: AtomicU64,
    memory: AtomicU64,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(inner: &'a dyn Progress) -> Watch<'a> {
        let zero = AtomicU64::default;
        Watch { inner, search: AtomicUsize::default(), states: zero(), reports: zero(), memory: zero() }
    }

    /// The search that is being made, and whether it has gone on for a while: so many states, or many reports without
    /// them, because almost no choice at the beginning satisfies the assumptions or because layers are small.
    pub(crate) fn late(&self, states: u64) -> (usize, bool) {
        let late = self.states.load(Ordering::Relaxed) >= states
            || self.reports.load(Ordering::Relaxed) >= states / STATES_PER_REPORT;
        (self.search.load(Ordering::Acquire), late)
    }

    /// The bytes that the search uses.
    pub(crate) fn bytes(&self) -> u64 {
        self.memory.load(Ordering::Relaxed)
    }

    fn begin(&self, search: usize) {
        self.states.store(0, Ordering::Relaxed);
        self.reports.store(0, Ordering::Relaxed);
        self.memory.store(0, Ordering::Relaxed);
        self.search.store(search, Ordering::Release);
    }
}

/// A report stands for this many states when it is asked how far a search has come.
const STATES_PER_REPORT: u64 = 50;

impl Progress for Watch<'_> {
    fn report(&self, snapshot: Snapshot) {
        self.states.store(snapshot.done, Ordering::Relaxed);
        self.reports.fetch_add(1, Ordering::Relaxed);
        self.memory.store(snapshot.memory, Ordering::Relaxed);
        self.inner.report(snapshot);
    }

    fn seconds(&self) -> f64 {
        self.inner.seconds()
    }

    fn memory(&self) -> Option<u64> {
        self.inner.memory()
    }
}

/// Makes all searches; each may be stopped on its own, also before it begins.
pub(crate) fn run(
    task: &Task<'_>,
    jobs: &[Result<Job, Box<Finding>>],
    stops: &[AtomicBool],
    watch: &Watch<'_>,
    budget: swarmcheck_engine::Budget,
    sender: &Sender<Message>,
) {
    let mut leaving = Leaving { sender, from: 0, to: jobs.len() };
    for (number, (job, stop)) in jobs.iter().zip(stops).enumerate() {
        watch.begin(number);
        let findings = match job {
            Err(finding) => vec![Finding::clone(finding)],
            Ok(job) => {
                let control = Control { stop, budget, progress: watch };
                let findings = job.run(task, &control, number as u32);
                findings.into_iter().map(|finding| own_error(task, job, finding, &control)).collect()
            }
        };
        // Whoever listens is there until all senders are gone.
        for finding in findings {
            let _ = sender.send(Message::Found(Who::Explicit(number), Box::new(finding)));
        }
        watch.begin(number + 1);
        leaving.from = number + 1;
        let _ = sender.send(Message::Gone(Who::Explicit(number)));
    }
}

/// Properties that share a search share the error that it meets when it evaluates one of them. Other engines ask about one
/// property at a time, so that the answer would depend on who is first: here each is asked again, alone.
fn own_error(task: &Task<'_>, job: &Job, finding: Finding, control: &Control<'_>) -> Finding {
    match &finding.verdict {
        Verdict::Invalid(trace) if job.questions.len() > 1 && matches!(trace.end, End::Fault(None, _)) => {
            let alone = Explicit.run(&task.only(finding.subject), control).into_iter().next();
            alone.unwrap_or(finding)
        }
        _ => finding,
    }
}

/// Says that the searches that are left will not be made, should one of them panic.
struct Leaving<'a> {
    sender: &'a Sender<Message>,
    from: usize,
    to: usize,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        for number in self.from..self.to {
            let _ = self.sender.send(Message::Gone(Who::Explicit(number)));
        }
    }
}
