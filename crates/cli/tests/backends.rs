//! Other verifiers, run for real: shell scripts stand in their place, found on the path, and print what the verifiers are
//! documented to print. What `verify` makes of true, false, unknown, slow, crashing and damaged answers, and what the
//! scripts were given. How answers are read in detail is tested where they are read.

#![cfg(unix)]

mod common;

use common::swarmcheck;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// A counter that stops at 3: `Low` is violated by two steps.
const MODEL: &str = "system { spawn = A: 1 }
agent A {
  interface = n: 0
  Behavior = n < 3 -> n <- n + 1; Behavior
}
check { Low = always forall A a, n of a < 2 }
";

/// A folder of the test's own with a model and scripts.
struct Fake {
    folder: PathBuf,
}

impl Fake {
    fn new(name: &str) -> Fake {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("backends-{name}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("bin")).unwrap();
        std::fs::write(folder.join("model.labs"), MODEL).unwrap();
        Fake { folder }
    }

    /// Puts a program there that notes its arguments and then does this.
    fn program(&self, name: &str, body: &str) {
        let path = self.folder.join("bin").join(name);
        let note = self.folder.join(format!("{name}.arguments"));
        std::fs::write(&path, format!("#!/bin/sh\necho \"$@\" >> '{}'\n{body}\n", note.display())).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn arguments(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.join(format!("{name}.arguments"))).unwrap().trim().to_string()
    }

    fn command(&self, backend: &str, more: &str) -> Command {
        let model = self.folder.join("model.labs");
        let mut command = swarmcheck(&format!("verify {} --backend {backend} {more}", model.display()));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let paths = std::iter::once(self.folder.join("bin")).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(paths).unwrap());
        command
    }

    fn run(&self, backend: &str, more: &str) -> (i32, String) {
        let Output { status, stdout, stderr } = self.command(backend, more).output().unwrap();
        let said = String::from_utf8_lossy(&stdout).to_string() + &String::from_utf8_lossy(&stderr);
        (status.code().unwrap_or(-1), said)
    }
}

/// A verifier: what it prints, with which code, when it says true, false and unknown.
struct Case {
    backend: &'static str,
    program: &'static str,
    options: &'static str,
    holds: String,
    violated: (String, i32),
    unknown: Option<String>,
}

/// A script that prints a text and ends with a code.
fn print(text: &str, code: i32) -> String {
    format!("cat <<'END'\n{text}\nEND\nexit {code}")
}

/// Two steps of the agent, as text.
fn states(sign: &str) -> String {
    let one = |name: &str| {
        format!(
            "State 4 file emulation.c line 4 function step thread 0\n----\n  {name}{sign}0 (00000000)\n\n"
        )
    };
    let end = "Violated property:\n  file emulation.c line 9 function main\n  Low\n  holds\n\n";
    format!("Counterexample:\n\n{}{end}", (one("chosen_function") + &one("chosen_agent")).repeat(2))
}

fn cases() -> Vec<Case> {
    let cpachecker = |verdict: &str| format!("Starting analysis ...\nVerification result: {verdict}\n");
    let harness = "cat > Counterexample.1.harness.c <<'END'\nint __VERIFIER_nondet_int() {\n  switch (test_vector_index) {\n    \
                   case 0: retval = 0; break;\n    case 1: retval = 0; break;\n    case 2: retval = 0; break;\n    \
                   case 3: retval = 0; break;\n  }\n  return retval;\n}\nEND\n";
    vec![
        Case {
            backend: "esbmc",
            program: "esbmc",
            options: "--steps 3",
            holds: print(
                "ESBMC version 7.9.0\nGenerated 4 VCC(s), 2 remaining after simplification\nVERIFICATION SUCCESSFUL",
                0,
            ),
            violated: (print(&format!("ESBMC version 7.9.0\n{}\nVERIFICATION FAILED", states(" = ")), 1), 10),
            unknown: Some(print("ESBMC version 7.9.0\nVERIFICATION UNKNOWN", 0)),
        },
        Case {
            backend: "cseq",
            program: "cseq.py",
            options: "--steps 3",
            holds: print("emulation.c, SAFE, 1.00, 9.00MB", 0),
            violated: (print(&format!("{}\nemulation.c, UNSAFE, 1.00, 9.00MB", states("=")), 10), 10),
            unknown: Some(print("emulation.c, UNKNOWN, 1.00, 9.00MB", 0)),
        },
        Case {
            backend: "cpachecker",
            program: "cpachecker",
            options: "",
            holds: print(&cpachecker("TRUE. No property violation found by chosen configuration."), 0),
            violated: (
                format!(
                    "{harness}{}",
                    print(
                        &cpachecker(
                            "FALSE. Property violation (unreach-call) found by chosen configuration."
                        ),
                        0
                    )
                ),
                10,
            ),
            unknown: Some(print(&cpachecker("UNKNOWN, incomplete analysis."), 0)),
        },
        Case {
            backend: "cadp",
            program: "lnt.open",
            options: "",
            holds: print("TRUE", 0),
            violated: (print("FALSE", 0), 10),
            unknown: None,
        },
    ]
}

