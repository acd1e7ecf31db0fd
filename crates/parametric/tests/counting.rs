//! Counting: our examples for every number of agents.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::print_stdout, reason = "a test that reads examples")]

use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Engine, Task, Verdict};
use swarmcheck_explicit::Explicit;
use swarmcheck_ir::{KindId, Program};
use swarmcheck_labs::{check, lower, syntax};
use swarmcheck_parametric::counting::{Claim, CountingProof, SizeConstraint, prove};
use swarmcheck_parametric::{Family, NotProved};
use swarmcheck_source::Span;

fn program(text: &str, parameters: &str) -> Result<Program, String> {
    let (file, problems) = syntax::parse(text);
    if !problems.is_empty() {
        return Err(format!("{problems:?}"));
    }
    let values: Vec<(String, String)> = parameters
        .split_whitespace()
        .filter_map(|p| p.split_once('='))
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .collect();
    let (model, problems) = check::check(&file, Span::new(text.len(), text.len()), &values);
    let model = model.ok_or_else(|| format!("{problems:?}"))?;
    lower::lower(&model, text, lower::Options::default()).map(|lowered| lowered.program).map_err(|e| format!("{e:?}"))
}

fn example(path: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    std::fs::read_to_string(folder.join(path)).expect("an example")
}

fn kind(program: &Program, name: &str) -> KindId {
    KindId(program.kinds.iter().position(|kind| kind.name == name).expect("a kind") as u32)
}

fn proved(family: &Family, property: &str, sizes: &[SizeConstraint]) -> Result<CountingProof, NotProved> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let found = family.base().properties.iter().find(|p| p.name == property).expect("a property");
    prove(family, Claim::of(found).expect("a claim"), sizes, &control)
}

/// What the explicit engine says of one member; none if it cannot decide.
fn explicit(family: &Family, sizes: &[u32], property: &str) -> Option<bool> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let program = family.at(sizes);
    let number = program.properties.iter().position(|p| p.name == property).expect("a property");
    let task = Task { properties: vec![number], ..Task::of(std::sync::Arc::new(program)) };
    match &Explicit.run(&task, &control)[0].verdict {
        Verdict::Holds(_) => Some(true),
        Verdict::Violated(..) | Verdict::Invalid(_) => Some(false),
        Verdict::Unknown(_) => None,
    }
}

#[test]
fn maj() {
    let program = program(&example("majority/majority.labs"), "yes=2 no=2").expect("a model");
    let open = vec![(kind(&program, "Yes"), 1), (kind(&program, "No"), 1)];
    let family = Family::new(program, open);
    for (a, b) in [(1, 1), (1, 2), (1, 3), (2, 3), (2, 1), (3, 1), (3, 2)] {
        for p in ["NoYConsensus", "AllNoAgain", "AllYesAgain"] {
            println!("{a} {b} {p} {:?}", explicit(&family, &[a, b], p));
        }
    }
}

#[test]
fn look() {
    for (path, parameters, open, less, property) in [
        ("voter/voter.labs", "voters=2 options=2", vec![("Voter", 1)], None, "KnownOpinion"),
        ("voter/voter.labs", "voters=2 options=2", vec![("Voter", 1)], None, "AgreementAgain"),
        ("voter/voter.labs", "voters=2 options=3", vec![("Voter", 1)], None, "AgreementAgain"),
        ("unanimity/unanimity.labs", "voters=2 options=2", vec![("Voter", 1)], None, "KnownOpinion"),
        ("unanimity/unanimity.labs", "voters=2 options=2", vec![("Voter", 1)], None, "AgreementAgain"),
        ("opinions/opinions.labs", "yes=2 no=2", vec![("Yes", 1), ("No", 1)], None, "SomeOpinion"),
        ("opinions/opinions.labs", "yes=2 no=2", vec![("Yes", 1), ("No", 1)], None, "Agreement"),
        ("approx/approx.labs", "yes=2 no=2", vec![("Yes", 1), ("No", 1)], None, "KnownOpinion"),
        ("approx/approx.labs", "yes=2 no=2", vec![("Yes", 1), ("No", 1)], None, "Agreement"),
        ("approx/approx.labs", "yes=2 no=2", vec![("Yes", 1), ("No", 1)], None, "NoYConsensus"),
        ("majority/majority.labs", "yes=2 no=2", vec![("Yes", 1), ("No", 1)], Some(("Yes", "No")), "NoYConsensus"),
        ("majority/majority.labs", "yes=2 no=2", vec![("Yes", 1), ("No", 1)], None, "NoYConsensus"),
        ("majority/majority.labs", "yes=2 no=2", vec![("Yes", 1), ("No", 1)], Some(("Yes", "No")), "AllNoAgain"),
        ("majority/majority.labs", "yes=2 no=2", vec![("Yes", 1), ("No", 1)], Some(("No", "Yes")), "AllYesAgain"),
        ("waiting/waiting.labs", "hasty=0 careful=2", vec![("Careful", 1)], None, "Exclusion"),
        ("leader/leader.labs", "n=2", vec![("Node", 1)], None, "ElectionSettles"),
    ] {
        let program = program(&example(path), parameters).expect("a model");
        let open = open.iter().map(|(name, low)| (kind(&program, name), *low)).collect();
        let sizes: Vec<SizeConstraint> =
            less.iter().map(|(a, b)| SizeConstraint::fewer(kind(&program, a), kind(&program, b))).collect();
        let family = Family::new(program, open);
        let began = std::time::Instant::now();
        let result = proved(&family, property, &sizes);
        match result {
            Ok(proof) => println!(
                "{path} {property} {less:?}: {} P={} Q={} T={} {:?}\n   {}",
                proof.method_name(), proof.places(), proof.controls(), proof.transitions(), began.elapsed(), proof.lines.join("\n   ")),
            Err(why) => println!("{path} {property} {less:?}: {why:?} {:?}", began.elapsed()),
        }
    }
}
