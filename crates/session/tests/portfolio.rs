//! Engines that race, and engines that check one another.

mod common;

use common::{EXAMPLES, ask, open, rows, text};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Progress, Snapshot};
use swarmcheck_session::verify::{Answered, Budget, Control, Reductions, VerifyOptions, verify};

/// A race in which everybody starts at the same time.
fn at_once() -> VerifyOptions {
    VerifyOptions { head_start: 0, threads: 2, ..VerifyOptions::default() }
}

/// The expected verdicts are those of the lists beside the examples, which name their sources.
#[test]
fn whoever_wins_the_verdict_is_the_same() {
    let mut winners = std::collections::BTreeMap::<&str, usize>::new();
    for (file, parameters) in EXAMPLES {
        for row in rows(file, parameters) {
            for reductions in [Reductions::ALL, Reductions::NONE] {
                let answers = ask(&row.prepared, &row.property, VerifyOptions { reductions, ..at_once() });
                assert_eq!(answers.len(), 1);
                let answer = &answers[0];
                assert_eq!(answer.verdict.word(), row.verdict, "{}: {}", row.line, answer.evidence);
                assert!(!answer.notes.iter().any(|n| n.starts_with("an engine has failed")));
                *winners.entry(answer.engine).or_default() += 1;
            }
        }
    }
    println!("{winners:?}");
}

/// With so little memory the explicit engine gives up at once; solvers do not count what they use. The questions are those
/// about states that can be reached, which the others are good at, and the lists beside the examples have the verdicts.
#[test]
fn others_decide_where_the_explicit_engine_gives_up() {
    let mut winners = std::collections::BTreeSet::new();
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget { memory: Some(1) }, progress: &Silent };
    for (file, parameters, property) in [
        ("philosophers/philosophers.labs", "n=3", "NoDeadlock"),
        ("philosophers/philosophers.labs", "n=3", "HandsInRange"),
        ("formation/formation.labs", "n=2 size=3 range=1", "OnTheLine"),
        ("scopes/crossing.labs", "trains=1", "Safe"),
        ("scopes/crossing.labs", "trains=2", "Safe"),
        ("leader/leader.labs", "n=3", "NeverElected"),
        ("leader/leader.labs", "n=3", "KnownLeader"),
    ] {
        let rows = rows(file, parameters);
        let row = rows.iter().find(|row| row.property == property).unwrap();
        let options = VerifyOptions {
            properties: vec![property.to_string()],
            reductions: Reductions { ranges: true, ..Reductions::NONE },
            ..at_once()
        };
        let Ok(report) = verify(&row.prepared, &options, &control) else { panic!("no property {property}") };
        let answer = &report.answers[0];
        assert_eq!(answer.verdict.word(), row.verdict, "{}: {}", row.line, answer.evidence);
        assert_ne!(answer.engine, "explicit", "{}", row.line);
        winners.insert(answer.engine);
    }
    println!("{winners:?}");
}

/// With a head start, small systems have one winner, with everything it counts.
#[test]
fn small_systems_are_decided_by_the_explicit_engine() {
    for (file, parameters) in EXAMPLES {
        for row in rows(file, parameters) {
            let [race, alone] = ["auto", "explicit"].map(|engine| {
                let engine = swarmcheck_session::verify::Decider::named(engine).unwrap();
                ask(&row.prepared, &row.property, VerifyOptions { engine, ..VerifyOptions::default() })
            });
            assert_eq!(race[0].engine, "explicit", "{}", row.line);
            assert_eq!(race[0].evidence, alone[0].evidence, "{}", row.line);
            assert_eq!(race[0].effort.states, alone[0].effort.states, "{}", row.line);
            let trace =
                |a: &swarmcheck_session::verify::Answer| a.trace.as_ref().map(|(text, _)| text.clone());
            assert_eq!(trace(&race[0]), trace(&alone[0]), "{}", row.line);
        }
    }
}

/// A row of table 12 of the LAbS paper: 64 million initial states, far more than can be visited while a solver finds one
/// that matters.
#[test]
fn others_win_where_states_are_many() {
    let prepared = open("boids/aw.labs", "birds=3 grid=10 delta=12", true);
    let answers =
        ask(&prepared, "SameHeading", VerifyOptions { steps: Some(12), ..VerifyOptions::default() });
    assert_eq!((answers[0].verdict, answers[0].engine), (Answered::Violated, "bmc"));
    assert!(answers[0].trace.is_some());
}

/// Two counters that nothing bounds. They are equal again and again, but never at a number as large as this within any
/// time that matters: neither a proof nor a counterexample is within reach of anybody.
const ENDLESS: &str = "system { environment = x: 0; y: 0 spawn = A: 1, B: 1 }
agent A { Behavior = x <-- x + 1; Behavior }
agent B { Behavior = y <-- y + 1; Behavior }
check { P = always x != 4000000 or y != 4000000 }
";

/// Waits for a moment, then wants everybody to stop.
#[test]
fn a_race_can_be_interrupted() {
    let prepared = text("endless.labs", ENDLESS, "", false);
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let report = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(400));
            stop.store(true, Ordering::Relaxed);
        });
        verify(&prepared, &at_once(), &control)
    });
    let Ok(report) = report else { panic!("the property exists") };
    assert_eq!(report.answers[0].verdict, Answered::Unknown);
    assert_eq!(report.answers[0].evidence, "interrupted");
    assert_eq!(report.exit, swarmcheck_session::Exit::Interrupted);
}

/// Pretends that the process grows by ten megabytes with each look.
#[derive(Default)]
struct Growing(AtomicU64);

impl Progress for Growing {
    fn report(&self, _: Snapshot) {}

    fn memory(&self) -> Option<u64> {
        Some(self.0.fetch_add(10_000_000, Ordering::Relaxed))
    }
}

/// Solvers do not count what they use: the process is looked at. The explicit engine counts, and stops by itself.
#[test]
fn memory_limits_hold_for_all() {
    let prepared = text("endless.labs", ENDLESS, "", false);
    let stop = AtomicBool::new(false);
    let budget = Budget { memory: Some(20_000_000) };
    for engine in ["auto", "bmc", "kind", "ic3"] {
        let engine = swarmcheck_session::verify::Decider::named(engine).unwrap();
        let growing = Growing::default();
        let control = Control { stop: &stop, budget, progress: &growing };
        let Ok(report) = verify(&prepared, &VerifyOptions { engine, ..at_once() }, &control) else {
            panic!("the property exists")
        };
        assert_eq!(report.answers[0].evidence, "memory limit", "{engine:?}");
        assert_eq!(report.exit, swarmcheck_session::Exit::Inconclusive, "{engine:?}");
    }
}

/// Every engine that can answers, in a line of its own, and none contradicts what is expected.
#[test]
fn engines_agree_on_the_examples() {
    let mut decided = 0;
    for (file, parameters) in &EXAMPLES[..3] {
        for row in rows(file, parameters) {
            let options = VerifyOptions { cross_check: true, depth: Some(8), ..VerifyOptions::default() };
            let answers = ask(&row.prepared, &row.property, options);
            assert_eq!(answers[0].engine, "explicit");
            for answer in &answers {
                let said = answer.verdict.word();
                assert!(said == row.verdict || said == "unknown", "{}: {said}", row.line);
                decided += usize::from(said == row.verdict);
            }
        }
    }
    // More than one line for a good part of the questions: otherwise nothing was compared.
    assert!(decided >= 20, "{decided}");
}
