//! Dropping steps from random runs, against the rules and against brute force.

use super::drop::{Aim, minimised};
use super::*;
use crate::explain::tests::{BUSY, prepared, runs};
use crate::verify::written;
use crate::walk::{Plan, plan};
use swarmcheck_engine::trace::TraceStep;
use swarmcheck_ir::Value;
use swarmcheck_ir::flat::{Chooser, Flat, Machine, Outcome};

/// The functions of the model leave nothing open.
struct Nothing;

impl Chooser for Nothing {
    fn choose(&mut self, _: u64) -> u64 {
        0
    }
}

/// The run up to the first state in which a predicate is false.
fn violating(flat: &Flat, plan: &Plan, property: usize) -> Option<Trace> {
    let mut machine = Machine::new(flat);
    let is_false = |state: &Vec<Value>| flat.holds(&mut machine, property, state) == Ok(false);
    let length = plan.steps.iter().map(|step| &step.state).position(is_false)? + 1;
    let step = |made: &crate::walk::Planned| TraceStep {
        instance: made.instance,
        choices: vec![],
        state: made.state.clone(),
    };
    let steps = plan.steps[..length].iter().map(step).collect();
    Some(Trace { initial: plan.initial.clone(), steps, ..Trace::default() })
}

/// Whether the steps of an execution without one of them are possible and violate the property.
fn without(flat: &Flat, trace: &Trace, left_out: usize, property: usize) -> bool {
    let mut machine = Machine::new(flat);
    let mut state = trace.initial.clone();
    let kept = trace.steps.iter().enumerate().filter(|(at, _)| *at != left_out);
    for (_, step) in kept {
        if machine.step(flat, step.instance, &mut state, &mut Nothing) != Outcome::Done {
            return false;
        }
    }
    flat.holds(&mut machine, property, &state) == Ok(false)
}

#[test]
fn what_is_left_is_an_execution_that_violates_and_needs_every_step() {
    let prepared = prepared(BUSY);
    let flat = &prepared.flat;
    let (mut before, mut after, mut traces) = (0, 0, 0);
    for run in runs(&prepared, 40, 60) {
        let Ok(plan) = plan(&prepared, &run) else { panic!("a run of the model is none of the model") };
        for property in 0..flat.program.properties.len() {
            let Some(trace) = violating(flat, &plan, property) else { continue };
            let (why, engine) = (Why::False, "simulation");
            let found = Violated { trace: &trace, why, property: Some(property), engine };
            let aim = Aim::of(&prepared, &VerifyOptions::default(), &found).expect("it is an invariant");
            let short = minimised(flat, &trace, &aim);
            // Replayed on the rules of the language, with the claim that the predicate is false in the end.
            let data = written(&prepared, &short, Some(property)).expect("it can be made");
            let name = Some(flat.program.properties[property].name.as_str());
            let claim = swarmcheck_certify::Claim {
                property: name,
                why,
                bound: None,
                ignore_deadlock: false,
                states: 0,
            };
            assert!(prepared.model.violated(&prepared.file, &data, &claim).is_ok());
            for left_out in 0..short.steps.len() {
                assert!(!without(flat, &short, left_out, property), "step {left_out} is not needed");
            }
            before += trace.steps.len();
            after += short.steps.len();
            traces += 1;
        }
    }
    assert!(traces >= 60, "{traces}");
    assert!(after * 4 < before * 3, "{before} steps became {after}");
}
