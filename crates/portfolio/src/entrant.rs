//! An engine that joins the race for one question.

use crate::race::{Message, Who};
use crate::table::Entry;
use crate::turns::{Clock, Turn};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use swarmcheck_engine::{Budget, Control, Progress, Snapshot, Task};

/// What an engine and those who look after it share.
pub(crate) struct Entrant {
    /// The question, by its number in the race.
    pub(crate) question: usize,
    pub(crate) entry: &'static Entry,
    pub(crate) turn: Turn,
    pub(crate) stop: AtomicBool,
}

/// How far it has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// Its time may come.
    Waiting,
    /// It has a thread.
    Running,
    /// It has answered, given up, or was never needed.
    Over,
}

/// What only those who look after it need.
pub(crate) struct Standing {
    pub(crate) phase: Phase,
    pub(crate) clock: Clock,
    pub(crate) place: u32,
    /// It was stopped because of its memory.
    pub(crate) full: bool,
}

impl Standing {
    /// Not in the race.
    pub(crate) fn out() -> Standing {
        Standing { phase: Phase::Over, clock: Clock::default(), place: 0, full: false }
    }

    /// Its turn will come.
    pub(crate) fn waiting(entry: &Entry, place: u32) -> Standing {
        let clock = if entry.soon { Clock::soon() } else { Clock::default() };
        Standing { phase: Phase::Waiting, clock, place, full: false }
    }
}

/// A clock, and no reports: they would be mixed up with those of the explicit engine.
struct Quiet<'a> {
    inner: &'a dyn Progress,
    turn: &'a Turn,
}

impl Progress for Quiet<'_> {
    fn report(&self, _: Snapshot) {}

    fn seconds(&self) -> f64 {
        self.inner.seconds()
    }

    fn turn(&self) {
        self.turn.wait();
    }
}

/// Says that an engine is gone, even if it panics.
struct Leaving<'a>(&'a Sender<Message>, usize);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        let _ = self.0.send(Message::Gone(Who::Entrant(self.1)));
    }
}

impl Entrant {
    pub(crate) fn new(question: usize, entry: &'static Entry) -> Entrant {
        Entrant { question, entry, turn: Turn::default(), stop: AtomicBool::new(false) }
    }

    /// Makes it stop soon, whether it is its turn or not.
    pub(crate) fn end(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.turn.set(true);
    }

    /// Whether it was told to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Answers its question, when it is its turn.
    pub(crate) fn run(
        &self,
        number: usize,
        task: &Task<'_>,
        depth: Option<u32>,
        (budget, progress): (Budget, &dyn Progress),
        sender: &Sender<Message>,
    ) {
        let _leaving = Leaving(sender, number);
        self.turn.wait();
        let quiet = Quiet { inner: progress, turn: &self.turn };
        let control = Control { stop: &self.stop, budget, progress: &quiet };
        for finding in self.entry.engine(depth).run(task, &control) {
            let _ = sender.send(Message::Found(Who::Entrant(number), Box::new(finding)));
        }
    }
}
