//! CADP: how its model checker is called, and what its answers mean.
//!
//! `lnt.open emulation.lnt evaluator4 -diag diagnostic.bcg query.mcl` builds the states of the exported program and
//! decides the query; the manual page of evaluator4 says that it displays `TRUE` or `FALSE` and writes a diagnostic,
//! which `bcg_io` turns into a text. Compilers speak before it, so other lines are not looked at unless they tell of
//! an error.

mod diagnostic;

pub use diagnostic::follow;

use crate::{Ended, Job, Ran, Tools, Unreadable};

/// The name of the program's file; its module has the same name.
pub const MODULE: &str = "emulation.lnt";

const QUERY: &str = "query.mcl";
const DIAGNOSTIC: &str = "diagnostic.bcg";
const TEXT: &str = "diagnostic.aut";

/// A question to CADP.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CadpQuestion<'a> {
    /// The program, in LNT.
    pub module: &'a str,
    /// The query, in MCL.
    pub query: &'a str,
    /// Whether a violation is a finite execution, of which breadth-first search finds a short one.
    pub finite: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CadpAnswer {
    /// The query is true.
    Holds,
    /// The query is false; the diagnostic, in Aldebaran format, or why there is none.
    Violated(Result<String, String>),
    Stopped,
    /// It ran out of memory.
    Memory,
    /// There is no such program; how to get it.
    Missing(String),
}

fn unreadable<T>(why: impl Into<String>) -> Result<T, Unreadable> {
    Err(Unreadable { why: why.into() })
}

pub fn ask(tools: &mut dyn Tools, question: &CadpQuestion<'_>) -> Result<CadpAnswer, Unreadable> {
    if let Some(program) = ["lnt.open", "bcg_io"].into_iter().find(|program| !tools.find(program)) {
        return Ok(CadpAnswer::Missing(format!(
            "CADP is not installed (no program '{program}'; get it from cadp.inria.fr, with a licence): an export to \
             LNT and one to MCL are what it reads"
        )));
    }
    let failed = |why: String| Unreadable { why };
    tools.put(MODULE, question.module).map_err(failed)?;
    tools.put(QUERY, question.query).map_err(failed)?;
    let search: &[&str] = if question.finite { &["-bfs"] } else { &[] };
    let arguments = [MODULE, "evaluator4"].iter().chain(search).chain(&["-diag", DIAGNOSTIC, QUERY]);
    let ran = match run(tools, "lnt.open", arguments)? {
        Ok(ran) => ran,
        Err(none) => return Ok(none),
    };
    if verdict(&ran)? {
        return Ok(CadpAnswer::Holds);
    }
    // That the query is false is known; whatever goes wrong from here on, only the evidence is missing.
    let diagnostic = match run(tools, "bcg_io", [DIAGNOSTIC, TEXT].iter()) {
        Ok(Err(CadpAnswer::Stopped)) => return Ok(CadpAnswer::Stopped),
        Ok(Err(_)) => Err("bcg_io ran out of memory".to_string()),
        Ok(Ok(_)) => tools.get(TEXT),
        Err(unreadable) => Err(unreadable.why),
    };
    Ok(CadpAnswer::Violated(diagnostic))
}

/// Runs a program that must succeed, or be stopped.
fn run<'a>(
    tools: &mut dyn Tools,
    program: &str,
    arguments: impl Iterator<Item = &'a &'a str>,
) -> Result<Result<Ran, CadpAnswer>, Unreadable> {
    let arguments = arguments.map(|a| a.to_string()).collect();
    let job = Job { program: program.to_string(), arguments, own_memory: false };
    let ran = tools.run(&job).map_err(|why| Unreadable { why })?;
    match ran.ended {
        Ended::TimeLimit | Ended::Interrupted => Ok(Err(CadpAnswer::Stopped)),
        Ended::Code(0) => Ok(Ok(ran)),
        Ended::Code(_) | Ended::Killed if crate::out_of_memory(&ran) => Ok(Err(CadpAnswer::Memory)),
        Ended::Code(_) | Ended::Killed => {
            unreadable(format!("{program} failed: {}", crate::first_lines(&ran)))
        }
    }
}

/// Whether the query is true: one line says so, and no line tells of an error.
fn verdict(ran: &Ran) -> Result<bool, Unreadable> {
    let lines = || ran.output.lines().chain(ran.errors.lines()).map(str::trim);
    if let Some(line) = lines().find(|line| line.to_lowercase().contains("error")) {
        return unreadable(format!("CADP reports an error: {line}"));
    }
    let said: Vec<&str> = lines().filter(|line| ["TRUE", "FALSE"].contains(line)).collect();
    match said[..] {
        ["TRUE"] => Ok(true),
        ["FALSE"] => Ok(false),
        [] => unreadable("CADP says neither TRUE nor FALSE: the answer was cut off"),
        _ => unreadable("CADP gives two verdicts"),
    }
}
