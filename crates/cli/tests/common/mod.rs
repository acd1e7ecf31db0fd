//! What the tests of the whole project share.

#![allow(dead_code)]

use std::path::{Path, PathBuf};

/// The top of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All files below a folder with one of these endings, in order.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut out = vec![];
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().to_string();
        if path.is_dir() && !name.starts_with('.') && name != "target" {
            out.extend(files(&path, ending));
        } else if name.ends_with(ending) {
            out.push(path);
        }
    }
    out
}

/// All Markdown files of the project.
pub fn markdown_files() -> Vec<PathBuf> {
    files(&root(), ".md")
}
