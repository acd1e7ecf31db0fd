//! What the program writes as JSON is documented: every field, and every word that a field may have.

mod common;

use common::{root, run};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

/// Names of fields, and words that tell variants apart. What is inside `beyond` has a page of its own.
fn vocabulary(value: &Json, beyond: &[&str], out: &mut BTreeSet<String>) {
    match value {
        Json::Object(fields) => {
            for (name, inner) in fields {
                out.insert(name.clone());
                if ["verdict", "kind", "why", "event", "of", "phase"].contains(&name.as_str())
                    && let Some(word) = inner.as_str().filter(|word| !word.contains(' '))
                {
                    out.insert(word.to_string());
                }
                if !beyond.contains(&name.as_str()) {
                    vocabulary(inner, beyond, out);
                }
            }
        }
        Json::Array(list) => list.iter().for_each(|inner| vocabulary(inner, beyond, out)),
        _ => {}
    }
}

fn undocumented(page: &str, words: &BTreeSet<String>) -> Vec<String> {
    let page = std::fs::read_to_string(root().join("docs/schema").join(page)).unwrap();
    words.iter().filter(|word| !page.contains(&format!("`{word}`"))).cloned().collect()
}

#[test]
fn reports_are_documented() {
    let mut words = BTreeSet::new();
    for arguments in [
        "examples/leader/leader.labs n=3 --deadlock",
        "examples/leader/leader.labs n=3 --engine ic3",
        "examples/leader/leader.labs n=3 --engine compose",
        "examples/flock/flock.labs birds=3 grid=5 delta=5 --memory 20M --engine explicit",
        "examples/boids/aw.labs birds=3 grid=5 delta=5 --fair --steps 3",
        "examples/stock/stock.chor --deadlock",
        "examples/commit/free.ccs",
        "examples/twophase/twophase.labs workers=1 --coverage --why",
        "examples/waiting/waiting.labs hasty=0 careful=2 -p Exclusion --engine ic3 --why",
    ] {
        let output = run(&format!("verify {arguments} --json"));
        let document: Json = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&document["format"], &document["version"]), (&"swarmcheck-report".into(), &2.into()));
        vocabulary(&document, &["trace", "parameters", "places"], &mut words);
    }
    assert!(words.len() >= 35, "{words:?}");
    assert_eq!(undocumented("report.md", &words), [""; 0]);
}

#[test]
fn test_documents_are_documented() {
    let wrong = common::scratch(
        "wrong.toml",
        b"version = 1\n[[model]]\nfile = \"no.labs\"\nproperties = [{ name = \"P\", expect = \"holds\" }]\n",
    );
    let mut words = BTreeSet::new();
    let wrong = format!("{}", wrong.display());
    for arguments in ["examples/leader n=3", "examples/leader n=3 --list", &wrong] {
        let output = run(&format!("test {arguments} --json"));
        let document: Json = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&document["format"], &document["version"]), (&"swarmcheck-test".into(), &1.into()));
        vocabulary(&document, &["trace", "parameters", "diagnostics"], &mut words);
    }
    assert!(words.len() >= 25, "{words:?}");
    assert_eq!(undocumented("test.md", &words), [""; 0]);
}

/// A worker is spoken to as another program would: in JSON lines.
#[test]
fn events_are_documented() {
    let model = std::fs::read_to_string(root().join("examples/leader/leader.labs")).unwrap();
    let begin = serde_json::json!({
        "message": "begin", "version": 1, "memory": null, "seconds": null, "directory": null,
        "request": {
            "do": "verify",
            "model": {
                "source": { "name": "leader.labs", "text": model },
                "parameters": [["n", "3"]], "fair": false, "semantics": "sliver", "choice": "late",
            },
            "options": { "deadlock": true },
        },
    });
    let mut worker = Command::new(env!("CARGO_BIN_EXE_swarmcheck"))
        .arg("worker")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = worker.stdin.take().unwrap();
    writeln!(input, "{begin}").unwrap();
    // While its input is open it works; it ends by itself when it is done.
    let output = worker.wait_with_output().unwrap();
    drop(input);
    let mut words = BTreeSet::new();
    let mut events = vec![];
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let event: Json = serde_json::from_str(line).unwrap();
        let inside = ["trace", "outcome", "notes", "effort", "certificate", "parameters", "diagnostics"];
        let mut own = BTreeSet::new();
        vocabulary(&event, &inside, &mut own);
        // What an answer has is on the page of reports.
        if event["event"] == "answer" {
            own = ["answer".to_string()].into();
        }
        words.extend(own);
        events.push(event["event"].as_str().unwrap().to_string());
    }
    assert!(events.iter().filter(|e| *e == "answer").count() == 5, "{events:?}");
    assert_eq!(events.last().map(String::as_str), Some("done"));
    assert_eq!(undocumented("events.md", &words), [""; 0]);
}
