//! Answers of CBMC, whole and damaged.
//!
//! The files in `answers/` have the shape of what CBMC 6.3.1 prints, and are about the counters of `model.rs`.

use crate::model::counters;
use swarmcheck_backends::c::{CAnswer, Choices, Step, Success, cbmc::read};
use swarmcheck_backends::{Reading, Unreadable};

const HOLDS: &str = include_str!("answers/holds.json");
const VIOLATED: &str = include_str!("answers/violated.json");
const ERROR: &str = include_str!("answers/error.json");

fn translate(text: &str, flat: &swarmcheck_ir::flat::Flat, property: &str) -> Result<Reading, Unreadable> {
    swarmcheck_backends::c::translate(read(text)?, flat, property)
}

#[test]
fn a_success_is_a_success() {
    assert_eq!(read(HOLDS), Ok(CAnswer::Successful(Success::Bounded)));
    assert!(matches!(translate(HOLDS, &counters(), "Below"), Ok(Reading::Unknown(_))), "loops were cut off");
    let unbounded = HOLDS.replace("Use --unwinding-assertions", "Use something else");
    let Ok(CAnswer::Successful(Success::Complete { checked: Some(checked) })) = read(&unbounded) else {
        panic!("a success")
    };
    assert!(checked.iter().any(|words| words == "Below"), "{checked:?}");
    assert!(
        matches!(translate(&unbounded, &counters(), "Above"), Ok(Reading::Unknown(_))),
        "not what was asked"
    );
    assert_eq!(translate(&unbounded, &counters(), "Below"), Ok(Reading::Holds));
}

#[test]
fn an_error_is_an_error() {
    assert_eq!(read(ERROR), Ok(CAnswer::Error("syntax error before '{'; PARSING ERROR".to_string())));
    assert!(translate(ERROR, &counters(), "Below").is_err());
}

/// The counters start at 1 and 0; agent 1 adds 1; agent 0 adds 2 and reaches 3.
#[test]
fn a_counterexample_becomes_an_execution() {
    let Ok(CAnswer::Failed(failures)) = read(VIOLATED) else { panic!("a failure was expected") };
    assert_eq!(failures.len(), 1);
    assert_eq!(failures[0].description.as_deref(), Some("Below"));
    let steps = vec![
        Step { function: 0, agent: 1, choices: vec![] },
        Step { function: 1, agent: 0, choices: vec![2] },
    ];
    assert_eq!(failures[0].shown.choices(&counters()), Ok(Choices { initial: vec![1, 0], steps }));
    let Ok(Reading::Violated(way)) = translate(VIOLATED, &counters(), "Below") else { panic!("a violation") };
    assert_eq!(way.states, [[1, 0], [1, 1], [3, 1]]);
    assert!(translate(VIOLATED, &counters(), "Above").is_err(), "another property");
}

#[test]
fn what_else_may_fail_is_no_counterexample() {
    let other = VIOLATED
        .replace("\"description\": \"Below\"", "\"description\": \"model error: a number does not fit\"");
    assert!(matches!(translate(&other, &counters(), "Below"), Ok(Reading::Unknown(_))));
    let loops =
        VIOLATED.replace("\"description\": \"Below\"", "\"description\": \"unwinding assertion loop 0\"");
    assert!(matches!(translate(&loops, &counters(), "Below"), Ok(Reading::Unknown(_))));
}

/// An assertion that stands in two places may fail twice on one way: the first failure ends the execution.
#[test]
fn the_first_failure_of_a_trace_counts() {
    let mut all: serde_json::Value = serde_json::from_str(VIOLATED).expect("JSON");
    let result = all[3]["result"].as_array_mut().expect("the assertions");
    let at = result.iter().position(|entry| entry["status"] == "FAILURE").expect("a failure");
    let name = result[at]["property"].clone();
    let mut again = result[at].clone();
    again["property"] = "main.assertion.99".into();
    let trace = again["trace"].as_array_mut().expect("the trace");
    let mut last = trace.last().expect("the failure").clone();
    last["property"] = "main.assertion.99".into();
    let assignment =
        trace.iter().find(|step| step["lhs"] == "chosen_function").expect("an assignment").clone();
    trace.extend([assignment, last]);
    result.push(again);
    let text = all.to_string();
    let Ok(CAnswer::Failed(failures)) = read(&text) else { panic!("a failure was expected") };
    assert_eq!(failures.len(), 2);
    assert_eq!(failures[0], failures[1], "the second is cut off where the first ends");
    let Ok(Reading::Violated(way)) = translate(&text, &counters(), "Below") else { panic!("a violation") };
    assert_eq!(way.states, [[1, 0], [1, 1], [3, 1]]);
    let name = name.as_str().expect("a name");
    assert!(read(&text.replacen(&format!("\"property\":\"{name}\""), "\"property\":\"x\"", 1)).is_err());
}

