//! Ending work that is deep inside a computation.
//!
//! Programs of many agents take long to be analysed, instantiated and translated, by dozens of functions that call each
//! other. Rather than hand a flag through all of them and an early return back, whoever begins the work says for its own
//! thread when it is to end ([`until`]); loops that may take long ask ([`check`], [`check_now`]), and if it is time they unwind to where the work
//! began. Salsa, under rust-analyzer, cancels queries in this way. Nothing is half done afterwards: what the work was
//! making is dropped, and it must not change anything else.
//!
//! Outside [`until`] a check does nothing, and neither does it in threads that the work starts.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// Tells whether it is time to stop. It may wait, where several searches take turns.
pub type Stopped = Arc<dyn Fn() -> bool + Send + Sync>;

/// What is thrown.
struct Cancelled;

/// A check asks only now and then: some are in loops that do little.
const OFTEN: u32 = 64;

/// So often the answer may be yes while [`spare`]d work goes on: a tenth of a second or so.
const GRACE: u32 = 4000;

thread_local! {
    static STOPPED: RefCell<Option<Stopped>> = const { RefCell::new(None) };
    static CHECKS: Cell<u32> = const { Cell::new(0) };
    static SPARED: Cell<u32> = const { Cell::new(0) };
}

/// Works until it is done, or until it is time to stop: then there is no result.
pub fn until<T>(stopped: Stopped, work: impl FnOnce() -> T) -> Option<T> {
    let before = (STOPPED.replace(Some(stopped)), SPARED.replace(0));
    let done = catch_unwind(AssertUnwindSafe(work));
    STOPPED.set(before.0);
    SPARED.set(before.1);
    match done {
        Ok(result) => Some(result),
        Err(thrown) if thrown.is::<Cancelled>() => None,
        Err(panic) => resume_unwind(panic),
    }
}

/// Work that may go on for a moment when it is time to stop: telling what was found is worth that.
pub fn spare<T>(work: impl FnOnce() -> T) -> T {
    // If the work is ended all the same, whoever has begun it starts anew.
    let before = SPARED.replace(GRACE);
    let result = work();
    SPARED.set(before);
    result
}

/// Ends the work of this thread if it is time to stop: for loops that do little at a time.
#[inline]
pub fn check() {
    let checks = CHECKS.get().wrapping_add(1);
    CHECKS.set(checks);
    if checks.is_multiple_of(OFTEN) {
        check_now();
    }
}

/// The same, for loops that do much at a time.
pub fn check_now() {
    // Whoever is asked may wait for long; nothing is borrowed meanwhile.
    let stopped = STOPPED.with_borrow(Clone::clone);
    if stopped.is_some_and(|stopped| stopped()) {
        if let Some(left) = SPARED.get().checked_sub(1) {
            SPARED.set(left);
            return;
        }
        // Not a panic: nothing is printed.
        resume_unwind(Box::new(Cancelled));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    fn count(to: u32) -> u32 {
        (0..to).map(|_| check()).count() as u32
    }

    #[test]
    fn work_ends_when_it_is_told_to() {
        let flag = Arc::new(AtomicBool::new(false));
        let own = Arc::clone(&flag);
        let stopped: Stopped = Arc::new(move || own.load(Ordering::Relaxed));
        assert_eq!(until(Arc::clone(&stopped), || count(1000)), Some(1000));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(until(Arc::clone(&stopped), || count(1000)), None);
        assert_eq!(until(Arc::clone(&stopped), || spare(|| count(1000))), Some(1000));
        assert_eq!(until(Arc::clone(&stopped), || spare(|| count(OFTEN * GRACE * 2))), None);
        // Outside, nobody has said when to stop.
        assert_eq!(count(1000), 1000);
    }

    #[test]
    #[should_panic = "a defect"]
    fn defects_stay_defects() {
        until(Arc::new(|| false), || panic!("a defect"));
    }
}
