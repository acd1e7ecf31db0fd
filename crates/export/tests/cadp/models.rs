//! The examples of the repository as emulation programs.

use std::path::Path;
use swarmcheck_export::{Export, Written};
use swarmcheck_ir::Program;
use swarmcheck_ir::flat::Flat;
use swarmcheck_labs::lower::{self, Options};
use swarmcheck_labs::{check, syntax};
use swarmcheck_source::{SourceFile, Span};

/// An example with values of its parameters: `n=2 m=3`.
pub fn example(path: &str, parameters: &str, fair: bool) -> Flat {
    program(&text(path), parameters, fair)
}

fn text(path: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(path);
    std::fs::read_to_string(file).expect("an example")
}

/// An example in CCS, with its claims.
pub fn ccs(path: &str) -> Flat {
    let (spec, _) = swarmcheck_ccs::check(&text(path), None);
    let lowered = swarmcheck_ccs::lower::lower(&spec.expect("a system without errors"), true);
    Flat::new(lowered.expect("a program").program)
}

/// An example in R-CHECK, with its claims.
pub fn rcheck(path: &str) -> Flat {
    let (spec, _) = swarmcheck_rcheck::check(&text(path));
    Flat::new(swarmcheck_rcheck::lower::lower(&spec.expect("a system without errors"), true).program)
}

/// A model.
pub fn program(text: &str, parameters: &str, fair: bool) -> Flat {
    let pairs = parameters.split(' ').filter_map(|pair| pair.split_once('='));
    let parameters: Vec<(String, String)> = pairs.map(|(a, b)| (a.to_string(), b.to_string())).collect();
    let (file, errors) = syntax::parse(text);
    assert!(errors.is_empty(), "{errors:?}");
    let (model, _) = check::check(&file, Span::new(text.len(), text.len()), &parameters);
    let model = model.expect("a model without errors");
    let options = Options { fair, ..Options::default() };
    let program: Program = lower::lower(&model, text, options).expect("a program").program;
    Flat::new(program)
}

/// What a target writes about a program.
pub fn written(
    write: fn(&Export<'_>) -> Written,
    flat: &Flat,
    property: Option<usize>,
    bound: Option<u32>,
) -> Written {
    let file = SourceFile::new("the model", "");
    write(&Export { program: &flat.program, flat, property, formulas: &[], bound, file: &file })
}
