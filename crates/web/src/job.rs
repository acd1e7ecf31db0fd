//! One job: a worker process is asked, and what it says goes to the client as JSON lines while it works.
//!
//! Three threads take part. This one supervises the worker, so that limits hold whatever the client does. One writes to the
//! client; what waits for it is bounded by the limit on output. One listens whether the client is still there. A client that
//! leaves or does not read has cancelled its job.

use crate::http::{self, STALL, Trouble, head, refuse};
use crate::registry::{Registry, Slot};
use crate::said;
use serde::Deserialize;
use serde_json::json;
use std::cell::Cell;
use std::io::{ErrorKind, Read};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};
use swarmcheck_session::request::ModelRequest;
use swarmcheck_session::verify::VerifyOptions;
use swarmcheck_session::{Event, Reason, Request};
use swarmcheck_worker::protocol::ToWorker;
use swarmcheck_worker::{Limits, Next, Stop, Worker, WorkerFailure, verify};

/// A worker that was told to stop is killed after this time. Cancelling must not take half a second.
const GRACE: Duration = Duration::from_millis(300);

/// How often messages to an interpreter are looked for.
const TICK: Duration = Duration::from_millis(10);

/// An interpreter that nobody asks anything for so long is ended.
const IDLE: Duration = Duration::from_secs(30 * 60);

/// How often it is looked at whether the client is still there.
const WATCH: Duration = Duration::from_millis(100);

/// How long a client may take to read what is left when a job has ended.
const REST: Duration = Duration::from_secs(30);

/// So many bytes are sent at a time.
const PIECE: usize = 1 << 16;

/// A last line of so many bytes may be sent beyond the limit: it says how the job has ended.
const MARGIN: usize = 4096;

/// The limits of a job.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowed {
    pub seconds: f64,
    pub memory: u64,
    /// Bytes that the client may be told.
    pub output: usize,
    /// Threads that a search may use.
    pub threads: usize,
}

/// What a client asks for.
#[derive(Deserialize)]
pub(crate) struct Asked {
    pub request: Request,
    #[serde(default)]
    pub limits: AskedLimits,
}

/// How much of what is allowed a client wants.
#[derive(Deserialize, Default)]
pub(crate) struct AskedLimits {
    pub seconds: Option<f64>,
    pub memory: Option<u64>,
}

/// Works on a request and tells the client everything.
pub(crate) fn run(
    stream: &TcpStream,
    mut request: Request,
    allowed: Allowed,
    registry: &Registry,
) -> Result<(), Trouble> {
    if let Request::Verify { backend, options, .. } = &mut request {
        if backend.is_some() {
            let why = "other verifiers are not run from the page: use 'swarmcheck verify --backend'";
            return refuse(403, why);
        }
        options.threads = options.threads.clamp(1, allowed.threads);
        // Fewer bits are for tests of the table of states.
        options.hash_bits = VerifyOptions::default().hash_bits;
    }
    if let Request::Estimate { options, .. } = &mut request {
        options.threads = options.threads.clamp(1, allowed.threads);
    }
    let slot = registry.enter(matches!(request, Request::Interpret { .. }));
    let slot = slot.map_err(|why| Trouble::Refused(429, why))?;
    let head = head(200, "application/x-ndjson", "");
    http::send(stream, head.as_bytes(), Instant::now() + STALL).or(Err(Trouble::Gone))?;
    let (sender, lines) = mpsc::channel();
    let (finished, waiting) = (AtomicBool::new(false), AtomicUsize::new(0));
    let cancelled = slot.cancelled.clone();
    std::thread::scope(|scope| {
        let (finished, waiting, cancelled) = (&finished, &waiting, &*cancelled);
        scope.spawn(move || {
            write(stream, &lines, waiting, finished, cancelled);
            // The client need not wait for whoever listens to it.
            let _ = stream.shutdown(Shutdown::Write);
        });
        scope.spawn(move || watch(stream, finished, cancelled));
        // Also if this thread panics: the others wait for it.
        let end = Finish(finished);
        let mut telling = Telling { sender, sent: 0, waiting, most: allowed.output, is_too_long: false };
        telling.tell(format!("{}\n", json!({ "event": "job", "job": slot.id })));
        supervise(request, allowed, &slot, &mut telling);
        drop(end);
        // The place is free as soon as the worker is gone, however slowly the client reads.
        drop(slot);
    });
    Ok(())
}

