//! The parent's side: starts a worker, hears it, and ends it when a limit is reached or the user has had enough.

use crate::machine;
use crate::protocol::{Begin, COMMAND, FromWorker, Own, ToWorker};
use crate::tools::end_group;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use swarmcheck_session::event::VERSION;
use swarmcheck_session::outcome::{Reason, WorkerEnd};
use swarmcheck_session::{Event, Request};

/// How long a worker may take to say what it has found, once it was told to stop. What is longer would not end within a
/// second.
pub const GRACE: Duration = Duration::from_millis(600);

/// How often the parent looks at clock and memory.
const TICK: Duration = Duration::from_millis(10);

/// When memory is nearly used up it looks more often: pages can be filled at gigabytes per second.
const SHORT_TICK: Duration = Duration::from_millis(2);

/// Looks at other programs, which need a walk through all processes, are this many ticks apart.
const TOOL_TICKS: u32 = 10;

/// What work may use, from the moment the program began.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// When the clock began to run.
    pub began: Instant,
    /// How long everything may take.
    pub timeout: Option<Duration>,
    /// Bytes that all processes together may use.
    pub memory: Option<u64>,
    /// How long a worker may go on once it was told to stop; [`GRACE`], unless somebody waits for its end.
    pub grace: Duration,
    /// Whether the memory of this process counts as well: not if it looks after several workers.
    pub with_parent: bool,
}

impl Limits {
    /// Whether the time is over.
    pub fn expired(&self) -> bool {
        self.timeout.is_some_and(|limit| self.began.elapsed() >= limit)
    }

    /// How much of it is left.
    pub fn left(&self) -> Option<Duration> {
        self.timeout.map(|limit| limit.saturating_sub(self.began.elapsed()))
    }
}

/// Why a worker was stopped by its parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The user has had enough.
    Interrupted,
    /// The time is over.
    TimeLimit,
    /// There is no memory left.
    Memory,
    /// Nobody needs the result any more.
    Unneeded,
}

/// A worker that ended without being done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorkerFailure {
    /// Its parent stopped it.
    Stopped(Stop),
    /// It ended by itself.
    Ended(WorkerEnd),
}

impl WorkerFailure {
    /// Why questions that were under way have no answer.
    pub fn reason(&self, engines: Vec<String>) -> Reason {
        match self {
            WorkerFailure::Stopped(Stop::Interrupted | Stop::Unneeded) => Reason::Interrupted,
            WorkerFailure::Stopped(Stop::TimeLimit) => Reason::TimeLimit,
            WorkerFailure::Stopped(Stop::Memory) | WorkerFailure::Ended(WorkerEnd::OutOfMemory) => {
                Reason::Memory
            }
            WorkerFailure::Ended(how) => Reason::WorkerEnded { how: how.clone(), engines },
        }
    }
}

/// What comes next from a worker.
#[derive(Debug)]
pub enum Next {
    /// It says something.
    Event(Box<Event>),
    /// It has said everything, and is gone.
    Done,
    /// It is gone before it was done.
    Failed(WorkerFailure),
}

/// A worker process.
pub struct Worker {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Result<FromWorker, String>>,
    errors: Receiver<String>,
    limits: Limits,
    /// Why and when it was told to stop.
    stopping: Option<(Stop, Instant)>,
    killed: bool,
    /// The last event was the last one.
    done: bool,
    panicked: Option<String>,
    /// Process groups of other programs that it has started.
    groups: Vec<u32>,
    ticks: u32,
    tools_memory: u64,
    /// When clock, signals and memory were last looked at, and how long to wait until they are again.
    looked: Instant,
    tick: Duration,
}

