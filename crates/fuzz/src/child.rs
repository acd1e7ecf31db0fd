//! Executes inputs, one after the other, in this process, and watches them: panics are caught and told; what takes five
//! seconds of processor time, or a gigabyte, ends the process, after it was told which input it was.
//!
//! Lines on standard output are all that is told: `at N`, `panic N PLACE MESSAGE`, `hang N`, `memory N`, `done …`.

use crate::mutate::Mutator;
use crate::{STOP, Target};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io::Write;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What an execution may take: processor time of the whole process, and memory that is in use.
const SECONDS: f64 = 5.0;
const MEMORY: u64 = 1 << 30;

/// An execution that waits is a hang, too, but a busy machine is none.
const PATIENCE: Duration = Duration::from_secs(120);

/// After so long an execution is told to stop.
pub const STOP_AFTER: f64 = 1.0;

/// So much more is reserved than used: stacks of threads.
const RESERVED: u64 = 3 << 30;

const TICK: Duration = Duration::from_millis(20);

/// What a child is to do.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    pub seed: u64,
    pub from: u64,
    /// The first number that is left out.
    pub to: u64,
    pub seconds: f64,
    /// Every number is told before it is executed.
    pub careful: bool,
}

/// What was seen of panics, by whatever thread.
static PANICS: AtomicU64 = AtomicU64::new(0);
static FIRST: Mutex<String> = Mutex::new(String::new());

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // If nobody listens, the parent is gone, and so is the reason to go on.
    if out.write_all(format!("{line}\n").as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(1);
    }
}

/// Panics are counted and remembered instead of printed, also those that somebody catches.
pub fn hear_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!("{}:{}", at.file(), at.line())).unwrap_or_default();
        let text = info.payload().downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| info.payload().downcast_ref::<String>().cloned()).unwrap_or_default();
        // What panics first is why others do.
        if let Ok(mut first) = FIRST.lock()
            && first.is_empty()
        {
            let text: String = text.replace(['\n', '\r'], " ").chars().take(300).collect();
            *first = format!("{place} {text}");
        }
        PANICS.fetch_add(1, Ordering::SeqCst);
    }));
}

/// Executes one input: where it panicked and why, if it did.
pub fn execute(target: &Target, input: &[u8]) -> Option<String> {
    if let Ok(mut first) = FIRST.lock() {
        first.clear();
    }
    let before = PANICS.load(Ordering::SeqCst);
    let ended = std::panic::catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    (PANICS.load(Ordering::SeqCst) > before || ended.is_err())
        .then(|| FIRST.lock().map(|first| first.clone()).unwrap_or_default())
}

/// The number of the input that is executed, and since when.
#[derive(Default)]
struct Now {
    number: AtomicU64,
    executed: AtomicU64,
    /// The longest one: its number and microseconds.
    slowest: AtomicU64,
    longest: AtomicU64,
    ended: AtomicBool,
}

/// Works, and ends the process.
pub fn work(target: &'static Target, work: Work) -> ! {
    hear_panics();
    limit();
    let mutator = Mutator::new(target);
    let now = Arc::new(Now::default());
    now.number.store(work.from, Ordering::Relaxed);
    let (shared, began) = (now.clone(), Instant::now());
    let run = move || {
        for number in work.from..work.to {
            shared.number.store(number, Ordering::Release);
            if work.careful {
                say(&format!("at {number}"));
            }
            let input = mutator.input(work.seed, number);
            let since = Instant::now();
            if let Some(panic) = execute(target, &input) {
                say(&format!("panic {number} {panic}"));
            }
            let took = since.elapsed().as_micros() as u64;
            if took > shared.longest.load(Ordering::Relaxed) {
                shared.longest.store(took, Ordering::Relaxed);
                shared.slowest.store(number, Ordering::Relaxed);
            }
            shared.executed.fetch_add(1, Ordering::Relaxed);
            if number % 64 == 0 && began.elapsed().as_secs_f64() > work.seconds {
                break;
            }
        }
        shared.ended.store(true, Ordering::Release);
    };
    let thread = std::thread::Builder::new().name("target".to_string()).stack_size(target.stack).spawn(run);
    if let Err(e) = thread {
        say(&format!("cannot start a thread: {e}"));
        std::process::exit(2);
    }
    watch(&now)
}

/// Looks at clock and memory until the work is done.
fn watch(now: &Now) -> ! {
    let (mut number, mut since, mut cpu) = (u64::MAX, Instant::now(), seconds());
    let (mut told, mut peak) = (Instant::now(), 0);
    loop {
        if now.ended.load(Ordering::Acquire) {
            let [executed, longest, slowest] =
                [&now.executed, &now.longest, &now.slowest].map(|value| value.load(Ordering::Relaxed));
            let last = now.number.load(Ordering::Relaxed);
            say(&format!("done {last} {executed} {longest} {slowest} {peak}"));
            std::process::exit(0);
        }
        let current = now.number.load(Ordering::Acquire);
        if current != number {
            (number, since, cpu) = (current, Instant::now(), seconds());
            STOP.store(false, Ordering::Relaxed);
        }
        let took = seconds() - cpu;
        if took > STOP_AFTER || since.elapsed() > PATIENCE / 2 {
            STOP.store(true, Ordering::Relaxed);
        }
        if took > SECONDS || since.elapsed() > PATIENCE {
            say(&format!("hang {number}"));
            std::process::exit(3);
        }
        let used = used();
        peak = peak.max(used);
        if used > MEMORY {
            say(&format!("memory {number} {used}"));
            std::process::exit(4);
        }
        if told.elapsed() > Duration::from_millis(500) {
            let executed = now.executed.load(Ordering::Relaxed);
            say(&format!("at {number} {executed}"));
            told = Instant::now();
        }
        std::thread::sleep(TICK);
    }
}

/// A request for far too much fails at once, which ends the process.
fn limit() {
    let most = getrlimit(Resource::As).maximum;
    let wanted = MEMORY + RESERVED;
    let current = Some(most.map_or(wanted, |most| most.min(wanted)));
    let _ = setrlimit(Resource::As, Rlimit { current, maximum: most });
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
}

/// Processor time of this process; hundredths of a second are its unit on Linux.
pub fn seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Bytes that this process has in use.
pub fn used() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or_default() * 4096
}
