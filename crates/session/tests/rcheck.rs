//! R-CHECK from end to end: verdicts on random systems and on the examples against an independent method, with every
//! counterexample replayed on the definitions.

#[path = "../../rcheck/tests/common/mod.rs"]
#[allow(dead_code)]
mod common;
#[path = "../../rcheck/tests/common/tableau.rs"]
mod tableau;

use common::Random;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_rcheck::check;
use swarmcheck_rcheck::reference::Interpreter;
use swarmcheck_session::verify::{Answered, Budget, Control, VerifyOptions, verify};
use swarmcheck_session::{ModelOptions, Prepared, prepare};
use tableau::Graph;

fn open(text: &str) -> Prepared {
    match prepare("model.rcp", text.as_bytes(), ModelOptions::default()) {
        Ok(prepared) => prepared,
        Err(_) => panic!("refused:\n{text}"),
    }
}

/// The verdicts of all specifications of a script.
fn verdicts(text: &str, reductions: swarmcheck_engine::Reductions) -> Vec<(String, bool, Option<String>)> {
    let prepared = open(text);
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget { memory: None }, progress: &Silent };
    let options = VerifyOptions { reductions, ..VerifyOptions::default() };
    let Ok(report) = verify(&prepared, &options, &control) else { panic!("no such property") };
    let one = |a: &swarmcheck_session::verify::Answer| {
        assert!(
            matches!(a.verdict, Answered::Holds | Answered::Violated),
            "{}: {} {}\n{text}",
            a.name,
            a.verdict.word(),
            a.evidence
        );
        (a.name.clone(), a.verdict == Answered::Holds, a.trace.as_ref().map(|(text, _)| text.clone()))
    };
    report.answers.iter().map(one).collect()
}

fn formula(random: &mut Random, depth: usize) -> String {
    let atom = ["a1-b", "b1-x = 1", "a1-link = c", "a2-x != b1-x", "a1-automaton-state = 0", "b1-k = on"];
    let seen = ["sender = a1", "M = 1", "chan = *", "exists(@p)", "p2p", "producer != b1"];
    let mut inner = |random: &mut Random| formula(random, depth - 1);
    match if depth == 0 { 0 } else { random.below(9) } {
        0 => random.one(&atom).to_string(),
        1 => format!("!({})", inner(random)),
        2 => format!("(({}) & ({}))", inner(random), inner(random)),
        3 => format!("(({}) | ({}))", inner(random), inner(random)),
        4 => format!("(F ({}))", inner(random)),
        5 => format!("(G ({}))", inner(random)),
        6 => format!("(({}) U ({}))", inner(random), inner(random)),
        7 => format!("(<{}> ({}))", random.one(&seen), inner(random)),
        _ => format!("([{}] ({}))", random.one(&seen), inner(random)),
    }
}

#[test]
fn verdicts_on_random_systems() {
    let systems: u64 = std::env::var("SWARMCHECK_SYSTEMS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let (mut holds, mut violated) = (0, 0);
    for seed in 0..systems {
        let mut random = Random(seed + 1000);
        let mut text = random.script();
        text.truncate(text.find("SPEC").unwrap_or(text.len()));
        for _ in 0..3 {
            text += &format!("SPEC {}\n", formula(&mut random, 3));
        }
        let (spec, found) = check(&text);
        let spec = spec.unwrap_or_else(|| panic!("{text}\n{found:?}"));
        let Some(graph) = Graph::new(Interpreter::new(&spec), 150) else { continue };
        let reduced = verdicts(&text, swarmcheck_engine::Reductions::ALL);
        let whole = verdicts(&text, swarmcheck_engine::Reductions::NONE);
        for (number, one) in spec.specs.iter().enumerate() {
            let Some(expected) = graph.satisfies(one) else { continue };
            assert_eq!(reduced[number].1, expected, "seed {seed}, {} ({} points) in\n{text}", one.name, graph.len());
            assert_eq!(whole[number].1, expected, "seed {seed}, {} without reductions in\n{text}", one.name);
            if expected { holds += 1 } else { violated += 1 }
        }
    }
    println!("{holds} formulas hold, {violated} are violated");
    assert!(holds > systems / 10 && violated > systems / 10, "{holds} hold, {violated} are violated");
}
