//! An explanation as a story: what is explained, the steps that matter with their causes, and the rest folded.

use super::{CellChange, CellReading, CellRole, ExplainAnswer, ExplainedFact, ExplainedStep, Explanation};
use crate::walk::Misfit;
use crate::words::count;
use swarmcheck_engine::trace::data::StepData;
use swarmcheck_source::shown;

/// The answer in words, ending with a new line.
pub fn answer(answer: &ExplainAnswer) -> String {
    match answer {
        ExplainAnswer::Explained { explanation } => story(explanation),
        ExplainAnswer::Misfit { misfit } => format!("{}\n", self::misfit(misfit)),
        ExplainAnswer::NoSuchProperty { name, suggestion } => {
            let hint = suggestion.as_ref().map_or(String::new(), |s| format!("; did you mean {s:?}?"));
            format!("the model has no property {name:?}{hint}\n")
        }
    }
}

/// Why a trace is none of a model.
pub fn misfit(misfit: &Misfit) -> String {
    let what = match misfit {
        Misfit::Start => "it has no such initial state".to_string(),
        Misfit::Step { number, step } => {
            let StepData { kind, agent, what, .. } = &**step;
            // They stand in a file that anybody may have written.
            format!("step {number} ({} {agent}: {}) is not possible", shown::line(kind), shown::line(what))
        }
        Misfit::Loop => "it does not come back to where it says it repeats".to_string(),
        Misfit::WrongStart => return "the model has an error in its initial state".to_string(),
        Misfit::ManyStarts { tried } => {
            return format!("none of the first {tried} initial states is that of the trace");
        }
    };
    format!("the trace does not fit the model: {what}")
}

/// The whole story.
pub fn story(explanation: &Explanation) -> String {
    let cells = explanation.because.iter().filter(|r| r.cell.role == CellRole::Data);
    let because: String = cells.map(|reading| format!("    {}\n", caused(reading))).collect();
    let joined = if because.is_empty() { "" } else { ", because" };
    let mut out = format!("{}{joined}\n{because}", fact(&explanation.subject));
    let mut folded: Vec<&ExplainedStep> = vec![];
    for step in &explanation.steps {
        if explanation.loop_start == Some(step.number - 1) {
            out += &fold(&mut folded);
            out += "from here on the run repeats:\n";
        }
        if step.matters {
            out += &fold(&mut folded);
            out += &told(step);
        } else {
            folded.push(step);
        }
    }
    out += &fold(&mut folded);
    let matter = explanation.steps.iter().filter(|step| step.matters).count();
    let all = explanation.steps.len();
    out + &match (&explanation.subject, all) {
        (_, 0) => "the initial state is enough\n".to_string(),
        (ExplainedFact::Nothing, _) => format!("{}\n", count(all, "step")),
        _ => {
            format!("{matter} of {} {}\n", count(all, "step"), if matter == 1 { "matters" } else { "matter" })
        }
    }
}

/// What is explained.
fn fact(fact: &ExplainedFact) -> String {
    match fact {
        ExplainedFact::False { property, after: 0 } => {
            format!("{property}: the predicate is false in the initial state")
        }
        ExplainedFact::False { property, after } => {
            format!("{property}: the predicate is false after step {after}")
        }
        ExplainedFact::Reached { predicate } => format!("{predicate}: true in the last state"),
        ExplainedFact::Deadlock { property: None } => "no step is possible in the last state".to_string(),
        ExplainedFact::Deadlock { property: Some(property) } => {
            format!("{property}: the run stops before the goal is reached")
        }
        ExplainedFact::Loop { property } => {
            format!("{property}: the run repeats without reaching the goal")
        }
        ExplainedFact::OutOfReach { property } => {
            format!("{property}: the goal cannot be reached from the last state")
        }
        ExplainedFact::Run { property } => {
            format!("{property}: the run violates it")
        }
        ExplainedFact::ModelError => "the model meets an error after the last step".to_string(),
        ExplainedFact::Nothing => "the trace violates nothing that could be explained".to_string(),
    }
}

/// A cell with its owner.
fn cell(reading: &CellReading) -> String {
    match &reading.cell.owner {
        Some(owner) => format!("{} of {owner}", reading.cell.name),
        None => reading.cell.name.clone(),
    }
}

/// A cell with its value and where that comes from.
fn caused(reading: &CellReading) -> String {
    let from = reading.written_by.map_or("initially".to_string(), |step| format!("step {step}"));
    format!("{} = {} ({from})", cell(reading), reading.value)
}

/// A step that matters.
fn told(step: &ExplainedStep) -> String {
    let what = match step.rule.as_str() {
        "action" => step.what.clone(),
        rule => format!("{rule} '{}'", step.what),
    };
    let at = step.at.as_ref().map_or(String::new(), |at| format!(" (at {at})"));
    let first = format!("step {}  {}: {what}{at}", step.number, step.who);
    let mut out = format!("{}\n", shown::line(&first));
    let changes: Vec<String> =
        step.changes.iter().filter(|c| c.cell.role == CellRole::Data).map(|c| change(c, step)).collect();
    if !changes.is_empty() {
        out += &format!("    changes {}\n", changes.join(", "));
    }
    let read: Vec<String> = step.reads.iter().filter(|r| r.cell.role == CellRole::Data).map(caused).collect();
    if !read.is_empty() {
        out += &format!("    reads {}\n", read.join(", "));
    }
    // That an agent makes its steps one after the other goes without saying.
    let control = |r: &&CellReading| !matches!(r.cell.role, CellRole::Data | CellRole::Location);
    let mut after: Vec<usize> = step.reads.iter().filter(control).filter_map(|r| r.written_by).collect();
    after.sort_unstable();
    after.dedup();
    if !after.is_empty() {
        let steps: Vec<String> = after.iter().map(|step| step.to_string()).collect();
        out += &format!(
            "    comes after {} {}\n",
            if after.len() == 1 { "step" } else { "steps" },
            steps.join(", ")
        );
    }
    out
}

fn change(change: &CellChange, step: &ExplainedStep) -> String {
    let name = match &change.cell.owner {
        Some(owner) if *owner != step.who => format!("{} of {owner}", change.cell.name),
        _ => change.cell.name.clone(),
    };
    format!("{name}: {} -> {}", change.old, change.new)
}

/// Steps that do not matter, by who makes them.
fn fold(steps: &mut Vec<&ExplainedStep>) -> String {
    let mut who: Vec<(&str, usize)> = vec![];
    for step in steps.drain(..) {
        match who.iter_mut().find(|(name, _)| *name == step.who) {
            Some((_, times)) => *times += 1,
            None => who.push((&step.who, 1)),
        }
    }
    if who.is_empty() {
        return String::new();
    }
    let all: usize = who.iter().map(|(_, times)| times).sum();
    let each: Vec<String> = match who.as_slice() {
        [(name, _)] => vec![name.to_string()],
        several => several.iter().map(|(name, times)| format!("{name} ({times})")).collect(),
    };
    let (noun, verb) = if all == 1 { ("step", "does") } else { ("steps", "do") };
    format!("    ... {all} {noun} of {} that {verb} not matter\n", each.join(", "))
}
