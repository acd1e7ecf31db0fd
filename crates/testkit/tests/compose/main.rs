//! Random systems in all languages, decided by composition: the same verdicts as the naive search, as the literal evaluation on
//! the reference semantics, and as the explicit engine without reductions. Every counterexample has been replayed before it
//! gets here.
//!
//! The engine may refuse a question. How often it does, and why, is counted, so that no comparison becomes empty.
//!
//! A failure prints the seed and the system. Put a small one that shows it into `regressions/` together with the fix.

#[path = "../ltl/calculi.rs"]
mod calculi;
#[path = "../../../chor/tests/common/terms.rs"]
mod choreographies;
mod claims;
#[path = "../../../rcheck/tests/common/mod.rs"]
#[allow(dead_code)]
mod common;
#[path = "../ltl/compare.rs"]
#[allow(dead_code)]
mod compare;
mod correlated;
mod counts;
#[path = "../ltl/labs.rs"]
mod labs;
mod mended;
mod modalities;
mod networks;
#[path = "../ltl/rcheck.rs"]
mod rcheck;
mod smaller;
#[path = "../../../rcheck/tests/common/tableau.rs"]
#[allow(dead_code)]
mod tableau;
#[path = "../../../ccs/tests/common/terms.rs"]
#[allow(dead_code)]
mod terms;
mod whole;

use compare::{Case, Made};
use counts::Counts;
use swarmcheck_labs::lower::Options;
use swarmcheck_rcheck::Precedence;
use swarmcheck_session::{ModelOptions, Prepared, prepare};
use swarmcheck_testkit::literal::Fairness;
use swarmcheck_testkit::verify::{open, reading};
use swarmcheck_testkit::{generate, long};

/// In long runs, systems with more states are left out.
const STATES: usize = 200;

/// The same in short ones.
const FEW_STATES: usize = 60;

/// Makes the system with a number, at most so large.
type Maker = fn(u64, usize) -> Result<Made, String>;

