//! Runs Spin: writes the instance, generates the verifier, compiles it, runs it, reads what it says.

use crate::measured::{self, Cost};
use std::ffi::OsStr;
use std::path::Path;

/// What Spin says when its search would have had to go deeper than it was told.
const TOO_DEEP: &str = "max search depth too small";

/// The greatest depth that is tried.
const MOST_DEPTH: u64 = 100_000_000;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum How {
    /// Depth-first, every state.
    Full,
    /// Depth-first with partial-order reduction.
    Reduced,
    /// Breadth-first, every state: counterexamples are shortest, as ours are.
    Breadth,
}

/// What to ask of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Question {
    /// Visit every state.
    States,
    /// Find an invalid end state.
    Deadlock,
    /// Check the formula of the model.
    Formula,
}

/// What Spin says.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// `holds` or `violated`.
    pub verdict: String,
    /// States stored.
    pub states: u64,
    /// Transitions of the search.
    pub transitions: u64,
    /// Length of the counterexample.
    pub steps: u64,
    /// Processor time of generating and compiling the verifier.
    pub preparation: f64,
    /// What the verifier has cost.
    pub cost: Cost,
}

/// Checks the model of a text in a folder that may be filled with files.
///
/// `bits` is the size that its table of states starts with, as a power of two; it grows by itself.
pub fn check(
    text: &str,
    question: Question,
    how: How,
    bits: u32,
    folder: &Path,
    limit: f64,
) -> Result<Said, String> {
    std::fs::write(folder.join("model.pml"), text).map_err(|e| e.to_string())?;
    let mut preparation = 0.0;
    let mut step = |program: &str, arguments: &[&str]| -> Result<(), String> {
        let arguments: Vec<String> = arguments.iter().map(|a| a.to_string()).collect();
        let run = measured::run(OsStr::new(program), &arguments, folder, 300.0).map_err(|e| e.to_string())?;
        preparation += run.cost.cpu;
        match run.code {
            Some(0) => Ok(()),
            code => Err(format!("{program}: exit {code:?}: {}{}", run.output, run.errors)),
        }
    };
    // Without a define of its own the formula is no part of the model, and the search is one for safety.
    let claim: &[&str] = if question == Question::Formula { &["-DCLAIM"] } else { &[] };
    step("spin", &[claim, &["-a", "model.pml"]].concat())?;
    let mut flags = vec!["-O2", "-w", "-DNOBOUNDCHECK", "-DNOFAIR", "-DMEMLIM=8192"];
    flags.extend((question != Question::Formula).then_some("-DSAFETY"));
    flags.extend((how != How::Reduced).then_some("-DNOREDUCE"));
    flags.extend((how == How::Breadth).then_some("-DBFS"));
    step("cc", &[flags.as_slice(), &["-o", "pan", "pan.c"]].concat())?;
    let pan = folder.join("pan");
    // -E: a state in which nothing can happen is no error. -c1: the first error ends the search.
    let mode = match question {
        Question::States => "-E",
        Question::Deadlock => "-c1",
        Question::Formula => "-a",
    };
    // Spin wants to know how deep the search will be, and pays for what it is told. It is told the smallest of these
    // that is enough, and only that run counts.
    let mut depth = 10_000;
    let run = loop {
        let arguments = [format!("-m{depth}"), format!("-w{bits}"), mode.to_string()];
        let run = measured::run(pan.as_os_str(), &arguments, folder, limit).map_err(|e| e.to_string())?;
        if run.late {
            return Err(format!("no answer in {limit} s"));
        }
        if depth >= MOST_DEPTH || !run.output.contains(TOO_DEEP) {
            break run;
        }
        depth *= 10;
    };
    let said = read(&run.output).ok_or_else(|| format!("exit {:?}: {}", run.code, run.output))?;
    Ok(Said { preparation, cost: run.cost, ..said })
}

/// Reads the summary. Refuses a search that was cut off by anything but its first error.
fn read(output: &str) -> Option<Said> {
    if [TOO_DEEP, "out of memory", "reached -DMEMLIM"].iter().any(|w| output.contains(w)) {
        return None;
    }
    let before = |words: &str| -> Option<u64> {
        let line = output.lines().find(|l| l.contains(words))?;
        line.split(words).next()?.trim().parse().ok()
    };
    let after = |words: &str| -> Option<u64> {
        let rest = output.split(words).nth(1)?;
        rest.split(|c: char| !c.is_ascii_digit()).find(|w| !w.is_empty())?.parse().ok()
    };
    let errors = after("errors:")?;
    Some(Said {
        verdict: if errors == 0 { "holds" } else { "violated" }.to_string(),
        states: before(" states, stored")?,
        transitions: before(" transitions (=")?,
        steps: if errors == 0 { 0 } else { after("(at depth ").unwrap_or(0) },
        ..Said::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_read() {
        let said = read(
            "pan:1: invalid end state (at depth 123)\npan: wrote model.pml.trail\n\n\
             State-vector 60 byte, depth reached 124, errors: 1\n      125 states, stored\n\
             \x20      16 states, matched\n      141 transitions (= stored+matched)\n",
        )
        .unwrap();
        assert_eq!(
            (said.verdict.as_str(), said.states, said.transitions, said.steps),
            ("violated", 125, 141, 123)
        );
        let said = read(
            "State-vector 84 byte, depth reached 64, errors: 0\n    17559 states, stored (35118 visited)\n\
             \x20  319254 transitions (= visited+matched)\n",
        )
        .unwrap();
        assert_eq!((said.verdict.as_str(), said.states, said.transitions), ("holds", 17559, 319254));
        assert!(read("error: max search depth too small").is_none());
    }
}
