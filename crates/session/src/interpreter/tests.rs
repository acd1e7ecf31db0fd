//! Random steps, runs as traces, and initial states that satisfy a predicate.

use super::*;
use crate::open::{ModelOptions, prepare};
use crate::replay::{ReplayAnswer, replay};

fn opened(name: &str, text: &str, parameters: &[(&str, &str)]) -> Prepared {
    let parameters = parameters.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
    let options = ModelOptions { parameters, ..ModelOptions::default() };
    prepare(name, text.as_bytes(), options).unwrap_or_else(|_| panic!("{name} cannot be opened"))
}

/// Goes through JSON, as a client's request does.
fn ask(interpreter: &mut Interpreter<'_>, request: &str) -> InterpreterReply {
    let reply = interpreter.handle(serde_json::from_str(request).unwrap());
    serde_json::from_str(&serde_json::to_string(&reply).unwrap()).unwrap()
}

/// The rules of the languages accept what was saved, another interpreter follows it to the same state, and the same seed gives the
/// same steps.
#[test]
fn a_random_run_is_saved_replayed_and_repeated() {
    let models: [(&str, &[(&str, &str)]); 4] = [
        ("flock/flock.labs", &[("birds", "2"), ("grid", "3"), ("delta", "2")]),
        ("rcheck-resources/resources.rcp", &[]),
        ("commit/thesis.ccs", &[]),
        ("travel/travel.chor", &[]),
    ];
    for (name, parameters) in models {
        let path = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
        #[allow(clippy::disallowed_methods)]
        let text = std::fs::read_to_string(path).unwrap();
        let prepared = opened(name, &text, parameters);
        let mut interpreter = Interpreter::new(&prepared, 1);
        let walk = |interpreter: &mut Interpreter<'_>, seed: u64| {
            let request = format!("{{\"request\":\"random\",\"steps\":12,\"seed\":{seed}}}");
            match ask(interpreter, &request) {
                InterpreterReply::Walked { steps, state, why } => (steps, state, why),
                other => panic!("{other:?}"),
            }
        };
        let (steps, state, why) = walk(&mut interpreter, 3);
        assert!(steps.len() == 12 && why == WalkEnd::Steps || why == WalkEnd::Deadlock, "{name}: {why:?}");
        assert!(steps.len() >= 3, "{name}");
        assert_eq!(state.step, steps.len());
        let InterpreterReply::Trace { trace } = ask(&mut interpreter, "{\"request\":\"trace\"}") else {
            panic!()
        };
        let deadlock = why == WalkEnd::Deadlock;
        match replay(&trace, name, text.as_bytes()) {
            Ok(ReplayAnswer::Accepted { steps: replayed, .. }) => assert_eq!(replayed, steps.len()),
            Ok(other) => panic!("{name}: {other:?}"),
            Err(_) => panic!("{name}"),
        }
        assert_eq!(trace.end == "deadlock", deadlock);
        let mut other = Interpreter::new(&prepared, 2);
        other.load_trace(&trace).unwrap();
        assert_eq!(other.go_to(steps.len()).unwrap().values, state.values, "{name}");
        // Back to the start, and the same again; steps that were taken back are no part of the run.
        interpreter.go_to(0).unwrap();
        assert_eq!(interpreter.trace().unwrap().steps, []);
        assert_eq!(walk(&mut interpreter, 3).0, steps);
        let mut different = false;
        for seed in 4..12 {
            interpreter.go_to(0).unwrap();
            different |= walk(&mut interpreter, seed).0 != steps;
        }
        assert!(different, "{name}: all seeds give the same run");
    }
}

const NUMBERS: &str = "system { spawn = A: 2 }
agent A { interface = n: 0..4; m: 0..4  Behavior = n < 3 -> n <- n + 1; Behavior }
assume { Order = forall A a, n of a <= m of a }";

fn cells(values: &[WriteData], name: &str) -> Vec<i64> {
    values.iter().filter(|w| w.variable == name).map(|w| w.value.unwrap()).collect()
}

/// The list is that of all initial states whose values, as they are told, satisfy the predicate.
#[test]
fn initial_states_satisfy_what_is_asked() {
    let prepared = opened("numbers.labs", NUMBERS, &[]);
    let mut interpreter = Interpreter::new(&prepared, 1);
    let all = interpreter.starts(1000, None).unwrap();
    // Ten pairs n <= m below 4 for each of two agents.
    assert_eq!((all.starts.len(), all.more), (100, false));
    let expected: Vec<_> =
        all.starts.iter().filter(|s| cells(s, "n").iter().all(|n| *n == 2)).cloned().collect();
    assert_eq!(expected.len(), 4);
    let request = "{\"request\":\"starts\",\"limit\":50,\"such_that\":\"forall A a, n of a = 2\"}";
    let InterpreterReply::Starts(found) = ask(&mut interpreter, request) else { panic!() };
    assert_eq!((&found.starts, found.more), (&expected, false));
    // Numbers are those of this list.
    let state = interpreter.start_at(3).unwrap();
    assert_eq!(state.values, expected[3]);
    assert_eq!(interpreter.start_at(4), Err(InterpreterRefusal::NoSuchStart));
    // A contradiction with the assumption, and a wrong predicate.
    let none = interpreter.starts(20, Some("exists A a, n of a > m of a")).unwrap();
    assert_eq!((none.starts.len(), none.more), (0, false));
    let Err(InterpreterRefusal::Predicate { diagnostics }) = interpreter.starts(20, Some("n of")) else {
        panic!()
    };
    assert!(!diagnostics.is_empty());
    interpreter.starts(20, None).unwrap();
    assert!(interpreter.start_at(50).is_ok());
}

/// There are 4^40 ways to begin; one that satisfies the predicate is found without trying them, and that there is none is proved.
#[test]
fn very_many_initial_states_are_no_obstacle() {
    let text = NUMBERS.replace("A: 2", "A: 20");
    let prepared = opened("numbers.labs", &text, &[]);
    let mut interpreter = Interpreter::new(&prepared, 1);
    let found = interpreter.starts(1, Some("forall A a, n of a = 3")).unwrap();
    assert_eq!(found.starts.len(), 1);
    assert_eq!(cells(&found.starts[0], "n"), [3; 20]);
    assert_eq!(cells(&found.starts[0], "m"), [3; 20]);
    let none = interpreter.starts(1, Some("exists A a, n of a > m of a")).unwrap();
    assert_eq!((none.starts.len(), none.more), (0, false));
}

/// The run stops in the first state that satisfies the predicate: no state on the way does.
#[test]
fn a_breakpoint_stops_a_random_run() {
    let text = NUMBERS.replace("n: 0..4", "n: 0");
    let prepared = opened("numbers.labs", &text, &[]);
    let mut interpreter = Interpreter::new(&prepared, 1);
    let (steps, state, why) = interpreter.random(100, 7, Some("exists A a, n of a = 2")).unwrap();
    assert_eq!(why, WalkEnd::Until);
    let reached = |state: &StateData| cells(&state.values, "n").contains(&2);
    assert!(reached(&state) && steps.len() >= 2);
    for step in (0..steps.len()).rev() {
        assert!(!reached(&interpreter.go_to(step).unwrap()), "step {step}");
    }
    // Every agent can count to 3: six steps in all, then none is possible.
    interpreter.go_to(0).unwrap();
    let (steps, _, why) = interpreter.random(100, 7, None).unwrap();
    assert_eq!((steps.len(), why), (6, WalkEnd::Deadlock));
    assert_eq!(interpreter.trace().unwrap().end, "deadlock");
}
