//! Explanations evaluate expressions on their own. Here they are compared with the machine that engines use, in the states of
//! random runs of examples: predicates of properties, and guards of all agents.

use super::evaluate::Scope;
use crate::open::{ModelOptions, Prepared, prepare};
use crate::start::{Begin, begin};
use std::sync::atomic::AtomicBool;
use swarmcheck_ir::flat::{Cell, Machine};
use swarmcheck_simulate::{Rng, Starts, Taken};

/// Name, text and parameters.
type Example = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const EXAMPLES: [Example; 6] = [
    (
        "f.labs",
        include_str!("../../../../examples/flock/flock.labs"),
        &[("birds", "3"), ("grid", "4"), ("delta", "2")],
    ),
    (
        "a.labs",
        include_str!("../../../../examples/ants/ants.labs"),
        &[("ants", "2"), ("size", "3"), ("scent", "2")],
    ),
    ("p.labs", include_str!("../../../../examples/philosophers/philosophers.labs"), &[("n", "4")]),
    (
        "w.labs",
        include_str!("../../../../examples/waiting/waiting.labs"),
        &[("hasty", "2"), ("careful", "1")],
    ),
    ("l.labs", include_str!("../../../../examples/leader/leader.labs"), &[("n", "4")]),
    ("s.rcp", include_str!("../../../../examples/rcheck-store/store.rcp"), &[]),
];

/// Compares both in a state; how many conditions were compared.
fn compare(prepared: &Prepared, state: &[i64]) -> usize {
    let flat = &prepared.flat;
    let mut machine = Machine::new(flat);
    let mut compared = 0;
    for (number, property) in flat.program.properties.iter().enumerate() {
        let ours = Scope::new(flat, state, None).holds(&property.predicate);
        assert_eq!(ours, flat.holds(&mut machine, number, state).ok(), "{}", property.name);
        compared += 1;
    }
    for number in 0..flat.instances() {
        let instance = flat.instance(number);
        let function = &flat.program.functions[instance.function as usize];
        let scope = Scope::new(flat, state, Some(instance.agent));
        let there = function.entry.iter().all(|(var, value)| {
            scope.read(Cell { var: *var, agent: Some(instance.agent), index: 0 }) == Some(*value)
        });
        if there {
            let enabled = machine.enabled(flat, instance, state).ok();
            assert_eq!(scope.holds(&function.guard), enabled, "{}", function.name);
            compared += 1;
        }
    }
    compared
}

#[test]
fn conditions_have_the_value_that_engines_give_them() {
    for (name, text, parameters) in EXAMPLES {
        let parameters = parameters.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
        let options = ModelOptions { parameters, ..ModelOptions::default() };
        let Ok(prepared) = prepare(name, text.as_bytes(), options) else { panic!("{name} is refused") };
        let starts = Starts::new(&prepared.flat);
        let mut compared = 0;
        for seed in 0..5 {
            let stop = AtomicBool::new(false);
            let Ok(Begin::Ready(mut run)) = begin(&prepared, &starts, Rng::for_run(seed, 0), &stop) else {
                panic!("{name} does not begin")
            };
            for _ in 0..60 {
                compared += compare(&prepared, run.state());
                if !matches!(run.step(&|| false), Taken::Step(_)) {
                    break;
                }
            }
        }
        assert!(compared > 100, "{name}: only {compared} conditions");
    }
}
