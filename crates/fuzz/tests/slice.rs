//! A slice of every target with a fixed seed, all regressions, and whether the harness finds what was planted.
//! `docs/fuzzing.md` has the command for the long run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use swarmcheck_fuzz::child;
use swarmcheck_fuzz::seeds::{files, root};
use swarmcheck_fuzz::targets::{TARGETS, named};

/// How many executions of a target: a second's worth of an idle machine, or less.
fn executions(target: &str) -> u64 {
    match target {
        "journal" | "aut" | "aiger" | "btor2" | "spin" | "smv" => 20_000,
        "lsp" | "web" => 150,
        "found" | "request" | "query" => 150,
        name if name.ends_with("-decide") => 60,
        name if name.ends_with("-check") => 1500,
        _ => 2500,
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn run(target: &str, more: &[&str], out: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_swarmcheck-fuzz"));
    command.args(["run", target, "--seed", "20261118", "--out"]).arg(out).args(more).output().unwrap()
}

/// What a run has told in the file that it leaves.
fn told(out: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(out.join("runs.jsonl")).unwrap();
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

fn slice(wanted: impl Fn(&str) -> bool, name: &str) {
    let out = folder(name);
    let mut done = 0;
    for target in TARGETS.iter().filter(|target| wanted(target.name)) {
        let number = executions(target.name);
        // A busy machine makes fewer, and says so in the count below.
        let ran = run(target.name, &["--executions", &number.to_string(), "--seconds", "6"], &out);
        let said = String::from_utf8_lossy(&ran.stdout).to_string() + &String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{said}");
        let told = told(&out);
        let executed = told["executions"].as_u64().unwrap();
        assert!(executed >= 20, "only {executed} executions of {}", target.name);
        done += executed;
    }
    assert!(done > 1000, "only {done} executions");
}

#[test]
fn front_ends() {
    slice(|name| name.ends_with("-parse") || name.ends_with("-check"), "front");
}

#[test]
fn readers_engines_and_servers() {
    slice(|name| !name.ends_with("-parse") && !name.ends_with("-check"), "rest");
}

/// What was found once is not found again.
#[test]
fn regressions() {
    let mut executed = 0;
    let folder = root().join("crates/fuzz/regressions");
    for path in files(&folder) {
        let name = path.parent().and_then(Path::file_name).unwrap().to_string_lossy().to_string();
        let target = named(&name).unwrap_or_else(|| panic!("{} belongs to no target", path.display()));
        let ran = Command::new(env!("CARGO_BIN_EXE_swarmcheck-fuzz"))
            .args(["one", target.name])
            .arg(&path)
            .output()
            .unwrap();
        assert!(ran.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&ran.stderr));
        executed += 1;
    }
    assert!(executed >= 1, "no regressions were found");
}

/// Panics, also those that somebody catches, hangs, memory and stack overflows are all told, with the input, and the work goes on.
#[test]
fn planted_faults_are_found() {
    for (target, kind, file) in [
        ("planted-panic", "panic at ", "panic-"),
        ("planted-caught", "panic at ", "panic-"),
        ("planted-hang", "hang", "hang-"),
        ("planted-memory", "memory", "memory-"),
        ("planted-crash", "crash", "crash-"),
    ] {
        let out = folder(target);
        // Of the first five inputs the fourth has the word, which costs five seconds or a gigabyte; of thirty four have it.
        let executions = if ["hang", "memory"].contains(&kind) { "5" } else { "30" };
        let ran = run(target, &["--executions", executions, "--seconds", "300"], &out);
        assert_eq!(ran.status.code(), Some(1), "{target}: {}", String::from_utf8_lossy(&ran.stdout));
        let told = told(&out);
        let found = told["found"].as_object().unwrap();
        assert!(found.keys().all(|what| what.starts_with(kind)) && !found.is_empty(), "{target}: {told}");
        let kept = files(&out.join(target));
        let is_input = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with(file);
        assert!(!kept.is_empty() && kept.iter().all(is_input), "{target}: {kept:?}");
        for path in kept {
            assert!(std::fs::read(path).unwrap().windows(5).any(|part| part == b"fault"));
        }
        assert_eq!(told["next"].as_u64(), Some(executions.parse().unwrap()), "{target}: {told}");
    }
}

/// An input gets smaller, and keeps what it is about.
#[test]
fn inputs_are_shrunk() {
    child::hear_panics();
    let target = named("planted-panic").unwrap();
    let (smaller, panic) = swarmcheck_fuzz::shrink::shrink(target, b"some fault among many words").unwrap();
    assert_eq!(smaller, b"fault");
    assert!(panic.contains("the planted panic"), "{panic}");
    assert!(swarmcheck_fuzz::shrink::shrink(target, b"fine").is_none());
}
