//! The interpreter as a service: every request and every refusal, through JSON as a client in another process sees it.

#![allow(clippy::disallowed_methods, reason = "reads the examples")]

mod common;

use common::text as open_text;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::{Budget, Control, Silent};
use swarmcheck_session::interpreter::{
    ChoiceData, Interpreter, InterpreterRefusal, InterpreterReply, InterpreterRequest, StateData, StepData,
    TraceData, Truth, text,
};
use swarmcheck_session::outcome::FaultWord;
use swarmcheck_session::simulate::simulate;
use swarmcheck_session::{Prepared, SimulateOptions, TraceFormat, replay};

/// Two counters that go up to 2, from 0 or 1.
const COUNTERS: &str = "
system { spawn = A: 2 }
agent A {
  interface = n: [0..2]
  Behavior = n < 2 -> n <- n + 1; Behavior
}
check { Full = eventually forall A a, n of a = 2 }";

fn open(model: &str) -> Prepared {
    open_text("model.labs", model, "", false)
}

/// Asks as another process would: what is sent and what comes back is text.
fn ask(interpreter: &mut Interpreter<'_>, request: &str) -> InterpreterReply {
    let request: InterpreterRequest = serde_json::from_str(request).expect("a request");
    let again: InterpreterRequest =
        serde_json::from_str(&serde_json::to_string(&request).unwrap()).expect("a request");
    assert_eq!(request, again);
    let reply = interpreter.handle(request);
    let text = serde_json::to_string(&reply).unwrap();
    let back: InterpreterReply = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    assert_eq!(reply, back);
    back
}

fn state(reply: InterpreterReply) -> StateData {
    match reply {
        InterpreterReply::State { state } | InterpreterReply::Taken { state, .. } => state,
        other => panic!("no state: {other:?}"),
    }
}

