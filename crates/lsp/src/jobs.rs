//! Work that takes longer than an answer: verification, runs until a violation, pictures. Each job has a thread that supervises
//! its workers; it can be cancelled by its request, its progress or its document.

pub(crate) mod violation;

use crate::documents::Question;
use crate::server::Incoming;
use lsp_server::RequestId;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};
use swarmcheck_session::event::{Outcomes, ProgressData};
use swarmcheck_session::request::ModelRequest;
use swarmcheck_session::{Answer, Event, Refusal, Request, TraceData, words};
use swarmcheck_worker::{Limits, Next, Stop, Worker, WorkerFailure, verify};

/// A worker that was told to stop is killed after this time.
const GRACE: Duration = Duration::from_millis(300);

/// Progress is told this often, at most.
const PAUSE: Duration = Duration::from_millis(200);

/// Something about a job.
pub(crate) struct JobEvent {
    pub job: u64,
    pub news: News,
}

/// What is new.
pub(crate) enum News {
    /// How far it has come, in a few words.
    Progress(String),
    /// A property is decided.
    Answer(Box<Answer>),
    /// A verification is over; why it has no answers, if so.
    Verified(Option<String>),
    /// A request was worked on.
    Made(Result<Box<Outcomes>, String>),
    /// A run that violates a property was looked for.
    Violation(Result<Option<Box<TraceData>>, String>),
}

/// What a job is for.
pub(crate) enum Purpose {
    /// A verification: what it is about, and what was found so far.
    Verify { question: Arc<Question>, answers: Vec<Json> },
    /// A page for a person: its title.
    Page { title: String },
    /// A drawing for a person: its title.
    Drawing { title: String },
    /// A run that violates this property.
    Violation { property: String, model: Box<ModelRequest> },
}

/// A job that runs.
pub(crate) struct Job {
    pub uri: String,
    pub purpose: Purpose,
    /// The request that waits for its end.
    pub request: Option<RequestId>,
    /// The token of its progress, if the client shows it.
    pub token: Option<Json>,
    cancelled: Arc<AtomicBool>,
}

/// All jobs that run.
pub(crate) struct Jobs {
    tell: Sender<Incoming>,
    running: BTreeMap<u64, Job>,
    numbers: u64,
}

/// What a job may use.
#[derive(Clone, Copy)]
pub(crate) struct Allowed {
    pub time: Duration,
    pub memory: u64,
}

impl Allowed {
    fn limits(self) -> Limits {
        let Allowed { time, memory } = self;
        Limits {
            began: Instant::now(),
            timeout: Some(time),
            memory: Some(memory),
            grace: GRACE,
            with_parent: false,
        }
    }
}

impl Jobs {
    pub fn new(tell: Sender<Incoming>) -> Jobs {
        Jobs { tell, running: BTreeMap::new(), numbers: 0 }
    }

    pub fn get_mut(&mut self, job: u64) -> Option<&mut Job> {
        self.running.get_mut(&job)
    }

    pub fn remove(&mut self, job: u64) -> Option<Job> {
        self.running.remove(&job)
    }

    /// Whether a document is being verified.
    pub fn is_verifying(&self, uri: &str) -> bool {
        self.running.values().any(|job| job.uri == uri && matches!(job.purpose, Purpose::Verify { .. }))
    }

    fn start(
        &mut self,
        uri: &str,
        purpose: Purpose,
        request: Option<RequestId>,
        token: Option<Json>,
        work: impl FnOnce(&AtomicBool, &mut dyn FnMut(News)) + Send + 'static,
    ) {
        self.numbers += 1;
        let job = self.numbers;
        let cancelled = Arc::new(AtomicBool::new(false));
        let flag = cancelled.clone();
        self.running.insert(job, Job { uri: uri.to_string(), purpose, request, token, cancelled });
        let tell = self.tell.clone();
        std::thread::spawn(move || {
            work(&flag, &mut |news| {
                let _ = tell.send(Incoming::Job(JobEvent { job, news }));
            });
        });
    }

