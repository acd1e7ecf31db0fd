//! Which jobs run: how many at once, how one is cancelled, how an interpreter is told something.

use crate::guard;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use swarmcheck_session::interpreter::InterpreterRequest;

/// So many interpreters may wait for somebody to choose a step.
const INTERPRETERS: usize = 8;

/// So many messages to an interpreter may wait until it is told them.
const MESSAGES: usize = 64;

/// All jobs that run.
pub(crate) struct Registry {
    /// So many jobs may run at once, interpreters apart.
    pub most: usize,
    running: Mutex<HashMap<String, Entry>>,
    /// Everything is to end.
    ending: AtomicBool,
}

struct Entry {
    is_interpreter: bool,
    cancelled: Arc<AtomicBool>,
    messages: SyncSender<InterpreterRequest>,
}

/// A place among the jobs that run, given back when this is dropped.
pub(crate) struct Slot<'r> {
    registry: &'r Registry,
    pub id: String,
    /// Somebody has had enough of this job.
    pub cancelled: Arc<AtomicBool>,
    /// What an interpreter is to be told.
    pub messages: Receiver<InterpreterRequest>,
}

impl Registry {
    pub fn new(most: usize) -> Registry {
        Registry { most, running: Mutex::default(), ending: AtomicBool::new(false) }
    }

    fn running(&self) -> MutexGuard<'_, HashMap<String, Entry>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a job, or a sentence why there is none.
    pub fn enter(&self, is_interpreter: bool) -> Result<Slot<'_>, String> {
        let id = guard::random(12)?;
        let mut running = self.running();
        let taken = running.values().filter(|entry| entry.is_interpreter == is_interpreter).count();
        let (most, what) = match is_interpreter {
            true => (INTERPRETERS, "interpreters"),
            false => (self.most, "jobs"),
        };
        if self.ending.load(Ordering::Relaxed) {
            return Err("the server ends".to_string());
        }
        if taken >= most {
            return Err(format!(
                "{taken} {what} run already, and no more may: wait until one ends, or cancel one"
            ));
        }
        let (sender, messages) = mpsc::sync_channel(MESSAGES);
        let cancelled: Arc<AtomicBool> = Arc::default();
        let entry = Entry { is_interpreter, cancelled: cancelled.clone(), messages: sender };
        running.insert(id.clone(), entry);
        Ok(Slot { registry: self, id, cancelled, messages })
    }

    /// Ends a job. Whether there was one.
    pub fn cancel(&self, id: &str) -> bool {
        let running = self.running();
        let found = running.get(id);
        found.inspect(|entry| entry.cancelled.store(true, Ordering::Relaxed)).is_some()
    }

    /// Tells an interpreter something. Whether there is one that listens.
    pub fn say(&self, id: &str, message: InterpreterRequest) -> bool {
        let running = self.running();
        let found = running.get(id).filter(|entry| entry.is_interpreter);
        found.is_some_and(|entry| entry.messages.try_send(message).is_ok())
    }

    /// Ends all jobs, and lets none begin.
    pub fn end(&self) {
        self.ending.store(true, Ordering::Relaxed);
        self.running().values().for_each(|entry| entry.cancelled.store(true, Ordering::Relaxed));
    }

    /// Whether no job runs.
    pub fn is_idle(&self) -> bool {
        self.running().is_empty()
    }
}

impl Slot<'_> {
    /// Whether somebody has had enough of this job.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        self.registry.running().remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_by_kind_and_come_back() {
        let registry = Registry::new(2);
        let first = registry.enter(false).unwrap();
        let second = registry.enter(false).unwrap();
        assert!(registry.enter(false).is_err());
        let interpreters: Vec<_> = (0..INTERPRETERS).map(|_| registry.enter(true).unwrap()).collect();
        assert!(registry.enter(true).is_err());
        assert!(registry.cancel(&first.id) && first.is_cancelled() && !second.is_cancelled());
        drop(first);
        assert!(registry.enter(false).is_ok());
        assert!(registry.say(&interpreters[0].id, InterpreterRequest::State));
        assert_eq!(interpreters[0].messages.recv(), Ok(InterpreterRequest::State));
        assert!(!registry.say(&second.id, InterpreterRequest::State), "it is no interpreter");
        assert!(!registry.cancel("nothing"));
        registry.end();
        assert!(second.is_cancelled());
        drop((second, interpreters));
        assert!(registry.is_idle() && registry.enter(false).is_err());
    }
}
