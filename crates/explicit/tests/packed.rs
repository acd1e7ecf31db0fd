//! Steps on packed states against steps on unpacked ones: every instance, in every state of small models.

#[path = "../../passes/tests/stale_dead_monitor_symmetry/models.rs"]
mod models;

use models::example;
use std::collections::HashSet;
use swarmcheck_engine::Reductions;
use swarmcheck_explicit::codec::Codec;
use swarmcheck_explicit::packed::Packed;
use swarmcheck_ir::flat::{Enumerate, Outcome};
use swarmcheck_ir::ground::{Ground, Runner, Term};
use swarmcheck_ir::{Program, Value};
use swarmcheck_labs::lower::Options;
use swarmcheck_passes::Needs;
use swarmcheck_question::reduce::reduce;

/// Models, and whether all of their steps and conditions can be run on packed states.
const MODELS: [(&str, &str, bool); 8] = [
    ("leader/leader.labs", "n=4", true),
    ("philosophers/philosophers.labs", "n=4", true),
    ("flock/flock.labs", "birds=2 grid=3 delta=2", true),
    ("twophase/twophase.labs", "workers=2", true),
    ("formation/formation.labs", "n=2 size=4 range=1", true),
    ("majority/majority.labs", "yes=2 no=2", true),
    ("boids/boids.labs", "birds=2 grid=2 delta=1", false),
    ("unanimity/unanimity.labs", "voters=2 options=2", false),
];

/// All successors of a state by one instance, if none is an error of the model.
fn successors(ground: &Ground, instance: usize, state: &[Value]) -> Option<HashSet<Vec<Value>>> {
    let (mut runner, mut choices) = (Runner::default(), Enumerate::default());
    let mut out = HashSet::new();
    let mut next = state.to_vec();
    loop {
        match runner.step(&ground.instances()[instance], &mut next, &mut choices) {
            Outcome::Done => {
                out.insert(next.clone());
                runner.undo(&mut next);
            }
            Outcome::Disabled => {}
            Outcome::Fault(_) => return None,
        }
        if !choices.advance() {
            return Some(out);
        }
    }
}

fn initial(ground: &Ground) -> Vec<Vec<Value>> {
    let (mut runner, mut choices) = (Runner::default(), Enumerate::default());
    let mut out = vec![];
    loop {
        let mut state = vec![0; ground.width()];
        if matches!(runner.initialise(ground, &mut state, &mut choices), Outcome::Done) {
            out.push(state);
        }
        if !choices.advance() {
            return out;
        }
    }
}

/// Compares in up to `most` states; how many steps were compared.
fn compare(name: &str, program: &Program, complete: bool, most: usize) -> usize {
    let ground = Ground::new(program);
    let codec = Codec::new(program, &ground.layout);
    let conditions: Vec<Term> =
        program.properties.iter().map(|p| ground.condition(program, &p.predicate)).collect();
    let packed = Packed::new(&ground, &conditions, &codec);
    let (translated, all) = packed.share();
    let missing: Vec<usize> = packed.untranslated().collect();
    assert!(!complete || translated == all, "{name}: {translated} of {all} translated, not {missing:?}");
    let mut todo = initial(&ground);
    let mut seen: HashSet<Vec<Value>> = todo.iter().cloned().collect();
    let mut compared = 0;
    let mut words = vec![0; codec.words()];
    while let Some(state) = todo.pop() {
        for instance in 0..ground.instances().len() {
            let Some(expected) = successors(&ground, instance, &state) else { continue };
            codec.pack(&state, &mut words).expect("ranges hold");
            if let Some(possible) = packed.step(instance, &mut words) {
                let mut found = HashSet::new();
                if possible {
                    let mut next = vec![0; state.len()];
                    codec.unpack(&words, &mut next);
                    found.insert(next);
                }
                assert_eq!(found, expected, "{name}: instance {instance} in {state:?}");
                compared += expected.len();
            }
            for next in expected {
                if seen.len() < most && seen.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
    }
    compared
}

#[test]
fn packed_steps_are_steps() {
    let mut compared = 0;
    for fair in [false, true] {
        for (file, parameters, complete) in MODELS {
            let program = example(file, parameters, Options { fair, ..Options::default() });
            let ranges = Reductions { ranges: true, ..Reductions::NONE };
            let all: Vec<usize> = (0..program.properties.len()).collect();
            let known = reduce(&program, &all, Needs { steps: true, endings: true }, &ranges).program;
            let name = format!("{file} {parameters}, round-robin {fair}");
            compared += compare(&name, &known, complete, 4000);
        }
    }
    assert!(compared > 50_000, "only {compared} steps were compared");
}
