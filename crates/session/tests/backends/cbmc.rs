//! CBMC as a back end: what is asked, and what its answers become.

use crate::{about_model, asked, pretend, said_by, trace_of};
use serde_json::json;
use swarmcheck_backends::Ended;
use swarmcheck_session::outcome::FaultWord;
use swarmcheck_session::verify::{Backend, Outcome};
use swarmcheck_session::{ModelOptions, prepare};

/// What CBMC prints about so many steps of the agent: the property fails after them, or holds if there are none.
fn said(steps: usize) -> String {
    let assign = |name: &str, value: u32| {
        json!({"stepType": "assignment", "assignmentType": "variable", "hidden": false, "internal": false, "lhs": name,
               "mode": "C", "thread": 0, "sourceLocation": {"file": "emulation.c", "function": "main", "line": "1"},
               "value": {"binary": format!("{value:032b}"), "data": format!("{value}u"), "name": "integer",
                         "type": "unsigned int", "width": 32}})
    };
    let mut trace: Vec<_> =
        (0..steps).flat_map(|_| [assign("chosen_function", 0), assign("chosen_agent", 0)]).collect();
    trace.push(json!({"stepType": "failure", "hidden": false, "internal": false, "thread": 0,
                      "property": "main.assertion.1", "reason": "Low",
                      "sourceLocation": {"file": "emulation.c", "function": "main", "line": "9"}}));
    let mut result = json!({"description": "Low", "property": "main.assertion.1", "status": "SUCCESS"});
    if steps > 0 {
        result["status"] = json!("FAILURE");
        result["trace"] = json!(trace);
    }
    let (words, status) =
        if steps > 0 { ("VERIFICATION FAILED", "failure") } else { ("VERIFICATION SUCCESSFUL", "success") };
    json!([
        {"program": "CBMC 6.3.1 (cbmc-6.3.1)"},
        {"messageText": "Starting Bounded Model Checking", "messageType": "STATUS-MESSAGE"},
        {"result": [result]},
        {"messageText": words, "messageType": "STATUS-MESSAGE"},
        {"cProverStatus": status}
    ])
    .to_string()
}

#[test]
fn answers_become_verdicts_with_evidence() {
    let mut tools = pretend(said(2), Ended::Code(10));
    let answer = asked(&mut tools, Backend::Cbmc, Some(3));
    assert_eq!(answer.verdict().word(), "violated", "{}", answer.evidence());
    assert_eq!(answer.outcome, trace_of(2));
    assert!(tools.program.contains("__CPROVER_assert"), "{}", tools.program);
    assert!(tools.arguments().contains("--unwinding-assertions"), "{}", tools.arguments());
    let answer = asked(&mut pretend(said(0), Ended::Code(0)), Backend::Cbmc, Some(1));
    assert_eq!(answer.verdict().word(), "holds", "{}", answer.evidence());
    assert_eq!(answer.outcome, said_by("CBMC", Some(1)));
}

/// The property is violated by the first step, and the third writes behind the array: the model is invalid, and the trace shows it.
#[test]
fn an_error_of_the_model_comes_first() {
    let model = b"system { environment = cells[2]: 0  spawn = A: 1 }
agent A {
  interface = n: 0
  Behavior = n < 3 -> { cells[n] <-- 1; n <- n + 1 }; Behavior
}
check { Low = always forall A a, n of a < 1 }
";
    let Ok(prepared) = prepare("model.labs", model, ModelOptions::default()) else { panic!("refused") };
    let result = |steps: usize| {
        let all: serde_json::Value = serde_json::from_str(&said(steps)).expect("JSON");
        all[2]["result"][0].clone()
    };
    let mut error = result(3);
    error["description"] = json!("model error: array index out of bounds");
    error["property"] = json!("fault.assertion.1");
    let trace = error["trace"].as_array_mut().expect("a trace");
    let mut first = trace[6].clone();
    trace[6]["property"] = json!("fault.assertion.1");
    let mut answer: serde_json::Value = serde_json::from_str(&said(1)).expect("JSON");
    answer[2]["result"] = json!([result(1), error.clone()]);
    let asked = |answer: &serde_json::Value| {
        let mut tools = pretend(answer.to_string(), Ended::Code(10));
        about_model(&prepared, &mut tools, Backend::Cbmc, "Low", Some(4))
    };
    let found = asked(&answer);
    let Outcome::ModelError { error: fault, .. } = &found.outcome else { panic!("{}", found.evidence()) };
    assert_eq!(fault.kind, FaultWord::IndexOutOfBounds, "{}", found.evidence());
    // CBMC goes on where the property fails, so the way to the error may show that as well.
    first["property"] = json!("main.assertion.1");
    error["trace"].as_array_mut().expect("a trace").insert(2, first);
    answer[2]["result"] = json!([result(1), error]);
    let found = asked(&answer);
    assert!(matches!(found.outcome, Outcome::ModelError { .. }), "{}", found.evidence());
}

/// One step is not enough to violate the property, whatever CBMC says; texts that were cut off or do not fit the exit code
/// are no answers.
#[test]
fn answers_that_are_wrong_are_no_verdicts() {
    let whole = said(2);
    let cases = [
        pretend(said(1), Ended::Code(10)),
        pretend(whole[..whole.len() - 3].to_string(), Ended::Code(10)),
        pretend(whole.replace("\"Low\"", "\"High\""), Ended::Code(10)),
        pretend(whole.replace("\"failure\"", "\"success\""), Ended::Code(10)),
        pretend(String::new(), Ended::Code(0)),
        pretend(said(0), Ended::Killed),
        pretend(said(0), Ended::Code(1)),
        pretend(said(0), Ended::TimeLimit),
    ];
    for mut tools in cases {
        let answer = asked(&mut tools, Backend::Cbmc, Some(3));
        assert_eq!(answer.verdict().word(), "unknown", "{}: {}", tools.output, answer.evidence());
    }
}
