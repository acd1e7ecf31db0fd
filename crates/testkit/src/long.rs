//! Long runs over random systems, as many and from where the environment says.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The number in a variable of the environment.
///
/// # Panics
/// If the variable is set and is no number.
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

/// Calls `one` for `SWARMCHECK_SYSTEMS` seeds from `SWARMCHECK_SEED` on, prints what it reports, says now and then how far
/// it is, and returns how many reports there were.
///
/// # Panics
/// If a variable is set and is no number.
pub fn run(systems: u64, now_and_then: u64, mut one: impl FnMut(u64) -> Result<(), String>) -> u64 {
    let (first, count) = (number("SWARMCHECK_SEED", 1_000_000), number("SWARMCHECK_SYSTEMS", systems));
    let (mut failures, start) = (0, Instant::now());
    for seed in first..first + count {
        if let Err(report) = one(seed) {
            failures += 1;
            println!("{report}\n");
        }
        let done = seed - first + 1;
        if done % now_and_then == 0 {
            println!("{done} of {count} after {} s, {failures} failures", start.elapsed().as_secs());
        }
    }
    failures
}

/// How long an engine may take: `SWARMCHECK_PATIENCE` in seconds, also a fraction, or so many seconds.
///
/// # Panics
/// If the variable is set and is no number.
pub fn patience(seconds: u64) -> Duration {
    std::env::var("SWARMCHECK_PATIENCE").map_or(Duration::from_secs(seconds), |text| {
        Duration::from_secs_f64(text.parse().expect("a number of seconds"))
    })
}

/// Calls something with a flag that is raised after some seconds.
pub fn within<T>(seconds: u64, ask: impl FnOnce(&AtomicBool) -> T) -> T {
    within_time(Duration::from_secs(seconds), ask)
}

/// Calls something with a flag that is raised after some time.
pub fn within_time<T>(time: Duration, ask: impl FnOnce(&AtomicBool) -> T) -> T {
    let stop = AtomicBool::new(false);
    let (done, waiting) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let stop = &stop;
        scope.spawn(move || {
            if waiting.recv_timeout(time) == Err(mpsc::RecvTimeoutError::Timeout) {
                stop.store(true, Ordering::Relaxed);
            }
        });
        let out = ask(stop);
        drop(done);
        out
    })
}
