//! Dropping steps from random runs, against the rules and against brute force.

use super::drop::{Aim, minimised};
use super::*;
use crate::explain::tests::{BUSY, prepared, runs};
use crate::verify::written;
use crate::walk::{Plan, plan};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::trace::TraceStep;
use swarmcheck_engine::{Budget, Fairness, Progress, Snapshot};
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
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    for run in runs(&prepared, 40, 60) {
        let Ok(plan) = plan(&prepared, &run) else { panic!("a run of the model is none of the model") };
        for property in 0..flat.program.properties.len() {
            let Some(trace) = violating(flat, &plan, property) else { continue };
            let (why, engine) = (Why::False, "simulation");
            let found = Violated { trace: &trace, why, property: Some(property), engine };
            let aim = Aim::of(&prepared, &VerifyOptions::default(), &found).expect("it is an invariant");
            let short = minimised(flat, &trace, &aim, &control);
            // Replayed on the rules of the language, with the claim that the predicate is false in the end.
            let data = written(&prepared, &short, Some(property)).expect("it can be made");
            let name = Some(flat.program.properties[property].name.as_str());
            let claim = swarmcheck_certify::Claim {
                property: name,
                why,
                bound: None,
                ignore_deadlock: false,
                states: 0,
                fairness: Fairness::None,
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

/// Says that it is time to stop when it has been asked so often.
pub(crate) struct Impatient {
    pub(crate) stop: AtomicBool,
    looks: AtomicU64,
    most: u64,
}

impl Impatient {
    pub(crate) fn after(most: u64) -> Impatient {
        Impatient { stop: AtomicBool::new(most == 0), looks: AtomicU64::new(0), most }
    }

    pub(crate) fn control(&self) -> Control<'_> {
        Control { stop: &self.stop, budget: Budget::default(), progress: self }
    }

    pub(crate) fn looks(&self) -> u64 {
        self.looks.load(Ordering::Relaxed)
    }
}

impl Progress for Impatient {
    fn report(&self, _: Snapshot) {
        self.turn();
    }

    fn turn(&self) {
        if self.looks.fetch_add(1, Ordering::Relaxed) + 1 >= self.most {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Whenever it is time to stop, the execution so far is the answer: it violates, and nothing more is tried.
#[test]
fn dropping_ends_when_it_is_time_to_stop() {
    let prepared = prepared(BUSY);
    let flat = &prepared.flat;
    let (mut whole, mut cut, mut traces) = (0, 0, 0);
    for run in runs(&prepared, 10, 60) {
        let Ok(plan) = plan(&prepared, &run) else { panic!("a run of the model is none of the model") };
        let Some(trace) = violating(flat, &plan, 0) else { continue };
        let found = Violated { trace: &trace, why: Why::False, property: Some(0), engine: "simulation" };
        let aim = Aim::of(&prepared, &VerifyOptions::default(), &found).expect("it is an invariant");
        let short = minimised(flat, &trace, &aim, &Impatient::after(u64::MAX).control());
        let none = minimised(flat, &trace, &aim, &Impatient::after(0).control());
        assert_eq!(none.steps.len(), trace.steps.len(), "nothing is tried");
        for most in 1..6 {
            let impatient = Impatient::after(most);
            let so_far = minimised(flat, &trace, &aim, &impatient.control());
            let last = &so_far.steps.last().expect("the invariant holds at first").state;
            assert_eq!(flat.holds(&mut Machine::new(flat), 0, last), Ok(false));
            assert!(so_far.steps.len() >= short.steps.len());
            whole += short.steps.len();
            cut += so_far.steps.len();
        }
        traces += 1;
    }
    assert!(traces >= 5, "{traces}");
    assert!(cut > whole, "it never was time to stop");
}
