//! `--json` and `--events` of every command: standard output has JSON that its schema accepts, and nothing else.

use crate::common::{root, run, scratch, swarmcheck};
use crate::schema::{check, errors};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::process::Stdio;

/// Runs a command with `--json`, and checks its exit code and its document.
#[track_caller]
fn document(arguments: &str, code: i32, schema: &str) -> Json {
    let output = run(&format!("{arguments} --json"));
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(code), "{arguments}: {out}{err}");
    let document: Json =
        serde_json::from_str(&out).unwrap_or_else(|e| panic!("{arguments}: {e}: {out}{err}"));
    assert_eq!(err, "", "{arguments}");
    check(schema, &document);
    document
}

fn path(name: &str, text: &str) -> String {
    scratch(name, text.as_bytes()).display().to_string()
}

const LEADER: &str = "examples/leader/leader.labs n=3";

/// The variable can be 3, so that the property is violated if this is less.
fn count(name: &str, most: u32) -> String {
    let text = "system { spawn = A: 1 }\nagent A {\n  interface = x: 0\n  Behavior = x < 3 -> x <- x + 1; Behavior\n}\n";
    path(name, &format!("{text}check {{\n  Small = always forall A a, x of a <= {most}\n}}\n"))
}

#[test]
fn check_and_show() {
    let fine = document(&format!("check {LEADER}"), 0, "check");
    assert_eq!((&fine["errors"], &fine["diagnostics"]), (&json!(0), &json!([])));
    let wrong = document("check examples/leader/leader.labs", 6, "check");
    assert_eq!((&wrong["errors"], &wrong["diagnostics"][0]["code"]), (&json!(1), &json!("E0401")));
    // The form beside an editor needs the parameters most when they have no values yet.
    let outline = &wrong["outline"];
    assert_eq!((&outline["language"], &outline["parameters"][0]["name"]), (&json!("labs"), &json!("n")));
    assert_eq!(outline["properties"], fine["outline"]["properties"]);
    assert_eq!(
        (&outline["agents"][0]["count"], &fine["outline"]["agents"][0]["count"]),
        (&json!(null), &json!(3))
    );
    let bytes = scratch("bytes.labs", b"system { \xff }").display().to_string();
    assert_eq!(document(&format!("check {bytes}"), 6, "check")["errors"], 1);
    assert_eq!(document(&format!("verify {bytes}"), 6, "error")["diagnostics"][0]["severity"], "error");
    for shape in ["triples", "dot", "emulation", "svg", "network"] {
        let shown = document(&format!("show {LEADER} --as {shape}"), 0, "shape");
        let plain = run(&format!("show {LEADER} --as {shape}"));
        assert_eq!(shown["text"], String::from_utf8(plain.stdout).unwrap(), "the same text as for people");
    }
    assert_eq!(document(&format!("show {LEADER} --as peers"), 2, "error")["error"]["kind"], "usage");
}

/// What was put together is in the documents of `lts` and `verify`, and in a file of its own.
#[test]
fn compositions_are_told() {
    let explored = document(&format!("lts {LEADER} --minimise divbranching"), 0, "lts");
    assert_eq!(explored["composition"], json!(null));
    let composed = document(&format!("lts {LEADER} --compose"), 0, "lts");
    assert_eq!((&composed["whole"], &composed["minimise"]), (&json!(null), &json!("divbranching")));
    assert_eq!(composed["minimised"], explored["minimised"]);
    assert!(composed["composition"]["nodes"].as_array().unwrap().len() >= 3);
    let file = path("composition.json", "");
    let verify = format!("verify {LEADER} --engine compose -p LeaderIs0,ElectionSettles");
    let report = document(&format!("{verify} --composition {file}"), 0, "report");
    assert_eq!(report["results"][0]["outcome"]["evidence"]["kind"], "composed");
    let written: Json = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    check("composition", &written);
    for at in 0..2 {
        let (own, other) = (&written["results"][at], &report["results"][at]);
        assert_eq!((&own["property"], &own["composition"]), (&other["property"], &other["composition"]));
    }
    let error = document(&format!("{verify} --composition {file}.html"), 2, "error");
    assert!(error["error"]["message"].as_str().unwrap().contains(".svg"), "{error}");
    // What cannot be put together is told as data.
    let grows =
        "system { spawn = A: 1 }\nagent A {\n  interface = x: 0\n  Behavior = x <- x + 1; Behavior\n}\n";
    let refused = document(&format!("lts {} --compose", path("grows.labs", grows)), 2, "error");
    assert_eq!(refused["error"]["kind"], "not_composed");
    assert!(refused["error"]["message"].as_str().unwrap().contains("without --compose"), "{refused}");
}

