//! Engines that share a core run one after the other, each for a while.
//!
//! An engine looks now and then whether it should stop; where it does, it also waits while it is not its turn. So nothing
//! is lost when another engine goes on, and engines need not know of one another.

use crate::table::Entry;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// Says whether it is an engine's turn.
#[derive(Default)]
pub struct Turn {
    mine: AtomicBool,
    changes: Mutex<()>,
    changed: Condvar,
}

impl Turn {
    /// Returns when it is the engine's turn.
    pub fn wait(&self) {
        if self.mine.load(Ordering::Acquire) {
            return;
        }
        let mut guard = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.mine.load(Ordering::Acquire) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub fn mine(&self) -> bool {
        self.mine.load(Ordering::Acquire)
    }

    /// Gives it the turn, or takes it.
    pub fn set(&self, mine: bool) {
        // The lock keeps a waiting engine from missing the change between its look and its sleep.
        let _guard = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        self.mine.store(mine, Ordering::Release);
        self.changed.notify_all();
    }
}

/// How long an engine has run and may run, in waits of the one who looks at it.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// The length of its first turn.
    first: u64,
    /// How long it has run, in all its turns.
    pub used: u64,
    /// How long it has run in its present turn.
    pub turn: u64,
}

/// The first turn of an engine, in waits.
pub const FIRST: u64 = 25;

/// The first turn of a search of the explicit engine: enough for tens of thousands of states.
const SEARCH: u64 = 10;

impl Default for Clock {
    fn default() -> Clock {
        Clock { first: FIRST, used: 0, turn: 0 }
    }
}

impl Clock {
    pub fn of(entry: &Entry) -> Clock {
        Clock { first: entry.early.map_or(FIRST, |early| early.waits), ..Clock::default() }
    }

    pub fn search() -> Clock {
        Clock { first: SEARCH, ..Clock::default() }
    }

    /// It runs for one more wait.
    pub fn tick(&mut self) {
        self.used += 1;
        self.turn += 1;
    }

    /// Whether its turn is over: turns grow with what was used before, so that changing costs little in the long run.
    /// No turn is longer than `most`.
    pub fn over(&self, most: u64) -> bool {
        self.turn >= most.min(self.first + (self.used - self.turn) / 2)
    }

    /// How much it has had of what it should have: whoever has the least is next. Each place gets a quarter of the time of
    /// the one before it, so that the likely winner loses little by the presence of the others.
    pub fn share(&self, place: u32) -> u64 {
        self.used.saturating_mul(1 << (2 * place.min(16)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::disallowed_methods, reason = "gives the other thread time to go wrong")]
    fn an_engine_waits_for_its_turn() {
        let turn = Turn::default();
        let passed = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                turn.wait();
                passed.store(true, Ordering::SeqCst);
            });
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(!passed.load(Ordering::SeqCst), "it did not wait");
            turn.set(true);
        });
        assert!(passed.load(Ordering::SeqCst));
        // Once it has the turn it passes at once.
        turn.wait();
    }

    #[test]
    fn turns_grow_and_later_places_get_less() {
        let mut clock = Clock::default();
        let mut lengths = vec![];
        for _ in 0..4 {
            clock.turn = 0;
            while !clock.over(u64::MAX) {
                clock.tick();
            }
            lengths.push(clock.turn);
        }
        // 25; 25 + 25/2; 25 + 62/2; 25 + 118/2.
        assert_eq!(lengths, [25, 37, 56, 84]);
        assert!(Clock { turn: 10, used: 210, ..clock }.over(10));
        let used = |used| Clock { used, ..Clock::default() };
        assert_eq!(used(160).share(0), used(40).share(1));
        assert_eq!(used(160).share(0), used(10).share(2));
    }
}
