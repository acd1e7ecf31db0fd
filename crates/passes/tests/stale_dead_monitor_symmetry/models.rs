//! The example models as programs.

#![allow(clippy::disallowed_methods, reason = "reads the examples")]

use swarmcheck_ir::Program;
use swarmcheck_labs::lower::{self, Options};
use swarmcheck_labs::{check, syntax};
use swarmcheck_source::Span;

/// Reads an example, for instance `leader/leader.labs` with `n=3`.
pub fn example(file: &str, parameters: &str, options: Options) -> Program {
    let path = format!("{}/../../examples/{file}", env!("CARGO_MANIFEST_DIR"));
    read(&std::fs::read_to_string(path).expect("the example exists"), parameters, options)
}

/// Reads a model.
pub fn read(text: &str, parameters: &str, options: Options) -> Program {
    let parameters: Vec<(String, String)> = parameters
        .split_whitespace()
        .map(|p| p.split_once('=').expect("name=value"))
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .collect();
    let (tree, errors) = syntax::parse(text);
    assert!(!errors.has_errors(), "{:?}\n{text}", errors.iter().collect::<Vec<_>>());
    let (model, errors) = check::check(&tree, Span::new(text.len(), text.len()), &parameters);
    let model = model.unwrap_or_else(|| panic!("{:?}\n{text}", errors.iter().collect::<Vec<_>>()));
    let Ok(lowered) = lower::lower(&model, text, options) else { panic!("too large") };
    valid(lowered.program)
}

/// Passes the program on if it is valid.
pub fn valid(program: Program) -> Program {
    if let Err(problems) = swarmcheck_ir::validate::validate(&program) {
        panic!("{problems:?}");
    }
    program
}