/// Each ending is a format; what is written holds all properties. An old file stays if there is nothing to write.
#[test]
fn reports_about_compositions() {
    let verify = format!("verify {LEADER} -p LeaderIs0,ElectionSettles");
    for (ending, expected) in [("svg", "<svg "), ("md", "## LeaderIs0"), ("txt", "LeaderIs0: 4 processes")] {
        let file = path(&format!("composed.{ending}"), "old");
        let explicit = run(&format!("{verify} --engine explicit --composition {file}"));
        assert_eq!(explicit.status.code(), Some(0));
        assert!(String::from_utf8(explicit.stderr).unwrap().contains("--engine compose"));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "old");
        let output = run(&format!("{verify} --engine compose --composition {file}"));
        assert_eq!(output.status.code(), Some(0));
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.starts_with(expected), "{text}");
        assert_eq!(text.matches("whole system").count() % 2, 0, "{text}");
        assert!(text.contains("ElectionSettles") && text.contains("Node 2"), "{text}");
    }
    let told = run(&format!("{verify} --engine compose -v"));
    let told = String::from_utf8(told.stdout).unwrap();
    assert_eq!(told.matches("\nwhole system").count(), 4, "in the table and the tree of both: {told}");
}

/// Which executions count is in the report, in its questions and in its traces.
#[test]
fn fairness_is_told() {
    let forks = "verify examples/fairness/forks.labs n=2 -p EverybodyEats";
    let all = document(forks, 10, "report");
    assert_eq!((&all["fairness"], &all["results"][0]["trace"]["fairness"]), (&json!("none"), &json!(null)));
    let weak = document(&format!("{forks} --fairness weak"), 10, "report");
    assert_eq!(
        (&weak["fairness"], &weak["results"][0]["trace"]["fairness"]),
        (&json!("weak"), &json!("weak"))
    );
    assert_eq!(weak["results"][0]["question"], "at some point of every weakly fair execution");
    check("trace", &weak["results"][0]["trace"]);
    let strong = document(&format!("{forks} --fairness strong"), 0, "report");
    assert_eq!(strong["results"][0]["question"], "at some point of every strongly fair execution");
    let refused = document("verify examples/commit/free.ccs --fairness weak", 2, "error");
    assert_eq!(
        (&refused["error"]["kind"], &refused["error"]["refusal"]["why"]["kind"]),
        (&json!("no_fairness"), &json!("no_units"))
    );
}

/// Whoever asks for JSON gets JSON, whatever goes wrong.
#[test]
fn errors_are_documents() {
    let kind = |arguments: &str, code: i32| {
        let error = document(arguments, code, "error");
        assert_eq!(error["exit"], code);
        let text = |value: &Json| value.as_str().unwrap().to_string();
        (text(&error["command"]), text(&error["error"]["kind"]), text(&error["error"]["message"]))
    };
    let of = |arguments: &str, code: i32| {
        let (command, kind, message) = kind(arguments, code);
        assert_ne!(message, "", "{arguments}");
        format!("{command} {kind}")
    };
    assert_eq!(of("check nowhere.labs", 2), "check usage");
    assert_eq!(of("verify nowhere.labs", 2), "verify usage");
    assert_eq!(of("verify examples/leader/leader.labs", 6), "verify model");
    assert_eq!(of("simulate examples/leader/leader.labs", 6), "simulate model");
    assert_eq!(of("lts examples/leader/leader.labs", 6), "lts model");
    assert_eq!(of("export examples/leader/leader.labs", 6), "export model");
    assert_eq!(of("show examples/leader/leader.labs", 6), "show model");
    assert_eq!(of("compare examples/leader/leader.labs examples/leader/leader.labs", 6), "compare model");
    assert_eq!(of(&format!("verify {LEADER} --property Nobody"), 2), "verify no_such_property");
    assert_eq!(of("realize examples/commit/free.ccs", 6), "realize model");
    assert_eq!(of(&format!("simulate {LEADER} --interactive"), 2), "simulate usage");
    assert_eq!(of("verify", 2), " usage");
    assert_eq!(of(&format!("verify {LEADER} --steps few"), 2), " usage");
    let missing = document(&format!("verify {LEADER} --property LeaderIs1"), 2, "error");
    assert_eq!(missing["error"]["refusal"]["kind"], "no_such_property");
    let empty = "system { spawn = A: 1 }\nagent A { interface = x: 0..1\n Behavior = Skip }\n\
                 assume { Never = forall A a, x of a > 1 }\ncheck { P = always true }\n";
    assert_eq!(of(&format!("lts {}", path("never.labs", empty)), 6), "lts no_initial_state");
}