fn refusal(reply: InterpreterReply) -> InterpreterRefusal {
    match reply {
        InterpreterReply::Refused { refusal } => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

fn numbers(state: &StateData) -> Vec<Option<i64>> {
    state.values.iter().map(|w| w.value).collect()
}

#[test]
fn every_request() {
    let prepared = open(COUNTERS);
    let mut interpreter = Interpreter::new(&prepared, 1);
    let InterpreterReply::Legend { legend } = ask(&mut interpreter, r#"{"request":"legend"}"#) else {
        panic!()
    };
    assert_eq!(legend.agent_name(1), "A 1");
    let first = state(ask(&mut interpreter, r#"{"request":"start_at","start":0}"#));
    assert_eq!((first.step, numbers(&first)), (0, vec![Some(0), Some(0)]));
    assert_eq!(first.properties[0].truth, Truth::False);
    assert_eq!(state(ask(&mut interpreter, r#"{"request":"state"}"#)), first);
    let InterpreterReply::Choices { choices } = ask(&mut interpreter, r#"{"request":"choices"}"#) else {
        panic!()
    };
    assert_eq!(choices.len(), 2, "both can count");
    let InterpreterReply::Taken { step, state: second } =
        ask(&mut interpreter, r#"{"request":"take","choice":1}"#)
    else {
        panic!()
    };
    assert!(matches!(&choices[1], ChoiceData::Step { step: offered, .. } if *offered == step));
    assert_eq!((second.step, numbers(&second)), (1, vec![Some(0), Some(1)]));
    assert_eq!(text::step_data(&legend, &step), "A 1: n <- 1\n");
    for _ in 0..3 {
        state(ask(&mut interpreter, r#"{"request":"take","choice":0}"#));
    }
    let last = state(ask(&mut interpreter, r#"{"request":"state"}"#));
    assert_eq!((last.step, &last.properties[0].truth), (4, &Truth::True));
    assert_eq!(
        ask(&mut interpreter, r#"{"request":"choices"}"#),
        InterpreterReply::Choices { choices: vec![] }
    );
    assert_eq!(state(ask(&mut interpreter, r#"{"request":"back"}"#)).step, 3);
    assert_eq!(state(ask(&mut interpreter, r#"{"request":"go_to","step":1}"#)), second);
    assert_eq!(state(ask(&mut interpreter, r#"{"request":"go_to","step":0}"#)), first);
    let InterpreterReply::Starts(starts) = ask(&mut interpreter, r#"{"request":"starts"}"#) else { panic!() };
    assert_eq!((starts.starts.len(), starts.more), (4, false), "each begins with 0 or 1");
    let InterpreterReply::Starts(starts) = ask(&mut interpreter, r#"{"request":"starts","limit":3}"#) else {
        panic!()
    };
    assert_eq!((starts.starts.len(), starts.more), (3, true));
    let other = state(ask(&mut interpreter, r#"{"request":"start_at","start":2}"#));
    assert_eq!(other.values, starts.starts[2]);
}

#[test]
fn every_refusal_leaves_the_state_alone() {
    let prepared = open(COUNTERS);
    let mut interpreter = Interpreter::new(&prepared, 1);
    state(ask(&mut interpreter, r#"{"request":"start_at","start":0}"#));
    let now = state(ask(&mut interpreter, r#"{"request":"state"}"#));
    let mut refused = |request: &str, expected: InterpreterRefusal| {
        assert_eq!(refusal(ask(&mut interpreter, request)), expected, "{request}");
        assert_eq!(state(ask(&mut interpreter, r#"{"request":"state"}"#)), now, "{request}");
    };
    refused(r#"{"request":"take","choice":2}"#, InterpreterRefusal::NoSuchChoice { choices: 2 });
    refused(r#"{"request":"back"}"#, InterpreterRefusal::AtStart);
    refused(r#"{"request":"go_to","step":1}"#, InterpreterRefusal::NoSuchStep { last: 0 });
    refused(r#"{"request":"next"}"#, InterpreterRefusal::NoTrace);
    refused(r#"{"request":"start_at","start":4}"#, InterpreterRefusal::NoSuchStart);
    for wrong in [r#"{"request":"jump"}"#, r#"{"request":"take"}"#, r#"{"request":"take","choice":-1}"#, "{}"]
    {
        assert!(serde_json::from_str::<InterpreterRequest>(wrong).is_err(), "{wrong}");
    }
}

/// Along a trace, away from it, and back.
#[test]
fn a_trace_is_followed() {
    let prepared = open(COUNTERS);
    let trace = run(&prepared, TraceFormat::Json, 7, 3);
    let trace: TraceData = replay::read(&trace).expect("a trace");
    let steps = trace.steps.len();
    assert!(steps >= 2);
    let load = |trace: &TraceData| {
        format!(r#"{{"request":"load_trace","trace":{}}}"#, serde_json::to_string(trace).unwrap())
    };
    let mut interpreter = Interpreter::new(&prepared, 99);
    let start = state(ask(&mut interpreter, &load(&trace)));
    assert_eq!(start.values, trace.initial);
    assert_eq!(start.trace.as_ref().map(|t| (t.steps, t.followed)), Some((steps, true)));
    let end = state(ask(&mut interpreter, &format!(r#"{{"request":"go_to","step":{steps}}}"#)));
    assert_eq!(end.step, steps, "going on along the trace");
    assert_eq!(refusal(ask(&mut interpreter, r#"{"request":"next"}"#)), InterpreterRefusal::EndOfTrace);
    let too_far = format!(r#"{{"request":"go_to","step":{}}}"#, steps + 1);
    assert_eq!(refusal(ask(&mut interpreter, &too_far)), InterpreterRefusal::NoSuchStep { last: steps });
    state(ask(&mut interpreter, r#"{"request":"go_to","step":0}"#));
    let InterpreterReply::Choices { choices } = ask(&mut interpreter, r#"{"request":"choices"}"#) else {
        panic!()
    };
    let other = choices.iter().position(|c| match c {
        ChoiceData::Step { step, .. } => step.writes != trace.steps[0].writes,
        ChoiceData::ModelError { .. } => false,
    });
    let other = other.expect("two agents can act");
    let left = state(ask(&mut interpreter, &format!(r#"{{"request":"take","choice":{other}}}"#)));
    assert_eq!(left.trace.map(|t| t.followed), Some(false));
    assert_eq!(refusal(ask(&mut interpreter, r#"{"request":"next"}"#)), InterpreterRefusal::LeftTrace);
    state(ask(&mut interpreter, r#"{"request":"back"}"#));
    let before = state(ask(&mut interpreter, r#"{"request":"go_to","step":1}"#));
    let mut wrong = trace.clone();
    wrong.steps[0].what = "n <- 7".to_string();
    assert!(matches!(refusal(ask(&mut interpreter, &load(&wrong))), InterpreterRefusal::TraceMisfit { .. }));
    assert_eq!(state(ask(&mut interpreter, r#"{"request":"state"}"#)), before, "the old trace stays");
}

#[test]
fn errors_of_the_model_have_a_place() {
    let out = "system { environment = a[2]: 0 spawn = A: 1 }\n\
               agent A { interface = i: 1 Behavior = i <- i + 1; a[i] <-- 1 }";
    let prepared = open(out);
    let mut interpreter = Interpreter::new(&prepared, 1);
    let now = state(ask(&mut interpreter, r#"{"request":"take","choice":0}"#));
    let InterpreterReply::Choices { choices } = ask(&mut interpreter, r#"{"request":"choices"}"#) else {
        panic!()
    };
    let ChoiceData::ModelError { agent: 0, error } = &choices[0] else { panic!("{choices:?}") };
    assert_eq!((error.kind, error.line, error.column), (FaultWord::IndexOutOfBounds, 2, 51));
    let refused = refusal(ask(&mut interpreter, r#"{"request":"take","choice":0}"#));
    assert_eq!(refused, InterpreterRefusal::ModelError { error: error.clone() });
    assert_eq!(state(ask(&mut interpreter, r#"{"request":"state"}"#)), now);
}

/// Without a state there is nothing to do, but the names are known.
#[test]
fn without_an_initial_state_everything_is_refused() {
    let prepared = open(
        "system { spawn = A: 1 } agent A { interface = n: [0..2] Behavior = n <- 1 }\n\
         assume { Never = forall A a, n of a > 5 }",
    );
    let mut interpreter = Interpreter::new(&prepared, 1);
    assert!(matches!(ask(&mut interpreter, r#"{"request":"legend"}"#), InterpreterReply::Legend { .. }));
    for request in [
        r#"{"request":"state"}"#,
        r#"{"request":"choices"}"#,
        r#"{"request":"take","choice":0}"#,
        r#"{"request":"back"}"#,
        r#"{"request":"go_to","step":0}"#,
        r#"{"request":"next"}"#,
        r#"{"request":"starts"}"#,
        r#"{"request":"start_at","start":0}"#,
    ] {
        let InterpreterRefusal::NoInitialState { assumptions } = refusal(ask(&mut interpreter, request))
        else {
            panic!("{request} is not refused for want of an initial state")
        };
        let places: Vec<_> = assumptions.iter().map(|a| (a.name.as_str(), a.line, a.column)).collect();
        assert_eq!(places, [("Never", 2, 18)], "{request}");
    }
}

fn run(prepared: &Prepared, format: TraceFormat, seed: u64, steps: u64) -> String {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let options =
        SimulateOptions { steps, runs: 1, seed, format, traces: true, ..SimulateOptions::default() };
    let mut out = vec![];
    simulate(prepared, options, &control, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The example models with the parameters of the first line of their expected verdicts.
fn examples() -> Vec<Prepared> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root).unwrap().map(|e| e.unwrap().path()).collect();
    folders.sort();
    let mut known: Vec<PathBuf> = vec![];
    let mut out = vec![];
    for folder in folders {
        let table = std::fs::read_to_string(folder.join("verdicts")).unwrap_or_default();
        for line in table.lines().filter(|l| !l.starts_with('#') && l.contains('|')) {
            let fields: Vec<&str> = line.split('|').map(str::trim).collect();
            let path = folder.join(fields[0]);
            if !known.contains(&path) {
                let model = std::fs::read_to_string(&path).unwrap();
                out.push(open_text(&path.display().to_string(), &model, fields[1], false));
                known.push(path);
            }
        }
    }
    assert!(out.len() >= 25, "only {} examples", out.len());
    out
}

/// A trace that went through JSON and a legend is printed as the program itself prints it.
#[test]
fn data_is_printed_as_the_program_prints() {
    let mut steps = 0;
    for prepared in examples() {
        let legend = Interpreter::new(&prepared, 1).legend();
        for seed in 0..3 {
            let trace: TraceData =
                replay::read(&run(&prepared, TraceFormat::Json, seed, 40)).expect("a trace");
            let mut printed = text::initial_data(&legend, &trace.initial);
            trace.steps.iter().for_each(|step: &StepData| printed += &text::step_data(&legend, step));
            let expected = run(&prepared, TraceFormat::Sliver, seed, 40);
            let about_steps = |line: &&str| !line.starts_with("<property ") && *line != "<deadlock>";
            let expected: Vec<&str> = expected.lines().filter(about_steps).collect();
            assert_eq!(printed.lines().collect::<Vec<_>>(), expected, "{}", prepared.file.name());
            steps += trace.steps.len();
        }
    }
    assert!(steps > 1000, "only {steps} steps");
}

/// Random walks: what is offered is what happens, going back undoes everything, and taking the same choices leads to the
/// same states.
#[test]
fn walks_can_be_undone_and_repeated() {
    for prepared in examples() {
        let mut interpreter = Interpreter::new(&prepared, 5);
        let mut states = vec![interpreter.state().expect("a state")];
        let mut taken = vec![];
        let mut random = 1u64;
        for _ in 0..12 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let choices = interpreter.choices().expect("choices");
            if choices.is_empty() {
                break;
            }
            let number = (random >> 33) as usize % choices.len();
            let ChoiceData::Step { step: offered, .. } = &choices[number] else { break };
            let (step, state) = interpreter.take(number).expect("a step");
            assert_eq!(step, *offered, "{}", prepared.file.name());
            assert_eq!((state.step, &state.pending), (taken.len() + 1, &step.pending));
            states.push(state);
            taken.push(number);
        }
        for expected in states.iter().rev().skip(1) {
            assert_eq!(interpreter.back().expect("a step back"), *expected);
        }
        for (number, expected) in taken.iter().zip(&states[1..]) {
            assert_eq!(interpreter.take(*number).expect("the same step").1, *expected);
        }
        for (step, expected) in states.iter().enumerate().rev() {
            assert_eq!(interpreter.go_to(step).expect("a step on the way"), *expected);
        }
    }
}
