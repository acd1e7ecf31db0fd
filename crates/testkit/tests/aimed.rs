//! The generators that aim at what independent testers found, measured: how often each feature occurs, that properties built
//! from reached states have both answers, and that numbers near 2⁶³ are what 128 bits say.

use std::collections::BTreeMap;
use std::time::Duration;
use swarmcheck_session::verify::{Decider, ENGINES};
use swarmcheck_testkit::features::{FEATURES, features};
use swarmcheck_testkit::oracle::{self, OracleAnswer, OracleQuestion};
use swarmcheck_testkit::search::Space;
use swarmcheck_testkit::verify::{System, claims, mutated, open, reading};
use swarmcheck_testkit::wide::Wide;
use swarmcheck_testkit::wide::compare::{WideSeen, compare_engine, compare_states};
use swarmcheck_testkit::{generate, read};

/// Systems with more states are left out.
const STATES: usize = 300;

/// How many of the aimed systems with the first numbers have each feature, and how many systems there are.
fn counted(systems: u64) -> (BTreeMap<&'static str, usize>, usize) {
    let (mut counts, mut accepted) = (BTreeMap::new(), 0);
    for seed in 0..systems {
        let text = generate::aimed(seed);
        read(&text).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
        let Some(system) = System::new(&text, reading(seed), STATES) else { continue };
        accepted += 1;
        for name in features(&text, reading(seed), &system) {
            *counts.entry(name).or_insert(0) += 1;
        }
    }
    (counts, accepted)
}

#[test]
fn every_feature_occurs() {
    let (counts, accepted) = counted(240);
    println!("{accepted} of 240 aimed systems have at most {STATES} states; of these have");
    for name in FEATURES {
        println!("  {:4} {name}", counts.get(name).unwrap_or(&0));
    }
    assert!(accepted >= 100, "{accepted}");
    for name in FEATURES {
        // Wide numbers have a generator of their own.
        let least = match name {
            "number too large" | "number near 2⁶³" => 0,
            "model error" | "index of a link that may lie outside" => 4,
            _ => 8,
        };
        let count = counts.get(name).copied().unwrap_or(0);
        assert!(count >= least, "only {count} of {accepted} systems have: {name}");
    }
}

/// A vector of values occurs exactly if the property that says that it never does is violated.
#[test]
fn properties_from_reached_states_have_both_answers() {
    let (mut occurs, mut never) = (0, 0);
    for seed in 0..60 {
        let text = generate::aimed(seed);
        let Ok(prepared) = open(&text, reading(seed)) else { continue };
        let space = Space::explore(&prepared.flat, STATES);
        if !space.complete {
            continue;
        }
        let claims = mutated::claims(&prepared, &space, seed, 8);
        let definitions: Vec<String> = claims.iter().map(|claim| claim.definition.clone()).collect();
        if definitions.is_empty() {
            continue;
        }
        let text = format!("{text}{}", claims::section(&definitions));
        let prepared = open(&text, reading(seed)).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
        // Errors of the model are compared elsewhere.
        let space = Space { fault: None, ..Space::explore(&prepared.flat, STATES) };
        let first = prepared.flat.program.properties.len() - claims.len();
        for (at, claim) in claims.iter().enumerate() {
            let Some(expected) = claim.occurs else { continue };
            let answer = oracle::answer(&prepared.flat, &space, first + at, &OracleQuestion::default());
            let right = if expected { OracleAnswer::Violated } else { OracleAnswer::Holds };
            assert_eq!(answer, right, "seed {seed}, {}\n{text}", claim.definition);
            *if expected { &mut occurs } else { &mut never } += 1;
        }
    }
    println!("{occurs} vectors occur, {never} never do");
    assert!(occurs >= 40 && never >= 60);
}

#[test]
fn numbers_near_the_limit_are_what_128_bits_say() {
    let (mut systems, mut errors, mut extremes) = (0, 0, 0);
    for seed in 0..400 {
        let wide = Wide::new(seed);
        let Some(result) = compare_states(&wide, seed, STATES) else { continue };
        result.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{}", wide.text()));
        let explored = wide.explore(STATES).expect("few states");
        systems += 1;
        errors += usize::from(explored.fault.is_some());
        let near = |value: &i64| value.unsigned_abs() >= 1 << 61;
        extremes += usize::from(explored.states.keys().any(|state| state.iter().any(near)));
    }
    println!(
        "{systems} systems, {errors} with a step that needs more than 64 bits, {extremes} with numbers near 2⁶³"
    );
    assert!(systems >= 200 && errors >= 60 && systems - errors >= 60 && extremes >= 100);
}

#[test]
fn the_explicit_engine_reports_what_needs_more_than_64_bits() {
    let (mut compared, mut errors) = (0, 0);
    for seed in 0..150 {
        let wide = Wide::new(seed);
        let Some(result) = compare_engine(&wide, seed, STATES, Decider::Explicit, Duration::from_secs(60))
        else {
            continue;
        };
        let seen = result.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{}", wide.text()));
        compared += seen.compared();
        errors += seen.errors;
    }
    println!("{compared} answers, {errors} of them errors of the model");
    assert!(compared >= 200 && errors >= 50 && compared - errors >= 50);
}

/// With few states, engines that work on bits end, however large the numbers are.
#[test]
fn engines_on_bits_end_near_the_limit() {
    let mut seen = WideSeen::default();
    for seed in 0..60 {
        let wide = Wide::new(seed);
        for name in ["bdd", "kind", "ic3"] {
            let engine = ENGINES.iter().find(|entry| entry.name == name).expect("an engine").decider;
            let Some(result) = compare_engine(&wide, seed, STATES, engine, Duration::from_secs(10)) else {
                continue;
            };
            seen.add(&result.unwrap_or_else(|why| panic!("seed {seed}, {name}: {why}\n{}", wide.text())));
        }
    }
    println!("{seen:?}");
    assert!(seen.compared() >= 300 && seen.errors >= 50 && seen.open * 20 < seen.compared(), "{seen:?}");
}

/// `SWARMCHECK_SYSTEMS=2000 cargo test --release -p swarmcheck-testkit --test aimed -- --ignored --nocapture`: all engines.
#[test]
#[ignore = "takes long"]
fn long_run() {
    let mut compared: BTreeMap<&str, WideSeen> = BTreeMap::new();
    let failures = swarmcheck_testkit::long::run(500, 50, |seed| {
        let wide = Wide::new(seed);
        if let Some(Err(why)) = compare_states(&wide, seed, STATES) {
            return Err(format!("seed {seed}: {why}\n{}", wide.text()));
        }
        for entry in ENGINES {
            let ask = |wide: &Wide| compare_engine(wide, seed, STATES, entry.decider, Duration::from_secs(5));
            match ask(&wide) {
                None => break,
                Some(Ok(seen)) => compared.entry(entry.name).or_default().add(&seen),
                Some(Err(why)) => {
                    let small = wide.shrunk(|less| matches!(ask(less), Some(Err(_))));
                    return Err(format!("seed {seed}, {}: {why}\nshrunk:\n{}", entry.name, small.text()));
                }
            }
        }
        Ok(())
    });
    println!("answers compared, and errors of the model among them: {compared:?}");
    assert_eq!(failures, 0, "see above");
}