/// A model that never comes.
#[test]
fn limits_are_told() {
    let mut command = swarmcheck("verify - --timeout 0.3 --json");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let input = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(input);
    let document: Json = serde_json::from_slice(&output.stdout).unwrap();
    check("error", &document);
    assert_eq!((output.status.code(), &document["error"]["kind"]), (Some(124), &json!("time_limit")));
}

#[test]
fn verify() {
    let count = count("small.labs", 1);
    let report = document(&format!("verify {count}"), 10, "report");
    assert_eq!(report["results"][0]["verdict"], "violated");
    // x is 0, 1 and then 2.
    assert_eq!(report["results"][0]["trace"]["steps"].as_array().unwrap().len(), 2);
    let mut verdicts = BTreeSet::new();
    for arguments in [
        "examples/leader/leader.labs n=3 --deadlock",
        "examples/leader/leader.labs n=3 --engine ic3",
        "examples/leader/leader.labs n=3 --cross-check --property LeaderIs0",
        "examples/leader/leader.labs n=3 --property ElectionSettles --steps 4",
        "examples/boids/aw.labs birds=3 grid=5 delta=5 --fair --steps 3",
        "examples/stock/stock.chor --deadlock",
        "examples/commit/free.ccs",
    ] {
        let output = run(&format!("verify {arguments} --json"));
        let report: Json = serde_json::from_slice(&output.stdout).unwrap();
        check("report", &report);
        for result in report["results"].as_array().unwrap() {
            verdicts.insert(result["verdict"].as_str().unwrap().to_string());
        }
    }
    assert_eq!(verdicts.into_iter().collect::<Vec<_>>(), ["holds", "unknown", "violated"]);
    // Warnings are in the report.
    let warned = "system { spawn = A: 1 }\nagent A { interface = x: 0; y: 0\n Behavior = x <- 1 }\ncheck { P = always true }\n";
    let report = document(&format!("verify {}", path("warned.labs", warned)), 0, "report");
    assert_eq!(report["diagnostics"][0]["severity"], "warning", "{report}");
}

#[test]
fn simulate() {
    // Every run counts to 3 and stops.
    let fine = count("fine.labs", 3);
    let one = document(&format!("simulate {fine} --seed 1"), 0, "simulation");
    assert_eq!((&one["report"]["steps"], one["traces"].as_array().unwrap().len()), (&json!(3), 1));
    let many = document(&format!("simulate {fine} --seed 1 --runs 4 --quiet"), 0, "simulation");
    assert_eq!((&many["report"]["deadlocks"], &many["traces"]), (&json!(4), &json!([])));
    let two = document(&format!("simulate {fine} --seed 1 --runs 2"), 0, "simulation");
    assert_eq!(two["traces"][1]["run"], 2);
    document(&format!("simulate {} --seed 1", count("sim.labs", 1)), 10, "simulation");
    // Steps of R-CHECK are messages.
    let rcheck = std::fs::read_dir(root().join("examples")).unwrap().flatten();
    let rcheck = rcheck.flat_map(|folder| crate::common::files(&folder.path(), ".rcp")).next().unwrap();
    let runs = document(&format!("simulate {} --seed 1 --steps 5", rcheck.display()), 0, "simulation");
    assert!(runs["traces"][0]["steps"][0]["message"].is_object(), "{runs}");
}

