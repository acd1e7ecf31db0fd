//! Initial states by several threads: as many as there are by brute force, in the order of one thread.

#[path = "../../passes/tests/stale_dead_monitor_symmetry/models.rs"]
mod models;

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Engine, Reductions, Task, Verdict};
use swarmcheck_explicit::Explicit;
use swarmcheck_ir::Program;
use swarmcheck_ir::flat::{Enumerate, Flat, Outcome};
use swarmcheck_ir::ground::{Ground, Runner};
use swarmcheck_labs::lower::Options;

/// All initial states, one way to choose after the other; `None` if one is an error of the model.
fn brute_force(flat: &Flat) -> Option<usize> {
    let ground = Ground::new(&flat.program);
    let (mut runner, mut choices) = (Runner::default(), Enumerate::default());
    let mut found = HashSet::new();
    loop {
        let mut state = vec![0; ground.width()];
        match runner.begin(ground.initial(), &mut state, &mut choices) {
            Outcome::Done => drop(found.insert(state)),
            Outcome::Disabled => {}
            Outcome::Fault(_) => return None,
        }
        if !choices.advance() {
            return Some(found.len());
        }
    }
}

/// The search with so many threads: initial states, states, transitions, and the verdicts, traces included.
fn search(flat: &Flat, threads: usize) -> (u64, u64, u64, Vec<Verdict>) {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let reductions = Reductions { ranges: true, packed: true, ..Reductions::NONE };
    let findings = Explicit.run(&Task { reductions, threads, ..Task::new(flat) }, &control);
    let effort = findings[0].effort;
    let verdicts = findings.into_iter().map(|f| f.verdict).collect();
    (effort.initial, effort.states, effort.transitions, verdicts)
}

/// Searches with one, two and three threads; one letter per verdict: holds, violated, invalid or unknown.
fn check(text: &str, expected: &str) {
    check_program(text, models::read(text, "", Options::default()), expected);
}

fn check_program(text: &str, program: Program, expected: &str) {
    let flat = Flat::new(program);
    let (initial, states, transitions, verdicts) = search(&flat, 1);
    let letters: String = verdicts
        .iter()
        .map(|verdict| match verdict {
            Verdict::Holds(_) => 'h',
            Verdict::Violated(..) => 'v',
            Verdict::Invalid(_) => 'i',
            Verdict::Unknown(_) => 'u',
        })
        .collect();
    assert_eq!(letters, expected, "{text}");
    match brute_force(&flat) {
        Some(number) => assert_eq!(initial, number as u64, "{text}"),
        None => assert_eq!(expected, "i", "{text}"),
    }
    for threads in [2, 3] {
        let several = search(&flat, threads);
        assert_eq!((several.0, several.1, several.2), (initial, states, transitions), "{threads}: {text}");
        assert_eq!(format!("{:?}", several.3), format!("{verdicts:?}"), "{threads}: {text}");
    }
}

/// Agents with some first values, of which some choices are left, and claims about them.
fn model(agents: u32, values: &str, assume: &str, check: &str) -> String {
    format!(
        "system {{ spawn = A: {agents} }}
         agent A {{ interface = x: {values}; y: 0..2
           Behavior = x > 0 -> x <- x - 1; Behavior }}
         assume {{ {assume} }}
         check {{ {check} }}"
    )
}

#[test]
fn as_many_as_there_are() {
    // 64,000 ways, in more shares than one round has.
    let claim = "Small = always forall A a, x of a < 20";
    check(&model(3, "0..20", "", claim), "h");
    // Few of them, spread unevenly.
    let sorted = "Sorted = forall A a, forall A b, a >= b or x of a < x of b";
    check(&model(3, "0..20", sorted, claim), "h");
    // Whoever takes the first alternatives ends at once, and learns nothing about how many choices there are.
    check(&model(3, "0..20", "Positive = forall A a, x of a > 0 or y of a > 0", claim), "h");
    // A model with stigmergies: 36 ways for each of two birds, who agree in the end (`examples/flock/swarmcheck.toml`); a
    // number modulo 3 is less than 3.
    let flock = models::example(
        "flock/flock.labs",
        "birds=2 grid=3 delta=3",
        Options { fair: true, ..Options::default() },
    );
    check_program("flock", flock, "hhh");
    // None.
    check(&model(3, "0..20", "None = forall A a, x of a > 20", claim), "h");
    // One.
    check(&model(3, "5", "Low = forall A a, y of a = 0", claim), "h");
}

#[test]
fn counterexamples_begin_in_the_same_state() {
    // Violated in many initial states, and in one of the last.
    check(&model(3, "0..20", "", "Few = always exists A a, x of a < 9"), "v");
    check(&model(3, "0..20", "", "Last = always exists A a, x of a < 19 or y of a = 0"), "v");
}

#[test]
fn errors_of_the_model_are_met() {
    // A number too large where everybody has the last values.
    let wrong = "Wrong = exists A a, x of a < 19 or y of a = 0 or 9223372036854775807 + x of a > 0";
    check(&model(3, "0..20", wrong, "Small = always forall A a, x of a < 20"), "i");
}
