//! What other verifiers say, whole and damaged: answers in their documented formats, which nobody here has run.

mod cadp;
mod cbmc;
mod cpachecker;
mod cseq;
mod esbmc;
mod model;
mod samples;

use swarmcheck_backends::Reading;
use swarmcheck_backends::c::{Kept, VERIFIERS, translate};

/// What an answer of a verifier about the counters means; `None` if it is refused.
fn reading(name: &str, kept: &Kept) -> Option<Reading> {
    let verifier = VERIFIERS.iter().find(|v| v.name == name).expect("a verifier");
    let answer = verifier.answer(kept).ok()?;
    translate(answer, &model::counters(), "Below").ok()
}

/// The counters start at 1 and 0; agent 1 adds 1; agent 0 adds 2 and reaches 3.
fn is_the_violation(reading: &Option<Reading>) -> bool {
    matches!(reading, Some(Reading::Violated(way)) if way.states == [[1, 0], [1, 1], [3, 1]] && way.back_to.is_none())
}

/// The assignments of that execution, in order.
const ASSIGNED: &[(&str, u32)] = &[
    ("chosen", 1),
    ("chosen", 0),
    ("chosen_function", 0),
    ("chosen_agent", 1),
    ("me", 1),
    ("chosen_function", 1),
    ("chosen_agent", 0),
    ("chosen", 2),
];

/// The assignments as text, with this sign and this line under the head of each state.
fn states(sign: &str, rule: &str, rename: impl Fn(&str) -> String) -> String {
    let bytes = |value: u32| value.to_be_bytes().map(|byte| format!("{byte:08b}")).join(" ");
    let state = |(at, (name, value)): (usize, &(&str, u32))| {
        let number = at + 3;
        format!(
            "State {number} file emulation.c line {number} column 3 function step thread 0\n{rule}\n  {}{sign}{value} ({})\n\n",
            rename(name),
            bytes(*value)
        )
    };
    ASSIGNED.iter().enumerate().map(state).collect()
}

/// An answer as it is printed, with the code of the program's end.
fn printed(output: &str, code: i32) -> Kept {
    Kept { output: output.to_string(), code: Some(code), ..Kept::default() }
}

/// No beginning of an answer is a success or a violation.
fn no_beginning_is_a_verdict(name: &str, whole: &Kept, from: usize) {
    let end = whole.output.trim_end().len();
    for cut in (from..end).filter(|at| whole.output.is_char_boundary(*at)) {
        let part = Kept { output: whole.output[..cut].to_string(), ..whole.clone() };
        let found = reading(name, &part);
        assert!(
            !matches!(found, Some(Reading::Holds | Reading::Violated(_))),
            "{name} cut at {cut}: {found:?}"
        );
    }
}
