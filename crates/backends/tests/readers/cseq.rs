//! Answers of CSeq in the form that its module `cex` writes.

use crate::{is_the_violation, no_beginning_is_a_verdict, printed, reading, states};
use swarmcheck_backends::c::{CQuestion, VERIFIERS};
use swarmcheck_backends::{Backend, Reading};

fn verdict(word: &str) -> String {
    format!("emulation.c, \u{1b}[32m{word}\u{1b}[0m, 1.50, 30.25MB\n")
}

fn violated(property: &str, rename: impl Fn(&str) -> String) -> String {
    let shown = states("=", "- - - - - - - - - - - - - - - - - - - - - - - - - - ", rename);
    format!(
        "Counterexample:\n\n{shown}Violated property:\n  file emulation.c line 60 function main\n  {property}\n  holds() != 0\n\n\n{}",
        verdict("UNSAFE")
    )
}

fn same(name: &str) -> String {
    name.to_string()
}

#[test]
fn verdicts() {
    // It does not say whether loops go on where it cuts them off. Colours are no matter.
    for safe in [verdict("SAFE"), "emulation.c, SAFE, 0.37\n".to_string()] {
        let Some(Reading::Unknown(why)) = reading("CSeq", &printed(&safe, 0)) else { panic!("{safe}") };
        assert!(why.contains("SAFE"), "{why}");
    }
    assert!(is_the_violation(&reading("CSeq", &printed(&violated("Below", same), 10))));
    let moved = violated("Below", |name| format!("__cs_local_main_{name}"));
    assert!(is_the_violation(&reading("CSeq", &printed(&moved, 1))));
    for word in ["UNKNOWN", "TIMEOUT"] {
        assert!(matches!(reading("CSeq", &printed(&verdict(word), 0)), Some(Reading::Unknown(_))), "{word}");
    }
}

/// CSeq may print no counterexample, or one in which the variables have other names.
#[test]
fn a_violation_that_nothing_shows_is_a_claim() {
    let renamed = violated("Below", |name| format!("__cs_{}", name.len()));
    for output in [verdict("UNSAFE"), renamed] {
        assert!(matches!(reading("CSeq", &printed(&output, 10)), Some(Reading::Claimed(_))), "{output}");
    }
}

#[test]
fn damaged_answers() {
    let (holds, violated) = (verdict("SAFE"), violated("Below", same));
    no_beginning_is_a_verdict("CSeq", &printed(&holds, 0), 0);
    no_beginning_is_a_verdict("CSeq", &printed(&violated, 10), 0);
    let damaged = [
        (String::new(), 0),
        ("Traceback (most recent call last):\n".to_string(), 1),
        ("SAFE\n".to_string(), 0),
        (holds.clone(), 1),
        (holds.clone(), 137),
        (violated.replace("UNSAFE", "SAFE"), 0),
        (violated.clone(), 6),
        (format!("{holds}{holds}"), 0),
        (format!("{holds}{violated}"), 10),
        (holds.replace("SAFE", "SAFER"), 0),
        (holds.replace("1.50", "soon"), 0),
        (verdict("BACKENDREJECT"), 6),
        (holds.replace("emulation.c", "other.c"), 0),
        (violated.replacen("chosen_agent=", "chosen_agent ", 1), 10),
    ];
    for (output, code) in damaged {
        assert_eq!(reading("CSeq", &printed(&output, code)), None, "{output}");
    }
}

#[test]
fn command_line() {
    let verifier = VERIFIERS.iter().find(|v| v.name == "CSeq").expect("CSeq");
    let question = CQuestion { program: "", others: &[], rounds: Some(7), memory: None };
    let arguments = (verifier.arguments)(&question, "cseq.py").join(" ");
    assert_eq!(arguments, "-l lazy -i emulation.c --backend cbmc --cex --unwind 7");
    assert!(!Backend::Cseq.entry().unbounded, "it cuts loops off");
}
