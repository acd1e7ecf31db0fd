//! CBMC, run for real where it is installed: answers that its documentation does not show, and the limit of memory. The matrix compares verdicts.

mod common;

use common::{exits, scratch, tool};

/// `n` begins with 0, 1 or 2 and grows: `Two` is false at first, true once and false again, `Five` is always true.
const COUNTER: &[u8] = b"system { spawn = A: 1 }
agent A {
  interface = n: 0..3
  Behavior = n < 3 -> n <- n + 1; Behavior
}
check {
  Two = always forall A a, n of a = 2
  Five = always forall A a, n of a < 5
}
";

#[test]
fn the_first_violation_counts() {
    if !tool("CBMC", "cbmc") {
        return;
    }
    let model = scratch("counter-cbmc.labs", COUNTER);
    let said = exits(&format!("verify {} -p Two --backend cbmc --steps 3", model.display()), 10);
    assert!(said.contains("trace of 0 steps"), "{said}");
    let said = exits(&format!("verify {} -p Five --backend cbmc --steps 3", model.display()), 0);
    assert!(said.contains("says CBMC"), "{said}");
}

/// The first step violates the property, and the second writes behind the array.
#[test]
fn errors_of_the_model_come_first() {
    if !tool("CBMC", "cbmc") {
        return;
    }
    let model = scratch(
        "outside-cbmc.labs",
        b"system { environment = cells[1]: 0  spawn = A: 1 }
agent A {
  interface = n: 0
  Behavior = n < 3 -> { n <- n + 1; cells[n - 1] <-- n }; Behavior
}
check { Low = always forall A a, n of a < 1 }
",
    );
    let said = exits(&format!("verify {} -p Low --backend cbmc --steps 4", model.display()), 6);
    assert!(said.contains("index out of bounds"), "{said}");
}

/// What CBMC uses counts. Nothing is left behind.
#[test]
fn memory_is_limited() {
    if !tool("CBMC", "cbmc") {
        return;
    }
    let question = "examples/flock/flock.labs birds=3 grid=5 delta=5 --fair --steps 20 -p Consensus";
    let temporary = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cbmc-memory");
    std::fs::create_dir_all(&temporary).unwrap();
    let mut command =
        common::swarmcheck(&format!("verify {question} --backend cbmc --memory 60M --timeout 120"));
    let output = command.env("TMPDIR", &temporary).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(5), "{said}");
    assert!(said.contains("memory limit"), "{said}");
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0, "files are left");
}
