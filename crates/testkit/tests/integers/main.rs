//! Programs as formulas over integers, decided by Z3: infinite-state properties with an argument for each, and random systems
//! against the explicit engine.
//!
//! Where Z3 is not installed there is nothing to test, and the tests say so; where `SWARMCHECK_REQUIRE` names it, they fail.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "runs a solver")]

mod asking;
mod brute;
mod engine;
mod mutants;
mod properties;
mod random;

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Reductions};
use swarmcheck_session::export::{ExportOptions, export};
use swarmcheck_session::verify::{Answered, Decider, VerifyOptions, verify};
use swarmcheck_session::{ModelOptions, Prepared, prepare, words};
use swarmcheck_testkit::verify::{open, reading};
use swarmcheck_testkit::{generate, long};

/// Seconds for one answer.
const SECONDS: u32 = 20;

/// Whether Z3 is there.
fn solver() -> bool {
    let there = Command::new("z3").arg("--version").stdout(Stdio::null()).status().is_ok();
    let required = std::env::var("SWARMCHECK_REQUIRE").unwrap_or_default();
    assert!(there || !required.split_whitespace().any(|word| word == "z3"), "Z3 is not installed");
    if !there {
        eprintln!("Z3 is not installed: formulas over integers are not tested");
    }
    there
}

/// What Z3 says about a file.
fn asked(text: &str, seconds: u32) -> String {
    let mut child = Command::new("z3")
        .args(["-in", &format!("-T:{seconds}")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it is installed");
    // A solver that gives up early does not read everything.
    let _ = child.stdin.take().expect("it is a pipe").write_all(text.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    String::from_utf8_lossy(&output.stdout).trim().to_string()
}

/// The file of a target for a property.
fn written(prepared: &Prepared, target: &str, property: &str) -> Result<String, String> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let property = Some(property.to_string());
    let options = ExportOptions { target: target.to_string(), property, ..ExportOptions::default() };
    let files = export(prepared, &options, &control).map_err(|refusal| words::refusal(&refusal))?;
    Ok(String::from_utf8(files.into_iter().next().expect("one file").bytes).expect("it is text"))
}

/// Horn clauses are satisfiable exactly if the property holds.
fn decided(said: &str) -> Option<bool> {
    match said {
        "sat" => Some(true),
        "unsat" => Some(false),
        "unknown" | "timeout" => None,
        other => panic!("Z3 says {other}"),
    }
}

#[test]
fn infinite_state_properties_are_decided_as_argued() {
    if !solver() {
        return;
    }
    let mut verdicts = [0, 0];
    for (name, text, claims) in properties::MODELS {
        let prepared = prepare(name, text.as_bytes(), ModelOptions::default())
            .unwrap_or_else(|trouble| panic!("{name}: {}", words::refusal(&trouble.into())));
        for (property, holds, why) in *claims {
            let text = written(&prepared, "chc", property).unwrap_or_else(|why| panic!("{name}: {why}"));
            let said = asked(&text, SECONDS);
            assert_eq!(decided(&said), Some(*holds), "{name}, {property}: {why}");
            verdicts[usize::from(*holds)] += 1;
        }
    }
    assert!(verdicts[0] >= 4 && verdicts[1] >= 8, "{verdicts:?}");
}

/// What is in a file of `smt2` is well-formed for a solver: the first two states of an execution exist.
#[test]
fn systems_in_vmt_can_be_unrolled() {
    if !solver() {
        return;
    }
    for (name, text, claims) in properties::MODELS {
        let prepared = prepare(name, text.as_bytes(), ModelOptions::default()).ok().expect("it is accepted");
        let text = written(&prepared, "smt2", claims[0].0).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert!(text.contains(":invar-property 0"), "{text}");
        let said =
            asked(&format!("{text}(assert .init)(assert .trans)(assert |started'|)(check-sat)\n"), SECONDS);
        assert!(said.ends_with("sat") && !said.contains("unsat"), "{name}: {said}\n{text}");
        // Unknown attributes are told, and nothing else.
        assert!(!said.contains("(error"), "{name}: {said}");
    }
}

/// How random systems were answered.
#[derive(Default, Debug)]
struct Seen {
    systems: usize,
    holds: usize,
    violated: usize,
    refused: usize,
    open: usize,
}

/// Compares all properties of a system that are about every state.
fn compare(seed: u64, seconds: u32, seen: &mut Seen) -> Result<(), String> {
    let text = match seed % 3 {
        0 => generate::messages(seed),
        _ => generate::system(seed),
    };
    let Ok(prepared) = open(&text, reading(seed)) else { return Ok(()) };
    let options = VerifyOptions {
        engine: Decider::Explicit,
        reductions: Reductions { ranges: true, ..Reductions::NONE },
        deadlock: false,
        ..VerifyOptions::default()
    };
    let report = long::within(2, |stop| {
        let budget = Budget { memory: Some(200_000_000), ..Budget::default() };
        verify(&prepared, &options, &Control { stop, budget, progress: &Silent })
    });
    let Ok(report) = report else { return Ok(()) };
    seen.systems += 1;
    for answer in &report.answers {
        let expected = match answer.verdict() {
            Answered::Holds => true,
            Answered::Violated => false,
            Answered::Unknown | Answered::ModelError => continue,
        };
        let Ok(clauses) = written(&prepared, "chc", &answer.name) else {
            seen.refused += 1;
            continue;
        };
        match decided(&asked(&clauses, seconds)) {
            None => seen.open += 1,
            Some(found) if found != expected => {
                return Err(format!("seed {seed}, {}: {expected} expected\n{text}\n{clauses}", answer.name));
            }
            Some(true) => seen.holds += 1,
            Some(false) => seen.violated += 1,
        }
    }
    Ok(())
}

#[test]
fn random_systems_mean_the_same() {
    if !solver() {
        return;
    }
    let mut seen = Seen::default();
    for seed in 0..80 {
        compare(seed, 4, &mut seen).unwrap_or_else(|why| panic!("{why}"));
    }
    println!("{seen:?}");
    assert!(seen.holds >= 5 && seen.violated >= 5, "{seen:?}");
}

/// `SWARMCHECK_SYSTEMS=1000 cargo test --release -p swarmcheck-testkit --test integers -- --ignored --nocapture`.
#[test]
#[ignore = "takes an hour"]
fn many_random_systems_mean_the_same() {
    let mut seen = Seen::default();
    let failures = long::run(1_000, 100, |seed| compare(seed, 5, &mut seen));
    println!("{seen:?}");
    assert_eq!(failures, 0, "see above");
}