    /// Decides properties.
    pub fn verify(
        &mut self,
        uri: &str,
        purpose: Purpose,
        (request, token): (Option<RequestId>, Option<Json>),
        asked: Request,
        allowed: Allowed,
    ) {
        self.start(uri, purpose, request, token, move |cancelled, tell| {
            let mut told: Option<Instant> = None;
            let mut hear = |event: &Event| match event {
                Event::Answer(answer) => tell(News::Answer(answer.clone())),
                Event::Progress(progress) if told.is_none_or(|told| told.elapsed() > PAUSE) => {
                    told = Some(Instant::now());
                    tell(News::Progress(said(progress)));
                }
                _ => {}
            };
            let is_cancelled = || cancelled.load(Ordering::Relaxed);
            let done = verify(&asked, allowed.limits(), None, &is_cancelled, &mut hear);
            tell(News::Verified(match done {
                Ok(done) => done.refusal.map(|refusal| why(&refusal)),
                Err(why) => Some(why),
            }));
        });
    }

    /// Works on one request.
    pub fn make(
        &mut self,
        uri: &str,
        purpose: Purpose,
        request: Option<RequestId>,
        asked: Request,
        allowed: Allowed,
    ) {
        self.start(uri, purpose, request, None, move |cancelled, tell| {
            tell(News::Made(once(asked, allowed.limits(), cancelled).map(|(outcomes, _)| outcomes)));
        });
    }

    /// Looks for a run that violates a property.
    pub fn violate(&mut self, uri: &str, purpose: Purpose, request: Option<RequestId>, allowed: Allowed) {
        let Purpose::Violation { property, model } = &purpose else { return };
        let (property, model) = (property.clone(), model.clone());
        self.start(uri, purpose, request, None, move |cancelled, tell| {
            tell(News::Violation(violation::find(&model, &property, allowed.limits(), cancelled)));
        });
    }

    pub fn cancel_all(&self) {
        self.cancel(|_| true);
    }

    pub fn cancel_document(&self, uri: &str) {
        self.cancel(|job| job.uri == uri);
    }

    pub fn cancel_token(&self, token: &Json) {
        self.cancel(|job| job.token.as_ref() == Some(token));
    }

    pub fn cancel_request(&self, is_it: &dyn Fn(&RequestId) -> bool) {
        self.cancel(|job| job.request.as_ref().is_some_and(is_it));
    }

    fn cancel(&self, meant: impl Fn(&Job) -> bool) {
        let meant = self.running.values().filter(|job| meant(job));
        meant.for_each(|job| job.cancelled.store(true, Ordering::Relaxed));
    }

    /// A token for progress that the server begins.
    pub fn token(&self) -> Json {
        json!(format!("swarmcheck/{}", self.numbers + 1))
    }
}

fn said(progress: &ProgressData) -> String {
    let who = match (&progress.question, &progress.engine) {
        (Some(question), Some(engine)) => format!("{question} ({engine}): "),
        (Some(question), None) => format!("{question}: "),
        _ => String::new(),
    };
    format!("{who}{} states, {:.0} s", progress.done, progress.elapsed)
}

/// Why something was refused. What is wrong with a model stands in the document already.
fn why(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Model { .. } => "the model has errors: they are marked in the text".to_string(),
        refusal => words::refusal(refusal),
    }
}

/// Works on one request in one worker: the result, and everything that was written meanwhile.
fn once(request: Request, limits: Limits, cancelled: &AtomicBool) -> Result<(Box<Outcomes>, String), String> {
    let mut worker = Worker::start(request, limits, None)?;
    let mut written = String::new();
    let mut result = Err("the worker said nothing".to_string());
    loop {
        match worker.next(&|| cancelled.load(Ordering::Relaxed)) {
            Next::Event(event) => match *event {
                Event::Done { result: done } => result = Ok(done),
                Event::Refused { refusal } => result = Err(why(&refusal)),
                Event::Output { text } => written += &text,
                _ => {}
            },
            Next::Done => return result.map(|result| (result, written)),
            Next::Failed(WorkerFailure::Stopped(Stop::Interrupted)) => return Err(CANCELLED.to_string()),
            Next::Failed(failure) => return Err(words::reason(&failure.reason(vec![]))),
        }
    }
}

/// What is said of a job that somebody has cancelled.
pub(crate) const CANCELLED: &str = "cancelled";
