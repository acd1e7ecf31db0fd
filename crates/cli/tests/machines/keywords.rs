//! Models whose variables are called like words of other languages: what is written in these languages is accepted by their tools,
//! and means the same.

use crate::common::{exits, run, scratch, tool};
use std::path::Path;
use std::process::Command;

/// Words of C and its libraries, Promela, SMV, LNT and SMT-LIB, names that differ in capitals or in what replaces a sign only, and
/// names that files give by themselves: `t7` is how a term is called in formulas.
const WORDS: &[&str] = &[
    "int", "while", "auto", "typeof", "main", "errno", "nondet", "assume", "assert", "assign", "proctype",
    "run", "ltl", "timeout", "never", "process", "esac", "union", "next", "channel", "module", "par", "var",
    "let", "ite", "distinct", "select", "store", "xor", "push", "started", "start", "step", "steps",
    "reached", "state", "me", "holds", "a_b", "aB", "ab", "t3", "t6", "t7", "d7", "choice0", "unix", "linux",
    "fault", "value", "number", "exit", "quiet", "v_0", "self", "time", "name", "cell", "stdin",
];

/// Everybody counts up to 3, so that the first claim holds and the second is violated after three steps.
fn model(word: &str) -> String {
    format!(
        "system {{ environment = {word}: 0, other: 0  spawn = Agent: 2 }}\n\
         agent Agent {{ interface = x: 0\n  Behavior = {word} < 3 -> {word} <-- {word} + 1; x <- 1; other <-- other + 1; Behavior }}\n\
         check {{ Q = always {word} <= 3\n  R = always {word} <= 2 }}\n"
    )
}

/// The same with all words at once, as attributes and as shared variables.
fn all_at_once() -> String {
    let attributes: String = WORDS.iter().map(|word| format!("{word}: 0; ")).collect();
    let assignments: String = WORDS.iter().map(|word| format!("{word} <- 1; ")).collect();
    format!(
        "system {{ environment = count_: 0  spawn = Agent: 1 }}\n\
         agent Agent {{ interface = {}\n  Behavior = count_ < 1 -> count_ <-- count_ + 1; {assignments}Behavior }}\n\
         check {{ Q = always forall Agent a, {} <= 2 }}\n",
        attributes.trim_end_matches("; "),
        WORDS
            .iter()
            .map(|word| format!("{word} of a"))
            .collect::<Vec<_>>()
            .join(" + ")
            .replace(" + ", " <= 2 and "),
    )
}

fn written(path: &Path, target: &str, property: &str) -> String {
    let output = run(&format!("export {} --to {target} -p {property}", path.display()));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{target}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

/// What another program says about a file.
fn asked(program: &str, arguments: &[&str], file: &Path) -> (bool, String) {
    let output = Command::new(program).args(arguments).arg(file).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn clauses_mean_the_same_whatever_variables_are_called() {
    let solvers = [("Z3", "z3", &[][..]), ("cvc5", "cvc5", &["--lang=smt2", "--tlimit=20000"])];
    let solvers: Vec<_> = solvers.into_iter().filter(|(name, program, _)| tool(name, program)).collect();
    for word in WORDS {
        let path = scratch("keyword.labs", model(word).as_bytes());
        for (property, expected) in [("Q", "sat"), ("R", "unsat")] {
            let file = scratch("keyword.smt2", written(&path, "chc", property).as_bytes());
            for (_, program, arguments) in &solvers {
                // cvc5 finds what is wrong, and seldom an invariant.
                if *program == "z3" || property == "R" {
                    let (_, said) = asked(program, arguments, &file);
                    assert_eq!(said.trim(), expected, "{word} {property} {program}");
                }
            }
        }
        // Every definition is read; what VMT adds is unknown to Z3, which only warns.
        let file = scratch("keyword.vmt", written(&path, "smt2", "R").as_bytes());
        if let Some((_, program, _)) = solvers.first().filter(|(_, program, _)| *program == "z3") {
            let (_, said) = asked(program, &["-smt2"], &file);
            assert!(!said.contains("error"), "{word}: {said}");
        }
    }
}

#[test]
fn the_engine_for_integers_is_not_confused_by_names() {
    if !tool("Z3", "z3") {
        return;
    }
    for word in ["t3", "t6", "t7", "ite", "start", "started", "choice0", "step"] {
        let path = scratch("keyword-engine.labs", model(word).as_bytes());
        let output = run(&format!("verify {} --engine smt --json --timeout 60", path.display()));
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let results = document["results"].as_array().unwrap();
        let verdicts: Vec<&str> = results.iter().map(|r| r["verdict"].as_str().unwrap()).collect();
        assert_eq!(verdicts, ["holds", "violated"], "{word}: {document}");
    }
}

#[test]
fn compilers_and_spin_accept_all_words() {
    let path = scratch("keywords.labs", all_at_once().as_bytes());
    exits(&format!("check {}", path.display()), 0);
    if tool("A C compiler", "cc") {
        for target in ["c-run", "c-cbmc", "c-esbmc", "c-svcomp", "c-flat"] {
            let output = run(&format!(
                "export {} --to {target} -p Q -o {}",
                path.display(),
                env!("CARGO_TARGET_TMPDIR").to_string() + "/keywords.c"
            ));
            // Some of these targets write several files, and some need a bound.
            if !output.status.success() || target == "c-svcomp" {
                continue;
            }
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("keywords.c");
            let arguments =
                ["-std=gnu11", "-trigraphs", "-fsyntax-only", "-Wall", "-Wno-implicit-function-declaration"];
            let (accepted, said) = asked("cc", &arguments, &file);
            assert!(
                accepted && !said.contains("shadows") && !said.contains("conflicting"),
                "{target}: {said}"
            );
        }
    }
    if tool("Spin", "spin") && tool("A C compiler", "cc") {
        let said = exits(&format!("verify {} --backend spin --timeout 200", path.display()), 0);
        assert!(said.contains("says Spin"), "{said}");
    }
    // The names that SMV and LNT give are compared with the words of their scanners where they are made.
    for target in ["smv", "lnt"] {
        let text = written(&path, target, "Q");
        assert!(text.lines().count() > WORDS.len(), "{target}");
    }
}
