//! The parent: gives systems to children, looks at clock and memory, kills and restarts, collects what they say.

use crate::WORKER;
use crate::record::{Disagreement, Record, Request};
use crate::report::{Report, Summary};
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use swarmcheck_worker::machine::resident_groups;

/// A child that holds more memory is killed.
const MEMORY: u64 = 2 << 30;

/// A child is replaced after so many systems: threads come and go in it by the ten thousand, and the allocator keeps some of the memory of
/// each. So what a child holds is what its last systems have taken.
const SYSTEMS: u32 = 1000;

/// A system that was begun may take so long after the end.
const GRACE: Duration = Duration::from_secs(5);

/// How often the parent looks at clock, memory and signals.
const MOMENT: Duration = Duration::from_millis(100);

/// What to do.
pub struct Plan {
    /// No system is begun after this time.
    pub time: Duration,
    /// At most so many systems.
    pub systems: u64,
    /// The first number.
    pub first: u64,
    pub generators: Vec<&'static str>,
    pub workers: usize,
    /// Seconds that an engine may take for a system.
    pub patience: f64,
    /// Small systems only, and every engine once.
    pub small: bool,
    /// A child that is silent for so long is killed.
    pub limit: Duration,
    /// What is planted to test this mode itself.
    pub planted: Option<String>,
    /// The run ends with the first disagreement.
    pub one_is_enough: bool,
    /// Where the report is written, if it is.
    pub directory: Option<PathBuf>,
}

/// A child with what it says, line by line.
struct Worker {
    child: Child,
    requests: ChildStdin,
    lines: Receiver<String>,
    /// Groups of programs that it has started.
    groups: Vec<u32>,
    /// How many systems it has answered.
    answered: u32,
}

impl Worker {
    fn start(plan: &Plan) -> Result<Worker, String> {
        let program = std::env::current_exe().map_err(|e| e.to_string())?;
        let mut command = Command::new(program);
        command.env(WORKER, "1").env("SWARMCHECK_PATIENCE", plan.patience.to_string());
        // Ctrl-C goes to the parent only, which ends its children in good order.
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
        let mut child = command.spawn().map_err(|e| e.to_string())?;
        let (Some(requests), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipes".to_string());
        };
        let (said, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { return };
                if said.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Worker { child, requests, lines, groups: vec![], answered: 0 })
    }

    /// What became of a system; if the child did not survive it, how it ended, or nothing if the run is over.
    fn ask(
        &mut self,
        request: &Request,
        plan: &Plan,
        end: Instant,
        stop: &AtomicBool,
    ) -> Result<Record, Option<String>> {
        let began = Instant::now();
        if writeln!(self.requests, "{}", request.line()).and_then(|()| self.requests.flush()).is_err() {
            return Err(Some("it ended before it was asked".to_string()));
        }
        loop {
            match self.lines.recv_timeout(MOMENT) {
                Ok(line) => {
                    let Ok(value) = serde_json::from_str::<Value>(&line) else { continue };
                    match value.get("own") {
                        Some(own) => self.note(own),
                        None => {
                            self.answered += 1;
                            return Record::read(&value).ok_or(Some("no record".to_string()));
                        }
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let how = self.child.wait().map_or_else(|e| e.to_string(), |status| status.to_string());
                    return Err(Some(format!("the process ended: {how}")));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if stop.load(Ordering::Relaxed) || Instant::now() > end {
                        return Err(None);
                    }
                    if began.elapsed() > plan.limit {
                        return Err(Some(format!("no answer within {} s", plan.limit.as_secs())));
                    }
                    if resident_groups(&[self.child.id()]) > MEMORY {
                        return Err(Some(format!("more than {} MB of memory", MEMORY >> 20)));
                    }
                }
            }
        }
    }

    /// A program was started or has ended, in a process group of its own.
    fn note(&mut self, own: &Value) {
        let text = own.to_string();
        let group = text.split(|c: char| !c.is_ascii_digit()).find_map(|word| word.parse::<u32>().ok());
        let Some(group) = group else { return };
        self.groups.retain(|known| *known != group);
        if text.contains("started") {
            self.groups.push(group);
        }
    }

    /// Ends the child and all that it has started.
    fn end(mut self) {
        for group in self.groups.iter().copied().chain([self.child.id()]) {
            if let Some(pid) = i32::try_from(group).ok().and_then(Pid::from_raw) {
                // Whoever has ended already need not be killed.
                let _ = kill_process_group(pid, Signal::KILL);
            }
        }
        let _ = self.child.wait();
    }
}

/// Compares systems until the time is over, there are no more, or somebody interrupts.
pub fn run(plan: &Plan) -> Result<Summary, String> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, stop.clone()).map_err(|e| e.to_string())?;
    }
    let report = Mutex::new(Report::new(plan)?);
    let (next, began) = (AtomicU64::new(0), Instant::now());
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..plan.workers.max(1))
            .map(|_| scope.spawn(|| work(plan, &stop, &next, began, &report)))
            .collect();
        workers
            .into_iter()
            .map(|w| w.join().map_err(|_| "a thread panicked".to_string())?)
            .collect::<Result<Vec<()>, String>>()
    })?;
    let report = report.into_inner().map_err(|_| "a thread panicked".to_string())?;
    report.finish(began.elapsed())
}

fn work(
    plan: &Plan,
    stop: &AtomicBool,
    next: &AtomicU64,
    began: Instant,
    report: &Mutex<Report>,
) -> Result<(), String> {
    let mut worker = None;
    let all = plan.generators.len() as u64;
    while !stop.load(Ordering::Relaxed) && began.elapsed() < plan.time {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= plan.systems {
            break;
        }
        let request = Request {
            generator: plan.generators[(number % all) as usize].to_string(),
            // Readings depend on the seed, so it must not go along with the generator.
            seed: plan.first + number / all,
            patience: plan.patience,
            small: plan.small,
            planted: plan.planted.clone(),
        };
        let mut current = match worker.take() {
            Some(worker) => worker,
            None => Worker::start(plan)?,
        };
        let record = match current.ask(&request, plan, began + plan.time + GRACE, stop) {
            Ok(record) => {
                match current.answered < SYSTEMS {
                    true => worker = Some(current),
                    false => current.end(),
                }
                record
            }
            Err(how) => {
                current.end();
                let Some(how) = how else { break };
                died(&request, how)
            }
        };
        let found = plan.one_is_enough && !record.disagreements.is_empty();
        report.lock().map_err(|_| "a thread panicked".to_string())?.add(record, began.elapsed())?;
        if found {
            stop.store(true, Ordering::Relaxed);
        }
    }
    if let Some(worker) = worker {
        worker.end();
    }
    Ok(())
}

/// The record of a system that its child did not survive.
fn died(request: &Request, how: String) -> Record {
    let mut record = Record::new(request);
    record.disagreements.push(Disagreement {
        engine: "the process".to_string(),
        sort: "ended".to_string(),
        words: how,
        text: String::new(),
        shrunk: None,
    });
    record
}
