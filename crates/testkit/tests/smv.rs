//! Random systems in SMV: the states and steps of the module are those of the emulation program, so expressions, choices,
//! errors and ⊥ survive the translation.

#[path = "../../session/tests/smv/grammar.rs"]
#[allow(dead_code)]
mod grammar;
#[path = "../../session/tests/smv/meaning.rs"]
#[allow(dead_code)]
mod meaning;
#[path = "../../session/tests/smv/nusmv.rs"]
#[allow(dead_code)]
mod nusmv;
#[path = "../../session/tests/smv/states.rs"]
#[allow(dead_code)]
mod states;

use std::panic::catch_unwind;
use swarmcheck_ir::{Modality, Property};
use swarmcheck_testkit::generate;

/// How many systems are looked at.
const SYSTEMS: u64 = 70;
/// Modules with more ways to begin are left out: they would all be tried.
const BEGINNINGS: f64 = 3000.0;

/// The product of the sizes of all inputs that the initial block draws from.
fn beginnings(module: &grammar::Module) -> f64 {
    let size = |domain: &grammar::Domain| match domain {
        grammar::Domain::Range(lo, hi) => (hi - lo + 1) as f64,
        _ => 1.0,
    };
    module.inputs.iter().map(|(_, domain)| size(domain)).product()
}

#[test]
fn random_systems_mean_the_same() {
    let (mut compared, mut states, mut refused) = (0, 0, 0);
    for seed in 0..SYSTEMS {
        let text = generate::system(seed);
        let parameters = text.lines().next().and_then(|l| l.strip_prefix("#! ")).unwrap_or("").to_string();
        let prepared = states::open("random.labs", text.as_bytes(), &parameters, seed % 2 == 1);
        let Ok(smv) = states::text(&prepared, None) else {
            refused += 1;
            continue;
        };
        // A property that is the only one is written along. One that counts steps ends executions early, and a scope
        // makes a step an error if its conditions are.
        let program = &prepared.flat.program;
        let follows = |p: &Property| matches!(p.modality, Modality::After(_) | Modality::Scoped { .. });
        let followed = program.properties.len() == 1 && program.properties.iter().any(follows);
        if followed || beginnings(&states::read(&smv)) > BEGINNINGS || smv.len() > 400_000 {
            refused += 1;
            continue;
        }
        let result = catch_unwind(std::panic::AssertUnwindSafe(|| states::compare(&prepared, None)));
        match result {
            Ok((seen, _)) => {
                compared += 1;
                states += seen;
            }
            Err(_) => panic!("system {seed} differs:\n{text}"),
        }
    }
    println!("{compared} systems with {states} states compared, {refused} refused or too large");
    assert!(compared * 3 > SYSTEMS, "only {compared} of {SYSTEMS} systems were compared");
}
