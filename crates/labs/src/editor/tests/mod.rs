//! Tests of what editors are told: hand-written models, all examples, and broken texts.

#![allow(clippy::disallowed_methods, reason = "reads the examples")]

mod completion;
mod hover;
mod renaming;
mod robustness;
mod scoping;

use super::index;
use std::path::{Path, PathBuf};
use swarmcheck_source::index::Index;

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

/// All LAbS examples: their names and texts.
fn examples() -> Vec<(String, String)> {
    let mut found = vec![];
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"), &mut found);
    found.sort();
    assert!(found.len() >= 20, "only {} examples", found.len());
    let read = |path: &PathBuf| std::fs::read_to_string(path).expect("a readable example");
    found.iter().map(|path| (path.display().to_string(), read(path))).collect()
}

/// The models without mistakes in the documents: where they stand, and their texts.
fn documents() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let entries = std::fs::read_dir(folder).expect("the documents").flatten().map(|entry| entry.path());
    let mut pages: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    pages.sort();
    let mut found = vec![];
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("a readable document");
        for block in text.split("\n```labs").skip(1) {
            let model = block.split_once('\n').and_then(|(_, rest)| rest.split_once("\n```"));
            let Some((model, _)) = model else { continue };
            let (file, parsed) = crate::syntax::parse(model);
            let parameters = file.systems.iter().flat_map(|system| &system.externs);
            let values: Vec<_> = parameters.map(|p| (p.name.text.clone(), "3".to_string())).collect();
            let (checked, _) = crate::check::check(&file, swarmcheck_source::Span::default(), &values);
            if !parsed.has_errors() && checked.is_some() {
                let line = model.lines().next().unwrap_or_default();
                found.push((format!("{}: {line}", page.display()), format!("{model}\n")));
            }
        }
    }
    assert!(found.len() >= 20, "only {} models in documents", found.len());
    found
}

/// The text at a place.
fn at(text: &str, span: swarmcheck_source::Span) -> &str {
    &text[span.range()]
}

/// Takes the marks out of a text: `«1»` stands right before a word. Places with the same mark are of one symbol.
fn unmark(marked: &str) -> (String, Vec<(u32, String)>) {
    let (mut text, mut marks) = (String::new(), vec![]);
    let mut rest = marked;
    while let Some((before, after)) = rest.split_once('«') {
        let (mark, after) = after.split_once('»').expect("a closed mark");
        text.push_str(before);
        marks.push((text.len() as u32, mark.to_string()));
        rest = after;
    }
    text.push_str(rest);
    (text, marks)
}

/// All places of the symbol that begins at an offset.
fn places(index: &Index, offset: u32) -> Vec<u32> {
    let Some(place) = index.occurrences.iter().find(|place| place.span.start == offset) else {
        return vec![];
    };
    index.of(place.symbol).map(|place| place.span.start).collect()
}

/// Checks that places with the same mark, and no others, are those of one symbol; that those marked `-` mean nothing.
fn check(marked: &str) {
    let (text, marks) = unmark(marked);
    let index = index(&text);
    for (offset, mark) in &marks {
        let expected: Vec<u32> = match mark.as_str() {
            "-" => vec![],
            mark => marks.iter().filter(|(_, other)| other == mark).map(|(offset, _)| *offset).collect(),
        };
        let line = text[*offset as usize..].lines().next().unwrap_or_default();
        assert_eq!(places(&index, *offset), expected, "mark {mark} before {line:?} in\n{text}");
    }
}
