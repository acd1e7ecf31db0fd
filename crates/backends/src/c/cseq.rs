//! What CSeq says: a last line with the file, a verdict and what it took, and before that the counterexample of its
//! back end.
//!
//! `_shortanswer` and `_translateCPROVERcex` in the module `cex` of CSeq write them: `emulation.c, UNSAFE, 1.50,
//! 30.00MB`, and a counterexample in the form of CBMC's text (as of 2017, in github.com/Gennaro-Parlato/CSeq). The
//! verdict may be coloured. CSeq moves functions into their callers, and names their variables anew; where the names
//! it prints are not those of the program, its counterexample cannot be read.
//!
//! CSeq cuts loops off without saying whether they go on (its module `unroller` assumes that they do not). So its `SAFE` is no
//! evidence, although it is told a number of rounds that no loop has; its counterexamples are.

use super::{CAnswer, CQuestion, Failure, Kept, PROGRAM, Shown, Success, Verifier, nothing_else, text};
use crate::Unreadable;
use crate::reading::unreadable;
use crate::verdicts::{self, Said};

/// CSeq.
pub(crate) const VERIFIER: Verifier =
    Verifier { name: "CSeq", own_memory: false, arguments, shown: nothing_else, read, violated: &[0, 1, 10] };

fn arguments(question: &CQuestion<'_>, _: &str) -> Vec<String> {
    let words = ["-l", "lazy", "-i", PROGRAM, "--backend", "cbmc", "--cex", "--unwind"];
    let mut out: Vec<String> = words.into_iter().map(str::to_string).collect();
    out.push(question.rounds.unwrap_or(1).to_string());
    out
}

/// The names of variables that were moved: `__cs_local_FUNCTION_NAME`.
const MOVED: &str = "__cs_local_";

pub fn read(kept: &Kept) -> Result<CAnswer, Unreadable> {
    let output = plain(&kept.output);
    let Some(line) = verdicts::CSEQ.only(&output)? else {
        return unreadable("the line with the verdict is missing: the answer was cut off");
    };
    let violated = output.lines().any(|line| line.trim() == "Violated property:");
    let parts: Vec<&str> = line.split(", ").collect();
    let (verdict, took) = match parts[..] {
        [verdict, seconds] => (verdict, seconds.parse::<f64>().is_ok()),
        [verdict, seconds, memory, ..] => (verdict, seconds.parse::<f64>().is_ok() && memory.ends_with("MB")),
        _ => (line, false),
    };
    if !took || !output.ends_with('\n') {
        return unreadable(format!("the line with the verdict is cut off: {line}"));
    }
    match verdicts::CSEQ.say(verdict) {
        Some(Said::Holds) if !violated => Ok(CAnswer::Successful(Success::Bare(
            "it says SAFE, but not whether loops go on where it cuts them off".to_string(),
        ))),
        Some(Said::Violated) => Ok(CAnswer::Failed(vec![failure(&output, violated)?])),
        Some(Said::Open) if !violated => Ok(CAnswer::Unknown(format!("it says {verdict}"))),
        Some(Said::Failed) => Ok(CAnswer::Error("its back end rejects the program".to_string())),
        _ => unreadable(format!(
            "the verdict is {verdict}, which is unknown or contradicts the rest of the answer"
        )),
    }
}

/// The text without colours: `ESC [ … m`.
fn plain(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        out += part.split_once('m').map_or(part, |(_, rest)| rest);
    }
    out
}

fn failure(output: &str, violated: bool) -> Result<Failure, Unreadable> {
    let nothing = |description: Option<String>, why: &str| Failure {
        description,
        shown: Shown::Nothing(why.to_string()),
    };
    if !violated {
        return Ok(nothing(None, "CSeq prints no counterexample"));
    }
    let mut found = text::failure(output)?;
    let Shown::Assignments(assignments) = &mut found.shown else { return Ok(found) };
    for assignment in assignments.iter_mut() {
        let moved = assignment.to.strip_prefix(MOVED);
        let names = ["chosen_function", "chosen_agent", "chosen"];
        let meant = moved.and_then(|m| names.into_iter().find(|name| m.ends_with(&format!("_{name}"))));
        if let Some(name) = meant {
            assignment.to = name.to_string();
        }
    }
    if !assignments.iter().any(|a| a.to == "chosen_function" || a.to == "chosen") {
        return Ok(nothing(found.description, "the counterexample of CSeq has other names than the program"));
    }
    Ok(found)
}
