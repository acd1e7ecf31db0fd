//! ESBMC, CSeq and CPAchecker as back ends.

use crate::{Pretend, about, about_model, asked, example, kept, pretend, said_by, trace_of, unsupported};
use swarmcheck_backends::Ended;
use swarmcheck_session::Refusal;
use swarmcheck_session::verify::Backend;

const ESBMC: &str = "ESBMC version 7.9.0 64-bit x86_64 linux\nStarting Bounded Model Checking\n\
                     Generated 3 VCC(s), 1 remaining after simplification (9 assignments)\n";

/// So many steps of the only agent, state by state.
fn steps(number: usize, sign: &str) -> String {
    let one = |name: &str| {
        let zeros = ["00000000"; 4].join(" ");
        format!("State 4 file emulation.c line 4 function step thread 0\n----\n  {name}{sign}0 ({zeros})\n\n")
    };
    (one("chosen_function") + &one("chosen_agent")).repeat(number)
}

fn esbmc(number: usize) -> String {
    format!(
        "{ESBMC}[Counterexample]\n\n{}Violated property:\n  file emulation.c line 9 function main\n  Low\n  holds\n\n\nVERIFICATION FAILED\n",
        steps(number, " = ")
    )
}

fn cseq(number: usize) -> String {
    format!(
        "Counterexample:\n\n{}Violated property:\n  file emulation.c line 9 function main\n  Low\n  holds\n\n\nemulation.c, UNSAFE, 0.50, 10.00MB\n",
        steps(number, "=")
    )
}

/// The harness of so many steps: two choices for each.
fn harness(number: usize) -> String {
    let cases: String = (0..2 * number).map(|at| format!("    case {at}: retval = 0; break;\n")).collect();
    format!(
        "int __VERIFIER_nondet_int() {{\n  switch (test_vector_index) {{\n{cases}  }}\n  return retval;\n}}\n"
    )
}

const FALSE: &str =
    "Verification result: FALSE. Property violation (unreach-call) found by chosen configuration.\n";
const TRUE: &str = "Verification result: TRUE. No property violation found by chosen configuration.\n";

fn cpachecker(number: usize) -> Pretend {
    let mut tools = pretend(FALSE.to_string(), Ended::Code(0));
    tools.files.insert("Counterexample.1.harness.c".to_string(), harness(number));
    tools
}

#[test]
fn violations_are_replayed() {
    let cases = [
        (Backend::Esbmc, pretend(esbmc(2), Ended::Code(1)), Some(3), "__ESBMC_assert"),
        (Backend::Esbmc, pretend(esbmc(2) + "\nBug found (k = 3)\n", Ended::Code(1)), None, "__ESBMC_assert"),
        (Backend::Cseq, pretend(cseq(2), Ended::Code(10)), Some(3), "__CPROVER_assert"),
        (Backend::Cpachecker, cpachecker(2), Some(3), "reach_error()"),
        (Backend::Cpachecker, cpachecker(2), None, "reach_error()"),
    ];
    for (backend, mut tools, steps, words) in cases {
        let answer = asked(&mut tools, backend, steps);
        assert_eq!(answer.verdict().word(), "violated", "{backend:?}: {}", answer.evidence());
        assert_eq!(answer.outcome, trace_of(2), "{backend:?}");
        assert_eq!(tools.names[0], "emulation.c");
        assert!(tools.program.contains(words), "{}", tools.program);
    }
}

#[test]
fn what_holds_is_what_they_say() {
    let proof = format!("{ESBMC}VERIFICATION SUCCESSFUL\n\nSolution found by the inductive step (k = 2)\n");
    let cases = [
        (Backend::Esbmc, format!("{ESBMC}VERIFICATION SUCCESSFUL\n"), Some(1), "ESBMC"),
        (Backend::Esbmc, proof, None, "ESBMC"),
        (Backend::Cpachecker, TRUE.to_string(), None, "CPAchecker"),
    ];
    for (backend, output, steps, who) in cases {
        let answer = asked(&mut pretend(output, Ended::Code(0)), backend, steps);
        assert_eq!(answer.verdict().word(), "holds", "{backend:?}: {}", answer.evidence());
        assert_eq!(answer.outcome, said_by(who, steps), "{backend:?}");
    }
}

/// A success is no evidence if nothing shows that the question was decided.
#[test]
fn a_bare_success_is_unknown() {
    let bare = "ESBMC version 7.9.0 64-bit x86_64 linux\nVERIFICATION SUCCESSFUL\n";
    let cases = [
        (Backend::Esbmc, bare, "not that any verification condition was generated"),
        (Backend::Cseq, "emulation.c, SAFE, 0.50\n", "not whether loops go on"),
    ];
    for (backend, output, why) in cases {
        let answer = asked(&mut pretend(output.to_string(), Ended::Code(0)), backend, Some(1));
        assert!(unsupported(&answer).contains(why), "{backend:?}: {}", answer.evidence());
    }
}

#[test]
fn what_is_only_claimed_is_unconfirmed() {
    let cases = [
        (Backend::Cseq, "emulation.c, UNSAFE, 0.50\n".to_string(), Some(3), "Low"),
        (Backend::Cpachecker, FALSE.to_string(), None, "Low"),
        (Backend::Cpachecker, FALSE.replace("unreach-call", "termination"), None, "Some"),
    ];
    for (backend, output, steps, property) in cases {
        let answer = about(&mut pretend(output, Ended::Code(0)), backend, property, steps);
        assert_eq!(answer.verdict().word(), "unknown", "{}", answer.evidence());
        let words = "says violated, no counterexample could be read: unconfirmed";
        assert!(unsupported(&answer).contains(words), "{}", answer.evidence());
    }
}

