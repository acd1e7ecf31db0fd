//! Examples with their expected verdicts, and asking about them.

#![allow(clippy::disallowed_methods, reason = "reads the examples, and ends work after a while")]
#![allow(dead_code)]

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use swarmcheck_engine::control::Silent;
use swarmcheck_session::verify::{Answer, Budget, Control, VerifyOptions, verify};
use swarmcheck_session::{ModelOptions, Prepared, prepare};

/// Questions about states that can be reached, and about executions, whose verdicts are in the lists beside the examples.
pub const EXAMPLES: &[(&str, &str)] = &[
    ("leader/leader.labs", "n=3"),
    ("philosophers/philosophers.labs", "n=2"),
    ("philosophers/philosophers.labs", "n=3"),
    ("formation/formation.labs", "n=2 size=3 range=1"),
    ("scopes/crossing.labs", "trains=1"),
    ("scopes/crossing.labs", "trains=2"),
];

/// A claim of an example's project file.
pub struct Row {
    pub line: String,
    pub prepared: Prepared,
    pub property: String,
    pub verdict: String,
}

/// The rows of a file below `examples` with these parameters and no other options than `--fair`.
pub fn rows(file: &str, parameters: &str) -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    let text = std::fs::read_to_string(path.with_file_name(swarmcheck_project::FILE)).unwrap();
    let name = path.file_name().unwrap().to_string_lossy().to_string();
    let mut out = vec![];
    for row in swarmcheck_project::rows(&text).unwrap() {
        let wanted = row.file == name && row.parameters == parameters;
        if wanted && ["", "--fair"].contains(&row.options.as_str()) {
            let prepared = open(file, parameters, row.options == "--fair");
            out.push(Row { line: row.name(), prepared, property: row.property, verdict: row.verdict });
        }
    }
    assert!(!out.is_empty(), "{file} {parameters}");
    out
}

/// An example with these parameters.
pub fn open(file: &str, parameters: &str, fair: bool) -> Prepared {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    text(file, &std::fs::read_to_string(path).unwrap(), parameters, fair)
}

/// A model with these parameters.
pub fn text(name: &str, text: &str, parameters: &str, fair: bool) -> Prepared {
    let pairs = parameters.split_whitespace().filter_map(|p| p.split_once('='));
    let parameters = pairs.map(|(n, v)| (n.to_string(), v.to_string())).collect();
    let options = ModelOptions { parameters, fair, ..ModelOptions::default() };
    prepare(name, text.as_bytes(), options).unwrap_or_else(|_| panic!("{name} is refused"))
}

/// Does something that is told to stop after a while.
pub fn limited<T>(patience: Duration, work: impl FnOnce(&Control<'_>) -> T) -> T {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let timer = scope.spawn(|| {
            std::thread::park_timeout(patience);
            stop.store(true, Ordering::Relaxed);
        });
        let done = work(&Control { stop: &stop, budget: Budget::default(), progress: &Silent });
        timer.thread().unpark();
        done
    })
}

/// What is said about one property, without limits.
pub fn ask(prepared: &Prepared, property: &str, options: VerifyOptions) -> Vec<Answer> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let options = VerifyOptions { properties: vec![property.to_string()], ..options };
    let Ok(report) = verify(prepared, &options, &control) else { panic!("no property {property}") };
    report.answers
}
