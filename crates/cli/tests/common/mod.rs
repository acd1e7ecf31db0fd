//! What the tests of the whole project share.

#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

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
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
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

/// The program with these arguments, in the top folder, without input.
pub fn swarmcheck(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_swarmcheck"));
    command.args(arguments.split_whitespace()).current_dir(root()).stdin(Stdio::null());
    command
}

/// Runs it.
pub fn run(arguments: &str) -> Output {
    swarmcheck(arguments).output().unwrap()
}

/// Runs it and checks how it ends; what it said on both channels.
#[track_caller]
pub fn exits(arguments: &str, code: i32) -> String {
    let output = run(arguments);
    let said = String::from_utf8_lossy(&output.stdout).to_string() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments}: {said}");
    said
}

/// A file of the test's own.
pub fn scratch(name: &str, bytes: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Whether a program of other people is there. Where it is not, that is said in a line; `SWARMCHECK_REQUIRE` lists those that
/// must be there, and CI sets it.
#[track_caller]
pub fn tool(name: &str, program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    if std::env::split_paths(&paths).any(|folder| folder.join(program).is_file()) {
        return true;
    }
    let required = std::env::var("SWARMCHECK_REQUIRE").unwrap_or_default();
    assert!(!required.split_whitespace().any(|word| word == program), "{name} is not installed");
    eprintln!("{name} is not installed (no program '{program}'): what it decides is not tested");
    false
}