impl Worker {
    /// Starts a worker on a request.
    pub fn start(request: Request, limits: Limits, directory: Option<&Path>) -> Result<Worker, String> {
        let program = match Path::new("/proc/self/exe").exists() {
            // Also right if the file was replaced since this program began.
            true => "/proc/self/exe".into(),
            false => std::env::current_exe().map_err(|e| format!("cannot find this program: {e}"))?,
        };
        let mut command = Command::new(program);
        command.arg(COMMAND).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (name, size) = swarmcheck_session::STACK;
        if std::env::var_os(name).is_none() {
            command.env(name, size);
        }
        // Ctrl-C at the terminal is for the parent, which stops the worker in good order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|e| format!("cannot start a worker process: {e}"))?;
        let (lines, errors) = (hear(&mut child), complaints(&mut child));
        let begin = Begin {
            version: VERSION,
            request,
            memory: limits.memory,
            seconds: limits.left().map(|left| left.as_secs_f64()),
            directory: directory.map(|path| path.to_string_lossy().to_string()),
        };
        let mut worker = Worker {
            input: child.stdin.take(),
            child,
            lines,
            errors,
            limits,
            stopping: None,
            killed: false,
            done: false,
            panicked: None,
            groups: vec![],
            ticks: 0,
            tools_memory: 0,
            looked: Instant::now(),
            tick: TICK,
        };
        worker.say(&ToWorker::Begin(Box::new(begin)));
        Ok(worker)
    }

    /// Tells it something. If it is gone, that shows when it is heard.
    pub fn say(&mut self, message: &ToWorker) {
        let Ok(mut line) = serde_json::to_vec(message) else { return };
        line.push(b'\n');
        if let Some(input) = &mut self.input
            && input.write_all(&line).and_then(|()| input.flush()).is_err()
        {
            self.input = None;
        }
    }

    /// Tells it to stop soon.
    pub fn stop(&mut self, why: Stop) {
        if self.stopping.is_none() {
            self.stopping = Some((why, Instant::now()));
            self.say(&ToWorker::Stop);
        }
    }

    /// Waits for what comes next. `interrupted` is asked again and again whether the user has had enough.
    pub fn next(&mut self, interrupted: &dyn Fn() -> bool) -> Next {
        loop {
            if let Some(next) = self.next_within(interrupted, Duration::from_secs(60)) {
                return next;
            }
        }
    }

    /// The same for somebody who has other things to do: `None` if nothing came for so long.
    pub fn next_within(&mut self, interrupted: &dyn Fn() -> bool, patience: Duration) -> Option<Next> {
        let began = Instant::now();
        loop {
            // Also while a worker says so much that there is never a pause.
            if self.looked.elapsed() >= self.tick {
                self.look(interrupted);
            }
            match self.lines.recv_timeout(self.tick) {
                // What is still to be written when the time is over is not worth the time.
                Ok(Ok(FromWorker::Event(event)))
                    if self.is_late() && matches!(*event, Event::Output { .. }) => {}
                Ok(Ok(FromWorker::Event(event))) => {
                    self.done |= matches!(*event, Event::Done { .. } | Event::Refused { .. });
                    return Some(Next::Event(event));
                }
                Ok(Ok(FromWorker::Own(own))) => self.note(own),
                Ok(Err(unreadable)) => {
                    self.panicked.get_or_insert(unreadable);
                    self.kill();
                }
                Err(RecvTimeoutError::Disconnected) => return Some(self.end()),
                Err(RecvTimeoutError::Timeout) if began.elapsed() >= patience => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn note(&mut self, own: Own) {
        match own {
            Own::ToolStarted { group } => self.groups.push(group),
            Own::ToolEnded { group } => self.groups.retain(|known| *known != group),
            Own::Panicked { message } => self.panicked = Some(message),
        }
    }

    /// Looks at the user, the clock and the memory.
    fn look(&mut self, interrupted: &dyn Fn() -> bool) {
        if interrupted() {
            self.stop(Stop::Interrupted);
        }
        if self.limits.expired() {
            self.stop(Stop::TimeLimit);
        }
        if let Some(limit) = self.limits.memory.filter(|_| !self.killed) {
            let used = self.memory();
            self.tick = if used > limit / 4 * 3 { SHORT_TICK } else { TICK };
            if used > allowed(limit) {
                // There is no time for good order: memory would grow on.
                self.stopping.get_or_insert((Stop::Memory, Instant::now()));
                self.kill();
            }
        }
        if self.is_late() {
            self.kill();
        }
        self.looked = Instant::now();
    }

    /// It was told to stop, and has had its time to do so.
    fn is_late(&self) -> bool {
        self.stopping.is_some_and(|(_, since)| since.elapsed() > self.limits.grace)
    }

    /// Bytes that all processes use.
    fn memory(&mut self) -> u64 {
        if !self.groups.is_empty() {
            if self.ticks == 0 {
                self.tools_memory = machine::resident_groups(&self.groups);
            }
            self.ticks = (self.ticks + 1) % TOOL_TICKS;
        } else {
            self.tools_memory = 0;
        }
        let of = |process: &str| machine::resident(process).unwrap_or(0);
        let parent = if self.limits.with_parent { of("self") } else { 0 };
        of(&self.child.id().to_string()) + parent + self.tools_memory
    }

    fn kill(&mut self) {
        if !self.killed {
            self.killed = true;
            end_group(self.child.id());
            self.groups.iter().for_each(|group| end_group(*group));
        }
    }

    /// The worker's output has ended: how did the worker?
    fn end(&mut self) -> Next {
        // It ends by itself if it has not yet, because its input ends.
        self.input = None;
        let since = Instant::now();
        // Usually it is gone within a moment, and whoever has many small requests does not want to wait longer.
        let mut pause = Duration::from_micros(100);
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if since.elapsed() < GRACE => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(TICK);
                }
                _ => {
                    self.kill();
                    break self.child.wait().ok();
                }
            }
        };
        self.groups.drain(..).for_each(end_group);
        match (self.stopping, self.done) {
            (_, true) => Next::Done,
            (Some((why, _)), false) => Next::Failed(WorkerFailure::Stopped(why)),
            (None, false) => Next::Failed(WorkerFailure::Ended(self.describe(status))),
        }
    }

