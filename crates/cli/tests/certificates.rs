//! Proofs of what holds: which share of the examples has one, directories of proofs, and what is refused.

mod common;

use common::{exits, root, run, scratch, tool};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// How many answers there are of some sort: all, with a proof, with one that asks to trust neither a reduction nor an encoding nor a solver, and those
/// whose evidence is an execution.
#[derive(Default, Debug, Clone, Copy)]
struct Share {
    holds: u32,
    proved: u32,
    plain: u32,
    executions: u32,
}

/// A directory of the test's own, which is empty.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    path
}

fn json(arguments: &str) -> Json {
    let output = run(arguments);
    let said = String::from_utf8_lossy(&output.stderr).to_string();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{arguments}: {e}: {said}"))
}

/// What makes a question one of its kind, in the words of `verify`.
fn sort_of(result: &Json, bounded: bool) -> String {
    let question = result["question"].as_str().unwrap();
    match question {
        _ if result["property"] == "(deadlock)" => "deadlock freedom".to_string(),
        _ if bounded => "bounded".to_string(),
        question => question.split(',').next().unwrap().to_string(),
    }
}

/// Verifies all examples with at most so many states, and checks every proof; rows by kind of question and engine.
fn shares(most: u64, timeout: u32, slow: bool) -> BTreeMap<(String, String), Share> {
    let mut models = BTreeSet::new();
    for path in common::files(&root().join("examples"), swarmcheck_project::FILE) {
        let text = std::fs::read_to_string(&path).unwrap();
        let place = path.parent().unwrap().strip_prefix(root()).unwrap().to_path_buf();
        for row in swarmcheck_project::rows(&text).unwrap() {
            let is_open = row.parameters.contains("..");
            if row.states.is_some_and(|states| states <= most) && (slow || !row.slow) && !is_open {
                let options = row.options.replace("--deadlock", "");
                let file = place.join(&row.file).display().to_string();
                models.insert((file, row.parameters.clone(), options.trim().to_string()));
            }
        }
    }
    let mut shares: BTreeMap<(String, String), Share> = BTreeMap::new();
    for (file, parameters, options) in &models {
        let proofs = folder(&format!("shares-{most}"));
        let to = proofs.display();
        let report = json(&format!(
            "verify {file} {parameters} {options} --deadlock --certificates {to} --timeout {timeout} --json"
        ));
        let mut proved = 0;
        for result in report["results"].as_array().unwrap().iter().filter(|r| r["verdict"] == "holds") {
            let engine = result["engine"].as_str().unwrap().to_string();
            let kind = sort_of(result, options.contains("--steps"));
            let share = shares.entry((kind, engine)).or_default();
            share.holds += 1;
            let is_plain =
                |trusted: &Json| ["monitor", "automaton"].iter().any(|kind| trusted["kind"] == *kind);
            match result["trusted"].as_array() {
                Some(trusted) => {
                    proved += 1;
                    share.proved += 1;
                    share.plain += u32::from(trusted.iter().all(is_plain));
                }
                None if !result["trace"].is_null() => share.executions += 1,
                None => println!(
                    "{file} {parameters} {options}: {} {}",
                    result["property"], result["uncertified"]
                ),
            }
        }
        if proved == 0 {
            continue;
        }
        let said = json(&format!("certify {to} --json"));
        let answers = said["answers"].as_array().unwrap();
        assert_eq!(answers.len(), proved, "{file} {parameters} {options}: {said}");
        for answer in answers {
            assert_eq!(answer["outcome"]["answer"], "accepted", "{file} {parameters} {options}: {answer}");
        }
    }
    println!(
        "{} models\n| question | engine | holds | proved | no trusted reduction | execution |",
        models.len()
    );
    println!("|---|---|---|---|---|---|");
    for ((kind, engine), share) in &shares {
        let Share { holds, proved, plain, executions } = share;
        println!("| {kind} | {engine} | {holds} | {proved} | {plain} | {executions} |");
    }
    shares
}

/// Every kind of question whose answer is decided by what can be reached has a proof that trusts no reduction; of the others, nine in ten.
fn assert_shares(shares: &BTreeMap<(String, String), Share>) {
    let sum = |shares: Vec<&Share>| {
        shares.iter().fold(Share::default(), |a, b| Share {
            holds: a.holds + b.holds - b.executions,
            proved: a.proved + b.proved,
            plain: a.plain + b.plain,
            executions: a.executions + b.executions,
        })
    };
    let is_safety = |kind: &str| ["deadlock freedom", "bounded", "in every reachable state"].contains(&kind);
    let safety =
        sum(shares.iter().filter(|((kind, _), _)| is_safety(kind)).map(|(_, share)| share).collect());
    let others =
        sum(shares.iter().filter(|((kind, _), _)| !is_safety(kind)).map(|(_, share)| share).collect());
    assert!(safety.holds >= 40 && others.holds >= 20, "{safety:?} {others:?}");
    assert_eq!(safety.plain, safety.holds, "{safety:?}");
    assert!(others.proved * 10 >= others.holds * 9, "{others:?}");
}

