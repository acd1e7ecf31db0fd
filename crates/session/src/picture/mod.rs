//! Pictures of a model and a trace: what a player has to know beside the trace itself (`docs/pictures.md`).
//!
//! A trace tells what can be seen of each step. It is replayed on the program first ([`crate::walk::plan`]), so what is drawn is an
//! execution of the model, and a trace of another model is refused.

mod chart;
mod evidence;
mod links;
mod render;
mod space;
#[cfg(test)]
mod tests;

pub(crate) use render::document;
pub use render::render;

use crate::explain::{self, ExplainAnswer, ExplainedFact};
use crate::open::Prepared;
use crate::process;
use crate::walk::{Misfit, Plan, plan};
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_ir::Value;
use swarmcheck_picture::data::{AgentPicture, FORMAT, Picture, VERSION};

/// The picture of a model, and of a trace if there is one; with `explain`, also which of its steps matter.
pub fn picture(prepared: &Prepared, trace: Option<&TraceData>, explain: bool) -> Result<Picture, Misfit> {
    let Some(trace) = trace else { return Ok(of_model(prepared)) };
    Ok(of_plan(prepared, trace, &plan(prepared, trace)?, explain))
}

/// The part that needs no trace.
fn of_model(prepared: &Prepared) -> Picture {
    let program = &prepared.flat.program;
    let agent = |agent: u32| AgentPicture {
        agent,
        kind: program.kind(program.kind_of(agent)).name.clone(),
        name: program.agent_name(agent),
    };
    Picture {
        format: FORMAT.to_string(),
        version: VERSION,
        agents: (0..program.agents()).map(agent).collect(),
        view: space::view(prepared),
        links: vec![],
        chart: vec![],
        automata: process::automata(prepared),
        places: vec![],
        causes: vec![],
        breaks: None,
        story: vec![],
    }
}

/// The picture of a trace whose states are known.
pub(crate) fn of_plan(prepared: &Prepared, trace: &TraceData, plan: &Plan, explain: bool) -> Picture {
    let mut picture = of_model(prepared);
    let states: Vec<Vec<Value>> =
        std::iter::once(&plan.initial).chain(plan.steps.iter().map(|step| &step.state)).cloned().collect();
    let predicates = links::predicates(prepared);
    picture.links = predicates.iter().filter_map(|one| one.links(prepared, &states)).collect();
    picture.chart = chart::rows(prepared, &predicates, &trace.steps, plan);
    picture.places = process::places(prepared, &states);
    if explain {
        explained(prepared, trace, &mut picture);
    }
    picture
}

/// Which steps matter, and the story in words.
fn explained(prepared: &Prepared, trace: &TraceData, picture: &mut Picture) {
    let answer = explain::explain(prepared, trace, None);
    let ExplainAnswer::Explained { explanation } = answer else { return };
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    picture.breaks = match explanation.subject {
        ExplainedFact::Nothing => return,
        ExplainedFact::False { after, .. } => Some(number(after)),
        _ => None,
    };
    let matters = explanation.steps.iter().filter(|step| step.matters);
    picture.causes = matters.map(|step| number(step.number)).collect();
    picture.story = paragraphs(&explain::words::story(&explanation));
}

/// Lines that are indented belong to the one before.
fn paragraphs(text: &str) -> Vec<String> {
    let mut out: Vec<String> = vec![];
    for line in text.lines() {
        match out.last_mut() {
            Some(last) if line.starts_with(' ') && !line.trim_start().starts_with("...") => {
                last.push('\n');
                last.push_str(line.trim());
            }
            _ => out.push(line.trim().to_string()),
        }
    }
    out
}