/// One step is not enough to violate the property, and nothing violates the other one.
#[test]
fn answers_that_are_wrong_are_no_verdicts() {
    let tools = || {
        [
            (Backend::Esbmc, pretend(esbmc(1), Ended::Code(1)), "Low"),
            (Backend::Esbmc, pretend(esbmc(3).replace("  Low\n", "  High\n"), Ended::Code(1)), "High"),
            (Backend::Esbmc, pretend(esbmc(2), Ended::Code(0)), "Low"),
            (Backend::Cseq, pretend(cseq(1), Ended::Code(10)), "Low"),
            (Backend::Cseq, pretend(cseq(3).replace("  Low\n", "  High\n"), Ended::Code(10)), "High"),
            (Backend::Cpachecker, cpachecker(1), "Low"),
            (Backend::Cpachecker, cpachecker(3), "High"),
            (Backend::Cpachecker, cpachecker(9), "Low"),
        ]
    };
    for (backend, mut tools, property) in tools() {
        let answer = about(&mut tools, backend, property, Some(4));
        assert_eq!(answer.verdict().word(), "unknown", "{backend:?} {}: {}", tools.output, answer.evidence());
    }
    for ended in [Ended::Killed, Ended::TimeLimit, Ended::Interrupted, Ended::Code(139)] {
        for (backend, mut tools, property) in tools() {
            tools.ended = ended;
            let answer = about(&mut tools, backend, property, Some(4));
            assert_eq!(answer.verdict().word(), "unknown", "{backend:?} {ended:?}");
        }
    }
}

#[test]
fn kept_answers_are_read() {
    for (backend, text) in
        [(Backend::Esbmc, esbmc(2)), (Backend::Cseq, cseq(2)), (Backend::Cpachecker, harness(2))]
    {
        let answer = kept(backend, "Low", Some(3), &text).expect("an answer");
        assert_eq!(answer.verdict().word(), "violated", "{backend:?}: {}", answer.evidence());
        let nothing = kept(backend, "Low", Some(3), "nothing of the kind");
        assert!(matches!(nothing, Err(Refusal::UnreadableCounterexample { .. })), "{backend:?}: {nothing:?}");
    }
    for steps in [None, Some(3)] {
        let answer = kept(Backend::Cseq, "High", steps, "emulation.c, SAFE, 0.50\n").expect("an answer");
        assert_eq!(answer.verdict().word(), "unknown", "{steps:?}");
    }
    // Without a proof a success is about executions of a number of steps only, and it must be known which.
    let success = format!("{ESBMC}VERIFICATION SUCCESSFUL\n");
    for (property, steps, read) in [("High", None, false), ("High", Some(3), true), ("Late", None, true)] {
        let answer = kept(Backend::Esbmc, property, steps, &success);
        assert_eq!(answer.is_ok_and(|a| a.verdict().word() == "holds"), read, "{property} {steps:?}");
    }
}

/// CSeq cuts loops off in silence, so the number it is told must be larger than the bound of every loop that is written.
#[test]
fn no_loop_has_more_rounds_than_are_unwound() {
    for (file, parameters, property) in [
        ("leader/leader.labs", "n=7", "KnownLeader"),
        ("flock/flock.labs", "birds=3 grid=5 delta=5", "OnTheGrid"),
        ("philosophers/philosophers.labs", "n=4", ""),
    ] {
        let prepared = example(file, parameters);
        let names: Vec<&str> = prepared.flat.program.properties.iter().map(|p| p.name.as_str()).collect();
        let property = names.iter().find(|name| **name == property).unwrap_or(&names[0]);
        let mut tools = pretend(String::new(), Ended::Code(0));
        about_model(&prepared, &mut tools, Backend::Cseq, property, Some(4));
        let arguments = tools.arguments();
        let told: usize = arguments.rsplit(' ').next().and_then(|n| n.parse().ok()).expect("a number");
        let mut loops = 0;
        for head in tools.program.lines().filter(|line| line.trim_start().starts_with("for (")) {
            let bound = head.split(';').nth(1).and_then(|c| c.rsplit(' ').next()?.parse::<usize>().ok());
            let rounds = bound.expect("a bound that is a number") + usize::from(head.contains("<="));
            assert!(rounds < told, "{file}: {head} and --unwind {told}");
            loops += 1;
        }
        assert!(loops >= 2, "{file}: only {loops} loops");
        assert!(!tools.program.contains("while ("), "{file}");
    }
}

/// A success is about the number of steps that was asked for, and a virtual machine limits itself.
#[test]
fn command_lines() {
    let mut tools = pretend(String::new(), Ended::Code(0));
    asked(&mut tools, Backend::Esbmc, Some(30));
    assert!(tools.arguments().ends_with("--unwind 32"), "{}", tools.arguments());
    let mut tools = cpachecker(2);
    asked(&mut tools, Backend::Cpachecker, None);
    assert!(tools.arguments().starts_with("--spec unreach-call.prp "), "{}", tools.arguments());
    assert!(tools.names.contains(&"unreach-call.prp".to_string()), "{:?}", tools.names);
    assert!(tools.jobs[0].own_memory);
    let mut tools = cpachecker(2);
    about(&mut tools, Backend::Cpachecker, "Some", None);
    assert!(tools.arguments().starts_with("--spec termination.prp "), "{}", tools.arguments());
}
