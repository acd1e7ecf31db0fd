//! Walking along stored traces: what `verify` stores can be walked, and what was changed by hand cannot.

use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_session::interpreter::{Interpreter, InterpreterRefusal, Misfit};
use swarmcheck_session::simulate::{SimulateOptions, simulate};
use swarmcheck_session::verify::{Budget, Control, VerifyOptions, verify};
use swarmcheck_session::walk::plan;
use swarmcheck_session::{ModelOptions, Prepared, TraceFormat, prepare};

/// Two agents in step with each other; `Never` is violated after two steps, `Often` by going round.
const MODEL: &str = "
system { environment = turn: 0; spawn = A: 2 }
agent A {
  interface = seen: [0..1]
  Behavior = turn = id -> turn <-- 1 - id; seen <- 1; Behavior
}
check {
  Never = always forall A a, seen of a = 0
  Often = eventually forall A a, turn = 2
}";

fn open() -> Prepared {
    match prepare("model.labs", MODEL.as_bytes(), ModelOptions::default()) {
        Ok(prepared) => prepared,
        Err(_) => panic!("refused"),
    }
}

fn traces(prepared: &Prepared) -> Vec<TraceData> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let options = VerifyOptions { format: TraceFormat::Json, ..VerifyOptions::default() };
    let Ok(report) = verify(prepared, &options, &control) else { panic!("no such property") };
    report.answers.into_iter().filter_map(|answer| answer.trace).map(|shown| shown.data).collect()
}

/// A plan has a state per step, and each is what the program makes of the one before.
#[test]
fn what_was_found_can_be_walked() {
    let prepared = open();
    let traces = traces(&prepared);
    assert_eq!(traces.len(), 2, "both properties are violated");
    assert!(traces.iter().any(|t| t.loop_start.is_some()), "one of them for ever");
    for trace in &traces {
        let plan = plan(&prepared, trace).expect("a trace of this model");
        assert_eq!(plan.steps.len(), trace.steps.len());
        assert_eq!(plan.back_to, trace.loop_start);
        let mut states = vec![&plan.initial];
        states.extend(plan.steps.iter().map(|planned| &planned.state));
        if let Some(to) = plan.back_to {
            assert_eq!(states.first().map(|_| states[to]), states.last().copied());
        }
        let mut interpreter = Interpreter::new(&prepared, 1);
        assert_eq!(interpreter.next(), Err(InterpreterRefusal::NoTrace));
        let start = interpreter.load_trace(trace).expect("a trace of this model");
        assert_eq!((start.step, &start.values), (0, &trace.initial));
        for (number, told) in trace.steps.iter().enumerate() {
            let (step, state) = interpreter.next().expect("a step of the trace");
            assert_eq!((&step.what, &step.writes, state.step), (&told.what, &told.writes, number + 1));
            let place = state.trace.expect("a trace");
            assert!(place.followed && place.loop_start == trace.loop_start);
        }
        assert_eq!(interpreter.next(), Err(InterpreterRefusal::EndOfTrace));
    }
}

#[test]
fn what_was_changed_cannot() {
    let prepared = open();
    for trace in traces(&prepared) {
        let misfit = |change: &dyn Fn(&mut TraceData)| {
            let mut changed = trace.clone();
            change(&mut changed);
            plan(&prepared, &changed).expect_err("a trace that was changed")
        };
        let refused = |change: &dyn Fn(&mut TraceData)| drop(misfit(change));
        assert_eq!(misfit(&|t| t.initial[0].value = Some(5)), Misfit::Start);
        assert!(matches!(misfit(&|t| t.steps[0].what += "!"), Misfit::Step { number: 1, .. }));
        refused(&|t| t.steps[0].agent = 1 - t.steps[0].agent);
        refused(&|t| t.steps[0].writes[0].value = Some(7));
        refused(&|t| drop(t.steps.remove(0)));
        refused(&|t| t.steps[0].what = "turn <-- 9".to_string());
        if trace.loop_start.is_some() {
            assert_eq!(misfit(&|t| t.loop_start = Some(t.steps.len() + 3)), Misfit::Loop);
        }
    }
}

/// Ants wipe cells of a trail that may be clean already: several choices lead to the same state, but a trace tells which cell
/// was written.
#[test]
fn steps_that_change_nothing_are_found_again() {
    for (name, text, values) in [
        (
            "ants.labs",
            include_str!("../../../examples/ants/ants.labs"),
            [("ants", "1"), ("size", "3"), ("scent", "1")],
        ),
        (
            "predator.labs",
            include_str!("../../../examples/predator/predator.labs"),
            [("birds", "2"), ("grid", "4"), ("sight", "1")],
        ),
    ] {
        let parameters = values.map(|(name, value)| (name.to_string(), value.to_string())).to_vec();
        let options = ModelOptions { parameters, ..ModelOptions::default() };
        let Ok(prepared) = prepare(name, text.as_bytes(), options) else { panic!("{name} is refused") };
        let stop = AtomicBool::new(false);
        let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
        let mut written = vec![];
        let options =
            SimulateOptions { runs: 5, steps: 40, format: TraceFormat::Json, ..SimulateOptions::default() };
        simulate(&prepared, options, &control, &mut written).expect("a buffer takes everything");
        let written = String::from_utf8(written).expect("text");
        let traces: Vec<TraceData> =
            written.lines().map(|line| serde_json::from_str(line).expect("a trace")).collect();
        assert_eq!(traces.len(), 5);
        for trace in &traces {
            assert_eq!(
                plan(&prepared, trace).map(|plan| plan.steps.len()).ok(),
                Some(trace.steps.len()),
                "{name}"
            );
        }
    }
}
