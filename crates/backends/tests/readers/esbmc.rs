//! Answers of ESBMC in the form that its documentation and the issues of its repository show.

use crate::{is_the_violation, no_beginning_is_a_verdict, printed, reading, states};
use swarmcheck_backends::Reading;
use swarmcheck_backends::c::{CQuestion, Kept, VERIFIERS};

const HEAD: &str = "ESBMC version 7.9.0 64-bit x86_64 linux
Target: 64-bit little-endian x86_64-unknown-linux with esbmclibc
Parsing emulation.c
Converting
Generating GOTO Program
GOTO program creation time: 0.184s
GOTO program processing time: 0.000s
";

fn bounded(rest: &str) -> String {
    format!(
        "{HEAD}Starting Bounded Model Checking\nUnwinding loop 2 iteration 1   file emulation.c line 7 column 5 function main\n\
         Symex completed in: 0.003s (61 assignments)\nGenerated 4 VCC(s), 2 remaining after simplification (40 assignments)\n\
         Runtime decision procedure: 0.001s\n{rest}"
    )
}

fn violation(property: &str) -> String {
    let rule = "-".repeat(52);
    let shown = states(" = ", &rule, str::to_string);
    bounded(&format!(
        "Building error trace\n\n[Counterexample]\n\n\n{shown}State 12 file emulation.c line 60 column 5 function main thread 0\n\
         {rule}\nViolated property:\n  file emulation.c line 60 column 5 function main\n  {property}\n  return_value$_holds$2 != 0\n\n\n\
         VERIFICATION FAILED\n"
    ))
}

fn holds() -> String {
    bounded("No bug has been found in the bounded executions\n\nVERIFICATION SUCCESSFUL\n")
}

fn induction(rest: &str) -> Kept {
    let output =
        format!("{HEAD}*** Checking base case, k = 1\nNo bug has been found in the base case\n{rest}");
    Kept { output, code: Some(0), unbounded: true, ..Kept::default() }
}

#[test]
fn verdicts() {
    assert_eq!(reading("ESBMC", &printed(&holds(), 0)), Some(Reading::Holds));
    assert!(is_the_violation(&reading("ESBMC", &printed(&violation("Below"), 1))));
    let gave_up = bounded("Unable to prove or falsify the program, giving up.\nVERIFICATION UNKNOWN\n");
    assert!(matches!(reading("ESBMC", &printed(&gave_up, 0)), Some(Reading::Unknown(_))));
    // Where it was called from may stand before what is violated.
    let stack = violation("Below").replace("  Below\n", "Stack trace:\n  c:@F@main\n  Below\n");
    assert!(is_the_violation(&reading("ESBMC", &printed(&stack, 1))));
}

#[test]
fn a_proof_says_how() {
    for proof in [
        "\nSolution found by the forward condition; all states are reachable (k = 3)\n",
        "\nSolution found by the inductive step (k = 2)\n",
    ] {
        let kept = induction(&format!("\nVERIFICATION SUCCESSFUL\n{proof}"));
        assert_eq!(reading("ESBMC", &kept), Some(Reading::Holds));
        no_beginning_is_a_verdict(
            "ESBMC",
            &Kept { output: kept.output.replace(proof, ""), ..kept.clone() },
            0,
        );
    }
    assert_eq!(
        reading("ESBMC", &induction("\nVERIFICATION SUCCESSFUL\n")),
        None,
        "the base case proves nothing"
    );
    let bug = violation("Below") + "\nBug found (k = 2)\n";
    assert!(is_the_violation(&reading("ESBMC", &Kept { code: Some(1), output: bug, ..induction("") })));
}

#[test]
fn what_else_may_fail_is_no_counterexample() {
    for other in ["unwinding assertion loop 2", "model error: a number does not fit 64 bits"] {
        assert!(
            matches!(reading("ESBMC", &printed(&violation(other), 1)), Some(Reading::Unknown(_))),
            "{other}"
        );
    }
    assert_eq!(reading("ESBMC", &printed(&violation("array bounds violated"), 1)), None);
}

#[test]
fn damaged_answers() {
    let (holds, violated) = (holds(), violation("Below"));
    no_beginning_is_a_verdict("ESBMC", &printed(&holds, 0), 0);
    no_beginning_is_a_verdict("ESBMC", &printed(&violated, 1), 0);
    let damaged = [
        (String::new(), 0),
        ("Segmentation fault (core dumped)\n".to_string(), 139),
        ("what is this?\n".to_string(), 0),
        (holds.clone(), 1),
        (holds.clone(), 139),
        (violated.clone(), 0),
        (violated.replace("FAILED", "SUCCESSFUL"), 0),
        (violated.replace("FAILED", "SPLENDID"), 1),
        (holds.replace("SUCCESSFUL", "FAILED"), 1),
        (format!("{holds}{violated}"), 1),
        (format!("{violated}{holds}"), 0),
        (format!("{holds}{holds}"), 0),
        (format!("ERROR: PARSING ERROR\n{holds}"), 0),
        (holds.replace("VERIFICATION SUCCESSFUL", "VERIFICATION SUCCESSFUL?"), 0),
        (violated.replacen("  chosen = 1", "  chosen is 1", 1), 1),
        (violated.replacen("  chosen = 1 ", "  chosen = 2 ", 1), 1),
        (violated.replacen(&"-".repeat(52), "", 1), 1),
        (violated.replace("chosen_agent", "somebody"), 1),
        (violated.replace("chosen", "other"), 1),
        (format!("{violated}State 99 file emulation.c line 1 column 1 function main thread 0\n"), 1),
    ];
    for (output, code) in damaged {
        let found = reading("ESBMC", &printed(&output, code));
        assert_eq!(found, None, "{output}");
    }
    let nothing = holds.replace("Generated 4 VCC(s), 2", "Generated 0 VCC(s), 0");
    assert!(
        matches!(reading("ESBMC", &printed(&nothing, 0)), Some(Reading::Unknown(_))),
        "nothing was checked"
    );
    let bare = printed("ESBMC version 7.9.0\nVERIFICATION SUCCESSFUL\n", 0);
    assert!(matches!(reading("ESBMC", &bare), Some(Reading::Unknown(_))), "what was checked?");
    let refused = printed(&format!("{HEAD}ERROR: unrecognised option '--no-slice'\n"), 64);
    assert_eq!(reading("ESBMC", &refused), None);
}

#[test]
fn command_lines() {
    let verifier = VERIFIERS.iter().find(|v| v.name == "ESBMC").expect("ESBMC");
    let mut question = CQuestion { program: "", others: &[], rounds: Some(7), memory: None };
    let arguments = (verifier.arguments)(&question, "esbmc");
    assert_eq!(arguments[0], "emulation.c");
    assert!(arguments.ends_with(&["--unwind".to_string(), "7".to_string()]), "{arguments:?}");
    question.rounds = None;
    let arguments = (verifier.arguments)(&question, "esbmc");
    assert!(
        arguments.ends_with(&["--k-induction".to_string(), "--unlimited-k-steps".to_string()]),
        "{arguments:?}"
    );
    assert!(!arguments.iter().any(|a| a == "--no-unwinding-assertions"));
}
