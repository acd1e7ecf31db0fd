//! Time and memory: limits hold for every command and engine, and no property starves another.

use crate::process::{descendants, folder, memory, start};
use std::time::{Duration, Instant};

/// One property that no engine decides soon, and four that are decided at once. The hard one comes first.
pub const MIXED: &str = "
system { environment = x: 0; y: 0; u: 0; v: 0; easy: 0  spawn = A: 1, B: 1, C: 1, D: 1, E: 1 }
agent A { Behavior = x <-- (x + 1) % 997; Behavior }
agent B { Behavior = y <-- (y * 3 + x) % 991; Behavior }
agent C { Behavior = u <-- (u * 5 + y) % 983; Behavior }
agent D { Behavior = v <-- (v * 7 + u + 1) % 977; Behavior }
agent E { Behavior = easy <-- 1 - easy; Behavior }
check {
  Hard = fairly_inf x + y + u + v = 7
  Easy1 = always easy <= 1
  Easy2 = always easy >= 0
  Easy3 = fairly_inf easy = 1
  Wrong = always easy = 0
}";

/// Whatever the machine does meanwhile.
const MOST: Duration = Duration::from_secs(60);

#[test]
fn one_hard_property_does_not_starve_the_others() {
    let model = folder("mixed").join("mixed.labs");
    std::fs::write(&model, MIXED).unwrap();
    let ended = start(&format!("verify {} --timeout 4", model.display()), false).wait(MOST);
    // A violation that was found counts even if the time ran out.
    assert_eq!(ended.status.code(), Some(10), "{}{}", ended.output, ended.errors);
    let word = |name: &str| {
        let line = ended.output.lines().find(|line| line.starts_with(&format!("{name} ")));
        line.unwrap_or_else(|| panic!("{}", ended.output)).to_string()
    };
    for easy in ["Easy1", "Easy2", "Easy3"] {
        assert!(word(easy).contains("holds"), "{}", ended.output);
    }
    assert!(word("Wrong").contains("violated"), "{}", ended.output);
    assert!(word("Hard").contains("time limit"), "{}", ended.output);
}

/// No address space has room for such a stack, so the library of diagrams gets no thread, as under a tight limit.
#[test]
fn an_engine_that_gets_no_threads_has_no_answer_and_the_others_have() {
    let model = folder("threads").join("threads.labs");
    let text = "system { environment = e: 0  spawn = A: 1 } agent A { Behavior = e <-- 1 - e; Behavior }
        check { P = always e <= 1 }";
    std::fs::write(&model, text).unwrap();
    let run = |engine: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_swarmcheck"));
        command.arg("verify").arg(&model).args(["--engine", engine]);
        command.env("OXIDD_STACK_SIZE", (1_u64 << 60).to_string());
        let out = command.output().unwrap();
        (out.status.code(), String::from_utf8_lossy(&out.stdout).to_string())
    };
    let (code, said) = run("bdd");
    assert!(code == Some(5) && said.contains("memory limit"), "{code:?} {said}");
    let (code, said) = run("auto");
    assert!(code == Some(0) && said.contains("holds"), "{code:?} {said}");
}

/// Commands that take long, for the table of limits.
const LONG: [(&str, &str); 12] = [
    ("verify, auto", "verify FLOCK --no-reductions"),
    ("verify, explicit", "verify FLOCK --no-reductions --engine explicit"),
    ("verify, abstract", "verify FLOCK --no-reductions --engine abstract"),
    ("verify, bmc", "verify FLOCK --engine bmc"),
    ("verify, kind", "verify FLOCK --engine kind"),
    ("verify, ic3", "verify FLOCK --engine ic3"),
    ("verify, bdd", "verify FLOCK --engine bdd"),
    ("verify, cross-check", "verify FLOCK --cross-check --no-reductions"),
    ("lts", "lts FLOCK"),
    ("export to aut", "export FLOCK --to aut"),
    ("simulate", "simulate FLOCK --steps 1000000000000 -q"),
    ("show, large", "show examples/leader/leader.labs n=200000 --as emulation"),
];

const FLOCK: &str = "examples/flock/flock.labs birds=3 grid=12 delta=5";

/// Two arrays of 8 million cells, as many as a model may have: what takes memory is the preparation.
const ARRAYS: &str = "system { environment = a[8000000]: 0; b[8000000]: 0  spawn = A: 1 }
agent A { Behavior = a[0] <-- 1 - a[0]; b[0] <-- a[0]; Behavior }
check { P = always a[0] <= 1 }";

