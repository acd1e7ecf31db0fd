//! The kill matrix: command × signal × phase × output file.

use crate::process::{descendants, folder, gone, names, signal, start};
use std::path::Path;
use std::time::{Duration, Instant};

/// A program should be gone within a second. Machines that do other things meanwhile get more; the long run prints what it
/// was.
const SOON: Duration = Duration::from_secs(4);

/// What the matrix is made of: a command that takes long, in a phase. `OUT` stands for an output file.
struct Case {
    name: &'static str,
    arguments: &'static str,
    /// It waits for standard input.
    reads: bool,
    /// It writes to `OUT`.
    writes: bool,
}

const fn reads(name: &'static str, arguments: &'static str) -> Case {
    Case { name, arguments, reads: true, writes: false }
}

const fn works(name: &'static str, arguments: &'static str) -> Case {
    Case { name, arguments, reads: false, writes: false }
}

const fn writes(name: &'static str, arguments: &'static str) -> Case {
    Case { name, arguments, reads: false, writes: true }
}

const FLOCK: &str = "examples/flock/flock.labs birds=3 grid=12 delta=5";

fn cases() -> Vec<Case> {
    vec![
        reads("check, reading", "check -"),
        reads("show, reading", "show - n=3"),
        reads("simulate, reading", "simulate - n=3"),
        reads("verify, reading", "verify - n=3"),
        reads("lts, reading", "lts - n=3"),
        reads("export, reading", "export - n=3"),
        reads("compare, reading", "compare - -"),
        reads("realize, reading", "realize -"),
        reads("replay, reading", "replay -"),
        reads("certify, reading", "certify -"),
        reads("interactive, waiting for a person", "simulate examples/leader/leader.labs n=3 -i"),
        works("verify, preparing", "verify examples/leader/leader.labs n=400"),
        works(
            "export, preparing",
            "export examples/leader/leader.labs n=60 --to aiger -p LeaderIs0 -o /dev/null",
        ),
        works("simulate, running", "simulate LOOP --steps 1000000000000 -q"),
        writes("simulate, writing", "simulate LOOP --steps 1000000000000 -o OUT"),
        writes("verify, explicit", "verify FLOCK --engine explicit --no-reductions -o OUT"),
        works("verify, bmc", "verify FLOCK --engine bmc"),
        works("verify, kind", "verify FLOCK --engine kind"),
        works("verify, ic3", "verify FLOCK --engine ic3"),
        works("verify, bdd", "verify FLOCK --engine bdd"),
        works("verify, abstract", "verify FLOCK --engine abstract --no-reductions"),
        writes("verify, race", "verify FLOCK --no-reductions --certificate OUT"),
        works("verify, cross-check", "verify FLOCK --cross-check --no-reductions"),
        writes("lts, exploring", "lts FLOCK -o OUT"),
        writes("export, exploring", "export FLOCK --to aut -o OUT"),
    ]
}

const SIGNALS: [&str; 4] = ["INT", "TERM", "HUP", "KILL"];

/// How long after its start a program is hit.
const DELAYS: [u64; 3] = [30, 250, 900];

/// What is at the output's place before.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Before {
    Nothing,
    File,
    ReadOnlyText,
}

const BEFORE: [Before; 3] = [Before::Nothing, Before::File, Before::ReadOnlyText];

const OLD: &str = "what an earlier run has found\n";

const LOOP: &str =
    "system { spawn = A: 1 } agent A { interface = x: 0 Behavior = x <- (x + 1) % 7; Behavior } check { }";

/// One cell of the matrix; how long the end took.
fn hit(case: &Case, name: &str, delay: u64, before: Before) -> Duration {
    let place = folder("kill");
    let model = place.join("loop.labs");
    std::fs::write(&model, LOOP).unwrap();
    let out = place.join("out.json");
    if before != Before::Nothing {
        std::fs::write(&out, OLD).unwrap();
    }
    let arguments = case
        .arguments
        .replace("FLOCK", FLOCK)
        .replace("LOOP", &model.to_string_lossy())
        .replace("OUT", &out.to_string_lossy());
    let running = start(&arguments, case.reads);
    let id = running.id();
    std::thread::sleep(Duration::from_millis(delay));
    let children = descendants(id);
    let words = format!("{}: {name} after {delay} ms, {before:?}", case.name);
    signal(name, id);
    let began = Instant::now();
    let ended = running.wait(SOON);
    assert!(gone(&children, SOON), "{words}: a child is left");
    let took = began.elapsed();
    match name {
        // Unless it was done before.
        "KILL" => assert!([None, Some(0)].contains(&ended.status.code()), "{words}"),
        // What was decided before the signal counts before it, and who was faster than the signal has ended well.
        _ => {
            let code = ended.status.code();
            let expected = [Some(130), Some(10), Some(6), Some(0)];
            assert!(expected.contains(&code), "{words}: {code:?}\n{}{}", ended.output, ended.errors);
            assert!(!ended.errors.contains("panicked"), "{words}: {}", ended.errors);
        }
    }
    check_files(&place, &out, case, before, name, &words);
    std::fs::remove_dir_all(&place).unwrap();
    took
}

