//! What is asked of a SAT solver, and when it has to stop.
//!
//! Two solvers answer: CaDiCaL, for few hard questions; and batsat, a solver in the style of MiniSat whose questions cost
//! little to ask, for many easy ones. Having two also means that what one says can be checked with the other.

pub mod batsat;
pub mod cadical;
pub mod learnt;

use std::sync::atomic::{AtomicBool, Ordering};

pub use batsat::Batsat;
pub use cadical::Cadical;

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// Stopped from outside, or the limit of conflicts was reached.
    Interrupted,
    /// A result did not pass its own check: a defect of this program, described.
    Internal(&'static str),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Interrupted => f.write_str("interrupted"),
            Failure::Internal(what) => write!(f, "internal error: {what}"),
        }
    }
}

impl std::error::Error for Failure {}

/// When to give up. There is no time here: whoever has a clock sets the flag.
#[derive(Clone, Copy, Default)]
pub struct Limits<'s> {
    /// Set from outside: stop soon.
    pub stop: Option<&'s AtomicBool>,
    /// Conflicts that one question to the solver may take.
    pub conflicts: Option<u32>,
    /// Called where it is looked whether to stop: may wait, where several searches take turns.
    pub turn: Option<&'s dyn Fn()>,
}

impl std::fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limits").field("stop", &self.stop).field("conflicts", &self.conflicts).finish()
    }
}

impl Limits<'_> {
    #[inline]
    pub fn stopped(&self) -> bool {
        if let Some(turn) = self.turn {
            turn();
        }
        self.stop.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// An error if it is time to stop: for loops that may run long between two questions.
    #[inline]
    pub fn check(&self) -> Result<(), Failure> {
        if self.stopped() { Err(Failure::Interrupted) } else { Ok(()) }
    }
}

/// The literal that is always true in solvers prepared by [`crate::cnf::Cnf`].
pub const TRUE: i32 = 1;

/// An incremental solver. Literals are as in DIMACS: numbers from 1, negative if negated.
pub trait Sat<'s> {
    fn with_limits(limits: Limits<'s>) -> Self;

    /// A new variable, as a positive literal.
    fn variable(&mut self) -> i32;

    /// A new variable for a gate, whose value follows from others: a solver need not try values for it.
    fn gate(&mut self) -> i32 {
        self.variable()
    }

    fn add(&mut self, clause: &[i32]);

    /// Whether all clauses and assumptions can be true together.
    fn solve(&mut self, assumptions: &[i32]) -> Result<bool, Failure>;

    /// The value of a literal, if the last answer was yes and nothing was added since; values that do not matter are
    /// false.
    fn value(&self, literal: i32) -> bool;

    /// Whether an assumption was needed, if the last answer was no and nothing was added since.
    fn failed(&self, assumption: i32) -> bool;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A formula that says "n + 1 pigeons in n holes": known to be unsatisfiable and hard for resolution.
    fn pigeons<'s, S: Sat<'s>>(sat: &mut S, holes: i32) {
        let hole = |pigeon: i32, hole: i32| 1 + pigeon * holes + hole;
        for _ in 0..holes * (holes + 1) {
            sat.variable();
        }
        for pigeon in 0..=holes {
            sat.add(&(0..holes).map(|h| hole(pigeon, h)).collect::<Vec<_>>());
            for other in 0..pigeon {
                for h in 0..holes {
                    sat.add(&[-hole(pigeon, h), -hole(other, h)]);
                }
            }
        }
    }

    fn basics<'s, S: Sat<'s>>() {
        let mut sat = S::with_limits(Limits::default());
        let [a, b, c] = [(); 3].map(|()| sat.variable());
        assert_eq!([a, b, c], [1, 2, 3]);
        sat.add(&[-a, b]);
        assert_eq!(sat.solve(&[a]), Ok(true));
        assert!(sat.value(a) && sat.value(b) && !sat.value(-b));
        // The assumption about c has nothing to do with it; the other two are both needed.
        assert_eq!(sat.solve(&[c, a, -b]), Ok(false));
        assert!(sat.failed(a) && sat.failed(-b) && !sat.failed(c) && !sat.failed(b));
        assert_eq!(sat.solve(&[-a, -b]), Ok(true));
        assert!(!sat.value(a) && sat.value(-b));
        assert_eq!(sat.solve(&[a, -a]), Ok(false));
        sat.add(&[]);
        assert_eq!(sat.solve(&[]), Ok(false));
        assert_eq!(sat.solve(&[a]), Ok(false));
    }

    #[test]
    fn both_solvers_answer() {
        basics::<Cadical>();
        basics::<Batsat>();
    }

    #[allow(clippy::disallowed_methods, reason = "stops a solver while it works")]
    fn interrupted<'s, S: Sat<'s>>(stop: &'s AtomicBool) {
        let mut sat = S::with_limits(Limits { conflicts: Some(10), ..Limits::default() });
        pigeons(&mut sat, 8);
        assert_eq!(sat.solve(&[]), Err(Failure::Interrupted));
        // Twelve pigeons keep a resolution prover busy for far longer than this test may take.
        let mut sat = S::with_limits(Limits { stop: Some(stop), ..Limits::default() });
        pigeons(&mut sat, 12);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_millis(30));
                stop.store(true, Ordering::Relaxed);
            });
            assert_eq!(sat.solve(&[]), Err(Failure::Interrupted));
        });
    }

    #[test]
    fn both_solvers_can_be_interrupted() {
        interrupted::<Cadical>(&AtomicBool::new(false));
        interrupted::<Batsat>(&AtomicBool::new(false));
    }
}
