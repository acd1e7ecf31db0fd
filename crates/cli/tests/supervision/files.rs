//! Files of users: an old one survives whatever goes wrong, and nothing is begun that would overwrite an input.

use crate::process::{folder, names, start};
use std::time::Duration;

const MOST: Duration = Duration::from_secs(60);
const LEADER: &str = "examples/leader/leader.labs n=3";

/// Runs a command with files in a folder; the exit code and what the files hold then.
fn run(arguments: &str) -> (Option<i32>, String) {
    let ended = start(arguments, false).wait(MOST);
    (ended.status.code(), ended.output + &ended.errors)
}

#[test]
fn a_refused_command_leaves_old_files_alone() {
    let place = folder("old");
    let old = place.join("t.json");
    std::fs::write(&old, "old").unwrap();
    let out = old.display();
    for arguments in [
        format!("verify {LEADER} -p Nope --trace-file {out}"),
        format!("verify {LEADER} -p Nope --certificate {out}"),
        format!("verify examples/leader/leader.labs --trace-file {out}"),
        format!("simulate examples/leader/leader.labs -o {out}"),
        format!("simulate {LEADER} --steps x -o {out}"),
        format!("lts examples/leader/leader.labs -o {out}"),
        format!("lts examples/flock/flock.labs birds=3 grid=5 delta=5 --as dot -o {out} --timeout 1"),
        format!("export {LEADER} --to aiger -p Nope -o {out}"),
        format!("export {LEADER} --to aiger -o {out}"),
    ] {
        let (code, said) = run(&arguments);
        assert!([Some(2), Some(6), Some(124), Some(5)].contains(&code), "{arguments}: {code:?} {said}");
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "old", "{arguments}");
        assert_eq!(names(&place), ["t.json"], "{arguments}");
    }
    std::fs::remove_dir_all(place).unwrap();
}

/// A run that finds no counterexample keeps the one that an earlier run has found.
#[test]
fn a_trace_is_not_replaced_by_nothing() {
    let place = folder("nothing");
    let old = place.join("t.json");
    std::fs::write(&old, "old").unwrap();
    let (code, said) = run(&format!("verify {LEADER} -p LeaderIs0 --trace-file {}", old.display()));
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("is left as it is"), "{said}");
    assert_eq!(std::fs::read_to_string(&old).unwrap(), "old");
    std::fs::remove_dir_all(place).unwrap();
}

#[test]
fn inputs_are_never_overwritten() {
    let place = folder("inputs");
    let model = place.join("m.labs");
    std::fs::copy(crate::common::root().join("examples/leader/leader.labs"), &model).unwrap();
    std::os::unix::fs::symlink(&model, place.join("link.labs")).unwrap();
    let text = std::fs::read_to_string(&model).unwrap();
    let at = |name: &str| place.join(name).display().to_string();
    for arguments in [
        format!("verify {} n=3 -o {}", at("m.labs"), at("m.labs")),
        format!("verify {} n=3 -o {}", at("m.labs"), at("link.labs")),
        format!("verify {} n=3 --certificate {}", at("m.labs"), at("m.labs")),
        format!("verify {} n=3 --certificate {} -o {}", at("m.labs"), at("new"), at("./new")),
        format!("simulate {} n=3 -o {}", at("m.labs"), at("m.labs")),
        format!("lts {} n=3 -o {}", at("m.labs"), at("m.labs")),
        format!("export {} n=3 -o {}", at("m.labs"), at("m.labs")),
    ] {
        let (code, said) = run(&arguments);
        assert_eq!(code, Some(2), "{arguments}: {said}");
        assert_eq!(std::fs::read_to_string(&model).unwrap(), text, "{arguments}");
        assert_eq!(names(&place), ["link.labs", "m.labs"], "{arguments}");
    }
    std::fs::remove_dir_all(place).unwrap();
}

