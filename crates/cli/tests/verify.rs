//! `swarmcheck verify` and `swarmcheck lts` as their users meet them: exit codes, limits, signals, the same for any number
//! of threads.

mod common;

use common::{exits, run, scratch, swarmcheck};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The results of a run with `--json`, without what depends on the machine.
fn results(arguments: &str) -> serde_json::Value {
    let output = run(&format!("verify {arguments} --json"));
    let mut document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for result in document["results"].as_array_mut().unwrap() {
        let result = result.as_object_mut().unwrap();
        result.remove("seconds");
        result.remove("memory");
    }
    document
}

#[test]
fn exit_codes() {
    exits("verify examples/twophase/twophase.labs workers=2", 0);
    exits("verify examples/leader/leader.labs n=3", 10);
    exits("verify examples/leader/leader.labs n=3 -p LeaderIs0,KnownLeader", 0);
    let said = exits("verify examples/leader/leader.labs n=3 -p LeaderIs1", 2);
    assert!(said.contains("did you mean \"LeaderIs0\""), "{said}");
    exits("verify examples/leader/leader.labs n=3 --threads 0", 2);
    exits("verify examples/leader/leader.labs n=3 --memory lots", 2);
    exits("verify examples/leader/leader.labs n=3 --steps -1", 2);
    exits("verify examples/philosophers/philosophers.labs n=3 -p HandsInRange --deadlock", 10);
    let said = exits("verify examples/leader/leader.labs n=3 -p ElectionSettles --steps 4", 5);
    assert!(said.contains("reachability has no bound on steps"), "{said}");
}

#[test]
fn an_index_out_of_bounds_ends_with_a_trace() {
    let model = scratch(
        "index.labs",
        "system { environment = a[3]: 0 spawn = P: 1 }\n\
         agent P { interface = i: 0 Behavior = a[i] <-- 1; i <- i + 1; Behavior }\n\
         check { Fine = always true }"
            .as_bytes(),
    );
    let said = exits(&format!("verify {}", model.display()), 6);
    assert!(said.contains("array index out of bounds at"), "{said}");
    assert!(said.contains("P 0 tries line 2: a[i] <-- 1"), "{said}");
    assert!(said.contains("trace of 6 steps"), "{said}");
}

#[test]
fn limits_end_a_search() {
    let flock =
        "verify examples/flock/flock.labs birds=3 grid=5 delta=5 -p ConsensusAgain --no-reductions -q";
    let said = exits(&format!("{flock} --memory 20M"), 5);
    assert!(said.contains("unknown") && said.contains("memory limit"), "{said}");
    let said = exits(&format!("{flock} --timeout 0.5"), 124);
    assert!(said.contains("unknown") && said.contains("time limit"), "{said}");
}

#[test]
fn control_c_prints_what_was_found() {
    let mut child =
        swarmcheck("verify examples/flock/flock.labs birds=3 grid=5 delta=5 -p ConsensusAgain -q")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let began = Instant::now();
    let status = child.wait().unwrap();
    assert!(began.elapsed() < Duration::from_secs(10), "it stopped after {:?}", began.elapsed());
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut said).unwrap();
    assert_eq!(status.code(), Some(130), "{said}");
    assert!(said.contains("unknown") && said.contains("interrupted"), "{said}");
}

#[test]
fn threads_and_hashes_change_nothing() {
    for model in
        ["leader/leader.labs n=5", "ants/ants.labs ants=2 size=2 scent=1", "scopes/crossing.labs trains=2"]
    {
        let model = format!("examples/{model} --no-reductions --deadlock");
        let one = results(&format!("{model} --threads 1"));
        assert_eq!(one, results(&format!("{model} --threads 2")), "{model}");
        // Colliding hashes put states in another order: of several shortest traces another may be found.
        let collided = results(&format!("{model} --threads 3 --hash-bits 16"));
        for (a, b) in one["results"].as_array().unwrap().iter().zip(collided["results"].as_array().unwrap()) {
            let keys: &[&str] = match a["verdict"] == "holds" {
                true => &["property", "verdict", "evidence", "states", "transitions", "deadlocks", "depth"],
                false => &["property", "verdict", "evidence"],
            };
            keys.iter().for_each(|key| assert_eq!(a[key], b[key], "{model}: {key}"));
        }
    }
}

#[test]
fn traces_come_back() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("violated.json");
    let path = file.display();
    exits(
        &format!("verify examples/flock/flock.labs birds=2 grid=3 delta=3 --trace-format json -o {path}"),
        10,
    );
    assert!(exits(&format!("replay {path}"), 0).contains("accepted"));
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("\"loop\":"), "the counterexample to 'finally' is a loop");
}

#[test]
fn engines_check_one_another() {
    let model = "examples/philosophers/philosophers.labs n=2 -p HandsInRange -q";
    let said = exits(&format!("verify {model} --cross-check"), 0);
    for engine in ["explicit", "bmc", "kind", "ic3"] {
        assert!(said.contains(&format!("HandsInRange  {engine} ")), "{engine} is missing: {said}");
    }
    let said = exits(&format!("verify {model} --cross-check --engine ic3"), 2);
    assert!(said.contains("leave out --engine"), "{said}");
}

#[test]
fn proofs_come_back() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("proof.json");
    let path = file.display();
    let model = "examples/scopes/crossing.labs trains=1 -p Safe --no-reductions";
    let said = exits(&format!("verify {model} --engine ic3 --certificate {path}"), 0);
    assert!(said.contains("by an invariant of"), "{said}");
    assert!(exits(&format!("certify {path}"), 0).contains("accepted: Safe holds, by an invariant of"));
    // With two trains the property is violated, so nothing can prove it: not this proof with another number, either.
    let text = std::fs::read_to_string(&file).unwrap();
    let two = scratch("two.json", text.replace("\"trains\":1", "\"trains\":2").as_bytes());
    let said = exits(&format!("certify {}", two.display()), 10);
    assert!(said.contains("certificate 1: refused"), "{said}");
    exits(&format!("certify {}", scratch("no.json", b"{}").display()), 2);
    exits(&format!("certify {}", scratch("empty.json", b"").display()), 2);
    // Whoever visits states has them as a proof.
    exits(&format!("verify {model} --engine explicit --certificate {path}"), 0);
    assert!(exits(&format!("certify {path}"), 0).contains("accepted: Safe holds, by a set of"));
    assert!(exits(&format!("replay {}", two.display()), 2).contains("not a trace"));
}

#[test]
fn transition_systems_are_written() {
    let aut = exits("lts examples/leader/leader.labs n=3 -q", 0);
    assert!(aut.starts_with("des (0, 366, 106)\n"), "{aut}");
    assert_eq!(aut.lines().count(), 367);
    let small = exits("lts examples/approx/approx.labs yes=1 no=2 --minimise strong -q", 0);
    let full = exits("lts examples/approx/approx.labs yes=1 no=2 -q", 0);
    assert!(small.len() <= full.len());
    assert!(exits("lts examples/approx/approx.labs yes=1 no=2 --as dot -q", 0).contains("digraph"));
    exits("lts examples/leader/leader.labs n=6 --as dot", 2);
}