/// Says that a job has finished when it is dropped.
struct Finish<'f>(&'f AtomicBool);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The way to the client.
struct Telling<'w> {
    sender: Sender<String>,
    /// Bytes since the client last asked for something.
    sent: usize,
    /// Bytes that the client has not taken yet, whatever it asks for meanwhile.
    waiting: &'w AtomicUsize,
    most: usize,
    is_too_long: bool,
}

impl Telling<'_> {
    fn tell(&mut self, line: String) {
        self.sent += line.len();
        let waiting = self.waiting.fetch_add(line.len(), Ordering::Relaxed) + line.len();
        self.is_too_long |= self.sent > self.most || waiting > self.most;
        if !self.is_too_long {
            let _ = self.sender.send(line);
        }
    }

    /// The last line. If it is too long, which a result may be, the client is told that instead.
    fn end(&mut self, line: String) {
        let is_too_long = self.is_too_long || self.sent + line.len() > self.most + MARGIN;
        let line = if is_too_long { said::too_long(self.most) } else { line };
        self.waiting.fetch_add(line.len(), Ordering::Relaxed);
        let _ = self.sender.send(line);
    }
}

fn supervise(request: Request, allowed: Allowed, slot: &Slot<'_>, telling: &mut Telling<'_>) {
    let limits = Limits {
        began: Instant::now(),
        timeout: Some(Duration::from_secs_f64(allowed.seconds)),
        memory: Some(allowed.memory),
        grace: GRACE,
        // One job must not end because of what the server holds for others.
        with_parent: false,
    };
    let names = names(&request);
    match request {
        Request::Verify { .. } => decide(&request, limits, slot, &names, telling),
        Request::Interpret { .. } => {
            // A person may think for as long as they like; a step may not take longer than a job.
            let patience = limits.timeout;
            work(request, Limits { timeout: None, ..limits }, patience, slot, &names, telling);
        }
        _ => work(request, limits, None, slot, &names, telling),
    }
}

/// Verification, which goes on when a worker dies.
fn decide(request: &Request, limits: Limits, slot: &Slot<'_>, names: &[String], telling: &mut Telling<'_>) {
    let is_too_long = Cell::new(false);
    let mut done = None;
    let decided = verify(request, limits, None, &|| slot.is_cancelled() || is_too_long.get(), &mut |event| {
        match event {
            Event::Done { .. } => done = Some(event.clone()),
            // Another worker may be asked yet; what stands in the end is told then.
            Event::Refused { .. } => {}
            Event::Answer(answer) => {
                let mut answer = answer.clone();
                if limits.expired() {
                    answer.outcome.by_the_clock();
                }
                telling.tell(said::line(&Event::Answer(answer), names, None));
            }
            event => telling.tell(said::line(event, names, None)),
        }
        is_too_long.set(telling.is_too_long);
    });
    let decided = match decided {
        Ok(decided) => decided,
        Err(why) => return telling.end(said::failed(&Reason::Internal { why })),
    };
    let stopped = decided.stopped.map(|stop| WorkerFailure::Stopped(stop).reason(vec![]));
    telling.end(match (decided.refusal, done, &stopped) {
        (Some(refusal), _, _) => said::line(&Event::Refused { refusal }, names, None),
        (_, Some(done), _) => said::line(&done, names, stopped.as_ref()),
        (_, None, Some(reason)) => said::failed(reason),
        // Every question has an answer, if only that its worker has died.
        (_, None, None) => {
            let result = Box::new(swarmcheck_session::event::Outcomes::Verify);
            said::line(&Event::Done { result }, names, None)
        }
    });
}

