//! Answers of CPAchecker in the form that its README and its documentation of test harnesses show.

use crate::{is_the_violation, no_beginning_is_a_verdict, printed, reading};
use swarmcheck_backends::Reading;
use swarmcheck_backends::c::{CQuestion, Kept, VERIFIERS};

const HEAD: &str = "Running CPAchecker with default heap size (1200M). Specify a larger value with --heap if you have more RAM.
Language C detected and set for analysis (CPAMain.detectFrontendLanguageIfNecessary, INFO)

CPAchecker 4.0 / default (OpenJDK 64-Bit Server VM 17.0.8.1) started (CPAchecker.run, INFO)

Starting analysis ... (CPAchecker.runAlgorithm, INFO)

Stopping analysis ... (CPAchecker.runAlgorithm, INFO)

";

const TAIL: &str = "More details about the verification run can be found in the directory \".\".\n";

const TRUE: &str = "TRUE. No property violation found by chosen configuration.";
const FALSE: &str = "FALSE. Property violation (unreach-call: reach_error(); called in line 60) found by chosen configuration.";

/// The choices of the initial block are 1 and 0; function 0 of agent 1; function 1 of agent 0, which chooses 2.
const VALUES: &[u32] = &[1, 0, 0, 1, 1, 0, 2];

fn said(verdict: &str) -> String {
    format!("{HEAD}Verification result: {verdict}\n{TAIL}")
}

fn harness(values: &[u32]) -> String {
    let cases: String =
        values.iter().enumerate().map(|(at, v)| format!("    case {at}: retval = {v}; break;\n")).collect();
    format!(
        "struct _IO_FILE;\nextern void exit(int __status) __attribute__ ((__noreturn__));\nint __VERIFIER_nondet_int() {{\n  \
         static unsigned int test_vector_index = 0;\n  int retval;\n  switch (test_vector_index) {{\n{cases}  }}\n  \
         ++test_vector_index;\n  return retval;\n}}\nvoid reach_error(void) {{\n  exit(107);\n}}\n"
    )
}

fn violated(harness: String) -> Kept {
    Kept { shown: vec![harness], ..printed(&said(FALSE), 0) }
}

#[test]
fn verdicts() {
    assert_eq!(reading("CPAchecker", &printed(&said(TRUE), 0)), Some(Reading::Holds));
    assert!(is_the_violation(&reading("CPAchecker", &violated(harness(VALUES)))));
    let short = said("FALSE. Property violation found by chosen configuration.");
    assert!(matches!(reading("CPAchecker", &printed(&short, 0)), Some(Reading::Claimed(_))));
    let unknown = said("UNKNOWN, incomplete analysis.");
    assert!(matches!(reading("CPAchecker", &printed(&unknown, 0)), Some(Reading::Unknown(_))));
}

/// A harness that was kept is enough, whatever was printed.
#[test]
fn a_harness_alone() {
    assert!(is_the_violation(&reading("CPAchecker", &Kept { output: harness(VALUES), ..Kept::default() })));
    let signed =
        harness(VALUES).replace("int __VERIFIER_nondet_int", "long long int __VERIFIER_nondet_longlong");
    let signed = signed.replace("; break;", "LL; break;");
    assert!(is_the_violation(&reading("CPAchecker", &Kept { output: signed, ..Kept::default() })));
}

#[test]
fn a_violation_that_nothing_shows_is_a_claim() {
    assert!(matches!(reading("CPAchecker", &printed(&said(FALSE), 0)), Some(Reading::Claimed(_))));
    let endless = said("FALSE. Property violation (termination) found by chosen configuration.");
    let with = Kept { shown: vec![harness(VALUES)], ..printed(&endless, 0) };
    assert!(matches!(reading("CPAchecker", &with), Some(Reading::Claimed(_))), "no execution shows that");
}

#[test]
fn damaged_answers() {
    let end = said(TRUE).find(TAIL).expect("the last line");
    no_beginning_is_a_verdict("CPAchecker", &printed(&said(TRUE)[..end], 0), 0);
    no_beginning_is_a_verdict(
        "CPAchecker",
        &Kept { shown: vec![harness(VALUES)], ..printed(&said(FALSE)[..end], 0) },
        0,
    );
    let damaged = [
        (String::new(), 0),
        (HEAD.to_string(), 0),
        ("no such thing\n".to_string(), 0),
        (said(TRUE), 1),
        (said(TRUE), 143),
        (said("TRUE"), 0),
        (said("TRUE. No property violation found by chosen configuration. Or was there?"), 0),
        (said("FALSE"), 0),
        (said("PERHAPS."), 0),
        (said(TRUE) + &said(TRUE), 0),
        (said(TRUE) + &said(FALSE), 0),
        (said(TRUE) + "Exception in thread \"main\" java.lang.AssertionError\n", 0),
        ("Error: Unsupported feature (threads)\n".to_string() + &said(TRUE), 0),
        ("Invalid configuration: there is no such option\n".to_string(), 1),
    ];
    for (output, code) in damaged {
        assert_eq!(reading("CPAchecker", &printed(&output, code)), None, "{output}");
    }
    let both = Kept { shown: vec![harness(VALUES)], ..printed(&said(TRUE), 0) };
    assert_eq!(reading("CPAchecker", &both), None, "a proof and a counterexample");
}

#[test]
fn damaged_harnesses() {
    let whole = harness(VALUES);
    let end = whole.find("return retval").expect("the end of the function");
    for cut in 0..end {
        assert_eq!(reading("CPAchecker", &violated(whole[..cut].to_string())), None, "cut at {cut}");
    }
    for (from, to) in [
        ("case 3: ", "case 4: "),
        ("    case 3: retval = 1; break;\n", ""),
        ("retval = 2;", "retval = -2;"),
        ("retval = 2;", "retval = x;"),
        ("retval = 2;", "retval = 7;"),
        ("    case 6: retval = 2; break;\n", ""),
        ("case 6: retval = 2; break;", "case 6: break;"),
    ] {
        assert!(whole.contains(from));
        assert_eq!(
            reading("CPAchecker", &violated(whole.replacen(from, to, 1))),
            None,
            "{from:?} became {to:?}"
        );
    }
    // One step less violates nothing, and one more is not possible where the violation ends the program.
    assert_eq!(reading("CPAchecker", &violated(harness(&VALUES[..4]))), None);
    assert_eq!(reading("CPAchecker", &violated(harness(&[1, 0, 5, 1]))), None, "there is no function 5");
}

#[test]
fn command_lines() {
    let verifier = VERIFIERS.iter().find(|v| v.name == "CPAchecker").expect("CPAchecker");
    let others = [("x.yml".to_string(), String::new()), ("unreach-call.prp".to_string(), String::new())];
    let question = CQuestion { program: "", others: &others, rounds: None, memory: Some(4 << 30) };
    assert_eq!(
        (verifier.arguments)(&question, "cpachecker").join(" "),
        "--spec unreach-call.prp --option limits.time.cpu=-1 --output-path . --heap 3584M --64 emulation.c"
    );
    assert_eq!(
        (verifier.arguments)(&question, "cpa.sh").join(" "),
        "-default -spec unreach-call.prp -setprop limits.time.cpu=-1 -outputpath . -heap 3584M -64 emulation.c"
    );
}
