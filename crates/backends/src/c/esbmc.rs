//! What ESBMC says: one line with a verdict, and before `VERIFICATION FAILED` a counterexample as text.
//!
//! The verdicts and what is said about k-induction are those of `esbmc_parseoptions.cpp`; what counterexamples look
//! like, and the options, is known from runs of ESBMC 6.8 to 7.10 in the issues of its repository (such as 311, 551,
//! 1315 and 2075). With bounded executions loops are unwound, and ESBMC asserts that they end; without, it proves by
//! k-induction, and a success only counts if it says by which of its two conditions: the base case alone proves
//! nothing about longer executions.

use super::{CAnswer, CQuestion, Kept, PROGRAM, Success, Verifier, nothing_else, text};
use crate::Unreadable;
use crate::reading::unreadable;
use crate::verdicts::{BMC, Said};

/// ESBMC.
pub(crate) const VERIFIER: Verifier =
    Verifier { name: "ESBMC", own_memory: false, arguments, shown: nothing_else, read, violated: &[1] };

/// Said before a proof for executions of any length.
const PROOFS: &[&str] = &["Solution found by the forward condition", "Solution found by the inductive step"];

/// Only the assertions of the program count. Without slicing, all assignments are in the counterexample.
fn arguments(question: &CQuestion<'_>, _: &str) -> Vec<String> {
    let checks = [
        "--no-bounds-check",
        "--no-pointer-check",
        "--no-div-by-zero-check",
        "--no-align-check",
        "--no-slice",
    ];
    let mut out: Vec<String> = [PROGRAM].into_iter().chain(checks).map(str::to_string).collect();
    match question.rounds {
        Some(rounds) => out.extend(["--unwind".to_string(), rounds.to_string()]),
        None => out.extend(["--k-induction", "--unlimited-k-steps"].map(str::to_string)),
    }
    out
}

pub fn read(kept: &Kept) -> Result<CAnswer, Unreadable> {
    let all = format!("{}\n{}", kept.output, kept.errors);
    let error = all.lines().map(str::trim).find(|line| line.starts_with("ERROR:"));
    let proved = all.lines().any(|line| PROOFS.iter().any(|proof| line.trim().starts_with(proof)));
    let found = all.lines().any(|line| line.trim().starts_with("Bug found"));
    let violated = all.lines().any(|line| line.trim() == "Violated property:");
    let verdict = BMC.only(&all)?;
    match (verdict, verdict.and_then(|verdict| BMC.say(verdict)), error) {
        (None, _, Some(error)) => Ok(CAnswer::Error(error.to_string())),
        (Some(verdict), _, Some(error)) => unreadable(format!("a verdict ({verdict}) and an error: {error}")),
        (_, Some(Said::Holds), None) if !violated && !found => success(&all, proved, kept),
        (_, Some(Said::Violated), None) if !proved => Ok(CAnswer::Failed(vec![text::failure(&all)?])),
        (_, Some(Said::Open), None) if !proved && !violated => {
            Ok(CAnswer::Unknown("it could neither prove nor refute the property".to_string()))
        }
        (Some(verdict), _, None) => {
            unreadable(format!("the verdict is {verdict}, but the rest of the answer contradicts it"))
        }
        (None, _, None) => unreadable("there is no verdict: the answer was cut off"),
    }
}

/// A success, if something was checked and, for executions of any length, proved. Loops that were cut off are no harm where we have
/// run it, because then it asserts that they end.
fn success(all: &str, proved: bool, kept: &Kept) -> Result<CAnswer, Unreadable> {
    let generated = all.lines().filter_map(|line| line.trim().strip_prefix("Generated "));
    let counts: Vec<&str> = generated.filter_map(|rest| rest.split(' ').next()).collect();
    if !counts.is_empty() && counts.iter().all(|n| *n == "0") {
        return Ok(CAnswer::Unknown("no assertion was checked".to_string()));
    }
    let bare = |why: &str| Ok(CAnswer::Successful(Success::Bare(why.to_string())));
    match (proved, kept.unbounded) {
        (false, true) => unreadable("a success by induction that does not say which condition proves it"),
        (false, false) if counts.is_empty() => {
            bare("it says successful, but not that any verification condition was generated")
        }
        (false, false) if kept.code.is_none() && all.contains("Not unwinding loop") => {
            Ok(CAnswer::Successful(Success::Bounded))
        }
        _ => Ok(CAnswer::Successful(Success::Complete { checked: None })),
    }
}