/// Runs a command; how long it took, its peak of memory in bytes, its exit code.
fn measured(arguments: &str) -> (Duration, u64, Option<i32>) {
    let began = Instant::now();
    let mut running = start(arguments, false);
    let id = running.id();
    let mut peak = 0;
    // Pipes that are full would hold it up.
    let mut output = running.child.stdout.take().unwrap();
    let mut errors = running.child.stderr.take().unwrap();
    std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
    std::thread::spawn(move || std::io::copy(&mut errors, &mut std::io::sink()));
    let status = loop {
        if let Some(status) = running.child.try_wait().unwrap() {
            break status;
        }
        peak = peak.max(memory(id));
        assert!(began.elapsed() < MOST, "{arguments} takes for ever: {:?}", descendants(id));
        std::thread::sleep(Duration::from_millis(2));
    };
    (began.elapsed(), peak, status.code())
}

#[test]
fn time_limits_hold() {
    for (name, arguments) in LONG {
        let arguments = format!("{} --timeout 1", arguments.replace("FLOCK", FLOCK));
        let (took, _, code) = measured(&arguments);
        // A second more is promised; machines that do other things meanwhile get four.
        assert!(took < Duration::from_secs(5), "{name} took {took:?}");
        assert!([Some(124), Some(10), Some(0), Some(5)].contains(&code), "{name}: {code:?}");
    }
}

#[test]
fn preparation_keeps_to_the_memory_limit() {
    let model = folder("arrays").join("arrays.labs");
    std::fs::write(&model, ARRAYS).unwrap();
    let (_, peak, code) = measured(&format!("verify {} --memory 200M --timeout 20", model.display()));
    assert!(peak < (200 << 20) + (64 << 20), "{} MB", peak >> 20);
    assert_eq!(code, Some(5));
}

/// A worker that says something all the time, into a file or into a pipe that nobody reads.
#[test]
fn floods_do_not_hide_the_clock() {
    let place = folder("flood");
    let model = place.join("loop.labs");
    let text = "system { spawn = A: 1 } agent A { interface = x: 0 Behavior = x <- (x + 1) % 7; Behavior } check { }";
    std::fs::write(&model, text).unwrap();
    let simulate = format!("simulate {} --steps 1000000000 --seed 1 --timeout 1", model.display());
    let (took, _, code) = measured(&format!("{simulate} -o {}", place.join("out.txt").display()));
    assert!(took < Duration::from_secs(5), "a file: {took:?}");
    assert_eq!(code, Some(124));
    assert_eq!(crate::process::names(&place), ["loop.labs"], "what is not complete is not kept");
    let began = Instant::now();
    let mut running = start(&simulate, false);
    // Nobody reads, and nobody closes either.
    let _unread = running.child.stdout.take();
    let status = loop {
        if let Some(status) = running.child.try_wait().unwrap() {
            break status;
        }
        assert!(began.elapsed() < MOST, "a pipe that nobody reads");
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert_eq!(status.code(), Some(124));
    std::fs::remove_dir_all(place).unwrap();
}

/// The memory limit ends one engine, the clock ends the rest: that is the time limit.
#[test]
fn the_clock_counts_after_the_memory_limit() {
    let flock = "verify examples/flock/flock.labs birds=3 grid=12 delta=5 --no-reductions -t 1 -p Consensus";
    let ended = start(&format!("{flock} --memory 60M --timeout 6 --json"), false).wait(MOST);
    // Other engines may give up before the time is over, but nobody has interrupted.
    assert!([Some(124), Some(5)].contains(&ended.status.code()), "{}", ended.output);
    assert!(!ended.output.contains("interrupted"), "{}", ended.output);
}

/// The table of limits, for people.
#[test]
#[ignore = "takes ten minutes"]
fn table_of_limits() {
    let model = folder("arrays").join("arrays.labs");
    std::fs::write(&model, ARRAYS).unwrap();
    println!("| command | limit | time (s) | peak (MB) | exit |\n|---|---|---|---|---|");
    let arrays = format!("verify {}", model.display());
    let rows = LONG.into_iter().chain([("verify, two arrays of 8 million cells", arrays.as_str())]);
    for (name, arguments) in rows {
        let arguments = arguments.replace("FLOCK", FLOCK);
        for limit in
            ["--timeout 1", "--timeout 5", "--memory 100M --timeout 20", "--memory 400M --timeout 20"]
        {
            let (took, peak, code) = measured(&format!("{arguments} {limit}"));
            let code = code.map_or("-".to_string(), |c| c.to_string());
            println!("| {name} | {limit} | {:.2} | {} | {code} |", took.as_secs_f64(), peak / 1_000_000);
        }
    }
}

/// A worker costs little: how long a tiny model takes from start to end, with one.
#[test]
#[ignore = "measures"]
fn round_trip() {
    let mut times: Vec<Duration> =
        (0..50).map(|_| measured_quickly("check examples/leader/leader.labs n=2")).collect();
    times.sort();
    println!("median {:?}, fastest {:?}, slowest {:?}", times[25], times[0], times[49]);
}

fn measured_quickly(arguments: &str) -> Duration {
    let began = Instant::now();
    let ended = start(arguments, false).wait(MOST);
    assert_eq!(ended.status.code(), Some(0));
    began.elapsed()
}
