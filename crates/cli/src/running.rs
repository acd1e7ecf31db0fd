//! What runs for a while: Ctrl-C, a time limit, a line of progress.

use crate::terminal::Terminal;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use swarmcheck_session::Exit;
use swarmcheck_session::simulate::{Progress, Snapshot};

/// How long an orderly end may take after the time limit, apart from a tenth of the limit itself.
const GRACE: Duration = Duration::from_secs(5);

/// Ctrl-C and the clock.
pub struct Limits {
    /// Set when it is time to stop.
    pub stop: Arc<AtomicBool>,
    expired: Arc<AtomicBool>,
}

impl Limits {
    /// From now on.
    pub fn start(timeout: Option<Duration>) -> Limits {
        let limits = Limits { stop: Arc::default(), expired: Arc::default() };
        let flag = limits.stop.clone();
        // Only fails if a handler is already there, and this is the only one.
        let _ = ctrlc::set_handler(move || {
            // Who asks twice does not want to wait for an orderly end.
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(i32::from(Exit::Interrupted.code()));
            }
        });
        if let Some(limit) = timeout {
            let (stop, expired) = (limits.stop.clone(), limits.expired.clone());
            std::thread::spawn(move || {
                std::thread::sleep(limit);
                expired.store(true, Ordering::Relaxed);
                stop.store(true, Ordering::Relaxed);
                // Whatever does not ask whether to stop, or takes too long to say what it has found, is ended here. So a
                // limit holds whatever the model is, and whatever part of the program is at work.
                std::thread::sleep(GRACE + limit / 10);
                let _ = writeln!(std::io::stderr(), "error: the time limit was reached");
                std::process::exit(i32::from(Exit::TimeLimit.code()));
            });
        }
        limits
    }

    /// Says why something has ended without a result.
    pub fn ended(&self, exit: Exit, why: &str, terminal: &Terminal) -> Exit {
        match exit {
            Exit::Interrupted if self.expired() => {
                terminal.failure("the time limit was reached");
                Exit::TimeLimit
            }
            Exit::Usage => terminal.usage(why),
            exit => {
                terminal.failure(why);
                exit
            }
        }
    }

    /// Whether it was the clock that stopped it.
    pub fn expired(&self) -> bool {
        self.expired.load(Ordering::Relaxed)
    }
}

/// Rewrites one line on standard error, at most twice a second, after the first second.
pub struct ProgressLine {
    shown: bool,
    what: &'static str,
    began: Instant,
    last: AtomicU64,
}

impl ProgressLine {
    /// A line about so many of these.
    pub fn new(shown: bool, what: &'static str) -> ProgressLine {
        ProgressLine { shown, what, began: Instant::now(), last: AtomicU64::new(0) }
    }

    /// Takes the line away.
    pub fn clear(&self) {
        if self.last.load(Ordering::Relaxed) > 0 {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

impl Progress for ProgressLine {
    fn report(&self, snapshot: Snapshot) {
        let now = self.began.elapsed().as_millis() as u64;
        if !self.shown || now < 1000 || now - self.last.load(Ordering::Relaxed) < 500 {
            return;
        }
        self.last.store(now, Ordering::Relaxed);
        let rate = snapshot.done * 1000 / now.max(1);
        let mut line = format!("{} {}, {rate} per second", snapshot.done, self.what);
        if snapshot.waiting > 0 {
            line += &format!(", {} waiting, depth {}", snapshot.waiting, snapshot.depth);
        }
        if snapshot.memory > 0 {
            line += &format!(", {} MB", snapshot.memory / 1_000_000);
        }
        let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
    }

    fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    fn memory(&self) -> Option<u64> {
        bytes("/proc/self/status", "VmRSS:")
    }
}

/// What a file of the system says about memory in the line that begins like this, where there is such a file.
pub fn bytes(file: &str, line: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix(line))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}
