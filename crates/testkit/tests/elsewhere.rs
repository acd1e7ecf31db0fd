//! Questions about the examples decided by another model checker: ABC gets AIGER files, and its verdicts are those of
//! `examples/*/swarmcheck.toml`; its counterexamples come back as traces that the rules accept.
//!
//! Needs the program `berkeley-abc`; without it the test says so and looks at nothing.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control};
use swarmcheck_labs::lower::Choice;
use swarmcheck_project::{FILE, rows};
use swarmcheck_session::export::{ExportOptions, export};
use swarmcheck_session::verify::{Answered, Reason, VerifyOptions, verify};
use swarmcheck_session::{ModelOptions, Prepared, Refusal, prepare};
use swarmcheck_testkit::long::number;

/// What ABC said.
enum Said {
    Proved,
    /// With its counterexample.
    Reached(String),
    Undecided,
}

/// Asks ABC's property-directed reachability. `None` if there is no such program.
fn abc(question: &[u8], plain: bool, seconds: u64) -> Option<Said> {
    let folder = std::env::temp_dir();
    let place = |end: &str| folder.join(format!("swarmcheck-elsewhere-{}.{end}", std::process::id()));
    let (file, found) = (place("aig"), place("cex"));
    std::fs::write(&file, question).expect("a place for files");
    let format = if plain { "" } else { "-a " };
    let commands =
        format!("read {}; pdr -T {seconds}; write_cex {format}{}", file.display(), found.display());
    let output = Command::new("berkeley-abc").args(["-c", &commands]).output();
    let witness = std::fs::read_to_string(&found);
    let _ = (std::fs::remove_file(&file), std::fs::remove_file(&found));
    let text = String::from_utf8_lossy(&output.ok()?.stdout).into_owned();
    Some(match (text.contains("Property proved"), witness) {
        (true, _) => Said::Proved,
        (false, Ok(witness)) if text.contains("was asserted in frame") => Said::Reached(witness),
        _ => Said::Undecided,
    })
}

/// The claims about LAbS models of at most this many states, with the model of each.
fn claims(most: u64) -> Vec<(String, Prepared, String, bool)> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut out = vec![];
    for folder in std::fs::read_dir(examples).expect("examples").flatten() {
        let Ok(text) = std::fs::read_to_string(folder.path().join(FILE)) else { continue };
        for row in rows(&text).expect("a correct file") {
            let (line, file) = (row.name(), row.file.as_str());
            let small = row.states.is_some_and(|n| n <= most);
            if !small || !file.ends_with(".labs") || !matches!(row.options.as_str(), "" | "--fair") {
                continue;
            }
            let parameter = |word: &str| word.split_once('=').map(|(n, v)| (n.to_string(), v.to_string()));
            let options = ModelOptions {
                parameters: row.parameters.split_whitespace().filter_map(parameter).collect(),
                fair: row.options == "--fair",
                choice: Choice::Late,
                ..ModelOptions::default()
            };
            let bytes = std::fs::read(folder.path().join(file)).expect("an example");
            let Ok(prepared) = prepare(file, &bytes, options) else { panic!("refused: {line}") };
            out.push((line, prepared, row.property, row.verdict == "holds"));
        }
    }
    out.sort_by(|a, b| a.0.cmp(&b.0));
    out
}

#[test]
fn another_model_checker_decides_the_examples() {
    let most = number("SWARMCHECK_STATES", 120);
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let (mut holds, mut violated, mut undecided, mut refused) = (0, 0, 0, 0);
    for (at, (line, prepared, property, expected)) in claims(most).into_iter().enumerate() {
        let options = |target: &str| ExportOptions {
            target: target.to_string(),
            property: Some(property.clone()),
            ..ExportOptions::default()
        };
        let question = match export(&prepared, &options("aiger"), &control) {
            Ok(files) => files[0].bytes.clone(),
            // What can be reached from every state is not a question about single executions.
            Err(Refusal::Target { target, why }) => {
                assert_eq!(target, "aiger", "{line}");
                assert!(why.contains("not a question about"), "{line}: {why}");
                refused += 1;
                continue;
            }
            Err(other) => panic!("{line}: {other:?}"),
        };
        let Some(said) = abc(&question, at % 2 == 0, 30) else {
            let required = std::env::var("SWARMCHECK_REQUIRE").unwrap_or_default();
            assert!(!required.contains("berkeley-abc"), "ABC is not installed");
            println!("ABC is not installed (no program 'berkeley-abc'): what it decides is not tested");
            return;
        };
        match said {
            Said::Proved => {
                assert!(expected, "{line}: ABC proves it");
                holds += 1;
            }
            Said::Undecided => undecided += 1,
            Said::Reached(witness) => {
                assert!(!expected, "{line}: ABC refutes it");
                let verify_options = VerifyOptions {
                    properties: vec![property.clone()],
                    witness: Some(witness),
                    ..VerifyOptions::default()
                };
                let Ok(report) = verify(&prepared, &verify_options, &control) else { panic!("{line}") };
                let answer = &report.answers[0];
                assert_eq!(answer.verdict(), Answered::Violated, "{line}: {}", answer.evidence());
                assert!(answer.trace.is_some(), "{line}");
                violated += 1;
            }
        }
    }
    println!(
        "{holds} hold, {violated} are violated, {undecided} undecided, {refused} are no questions for it"
    );
    assert!(holds >= 10 && violated >= 5 && undecided <= 3, "{holds} {violated} {undecided} {refused}");
}

/// Answers that are no evidence are not taken.
#[test]
fn answers_without_evidence_are_refused() {
    let text = include_str!("../../../examples/leader/leader.labs");
    let parameters = vec![("n".to_string(), "3".to_string())];
    let options = ModelOptions { parameters, ..ModelOptions::default() };
    let Ok(prepared) = prepare("leader.labs", text.as_bytes(), options) else { panic!("refused") };
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let says = |witness: &str, properties: &[&str]| {
        let options = VerifyOptions {
            properties: properties.iter().map(|p| p.to_string()).collect(),
            witness: Some(witness.to_string()),
            ..VerifyOptions::default()
        };
        let Ok(report) = verify(&prepared, &options, &control) else { panic!("no such property") };
        assert!(report.answers.iter().all(|a| a.verdict() == Answered::Unknown), "{witness}");
        match report.answers[0].reason() {
            Some(Reason::Unsupported { why }) => why.clone(),
            other => panic!("{witness}: {other:?}"),
        }
    };
    let one = ["LeaderIs0"];
    assert!(says("0\nb0\n.\n", &one).contains("not believed without a proof"));
    assert!(says("unsat\n", &one).contains("not believed without a proof"));
    assert!(says("2\n", &one).contains("unknown"));
    assert!(says("nonsense", &one).contains("not in the format"));
    assert!(says("1\nb0\n.\n", &one).contains("not in the format"));
    assert!(says("sat\nb0\n@0\n.\n", &one).contains("does not describe an execution"));
    assert!(says("1\nb0\n.\n", &["LeaderIs0", "NeverElected"]).contains("about one property"));
}
