//! SARIF, JUnit and annotations: valid for the schemas of their standards, and about the right places.

use crate::common::{root, run, scratch, swarmcheck, tool};
use serde_json::{Value as Json, json};
use std::path::PathBuf;
use std::process::Command;

/// A property that is violated after two steps of the action in line 4, a warning, and a property that holds.
const MODEL: &str = "\
system { spawn = A: 1 }
agent A {
  interface = x: 0; unused: 0
  Behavior = x < 3 -> x <- x + 1; Behavior
}
check {
  Small = always forall A a, x of a <= 1
  Large = always forall A a, x of a <= 3
}
";

/// The line and column of a text that occurs once, from 1.
fn place(text: &str) -> (u64, u64) {
    let at = MODEL.find(text).unwrap();
    assert_eq!(MODEL.matches(text).count(), 1);
    let line = MODEL[..at].matches('\n').count() + 1;
    let column = at - MODEL[..at].rfind('\n').map_or(0, |end| end + 1) + 1;
    (line as u64, column as u64)
}

/// Whether a SARIF log is valid for the schema of the standard.
#[track_caller]
fn valid(log: &Json) {
    let schema =
        std::fs::read_to_string(root().join("crates/cli/tests/machines/sarif-schema-2.1.0.json")).unwrap();
    let mut schema: Json = serde_json::from_str(&schema).unwrap();
    // A bracket too many makes it no regular expression. It is about a field that is not written.
    for owner in ["run", "toolComponent"] {
        let language = schema["definitions"][owner]["properties"]["language"].as_object_mut().unwrap();
        assert_eq!(language.remove("pattern").unwrap(), "^[a-zA-Z]{2}|^[a-zA-Z]{2}-[a-zA-Z]{2}]?$");
    }
    assert!(!log.to_string().contains("\"language\""));
    let validator = jsonschema::options().should_validate_formats(true).offline().build(&schema).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(log).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    // The schema does refuse something.
    let mut broken = log.clone();
    broken["runs"][0]["results"] = json!([{ "level": "terrible" }]);
    assert!(!validator.is_valid(&broken));
}

#[track_caller]
fn sarif(name: &str, arguments: &str, code: i32) -> Json {
    let file = scratch(name, b"");
    let output = run(&format!("{arguments} --sarif {} --quiet", file.display()));
    assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    let log: Json = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    valid(&log);
    log
}

fn model() -> String {
    // Beside the other files of the tests, so that its path is absolute.
    scratch("tools.labs", MODEL.as_bytes()).display().to_string()
}

#[test]
fn sarif_has_the_trace_as_a_code_flow() {
    let log = sarif("verify.sarif", &format!("verify {}", model()), 10);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let violated: Vec<&Json> = results.iter().filter(|r| r["ruleId"] == "violated").collect();
    assert_eq!(violated.len(), 1, "{results:?}");
    assert!(results.iter().any(|r| r["level"] == "warning"), "{results:?}");
    let start = |location: &Json| {
        let region = &location["physicalLocation"]["region"];
        (region["startLine"].as_u64().unwrap(), region["startColumn"].as_u64().unwrap())
    };
    assert_eq!(start(&violated[0]["locations"][0]), place("always forall A a, x of a <= 1"));
    let flow = violated[0]["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    // The initial state and two steps, both of the only action.
    assert_eq!(flow.len(), 3);
    assert!(flow[1..].iter().all(|stop| start(&stop["location"]) == place("x <- x + 1")));
    assert_eq!(flow[2]["state"]["x of 0"]["text"], "2");
    let uri = violated[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
    assert!(uri.starts_with("file:///") && uri.ends_with("/tools.labs"), "{uri}");
}

#[test]
fn sarif_of_other_commands_and_languages() {
    let log = sarif("check.sarif", "check examples/leader/leader.labs", 6);
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "E0401");
    assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][0]["id"], "E0401");
    let log = sarif("wrong.sarif", "verify examples/leader/leader.labs", 6);
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "E0401");
    let log = sarif("fine.sarif", "check examples/leader/leader.labs n=3", 0);
    assert_eq!(log["runs"][0]["results"], json!([]));
    let log = sarif("stock.sarif", "verify examples/stock/stock.chor --deadlock", 10);
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert!(results.iter().any(|r| r["ruleId"] == "deadlock"), "{log}");
    let region = |r: &Json| r["locations"][0]["physicalLocation"]["region"]["startLine"].is_u64();
    assert!(results.iter().all(region), "every result has a line: {log}");
}

