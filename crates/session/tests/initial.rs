//! Initial states under assumptions, as the façade tells of them.

use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_session::interpreter::{Interpreter, InterpreterReply, InterpreterRequest};
use swarmcheck_session::simulate::{SimulationEnd, SimulationReport, simulate};
use swarmcheck_session::{
    Budget, Control, ModelOptions, Prepared, SimulateOptions, TraceFormat, prepare, words,
};

fn open(text: &str) -> Prepared {
    prepare("crowd.labs", text.as_bytes(), ModelOptions::default()).ok().expect("a model")
}

/// So many agents on different cells of a square.
fn apart(agents: usize, side: usize) -> Prepared {
    open(&format!(
        "system {{ spawn = A: {agents} }}\n\
         agent A {{ interface = x: 0..{side}; y: 0..{side}  Behavior = x <- y }}\n\
         assume {{ Apart = forall A a, forall A b, a = b or x of a != x of b or y of a != y of b }}"
    ))
}

fn run(prepared: &Prepared, stop: bool) -> (SimulationReport, String) {
    let stop = AtomicBool::new(stop);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let options = SimulateOptions {
        steps: 1,
        runs: 2,
        seed: 5,
        format: TraceFormat::Json,
        traces: true,
        ..SimulateOptions::default()
    };
    let mut out = vec![];
    let report = simulate(prepared, options, &control, &mut out).expect("a buffer takes everything");
    (report, String::from_utf8(out).expect("text"))
}

#[test]
fn a_simulation_says_that_its_start_is_not_uniform() {
    let (report, traces) = run(&apart(16, 4), false);
    assert_eq!((report.end.clone(), report.runs, report.searched_starts), (SimulationEnd::Complete, 2, 2));
    assert_eq!(traces.matches("\"searched_start\":true").count(), 2, "{traces}");
    assert!(words::simulation(&report)[1].contains("some initial states are more likely than others"));
    let data = serde_json::to_string(&report).expect("data");
    assert!(data.contains("\"searched_starts\":2"), "{data}");

    let (report, traces) = run(&apart(2, 4), false);
    assert_eq!((report.runs, report.searched_starts), (2, 0));
    assert!(!traces.contains("searched_start"), "{traces}");
    assert_eq!(words::simulation(&report).len(), 1);
}

#[test]
fn no_initial_state_is_told_with_its_place() {
    let (report, _) = run(&apart(5, 2), false);
    let SimulationEnd::NoInitialState { assumptions } = &report.end else { panic!("{:?}", report.end) };
    assert_eq!((assumptions[0].name.as_str(), assumptions[0].line, assumptions[0].column), ("Apart", 3, 18));
    let said = "no initial state satisfies the assumptions (Apart at crowd.labs:3:18)";
    assert_eq!(words::simulation(&report), [said]);
}

/// Time limits and Ctrl-C set a flag.
#[test]
fn a_flag_ends_the_search() {
    let (report, _) = run(&apart(16, 4), true);
    assert_eq!(report.end, SimulationEnd::Interrupted);
}

/// There are 16! initial states: the list is cut, and any of them can be taken.
#[test]
fn the_interpreter_lists_the_first_of_many_initial_states() {
    let prepared = apart(16, 4);
    let mut interpreter = Interpreter::new(&prepared, 1);
    let reply = interpreter.handle(InterpreterRequest::Starts { limit: 7, such_that: None });
    let InterpreterReply::Starts(starts) = reply else { panic!("{reply:?}") };
    assert_eq!((starts.starts.len(), starts.more), (7, true));
    let reply = interpreter.handle(InterpreterRequest::StartAt { start: 6 });
    let InterpreterReply::State { state } = reply else { panic!("{reply:?}") };
    assert_eq!(state.values, starts.starts[6]);
    let few = apart(2, 1 + 1);
    let reply = Interpreter::new(&few, 1).handle(InterpreterRequest::Starts { limit: 12, such_that: None });
    let InterpreterReply::Starts(starts) = reply else { panic!("{reply:?}") };
    assert_eq!((starts.starts.len(), starts.more), (12, false));
}

/// A trace of one of very many initial states is followed from that state, which is not looked for among the others.
#[test]
fn a_trace_finds_its_initial_state() {
    let prepared = apart(16, 4);
    let (_, traces) = run(&prepared, false);
    let trace = traces.lines().next().map(serde_json::from_str).expect("a line").expect("a trace");
    let mut interpreter = Interpreter::new(&prepared, 9);
    let reply = interpreter.handle(InterpreterRequest::LoadTrace { trace: Box::new(trace) });
    assert!(matches!(reply, InterpreterReply::State { .. }), "{reply:?}");
}
