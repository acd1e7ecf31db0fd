//! Random systems with small ranges: the engine `smt` against the explicit engine, for all properties that both decide.

use crate::asking::{there, with};
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Reductions, SolverName};
use swarmcheck_session::verify::{Answered, Decider, VerifyOptions, verify};
use swarmcheck_testkit::verify::{open, reading};
use swarmcheck_testkit::{generate, long};

/// How random systems were answered.
#[derive(Default, Debug)]
struct Seen {
    systems: usize,
    holds: usize,
    violated: usize,
    open: usize,
}

/// Compares all properties of a system. The engine has so many seconds for all of them.
fn compare(seed: u64, seconds: u64, seen: &mut Seen) -> Result<(), String> {
    let text = match seed % 3 {
        0 => generate::messages(seed),
        _ => generate::system(seed),
    };
    let Ok(prepared) = open(&text, reading(seed)) else { return Ok(()) };
    let explicit = VerifyOptions { engine: Decider::Explicit, deadlock: true, ..VerifyOptions::default() };
    let expected = long::within(2, |stop| {
        let budget = Budget { memory: Some(200_000_000), ..Budget::default() };
        verify(&prepared, &explicit, &Control { stop, budget, progress: &Silent })
    });
    let Ok(expected) = expected else { return Ok(()) };
    seen.systems += 1;
    // What solvers are asked about should not depend on the reductions.
    let reductions = match seed % 2 {
        0 => Reductions::ALL,
        _ => Reductions { ranges: true, ..Reductions::NONE },
    };
    let options =
        VerifyOptions { engine: Decider::Smt, deadlock: true, reductions, ..VerifyOptions::default() };
    // With cvc5 alone now and then.
    let names = if seed.is_multiple_of(5) { &SolverName::ALL[1..] } else { &SolverName::ALL };
    for (answer, expected) in with(&prepared, &options, names, seconds).iter().zip(&expected.answers) {
        assert_eq!(answer.name, expected.name);
        match (answer.verdict(), expected.verdict()) {
            (_, Answered::Unknown | Answered::ModelError) => {}
            (Answered::Unknown, _) => {
                if answer.reason().is_some_and(swarmcheck_session::Reason::is_bug) {
                    return Err(format!("seed {seed}, {}: {}\n{text}", answer.name, answer.evidence()));
                }
                seen.open += 1;
            }
            (Answered::Holds, Answered::Holds) => seen.holds += 1,
            (Answered::Violated, Answered::Violated) => seen.violated += 1,
            (found, wanted) => {
                let (evidence, name) = (answer.evidence(), &answer.name);
                return Err(format!("seed {seed}, {name}: {found:?} ({evidence}), not {wanted:?}\n{text}"));
            }
        }
    }
    Ok(())
}

#[test]
fn random_systems_have_the_same_verdicts() {
    if !there(&SolverName::ALL) {
        return;
    }
    let mut seen = Seen::default();
    for seed in 0..24 {
        compare(seed, 2, &mut seen).unwrap_or_else(|why| panic!("{why}"));
    }
    println!("{seen:?}");
    assert!(seen.holds >= 8 && seen.violated >= 8, "{seen:?}");
}

/// `SWARMCHECK_SYSTEMS=1000 cargo test --release -p swarmcheck-testkit --test integers -- --ignored the_engine --nocapture`.
#[test]
#[ignore = "takes an hour"]
fn the_engine_agrees_on_many_random_systems() {
    if !there(&SolverName::ALL) {
        return;
    }
    let mut seen = Seen::default();
    let seconds = long::number("SWARMCHECK_PATIENCE", 3);
    let failures = long::run(1_000, 50, |seed| compare(seed, seconds, &mut seen));
    println!("{seen:?}");
    assert_eq!(failures, 0, "see above");
}
