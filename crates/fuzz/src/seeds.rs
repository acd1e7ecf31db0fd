//! Texts to begin with: files of the project, blocks of its documents, texts in the tests of a crate, and the corpus and
//! regressions of a target. All are read in the order of their paths, so numbers of executions mean the same everywhere.

use std::path::{Path, PathBuf};

/// Where the seeds of a target come from, beside its corpus and its regressions.
pub struct From {
    /// Folders, files that end in one of these words, and the words of fenced blocks in documents.
    pub endings: &'static [&'static str],
    /// Crates whose tests have such texts in string literals.
    pub crates: &'static [&'static str],
    /// Folders of the corpus, beside that of the target.
    pub corpus: &'static [&'static str],
}

/// Longer ones are left out: executions would take most of their time to copy them.
const LONGEST: usize = 20_000;

/// The folder of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All seeds of a target, each once.
pub fn seeds(target: &str, from: &From) -> Vec<Vec<u8>> {
    let mut out: Vec<Vec<u8>> = vec![b"\n".to_vec()];
    let here = root().join("crates/fuzz");
    for folder in [target].iter().chain(from.corpus) {
        for kind in ["corpus", "regressions"] {
            for path in files(&here.join(kind).join(folder)) {
                out.extend(std::fs::read(path));
            }
        }
    }
    if !from.endings.is_empty() {
        for folder in ["examples", "docs", "tests", "crates/testkit", "crates/cli/tests", "crates/project"] {
            for path in files(&root().join(folder)) {
                project_file(&path, from, &mut out);
            }
        }
    }
    for name in from.crates {
        for path in files(&root().join("crates").join(name)) {
            let is_test = path.to_string_lossy().contains("test");
            if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                let from = if is_test { 0 } else { text.find("#[cfg(test)]").unwrap_or(text.len()) };
                literals(&text[from..], &mut out);
            }
        }
    }
    out.retain(|seed| seed.len() <= LONGEST);
    let mut known = std::collections::HashSet::new();
    out.retain(|seed| known.insert(seed.clone()));
    out
}

fn project_file(path: &Path, from: &From, out: &mut Vec<Vec<u8>>) {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_string();
    if name.ends_with(".md") {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let mut block: Option<String> = None;
        for line in text.split_inclusive('\n') {
            match (&mut block, line.trim_end().strip_prefix("```")) {
                (None, Some(word)) if from.endings.iter().any(|e| word.starts_with(e)) => {
                    block = Some(String::new());
                }
                (Some(_), Some(_)) => out.extend(block.take().map(String::into_bytes)),
                (Some(inside), None) => inside.push_str(line),
                _ => {}
            }
        }
    } else if from.endings.iter().any(|ending| name.rsplit('.').next() == Some(ending)) {
        out.extend(std::fs::read(path));
    }
}

/// String literals of a Rust file that look like more than a word. Escapes are read as far as texts have them.
fn literals(text: &str, out: &mut Vec<Vec<u8>>) {
    let mut rest = text;
    while let Some(at) = rest.find('"') {
        let hashes = rest[..at].bytes().rev().take_while(|b| *b == b'#').count();
        let is_raw = rest[..at - hashes].ends_with('r');
        rest = &rest[at + 1..];
        let mut literal = String::new();
        let end = if is_raw {
            let close = format!("\"{}", "#".repeat(hashes));
            let Some(end) = rest.find(&close) else { return };
            literal.push_str(&rest[..end]);
            end + close.len()
        } else {
            let mut chars = rest.char_indices();
            loop {
                match chars.next() {
                    None => return,
                    Some((end, '"')) => break end + 1,
                    Some((_, '\\')) => match chars.next() {
                        Some((_, 'n')) => literal.push('\n'),
                        Some((_, 't')) => literal.push('\t'),
                        Some((_, '\n')) => {}
                        Some((_, c)) => literal.push(c),
                        None => return,
                    },
                    Some((_, c)) => literal.push(c),
                }
            }
        };
        if literal.len() > 8 && literal.contains([' ', '\n', '=', '(', '{']) {
            out.push(literal.into_bytes());
        }
        rest = &rest[end..];
    }
}

/// The files below a folder, in the order of their paths.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return vec![] };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
