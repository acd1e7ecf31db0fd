//! The programs that decide, and how each is asked about a row.

use crate::common::{swarmcheck, tool};
use crate::horn;
use crate::rows::Row;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Seconds that a program has for a row.
pub const SECONDS: u32 = 10;

/// Steps that CBMC looks at where a row does not say how many.
const STEPS: u32 = 4;

/// What came of asking a program about a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// Its verdict, and ours.
    Verdict {
        theirs: String,
        ours: String,
    },
    TimedOut,
    /// The question cannot be written for it, for this reason.
    Refused(String),
    /// Anything else is a failure of the test.
    Failed(String),
}

/// A target with a program that decides what is written for it.
pub struct Decider {
    pub target: &'static str,
    pub name: &'static str,
    pub program: &'static str,
    pub ask: fn(&Row, &Path) -> Said,
}

pub const DECIDERS: &[Decider] = &[
    Decider { target: "c-cbmc", name: "CBMC", program: "cbmc", ask: cbmc },
    Decider { target: "promela", name: "Spin", program: "spin", ask: |row, _| backend(row, "spin", "") },
    Decider { target: "aiger", name: "ABC", program: "berkeley-abc", ask: abc },
    Decider { target: "btor2", name: "Z3", program: "z3", ask: z3 },
    Decider { target: "smv", name: "NuSMV", program: "NuSMV", ask: |row, _| backend(row, "nuxmv", "") },
];

impl Decider {
    /// Whether its program is there; says so if it is not.
    pub fn present(&self) -> bool {
        tool(self.name, self.program)
    }
}

/// What `verify` answers about a row: verdict and evidence; or that it took too long.
fn verified(row: &Row, more: &str) -> Result<(String, String), Said> {
    let arguments = format!("verify {} {} {more} --json --timeout {SECONDS}", row.arguments(), row.named());
    let output: Output = swarmcheck(&arguments).output().unwrap();
    let failed = |why: String| Said::Failed(format!("{arguments}: {why}"));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| failed(String::from_utf8_lossy(&output.stderr).to_string()))?;
    let results = document["results"].as_array().cloned().unwrap_or_default();
    let found = results.iter().find(|result| result["property"] == row.property.as_str());
    let Some(found) = found else { return Err(failed("no such result".to_string())) };
    let text = |key: &str| found[key].as_str().unwrap_or_default().to_string();
    match (text("verdict").as_str(), output.status.code()) {
        ("unknown", _)
            if ["time limit", "memory limit"].iter().any(|limit| text("evidence").contains(limit)) =>
        {
            Err(Said::TimedOut)
        }
        (_, Some(1) | None) => Err(failed(text("evidence"))),
        (verdict, _) => Ok((verdict.to_string(), text("evidence"))),
    }
}

/// Asks a back end of `verify`; `more` is asked of our own engines as well.
fn backend(row: &Row, name: &str, more: &str) -> Said {
    let (theirs, evidence) = match verified(row, &format!("--backend {name} {more}")) {
        Ok(found) => found,
        Err(said) => return said,
    };
    if theirs == "unknown" {
        return Said::Refused(evidence);
    }
    if more.is_empty() {
        return Said::Verdict { theirs, ours: row.verdict.clone() };
    }
    match verified(row, more) {
        Ok((ours, _)) if ours != "unknown" => Said::Verdict { theirs, ours },
        Ok((_, why)) => Said::Refused(why),
        Err(said) => said,
    }
}

/// CBMC looks at a number of steps. Where the row has none, both are asked about few.
fn cbmc(row: &Row, _: &Path) -> Said {
    let more = if row.options.contains("--steps") { String::new() } else { format!("--steps {STEPS}") };
    backend(row, "cbmc", &more)
}

/// Writes the question of a row into a file.
fn exported(row: &Row, target: &str, folder: &Path) -> Result<PathBuf, Said> {
    if row.is_deadlock() || row.options.contains("--ignore") {
        return Err(Said::Refused(format!("{target} has one question: whether the property holds")));
    }
    let path = folder.join(format!("question.{target}"));
    match export(row, target, &path) {
        Said::Verdict { .. } => Ok(path),
        other => Err(other),
    }
}

/// Writes what a target says about a row; a verdict stands for a file that was written.
pub fn export(row: &Row, target: &str, path: &Path) -> Said {
    let _ = (std::fs::remove_file(path), std::fs::remove_dir_all(path));
    // Some examples have infinitely many states, which no graph shows.
    let limits = format!("--timeout {SECONDS} --memory 2G");
    let arguments = format!("export {} --to {target} -o {} {limits}", row.model(), path.display());
    let output = swarmcheck(&arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).to_string();
    let first = errors.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or_default();
    match output.status.code() {
        Some(0) if path.exists() => Said::Verdict { theirs: String::new(), ours: String::new() },
        Some(2 | 5) => Said::Refused(first.strip_prefix(&format!("{target}: ")).unwrap_or(first).to_string()),
        Some(124) => Said::TimedOut,
        code => Said::Failed(format!("export {} --to {target}: {code:?} {errors}", row.model())),
    }
}

fn abc(row: &Row, folder: &Path) -> Said {
    let file = match exported(row, "aiger", folder) {
        Ok(file) => file,
        Err(said) => return said,
    };
    let commands = format!("read_aiger {}; pdr -T {SECONDS}", file.display());
    let output = Command::new("berkeley-abc").args(["-c", &commands]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).to_string();
    let theirs = match (said.contains("Property proved"), said.contains("was asserted in frame")) {
        (true, false) => "holds",
        (false, true) => "violated",
        (false, false) if said.contains("Property UNDECIDED") => return Said::TimedOut,
        _ => return Said::Failed(format!("{row:?}: ABC says {said}")),
    };
    Said::Verdict { theirs: theirs.to_string(), ours: row.verdict.clone() }
}

fn z3(row: &Row, folder: &Path) -> Said {
    let file = match exported(row, "btor2", folder) {
        Ok(file) => file,
        Err(said) => return said,
    };
    let clauses = match horn::clauses(&std::fs::read_to_string(&file).unwrap()) {
        Ok(clauses) => clauses,
        Err(line) => return Said::Failed(format!("{row:?}: the line {line:?} is no line of ours")),
    };
    let file = folder.join("question.smt2");
    std::fs::write(&file, clauses).unwrap();
    let output = Command::new("z3").arg(format!("-T:{SECONDS}")).arg(&file).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).to_string();
    let theirs = match said.trim() {
        "sat" => "holds",
        "unsat" => "violated",
        "timeout" | "unknown" => return Said::TimedOut,
        _ => return Said::Failed(format!("{row:?}: Z3 says {said}")),
    };
    Said::Verdict { theirs: theirs.to_string(), ours: row.verdict.clone() }
}