#[test]
fn small_examples_have_proofs() {
    assert_shares(&shares(1500, 60, false));
}

#[test]
#[ignore = "long: all examples up to a million states; the table of docs/certificates.md"]
fn all_examples_have_proofs() {
    assert_shares(&shares(1_000_000, 900, true));
}

#[test]
fn a_directory_of_proofs_is_written_and_checked() {
    let model = "examples/leader/leader.labs n=3";
    let proofs = folder("proofs");
    let to = proofs.display().to_string();
    exits(&format!("verify {model} --certificates {to} -q"), 10);
    let names = |at: &PathBuf| {
        let entries = std::fs::read_dir(at).unwrap();
        entries.map(|e| e.unwrap().file_name().to_string_lossy().to_string()).collect::<BTreeSet<String>>()
    };
    let written =
        ["ElectionSettles", "KnownLeader", "LeaderIs0"].map(|name| format!("{name}.certificate.json"));
    assert_eq!(names(&proofs), written.iter().cloned().collect());
    let said = exits(&format!("certify {to}"), 0);
    assert!(
        said.contains("KnownLeader.certificate.json: accepted: KnownLeader holds, by a set of"),
        "{said}"
    );
    // What is no certificate stays, and the others are written all the same.
    let other = proofs.join(&written[1]);
    std::fs::write(&other, "mine").unwrap();
    std::fs::remove_file(proofs.join(&written[0])).unwrap();
    let said = exits(&format!("verify {model} --certificates {to} -q"), 1);
    assert!(said.contains("is not overwritten, because it is no certificate"), "{said}");
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "mine");
    assert!(proofs.join(&written[0]).is_file());
    exits(&format!("certify {to}"), 2);
    // A damaged one is refused by name.
    std::fs::remove_file(&other).unwrap();
    let path = proofs.join(&written[2]);
    let mut damaged: Json = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    damaged["proofs"][0]["states"]["states"] = 1.into();
    std::fs::write(&path, damaged.to_string()).unwrap();
    let said = exits(&format!("certify {to}"), 10);
    assert!(said.contains("LeaderIs0.certificate.json: refused: it has more states than it says"), "{said}");
    // A file that cannot be read does not keep the others from being checked, and none of them is written over.
    std::fs::write(proofs.join(&written[0]), "{").unwrap();
    let said = exits(&format!("certify {to}"), 2);
    assert!(
        said.contains("ElectionSettles.certificate.json")
            && said.contains("LeaderIs0.certificate.json: refused"),
        "{said}"
    );
    let said = exits(&format!("certify {to} --lrat {}", path.display()), 2);
    assert!(said.contains("would overwrite an input file"), "{said}");
    // No directory, a file in its place, and one without proofs.
    exits(&format!("verify {model} --certificates {to}/no/where"), 2);
    let file = scratch("file.txt", b"mine");
    exits(&format!("verify {model} --certificates {}", file.display()), 2);
    let empty = folder("empty");
    std::fs::create_dir_all(&empty).unwrap();
    exits(&format!("certify {}", empty.display()), 2);
}

/// What restricts a claim is said with it.
#[test]
fn what_is_accepted_says_what_was_claimed() {
    let path = scratch("claims.json", b"");
    let to = path.display();
    let said = |options: &str, code: i32| {
        exits(&format!("verify examples/leader/leader.labs n=3 {options} -q --certificate {to}"), code);
        exits(&format!("certify {to}"), 0)
    };
    let bounded = said("-p KnownLeader --steps 3", 0);
    assert!(bounded.contains("KnownLeader holds within 3 steps, by a set of"), "{bounded}");
    // Shorter executions that have ended are not asked about: within 9 steps is more than that.
    let never = b"system { spawn = A: 1 } agent A { interface = x: 0 Behavior = x <- 1; Skip } check { Nine = eventually exists A a, x of a = 9 }";
    let never = scratch("never.labs", never).display().to_string();
    for engine in ["explicit", "bmc"] {
        exits(&format!("verify {never} --steps 9 -q --engine {engine} --certificate {to}"), 0);
        let claimed = exits(&format!("certify {to}"), 0);
        assert!(claimed.contains("Nine holds in executions of exactly 9 steps, by"), "{claimed}");
    }
    let excused = said("-p KnownLeader --ignore-deadlock", 0);
    assert!(excused.contains("holds, where executions that stop are excused, by"), "{excused}");
    let fair = said("-p ElectionSettles --fairness weak", 0);
    assert!(fair.contains("holds for weakly fair executions, by a set of"), "{fair}");
    let round_robin = said("-p KnownLeader --fair", 0);
    assert!(round_robin.contains("leaves; for n=3 --fair"), "{round_robin}");
    let trusted = said("-p KnownLeader --engine ic3", 0);
    assert!(trusted.contains("; trusted: ") && trusted.contains("the encoding as bits"), "{trusted}");
    let report =
        json(&format!("verify examples/leader/leader.labs n=3 -p LeaderIs0 --certificate {to} --json"));
    assert_eq!(report["results"][0]["trusted"], serde_json::json!([]));
}

