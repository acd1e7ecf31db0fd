//! Our examples, for every number of agents.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a test that reads examples, and says what it found"
)]

use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control};
use swarmcheck_ir::{KindId, Program};
use swarmcheck_labs::{check, lower, syntax};
use swarmcheck_parametric::clause::conjunction;
use swarmcheck_parametric::{Family, NotProved, Proof, prove};
use swarmcheck_source::Span;

/// Reads a model.
fn program(text: &str, parameters: &str) -> Program {
    let (file, problems) = syntax::parse(text);
    assert!(problems.is_empty(), "{problems:?}");
    let values: Vec<(String, String)> = parameters
        .split_whitespace()
        .filter_map(|p| p.split_once('='))
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .collect();
    let (model, problems) = check::check(&file, Span::new(text.len(), text.len()), &values);
    let model = model.unwrap_or_else(|| panic!("{problems:?}"));
    lower::lower(&model, text, lower::Options::default()).expect("it can be lowered").program
}

fn example(path: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    std::fs::read_to_string(folder.join(path)).expect("an example")
}

/// The open kinds are those with these names.
fn family(text: &str, parameters: &str, open: &[(&str, u32)]) -> Family {
    let program = program(text, parameters);
    let kind = |name: &str| {
        let at = program.kinds.iter().position(|kind| kind.name == name).expect("a kind");
        KindId(at as u32)
    };
    let open = open.iter().map(|(name, low)| (kind(name), *low)).collect();
    Family::new(program, open)
}

fn proved(family: &Family, property: &str) -> Result<Proof, NotProved> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let found = family.base().properties.iter().find(|p| p.name == property).expect("a property");
    prove(family, &found.predicate, &control)
}

#[test]
fn look() {
    for (path, parameters, open, property) in [
        ("voter/voter.labs", "voters=2 options=2", vec![("Voter", 1)], "KnownOpinion"),
        ("unanimity/unanimity.labs", "voters=2 options=2", vec![("Voter", 1)], "KnownOpinion"),
        ("opinions/opinions.labs", "yes=2 no=2", vec![("Yes", 1), ("No", 1)], "SomeOpinion"),
        ("approx/approx.labs", "yes=2 no=2", vec![("Yes", 1), ("No", 1)], "KnownOpinion"),
        ("waiting/waiting.labs", "hasty=0 careful=2", vec![("Careful", 1)], "Exclusion"),
        ("waiting/waiting.labs", "hasty=0 careful=2", vec![("Careful", 1)], "Free"),
        ("scopes/crossing.labs", "trains=2", vec![("Train", 1)], "LampStillWorks"),
        ("leader/leader.labs", "n=2", vec![("Node", 1)], "KnownLeader"),
        ("flock/flock.labs", "birds=2 grid=3 delta=2", vec![("Bird", 1)], "OnTheGrid"),
    ] {
        let family = family(&example(path), parameters, &open);
        let began = std::time::Instant::now();
        match proved(&family, property) {
            Ok(proof) => println!(
                "{path} {property}: {:?} sizes {:?} searched {} rounds {} {:?}\n   {}",
                proof.bound,
                proof.sizes,
                proof.searched,
                proof.rounds,
                began.elapsed(),
                swarmcheck_ir::print::condition_to_string(
                    family.base(),
                    &[],
                    &conjunction(family.base(), &proof.clauses)
                )
            ),
            Err(why) => println!("{path} {property}: {why:?} {:?}", began.elapsed()),
        }
    }
}
