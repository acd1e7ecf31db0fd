//! Random systems: the emulation program makes exactly the steps of definition 2, from exactly the same initial states.

#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a long run is asked for by the environment, and counted"
)]

mod common;

use common::{Random, observed, program, read, state, words};
use std::collections::BTreeSet;
use swarmcheck_engine::successors;
use swarmcheck_engine::system::initial_states;
use swarmcheck_ir::flat::Machine;
use swarmcheck_rcheck::reference::{Interpreter, State};

/// How many states of each system are compared.
const MOST_STATES: usize = 60;

#[test]
fn the_program_makes_the_steps_of_the_definitions() {
    let systems: u64 = std::env::var("SWARMCHECK_SYSTEMS").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    let (mut states, mut steps, mut receives) = (0, 0, 0);
    for seed in 0..systems {
        let text = Random::new(seed).script();
        let spec = read(&text);
        let flat = program(&spec);
        let oracle = Interpreter::new(&spec);
        let mut machine = Machine::new(&flat);
        let mut cells = vec![];
        initial_states(&flat, &mut machine, &mut |s| {
            cells.push(s.to_vec());
            true
        })
        .expect("no fault");
        let ours: BTreeSet<State> = cells.iter().map(|c| state(&spec, &flat, c)).collect();
        let theirs: BTreeSet<State> = oracle.initial().into_iter().collect();
        assert_eq!(ours, theirs, "initial states of\n{text}");
        let mut seen: BTreeSet<Vec<i64>> = cells.iter().cloned().collect();
        let mut compared = 0;
        while let Some(at) = cells.pop() {
            let here = state(&spec, &flat, &at);
            let mut ours = BTreeSet::new();
            for step in successors(&flat, &mut machine, &at) {
                let after = step.result.expect("no fault");
                let seen_in_step = observed(&spec, &flat, &after);
                let name = words(&flat, step.instance.function);
                ours.insert((step.instance.agent as usize, name, seen_in_step, state(&spec, &flat, &after)));
                if seen.insert(after.clone()) {
                    cells.push(after);
                }
            }
            let mut theirs = BTreeSet::new();
            for step in oracle.steps(&here) {
                let name = spec.agent_of(step.agent).commands[step.command].words.clone();
                receives += step.received.len();
                theirs.insert((step.agent, name, step.observed, step.after));
            }
            assert_eq!(ours, theirs, "seed {seed}: steps of {here:?} in\n{text}");
            steps += ours.len();
            states += 1;
            compared += 1;
            if compared == MOST_STATES {
                break;
            }
        }
    }
    println!("{systems} systems, {states} states, {steps} steps, {receives} receives");
    // Systems that never do anything would agree, too.
    assert!(steps as u64 > 4 * systems && receives as u64 > systems, "{steps} steps, {receives} receives");
}
