//! What goes to the host while a request is worked on: pieces of output, and progress.

use super::Host;
use crate::event::{Event, ProgressData};
use crate::outcome::DEADLOCK;
use std::io::{self, Write};
use std::sync::Mutex;
use swarmcheck_engine::{Progress, Snapshot, Solvers, Subject};

/// Traces of runs on their way to the host.
pub(super) struct Output<'h> {
    pub(super) host: &'h dyn Host,
    pub(super) pending: String,
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))?;
        self.pending += text;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.pending.is_empty() {
            self.host.tell(Event::Output { text: std::mem::take(&mut self.pending) });
        }
        Ok(())
    }
}

/// Progress on its way to the host, at most ten times a second.
pub(crate) struct Telling<'h> {
    host: &'h dyn Host,
    /// Names of the properties, by number.
    names: Vec<String>,
    last: Mutex<f64>,
}

impl<'h> Telling<'h> {
    const EVERY: f64 = 0.1;

    pub(crate) fn new(host: &'h dyn Host, names: Vec<String>) -> Telling<'h> {
        Telling { host, names, last: Mutex::new(0.0) }
    }

    fn name(&self, subject: Subject) -> String {
        match subject {
            Subject::Property(number) => self.names.get(number).cloned().unwrap_or_default(),
            Subject::DeadlockFreedom => DEADLOCK.to_string(),
        }
    }
}

impl Progress for Telling<'_> {
    fn report(&self, snapshot: Snapshot) {
        let now = self.host.seconds();
        // Somebody else is telling something right now: that will do.
        let Ok(mut last) = self.last.try_lock() else { return };
        if now - *last < Telling::EVERY {
            return;
        }
        *last = now;
        self.host.tell(Event::Progress(ProgressData {
            question: snapshot.subject.map(|subject| self.name(subject)),
            engine: (!snapshot.engine.is_empty()).then(|| snapshot.engine.to_string()),
            phase: snapshot.phase,
            done: snapshot.done,
            waiting: snapshot.waiting,
            depth: snapshot.depth,
            memory: snapshot.memory,
            elapsed: now,
        }));
    }

    fn seconds(&self) -> f64 {
        self.host.seconds()
    }

    fn memory(&self) -> Option<u64> {
        self.host.memory()
    }

    fn solvers(&self) -> &dyn Solvers {
        self.host.solvers()
    }

    fn started(&self, subject: Subject, engine: &'static str) {
        self.host.tell(Event::Started { question: self.name(subject), engine: engine.to_string() });
    }

    fn ended(&self, subject: Subject, engine: &'static str) {
        self.host.tell(Event::Stopped { question: self.name(subject), engine: engine.to_string() });
    }
}