/// A predicate of the command line is in no file: what is found about it has no line of the model, nor one behind its end.
#[test]
fn predicates_of_the_command_line_have_no_place_in_the_model() {
    let file = scratch("reach.sarif", b"");
    for (predicate, code) in [("exists Node n, leader of n > 10", 10), ("exists Node n, lader of n = 1", 6)] {
        let mut command = swarmcheck("verify examples/leader/leader.labs n=3 --quiet --annotations github");
        let output = command.args(["--reach", predicate, "--sarif"]).arg(&file).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
        let said = String::from_utf8(output.stdout).unwrap();
        let annotation = said.lines().find(|line| line.starts_with("::error ")).unwrap();
        assert!(annotation.starts_with("::error file=examples/leader/leader.labs,title="), "{annotation}");
        let log: Json = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "examples/leader/leader.labs", "{log}");
        // Code scanning needs some line.
        assert_eq!(place["region"], json!({ "startLine": 1 }), "{log}");
    }
}

/// `always` is no part of a predicate, unless it is a variable.
#[test]
fn modalities_do_not_belong_to_predicates() {
    let model = scratch(
        "word.labs",
        b"system { environment = always: 0 spawn = A: 1 } agent A { Behavior = always <-- 1 } check { P = always true }",
    );
    for (predicate, code) in [
        ("always exists A a, always = 1", 6),
        ("after 3 always = 1", 6),
        ("always = 1", 0),
        ("always and true", 0),
    ] {
        let mut command = swarmcheck("verify --quiet");
        let output = command.arg(&model).args(["--reach", predicate]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).to_string();
        assert_eq!(output.status.code(), Some(code), "{predicate}: {said}");
        assert_eq!(said.matches("error[").count(), usize::from(code == 6), "one error: {said}");
        assert_eq!(
            said.contains("is a modality") && said.contains("belongs in a property"),
            code == 6,
            "{said}"
        );
    }
}

/// A file of an earlier run is not replaced by nothing.
#[test]
fn files_stay_where_nothing_was_found_out() {
    for option in ["--sarif", "--junit"] {
        let file = scratch(&format!("stays{option}"), b"precious");
        for arguments in ["verify nowhere.labs", "verify examples/leader/leader.labs n=3 --property Nobody"] {
            let output = run(&format!("{arguments} {option} {}", file.display()));
            assert_eq!(output.status.code(), Some(2));
            assert_eq!(std::fs::read_to_string(&file).unwrap(), "precious");
        }
        let output = run(&format!("verify {} {option} {}", model(), model()));
        assert_eq!(output.status.code(), Some(2), "the model is no output file");
    }
}

fn junit(name: &str, arguments: &str, code: i32) -> (PathBuf, String) {
    let file = scratch(name, b"");
    let output = run(&format!("{arguments} --junit {} --quiet", file.display()));
    assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&file).unwrap();
    (file, text)
}

