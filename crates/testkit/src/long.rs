//! Long runs over random systems, as many and from where the environment says.

use std::sync::atomic::{AtomicBool, Ordering};
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

/// Calls something with a flag that is raised after some seconds.
pub fn within<T>(seconds: u64, ask: impl FnOnce(&AtomicBool) -> T) -> T {
    let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let began = Instant::now();
            while !done.load(Ordering::Relaxed) && began.elapsed().as_secs() < seconds {
                std::thread::sleep(Duration::from_millis(5));
            }
            stop.store(true, Ordering::Relaxed);
        });
        let out = ask(&stop);
        done.store(true, Ordering::Relaxed);
        out
    })
}