/// The old file is whole, or a new one is; nothing else is left, unless the program could not clean up.
fn check_files(place: &Path, out: &Path, case: &Case, before: Before, name: &str, words: &str) {
    let now = std::fs::read_to_string(out).ok();
    if before != Before::Nothing {
        let now = now.unwrap_or_else(|| panic!("{words}: the old file is gone"));
        let whole = now == OLD || (case.writes && now.ends_with('\n')) || now.is_empty() && name != "KILL";
        assert!(whole, "{words}: the old file was cut");
        assert!(case.writes || now == OLD, "{words}: a file was overwritten");
    }
    if name != "KILL" {
        let left: Vec<String> =
            names(place).into_iter().filter(|n| !["loop.labs", "out.json"].contains(&n.as_str())).collect();
        assert!(left.is_empty(), "{words}: {left:?} is left");
    }
}

/// Every pair of values of two columns occurs in some row.
#[test]
fn pairwise() {
    let cases = cases();
    let mut slowest = Duration::ZERO;
    for (at, case) in cases.iter().enumerate() {
        // With 25 cases, shifted indices meet all pairs of the small columns; each case meets every signal once in the
        // whole of the rows below.
        for turn in 0..2 {
            let name = SIGNALS[(at + 2 * turn + at / 4) % SIGNALS.len()];
            let delay = DELAYS[(at + turn + at / 3) % DELAYS.len()];
            let before = BEFORE[(at + 2 * turn + at / 5) % BEFORE.len()];
            slowest = slowest.max(hit(case, name, delay, before));
        }
    }
    assert!(cases.len() >= 25);
    println!("the slowest end took {slowest:?}");
}

/// All of it.
#[test]
#[ignore = "takes half an hour"]
fn whole_matrix() {
    let mut rows = 0;
    println!("| case | signal | slowest end (ms) |\n|---|---|---|");
    for case in cases() {
        for name in SIGNALS {
            let mut slowest = Duration::ZERO;
            for delay in DELAYS {
                for before in BEFORE.into_iter().filter(|b| case.writes || *b != Before::ReadOnlyText) {
                    slowest = slowest.max(hit(&case, name, delay, before));
                    rows += 1;
                }
            }
            println!("| {} | {name} | {} |", case.name, slowest.as_millis());
        }
    }
    println!("{rows} cells, nothing lost");
}

/// A pipe that nobody writes to.
#[test]
fn a_pipe_that_nobody_writes_to_does_not_hold_anybody() {
    let place = folder("fifo");
    let pipe = place.join("model.labs");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for command in ["check", "verify", "simulate"] {
        let running = start(&format!("{command} {} --timeout 0.4", pipe.display()), false);
        let ended = running.wait(SOON);
        assert_eq!(ended.status.code(), Some(124), "{command}: {}", ended.errors);
        let running = start(&format!("{command} {}", pipe.display()), false);
        std::thread::sleep(Duration::from_millis(200));
        signal("INT", running.id());
        assert_eq!(running.wait(SOON).status.code(), Some(130), "{command}");
    }
    std::fs::remove_dir_all(place).unwrap();
}

/// What was decided before the signal is printed, with the numbers of the search.
#[test]
fn what_was_decided_is_printed() {
    let model = folder("decided").join("mixed.labs");
    std::fs::write(&model, crate::limits::MIXED).unwrap();
    let running = start(&format!("verify {}", model.display()), false);
    std::thread::sleep(Duration::from_millis(2500));
    // Some programs send a signal to the process and to its group: that is one request.
    signal("INT", running.id());
    signal("INT", running.id());
    let ended = running.wait(SOON);
    assert_eq!(ended.status.code(), Some(10), "{}", ended.errors);
    for row in ["Easy1", "Easy2", "Easy3"] {
        let line =
            ended.output.lines().find(|l| l.starts_with(row)).unwrap_or_else(|| panic!("{}", ended.output));
        assert!(line.contains("holds"), "{}", ended.output);
    }
    assert!(ended.output.contains("Wrong"), "{}", ended.output);
    assert!(ended.output.contains("interrupted"), "{}", ended.output);
}
