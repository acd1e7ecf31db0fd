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
mod rcheck;
#[path = "../../../rcheck/tests/common/tableau.rs"]
#[allow(dead_code)]
mod tableau;
#[path = "../../../ccs/tests/common/terms.rs"]
#[allow(dead_code)]
mod terms;

use compare::{Case, Counts};
use swarmcheck_testkit::literal::Fairness;
use swarmcheck_testkit::long;

/// Systems with more states are left out.
const STATES: usize = 150;

/// Makes the system with a number, at most so large.
type Maker = fn(u64, usize) -> Result<Option<Case>, String>;

const LANGUAGES: [(&str, Maker); 3] = [
    ("CCS", calculi::ccs),
    ("Chor", calculi::chor),
    ("R-CHECK", |seed, most| rcheck::rcheck(seed, most, Fairness::All)),
];

/// The first so many systems of a language.
fn first(language: usize, systems: u64, least: usize) {
    let (name, make) = LANGUAGES[language];
    let mut counts = Counts::default();
    for seed in 0..systems {
        counts.add(seed, make(seed, STATES)).unwrap_or_else(|failure| panic!("{name}, {failure}"));
    }
    counts.print(name);
    assert!(counts.systems >= least && counts.holds >= least / 2 && counts.violated >= least / 2, "{counts:?}");
    assert!(!counts.open.contains_key("explicit"), "{counts:?}");
}

#[test]
fn formulas_of_ccs() {
    first(0, 30, 15);
}

#[test]
fn formulas_of_chor() {
    first(1, 30, 15);
}

#[test]
fn formulas_of_rcheck() {
    first(2, 20, 6);
}

/// `SWARMCHECK_SYSTEMS=5000 cargo test --release -p swarmcheck-testkit --test ltl -- --ignored --nocapture`
#[test]
#[ignore = "takes hours"]
fn long_run() {
    let mut counts: Vec<Counts> = LANGUAGES.iter().map(|_| Counts::default()).collect();
    let failures = long::run(5_000, 100, |seed| {
        let language = seed as usize % LANGUAGES.len();
        let (name, make) = LANGUAGES[language];
        counts[language].add(seed, make(seed, STATES)).map_err(|failure| format!("{name}, {failure}"))
    });
    counts.iter().zip(LANGUAGES).for_each(|(counts, (name, _))| counts.print(name));
    assert_eq!(failures, 0, "see above");
}
