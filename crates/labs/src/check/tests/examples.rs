//! Every example that comes with the tool is free of mistakes, with and without values for its parameters.

#![allow(clippy::disallowed_methods, reason = "reads the examples")]

use super::super::check;
use crate::codes;
use crate::syntax::parse;
use std::path::{Path, PathBuf};
use swarmcheck_source::{Diagnostic, Severity, Span};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "labs") {
            found.push(path);
        }
    }
}

#[test]
fn examples_have_no_mistakes() {
    let mut found = vec![];
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"), &mut found);
    found.sort();
    assert!(found.len() >= 20, "only {} examples", found.len());
    for path in found {
        let text = std::fs::read_to_string(&path).expect("a readable example");
        let (file, parsed) = parse(&text);
        assert!(!parsed.has_errors(), "{}: {parsed:#?}", path.display());
        let end = Span::new(text.len(), text.len());

        let (model, said) = check(&file, end, &[]);
        let declared: usize = file.systems.iter().map(|s| s.externs.len()).sum();
        assert_eq!(model.is_some(), declared == 0);
        assert!(said.iter().all(|d| d.code == codes::MISSING_PARAMETER), "{}: {said:#?}", path.display());

        let names = file.systems.iter().flat_map(|s| &s.externs);
        let values: Vec<_> = names.map(|n| (n.name.text.clone(), "3".to_string())).collect();
        let (_, said) = check(&file, end, &values);
        // Some sizes may really be impossible with these values.
        let mistake = |d: &&Diagnostic| d.severity == Severity::Error && d.code != codes::SIZE;
        let mistakes: Vec<_> = said.iter().filter(mistake).collect();
        assert!(mistakes.is_empty(), "{}: {mistakes:#?}", path.display());
    }
}
