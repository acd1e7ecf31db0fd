//! Programs to try the passes on.

#![allow(clippy::disallowed_methods, reason = "reads the examples")]

use swarmcheck_ir::Program;
use swarmcheck_labs::{check, lower, syntax};
use swarmcheck_source::Span;

/// Small systems: file, parameters.
pub const SMALL: &[(&str, &str)] = &[
    ("ants/ants", "ants=1 size=2 scent=2"),
    ("ants/ants", "ants=2 size=2 scent=1"),
    ("approx/approx", "yes=1 no=2"),
    ("boids/aw", "birds=2 grid=2 delta=2"),
    ("boids/aw", "birds=2 grid=2 delta=1"),
    ("flock/flock", "birds=2 grid=2 delta=2"),
    ("foraging/foraging", "robots=1 grid=2"),
    ("formation/formation", "n=2 size=3 range=1"),
    ("formation/formation_id", "n=2 size=4 range=2"),
    ("leader/leader", "n=3"),
    ("leader/leader", "n=4"),
    ("majority/majority", "yes=1 no=2"),
    ("majority/majority", "yes=2 no=1"),
    ("philosophers/philosophers", "n=3"),
    ("predator/predator", "birds=2 grid=3 sight=1"),
    ("scopes/crossing", "trains=1"),
    ("scopes/crossing", "trains=2"),
    ("twophase/twophase", "workers=1"),
    ("unanimity/unanimity", "voters=2 options=2"),
    ("voter/voter", "voters=2 options=2"),
    ("voter/voter", "voters=3 options=3"),
];

/// Reads, checks and lowers an example.
pub fn example(name: &str, parameters: &str, fair: bool) -> Program {
    let path = format!("{}/../../examples/{name}.labs", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    program(&text, parameters, fair)
}

/// Reads, checks and lowers a text.
pub fn program(text: &str, parameters: &str, fair: bool) -> Program {
    let pairs = parameters.split_whitespace().filter_map(|pair| pair.split_once('='));
    let parameters: Vec<(String, String)> = pairs.map(|(n, v)| (n.to_string(), v.to_string())).collect();
    let (tree, problems) = syntax::parse(text);
    assert!(!problems.has_errors(), "{problems:?}");
    let (model, problems) = check::check(&tree, Span::new(text.len(), text.len()), &parameters);
    let model = model.unwrap_or_else(|| panic!("{problems:?}"));
    let options = lower::Options { fair, ..Default::default() };
    let program = lower::lower(&model, text, options).unwrap_or_else(|e| panic!("{e:?}")).program;
    valid(&program);
    program
}

/// Insists that a program is valid.
#[track_caller]
pub fn valid(program: &Program) {
    if let Err(problems) = swarmcheck_ir::validate::validate(program) {
        let list: Vec<String> = problems.iter().map(ToString::to_string).collect();
        panic!("{}\n{}", list.join("\n"), swarmcheck_ir::print::print(program));
    }
}
