//! What CPAchecker says: one line with a verdict, and after `FALSE` a test harness in a file.
//!
//! The line is what BenchExec's module for CPAchecker reads (`benchexec/tools/cpachecker.py`). Harnesses are described in
//! CPAchecker's `doc/tutorials/test-harness.md`: C programs that define `__VERIFIER_nondet_int` to return, call by
//! call, the values that lead to the violation. The exported program makes all its choices with that one function, so
//! they are an execution. A program that does not terminate has none.

use super::{CAnswer, CQuestion, Failure, Kept, PROGRAM, Shown, Success, Verifier};
use crate::reading::unreadable;
use crate::verdicts::{CPACHECKER, Said};
use crate::{Tools, Unreadable};

/// CPAchecker.
pub(crate) const VERIFIER: Verifier =
    Verifier { name: "CPAchecker", own_memory: true, arguments, shown, read, violated: &[0] };

/// CPAchecker numbers its counterexamples, those it has refuted itself included.
const COUNTEREXAMPLES: u32 = 32;

/// What the virtual machine needs besides its heap.
const BESIDE_HEAP: u64 = 512 << 20;

/// The options of CPAchecker's `doc/Configuration.md`. The script of old versions takes them with one dash, and wants
/// to be told which analysis.
fn arguments(question: &CQuestion<'_>, program: &str) -> Vec<String> {
    let dash = if program == "cpa.sh" { "-" } else { "--" };
    let mut out: Vec<String> = if dash == "-" { vec!["-default".to_string()] } else { vec![] };
    let mut option = |name: &str, value: String| out.extend([format!("{dash}{name}"), value]);
    if let Some((property, _)) = question.others.iter().find(|(name, _)| name.ends_with(".prp")) {
        option("spec", property.clone());
    }
    // Its own limit of time is switched off: the clock is ours.
    option(if dash == "-" { "setprop" } else { "option" }, "limits.time.cpu=-1".to_string());
    option(if dash == "-" { "outputpath" } else { "output-path" }, ".".to_string());
    if let Some(memory) = question.memory {
        let heap = memory.saturating_sub(BESIDE_HEAP).max(BESIDE_HEAP) >> 20;
        option("heap", format!("{heap}M"));
    }
    out.extend([format!("{dash}64"), PROGRAM.to_string()]);
    out
}

fn shown(tools: &dyn Tools) -> Vec<String> {
    let name = |number| format!("Counterexample.{number}.harness.c");
    (1..=COUNTEREXAMPLES).filter_map(|number| tools.get(&name(number)).ok()).collect()
}

/// Lines that no run has that went well.
const CRASHES: &[&str] =
    &["Exception in thread", "java.lang.", "Error: ", "Invalid configuration", "Segmentation fault"];

/// Reads an answer, or a test harness alone.
pub fn read(kept: &Kept) -> Result<CAnswer, Unreadable> {
    if kept.shown.is_empty() && kept.output.lines().any(|line| definition(line).is_some()) {
        return Ok(failed(Shown::Values(harness(&kept.output)?)));
    }
    let all = format!("{}\n{}", kept.output, kept.errors);
    let crash = all.lines().map(str::trim).find(|line| CRASHES.iter().any(|crash| line.starts_with(crash)));
    let verdict = CPACHECKER.only(&all)?;
    match (verdict, verdict.and_then(|verdict| CPACHECKER.say(verdict)), crash) {
        (_, Some(Said::Holds), None) if kept.shown.is_empty() => {
            Ok(CAnswer::Successful(Success::Complete { checked: None }))
        }
        (_, Some(Said::Open), _) => Ok(CAnswer::Unknown(
            crash.unwrap_or("it could neither prove nor refute the property").to_string(),
        )),
        (Some(verdict), Some(Said::Violated), None) => Ok(failed(if verdict.contains("(termination)") {
            Shown::Nothing("counterexamples to termination cannot be read".to_string())
        } else {
            match kept.shown.last() {
                None => Shown::Nothing("CPAchecker has written no test harness".to_string()),
                Some(text) => Shown::Values(harness(text)?),
            }
        })),
        (Some(verdict), _, None) => {
            unreadable(format!("the verdict is unknown or contradicts the rest of the answer: {verdict}"))
        }
        (Some(verdict), _, Some(crash)) => unreadable(format!("a verdict ({verdict}) and an error: {crash}")),
        (None, _, Some(crash)) => Ok(CAnswer::Error(crash.to_string())),
        (None, _, None) => unreadable("there is no verdict: the answer was cut off"),
    }
}

fn failed(shown: Shown) -> CAnswer {
    CAnswer::Failed(vec![Failure { description: None, shown }])
}

/// What follows the name of the function that the exported program makes its choices with.
fn definition(line: &str) -> Option<&str> {
    [
        "int __VERIFIER_nondet_int(",
        "long long int __VERIFIER_nondet_longlong(",
        "long long __VERIFIER_nondet_longlong(",
    ]
    .into_iter()
    .find_map(|begin| line.strip_prefix(begin))
    .filter(|rest| rest.trim_end().ends_with('{'))
}

/// The values that a test harness returns. A single one is not in a `switch`.
fn harness(text: &str) -> Result<Vec<u64>, Unreadable> {
    let mut lines = text.lines();
    if !lines.by_ref().any(|line| definition(line).is_some()) {
        return unreadable("the test harness does not define the function that returns choices");
    }
    let mut values = vec![];
    for line in lines {
        let line = line.trim();
        if line.starts_with("return ") {
            return Ok(values);
        }
        let (case, assigned) = match line.strip_prefix("case ").and_then(|rest| rest.split_once(": ")) {
            Some((number, rest)) => {
                (number.parse::<usize>().ok(), rest.strip_suffix(" break;").unwrap_or_default())
            }
            None => (Some(values.len()), line),
        };
        match assigned.strip_prefix("retval = ").and_then(|value| value.strip_suffix(';')) {
            Some(value) => {
                let digits = value.trim_end_matches(['L', 'U']);
                let (Ok(value), true) = (digits.parse::<u64>(), case == Some(values.len())) else {
                    return unreadable(format!("the test harness returns an unknown value: {line}"));
                };
                values.push(value);
            }
            None if line.starts_with("case ") => {
                return unreadable(format!("the test harness returns an unknown value: {line}"));
            }
            None => {}
        }
    }
    unreadable("the test harness is cut off")
}