/// What is compared, besides the modalities of LAbS: formulas and claims of all languages, and where agents are units,
/// with fairness.
const COMPARISONS: [(&str, Maker); 9] = [
    ("LAbS", |seed, most| labs::labs(seed, &system(seed), reading(seed), most, Fairness::All)),
    ("CCS", calculi::ccs),
    ("Chor", calculi::chor),
    ("R-CHECK", |seed, most| rcheck::rcheck(seed, most, Fairness::All)),
    ("LAbS, fair", |seed, most| {
        let free = Options { fair: false, ..reading(seed) };
        labs::labs(seed, &system(seed), free, most, fairness(seed))
    }),
    ("R-CHECK, fair", |seed, most| rcheck::rcheck(seed, most, fairness(seed))),
    ("CCS, claims", claims::ccs),
    ("Chor, claims", claims::chor),
    ("R-CHECK, claims", claims::rcheck),
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

/// Compares the systems with these numbers. So many answers of each verdict must have been given about systems of several
/// processes, and at most so many in a hundred questions may be refused.
fn check(comparison: usize, seeds: std::ops::Range<u64>, least: usize, refused: usize) {
    let (name, make) = COMPARISONS[comparison];
    let mut counts = Counts::default();
    for seed in seeds {
        counts
            .add(seed, make(seed, FEW_STATES))
            .unwrap_or_else(|failure| panic!("{name}, {}", failure.words));
    }
    counts.print(name);
    counts.demand(least, refused);
}

#[test]
fn formulas_of_labs() {
    check(0, 0..40, 20, 40);
}

#[test]
fn formulas_of_ccs() {
    check(1, 0..60, 20, 10);
}

#[test]
fn formulas_of_chor() {
    check(2, 0..60, 20, 10);
}

#[test]
fn formulas_of_rcheck() {
    check(3, 0..10, 4, 10);
}

#[test]
fn fair_executions_of_labs() {
    check(4, 0..40, 10, 60);
}

#[test]
fn fair_executions_of_rcheck() {
    check(5, 0..10, 4, 60);
}

#[test]
fn claims_of_ccs() {
    check(6, 0..60, 50, 10);
}

#[test]
fn claims_of_chor() {
    check(7, 0..60, 50, 10);
}

#[test]
fn claims_of_rcheck() {
    check(8, 0..10, 4, 10);
}

/// Reads a system of a comparison.
fn prepared(comparison: &str, seed: u64, text: &str) -> Option<Prepared> {
    let options = ModelOptions::default();
    let conventional = ModelOptions { precedence: Some(Precedence::Conventional), ..options.clone() };
    let (name, options) = match comparison.split(',').next() {
        Some("LAbS") => {
            let reading = reading(seed);
            let free = comparison.ends_with("fair");
            return open(text, Options { fair: reading.fair && !free, ..reading }).ok();
        }
        Some("CCS") => ("random.ccs", options),
        Some("R-CHECK") => ("random.rcp", conventional),
        _ if seed.is_multiple_of(if comparison == "Chor" { 3 } else { 4 }) => {
            ("random.chor:choreography", options)
        }
        _ => ("random.chor", options),
    };
    prepare(name, text.as_bytes(), options).ok()
}

/// The text of a LAbS system is printed below how it was read.
fn without_reading(text: &str) -> &str {
    match text.starts_with("Options") {
        true => text.split_once('\n').map_or(text, |(_, rest)| rest),
        false => text,
    }
}

/// Systems about which composition was once wrong, each with what its questions are answered by definition.
#[test]
fn once_wrong() {
    // Two processes that wait for what the other provides at a gate never made the step: the one chooses who receives, and
    // needs to know whether that changes anything; the other has to know whether it receives. The first message sets b.
    let twice = "channels: c\n\
        agent A\n  local: b : bool\n  init: !b\n  receive-guard: true\n  \
        repeat: {true} c! (true)()[] + {true} c? [b := true] + {true} c? [b := true]\n\
        system = A(a1, true) || A(a2, true)\n\
        SPEC P0: keep-all\nSPEC P1: F (a1-b | a2-b)\n";
    // The same in LAbS: a receiver asks whether the message is newer, and the order of messages whether it is accepted. Ant 1
    // takes over what Ant 0 sends, and the other way round.
    let newer = "agent Ant {\n  interface: x0: 3\n  stigmergies = Left\n  \
        Behavior = e0[1, (if s2 then 1 else 2) % 1] <-- x0\n}\n\
        stigmergy Left {\n  link: not s3[2] of 2\n  s2, s3[3]: 2, id\n}\n\
        system {\n  environment = e0[2, 1]: 0\n  spawn = Ant: 2\n}\n\
        check {\n  P0 = fairly_inf !exists Ant a, s3[0] of a <= 0\n}\n";
    // A and B read the same parts of two values, but in B they belong to other values. B was taken for a copy of A. With p = 3
    // and q = 0, x of B is (((-1 * 2 - 0) * 2 - 0) * 2 - 1) % 16 = 7. A has 4, 13 and 1, besides 0.
    let parts = "system {\n  environment = p: {0, 3}, q: {0, 3}\n  spawn = A: 1, B: 1\n}\n\
        agent A {\n  interface = x: 0\n  Behavior = x <- ((((x - p/2)*2 - p%2)*2 - q/2)*2 - q%2) % 16\n}\n\
        agent B {\n  interface = x: 0\n  Behavior = x <- ((((x - p/2)*2 - q%2)*2 - q/2)*2 - p%2) % 16\n}\n\
        check {\n  P7 = always forall B b, x of b != 7\n  A7 = always forall A a, x of a != 7\n}\n";
    // There is no Bee, so both formulas ask for something that never comes, and the first state violates them. The replay
    // wanted to see an execution that ends or loops.
    let nobody = "system { spawn = Ant: 1 }\n\
        agent Ant { interface = x: 0  Behavior = x <- 1 - x; Behavior }\n\
        agent Bee { interface = y: 0  Behavior = y <- 1 }\n\
        check {\n  Never = ltl ! G (forall Bee one, G y of one = 7)\n  \
        Until = ltl G (X ((x of 0 <= 0) U (exists Bee one, F y of one = 1)))\n}\n";
    let mut counts = Counts { thorough: true, ..Counts::default() };
    let models = [
        ("R-CHECK", twice, vec![("P0", false), ("P1", true)]),
        ("LAbS", newer, vec![("P0", true)]),
        ("LAbS", parts, vec![("P7", false), ("A7", true)]),
        ("LAbS", nobody, vec![("Never", false), ("Until", false)]),
    ];
    for (language, text, holds) in models {
        // LAbS is read with early choice.
        let prepared = prepared(language, 8, text).expect("it is accepted");
        let expected = holds.iter().map(|(name, holds)| (name.to_string(), *holds)).collect();
        let case = Case { text: text.to_string(), prepared, expected, fairness: Fairness::All };
        counts.add(0, Ok(Made::Case(Box::new(case)))).unwrap_or_else(|failure| panic!("{}", failure.words));
    }
    counts.demand(3, 0);
}

/// `SWARMCHECK_SYSTEMS=5000 cargo test --release -p swarmcheck-testkit --test compose -- --ignored --nocapture long_run`.
/// `SWARMCHECK_COMPARISON` chooses one of the comparisons; a failure prints the seed for it.
#[test]
#[ignore = "takes hours"]
fn long_run() {
    let mut counts: Vec<Counts> =
        COMPARISONS.iter().map(|_| Counts { thorough: true, ..Counts::default() }).collect();
    let chosen = long::number("SWARMCHECK_COMPARISON", u64::MAX);
    let failures = long::run(5_000, 100, |seed| {
        let all = COMPARISONS.len() as u64;
        // The kind of a system must not depend on the comparison.
        let (number, seed) = if chosen < all { (chosen, seed) } else { (seed % all, seed / all) };
        let (name, make) = COMPARISONS[number as usize];
        let counts = &mut counts[number as usize];
        let result = counts.add(seed, make(seed, STATES));
        if counts.systems.is_multiple_of(100) {
            counts.print(name);
        }
        result.map_err(|failure| {
            let small = failure.asked.and_then(|asked| {
                let (text, options) = *asked;
                smaller::smaller(without_reading(&text), &options, |text| prepared(name, seed, text))
            });
            format!("{name}, {}\n{}", failure.words, small.unwrap_or_default())
        })
    });
    let met = counts.iter().zip(COMPARISONS).filter(|(counts, _)| counts.systems > 0);
    met.for_each(|(counts, (name, _))| counts.print(name));
    assert_eq!(failures, 0, "see above");
}
