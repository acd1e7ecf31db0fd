//! Spin decides the examples: its verdicts are those of the project files, and its trails replay, which `verify` checks
//! before it says *violated*.
//!
//! Where Spin is not installed there is nothing to test, and the tests say so; where `SWARMCHECK_REQUIRE` in the
//! environment names it, as in CI, they fail instead.

mod common;

use common::{exits, root, run, scratch, tool};
use std::collections::BTreeSet;
use swarmcheck_project::{FILE, Row, rows};

/// Whether Spin and a C compiler are there.
fn present() -> bool {
    tool("Spin", "spin") && tool("A C compiler", "cc")
}

/// What another verifier says: verdict and evidence.
fn said(arguments: &str, property: &str) -> (String, String) {
    let name = if property == "(deadlock)" { String::new() } else { format!("-p {property}") };
    let output = run(&format!("verify {arguments} {name} --backend spin --json --timeout 300"));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{arguments}: {e}: {}", String::from_utf8_lossy(&output.stderr)));
    let results = document["results"].as_array().unwrap();
    let result = results.iter().find(|r| r["property"] == property).unwrap();
    let text = |key: &str| result[key].as_str().unwrap_or("").to_string();
    (text("verdict"), text("evidence"))
}

/// Their products with automata take Spin minutes.
const SLOW: &[&str] = &["commit.rcp", "resources.rcp"];

/// One line per file and kind of question, so that compiling verifiers does not take all day: the first with each verdict
/// that is small enough.
fn lines() -> Vec<(String, String, String)> {
    let mut out = vec![];
    for path in common::files(&root().join("examples"), FILE) {
        let folder = path.parent().unwrap().file_name().unwrap().to_string_lossy().to_string();
        let mut seen = BTreeSet::new();
        for row in rows(&std::fs::read_to_string(&path).unwrap()).unwrap() {
            let Row { file, parameters, options, property, verdict, states, .. } = row;
            let large = states.map_or(file.ends_with(".labs"), |n| n > 500);
            if large
                || SLOW.contains(&file.as_str())
                || options.contains("--ignore")
                || options.contains("--steps")
            {
                continue;
            }
            if seen.insert((file.clone(), verdict.clone())) {
                let arguments = format!("examples/{folder}/{file} {parameters} {options}");
                out.push((arguments, property, verdict));
            }
        }
    }
    out
}

/// Whether Spin cannot be asked, for a reason that the documentation gives.
fn refused(evidence: &str) -> bool {
    ["branching-time", "half-way through it", "formulas over actions"]
        .iter()
        .any(|why| evidence.contains(why))
}

#[test]
fn spin_gives_the_verdicts_of_the_examples() {
    if !present() {
        return;
    }
    let lines = lines();
    assert!(lines.len() >= 25, "only {} lines", lines.len());
    let (first, second) = lines.split_at(lines.len() / 2);
    let decide = |part: &[(String, String, String)]| {
        let mut decided = 0;
        let mut wrong = vec![];
        for (arguments, property, verdict) in part {
            let (answer, evidence) = said(arguments, property);
            match answer == *verdict {
                true => decided += 1,
                false if answer == "unknown" && refused(&evidence) => {}
                false => wrong.push(format!("{arguments} {property}: {answer} ({evidence}), not {verdict}")),
            }
        }
        (decided, wrong)
    };
    let ((one, mut wrong), (two, more)) = std::thread::scope(|scope| {
        let other = scope.spawn(|| decide(second));
        (decide(first), other.join().unwrap())
    });
    wrong.extend(more);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{} of {} lines decided", one + two, lines.len());
    assert!(one + two >= 20, "only {} lines were decided", one + two);
}

/// Bounded questions. The verdicts are those that the file of the example gives for them.
#[test]
fn bounds() {
    if !present() {
        return;
    }
    let approx = "examples/approx/approx.labs yes=2 no=3 --steps";
    assert_eq!(said(&format!("{approx} 6"), "NoYConsensus").0, "holds");
    assert_eq!(said(&format!("{approx} 20"), "NoYConsensus").0, "violated");
    let crossing = "examples/scopes/crossing.labs trains=1";
    assert_eq!(said(crossing, "ThirdStep").0, "holds");
    assert_eq!(said(crossing, "FourthStep").0, "violated");
}

