//! Every LAbS example as an executable program, run ten thousand times.

use crate::build::{compile, flat, lines, written};
use crate::follow::{Followed, Follower};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use swarmcheck_labs::lower::Options;
use swarmcheck_project::{FILE, rows};
use swarmcheck_reference as reference;
use swarmcheck_testkit::read::read_with;

/// The smallest instance of each example, round-robin and not, as its project file names it.
fn instances() -> Vec<(PathBuf, String, bool)> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut smallest: BTreeMap<(PathBuf, bool), (u64, String)> = BTreeMap::new();
    for folder in std::fs::read_dir(examples).expect("the examples").flatten() {
        let Ok(text) = std::fs::read_to_string(folder.path().join(FILE)) else { continue };
        for row in rows(&text).expect("a correct file") {
            if !row.file.ends_with(".labs") || !["", "--fair"].contains(&row.options.as_str()) {
                continue;
            }
            let entry = (row.states.unwrap_or(u64::MAX), row.parameters);
            let known = smallest.entry((folder.path().join(row.file), row.options == "--fair"));
            known.and_modify(|old| *old = entry.clone().min(old.clone())).or_insert(entry);
        }
    }
    smallest.into_iter().map(|((path, fair), (_, parameters))| (path, parameters, fair)).collect()
}

/// Runs the program of an example and follows it.
fn follow(path: &Path, parameters: &str, fair: bool, runs: &str, steps: &str) -> Followed {
    let text = std::fs::read_to_string(path).expect("a readable example");
    let model = read_with(&text, parameters).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let flat = flat(&text, &model, Options { fair, ..Options::default() });
    let property = flat.program.properties.iter().position(|p| {
        !matches!(p.modality, swarmcheck_ir::Modality::Scoped { .. } | swarmcheck_ir::Modality::Linear(_))
    });
    let program = written(&flat, "c-run", property, None).expect("executable C");
    let name = path.file_stem().expect("a name").to_string_lossy();
    let program = compile(&format!("{name}-{fair}"), &program, None);
    let options = reference::Options { fair, ..reference::Options::default() };
    let mut follower = Follower::new(&model, &flat, options, property);
    let mut wrong = None;
    let arguments = ["--states", "--seed", "7", "--runs", runs, "--steps", steps];
    let code = lines(&program, &arguments, |line| {
        if wrong.is_none() {
            wrong = follower.line(line).err();
        }
    });
    assert_eq!((wrong, code), (None, Some(0)), "{} {parameters}", path.display());
    follower.done
}

#[test]
fn every_step_of_every_example_is_a_step_of_the_reference() {
    let instances = instances();
    assert!(instances.len() >= 19, "{} examples", instances.len());
    for (path, parameters, fair) in instances {
        let done = follow(&path, &parameters, fair, "10000", "10");
        println!("{} {parameters} fair={fair}: {done:?}", path.display());
        assert_eq!(done.runs, 10_000);
        assert!(done.steps >= 10_000 && done.distinct > 1, "{done:?}");
    }
}

/// The follower does not accept everything: a program with one change is refused.
#[test]
fn a_program_that_does_something_else_is_refused() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/leader/leader.labs");
    let text = std::fs::read_to_string(path).expect("a readable example");
    let model = read_with(&text, "n=3").expect("a model");
    let flat = flat(&text, &model, Options::default());
    let program = written(&flat, "c-run", None, None).expect("executable C");
    let changes = [
        ("propagate_leader_of[a] = 1;", "propagate_leader_of[a] = 0;"),
        ("assume(now.confirm_leader_of[me] == 1);", "assume(1);"),
        ("next = next + present;", "next = next + present + present;"),
        ("now.leader_of[a] = 3;", "now.leader_of[a] = 2;"),
    ];
    for (at, (from, to)) in changes.into_iter().enumerate() {
        let changed = program.replace(from, to);
        assert_ne!(changed, program, "{from}");
        let built = compile(&format!("changed-{at}"), &changed, None);
        let mut follower = Follower::new(&model, &flat, reference::Options::default(), None);
        let mut wrong = None;
        lines(&built, &["--states", "--runs", "200", "--steps", "20"], |line| {
            if wrong.is_none() {
                wrong = follower.line(line).err();
            }
        });
        assert!(wrong.is_some(), "{from} became {to}, and nobody noticed");
    }
}
