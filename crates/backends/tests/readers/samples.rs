//! The stored answers of CBMC 6.3.1 under `samples/cbmc`, whole and damaged. Nothing damaged is ever a success unless the
//! whole answer is one, and then only where what was damaged has no meaning.

use serde_json::Value as Json;
use swarmcheck_backends::c::{Assignment, CAnswer, Shown, Success, cbmc::read, text};

const HOLDS: &str = include_str!("../samples/cbmc/holds.json");
const VIOLATED: &str = include_str!("../samples/cbmc/violated.json");
const ERROR: &str = include_str!("../samples/cbmc/error.json");
const TRACE: &str = include_str!("../samples/cbmc/violated.trace.txt");

fn is_success(text: &str) -> bool {
    matches!(read(text), Ok(CAnswer::Successful(_)))
}

fn assignments(text: &str) -> Vec<Assignment> {
    let Ok(CAnswer::Failed(failures)) = read(text) else { panic!("a failure was expected") };
    assert_eq!(failures.len(), 1);
    assert_eq!(failures[0].description.as_deref(), Some("TotalBelow6"));
    let Shown::Assignments(assignments) = &failures[0].shown else { panic!("assignments") };
    assignments.clone()
}

/// The command lines are without `--unwinding-assertions`, so the success is one up to the bound only.
#[test]
fn verdicts() {
    assert_eq!(read(HOLDS), Ok(CAnswer::Successful(Success::Bounded)));
    assert_eq!(read(ERROR), Ok(CAnswer::Error("syntax error before '{'; PARSING ERROR".to_string())));
    assert!(matches!(read(VIOLATED), Ok(CAnswer::Failed(_))));
}

/// The program says which values these can be: the total starts at 1, and agents add 2, 1 and 2.
#[test]
fn steps_of_the_counterexample() {
    let all = assignments(VIOLATED);
    let of =
        |name: &str| -> Vec<&str> { all.iter().filter(|a| a.to == name).map(|a| a.text.as_str()).collect() };
    assert_eq!(of("start"), ["1u"]);
    assert_eq!(of("scheduled"), ["1", "1", "0"]);
    assert_eq!(of("return_value_nondet_bool$0"), ["FALSE", "TRUE", "FALSE"]);
    assert_eq!(of("total"), ["1", "3", "4", "6"]);
}

/// CBMC has printed the same counterexample twice, in two formats that are read by two readers.
#[test]
fn json_and_text_say_the_same() {
    let Ok(failure) = text::failure(TRACE) else { panic!("the text is not read") };
    assert_eq!(failure.description.as_deref(), Some("TotalBelow6"));
    assert_eq!(failure.shown, Shown::Assignments(assignments(VIOLATED)));
}

#[test]
fn cut_off() {
    for whole in [HOLDS, VIOLATED, ERROR] {
        let end = whole.trim_end().len();
        for cut in (0..end).step_by(97).chain(end - 40..end) {
            assert!(read(&whole[..cut]).is_err(), "cut at {cut}");
        }
    }
    for cut in (0..TRACE.find("Violated property").expect("the end")).step_by(97) {
        assert!(text::failure(&TRACE[..cut]).is_err(), "cut at {cut}");
    }
}

#[test]
fn not_json_at_all() {
    for text in
        ["", "\n", "null", "[]", "{}", "\"success\"", "VERIFICATION SUCCESSFUL", "[[]]", TRACE, "<xml/>"]
    {
        assert!(read(text).is_err(), "{text}");
    }
}

/// Every word that says how it went, changed to every other one.
#[test]
fn a_status_changed() {
    let words = ["success", "failure", "SUCCESS", "FAILURE", "UNKNOWN", "error", "inconclusive", ""];
    for whole in [HOLDS, VIOLATED] {
        for (from, to) in words.iter().flat_map(|from| words.iter().map(move |to| (from, to))) {
            let (from, to) = (format!("\"{from}\""), format!("\"{to}\""));
            for (at, _) in whole.match_indices(&from) {
                let text = format!("{}{to}{}", &whole[..at], &whole[at + from.len()..]);
                assert!(from == to || !is_success(&text), "{from} became {to}");
            }
        }
        for (from, to) in [("SUCCESSFUL", "FAILED"), ("FAILED", "SUCCESSFUL")] {
            let text = whole.replace(&format!("VERIFICATION {from}"), &format!("VERIFICATION {to}"));
            assert!(text == whole || read(&text).is_err(), "{from} became {to}");
        }
    }
}

/// Runs something on copies of a document with one field removed, wherever it is; the path is given for messages.
fn without_each_field(document: &Json, path: &str, run: &mut dyn FnMut(Json, &str)) {
    match document {
        Json::Object(fields) => {
            for (name, value) in fields {
                let path = format!("{path}/{name}");
                let mut less = fields.clone();
                less.remove(name);
                run(Json::Object(less), &path);
                without_each_field(value, &path, &mut |part, path| {
                    let mut changed = fields.clone();
                    changed.insert(name.clone(), part);
                    run(Json::Object(changed), path);
                });
            }
        }
        Json::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                without_each_field(item, &format!("{path}/{at}"), &mut |part, path| {
                    let mut changed = items.clone();
                    changed[at] = part;
                    run(Json::Array(changed), path);
                });
            }
        }
        _ => {}
    }
}

/// Only places in the C program can be missing from a success.
#[test]
fn a_field_missing_from_a_success() {
    let all: Json = serde_json::from_str(HOLDS).expect("JSON");
    let mut tried = 0;
    without_each_field(&all, "", &mut |document, path| {
        tried += 1;
        let harmless = path.contains("sourceLocation") || path.ends_with("/description");
        assert_eq!(is_success(&document.to_string()), harmless, "{path}");
    });
    assert_eq!(tried, HOLDS.matches("\": ").count(), "every field was removed once");
}

#[test]
fn a_field_missing_from_a_failure() {
    let all: Json = serde_json::from_str(VIOLATED).expect("JSON");
    without_each_field(&all, "", &mut |document, path| {
        assert!(!is_success(&document.to_string()), "{path}");
    });
}

#[test]
fn two_results_that_contradict_each_other() {
    let part = |text: &str, name: &str| -> Json {
        let all: Vec<Json> = serde_json::from_str(text).expect("a list");
        all.into_iter().find(|item| item.get(name).is_some()).expect("the part")
    };
    for (whole, other) in [(HOLDS, VIOLATED), (VIOLATED, HOLDS)] {
        for name in ["result", "cProverStatus"] {
            let all: Vec<Json> = serde_json::from_str(whole).expect("a list");
            for at in 1..=all.len() {
                let mut both = all.clone();
                both.insert(at, part(other, name));
                assert!(read(&Json::Array(both).to_string()).is_err(), "{name} at {at}");
            }
        }
    }
}