#[test]
fn results_take_the_place_of_old_files() {
    let place = folder("replace");
    let out = place.join("t.json");
    std::fs::write(&out, "old").unwrap();
    let (code, _) = run(&format!("verify {LEADER} -p NeverElected --trace-format json -o {}", out.display()));
    assert_eq!(code, Some(10));
    let trace: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&out).unwrap()).unwrap();
    assert_eq!(trace["format"], "swarmcheck-trace");
    assert_eq!(names(&place), ["t.json"]);
    std::fs::remove_dir_all(place).unwrap();
}

#[test]
fn exit_codes_say_what_was_found_first() {
    let place = folder("codes");
    let bad = place.join("bad.json");
    std::fs::write(&bad, "{}").unwrap();
    assert_eq!(run(&format!("simulate {LEADER} --walk {}", bad.display())).0, Some(2));
    let full = std::process::Command::new("sh")
        .arg("-c")
        .arg(format!("{} simulate {LEADER} > /dev/full", env!("CARGO_BIN_EXE_swarmcheck")))
        .current_dir(crate::common::root())
        .status()
        .unwrap();
    assert_eq!(full.code(), Some(1));
    // `NeverElected` is violated by every run, whether somebody reads it or not.
    let mut running = start(&format!("simulate {LEADER} --seed 1"), false);
    drop(running.child.stdout.take());
    assert_eq!(running.child.wait().unwrap().code(), Some(10));
    std::fs::remove_dir_all(place).unwrap();
}

/// A model of which one process is meant, and standard input that is a file, are inputs like any other.
#[test]
fn inputs_with_other_names_are_not_overwritten() {
    let place = folder("names");
    let model = place.join("m.ccs");
    std::fs::copy(crate::common::root().join("examples/alternating-bit/abp.ccs"), &model).unwrap();
    let text = std::fs::read_to_string(&model).unwrap();
    let (code, said) = run(&format!("lts {}:Spec -o {}", model.display(), model.display()));
    assert_eq!((code, std::fs::read_to_string(&model).unwrap()), (Some(2), text), "{said}");
    let model = place.join("f.labs");
    std::fs::copy(crate::common::root().join("examples/leader/leader.labs"), &model).unwrap();
    let text = std::fs::read_to_string(&model).unwrap();
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_swarmcheck"))
        .args(["verify", "-", "n=3", "-o"])
        .arg(&model)
        .stdin(std::fs::File::open(&model).unwrap())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap();
    assert_eq!((status.code(), std::fs::read_to_string(&model).unwrap()), (Some(2), text));
    std::fs::remove_dir_all(place).unwrap();
}

/// A pipe gets the whole output, and one without a reader holds nobody.
#[test]
fn pipes_are_written_to() {
    let place = folder("pipe");
    let pipe = place.join("p");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || std::fs::read_to_string(pipe).unwrap())
    };
    assert_eq!(run(&format!("lts {LEADER} -o {}", pipe.display())).0, Some(0));
    assert!(reader.join().unwrap().starts_with("des ("));
    let ended = start(&format!("lts {LEADER} -o {} --timeout 0.5", pipe.display()), false).wait(MOST);
    assert_eq!(ended.status.code(), Some(124));
    std::fs::remove_dir_all(place).unwrap();
}

/// What standard output is, if it is a file, gets the traces and the table.
#[test]
fn standard_output_is_not_replaced() {
    let place = folder("stdout");
    let out = place.join("all.txt");
    let command = format!(
        "echo before > {out}; {} verify {LEADER} -p NeverElected -o /dev/stdout >> {out}",
        env!("CARGO_BIN_EXE_swarmcheck"),
        out = out.display()
    );
    let status = std::process::Command::new("sh")
        .args(["-c", &command])
        .current_dir(crate::common::root())
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(10));
    let text = std::fs::read_to_string(&out).unwrap();
    for part in ["before", "initial values", "NeverElected  violated"] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    std::fs::remove_dir_all(place).unwrap();
}
