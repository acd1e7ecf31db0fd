//! CBMC as a back end, with a program in its place that answers what the test wants: what is asked, and what its answers
//! become.

use serde_json::json;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_external::{Ended, Job, Ran, Tools};
use swarmcheck_session::verify::{Answer, Backend, Budget, Control, VerifyOptions, verify_with};
use swarmcheck_session::{ModelOptions, Prepared, prepare};

/// A counter; `Low` is violated by two steps of the one agent.
const MODEL: &str = "
system { spawn = A: 1 }
agent A {
  interface = n: 0
  Behavior = n <- n + 1; Behavior
}
check { Low = always forall A a, n of a < 2 }";

struct Pretend {
    there: bool,
    ended: Ended,
    output: String,
    /// What it was given.
    program: String,
    arguments: Vec<String>,
}

impl Tools for Pretend {
    fn find(&self, program: &str) -> bool {
        self.there && program == "cbmc"
    }

    fn put(&mut self, _: &str, text: &str) -> Result<(), String> {
        self.program = text.to_string();
        Ok(())
    }

    fn get(&self, name: &str) -> Result<String, String> {
        Err(format!("there is no {name}"))
    }

    fn run(&mut self, job: &Job) -> Result<Ran, String> {
        self.arguments = job.arguments.clone();
        Ok(Ran { ended: self.ended, output: self.output.clone(), errors: String::new() })
    }
}

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

fn open() -> Prepared {
    match prepare("model.labs", MODEL.as_bytes(), ModelOptions::default()) {
        Ok(prepared) => prepared,
        Err(_) => panic!("refused"),
    }
}

fn asked(tools: &mut Pretend, backend: Backend, steps: Option<u32>) -> Answer {
    let prepared = open();
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget { memory: None }, progress: &Silent };
    let options = VerifyOptions { steps, ..VerifyOptions::default() };
    let Ok(mut report) = verify_with(&prepared, &options, backend, tools, &control) else {
        panic!("no such property")
    };
    report.answers.remove(0)
}

fn pretend(output: String, ended: Ended) -> Pretend {
    Pretend { there: true, ended, output, program: String::new(), arguments: vec![] }
}

#[test]
fn answers_become_verdicts_with_evidence() {
    let mut tools = pretend(said(2), Ended::Code(10));
    let answer = asked(&mut tools, Backend::Cbmc, Some(3));
    assert_eq!(answer.verdict.word(), "violated", "{}", answer.evidence);
    assert!(answer.evidence.starts_with("trace of 2 steps"), "{}", answer.evidence);
    assert!(tools.program.contains("__CPROVER_assert"), "{}", tools.program);
    assert!(tools.arguments.iter().any(|a| a == "--unwinding-assertions"), "{:?}", tools.arguments);
    let answer = asked(&mut pretend(said(0), Ended::Code(0)), Backend::Cbmc, Some(1));
    assert_eq!(answer.verdict.word(), "holds", "{}", answer.evidence);
    assert!(answer.evidence.contains("within 1 step only, says CBMC"), "{}", answer.evidence);
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
        assert_eq!(answer.verdict.word(), "unknown", "{}: {}", tools.output, answer.evidence);
    }
}

#[test]
fn what_is_missing_is_said() {
    let mut nothing = pretend(said(2), Ended::Code(10));
    nothing.there = false;
    for (backend, words) in [
        (Backend::Cbmc, "cbmc is not installed"),
        (Backend::Esbmc, "ESBMC is not installed"),
        (Backend::Cseq, "CSeq is not installed"),
        (Backend::Cadp, "CADP is not installed"),
        (Backend::Cpachecker, "CPAchecker is not installed"),
    ] {
        let answer = asked(&mut nothing, backend, Some(3));
        assert_eq!(answer.verdict.word(), "unknown");
        assert!(answer.evidence.contains(words), "{}", answer.evidence);
    }
    let unbounded = asked(&mut pretend(said(2), Ended::Code(10)), Backend::Cbmc, None);
    assert!(unbounded.evidence.contains("--steps"), "{}", unbounded.evidence);
}
