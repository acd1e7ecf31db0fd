//! Models with very many of everything, decided and simulated. What comes before a search takes time nearly in proportion to the size of
//! the model: together these take seconds. While some of it was quadratic, they took minutes.

mod common;

use common::{limited, text};
use std::collections::BTreeSet;
use std::time::Duration;
use swarmcheck_session::simulate::{SimulationEnd, simulate};
use swarmcheck_session::verify::{Answered, VerifyOptions, verify};
use swarmcheck_session::{Prepared, SimulateOptions};

/// Whoever has not finished after so long is told to stop, and then has no verdict. Each test takes a second.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many there are of what a test is about.
const MANY: usize = 4000;

fn many(each: impl Fn(usize) -> String, between: &str) -> String {
    (0..MANY).map(each).collect::<Vec<_>>().join(between)
}

fn model(system: &str, stores: &str, interface: &str, member: &str, behavior: &str, check: &str) -> Prepared {
    let agent = format!("agent A {{ interface = {interface} {member} Behavior = {behavior} }}");
    let model = format!("system {{ {system} }} {stores} {agent} check {{ {check} }}");
    text("large.labs", &model, "", false)
}

/// Asserts that all properties hold, because agents begin with 0 and write 1. Returns how many there are.
fn held(prepared: &Prepared) -> usize {
    let report = limited(PATIENCE, |control| verify(prepared, &VerifyOptions::default(), control));
    let Ok(report) = report else { panic!("refused") };
    let verdicts: BTreeSet<String> = report.answers.iter().map(|a| format!("{:?}", a.verdict())).collect();
    assert_eq!(verdicts, BTreeSet::from([format!("{:?}", Answered::Holds)]));
    report.answers.len()
}

const SMALL: &str = "P = always forall A a, x of a < 2";

#[test]
fn attributes() {
    let all = format!("x: 0{}", many(|n| format!("; x{n}: 0; y{n}: 0; z{n}: 0"), ""));
    assert_eq!(held(&model("spawn = A: 1", "", &all, "", "x <- 1; Behavior", SMALL)), 1);
    let written = many(|n| format!("x{n} <- 1"), "; ");
    assert_eq!(held(&model("spawn = A: 1", "", &all, "", &format!("{written}; x <- 1; Behavior"), SMALL)), 1);
}

#[test]
fn stigmergies() {
    let stores = many(|n| format!("stigmergy S{n} {{ link = true v{n}: 0 }}"), "\n");
    let member = format!("stigmergies = {}", many(|n| format!("S{n}"), ", "));
    assert_eq!(held(&model("spawn = A: 1", &stores, "x: 0", &member, "x <- 1; Behavior", SMALL)), 1);
}

#[test]
fn kinds() {
    let kinds = many(|n| format!("agent K{n} {{ interface = x: 0 Behavior = x <- 1; Behavior }}"), "\n");
    let spawned = format!("spawn = A: 1{}", many(|n| format!(", K{n}: 1"), ""));
    assert_eq!(held(&model(&spawned, &kinds, "x: 0", "", "x <- 1; Behavior", SMALL)), 1);
}

#[test]
fn properties() {
    let check = many(|n| format!("P{n} = always forall A a, x of a < {}", n + 2), "\n");
    assert_eq!(held(&model("spawn = A: 1", "", "x: 0", "", "x <- 1; Behavior", &check)), MANY);
}

/// All agents can take the first step, and the counterexample is looked for among the steps of all of them.
#[test]
fn agents() {
    let system = format!("spawn = A: {MANY}");
    let prepared = model(&system, "", "x: 0", "", "x <- 1; Behavior", "Q = always forall A a, x of a < 1");
    let report = limited(PATIENCE, |control| verify(&prepared, &VerifyOptions::default(), control));
    let Ok(report) = report else { panic!("refused") };
    assert_eq!(report.answers.iter().map(|a| a.verdict()).collect::<Vec<_>>(), [Answered::Violated]);
    let evidence = report.answers[0].evidence();
    assert!(evidence.starts_with("trace of 1 step"), "{evidence}");
}

#[test]
fn agents_that_are_simulated() {
    let agents = 50 * MANY;
    let prepared = model(&format!("spawn = A: {agents}"), "", "x: 0", "", "x <- 1; Behavior", SMALL);
    let options = SimulateOptions { steps: 3, ..SimulateOptions::default() };
    let mut out = vec![];
    let report = limited(PATIENCE, |control| simulate(&prepared, options, control, &mut out)).unwrap();
    assert_eq!((report.runs, report.end), (1, SimulationEnd::Complete));
    let said = String::from_utf8(out).unwrap();
    assert!(said.contains(&format!("A 0 to {}: x = 0", agents - 1)), "{said}");
    assert!(said.len() < 2000, "{said}");
}