/// The diagnostic that stands for two steps.
const BCG_IO: &str = "cat > \"$2\" <<'END'
des (0, 6, 7)
(0, \"ASSIGN !0 !\\\"n\\\" !0\", 1)
(1, \"START\", 2)
(2, \"ASSIGN !0 !\\\"n\\\" !1\", 3)
(3, \"STEP !0 !\\\"A_1\\\"\", 4)
(4, \"ASSIGN !0 !\\\"n\\\" !2\", 5)
(5, \"STEP !0 !\\\"A_1\\\"\", 6)
END";

fn fake(case: &Case, what: &str, body: &str) -> Fake {
    let fake = Fake::new(&format!("{}-{what}", case.backend));
    fake.program(case.program, body);
    if case.backend == "cadp" {
        fake.program("bcg_io", BCG_IO);
    }
    fake
}

#[test]
fn true_false_and_unknown() {
    for case in cases() {
        let (code, said) = fake(&case, "true", &case.holds).run(case.backend, case.options);
        // CSeq does not say whether loops go on where it cuts them off.
        let evidence = case.backend != "cseq";
        assert_eq!(code, if evidence { 0 } else { 5 }, "{}: {said}", case.backend);
        assert_eq!(said.contains(", says "), evidence, "{said}");
        let (code, said) = fake(&case, "false", &case.violated.0).run(case.backend, case.options);
        assert_eq!(code, case.violated.1, "{}: {said}", case.backend);
        assert!(said.contains("trace of 2 steps"), "{said}");
        if let Some(unknown) = &case.unknown {
            let (code, said) = fake(&case, "unknown", unknown).run(case.backend, case.options);
            assert_eq!(code, 5, "{}: {said}", case.backend);
        }
    }
}

/// Nothing that is damaged is ever a verdict: neither 0 nor 10.
#[test]
fn crashes_and_damage() {
    for case in cases() {
        let both = format!("( {} )\n{}", case.holds, case.violated.0);
        let bodies = [
            ("crash", "kill -SEGV $$".to_string()),
            ("failure", "echo 'something is wrong' >&2; exit 42".to_string()),
            ("garbage", "head -c 3000 /dev/urandom".to_string()),
            ("empty", "exit 0".to_string()),
            ("truncated", format!("( {} ) | head -c -6", case.holds)),
            ("contradictory", both),
            ("wrong-code", format!("( {} )\nexit 77", case.holds)),
        ];
        for (what, body) in bodies {
            let (code, said) = fake(&case, what, &body).run(case.backend, case.options);
            assert!(code == 1 || code == 5, "{} {what}: {code}: {said}", case.backend);
            assert!(!said.contains(", says "), "{} {what}: {said}", case.backend);
        }
    }
}

#[test]
fn a_limit_of_memory_is_named() {
    for case in cases() {
        let body = "echo \"terminate called after throwing an instance of 'std::bad_alloc'\" >&2; exit 134";
        let (code, said) = fake(&case, "memory", body).run(case.backend, case.options);
        assert_eq!(code, 5, "{}: {said}", case.backend);
        assert!(said.contains("memory limit"), "{}: {said}", case.backend);
    }
}

#[test]
fn a_limit_of_time_stops_them() {
    for case in cases() {
        let fake = fake(&case, "slow", "sleep 100");
        let began = Instant::now();
        let (code, said) = fake.run(case.backend, &format!("{} --timeout 1", case.options));
        assert_eq!(code, 124, "{}: {said}", case.backend);
        assert!(began.elapsed() < Duration::from_secs(50), "{}", case.backend);
    }
}

/// Ctrl-C ends the verifier and what it has started: the other process would leave a file.
#[test]
fn an_interrupt_ends_the_whole_group() {
    for case in cases() {
        let fake = Fake::new(&format!("{}-interrupt", case.backend));
        let (ready, late) = (fake.folder.join("ready"), fake.folder.join("late"));
        let body =
            format!("(sleep 4; echo > '{}') &\necho > '{}'\nsleep 100", late.display(), ready.display());
        fake.program(case.program, &body);
        if case.backend == "cadp" {
            fake.program("bcg_io", BCG_IO);
        }
        let mut child = fake.command(case.backend, case.options).spawn().unwrap();
        let began = Instant::now();
        while !ready.exists() {
            assert!(began.elapsed() < Duration::from_secs(60), "{} was not started", case.backend);
            std::thread::sleep(Duration::from_millis(20));
        }
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{}", case.backend);
        std::thread::sleep(Duration::from_millis(4500));
        assert!(!late.exists(), "{} has left a process behind", case.backend);
    }
}

/// The verifiers are given the files that they are told about.
#[test]
fn what_they_are_given() {
    let cases = cases();
    let case = |name: &str| cases.iter().find(|c| c.backend == name).unwrap();
    let look = |name: &str, body: &str| {
        let case = case(name);
        let fake = fake(case, "given", &format!("{body}\n{}", case.holds));
        let (code, said) = fake.run(name, case.options);
        assert_eq!(code, if name == "cseq" { 5 } else { 0 }, "{name}: {said}");
        fake.arguments(case.program)
    };
    let esbmc = look("esbmc", "grep -q __ESBMC_assert emulation.c || exit 9");
    assert!(esbmc.starts_with("emulation.c ") && esbmc.ends_with("--unwind 5"), "{esbmc}");
    let cseq = look("cseq", "grep -q __CPROVER_assert emulation.c || exit 9");
    assert!(cseq.contains("-i emulation.c") && cseq.ends_with("--unwind 5"), "{cseq}");
    let cpachecker = look("cpachecker", "grep -q reach_error unreach-call.prp emulation.c || exit 9");
    assert!(
        cpachecker.starts_with("--spec unreach-call.prp") && cpachecker.ends_with("emulation.c"),
        "{cpachecker}"
    );
    let cadp =
        look("cadp", "grep -q 'module emulation' emulation.lnt && grep -q Predicate query.mcl || exit 9");
    assert_eq!(cadp, "emulation.lnt evaluator4 -bfs -diag diagnostic.bcg query.mcl");
}
