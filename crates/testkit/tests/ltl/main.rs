//! Formulas of linear time on random systems in all languages: every engine, with and without reductions, against the literal
//! evaluation on the reference semantics. Every counterexample has been replayed there before it gets here.
//!
//! A failure prints the seed and the system. Put a small one that shows it into `ltl/` together with the fix.

mod calculi;
#[path = "../../../chor/tests/common/terms.rs"]
mod choreographies;
#[path = "../../../rcheck/tests/common/mod.rs"]
#[allow(dead_code)]
mod common;
mod compare;
mod labs;
mod rcheck;
#[path = "../../../rcheck/tests/common/tableau.rs"]
#[allow(dead_code)]
mod tableau;
#[path = "../../../ccs/tests/common/terms.rs"]
#[allow(dead_code)]
mod terms;

use compare::{Counts, Made};
use swarmcheck_labs::lower::Options;
use swarmcheck_testkit::literal::Fairness;
use swarmcheck_testkit::verify::reading;
use swarmcheck_testkit::{generate, long};

/// In long runs, systems with more states are left out.
const STATES: usize = 150;

/// The same in short ones.
const FEW_STATES: usize = 40;

/// Makes the system with a number, at most so large.
type Maker = fn(u64, usize) -> Result<Made, String>;

/// What is compared: formulas of all languages, and where agents are units, with fairness.
const COMPARISONS: [(&str, Maker); 6] = [
    ("LAbS", |seed, most| labs::labs(seed, &system(seed), reading(seed), most, Fairness::All)),
    ("CCS", calculi::ccs),
    ("Chor", calculi::chor),
    ("R-CHECK", |seed, most| rcheck::rcheck(seed, most, Fairness::All)),
    ("LAbS, fair", |seed, most| {
        // Under the round-robin schedule there is nothing to be fair about.
        let free = Options { fair: false, ..reading(seed) };
        labs::labs(seed, &system(seed), free, most, fairness(seed))
    }),
    ("R-CHECK, fair", |seed, most| rcheck::rcheck(seed, most, fairness(seed))),
];

/// Weak and strong fairness, independent of how a system is read.
fn fairness(seed: u64) -> Fairness {
    if seed % 7 < 4 { Fairness::Weak } else { Fairness::Strong }
}

/// LAbS systems of all sorts.
fn system(seed: u64) -> String {
    match seed % 5 {
        0 => generate::messages(seed),
        1 => generate::arena(seed),
        _ => generate::system(seed),
    }
}

/// Compares the systems with these numbers. At least so many formulas must hold, and as many must not.
fn check(comparison: usize, seeds: std::ops::Range<u64>, least: usize) {
    let (name, make) = COMPARISONS[comparison];
    let mut counts = Counts::default();
    for seed in seeds {
        counts.add(seed, make(seed, FEW_STATES)).unwrap_or_else(|failure| panic!("{name}, {failure}"));
    }
    counts.print(name);
    assert!(counts.holds >= least && counts.violated >= least, "{counts:?}");
    // Bounded search may leave a formula open, and predicate abstraction always does; the explicit engine does not.
    let refuses = |(engine, word): &(&str, String)| *engine == "explicit" && word != "Interrupted";
    assert!(!counts.open.keys().any(refuses), "{counts:?}");
}

#[test]
fn formulas_of_labs() {
    check(0, 0..30, 10);
}

#[test]
fn formulas_of_ccs() {
    check(1, 0..30, 10);
}

#[test]
fn formulas_of_chor() {
    check(2, 0..30, 10);
}

#[test]
fn formulas_of_rcheck() {
    check(3, 0..10, 4);
}

#[test]
fn fair_executions_of_labs() {
    check(4, 0..30, 10);
}

#[test]
fn fair_executions_of_rcheck() {
    check(5, 0..10, 4);
}

/// `SWARMCHECK_SYSTEMS=5000 cargo test --release -p swarmcheck-testkit --test ltl -- --ignored --nocapture`.
/// `SWARMCHECK_COMPARISON` chooses one of the comparisons; a failure prints the seed for it.
#[test]
#[ignore = "takes hours"]
fn long_run() {
    let thorough = || Counts { thorough: true, ..Counts::default() };
    let mut counts: Vec<Counts> = COMPARISONS.iter().map(|_| thorough()).collect();
    let chosen = long::number("SWARMCHECK_COMPARISON", u64::MAX);
    let failures = long::run(5_000, 100, |seed| {
        let all = COMPARISONS.len() as u64;
        // The kind of a system must not depend on the comparison.
        let (number, seed) = if chosen < all { (chosen, seed) } else { (seed % all, seed / all) };
        let (name, make) = COMPARISONS[number as usize];
        let counts = &mut counts[number as usize];
        let result = counts.add(seed, make(seed, STATES)).map_err(|failure| format!("{name}, {failure}"));
        if counts.systems.is_multiple_of(25) {
            counts.print(name);
        }
        result
    });
    counts.iter().zip(COMPARISONS).for_each(|(counts, (name, _))| counts.print(name));
    assert_eq!(failures, 0, "see above");
}
