//! From text to a model, for tests: no diagnostics to render, only one line that says what is wrong.

use std::path::{Path, PathBuf};
use swarmcheck_labs::model::Model;
use swarmcheck_labs::{check, syntax};
use swarmcheck_source::{Severity, Span};

/// Reads and checks a system. A first line `#! n=2 m=3` gives values to its parameters.
pub fn read(text: &str) -> Result<Model, String> {
    let first = text.lines().next().unwrap_or_default();
    let values = first.strip_prefix("#!").unwrap_or_default();
    read_with(text, values)
}

/// Reads and checks a system with these values of its parameters: `n=2 m=3`.
pub fn read_with(text: &str, parameters: &str) -> Result<Model, String> {
    let parameters: Vec<(String, String)> = parameters
        .split([' ', ','])
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .collect();
    let (file, mut diagnostics) = syntax::parse(text);
    let (model, more) = check::check(&file, Span::new(text.len(), text.len()), &parameters);
    diagnostics.extend(more);
    let errors: Vec<String> = (diagnostics.iter())
        .filter(|d| d.severity == Severity::Error)
        .map(|d| {
            let culprit = text.get(d.primary.span.range()).unwrap_or_default();
            format!("{} {}: `{culprit}`", d.code, d.message)
        })
        .collect();
    match model {
        Some(model) if errors.is_empty() => Ok(model),
        _ => Err(errors.join("\n")),
    }
}

/// The models in a folder of this crate, in order: their paths and texts. There must be at least so many.
pub fn stored(folder: &str, least: usize) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the folder").flatten().map(|e| e.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "labs"));
    paths.sort();
    assert!(paths.len() >= least, "only {} of at least {least} models", paths.len());
    let text = |path: &PathBuf| std::fs::read_to_string(path).expect("a readable file");
    paths.into_iter().map(|path| (path.clone(), text(&path))).collect()
}
