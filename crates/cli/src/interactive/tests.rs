//! What the terminal prints, with an interpreter that is only reached through text.

use super::{End, interactive, words};
use swarmcheck_session::interpreter::InterpreterRefusal as Refusal;
use swarmcheck_session::interpreter::{Interpreter, InterpreterReply, InterpreterRequest, Misfit};
use swarmcheck_session::outcome::{FaultWord, ModelFault};
use swarmcheck_session::{ModelOptions, Prepared, prepare};

const MODEL: &str = "system { environment = a[2]: 0 spawn = A: 1 }
agent A { interface = i: [0..2] Behavior = i <- i + 1; a[i] <-- i; Behavior }
check { Low = always forall A x, i of x < 2 }";

fn open(text: &str) -> Prepared {
    prepare("model.labs", text.as_bytes(), ModelOptions::default()).unwrap_or_else(|_| panic!("{text}"))
}

/// A conversation in which every request and every reply is written down and read again.
fn talk(interpreter: &mut Interpreter<'_>, keys: &str) -> (End, String) {
    let mut ask = |request: InterpreterRequest| -> InterpreterReply {
        let sent = serde_json::to_string(&request).unwrap();
        let reply = interpreter.handle(serde_json::from_str(&sent).unwrap());
        serde_json::from_str(&serde_json::to_string(&reply).unwrap()).unwrap()
    };
    let mut out = vec![];
    let end = interactive(&mut ask, &mut keys.as_bytes(), &mut out).unwrap();
    (end, String::from_utf8(out).unwrap())
}

#[test]
fn a_conversation() {
    let prepared = open(MODEL);
    let (end, said) = talk(
        &mut Interpreter::new(&prepared, 1),
        "i\ni 1\n1\n1\ns\ng 1\ng 5\ng x\nb\nb\n9\nn\ni 7\n1 2\n?\nq\n",
    );
    assert_eq!(end, End::Left);
    let from = said.find("   1. a[0] <-- 0; a[1] <-- 0; A 0: i <- 0").expect("a list of initial states");
    let help = super::HELP;
    let expected = format!(
        "   1. a[0] <-- 0; a[1] <-- 0; A 0: i <- 0\n   2. A 0: i <- 1\nstep 1> initial values\n     a = [0, 0]\n     A 0: i = 0\n     \
         Low is true\n   1. A 0: i <- 1\nstep 1>   1. A 0, line 2: i <- i + 1\n     i of A 0: 0 → 1\n   \
         1. A 0: a[1] <-- 1\nstep 2>   2. A 0, line 2: a[i] <-- i\n     a[1]: 0 → 1\n   1. A 0: i <- 2\nstep 3>     \
         a[0] <-- 0\n    a[1] <-- 1\nA 0: i <- 1\nstep 3> <back to step 1>\n   1. A 0: a[1] <-- 1\nstep 2> the last step that can be gone to is step 1\nstep 2> \"x\" is \
         no number of a step; {help}\nstep 2> <back to step 0>\n   1. A 0: i <- 1\nstep 1> this is the initial state\n\
         step 1> there is no step \"9\"; {help}\nstep 1> there is no trace to follow; --walk FILE loads one\nstep 1> there is no \
         initial state \"7\"; i lists them\nstep 1> \"1 2\" is not understood; {help}\nstep 1> {help}\nstep 1> "
    );
    assert_eq!(&said[from..], expected);
}

#[test]
fn a_step_that_goes_wrong_ends_it() {
    let prepared = open(MODEL);
    let (end, said) = talk(&mut Interpreter::new(&prepared, 1), "i 2\n1\n1\n1\n");
    assert_eq!(end, End::Model);
    let place = "array index out of bounds at model.labs:2:56";
    assert!(said.contains(&format!("   1. A 0: model error: {place}\n")), "{said}");
    assert!(said.ends_with(&format!("<model error: {place}>\n")), "{said}");
    let (end, said) = talk(
        &mut Interpreter::new(
            &open(
                "system { spawn = A: 1 } agent A { interface = n: [0..2] Behavior = n <- 1 }\n\
         assume { Never = forall A a, n of a > 5 }",
            ),
            1,
        ),
        "",
    );
    let told = said.starts_with("no initial state satisfies the assumptions (Never at ");
    assert!(end == End::Model && told && said.ends_with(":2:18)\n"), "{said}");
}

/// Forward along a trace, over its end.
#[test]
fn going_to_a_step_of_a_trace() {
    let prepared = open("system { spawn = A: 1 } agent A { interface = n: 0 Behavior = n <- 1; n <- 2 }");
    let mut interpreter = Interpreter::new(&prepared, 1);
    let initial = interpreter.state().unwrap().values;
    let steps = vec![interpreter.take(0).unwrap().0, interpreter.take(0).unwrap().0];
    let trace = serde_json::json!({
        "format": "swarmcheck-trace", "version": 1, "model": "model.labs", "parameters": {}, "fair": false,
        "semantics": "sliver", "initial": initial, "steps": steps, "end": "deadlock",
    });
    interpreter.load_trace(&serde_json::from_value(trace).unwrap()).unwrap();
    let (_, said) = talk(&mut interpreter, "g 2\nn\ng 0\nn\n");
    let expected = "initial values\n     A 0: n = 0\n<a trace of 2 steps: n takes the next one>\n   1. A 0: n <- \
                    1\nstep 1> <on to step 2>\n<end of the trace>\n<deadlock>\nstep 3> the trace ends here\nstep 3> <back to step \
                    0>\n   1. A 0: n <- 1\nstep 1>   1. A 0, line 1: n <- 1\n     n of A 0: 0 → 1\n   1. A 0: n <- 2\nstep 2> \n";
    assert_eq!(said, expected);
}

#[test]
fn every_refusal_has_words() {
    let error = ModelFault {
        kind: FaultWord::Overflow,
        file: "a.labs".to_string(),
        line: 3,
        column: 4,
        detail: None,
    };
    let check = |refusal: Refusal, expected: &str| assert_eq!(words(&refusal), expected);
    check(Refusal::ModelError { error }, "model error: a number does not fit 64 bits at a.labs:3:4");
    check(Refusal::NoSuchChoice { choices: 3 }, "there are 3 steps");
    check(Refusal::LeftTrace, "this is not a state of the trace; b goes back");
    check(Refusal::NoSuchStart, "there is no such initial state");
    let misfit = |misfit| Refusal::TraceMisfit { misfit };
    check(misfit(Misfit::Start), "the trace does not fit the model: it has no such initial state");
    check(
        misfit(Misfit::Loop),
        "the trace does not fit the model: it does not come back to where it says it repeats",
    );
    check(misfit(Misfit::WrongStart), "the model has an error in its initial state");
    check(misfit(Misfit::ManyStarts { tried: 5 }), "none of the first 5 initial states is that of the trace");
}
