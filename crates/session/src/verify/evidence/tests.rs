//! A violation that was found is told, whenever it is time to stop.

use super::*;
use crate::explain::tests::{BUSY, prepared};
use crate::minimise::tests::Impatient;
use crate::verify::Reductions;
use swarmcheck_engine::{Subject, Task, Verdict};
use swarmcheck_portfolio::ENGINES;

/// A counterexample with steps that are not needed: the Idler moves before every other step.
fn detour(prepared: &Prepared) -> Trace {
    let flat = &prepared.flat;
    let mut task = Task::new(flat).only(Subject::Property(0));
    task.reductions = Reductions::NONE;
    let never = Impatient::after(u64::MAX);
    let found = ENGINES[0].engine(None).run(&task, &never.control()).into_iter().next();
    let Some(Verdict::Violated(short, Why::False)) = found.map(|f| f.verdict) else {
        panic!("it is violated")
    };
    let mut machine = Machine::new(flat);
    let idler = flat.program.agents() - 1;
    let idles = (0..flat.instances()).map(|number| flat.instance(number)).find(|at| at.agent == idler);
    let idles = idles.expect("the Idler has an action");
    let mut trace = Trace { steps: vec![], ..short.clone() };
    let mut state = short.initial.clone();
    for step in &short.steps {
        for (instance, choices) in [(idles, &[][..]), (step.instance, &step.choices[..])] {
            let made = machine.step(flat, instance, &mut state, &mut Again::new(choices));
            assert_eq!(made, Ran::Done, "nobody else reads what the Idler writes");
            trace.steps.push(trace::TraceStep { instance, choices: choices.to_vec(), state: state.clone() });
        }
    }
    trace
}

#[test]
fn a_violation_is_told_whenever_it_is_time_to_stop() {
    let prepared = prepared(BUSY);
    let trace = detour(&prepared);
    let found = Violated { trace: &trace, why: Why::False, property: Some(0), engine: "bmc" };
    let options = VerifyOptions { traces: 3, ..VerifyOptions::default() };
    let told = |impatient: &Impatient| {
        let mut answer = Answer::open("Small", "", Reason::Interrupted);
        show_shortest(&prepared, &options, &found, &impatient.control(), &mut answer);
        let Outcome::Violated { evidence: Violation::Trace { length, .. } } = answer.outcome else {
            panic!("after {} looks: {:?}", impatient.looks(), answer.outcome)
        };
        assert!(answer.trace.is_some());
        length.steps
    };
    let patient = Impatient::after(u64::MAX);
    let shortest = told(&patient);
    assert!(shortest < trace.steps.len());
    let all = patient.looks();
    let lengths: Vec<usize> =
        (0..all).step_by((all as usize / 40).max(1)).map(|most| told(&Impatient::after(most))).collect();
    assert!(lengths.len() >= 5, "{lengths:?}");
    assert_eq!(lengths.first(), Some(&trace.steps.len()), "stopped at once, nothing was minimised");
}
