//! Budgets, interruption and progress. Engines do not look at clocks or signals: whoever calls them does.

use crate::solvers::{NoSolvers, Solvers};
use std::sync::atomic::{AtomicBool, Ordering};
use swarmcheck_question::Subject;

/// How much an engine may use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// The most bytes that may be in use.
    pub memory: Option<u64>,
    /// When the caller will stop the work, on the clock of [`Progress::seconds`]. Time is divided among questions by it;
    /// engines need not look at it, because they are stopped.
    pub seconds: Option<f64>,
}

/// What an engine is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The program is made smaller and translated.
    #[default]
    Preparing,
    /// Initial states are enumerated.
    Initial,
    /// States or executions are searched.
    Searching,
    /// What was found is searched for cycles, or for what can be reached.
    Graph,
    /// An execution of the original program, or the check of a proof.
    Confirming,
}

/// Who is doing what, and numbers for a progress line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Snapshot {
    /// The engine; empty where nobody has said ([`Labelled`]).
    pub engine: &'static str,
    /// The question; the first one, if one search answers several.
    pub subject: Option<Subject>,
    /// What the engine is doing.
    pub phase: Phase,
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

    /// Solvers for integers that the caller can run.
    fn solvers(&self) -> &dyn Solvers {
        &NoSolvers
    }

    /// An engine begins to work on a question. If the process dies, whoever has begun and not ended may be why.
    fn started(&self, _: Subject, _engine: &'static str) {}

    /// The engine has stopped working on the question.
    fn ended(&self, _: Subject, _engine: &'static str) {}
}

/// Progress of one engine on one question: adds to each report who it comes from.
pub struct Labelled<'a> {
    /// Where reports go.
    pub inner: &'a dyn Progress,
    /// The name of the engine.
    pub engine: &'static str,
    /// The question, if the engine works on one alone.
    pub subject: Option<Subject>,
}

impl Progress for Labelled<'_> {
    fn report(&self, snapshot: Snapshot) {
        let subject = snapshot.subject.or(self.subject);
        self.inner.report(Snapshot { engine: self.engine, subject, ..snapshot });
    }

    fn seconds(&self) -> f64 {
        self.inner.seconds()
    }

    fn memory(&self) -> Option<u64> {
        self.inner.memory()
    }

    fn turn(&self) {
        self.inner.turn();
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

/// An engine at work on some questions, from its making to its end.
pub struct AtWork<'a> {
    progress: &'a dyn Progress,
    engine: &'static str,
    subjects: Vec<Subject>,
}

impl<'a> AtWork<'a> {
    /// Reports that the engine starts on these questions.
    pub fn new(
        progress: &'a dyn Progress,
        engine: &'static str,
        subjects: impl IntoIterator<Item = Subject>,
    ) -> AtWork<'a> {
        let subjects: Vec<Subject> = subjects.into_iter().collect();
        subjects.iter().for_each(|subject| progress.started(*subject, engine));
        AtWork { progress, engine, subjects }
    }
}

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        // A panic is not an end: it may end the process, and this engine is why.
        if !std::thread::panicking() {
            self.subjects.iter().for_each(|subject| self.progress.ended(*subject, self.engine));
        }
    }
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
    /// The limits on time and memory.
    pub budget: Budget,
    /// Receives progress reports; knows time, memory and turns.
    pub progress: &'a dyn Progress,
}

impl Control<'_> {
    /// Whether to stop. Where engines take turns, it is also where an engine waits.
    pub fn stopped(&self) -> bool {
        self.progress.turn();
        self.stop.load(Ordering::Relaxed)
    }

    /// Reports that a phase has begun.
    pub fn enter(&self, phase: Phase) {
        self.progress.report(Snapshot { phase, ..Snapshot::default() });
    }
}
