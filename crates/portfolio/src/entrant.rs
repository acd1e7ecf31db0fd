//! Somebody in the race: the explicit engine with one of its searches, or another engine with one question.
//!
//! Each works in a thread of its own, and only when it is its turn.

use crate::explicit;
use crate::race::{Field, Message};
use crate::table::Entry;
use crate::turns::{Clock, Turn};
use crate::watch::Watch;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use swarmcheck_engine::control::{AtWork, Labelled};
use swarmcheck_engine::{Budget, Control, Finding, Progress, Reason, Snapshot, Solvers, Subject};
use swarmcheck_ir::cancel;

/// What an entrant works on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Work {
    /// The search with this number.
    Search(usize),
    /// The question with this number.
    Question(usize),
}

/// What an engine and those who look after it share.
pub(crate) struct Entrant {
    pub(crate) work: Work,
    pub(crate) entry: &'static Entry,
    pub(crate) turn: Arc<Turn>,
    pub(crate) watch: Watch,
    stop: Arc<AtomicBool>,
    /// Microseconds that it has waited for its turn since it began.
    waited: AtomicU64,
    /// One of its threads waits, and counts the time: an engine with several threads waits once.
    waiting: AtomicBool,
}

/// How far it has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// It has no thread yet, but may get one.
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
    /// It has been told to stop because others need the memory.
    pub(crate) leaving: bool,
    /// That has happened: it begins again when they are done.
    pub(crate) displaced: bool,
}

impl Standing {
    /// An entrant that is not in the race.
    pub(crate) fn out() -> Standing {
        let (phase, clock) = (Phase::Over, Clock::default());
        Standing { phase, clock, place: 0, full: false, leaving: false, displaced: false }
    }

    /// An entrant that waits for its first turn.
    pub(crate) fn waiting(clock: Clock, place: u32) -> Standing {
        Standing { phase: Phase::Waiting, clock, place, ..Standing::out() }
    }
}

/// Progress of an engine that takes turns.
struct InTurn<'a> {
    inner: &'a dyn Progress,
    entrant: &'a Entrant,
}

impl Progress for InTurn<'_> {
    fn report(&self, snapshot: Snapshot) {
        self.entrant.watch.note(&snapshot);
        self.inner.report(snapshot);
    }

    /// Its own time: what others did meanwhile does not count.
    fn seconds(&self) -> f64 {
        self.inner.seconds() - self.entrant.waited.load(Ordering::Relaxed) as f64 / 1e6
    }

    fn memory(&self) -> Option<u64> {
        self.inner.memory()
    }

    fn turn(&self) {
        if !self.entrant.turn.mine() {
            let began = self.inner.seconds();
            let counts = !self.entrant.waiting.swap(true, Ordering::Relaxed);
            self.entrant.turn.wait();
            if counts {
                let waited = ((self.inner.seconds() - began) * 1e6) as u64;
                self.entrant.waited.fetch_add(waited, Ordering::Relaxed);
                self.entrant.waiting.store(false, Ordering::Relaxed);
            }
        }
    }

    fn solvers(&self) -> &dyn Solvers {
        self.inner.solvers()
    }

    fn started(&self, subject: Subject, engine: &'static str) {
        self.inner.started(subject, engine);
    }

    fn ended(&self, subject: Subject, engine: &'static str) {
        self.inner.ended(subject, engine);
    }
}

/// Says that an engine is gone, even if it panics.
struct Leaving<'a>(&'a Sender<Message>, usize);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        let _ = self.0.send(Message::Gone(self.1));
    }
}

impl Entrant {
    pub(crate) fn new(work: Work, entry: &'static Entry) -> Entrant {
        let (turn, watch, stop) = (Arc::default(), Watch::default(), Arc::default());
        Entrant { work, entry, turn, watch, stop, waited: AtomicU64::new(0), waiting: AtomicBool::new(false) }
    }

    /// Whether it works on this question, alone.
    pub(crate) fn asks(&self, question: usize) -> bool {
        self.work == Work::Question(question)
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

    /// After it is gone: it may be started once more.
    pub(crate) fn reset(&self) {
        self.turn.set(false);
        self.watch.reset();
        self.stop.store(false, Ordering::Relaxed);
    }

    /// Works, when it is its turn.
    pub(crate) fn run(&self, number: usize, field: &Field<'_>, budget: Budget, sender: &Sender<Message>) {
        let _leaving = Leaving(sender, number);
        self.turn.wait();
        let race = field.race;
        let subjects = match self.work {
            Work::Search(search) => field.plans[search].subjects.clone(),
            Work::Question(question) => field.tasks[question].subjects().collect(),
        };
        let in_turn = InTurn { inner: race.control.progress, entrant: self };
        let labelled =
            Labelled { inner: &in_turn, engine: self.entry.name, subject: subjects.first().copied() };
        let control = Control { stop: &self.stop, budget, progress: &labelled };
        let _at_work = AtWork::new(race.control.progress, self.entry.name, subjects.iter().copied());
        let work = || match self.work {
            Work::Search(search) => explicit::run(race.task, &field.plans[search], search, &control),
            Work::Question(question) => {
                let (task, engine) = (&field.tasks[question], self.entry.engine(race.depth));
                // Who cannot answer has nothing to say, unless nobody else is asked.
                if race.only.is_none() && engine.can_handle(task).is_err() {
                    return vec![];
                }
                let mut findings = engine.run(task, &control);
                findings.iter_mut().for_each(|finding| finding.effort.search = question as u32);
                findings
            }
        };
        // Making a program smaller may take long, and so may translating it.
        let (turn, stop) = (Arc::clone(&self.turn), Arc::clone(&self.stop));
        let stopped = move || {
            turn.wait();
            stop.load(Ordering::Relaxed)
        };
        let interrupted =
            || subjects.iter().map(|subject| Finding::unknown(*subject, Reason::Interrupted)).collect();
        let findings = cancel::until(Arc::new(stopped), work).unwrap_or_else(interrupted);
        // Whoever listens is there until all senders are gone.
        for finding in findings {
            let _ = sender.send(Message::Found(number, Box::new(finding)));
        }
    }
}
