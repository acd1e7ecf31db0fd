//! NuSMV and nuXmv: what their answers mean.
//!
//! Both are run on the exported module alone and check every specification in it. For each one there is a line that says
//! whether it holds; a counterexample follows as a list of states in which only what has changed is written. Lines that
//! are not known make an answer unreadable.

use crate::{Ended, Job, Ran, Tools, Unreadable, Way};
use std::collections::BTreeMap;
use swarmcheck_ir::{UNDEF, Value};

/// The name of the module's file.
pub const MODEL: &str = "emulation.smv";

/// A specification and what is said of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SmvVerdict {
    /// Whether it is an invariant, which is written differently.
    pub invariant: bool,
    /// Whether it is true.
    pub holds: bool,
    /// The counterexample, if it is false: the values of all variables, state by state, and where it loops.
    pub shown: Option<SmvCounterexample>,
}

/// A counterexample as it is written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SmvCounterexample {
    /// The values of the variables, by name.
    pub states: Vec<BTreeMap<String, String>>,
    /// The state that follows the last one.
    pub back_to: Option<usize>,
}

/// What came of running the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SmvAnswer {
    /// What was said, and by which of the two.
    Said(Vec<SmvVerdict>, &'static str),
    Stopped,
    /// It ran out of memory.
    Memory,
    /// There is no such program; how to get it.
    Missing(String),
}

fn unreadable<T>(why: String) -> Result<T, Unreadable> {
    Err(Unreadable { why })
}

/// Asks nuXmv, or NuSMV if there is no nuXmv.
pub fn ask(tools: &mut dyn Tools, module: &str) -> Result<SmvAnswer, Unreadable> {
    let programs = [("nuXmv", "nuXmv"), ("NuSMV", "NuSMV"), ("nusmv", "NuSMV")];
    let Some((program, name)) = programs.into_iter().find(|(program, _)| tools.find(program)) else {
        return Ok(SmvAnswer::Missing(
            "neither nuXmv nor NuSMV is installed: get one of them from nuxmv.fbk.eu or nusmv.fbk.eu"
                .to_string(),
        ));
    };
    let failed = |why: String| Unreadable { why };
    tools.put(MODEL, module).map_err(failed)?;
    let job = Job { program: program.to_string(), arguments: vec![MODEL.to_string()], own_memory: false };
    let ran = tools.run(&job).map_err(|why| Unreadable { why })?;
    match ran.ended {
        Ended::TimeLimit | Ended::Interrupted => Ok(SmvAnswer::Stopped),
        Ended::Code(0) => read(&ran).map(|verdicts| SmvAnswer::Said(verdicts, name)),
        _ if crate::out_of_memory(&ran) => Ok(SmvAnswer::Memory),
        Ended::Code(_) | Ended::Killed => {
            unreadable(format!("{program} failed: {}", crate::first_lines(&ran)))
        }
    }
}

/// Which of the two has written an answer, by its first lines.
pub fn author(output: &str) -> &'static str {
    let banner = |name: &str| output.lines().any(|line| line.starts_with(&format!("*** This is {name}")));
    if banner("NuSMV") && !banner("nuXmv") { "NuSMV" } else { "nuXmv" }
}

/// Reads everything that is said.
pub fn read(ran: &Ran) -> Result<Vec<SmvVerdict>, Unreadable> {
    let mut out: Vec<SmvVerdict> = vec![];
    let mut inside = false;
    // Values of inputs are written between states; they say nothing about states.
    let mut inputs = false;
    let mut round = false;
    for line in ran.output.lines() {
        let text = line.trim();
        let verdict = text.strip_prefix("-- ").and_then(|rest| {
            let (what, holds) = match rest.strip_suffix(" is true") {
                Some(what) => (what, true),
                None => (rest.strip_suffix(" is false")?, false),
            };
            let invariant = what.starts_with("invariant ");
            (invariant || what.starts_with("specification ")).then_some((invariant, holds))
        });
        if let Some((invariant, holds)) = verdict {
            out.push(SmvVerdict { invariant, holds, shown: None });
            (inside, inputs, round) = (false, false, false);
            continue;
        }
        let Some(last) = out.last_mut() else {
            if text.is_empty() || text.starts_with("***") || text.starts_with("WARNING") {
                continue;
            }
            return unreadable(format!("the verifier prints an unknown line: {text}"));
        };
        match text {
            "" => {}
            "-- as demonstrated by the following execution sequence" if !last.holds => inside = true,
            _ if text.starts_with("***") || text.starts_with("WARNING") => {}
            _ if !inside => return unreadable(format!("the verifier prints an unknown line: {text}")),
            "-- Loop starts here" => round = true,
            _ if text.starts_with("Trace Description:") || text.starts_with("Trace Type:") => {}
            _ if text.starts_with("-> Input:") && text.ends_with("<-") => inputs = true,
            _ if text.starts_with("-> State:") && text.ends_with("<-") => {
                inputs = false;
                let shown = last.shown.get_or_insert_with(SmvCounterexample::default);
                let before = shown.states.last().cloned().unwrap_or_default();
                if std::mem::take(&mut round) {
                    shown.back_to = Some(shown.states.len());
                }
                shown.states.push(before);
            }
            _ => {
                let Some((name, value)) = text.split_once(" = ") else {
                    return unreadable(format!("a value was expected, not: {text}"));
                };
                let state = last.shown.as_mut().and_then(|s| s.states.last_mut());
                match state {
                    _ if inputs => {}
                    Some(state) => {
                        state.insert(name.to_string(), value.to_string());
                    }
                    None => return unreadable(format!("a value without a state: {text}")),
                }
            }
        }
    }
    match out.iter().any(|v| !v.holds && v.shown.is_none()) {
        true => unreadable("a specification is false, but there is no counterexample".to_string()),
        false => Ok(out),
    }
}

impl SmvCounterexample {
    /// The execution of the program that it stands for: the cells, without the state before the beginning. A loop is
    /// written with its first state once more at its end. `cells` are the names of the cells in the order of the layout.
    pub fn way(&self, cells: &[String], undefined: i64) -> Result<Way, Unreadable> {
        let mut way = Way::default();
        let mut skipped = 0;
        for state in &self.states {
            match state.get("started").map(String::as_str) {
                Some("FALSE") if way.states.is_empty() => {
                    skipped += 1;
                    continue;
                }
                Some("TRUE") => {}
                other => {
                    return unreadable(format!(
                        "the value of `started` must be TRUE or FALSE, not {other:?}"
                    ));
                }
            }
            let value = |name: &String| -> Result<Value, Unreadable> {
                // A cell that is no variable is given as a number.
                let text = if name.parse::<i64>().is_ok() { Some(name) } else { state.get(name) };
                match text.and_then(|v| v.parse::<i64>().ok()) {
                    Some(value) if value == undefined => Ok(UNDEF),
                    Some(value) => Ok(value),
                    None => unreadable(format!("a state has no value for {name}")),
                }
            };
            way.states.push(cells.iter().map(value).collect::<Result<Vec<_>, _>>()?);
        }
        way.back_to = self.back_to.map(|at| at.saturating_sub(skipped));
        Ok(way)
    }
}
