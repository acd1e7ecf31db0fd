//! Agents that read parts of values of others: which parts belong together is all that tells them apart.

use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Reductions};
use swarmcheck_session::verify::{Answered, Decider, VerifyOptions, verify};
use swarmcheck_testkit::long::within;

/// Three kinds of agents; each puts four or five parts of shared values together to a number, in an order of its own.
fn system(seed: u64) -> String {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut kinds = String::new();
    let mut claims = String::new();
    // All kinds have the same shape, so that they differ in where values come from only.
    let shapes: Vec<&str> =
        (0..4 + rng.usize(..2)).map(|_| *rng.choice(&["/ 2", "% 2"]).expect("two")).collect();
    for kind in ["A", "B", "C"] {
        let part = |shape: &&str| format!("{} {shape}", ["p", "q", "r"][rng.usize(..3)]);
        let parts: Vec<String> = shapes.iter().map(part).collect();
        let sum = parts.iter().fold("x".to_string(), |sum, part| format!("({sum} * 2 + {part})"));
        kinds += &format!("agent {kind} {{ interface = x: 0  Behavior = x <- {sum} % 32 }}\n");
        for value in 0..4 {
            let value = value * 8 + rng.usize(..8);
            claims += &format!("  {kind}{value} = always forall {kind} a, x of a != {value}\n");
        }
    }
    format!(
        "system {{\n  environment = p: {{0, 3}}; q: {{0, 3}}; r: {{0, 3}}\n  spawn = A: 1, B: 1, C: 1\n}}\n{kinds}check {{\n{claims}}}\n"
    )
}

#[test]
fn values_of_one_agent_are_received_together() {
    let (mut holds, mut violated, mut copies) = (0, 0, 0);
    for seed in 0..60 {
        let text = system(seed);
        let prepared = crate::prepared("LAbS", 8, &text).unwrap_or_else(|| panic!("refused\n{text}"));
        let answers = |engine, reductions| {
            let options = VerifyOptions { engine, reductions, ..VerifyOptions::default() };
            let report = within(20, |stop| {
                verify(&prepared, &options, &Control { stop, budget: Budget::default(), progress: &Silent })
            });
            report.map(|report| report.answers).unwrap_or_default()
        };
        let right = answers(Decider::Explicit, Reductions::NONE);
        for (answer, other) in answers(Decider::Compose, Reductions::ALL).iter().zip(&right) {
            assert_eq!(answer.verdict(), other.verdict(), "seed {seed}, {}\n{text}", answer.name);
            let nodes = answer.composition.as_ref().map_or(&[][..], |composition| &composition.nodes);
            copies += nodes.iter().filter(|node| node.copy_of.is_some()).count();
            match answer.verdict() {
                Answered::Holds => holds += 1,
                _ => violated += 1,
            }
        }
    }
    assert!(holds > 100 && violated > 100, "{holds} {violated}");
    println!("{holds} hold, {violated} are violated, {copies} copies");
}