/// An error of the model is told before a property that is violated as well.
#[test]
fn errors_of_the_model_come_first() {
    let mut all: serde_json::Value = serde_json::from_str(VIOLATED).expect("JSON");
    let result = all[3]["result"].as_array_mut().expect("the assertions");
    let mut error = result.iter().find(|entry| entry["status"] == "FAILURE").expect("a failure").clone();
    error["description"] = "model error: a number does not fit".into();
    error["property"] = "fault.assertion.2".into();
    if let Some(last) = error["trace"].as_array_mut().and_then(|trace| trace.last_mut()) {
        last["property"] = "fault.assertion.2".into();
    }
    result.push(error);
    let Ok(Reading::Unknown(why)) = translate(&all.to_string(), &counters(), "Below") else {
        panic!("invalid")
    };
    assert!(why.contains("model error"), "{why}");
}

/// No beginning of an answer is an answer.
#[test]
fn an_answer_that_was_cut_off_is_not_read() {
    for whole in [HOLDS, VIOLATED, ERROR] {
        let end = whole.trim_end().len();
        for cut in (0..end).filter(|at| whole.is_char_boundary(*at)) {
            assert!(read(&whole[..cut]).is_err(), "{}", &whole[..cut]);
        }
    }
}

/// Leaving out or repeating any part of a success makes it no success; a message without meaning may go.
#[test]
fn a_success_with_a_part_missing_or_repeated_is_none() {
    let all: Vec<serde_json::Value> = serde_json::from_str(HOLDS).expect("a list");
    for at in 0..all.len() {
        let mut without = all.clone();
        let gone = without.remove(at);
        let mut twice = all.clone();
        twice.insert(at, gone.clone());
        let harmless =
            gone["messageType"] == "WARNING" || gone["messageText"] == "Starting Bounded Model Checking";
        for damaged in [without, twice] {
            let text = serde_json::to_string(&damaged).expect("text");
            assert_eq!(read(&text).is_ok(), harmless, "{text}");
        }
    }
}

#[test]
fn contradictions_are_not_read() {
    let damaged = [
        HOLDS.replacen("\"SUCCESS\"", "\"FAILURE\"", 1),
        HOLDS.replacen("\"SUCCESS\"", "\"UNKNOWN\"", 1),
        HOLDS.replace("\"cProverStatus\": \"success\"", "\"cProverStatus\": \"failure\""),
        HOLDS.replace("\"cProverStatus\": \"success\"", "\"cProverStatus\": \"splendid\""),
        HOLDS.replace("VERIFICATION SUCCESSFUL", "VERIFICATION FAILED"),
        HOLDS.replace("\"STATUS-MESSAGE\"", "\"ERROR\""),
        HOLDS.replace("CBMC 6.3.1", "another program"),
        VIOLATED.replace("\"FAILURE\"", "\"SUCCESS\""),
        VIOLATED.replace("\"cProverStatus\": \"failure\"", "\"cProverStatus\": \"success\""),
        VIOLATED.replace("\"trace\"", "\"path\""),
        VIOLATED.replace("\"stepType\": \"failure\"", "\"stepType\": \"location-only\""),
        VIOLATED.replace("\"lhs\"", "\"rhs\""),
        VIOLATED.replace("\"width\": 32", "\"width\": 31"),
        VIOLATED.replacen("0000000000001\"", "000000000000x\"", 1),
        "[]".to_string(),
        "{}".to_string(),
        String::new(),
    ];
    for text in damaged {
        assert!(text != HOLDS && text != VIOLATED, "nothing was damaged");
        assert!(read(&text).is_err(), "{text}");
    }
    let nothing = HOLDS.replacen("\"result\": [", "\"result\": [], \"other\": [", 1);
    assert!(read(&nothing).is_err());
}

/// Choices that the model does not make are noticed when they are repeated.
#[test]
fn an_execution_that_the_model_does_not_have_is_not_read() {
    let flat = counters();
    let damaged = [
        // Nothing that was chosen is left.
        VIOLATED.replace("\"lhs\": \"chosen", "\"lhs\": \"other"),
        VIOLATED.replace("\"lhs\": \"chosen_agent\"", "\"lhs\": \"somebody\""),
        VIOLATED.replace("\"lhs\": \"chosen_function\"", "\"lhs\": \"something\""),
        VIOLATED.replace("\"lhs\": \"chosen\"", "\"lhs\": \"anything\""),
        VIOLATED.replace("\"data\": \"2u\"", "\"data\": \"1u\""),
        VIOLATED.replace("0000000010\",\n       \"data\": \"2u\"", "0000000111\",\n       \"data\": \"7u\""),
    ];
    for text in damaged {
        assert_ne!(text, VIOLATED);
        assert!(translate(&text, &flat, "Below").is_err(), "{text}");
    }
}

/// Without its last step the execution violates nothing.
#[test]
fn an_execution_that_violates_nothing_is_not_read() {
    let mut all: serde_json::Value = serde_json::from_str(VIOLATED).expect("JSON");
    let trace = all[3]["result"][1]["trace"].as_array_mut().expect("the trace");
    let last = trace.iter().rposition(|step| step["stepType"] == "loop-head").expect("the last step");
    let end = trace.len() - 1;
    trace.drain(last..end);
    let text = all.to_string();
    let Ok(CAnswer::Failed(failures)) = read(&text) else { panic!("still a failure") };
    assert_eq!(failures[0].shown.choices(&counters()).map(|c| c.steps.len()), Ok(1));
    assert!(translate(&text, &counters(), "Below").is_err());
}