    fn describe(&mut self, status: Option<ExitStatus>) -> WorkerEnd {
        if let Some(message) = self.panicked.take() {
            return WorkerEnd::Panic { message };
        }
        // An allocation that fails aborts the process, after it has said so.
        let said = self.errors.recv_timeout(TICK).unwrap_or_default();
        if said.contains("memory allocation of") {
            return WorkerEnd::OutOfMemory;
        }
        #[cfg(unix)]
        if let Some(number) = status.and_then(|s| std::os::unix::process::ExitStatusExt::signal(&s)) {
            return WorkerEnd::Signal { number };
        }
        WorkerEnd::Code { code: status.and_then(|s| s.code()).unwrap_or(-1) }
    }

    /// Why it was told to stop, if it was.
    pub fn stopped(&self) -> Option<Stop> {
        self.stopping.map(|(why, _)| why)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}

/// What is used may be this much more than the limit for a moment: engines keep to the limit by themselves, and need a moment
/// to notice.
fn allowed(limit: u64) -> u64 {
    limit + (limit / 20).max(24 << 20)
}

/// Reads lines in a thread, so that the parent can also look at the clock.
fn hear(child: &mut Child) -> Receiver<Result<FromWorker, String>> {
    let (sender, receiver) = mpsc::sync_channel(1024);
    if let Some(output) = child.stdout.take() {
        std::thread::spawn(move || {
            let mut output = BufReader::with_capacity(1 << 16, output);
            let mut line = String::new();
            // A line that a killed worker has not finished says nothing.
            while output.read_line(&mut line).is_ok() && line.ends_with('\n') {
                if sender.send(FromWorker::read(&line)).is_err() {
                    return;
                }
                line.clear();
            }
        });
    }
    receiver
}

/// The last things a worker says on its standard error, once it is gone.
fn complaints(child: &mut Child) -> Receiver<String> {
    const MOST: usize = 1 << 16;
    let (sender, receiver) = mpsc::channel();
    if let Some(mut errors) = child.stderr.take() {
        std::thread::spawn(move || {
            let mut text: Vec<u8> = vec![];
            let mut piece = [0; 4096];
            while let Ok(n @ 1..) = errors.read(&mut piece) {
                text.extend_from_slice(&piece[..n]);
                let surplus = text.len().saturating_sub(MOST);
                text.drain(..surplus);
            }
            let _ = sender.send(String::from_utf8_lossy(&text).into_owned());
        });
    }
    receiver
}
