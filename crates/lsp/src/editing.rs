//! The worker that answers questions about documents: it is started when it is needed, killed when it takes too long, and
//! told everything again when it was lost.

use crate::server::Incoming;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};
use swarmcheck_session::editor::protocol::{EditorAnswer, EditorReply, EditorRequest};
use swarmcheck_session::request::ModelRequest;
use swarmcheck_session::{Event, Request};
use swarmcheck_worker::protocol::ToWorker;
use swarmcheck_worker::{Limits, Next, Worker};

/// An answer that takes longer is given up, and with it the worker.
const PATIENCE: Duration = Duration::from_secs(10);

/// Bytes that the worker may use.
const MEMORY: u64 = 1 << 30;

/// How often it is looked at whether the time for an answer is over.
const TICK: Duration = Duration::from_millis(50);

/// What became of a question.
pub(crate) struct Edited {
    pub number: u64,
    /// The answer, or why there is none.
    pub answer: Result<EditorAnswer, Lost>,
}

/// Why a question has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lost {
    /// It took too long.
    Late,
    /// The worker has died of it, twice, or none could be started.
    Died,
}

/// Passes requests on, in order, until there are no more.
pub(crate) fn run(requests: &Receiver<EditorRequest>, tell: &Sender<Incoming>, ending: &AtomicBool) {
    let mut editing = Editing { worker: None, documents: BTreeMap::new(), ending };
    for request in requests {
        if ending.load(Ordering::Relaxed) {
            return;
        }
        if let Some(edited) = editing.pass_on(request)
            && tell.send(Incoming::Edited(edited)).is_err()
        {
            return;
        }
    }
}

struct Editing<'e> {
    /// The server ends: nobody waits for answers.
    ending: &'e AtomicBool,
    worker: Option<Worker>,
    /// What a new worker has to know.
    documents: BTreeMap<String, Box<ModelRequest>>,
}

impl Editing<'_> {
    fn pass_on(&mut self, request: EditorRequest) -> Option<Edited> {
        match &request {
            EditorRequest::Open { document, model } => {
                drop(self.documents.insert(document.clone(), model.clone()))
            }
            EditorRequest::Close { document } => drop(self.documents.remove(document)),
            EditorRequest::Ask { number, .. } => {
                let number = *number;
                let mut answer = self.ask(number, &request);
                // It may have died since the last question, of something else.
                if answer == Err(Lost::Died) {
                    answer = self.ask(number, &request);
                }
                return Some(Edited { number, answer });
            }
        }
        // A worker that is started later is told all documents.
        if let Some(worker) = &mut self.worker {
            worker.say(&ToWorker::Editor { request: Box::new(request) });
        }
        None
    }

    fn ask(&mut self, number: u64, request: &EditorRequest) -> Result<EditorAnswer, Lost> {
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => self.start().ok_or(Lost::Died)?,
        };
        worker.say(&ToWorker::Editor { request: Box::new(request.clone()) });
        let asked = Instant::now();
        loop {
            match worker.next_within(&|| self.ending.load(Ordering::Relaxed), TICK) {
                Some(Next::Event(event)) => {
                    if let Event::Edited { reply } = *event {
                        let EditorReply { number: of, answer } = *reply;
                        if of == number {
                            self.worker = Some(worker);
                            return Ok(answer);
                        }
                    }
                }
                // Dropping a worker ends it.
                Some(Next::Done | Next::Failed(_)) => return Err(Lost::Died),
                None if asked.elapsed() > PATIENCE => return Err(Lost::Late),
                None => {}
            }
        }
    }

    fn start(&self) -> Option<Worker> {
        let limits = Limits {
            began: Instant::now(),
            timeout: None,
            memory: Some(MEMORY),
            grace: Duration::ZERO,
            with_parent: false,
        };
        let mut worker = Worker::start(Request::Edit, limits, None).ok()?;
        for (document, model) in &self.documents {
            let request = EditorRequest::Open { document: document.clone(), model: model.clone() };
            worker.say(&ToWorker::Editor { request: Box::new(request) });
        }
        Some(worker)
    }
}
