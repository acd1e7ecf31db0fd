//! CBMC as a back end: what is asked, and what its answers become.

use crate::{asked, pretend, said_by, trace_of};
use serde_json::json;
use swarmcheck_external::Ended;
use swarmcheck_session::verify::Backend;

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