#[test]
fn junit_has_a_test_case_per_property() {
    let (violated, text) = junit("verify.xml", &format!("verify {} --deadlock", model()), 10);
    assert_eq!(text.matches("<testcase ").count(), 3);
    assert_eq!(text.matches("<failure ").count(), 2, "Small, and the run ends: {text}");
    assert!(
        text.contains("<testsuite ") && text.contains("tests=\"3\" failures=\"2\" errors=\"0\""),
        "{text}"
    );
    let (wrong, text) = junit("wrong.xml", "verify examples/leader/leader.labs", 6);
    assert!(text.contains("tests=\"1\" failures=\"0\" errors=\"1\"") && text.contains("E0401"), "{text}");
    let bound = "verify examples/leader/leader.labs n=3 --property ElectionSettles --steps 4";
    let (open, text) = junit("open.xml", bound, 5);
    assert!(text.contains("<error type=\"unknown\""), "{text}");
    if !tool("xmllint", "xmllint") {
        return;
    }
    let schema = root().join("crates/cli/tests/machines/junit-10.xsd");
    let broken = scratch("broken.xml", b"<testsuites><testcase/></testsuites>");
    for (file, valid) in [(&violated, true), (&wrong, true), (&open, true), (&broken, false)] {
        let output =
            Command::new("xmllint").arg("--noout").arg("--schema").arg(&schema).arg(file).output().unwrap();
        assert_eq!(output.status.success(), valid, "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// LeaderIs0 and KnownLeader hold (`examples/leader/swarmcheck.toml`), so a file that expects otherwise of one has a failure;
/// a name that the model does not have cannot be asked for, and slow claims are left out.
#[test]
fn junit_of_a_project_has_a_test_case_per_claim() {
    let leader = root().join("examples/leader/leader.labs");
    let head = format!("[[model]]\nfile = {:?}\nparameters = {{ n = 3 }}\n", leader.display().to_string());
    let claims = format!(
        "version = 1\n{head}properties = [\n{{ name = \"LeaderIs0\", expect = \"holds\" }},\n\
         {{ name = \"KnownLeader\", expect = \"violated\" }},\n]\n{head}slow = true\nproperties = [\n\
         {{ name = \"LeaderIs0\", expect = \"holds\" }},\n]\n{head}properties = [{{ name = \"Nobody\", expect = \"holds\" }}]\n"
    );
    let project = scratch("junit-project.toml", claims.as_bytes());
    let file = scratch("project.xml", b"");
    let output = run(&format!("test {} --junit {} --quiet", project.display(), file.display()));
    assert_ne!(output.status.code(), Some(0));
    let text = std::fs::read_to_string(&file).unwrap();
    for case in ["LeaderIs0", "KnownLeader", "Nobody"] {
        assert!(text.contains(&format!("leader.labs n=3 {case}\"")), "{case}: {text}");
    }
    assert!(text.contains("<error "), "{text}");
    assert_eq!(text.matches("<failure ").count(), 1, "{text}");
    assert_eq!(text.matches("<skipped ").count(), 1, "{text}");
    assert!(text.contains("expected violated, got holds"), "{text}");
    assert!(text.contains("skipped=\"1\""), "{text}");
    let output = run(&format!("test {0} --junit {0}", project.display()));
    assert_eq!(output.status.code(), Some(2), "the project file is no output file");
    assert_eq!(std::fs::read_to_string(&project).unwrap(), claims);
    if tool("xmllint", "xmllint") {
        let schema = root().join("crates/cli/tests/machines/junit-10.xsd");
        let output =
            Command::new("xmllint").arg("--noout").arg("--schema").arg(&schema).arg(&file).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn annotations_are_workflow_commands() {
    let output = run(&format!("verify {} --annotations github --quiet", model()));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("::")).collect();
    let ((line, column), file) = (place("always forall A a, x of a <= 1"), model());
    let expected = format!("::error file={file},line={line},col={column},");
    assert!(lines.iter().any(|l| l.starts_with(&expected) && l.contains("::Small is violated: ")), "{text}");
    assert!(lines.iter().any(|l| l.starts_with("::warning file=")), "{text}");
    // With JSON they are elsewhere.
    let output = run(&format!("verify {} --annotations github --json", model()));
    serde_json::from_slice::<Json>(&output.stdout).unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().lines().all(|line| line.starts_with("::")));
}
