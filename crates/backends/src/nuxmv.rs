//! NuSMV and nuXmv: what their answers mean.
//!
//! Both are run on the exported module alone and check every specification in it. For each one there is a line that says
//! whether it holds; a counterexample follows as a list of states in which only what has changed is written. Lines that
//! are not known make an answer unreadable.

use crate::question::BackendQuestion;
use crate::reading::unreadable;
use crate::table::Dialogue;
use crate::tools::{put, run};
use crate::verdicts::{SMV, Said};
use crate::{Ended, NoAnswer, Ran, Reading, Reply, Tools, Unreadable, Way};
use std::collections::BTreeMap;
use swarmcheck_export::File;
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

/// How nuXmv, or NuSMV if there is no nuXmv, is asked and read.
pub(crate) struct Smv;

impl Dialogue for Smv {
    fn ask(
        &self,
        question: &BackendQuestion<'_>,
        files: &[Vec<File>],
        programs: &[&'static str],
        tools: &mut dyn Tools,
    ) -> Result<Reply, NoAnswer> {
        let module = &files[0][0].text;
        put(tools, [(MODEL, module.as_str())])?;
        let who = if programs[0] == question.entry.title { question.entry.title } else { "NuSMV" };
        let verdicts = read(&run(tools, programs[0], &[MODEL])?)?;
        Ok(Reply::new(about_property(module, &verdicts, who)?, who))
    }

    fn read(&self, question: &BackendQuestion<'_>, found: &str) -> Result<Reply, Unreadable> {
        let files = question.exported(question.entry.targets[0]).map_err(Unreadable::because)?;
        let ran = Ran { ended: Ended::Code(0), output: found.to_string(), errors: String::new() };
        let who = author(found);
        Ok(Reply::new(about_property(&files[0].text, &read(&ran)?, who)?, who))
    }
}

/// What the verdicts about the specifications of a module say about the property. There is one specification for it, and
/// another one before it where an error of the model is possible.
fn about_property(module: &str, verdicts: &[SmvVerdict], who: &str) -> Result<Reading, Unreadable> {
    let errors = module.contains("\nINVARSPEC NAME no_model_error ");
    let is_invariant = module.matches("\nINVARSPEC NAME ").count() == 1 + usize::from(errors);
    let (invariants, others): (Vec<_>, Vec<_>) = verdicts.iter().partition(|v| v.invariant);
    let (error, main) = match (errors, is_invariant, invariants.as_slice(), others.as_slice()) {
        (false, true, [main], []) | (false, false, [], [main]) => (None, *main),
        (true, true, [error, main], []) | (true, false, [error], [main]) => (Some(*error), *main),
        _ => return unreadable(format!("{who} has not answered what it was asked")),
    };
    let (shown, broken) = match (error, main) {
        (Some(error), _) if !error.holds => (&error.shown, true),
        (_, main) if !main.holds => (&main.shown, false),
        _ => return Ok(Reading::Holds),
    };
    let Some(shown) = shown else { return unreadable(format!("{who} shows no counterexample")) };
    followed(module, shown, broken)
        .map_err(|wrong| Unreadable::because(format!("the counterexample of {who} is wrong: {}", wrong.why)))
}

fn followed(module: &str, shown: &SmvCounterexample, broken: bool) -> Result<Reading, Unreadable> {
    let remark = |begin: &str| module.lines().find_map(|l| l.strip_prefix(begin)?.strip_suffix('.'));
    let undefined = remark("-- Undefined values are ").and_then(|n| n.parse::<i64>().ok());
    let (Some(undefined), Some(cells)) = (undefined, remark("-- Cells: ")) else {
        return unreadable("the module does not say what its cells are");
    };
    let cells: Vec<String> = cells.split_whitespace().map(str::to_string).collect();
    let mut way = shown.way(&cells, undefined)?;
    // A condition of the property may be wrong where no step was: then the state is as good as any other.
    let in_step =
        broken && shown.states.last().is_some_and(|s| s.get("model_error").is_some_and(|v| v == "TRUE"));
    if !in_step {
        return Ok(Reading::Violated(way));
    }
    // A step that is an error leaves the state as it was.
    way.states.pop();
    Ok(Reading::Broken(way))
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
        let verdict = SMV.verdict(text).and_then(|what| {
            let holds = SMV.say(what)? == Said::Holds;
            Some((what.starts_with("invariant "), holds))
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
        true => unreadable("a specification is false, but there is no counterexample"),
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
