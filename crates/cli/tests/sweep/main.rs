//! Sweeps: tables do not depend on how often and where the work was interrupted; journals of other sweeps are refused; points that fail
//! are recorded; several machines give the table of one.
//!
//! `cargo test` kills a sweep at ten random moments. Two hundred:
//!
//! ```text
//! cargo test -p swarmcheck-cli --test sweep -- --ignored --nocapture
//! ```

mod cluster;
#[path = "../common/mod.rs"]
mod common;
mod failing;
mod journals;
mod kills;
#[allow(dead_code)]
#[path = "../supervision/process.rs"]
mod process;
mod slurm;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Counts up to a limit, and then stops: `limit` steps and a deadlock, whatever the seed.
pub const COUNTER: &str = "system { extern = _limit\n  spawn = A: 1 }
agent A {
  interface = x: 0
  Behavior = x < _limit -> x <- x + 1; Behavior
}
check {
  Small = always forall A a, x of a <= 5
}
";

/// A folder of a test's own, with the model in it.
pub fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("sweep-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    std::fs::write(path.join("counter.labs"), COUNTER).unwrap();
    path
}

/// The program in a folder. Words in single quotes are one.
pub fn program(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_swarmcheck"));
    let words = arguments.split('\'').enumerate().flat_map(|(at, part)| match at % 2 {
        0 => part.split_whitespace().map(str::to_string).collect::<Vec<_>>(),
        _ => vec![part.to_string()],
    });
    command.args(words).current_dir(folder).stdin(std::process::Stdio::null());
    command
}

/// Runs it; what it said, and how it ended.
pub fn run(folder: &Path, arguments: &str) -> (String, i32) {
    said(&program(folder, arguments).output().unwrap())
}

pub fn said(output: &Output) -> (String, i32) {
    let text = String::from_utf8_lossy(&output.stdout).to_string() + &String::from_utf8_lossy(&output.stderr);
    (text, output.status.code().unwrap_or(-1))
}

/// Runs it, and checks how it ends.
#[track_caller]
pub fn exits(folder: &Path, arguments: &str, code: i32) -> String {
    let (said, ended) = run(folder, arguments);
    assert_eq!(ended, code, "{arguments}: {said}");
    said
}

pub fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}
