//! Workers that die: the questions under way are unknown with the reason, the others are answered, nothing is left behind.

use crate::limits::MIXED;
use crate::process::{descendants, folder, gone, names, signal, start};
use std::time::Duration;

const SOON: Duration = Duration::from_secs(30);

/// The worker is killed while a hard property is under way: the easy ones keep their verdicts, and the engines that were not
/// at work on the hard one go on with it.
#[test]
fn a_killed_worker_loses_no_answer() {
    let place = folder("killed");
    let model = place.join("mixed.labs");
    std::fs::write(&model, MIXED).unwrap();
    let running = start(&format!("verify {} --json --timeout 8", model.display()), false);
    let parent = running.id();
    std::thread::sleep(Duration::from_millis(2000));
    let killed = descendants(parent);
    assert_eq!(killed.len(), 1);
    signal("KILL", killed[0]);
    let ended = running.wait(SOON);
    assert!(gone(&killed, SOON));
    let document: serde_json::Value = serde_json::from_str(&ended.output).unwrap_or_else(|e| {
        panic!("{e}: {}{}", ended.output, ended.errors);
    });
    let verdict = |name: &str| {
        let results = document["results"].as_array().unwrap();
        let row = results.iter().find(|r| r["property"] == name).unwrap_or_else(|| panic!("no {name}"));
        (row["verdict"].as_str().unwrap().to_string(), row["outcome"]["reason"].clone())
    };
    for easy in ["Easy1", "Easy2", "Easy3"] {
        assert_eq!(verdict(easy).0, "holds");
    }
    assert_eq!(verdict("Wrong").0, "violated");
    let (word, reason) = verdict("Hard");
    assert_eq!(word, "unknown");
    assert!(reason.to_string().contains("\"signal\""), "{reason}");
    assert_eq!(names(&place), ["mixed.labs"]);
    std::fs::remove_dir_all(place).unwrap();
}

/// Other commands have one question: it has no answer, and that is said.
#[test]
fn a_killed_worker_is_told() {
    let running = start("lts examples/flock/flock.labs birds=3 grid=12 delta=5", false);
    std::thread::sleep(Duration::from_millis(800));
    let workers = descendants(running.id());
    assert_eq!(workers.len(), 1);
    signal("KILL", workers[0]);
    let ended = running.wait(SOON);
    assert_eq!(ended.status.code(), Some(5), "{}", ended.errors);
    assert!(ended.errors.contains("ended by signal 9"), "{}", ended.errors);
    assert!(ended.output.is_empty());
}

/// A worker that is asked nothing, or nonsense, says so.
#[test]
fn a_worker_is_for_programs() {
    let ended = start("worker", false).wait(SOON);
    assert_eq!(ended.status.code(), Some(2));
    assert!(ended.errors.contains("started by swarmcheck itself"), "{}", ended.errors);
}