#[test]
fn estimate() {
    // Every run counts to 3 and stops: the property holds in all of them.
    let fine = count("estimated.labs", 3);
    let words = format!("estimate {fine} --seed 1 --runs 20 --max-steps 9");
    let one = document(&format!("{words} -p Small"), 0, "estimate");
    let result = &one["report"]["results"][0];
    assert_eq!(
        (&result["value"], &result["satisfied"], &result["undecided"]),
        (&json!(1.0), &json!(20), &json!(0))
    );
    assert!(
        one["summary"].as_array().unwrap().iter().any(|line| line.as_str().unwrap().starts_with("random: "))
    );
    let ask = |queries: &[&str], options: &str, code: i32, format: &str| {
        let mut command = crate::common::swarmcheck(&format!("{words} {options} --json"));
        let output = command.args(queries).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let document: Json = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"));
        assert_eq!(errors(format, &document), [""; 0], "{text}");
        assert_eq!(output.status.code(), Some(code), "{text}");
        document
    };
    ask(
        &["E(x of 0 at the end)", "E(steps until x of 0 = 2)"],
        "--quantiles 0.5 --histogram 2",
        0,
        "estimate",
    );
    ask(&["E(steps until x of 0 = 9)", "P(eventually x of 0 = 9) >= 0.5"], "", 10, "estimate");
    let wrong = ask(&["P(eventually y of 0 = 9)"], "", 6, "error");
    assert_eq!(
        (&wrong["diagnostics"][0]["file"], &wrong["diagnostics"][0]["column"]),
        (&json!("<query>"), &json!(14))
    );
    ask(&["P(eventually x of 0 = 9)"], "--confidence 1", 2, "error");
}

#[test]
fn systems_and_exports() {
    let whole = document(&format!("lts {LEADER}"), 0, "lts");
    let small = document(&format!("lts {LEADER} --minimise strong --as dot"), 0, "lts");
    assert_eq!((&small["whole"], &small["notation"]), (&whole["whole"], &json!("dot")));
    assert!(whole["text"].as_str().unwrap().starts_with("des (0,"));
    let file = path("leader.aut", "");
    let stored = document(&format!("lts {LEADER} -o {file}"), 0, "lts");
    assert_eq!((&stored["text"], &stored["path"]), (&Json::Null, &json!(file)));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), whole["text"].as_str().unwrap());
    let exported = document(&format!("export {LEADER} --to emulation"), 0, "export");
    assert!(exported["files"][0]["text"].is_string());
    // Bytes are no text, and several files can be told apart.
    let bytes = document(&format!("export {LEADER} --to aiger --property LeaderIs0"), 0, "export");
    assert!(bytes["files"][0]["bytes"].as_u64().unwrap() > 100);
    let several = document(&format!("export {LEADER} --to c-svcomp --property LeaderIs0"), 0, "export");
    assert!(several["files"].as_array().unwrap().len() > 1);
}

#[test]
fn comparisons() {
    let (free, forced) = ("examples/commit/free.ccs", "examples/commit/forced.ccs");
    assert_eq!(document(&format!("compare {free} {free}"), 0, "comparison")["alike"], true);
    assert_eq!(document(&format!("compare {free} {forced}"), 10, "comparison")["alike"], false);
    assert_eq!(document("realize examples/stock/safe.chor", 0, "realization")["deadlock"], Json::Null);
    document("realize examples/stock/stock.chor", 10, "realization");
}

#[test]
fn stored_documents() {
    let trace = path("trace.json", "");
    run(&format!("simulate {LEADER} --seed 1 --steps 5 --trace-format json --trace-file {trace} --quiet"));
    let text = std::fs::read_to_string(&trace).unwrap();
    let mut stored: Json = serde_json::from_str(&text).unwrap();
    check("trace", &stored);
    let accepted = document(&format!("replay {trace}"), 0, "replay");
    let outcome = &accepted["answers"][0]["outcome"];
    assert_eq!((&outcome["answer"], &outcome["steps"]), (&json!("accepted"), &json!(5)));
    stored["steps"][0]["agent"] = json!(2 - stored["steps"][0]["agent"].as_i64().unwrap());
    stored["steps"][0]["kind"] = json!("Nobody");
    let wrong = path("wrong.json", &stored.to_string());
    let refused = document(&format!("replay {wrong}"), 10, "replay");
    assert_eq!(refused["answers"][0]["outcome"]["answer"], "refused");
    let proof = path("proof.json", "");
    run(&format!("verify {LEADER} --engine ic3 --property LeaderIs0 --certificate {proof}"));
    let text = std::fs::read_to_string(&proof).unwrap();
    if text.is_empty() {
        panic!("no proof was written");
    }
    check("certificate", &serde_json::from_str(text.lines().next().unwrap()).unwrap());
    document(&format!("certify {proof}"), 0, "certification");
}

