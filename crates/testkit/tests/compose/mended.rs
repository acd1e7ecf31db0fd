//! What composition once did wrong without a wrong verdict: it did not stop, or it said too much.

use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Note};
use swarmcheck_labs::lower::Options;
use swarmcheck_session::verify::{Answer, Answered, Decider, VerifyOptions, verify};
use swarmcheck_testkit::long::within;
use swarmcheck_testkit::verify::open;

/// More than enough for every one of these questions.
const SECONDS: u64 = 60;

const MEMORY: u64 = 200_000_000;

/// The answers of an engine, and whether it had to be stopped.
fn answers(text: &str, options: &VerifyOptions) -> Vec<Answer> {
    let prepared = open(text, Options::default()).expect("it is accepted");
    let report = within(SECONDS, |stop| {
        let budget = Budget { memory: Some(MEMORY), ..Budget::default() };
        let control = Control { stop, budget, progress: &Silent };
        verify(&prepared, options, &control)
    });
    report.map(|report| report.answers).unwrap_or_default()
}

fn asked(engine: Decider) -> VerifyOptions {
    VerifyOptions { engine, ..VerifyOptions::default() }
}

/// The initial block has 13 to the power of 8 ways to begin, all of which are combined at one gate.
#[test]
fn very_many_initial_states_end_within_memory() {
    let text = "system { spawn = Ant: 8 }\n\
        agent Ant { interface = x: 0..12, y: 0  Behavior = x > 3 -> y <- x; Behavior }\n\
        check { P = always forall Ant a, forall Ant b, x of a + x of b + y of a + y of b < 1000 }\n";
    let answers = answers(text, &asked(Decider::Compose));
    let [answer] = &answers[..] else { panic!("{answers:?}") };
    // x is at most 12, so the sum is at most 48.
    assert!([Answered::Unknown, Answered::Holds].contains(&answer.verdict()), "{}", answer.evidence());
    assert!(!answer.evidence().contains("interrupted"), "{}", answer.evidence());
}

/// Where divergences are not preserved, states that only diverge look like deadlocks, and were counted as such.
#[test]
fn deadlocks_are_noted_only_where_there_are_some() {
    let text = std::fs::read_to_string(
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/scopes/crossing.labs"),
    );
    let text = text.expect("the example is there").replace("extern = _trains", "").replace("_trains", "2");
    let noted = |engine| {
        let options = VerifyOptions { ignore_deadlock: true, ..asked(engine) };
        let excused = |answer: &Answer| answer.notes.iter().any(|note| matches!(note, Note::Excused { .. }));
        let all = answers(&text, &options);
        let decided = all.iter().filter(|answer| answer.verdict() != Answered::Unknown);
        decided.map(|answer| (answer.name.clone(), excused(answer))).collect::<Vec<_>>()
    };
    let (composed, explicit) = (noted(Decider::Compose), noted(Decider::Explicit));
    assert!(composed.len() > 1, "{composed:?}");
    for (name, excused) in composed {
        let other = explicit.iter().find(|(other, _)| *other == name).expect("it is decided");
        assert!(!excused || other.1, "{name}: composition excuses deadlocks, and there is none");
    }
}

/// A term that shares its parts is small in memory and takes forever to evaluate.
#[test]
fn a_property_with_nested_indices_is_refused_by_name() {
    let nested = (0..24).fold("0".to_string(), |inner, _| format!("e[{inner}]"));
    let text = format!(
        "system {{ environment = e[4]: 0..3  spawn = Ant: 2 }}\n\
         agent Ant {{ interface = x: 0  Behavior = e[x] <-- (e[x] + 1) % 4; x <- (x + 1) % 4; Behavior }}\n\
         check {{ P = always {nested} < 3 }}\n"
    );
    let answers = answers(&text, &asked(Decider::Compose));
    let [answer] = &answers[..] else { panic!("{answers:?}") };
    // If all cells are 3, it is 3; but that must not be found by evaluating 4 to the power of 24 terms.
    assert_eq!(answer.verdict(), Answered::Unknown, "{}", answer.evidence());
    assert!(!answer.evidence().contains("interrupted"), "{}", answer.evidence());
}
