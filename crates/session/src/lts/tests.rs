//! Systems that are put together from processes are the ones that are explored, up to the equivalence that was asked for.

use super::*;
use crate::open::{ModelOptions, prepare};
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_lts::equivalent;

fn with(path: &str, parameters: &[(&str, &str)], fair: bool) -> Prepared {
    let full = format!("{}/../../examples/{path}", env!("CARGO_MANIFEST_DIR"));
    #[allow(clippy::disallowed_methods)]
    let text = std::fs::read(full).unwrap();
    model(path, &text, parameters, fair)
}

fn model(name: &str, text: &[u8], parameters: &[(&str, &str)], fair: bool) -> Prepared {
    let parameters = parameters.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let options = ModelOptions { parameters, fair, ..ModelOptions::default() };
    prepare(name, text, options).unwrap_or_else(|_| panic!("{name}"))
}

fn written(prepared: &Prepared, up_to: Minimise, compose: bool) -> Result<(Written, Lts), Refusal> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Default::default(), progress: &Silent };
    let options = LtsOptions { format: LtsFormat::Aut, minimise: Some(up_to), compose };
    let written = lts(prepared, options, &control)?;
    let system = aut::read(&written.text, aut::Invisible::I).unwrap_or_else(|e| panic!("{e:?}"));
    Ok((written, system))
}

/// Compares both for all equivalences, and tells the smallest number of states.
fn check(prepared: &Prepared) -> u32 {
    let mut least = u32::MAX;
    for up_to in [Minimise::Strong, Minimise::Branching, Minimise::Divbranching] {
        let (explored, whole) = written(prepared, up_to, false).unwrap();
        let (composed, system) = written(prepared, up_to, true).unwrap();
        let name = prepared.file.name();
        assert!(equivalent(&whole, &system, up_to.into()), "{name} {up_to:?}");
        assert_eq!(explored.minimised, composed.minimised, "{name} {up_to:?}");
        assert_eq!((composed.whole, explored.composition), (None, None));
        assert!(composed.composition.is_some_and(|report| !report.nodes.is_empty()));
        least = least.min(system.states());
    }
    least
}

#[test]
fn composed_systems_are_the_explored_ones() {
    for (path, parameters, fair) in [
        ("leader/leader.labs", &[("n", "3")][..], false),
        ("leader/leader.labs", &[("n", "2")], true),
        ("approx/approx.labs", &[("yes", "1"), ("no", "2")], false),
        ("philosophers/philosophers.labs", &[("n", "3")], false),
        ("twophase/twophase.labs", &[("workers", "1")], false),
        ("alternating-bit/abp.ccs", &[], false),
        ("commit/free.ccs", &[], false),
        ("commit/forced.ccs", &[], false),
        ("stock/stock.chor", &[], false),
        ("stock/safe.chor", &[], false),
        ("rcheck-resources/resources.rcp", &[], false),
        ("rcheck-commit/commit.rcp", &[], false),
    ] {
        assert!(check(&with(path, parameters, fair)) > 1, "{path}");
    }
}

const CHOICE: &str = "system { spawn = A: 1 } agent A { interface = n: [0, 5]; unused: 0..3 Behavior = n < 2 -> n <- n + 1; Behavior }";

/// What the numbers should be is said by counting: states of n, and the one from which initial states are chosen.
#[test]
fn several_initial_states_are_chosen_by_a_step() {
    // n is 0, 1 or 2, or stays 5: the last two behave alike.
    assert_eq!(check(&model("a.labs", CHOICE.as_bytes(), &[], false)), 4);
    // Initial states that behave alike are still several.
    let alike = CHOICE.replace("[0, 5]", "0");
    assert_eq!(check(&model("a.labs", alike.as_bytes(), &[], false)), 4);
    let one = alike.replace("0..3", "0");
    assert_eq!(check(&model("a.labs", one.as_bytes(), &[], false)), 3);
}

/// The same for an action that has the name of that step.
#[test]
fn an_action_may_be_called_as_the_choice() {
    assert!(check(&model("a.ccs", b"system = initial.initial.0 | initial.0", &[], false)) > 1);
}

#[test]
fn what_may_fail_is_refused_with_the_reason() {
    let text = "system { spawn = A: 1 } agent A { interface = n: 0 Behavior = n <- n + 1; Behavior }";
    match written(&model("a.labs", text.as_bytes(), &[], false), Minimise::Strong, true) {
        Err(refusal @ Refusal::NotComposed { .. }) => {
            assert!(crate::words::refusal(&refusal).contains("put together from processes: "));
        }
        other => panic!("{other:?}"),
    }
}