/// What another version has written is refused, and the message names both.
#[test]
fn other_versions_are_refused_by_name() {
    let trace = path("old.json", "");
    run(&format!("simulate {LEADER} --seed 1 --steps 2 --trace-format json --trace-file {trace} --quiet"));
    let mut stored: Json = serde_json::from_str(&std::fs::read_to_string(&trace).unwrap()).unwrap();
    stored["version"] = json!(7);
    // Also if somebody has laid it out over many lines.
    for text in [stored.to_string(), format!("{stored:#}")] {
        let error = document(&format!("replay {}", path("seven.json", &text)), 2, "error");
        let message = error["error"]["message"].as_str().unwrap();
        assert!(
            message.contains("swarmcheck-trace version 7, and this swarmcheck reads version 1"),
            "{message}"
        );
    }
    let other = path("other.json", r#"{"format": "swarmcheck-certificate", "version": 0}"#);
    let error = document(&format!("certify {other}"), 2, "error");
    let message = error["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("swarmcheck-certificate version 0, and this swarmcheck reads version 1"),
        "{message}"
    );
}

#[test]
fn sweeps() {
    let model = count("sweep.labs", 2);
    let swept = document(&format!("sweep {model} --jobs 1"), 0, "sweep");
    assert_eq!(
        (&swept["do"], &swept["rows"]),
        (&json!("verify"), &json!([{ "Small": "violated", "error": null }]))
    );
    let line = "sweep examples/leader/leader.labs n=1..3 -p NeverElected --boundary n";
    let found = &document(line, 0, "sweep")["boundaries"][0];
    assert_eq!(
        (&found["shape"], &found["decided"], &found["complete"]),
        (&json!("constant"), &json!(3), &json!(true))
    );
    assert_eq!(document(&format!("sweep {model} n=2..1"), 2, "error")["error"]["kind"], "usage");
    assert_eq!(document("collect", 2, "error")["error"]["kind"], "usage");
}

#[test]
fn events_are_lines() {
    let mut kinds = BTreeSet::new();
    for (arguments, last) in [
        (format!("verify {LEADER} --deadlock"), "swarmcheck-report"),
        (format!("verify {}", count("events.labs", 1)), "swarmcheck-report"),
        (format!("simulate {LEADER} --seed 1 --steps 5"), "swarmcheck-simulation"),
        (format!("estimate {LEADER} --seed 1 -p LeaderIs0 --max-steps 5 --runs 5"), "swarmcheck-estimate"),
        (format!("check {LEADER}"), "swarmcheck-check"),
        ("verify examples/leader/leader.labs".to_string(), "swarmcheck-error"),
        (format!("lts {LEADER}"), "swarmcheck-lts"),
    ] {
        let output = run(&format!("{arguments} --events"));
        let text = String::from_utf8(output.stdout).unwrap();
        let events: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for event in &events {
            assert_eq!(errors("events", event), [""; 0], "{arguments}");
            kinds.insert(event["event"].as_str().unwrap().to_string());
        }
        assert_eq!((&events[0]["event"], &events[0]["version"]), (&json!("begin"), &json!(1)));
        let result = events.last().unwrap();
        assert_eq!((&result["event"], &result["document"]["format"]), (&json!("result"), &json!(last)));
        let results = events.iter().filter(|event| event["event"] == "result").count();
        assert_eq!(results, 1, "{arguments}");
    }
    let expected =
        ["answer", "begin", "opened", "output", "questions", "result", "started", "stopped", "warnings"];
    for kind in expected {
        assert!(kinds.contains(kind), "{kind} is not among {kinds:?}");
    }
}