/// Everything else: one worker. An interpreter also hears what the client says; `patience` is how long it may take to reply.
fn work(
    request: Request,
    limits: Limits,
    patience: Option<Duration>,
    slot: &Slot<'_>,
    names: &[String],
    telling: &mut Telling<'_>,
) {
    let mut worker = match Worker::start(request, limits, None) {
        Ok(worker) => worker,
        Err(why) => return telling.end(said::failed(&Reason::Internal { why })),
    };
    let (mut last, mut refused) = (None, None);
    // Until the model is open, an interpreter owes an answer.
    let (mut owed, mut since) = (1_u32, Instant::now());
    let failure = loop {
        while let Ok(message) = slot.messages.try_recv() {
            worker.say(&ToWorker::Interpreter { request: Box::new(message) });
            // Who asks again and again does not give it more time for what it owes.
            if owed == 0 {
                since = Instant::now();
            }
            owed += 1;
            telling.sent = 0;
        }
        match worker.next_within(&|| slot.is_cancelled(), TICK) {
            Some(Next::Event(event)) => match *event {
                Event::Done { .. } => last = Some(event),
                Event::Refused { refusal } => refused = Some(refusal),
                // Nobody reads it any more, and there may be a thousand of them.
                _ if telling.is_too_long || slot.is_cancelled() => {}
                event => {
                    if matches!(event, Event::Reply { .. } | Event::Opened { .. }) {
                        (owed, since) = (owed.saturating_sub(1), Instant::now());
                    }
                    telling.tell(said::line(&event, names, None));
                    if telling.is_too_long {
                        worker.stop(Stop::Unneeded);
                    }
                }
            },
            Some(Next::Done) => break None,
            Some(Next::Failed(failure)) => break Some(failure),
            None => match patience {
                Some(patience) if owed > 0 && since.elapsed() > patience => worker.stop(Stop::TimeLimit),
                Some(_) if owed == 0 && since.elapsed() > IDLE => worker.stop(Stop::Unneeded),
                _ => {}
            },
        }
    };
    let stopped = worker.stopped().map(|stop| WorkerFailure::Stopped(stop).reason(vec![]));
    telling.end(match (last, refused, failure) {
        (Some(done), _, _) => said::line(&done, names, stopped.as_ref()),
        (_, Some(mut refusal), _) => {
            if worker.stopped() == Some(Stop::TimeLimit) {
                refusal.by_the_clock();
            }
            said::line(&Event::Refused { refusal }, names, None)
        }
        (_, _, failure) => {
            let failure = failure.unwrap_or(WorkerFailure::Stopped(Stop::Unneeded));
            said::failed(&failure.reason(vec![]))
        }
    });
}

/// The names of the files of a request, for sentences.
fn names(request: &Request) -> Vec<String> {
    let of = |model: &ModelRequest| vec![model.source.name.clone()];
    match request {
        Request::Compare { sides, .. } => sides.iter().map(|side| side.name.clone()).collect(),
        Request::Realize { source } => vec![source.name.clone()],
        Request::Verify { model, .. } | Request::Simulate { model, .. } => of(model),
        _ => vec![],
    }
}

/// Writes lines as they come. A client that does not read them has left.
fn write(
    stream: &TcpStream,
    lines: &Receiver<String>,
    waiting: &AtomicUsize,
    finished: &AtomicBool,
    cancelled: &AtomicBool,
) {
    let mut rest: Option<Instant> = None;
    // A job without an end has no deadline for its client, who must go on reading all the same.
    let far = Duration::from_secs(1 << 30);
    for mut line in lines {
        // What waits is written at once: events of a search come by the hundred.
        while line.len() < PIECE
            && let Ok(next) = lines.try_recv()
        {
            line += &next;
        }
        // In pieces, so that the end of the job is noticed while a long line is sent.
        for piece in line.as_bytes().chunks(PIECE) {
            if finished.load(Ordering::Relaxed) {
                rest.get_or_insert_with(|| Instant::now() + REST);
            }
            if http::send(stream, piece, rest.unwrap_or_else(|| Instant::now() + far)).is_err() {
                cancelled.store(true, Ordering::Relaxed);
                let _ = stream.shutdown(Shutdown::Both);
                return;
            }
            waiting.fetch_sub(piece.len(), Ordering::Relaxed);
        }
    }
}

/// Waits until the client leaves or the job ends. What a client sends after its request is not read as another one.
fn watch(mut stream: &TcpStream, finished: &AtomicBool, cancelled: &AtomicBool) {
    let mut piece = [0; 4096];
    let mut taken = 0;
    while !finished.load(Ordering::Relaxed) {
        if stream.set_read_timeout(Some(WATCH)).is_err() {
            break;
        }
        match stream.read(&mut piece) {
            Ok(n @ 1..) if taken < 1 << 20 => taken += n,
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            _ => break,
        }
    }
    if !finished.load(Ordering::Relaxed) {
        cancelled.store(true, Ordering::Relaxed);
    }
}