/// An index that leaves its array, division by zero, ⊥, numbers that do not fit 32 bits, choices of every kind. What is
/// expected follows from the meaning of each operation, as `docs/labs.md` gives it.
#[test]
fn corners_of_arithmetic() {
    if !present() {
        return;
    }
    let model = scratch(
        "corners.labs",
        b"system {
  environment = a[2]: 0; u: undef; s: -7; d: 0; big: 1
  spawn = Worker: 1
}
agent Worker {
  interface = q: 0; r: 0; m: 0; k: 0
  Behavior = Round ++ Mod ++ Zero ++ Pick
  Round = q = 0 -> q, r <- s / 2, s : 2; Nil
  Mod = m <- s % 5; Nil
  Zero = k <- 1 / d; Nil
  Pick = k <- [2..5]; Nil
}
check {
  Quotient = always forall Worker w, q of w = 0 or (q of w = -3 and r of w = -4)
  Modulo   = always forall Worker w, m of w = 0 or m of w = 3
  NoZero   = always forall Worker w, k of w != 1
  Low      = always forall Worker w, k of w < 4
  Lower    = always forall Worker w, k of w < 5
}
",
    );
    let model = model.display();
    for (property, verdict) in [
        ("Quotient", "holds"),
        ("Modulo", "holds"),
        ("NoZero", "holds"),
        ("Low", "violated"),
        ("Lower", "holds"),
    ] {
        let (answer, evidence) = said(&model.to_string(), property);
        assert_eq!(answer, verdict, "{property}: {evidence}");
    }
    let faulty = scratch(
        "outside.labs",
        b"system {
  environment = a[2]: 0
  spawn = Worker: 1
}
agent Worker {
  interface = i: 0
  Behavior = i < 3 -> { a[i] <-- 1; i <- i + 1 }; Behavior
}
check { Fine = always forall Worker w, i of w < 3 }
",
    );
    let (answer, evidence) = said(&faulty.display().to_string(), "Fine");
    assert_eq!(answer, "model error", "{evidence}");
    assert!(evidence.contains("index out of bounds"), "{evidence}");
    let large = scratch(
        "large.labs",
        b"system {
  spawn = Worker: 1
}
agent Worker {
  interface = x: 3
  Behavior = x <- x * x; Behavior
}
check { Positive = always forall Worker w, x of w > 0 }
",
    );
    // 3, 9, 81, 6561, 43046721, then more than 32 bits can hold.
    let (answer, evidence) = said(&large.display().to_string(), "Positive");
    assert_eq!(answer, "unknown", "{evidence}");
    assert!(evidence.contains("32 bits"), "{evidence}");
}

/// A trail that somebody else has kept is read as well; one that says something else is refused.
#[test]
fn kept_trails_are_translated() {
    // Node 0 writes, then its message reaches the others; worked out by hand from the program that `show` prints.
    let trail = scratch(
        "leader.trail.txt",
        b"@state
@cells 2 0 0 0 1 2 1 0 0 1
@step 0 0
@state
@cells 0 1 1 1 1 2 0 0 0 1
@step 1 0
@state
@cells 0 0 1 0 1 0 0 0 1 1
spin: trail ends after 12 steps
",
    );
    let model = "verify examples/leader/leader.labs n=2 -p NeverElected --backend spin --translate-cex";
    let said = exits(&format!("{model} {}", trail.display()), 10);
    assert!(said.contains("trace of 2 steps"), "{said}");
    let text = std::fs::read_to_string(&trail).unwrap();
    let damaged = scratch("damaged.trail.txt", text.replace("@cells 0 0 1", "@cells 0 1 1").as_bytes());
    let said = exits(&format!("{model} {}", damaged.display()), 1);
    assert!(said.contains("step 2 cannot be made"), "{said}");
    let other = scratch("other.trail.txt", b"nothing of the kind\n");
    exits(&format!("{model} {}", other.display()), 2);
}
