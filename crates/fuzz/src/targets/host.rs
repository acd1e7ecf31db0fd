//! Whoever asks the façade here: it has limits, hears nothing, and takes nothing for an answer that is an internal error.

use crate::child::used;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use swarmcheck_session::interpreter::InterpreterRequest;
use swarmcheck_session::simulate::{Progress, Snapshot};
use swarmcheck_session::solvers::{NoSolvers, Solvers};
use swarmcheck_session::{Answer, Budget, Control, Event, Host, Outcome, Reason, Refusal};

/// What an engine may use: far less than what an execution may.
pub const BUDGET: Budget = Budget { memory: Some(400 << 20), seconds: None };

#[derive(Default)]
pub struct Quiet<'a> {
    /// What is said to an interpreter, the last one first.
    pub says: Mutex<Vec<InterpreterRequest>>,
    pub solvers: Option<&'a dyn Solvers>,
}

impl Host for Quiet<'_> {
    fn tell(&self, event: Event) {
        match &event {
            Event::Answer(answer) => no_internal(answer),
            Event::Refused { refusal: Refusal::Unfinished { reason } } => fine(reason),
            _ => {}
        }
        // Everything that is told can be written.
        assert!(serde_json::to_vec(&event).is_ok());
    }

    fn stop(&self) -> &AtomicBool {
        &crate::STOP
    }

    fn budget(&self) -> Budget {
        BUDGET
    }

    fn memory(&self) -> Option<u64> {
        Some(used())
    }

    fn hear(&self) -> Option<InterpreterRequest> {
        self.says.lock().ok()?.pop()
    }

    fn solvers(&self) -> &dyn Solvers {
        self.solvers.unwrap_or(&NoSolvers)
    }
}

/// Hears nothing of progress.
struct Silent;

impl Progress for Silent {
    fn report(&self, _: Snapshot) {}

    fn memory(&self) -> Option<u64> {
        Some(used())
    }
}

/// What engines look at where there is no host.
pub fn control() -> Control<'static> {
    Control { stop: &crate::STOP, budget: BUDGET, progress: &Silent }
}

/// No answer says that swarmcheck is wrong.
pub fn no_internal(answer: &Answer) {
    if let Outcome::Unknown { reason } = &answer.outcome {
        fine(reason);
    }
}

fn fine(reason: &Reason) {
    if let Reason::Internal { why } = reason {
        panic!("internal error: {why}");
    }
}
