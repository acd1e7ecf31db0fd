//! Storm as a program of its own: a Python script that reads and writes JSON.

use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// A process and questions about it.
pub struct Case {
    pub drn: String,
    pub queries: Vec<String>,
}

/// An answer.
#[derive(Debug)]
pub enum Said {
    Value { value: f64, exact: String },
    Infinite,
    Error(String),
}

/// What Storm says. `None` if it is not installed.
pub fn storm(cases: &[Case]) -> Option<Vec<Vec<Said>>> {
    let python = std::env::var("SWARMCHECK_STORM").unwrap_or_else(|_| "python3".to_string());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/storm/ask.py");
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let cases: Vec<Value> =
        cases.iter().map(|case| json!({ "drn": case.drn, "queries": case.queries })).collect();
    let text = Value::from(cases).to_string();
    // A script that ends at once does not read.
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    if output.status.code() == Some(3) {
        return None;
    }
    assert!(output.status.success(), "the script fails: {}", output.status);
    // Storm writes warnings to the same stream, before the document.
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let document = said.lines().last().expect("a document");
    let read: Value = serde_json::from_str(document).expect("JSON");
    let all = |value: &Value| value.as_array().expect("a list").iter().map(one).collect();
    Some(read.as_array().expect("a list").iter().map(all).collect())
}

fn one(value: &Value) -> Said {
    match (value["value"].as_f64(), value["exact"].as_str(), value["error"].as_str()) {
        (_, _, Some(error)) => Said::Error(error.to_string()),
        (Some(value), Some(exact), _) => Said::Value { value, exact: exact.to_string() },
        (None, Some("inf"), _) => Said::Infinite,
        _ => Said::Error(format!("what is {value}?")),
    }
}