/// What `certify` hands out is a formula that another solver finds unsatisfiable, too, and a refutation of that formula. That of a model in which the
/// property is violated is satisfiable.
#[test]
fn refutations_are_handed_out_with_their_formula() {
    let [proof, formula, refutation] =
        ["bounded.json", "bounded.cnf", "bounded.lrat"].map(|name| scratch(name, b"").display().to_string());
    let question = "examples/leader/leader.labs n=4 -p KnownLeader --steps 6 --engine bmc";
    exits(&format!("verify {question} --certificate {proof}"), 0);
    let said = exits(&format!("certify {proof} --dimacs {formula} --lrat {refutation}"), 0);
    assert!(said.contains("KnownLeader holds within 6 steps, by a refutation of"), "{said}");
    let (written, lines) =
        (std::fs::read_to_string(&formula).unwrap(), std::fs::read_to_string(&refutation).unwrap());
    let clauses: usize = written.lines().next().unwrap().rsplit(' ').next().unwrap().parse().unwrap();
    assert_eq!(written.lines().count(), clauses + 1);
    let first: usize = lines.split(' ').next().unwrap().parse().unwrap();
    assert!(first > clauses, "the refutation numbers its clauses behind those of the formula");
    // The same file cannot be both, and neither can be an input: the certificate, or the model that only the certificate names.
    let model = scratch("owned.labs", b"system { spawn = A: 1 } agent A { interface = x: 0 Behavior = x <- 1 - x; Behavior } check { Bit = always forall A a, x of a < 2 }");
    let owned = scratch("owned.json", b"").display().to_string();
    let text = std::fs::read_to_string(&model).unwrap();
    exits(&format!("verify {} --steps 3 --engine bmc --certificate {owned}", model.display()), 0);
    let said = exits(&format!("certify {owned} --lrat {}", model.display()), 2);
    assert!(said.contains("would overwrite an input file"), "{said}");
    assert_eq!(std::fs::read_to_string(&model).unwrap(), text);
    exits(&format!("certify {proof} --dimacs {formula} --lrat {formula}"), 2);
    exits(&format!("certify {proof} --lrat {proof}"), 2);
    if tool("Z3", "z3") {
        let z3 = |path: &str| {
            let output = std::process::Command::new("z3").args(["-dimacs", path]).output().unwrap();
            String::from_utf8_lossy(&output.stdout).to_string()
        };
        let said = z3(&formula);
        assert!(said.contains("UNSATISFIABLE") || said.trim() == "unsat", "{said}");
        // Without the last clause, which asks for an execution that violates the property, there are executions.
        let header = format!("p cnf {} {}", written.split(' ').nth(2).unwrap(), clauses - 1);
        let mut fewer: Vec<&str> = written.lines().skip(1).collect();
        fewer.pop();
        let path = scratch("fewer.cnf", format!("{header}\n{}\n", fewer.join("\n")).as_bytes());
        let said = z3(&path.display().to_string());
        assert!(!said.contains("UNSATISFIABLE") && said.trim() != "unsat", "{said}");
    }
}

/// Answers name their file, and files without an answer are in the document, too.
#[test]
fn a_document_about_a_directory_names_every_file() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("named-proofs");
    let _ = std::fs::remove_dir_all(&folder);
    let to = folder.display();
    exits(
        &format!("verify examples/leader/leader.labs n=3 -p KnownLeader,LeaderIs0 -q --certificates {to}"),
        0,
    );
    let whole = std::fs::read_to_string(folder.join("KnownLeader.certificate.json")).unwrap();
    std::fs::write(folder.join("Cut.certificate.json"), &whole[..whole.len() / 2]).unwrap();
    let output = run(&format!("certify {to} --json"));
    assert_eq!(output.status.code(), Some(2));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let names = |list: &str| -> Vec<String> {
        let all = document[list].as_array().into_iter().flatten();
        all.map(|one| one["file"].as_str().unwrap().rsplit('/').next().unwrap().to_string()).collect()
    };
    assert_eq!(names("answers"), ["KnownLeader.certificate.json", "LeaderIs0.certificate.json"]);
    assert_eq!(names("unread"), ["Cut.certificate.json"]);
    assert!(document["unread"][0]["message"].as_str().unwrap().contains("not a certificate"), "{document}");
}
